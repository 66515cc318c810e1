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

// What a feature takes before it is encoded, at most.
std::int64_t bytes_of_feature(const Table& table, const FeatureSource& source);

// How many features that take so many bytes each a block should have for `options.block_bytes`, less where memory is
// short: a multiple of a strip. It depends on the table and the memory asked for, never on threads or on what happens
// to be free.
std::int64_t features_of_block(std::int64_t bytes_each, const ConvertOptions& options);

// Calls write(blocks) for batches of blocks in their order, from one thread at a time, while the next ones are encoded.
// `firsts`: the first feature of every block, and of the one behind the last. `block_bytes`: that a block takes, about.
// A mapped matrix is gone through in passes that fit `options.memory`; what a reader has brought into memory already
// does not count.
using WriteBlocks = std::function<void(std::span<const FeatureBlock> blocks)>;
void encode_blocks(const Table& table, const FeatureSource& source, std::span<const std::int64_t> firsts,
                   std::int64_t block_bytes, const ConvertOptions& options, const Context& context,
                   const WriteBlocks& write);

}  // namespace land
