// Suggestions for a misspelt name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace land {

// Insertions, deletions and substitutions that turn a into b, upper and lower case taken as equal. Cost |a| |b|.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The names nearest to `wanted`, nearest first and in their own order among equals; none that is further than a third
// of its length (at least 2 edits), none twice.
std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> names,
                                       std::size_t most = 3);

}  // namespace land
