// How large a sparse table may say it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace land {

inline constexpr std::int64_t kLargestIndex = (std::int64_t{1} << 31) - 2;

// A few bytes of text can ask for gigabytes of empty rows and columns. Throws InputError when there are more of them
// than 64 for each entry and 2^26, which leaves room for the first lines of the largest files in use.
void check_sparse_size(const std::string& name, std::string_view what, std::int64_t size, std::int64_t entries);

}  // namespace land
