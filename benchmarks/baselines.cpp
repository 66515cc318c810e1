#include "benchmarks/baselines.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/baselines.cpp"
// clang-format off: foreach_target.h comes before everything of Highway
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace land::bench::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

float SumOfExp(const float* values, std::size_t count) {
  const hn::ScalableTag<float> f;
  const std::size_t lanes = hn::Lanes(f);
  auto a = hn::Zero(f);
  auto b = hn::Zero(f);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    a = hn::Add(a, hn::Exp(f, hn::LoadU(f, values + i)));
    b = hn::Add(b, hn::Exp(f, hn::LoadU(f, values + i + lanes)));
  }
  float sum = hn::GetLane(hn::SumOfLanes(f, hn::Add(a, b)));
  const hn::CappedTag<float, 1> one;
  for (; i < count; ++i) sum += hn::GetLane(hn::Exp(one, hn::LoadU(one, values + i)));
  return sum;
}

std::int64_t MultiplyAdds(std::int64_t rounds, double& result) {
  const hn::ScalableTag<double> d;
  // The sum is what is multiplied, so that no product can be taken out of the loop; x is 1, which the compiler cannot
  // know.
  const auto x = hn::Set(d, result);
  const auto y = hn::Set(d, 1e-9);
  auto s0 = hn::Set(d, 0.0), s1 = hn::Set(d, 1.0), s2 = hn::Set(d, 2.0), s3 = hn::Set(d, 3.0);
  auto s4 = hn::Set(d, 4.0), s5 = hn::Set(d, 5.0), s6 = hn::Set(d, 6.0), s7 = hn::Set(d, 7.0);
  auto s8 = hn::Set(d, 8.0), s9 = hn::Set(d, 9.0), s10 = hn::Set(d, 10.0), s11 = hn::Set(d, 11.0);
  for (std::int64_t r = 0; r < rounds; ++r) {
    s0 = hn::MulAdd(s0, x, y);
    s1 = hn::MulAdd(s1, x, y);
    s2 = hn::MulAdd(s2, x, y);
    s3 = hn::MulAdd(s3, x, y);
    s4 = hn::MulAdd(s4, x, y);
    s5 = hn::MulAdd(s5, x, y);
    s6 = hn::MulAdd(s6, x, y);
    s7 = hn::MulAdd(s7, x, y);
    s8 = hn::MulAdd(s8, x, y);
    s9 = hn::MulAdd(s9, x, y);
    s10 = hn::MulAdd(s10, x, y);
    s11 = hn::MulAdd(s11, x, y);
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7))),
              hn::Add(hn::Add(s8, s9), hn::Add(s10, s11)));
  result = hn::GetLane(hn::SumOfLanes(d, sum));
  return rounds * 12 * static_cast<std::int64_t>(hn::Lanes(d));
}

}  // namespace
}  // namespace land::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land::bench {
namespace {
HWY_EXPORT(SumOfExp);
HWY_EXPORT(MultiplyAdds);
}  // namespace

float sum_of_exp(std::span<const float> values) { return HWY_DYNAMIC_DISPATCH(SumOfExp)(values.data(), values.size()); }

std::int64_t multiply_adds(std::int64_t rounds, double& result) {
  return HWY_DYNAMIC_DISPATCH(MultiplyAdds)(rounds, result);
}

void byte_histogram(std::span<const std::uint8_t> bytes, std::array<std::uint32_t, 256>& counts) {
  std::uint32_t tables[4][256] = {};
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);  // one load for eight counts
    ++tables[0][word & 0xFFU];
    ++tables[1][word >> 8U & 0xFFU];
    ++tables[2][word >> 16U & 0xFFU];
    ++tables[3][word >> 24U & 0xFFU];
    ++tables[0][word >> 32U & 0xFFU];
    ++tables[1][word >> 40U & 0xFFU];
    ++tables[2][word >> 48U & 0xFFU];
    ++tables[3][word >> 56U];
  }
  for (; i < bytes.size(); ++i) ++tables[0][bytes[i]];
  for (std::size_t v = 0; v < counts.size(); ++v) counts[v] = tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
}

}  // namespace land::bench
#endif
