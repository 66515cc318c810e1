// How sparse features number their samples: in 16 bits where that is enough.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

namespace land {

constexpr bool are_sample_numbers_short(std::int64_t samples) { return samples <= 65536; }
constexpr std::int64_t sample_number_bytes(std::int64_t samples) {
  return are_sample_numbers_short(samples) ? sizeof(std::uint16_t) : sizeof(std::int32_t);
}

// The numbers at `data` as visit(span of std::uint16_t) or visit(span of std::int32_t).
template <class Byte, class Visit>
decltype(auto) visit_sample_numbers(std::int64_t samples, Byte* data, std::int64_t count, const Visit& visit) {
  constexpr bool kConst = std::is_const_v<Byte>;
  using Short = std::conditional_t<kConst, const std::uint16_t, std::uint16_t>;
  using Long = std::conditional_t<kConst, const std::int32_t, std::int32_t>;
  const auto size = static_cast<std::size_t>(count);
  if (are_sample_numbers_short(samples)) return visit(std::span<Short>(reinterpret_cast<Short*>(data), size));
  return visit(std::span<Long>(reinterpret_cast<Long*>(data), size));
}

}  // namespace land
