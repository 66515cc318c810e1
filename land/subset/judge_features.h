// Which features the options leave out for the values that they have.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/formats/read_table.h"

namespace land {

// A share that is the limit itself, but for its rounding, is not beyond it.
inline constexpr double kShareRounding = 0x1p-44;

enum class Verdict : std::uint8_t { kKept, kGeno, kMaf, kMinDistinct, kLacking };
std::string to_string(Verdict verdict);  // "by --geno", the option as a mark

// One pass over the features, by all threads; empty when no option asks for it. A feature that several options leave
// out counts for the first, in the order above. Throws InputError for --maf on a table that has no genotypes.
std::vector<Verdict> judge_features(const Table& table, const SubsetOptions& options, const Context& context);

// How many values each sample lacks.
std::vector<std::int64_t> missing_by_sample(const Table& table, const Context& context);

}  // namespace land
