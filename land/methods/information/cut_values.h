// Values to the bins between cuts. SIMD behind this header.
#pragma once

#include <cstdint>
#include <span>

namespace land {

// levels[i]: how many of the cuts, at most 255, are not above values[i].
void cut_values(std::span<const double> values, std::span<const double> cuts, std::span<std::uint8_t> levels);

}  // namespace land
