#include "land/kernels/scoring/value_sums.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/scoring/value_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 16;
using D = hn::CappedTag<double, kLanes / 2>;
using V = hn::Vec<D>;
constexpr std::size_t kVectors = kLanes / hn::MaxLanes(D());  // two at least, so that none waits for the one before

// The sum of term(value) in kLanes lanes; what is left over goes to the first.
template <class Term>
HWY_INLINE double sum_of(const double* values, std::size_t count, const Term& term) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count / kLanes * kLanes;
  V sums[kVectors];
  for (V& sum : sums) sum = hn::Zero(d);
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v] = hn::Add(sums[v], term(hn::LoadU(d, values + i + v * lanes)));
    }
  }
  HWY_ALIGN double parts[kLanes];
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, parts + v * lanes);
  HWY_ALIGN double last[kLanes / 2];
  for (std::size_t i = whole; i < count; ++i) {
    hn::StoreU(term(hn::Set(d, values[i])), d, last);
    parts[0] += last[0];
  }
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
  }
  return parts[0];
}

double ScaledSum(const double* values, std::size_t count, double power) {
  const V factor = hn::Set(D(), power);
  return sum_of(values, count, [&](V x) HWY_ATTR { return hn::Mul(x, factor); });
}

double ScaledSquares(const double* values, std::size_t count, double power, double mean) {
  const V factor = hn::Set(D(), power);
  const V centre = hn::Set(D(), mean);
  return sum_of(values, count, [&](V x) HWY_ATTR {
    const V centred = hn::Sub(hn::Mul(x, factor), centre);
    return hn::Mul(centred, centred);
  });
}

void ScaleValues(const double* values, std::size_t count, double power, double mean, double inverse, double* to) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V factor = hn::Set(d, power);
  const V centre = hn::Set(d, mean);
  const V scale = hn::Set(d, inverse);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::Mul(hn::Sub(hn::Mul(hn::LoadU(d, values + i), factor), centre), scale), d, to + i);
  }
  for (; i < count; ++i) to[i] = (values[i] * power - mean) * inverse;
}

void RangeOf(const double* values, std::size_t count, ValueRange& range) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V low[2];
  V high[2];
  low[0] = low[1] = high[0] = high[1] = hn::Set(d, values[0]);
  auto missing = hn::IsNaN(low[0]);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const V x = hn::LoadU(d, values + i);
    const V y = hn::LoadU(d, values + i + lanes);
    low[0] = hn::Min(low[0], x);
    low[1] = hn::Min(low[1], y);
    high[0] = hn::Max(high[0], x);
    high[1] = hn::Max(high[1], y);
    missing = hn::Or(missing, hn::Or(hn::IsNaN(x), hn::IsNaN(y)));
  }
  HWY_ALIGN double parts[2][kLanes / 2];
  hn::StoreU(hn::Min(low[0], low[1]), d, parts[0]);
  hn::StoreU(hn::Max(high[0], high[1]), d, parts[1]);
  range = {values[0], values[0], !hn::AllFalse(d, missing)};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    range.low = std::min(range.low, parts[0][lane]);
    range.high = std::max(range.high, parts[1][lane]);
  }
  for (; i < count; ++i) {
    range.low = std::min(range.low, values[i]);
    range.high = std::max(range.high, values[i]);
    range.missing = range.missing || std::isnan(values[i]);
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(ScaledSum);
HWY_EXPORT(ScaledSquares);
HWY_EXPORT(ScaleValues);
HWY_EXPORT(RangeOf);
}  // namespace

ValueRange range_of(std::span<const double> values) {
  ValueRange range;
  HWY_DYNAMIC_DISPATCH(RangeOf)(values.data(), values.size(), range);
  return range;
}

double scaled_sum(std::span<const double> values, double power) {
  return HWY_DYNAMIC_DISPATCH(ScaledSum)(values.data(), values.size(), power);
}

double scaled_squares(std::span<const double> values, double power, double mean) {
  return HWY_DYNAMIC_DISPATCH(ScaledSquares)(values.data(), values.size(), power, mean);
}

void scale_values(std::span<const double> values, double power, double mean, double inverse, double* to) {
  HWY_DYNAMIC_DISPATCH(ScaleValues)(values.data(), values.size(), power, mean, inverse, to);
}

}  // namespace land
#endif
