#include "land/methods/hsic_sets/pair_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/methods/hsic_sets/pair_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kPairLanes>;
using V = hn::Vec<D>;

// Squared distances of a feature's sample from others.
template <bool kCategories>
HWY_INLINE V squared(V one, V others, [[maybe_unused]] V apart) {
  if constexpr (kCategories) {
    return hn::IfThenZeroElse(hn::Eq(one, others), apart);
  } else {
    const V difference = hn::Sub(one, others);
    return hn::Mul(difference, difference);
  }
}

template <bool kCategories>
void add_rows(const PairRows& rows, const SetFeature& feature, double factor, std::size_t first, std::size_t last,
              double* distances) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V apart = hn::Set(d, feature.apart);
  const V by = hn::Set(d, factor);
  for (std::size_t i = first; i < last; ++i) {
    const V one = hn::Set(d, feature.values[i]);
    double* row = distances + rows.starts[i];
    for (std::size_t j = 0; j < i; j += lanes) {
      const V own = squared<kCategories>(one, hn::LoadU(d, feature.values + j), apart);
      hn::Store(hn::Add(hn::Load(d, row + j), hn::Mul(own, by)), d, row + j);
    }
  }
}

void AddDistances(const PairRows& rows, const SetFeature& feature, double factor, std::size_t first, std::size_t last,
                  double* distances) {
  if (feature.apart > 0.0) {
    add_rows<true>(rows, feature, factor, first, last, distances);
  } else {
    add_rows<false>(rows, feature, factor, first, last, distances);
  }
}

template <bool kCategories>
double sum_of_rows(const PairRows& rows, const double* weights, const SetFeature& feature) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V apart = hn::Set(d, feature.apart);
  double total = 0.0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(rows.samples); ++i) {
    const V one = hn::Set(d, feature.values[i]);
    const double* row = weights + rows.starts[i];
    V sum = hn::Zero(d);
    for (std::size_t j = 0; j < i; j += lanes) {
      const V own = squared<kCategories>(one, hn::LoadU(d, feature.values + j), apart);
      sum = hn::MulAdd(own, hn::Load(d, row + j), sum);
    }
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  return total;
}

double SumDistances(const PairRows& rows, const double* weights, const SetFeature& feature) {
  return feature.apart > 0.0 ? sum_of_rows<true>(rows, weights, feature) : sum_of_rows<false>(rows, weights, feature);
}

template <bool kCategories>
double sum_rows(const PairRows& rows, const double* distances, const double* weights, const SetFeature& feature,
                double sign, double rate) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V apart = hn::Set(d, feature.apart);
  const V by = hn::Set(d, sign);
  const V factor = hn::Set(d, -rate);
  const V lowest = hn::Set(d, -700.0);  // exp of it is 1e-304: as good as zero, and not subnormal
  double total = 0.0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(rows.samples); ++i) {
    const V one = hn::Set(d, feature.values[i]);
    const std::size_t start = rows.starts[i];
    V sum = hn::Zero(d);
    for (std::size_t j = 0; j < i; j += lanes) {
      const V own = squared<kCategories>(one, hn::LoadU(d, feature.values + j), apart);
      const V all = hn::MulAdd(own, by, hn::Load(d, distances + start + j));
      const V kernel = hn::Exp(d, hn::Max(hn::Mul(all, factor), lowest));
      sum = hn::MulAdd(kernel, hn::Load(d, weights + start + j), sum);
    }
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  return total;
}

double SumKernel(const PairRows& rows, const double* distances, const double* weights, const SetFeature& feature,
                 double sign, double rate) {
  return feature.apart > 0.0 ? sum_rows<true>(rows, distances, weights, feature, sign, rate)
                             : sum_rows<false>(rows, distances, weights, feature, sign, rate);
}

double SumOfKernel(const PairRows& rows, const double* distances, const double* weights, double rate, double* terms) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V factor = hn::Set(d, -rate);
  const V lowest = hn::Set(d, -700.0);
  double total = 0.0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(rows.samples); ++i) {
    V sum = hn::Zero(d);
    for (std::size_t j = rows.starts[i]; j < rows.starts[i + 1]; j += lanes) {
      const V kernel = hn::Exp(d, hn::Max(hn::Mul(hn::Load(d, distances + j), factor), lowest));
      const V term = hn::Mul(kernel, hn::Load(d, weights + j));
      if (terms != nullptr) hn::Store(term, d, terms + j);
      sum = hn::Add(sum, term);
    }
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  return total;
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {

HWY_EXPORT(AddDistances);
HWY_EXPORT(SumDistances);
HWY_EXPORT(SumKernel);
HWY_EXPORT(SumOfKernel);

PairRows::PairRows(std::int64_t sample_count) : samples(sample_count), starts(1, 0) {
  for (std::int64_t i = 0; i < samples; ++i) starts.push_back(starts.back() + static_cast<std::size_t>(padded(i)));
}

std::int64_t PairRows::bytes(std::int64_t samples) {
  return (samples * (samples - 1) / 2 + samples * kPairLanes / 2) * static_cast<std::int64_t>(sizeof(double));
}

void add_distances(const PairRows& rows, const SetFeature& feature, double factor, std::int64_t first,
                   std::int64_t last, std::span<double> distances) {
  HWY_DYNAMIC_DISPATCH(AddDistances)
  (rows, feature, factor, static_cast<std::size_t>(first), static_cast<std::size_t>(last), distances.data());
}

void add_distances(const PairRows& rows, const SetFeature& feature, double factor, std::span<double> distances) {
  add_distances(rows, feature, factor, 1, rows.samples, distances);
}

double sum_distances(const PairRows& rows, std::span<const double> weights, const SetFeature& feature) {
  return HWY_DYNAMIC_DISPATCH(SumDistances)(rows, weights.data(), feature);
}

double sum_kernel(const PairRows& rows, std::span<const double> distances, std::span<const double> weights,
                  const SetFeature& feature, double sign, double rate) {
  return HWY_DYNAMIC_DISPATCH(SumKernel)(rows, distances.data(), weights.data(), feature, sign, rate);
}

double sum_kernel(const PairRows& rows, std::span<const double> distances, std::span<const double> weights, double rate,
                  std::span<double> terms) {
  return HWY_DYNAMIC_DISPATCH(SumOfKernel)(rows, distances.data(), weights.data(), rate, terms.data());
}

}  // namespace land
#endif
