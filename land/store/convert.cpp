#include "land/store/convert.h"

#include <memory>
#include <span>
#include <vector>

#include "land/base/simd_target.h"
#include "land/blocks/feature_source.h"
#include "land/files/files_in_use.h"
#include "land/store/encode_blocks.h"
#include "land/store/store_writer.h"

namespace land {
namespace {

// Writes blocks in their order, and sees what they lack.
class Output {
 public:
  Output(const Table& table, const std::string& path, const Context& context)
      : table_(table), context_(context), writer_(path, table.samples(), table.features()) {}

  void write(std::span<const FeatureBlock> blocks) {
    for (const FeatureBlock& block : blocks) {
      context_.check_stop();
      for (const FeatureHeader& header : block.headers) {
        if (header.missing > 0 && first_missing_ < 0) first_missing_ = header.id;
        missing_ += header.missing;
      }
      writer_.append(block);
      context_.report("encoding", static_cast<double>(block.headers.back().id + 1),
                      static_cast<double>(table_.features()));
    }
  }

  Converted commit(Missing missing) {
    table_.check_missing(missing, missing_, first_missing_);
    context_.check_stop();
    std::vector<std::string> lines;
    if (table_.names) lines = table_.all_feature_names();
    // Of a part of a table without names each keeps the one that its number among all gives it.
    const bool numbered = !table_.names && table_.feature_names.empty() && !table_.feature_numbers.kept.empty();
    for (std::int64_t k = 0; numbered && k < table_.features(); ++k) lines.push_back(table_.feature_name(k));
    if (table_.files) table_.files->check_unchanged();
    Converted result{table_.features(), table_.samples(), writer_.bytes(), 0};
    result.fingerprint = writer_.commit({lines.empty() ? table_.feature_names : lines, table_.sample_ids,
                                         table_.target ? &*table_.target : nullptr, table_.default_missing});
    return result;
  }

 private:
  const Table& table_;
  const Context& context_;
  StoreWriter writer_;
  std::int64_t missing_ = 0;
  std::int64_t first_missing_ = -1;
};

void encode_all(const Table& table, const ConvertOptions& options, const Context& context, Output& output) {
  const std::shared_ptr<const FeatureSource> source = table.source(options.missing);
  const std::int64_t each = bytes_of_feature(table, *source);
  const std::int64_t block = features_of_block(each, options);
  std::vector<std::int64_t> firsts;
  for (std::int64_t first = 0; first < table.features(); first += block) firsts.push_back(first);
  firsts.push_back(table.features());
  encode_blocks(table, *source, firsts, block * each, options, context,
                [&](std::span<const FeatureBlock> blocks) { output.write(blocks); });
}

}  // namespace

Converted convert(const Table& table, const std::string& path, const ConvertOptions& options, const Context& context) {
  use_simd_target_of_environment();
  table.check_has_features();
  if (table.files) table.files->check_output(path);
  return or_blame_changes(table.files, [&] {
    Output output(table, path, context);
    encode_all(table, options, context, output);
    return output.commit(options.missing);
  });
}

}  // namespace land
