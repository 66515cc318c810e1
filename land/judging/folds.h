// Which samples are held out: repeated, stratified k-fold splits, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/data/target.h"
#include "land/options/options.h"

namespace land {

struct Split {
  std::int64_t repeat = 0;  // from 0
  std::int64_t fold = 0;
  std::vector<std::int64_t> held_out;  // ascending
};

// `folds` splits a repeat, together every sample once. Sizes of folds differ by one at most, and so do the counts of a
// class, or of events, in them. The order in which samples are dealt out is keyed by (seed, repeat, sample). Throws
// InputError for more folds than samples.
std::vector<Split> make_splits(const Target& target, const FoldOptions& options);

// What a user should know: classes with fewer samples than folds.
std::vector<std::string> fold_warnings(const Target& target, const FoldOptions& options);

// The samples of 0 .. count-1 that are not in `held_out`, ascending.
std::vector<std::int64_t> others(std::span<const std::int64_t> held_out, std::int64_t count);

// The target of these samples alone. Classes that none of them has are gone.
Target part_of(const Target& target, std::span<const std::int64_t> samples);

// Fewer than two classes, or one number alone.
bool has_one_value(const Target& target);

}  // namespace land
