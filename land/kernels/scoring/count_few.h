// Tables of classes by levels without a table: by comparing, which is quicker as long as there are few of both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace land {

// counts[class * stride + level]: samples whose label and code are these. Returns false, with nothing done, where there
// are too many classes and levels for the comparing to pay.
bool count_few(const std::uint8_t* codes, const std::uint8_t* labels, std::size_t samples, std::size_t classes,
               std::size_t levels, std::size_t stride, std::uint32_t* counts);

}  // namespace land
