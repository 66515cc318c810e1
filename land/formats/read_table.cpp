#include "land/formats/read_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "land/base/option.h"
#include "land/blocks/sparse_source.h"
#include "land/files/files_in_use.h"
#include "land/files/gzip.h"
#include "land/files/mapped_file.h"
#include "land/formats/delimited_text.h"
#include "land/formats/detect_format.h"
#include "land/formats/find_features.h"
#include "land/formats/find_targets.h"
#include "land/formats/gct.h"
#include "land/formats/given_names.h"
#include "land/formats/matrix_market.h"
#include "land/formats/name_lines.h"
#include "land/formats/npy.h"
#include "land/formats/npz.h"
#include "land/formats/plink.h"
#include "land/formats/read_request.h"
#include "land/formats/refuse_text.h"
#include "land/formats/sparse_runs.h"
#include "land/formats/store.h"
#include "land/formats/svmlight.h"
#include "land/formats/take_covariates.h"
#include "land/formats/target_file.h"
#include "land/formats/ten_x_names.h"

namespace land {
namespace {

[[noreturn]] void throw_no_column(const ReadRequest& request) {
  throw InputError(fmt::format("{}: no such file, and {} has no columns with names; give the target in a file",
                               option(target_key(request.options), request.options.target), request.name));
}

// The labels are the target unless another is given in a file.
Table read_sparse_text(const Bytes& bytes, const ReadRequest& request) {
  if (!request.options.target.empty() && !request.target_is_file) throw_no_column(request);
  Table table;
  table.path = request.name;
  TargetColumn labels;
  // What `land graphlets` writes beside its table.
  const std::string names = request.name + ".names";
  if (request.from_file) request.context.files->add_input(names);
  if (SparseRuns::needed(bytes.view.size(), request.scratch_above())) {
    SparseTextRuns text = read_svmlight_in_runs(bytes, request, request.options.zero_based);
    table.encoded = std::move(text.features);
    labels = std::move(text.target);
  } else {
    SparseText text = read_svmlight(bytes, request, request.options.zero_based);
    table.encoded = std::make_shared<SparseSource>(std::move(text.columns));
    labels = std::move(text.target);
  }
  if (request.options.target.empty()) table.target = std::move(labels);
  if (request.from_file && file_exists(names)) {
    auto lines = std::make_shared<NameLines>(open_bytes(names, request.context));
    if (lines->size() == table.features()) {
      table.names = std::move(lines);
    } else {
      table.warnings.push_back(fmt::format("{} was not used: it has {} names, and there are {} features", names,
                                           lines->size(), table.features()));
    }
  }
  return table;
}

Table read_sparse_matrix(const Bytes& bytes, const ReadRequest& request) {
  if (!request.options.target.empty() && !request.target_is_file) throw_no_column(request);
  Table table;
  table.path = request.name;
  if (SparseRuns::needed(bytes.view.size(), request.scratch_above())) {
    table.encoded = read_matrix_market_in_runs(bytes, request);
  } else {
    table.encoded = std::make_shared<SparseSource>(read_matrix_market(bytes, request));
  }
  add_ten_x_names(request, table);
  return table;
}

Table read_any(const Bytes& bytes, const ReadRequest& request) {
  const Bytes plain = is_gzip(bytes.view) ? gunzip(bytes, request.name, request.context, request.scratch_above(),
                                                   request.options.scratch_folder)
                                          : bytes;
  switch (detect_format(plain.view, request.name)) {
    case Format::kNpy:
      return read_npy(plain, request);
    case Format::kNpz:
      return read_npz(plain, request);
    case Format::kBed:
      return read_plink(plain, request);
    case Format::kSvmlight:
      return read_sparse_text(plain, request);
    case Format::kMatrixMarket:
      return read_sparse_matrix(plain, request);
    case Format::kStore:
      return read_store(plain, request);
    case Format::kText:
      break;
  }
  return is_gct(plain.view) ? read_gct(plain, request) : read_delimited_text(plain, request);
}

// What all readers have in common: names, categories, a look at both.
Table read_with_names(const Bytes& bytes, const ReadRequest& request) {
  Table table = read_any(bytes, request);
  // Arrays have them already: their target may be called by its name.
  const bool is_array = table.encoded == nullptr && !table.layout.is_text;
  if (!is_array) add_given_names(request, table);
  const std::vector<std::string> nominal = named_nominal(request.options);
  if (!nominal.empty()) table.nominal.add(find_features(table, "nominal", nominal));
  warn_of_repeated_names(table);
  take_covariates(table, named_covariates(request.options));
  return table;
}

// A table read the wrong way round shows when its ids are those of features.
void read_target(const TargetFile& file, const ReadOptions& options, const Context& context, Table& table) {
  try {
    read_target_file(file, options, context, table);
  } catch (const InputError& error) {
    const std::string hint = rows_look_wrong();
    if (std::find(table.warnings.begin(), table.warnings.end(), hint) == table.warnings.end()) throw;
    throw InputError(fmt::format("{}; {}", error.what(), hint));
  }
}

Table read_files(const std::string& path, const ReadOptions& options, const Context& context) {
  const Bytes bytes = open_bytes(path, context);
  const std::optional<TargetFile> file = find_target_file(options.target);
  if (file) context.files->add_input(file->path);
  const std::optional<CovariatesFile> covariates = find_covariates_file(options.adjust);
  if (covariates) context.files->add_input(covariates->path);
  Table table = read_with_names(bytes, {path, options, context, file.has_value(), true});
  // Readers have looked for a column of that name or number first.
  if (table.target) {
    table.target->path = path;
    for (TargetColumn& target : table.other_targets) target.path = path;
    table.matching = {Matching::How::kSameTable, table.samples(), table.samples(), table.samples()};
  } else if (file) {
    read_target(*file, options, context, table);
  }
  if (covariates) read_covariates_file(*covariates, options, context, table);
  return table;
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options, const Context& context) {
  Context reading = context;
  if (!reading.files) reading.files = std::make_shared<FilesInUse>();
  Table table = if_unchanged(reading.files, [&] { return read_files(path, options, reading); });
  table.files = reading.files;
  return table;
}

Table read_table(const Bytes& bytes, const std::string& name, const ReadOptions& options, const Context& context) {
  return read_with_names(bytes, {name, options, context});
}

std::string_view to_string(Match match) { return match == Match::kSame ? "same" : "common"; }

}  // namespace land
