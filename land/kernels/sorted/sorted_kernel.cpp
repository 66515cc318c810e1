#include "land/kernels/sorted/sorted_kernel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "land/kernels/points/filled_values.h"
#include "land/kernels/points/rank_scores.h"
#include "land/kernels/sorted/row_sums.h"
#include "land/kernels/sorted/sort_samples.h"
#include "land/kernels/sorted/windows.h"

namespace land {
namespace {

// Values, and the samples that have one, by value.
struct Sorted {
  std::vector<double> values;
  std::vector<std::int32_t> order;
};

// A power of two near the inverse of the range, with which no square over- or underflows; multiplying by it is exact.
double power_of(const Sorted& sorted) {
  const double low = sorted.values[static_cast<std::size_t>(sorted.order.front())];
  const double high = sorted.values[static_cast<std::size_t>(sorted.order.back())];
  return std::ldexp(1.0, std::clamp(-std::ilogb(0.5 * high - 0.5 * low), -1000, 1000));
}

// Distances from the median, or from the mean, in standard deviations times `width`.
std::vector<double> distances(const Sorted& sorted, bool from_mean, double width) {
  const double power = power_of(sorted);
  const std::size_t count = sorted.order.size();
  const double median = sorted.values[static_cast<std::size_t>(sorted.order[count / 2])] * power;
  std::vector<double> from(count);
  for (std::size_t t = 0; t < count; ++t) {
    from[t] = sorted.values[static_cast<std::size_t>(sorted.order[t])] * power - median;
  }
  double mean = 0.0;
  for (const double x : from) mean += x;
  mean /= static_cast<double>(count);
  double squares = 0.0;
  for (const double x : from) squares += (x - mean) * (x - mean);
  const double unit = std::sqrt(squares / static_cast<double>(count)) * width;
  for (double& x : from) x = (from_mean ? x - mean : x) / unit;
  return from;
}

class Builder {
 public:
  Builder(bool decays, std::int64_t samples) {
    kernel_.decays = decays;
    kernel_.samples = samples;
    kernel_.places.resize(static_cast<std::size_t>(samples));
    kernel_.order.reserve(static_cast<std::size_t>(samples));
  }

  // A sample on the ray that is being made, farther out than those before, or as far.
  void add(std::int32_t sample, double distance) {
    SortedKernel::Place& place = kernel_.places[static_cast<std::size_t>(sample)];
    place.rank = static_cast<std::int32_t>(kernel_.order.size());
    kernel_.order.push_back(sample);
    if (distance != last_) {
      latest_ = place_at(distance);
      last_ = distance;
    }
    place.reach = latest_.reach;
    place.up = latest_.up;
    place.down = latest_.down;
    place.window = latest_.window;
  }

  // A sample that is infinitely far, or half a standard deviation where kernels do not decay: K'_ii is 2, or 1, and
  // there is nothing between it and other rays.
  void add_far(std::int32_t sample) {
    SortedKernel::Place& place = kernel_.places[static_cast<std::size_t>(sample)];
    place.rank = static_cast<std::int32_t>(kernel_.order.size());
    place.reach = kernel_.decays ? 1.0 : 0.5;
    kernel_.order.push_back(sample);
  }

  // All that are on the ray are infinitely far from the reference.
  void set_far() {
    for (const std::int32_t sample : kernel_.order) kernel_.places[static_cast<std::size_t>(sample)].reach = 1.0;
  }

  void end_ray() {
    kernel_.begins[++ray_] = static_cast<std::int32_t>(kernel_.order.size());
    last_ = -1.0;
  }

  SortedKernel finish(std::vector<std::uint8_t> left_out, Measure measure) {
    while (ray_ < SortedKernel::kRays) end_ray();
    kernel_.members = kernel_.samples - std::count(left_out.begin(), left_out.end(), 1);
    kernel_.left_out = std::move(left_out);
    kernel_.rows.resize(kernel_.places.size());
    row_sums(kernel_, {}, kernel_.rows);
    double squares = 0.0;
    for (const double row : kernel_.rows) {
      kernel_.total += row;
      squares += row * row;
    }
    const auto members = static_cast<double>(kernel_.members);
    const double mean = kernel_.total / members;
    const double square = sum_of_squares(kernel_) - 2.0 * squares / members + mean * mean;
    kernel_.norm = std::sqrt(std::max(square, 0.0));
    kernel_.scale = kernel_scale(measure, kernel_.norm, static_cast<double>(kernel_.samples));
    return std::move(kernel_);
  }

 private:
  SortedKernel::Place place_at(double distance) const {
    SortedKernel::Place place;
    if (!kernel_.decays) {
      place.reach = distance;
      return place;
    }
    // Where a kernel is near 1, what it lacks of that counts, and elsewhere the kernel.
    constexpr double kNear = 0.5;
    if (distance < kNear) {
      place.reach = -std::expm1(-distance);
      place.down = 1.0 - place.reach;
    } else {
      place.window = static_cast<std::int32_t>(distance / kWindow);
      place.down = std::exp(kWindow * place.window - distance);
      place.reach = 1.0 - place.down * shrunk(place.window);
    }
    place.up = 1.0 / place.down;
    return place;
  }

  SortedKernel kernel_;
  std::size_t ray_ = 0;
  double last_ = -1.0;
  SortedKernel::Place latest_;
};

SortedKernel build(const Sorted& sorted, const KernelOptions& options) {
  const bool decays = options.family == KernelFamily::kLaplace;
  const auto samples = std::ssize(sorted.values);
  const auto observed = std::ssize(sorted.order);
  const bool has_gaps = observed < samples;
  const bool has_level = has_gaps && options.missing == Missing::kLevel;
  // Where the missing values are most, the reference is theirs.
  const bool mostly_missing = decays && has_level && 2 * observed < samples;
  const std::vector<double> from = distances(sorted, has_level && !decays, decays ? options.sigma.front() : 1.0);
  Builder builder(decays, samples);
  if (mostly_missing) {
    for (std::size_t t = 0; t < from.size(); ++t) builder.add(sorted.order[t], from[t] - from[0]);
    builder.set_far();
    return builder.finish({}, options.measure);
  }
  const auto zero = std::lower_bound(from.begin(), from.end(), 0.0) - from.begin();
  for (auto t = static_cast<std::size_t>(zero); t-- > 0;) builder.add(sorted.order[t], -from[t]);
  builder.end_ray();
  for (auto t = static_cast<std::size_t>(std::upper_bound(from.begin(), from.end(), 0.0) - from.begin());
       t < from.size(); ++t) {
    builder.add(sorted.order[t], from[t]);
  }
  builder.end_ray();
  std::vector<std::uint8_t> left_out;
  if (has_gaps && !has_level) left_out.assign(sorted.values.size(), 0);
  for (std::size_t i = 0; has_gaps && i < sorted.values.size(); ++i) {
    if (!std::isnan(sorted.values[i])) continue;
    if (has_level) {
      builder.add_far(static_cast<std::int32_t>(i));
    } else {
      left_out[i] = 1;
    }
  }
  return builder.finish(std::move(left_out), options.measure);
}

}  // namespace

std::int64_t SortedKernel::bytes() const {
  return static_cast<std::int64_t>(order.size() * sizeof(std::int32_t) + places.size() * sizeof(Place) +
                                   rows.size() * sizeof(double) + left_out.size());
}

std::int64_t sorted_kernel_bytes(std::int64_t samples) {
  return samples * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(SortedKernel::Place) + sizeof(double));
}

SortedKernel sorted_kernel(const FeatureView& feature, const KernelOptions& options) {
  FilledValues filled = filled_values(feature, options.missing, options.transform);
  Sorted sorted{std::move(filled.values), {}};
  if (is_coded(feature.header->encoding) && options.transform == Transform::kNone) {
    sort_codes(feature, filled.imputed, sorted.order);
  } else {
    sort_samples(sorted.values, sorted.order);
  }
  return build(sorted, options);
}

SortedKernel sorted_kernel(const std::vector<double>& values, const KernelOptions& options) {
  Sorted sorted{values, {}};
  if (options.transform == Transform::kRank) rank_scores(sorted.values);
  sort_samples(sorted.values, sorted.order);
  return build(sorted, options);
}

}  // namespace land
