// All features of a table as packed blocks, in order, within limits of memory: what every way to write a table shares.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "land/base/context.h"
#include "land/blocks/feature_block.h"
#include "land/blocks/feature_source.h"
#include "land/data/table.h"
#include "land/options/options.h"

namespace land {

// How many features a block should have for `options.block_bytes`, less where memory is short: a multiple of a strip.
// It depends on the table and the memory asked for, never on threads or on what happens to be free.
std::int64_t features_of_block(const Table& table, const FeatureSource& source, const ConvertOptions& options);

// Calls write(blocks) for batches of blocks in their order, from one thread at a time, while the next ones are encoded.
// `firsts`: the first feature of every block, and of the one behind the last; no block has more than `block` features.
// A mapped matrix is gone through in passes that fit `options.memory`; what a reader has brought into memory already
// does not count.
using WriteBlocks = std::function<void(std::span<const FeatureBlock> blocks)>;
void encode_blocks(const Table& table, const FeatureSource& source, std::span<const std::int64_t> firsts,
                   std::int64_t block, const ConvertOptions& options, const Context& context, const WriteBlocks& write);

}  // namespace land
