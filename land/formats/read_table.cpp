#include "land/formats/read_table.h"

#include "land/formats/delimited_text.h"
#include "land/formats/detect_format.h"
#include "land/formats/gzip.h"
#include "land/formats/mapped_file.h"
#include "land/formats/npy.h"
#include "land/formats/npz.h"
#include "land/formats/read_request.h"
#include "land/formats/store.h"
#include "land/formats/target_file.h"

namespace land {
namespace {

Table read_any(const Bytes& bytes, const ReadRequest& request) {
  const Bytes plain = is_gzip(bytes.view) ? gunzip(bytes, request.name, request.context) : bytes;
  switch (detect_format(plain.view, request.name)) {
    case Format::kNpy:
      return read_npy(plain, request);
    case Format::kNpz:
      return read_npz(plain, request);
    case Format::kStore:
      return read_store(plain, request);
    case Format::kText:
      break;
  }
  return read_delimited_text(plain, request);
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options, const Context& context) {
  const Bytes bytes = open_bytes(path, context);
  const bool target_is_file = file_exists(options.target);
  Table table = read_any(bytes, {path, options, context, target_is_file, true});
  // Readers have looked for a column of that name or number first.
  if (target_is_file && !table.target) table.target = read_target_file(options.target, table, options, context);
  return table;
}

Table read_table(const Bytes& bytes, const std::string& name, const ReadOptions& options, const Context& context) {
  return read_any(bytes, {name, options, context});
}

}  // namespace land
