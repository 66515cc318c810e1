#include "land/kernels/value_sums.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/value_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 4;
using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;

// The sum of term(value) in four lanes; what is left over goes to the first.
template <class Term>
HWY_INLINE double sum_of(const double* values, std::size_t count, const Term& term) {
  const D d;
  HWY_ALIGN double parts[kLanes] = {0.0, 0.0, 0.0, 0.0};
  const std::size_t whole = count / kLanes * kLanes;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    V sum = hn::Zero(d);
    for (std::size_t i = lane; i < whole; i += kLanes) sum = hn::Add(sum, term(hn::LoadU(d, values + i)));
    hn::StoreU(sum, d, parts + lane);
  }
  HWY_ALIGN double last[kLanes];
  for (std::size_t i = whole; i < count; ++i) {
    hn::StoreU(term(hn::Set(d, values[i])), d, last);
    parts[0] += last[0];
  }
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
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
  V low = hn::Set(d, values[0]);
  V high = low;
  auto missing = hn::IsNaN(low);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const V x = hn::LoadU(d, values + i);
    low = hn::Min(low, x);
    high = hn::Max(high, x);
    missing = hn::Or(missing, hn::IsNaN(x));
  }
  HWY_ALIGN double parts[2][kLanes];
  hn::StoreU(low, d, parts[0]);
  hn::StoreU(high, d, parts[1]);
  range = {values[0], values[0], !hn::AllFalse(d, missing)};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    range.low = std::min(range.low, parts[0][lane]);
    range.high = std::max(range.high, parts[1][lane]);
  }
  for (; i < count; ++i) {
    range.low = std::min(range.low, values[i]);
    range.high = std::max(range.high, values[i]);
    range.missing = range.missing || values[i] != values[i];
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
