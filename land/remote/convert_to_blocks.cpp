#include "land/remote/convert_to_blocks.h"

#include <cstdint>
#include <span>
#include <vector>

#include "land/base/checksum.h"
#include "land/base/feature_id.h"
#include "land/base/simd_target.h"
#include "land/files/files_in_use.h"
#include "land/remote/block_table.h"
#include "land/remote/parquet_writer.h"
#include "land/store/encode_blocks.h"

namespace land {

Converted convert_to_blocks(const Table& table, const std::string& path, const ConvertOptions& options,
                            const Context& context) {
  use_simd_target_of_environment();
  if (table.files) table.files->check_output(path);
  return or_blame_changes(table.files, [&] {
    table.check_has_features();
    const CellCutter cutter(table, options, encoded_bytes(*table.source(options.missing)));
    ParquetWriter writer(path);
    std::vector<std::uint32_t> checksums;
    encode_blocks(table, cutter.source(), cutter.firsts(), options.block_bytes, options, context,
                  [&](std::span<const FeatureBlock> blocks) {
                    for (const FeatureBlock& block : blocks) {
                      context.check_stop();
                      const Cell cell = cutter.cell_of(block);
                      const FeatureId first = block.headers.front().id;
                      for (const FeatureHeader& header : block.headers) checksums.push_back(header.checksum);
                      writer.append(first, block.features(), first == 0 ? to_message(cutter.table()) : "",
                                    to_message(cell));
                      context.report("encoding", static_cast<double>(first + block.features()),
                                     static_cast<double>(table.features()));
                    }
                  });
    if (table.files) table.files->check_unchanged();
    Converted result{table.features(), table.samples(), writer.bytes(), fingerprint_of(table.samples(), checksums)};
    writer.commit();
    return result;
  });
}

}  // namespace land
