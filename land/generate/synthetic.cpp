#include "land/generate/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/generate/counter_random.h"

namespace land {

namespace {

// Streams that belong to no feature.
enum : std::uint64_t { kTargetNoise = std::uint64_t{1} << 62, kPlaces, kCountMeans };

void check_size(std::int64_t features, std::int64_t samples) {
  if (features < 1 || samples < 1) {
    throw InputError(fmt::format("a table of {} features x {} samples: ask for at least 1 of each", features, samples));
  }
  if (features > std::numeric_limits<std::int64_t>::max() / 16 / samples) {
    throw InputError(
        fmt::format("a table of {} features x {} samples is more than a file can hold", features, samples));
  }
}

std::vector<std::uint64_t> feature_keys(std::uint64_t seed, std::int64_t features) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(features));
  for (std::size_t j = 0; j < keys.size(); ++j) keys[j] = stream_key(seed, j);
  return keys;
}

// `count` different numbers below `limit`, in random order (Floyd's sampling, then a shuffle).
std::vector<std::int64_t> draw_places(std::int64_t count, std::int64_t limit, std::uint64_t key) {
  std::uint64_t turn = 0;
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random_bits(key, turn++) % static_cast<std::uint64_t>(bound));
  };
  std::unordered_set<std::int64_t> taken;
  std::vector<std::int64_t> places;
  for (std::int64_t top = limit - count; top < limit; ++top) {
    const std::int64_t place = below(top + 1);
    places.push_back(taken.insert(place).second ? place : top);
    taken.insert(places.back());
  }
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
  }
  return places;
}

void check_planted(const PlantedOptions& options) {
  check_size(options.features, options.samples);
  if (options.mean_shifts < 0 || options.variance_ratios < 0 || options.copies < 0) {
    throw InputError(fmt::format("{}, {} and {} must be 0 or above", option("mean-shifts"), option("variance-ratios"),
                                 option("copies")));
  }
  const std::int64_t planted = options.mean_shifts + options.variance_ratios;
  if (planted > options.features - options.copies || (options.copies == options.features)) {
    throw InputError(
        fmt::format("{} features have no room for {} mean shifts, {} variance ratios and {} copies: ask for more "
                    "{}, or for fewer {}, {} or {}",
                    options.features, options.mean_shifts, options.variance_ratios, options.copies, option("features"),
                    option("mean-shifts"), option("variance-ratios"), option("copies")));
  }
  if (options.classes == 1 || options.classes < 0 || options.classes > options.samples) {
    throw InputError(fmt::format("{}: ask for 2 up to the number of samples, {}, or for {}",
                                 option("classes", options.classes), options.samples, option("regression")));
  }
  // Numbers of a table stay below 10^8: they are float32, and counts go through int32.
  constexpr double kMost = 1e6;
  if (!(std::abs(options.shift) <= kMost)) {
    throw InputError(fmt::format("{}: must be a number of at most {}", option("shift", options.shift), kMost));
  }
  if (!(options.ratio > 0.0) || !(options.ratio <= kMost)) {
    throw InputError(
        fmt::format("{}: a ratio of variances is above 0, and here at most {}", option("ratio", options.ratio), kMost));
  }
  if (!(options.copy_noise >= 0.0) || !(options.copy_noise <= kMost)) {
    throw InputError(fmt::format("{}: must be a number from 0 to {}", option("copy-noise", options.copy_noise), kMost));
  }
}

}  // namespace

SyntheticTable::SyntheticTable(const PaperOptions& options)
    : samples_(options.samples), seed_(options.seed), paper_(true), copy_noise_(0.01) {
  check_size(options.features, options.samples);
  if (options.features < 6 || options.features % 2 != 0) {
    throw InputError(
        fmt::format("the paper's data with {} features: half of them are copies, ask for an even number of "
                    "at least 6",
                    options.features));
  }
  keys_ = feature_keys(seed_, options.features);
  noise_key_ = stream_key(seed_, kTargetNoise);
  linear_ = {2};
  nonlinear_ = {0, 1};
  const std::int64_t half = options.features / 2;
  for (std::int64_t j = 0; j < half; ++j) copies_.emplace_back(half + j, j);
}

SyntheticTable::SyntheticTable(const PlantedOptions& options)
    : samples_(options.samples),
      seed_(options.seed),
      classes_(options.classes),
      shift_(options.shift),
      ratio_(options.ratio),
      copy_noise_(options.copy_noise) {
  check_planted(options);
  keys_ = feature_keys(seed_, options.features);
  noise_key_ = stream_key(seed_, kTargetNoise);
  const std::int64_t originals = options.features - options.copies;
  std::vector<std::int64_t> places =
      draw_places(options.mean_shifts + options.variance_ratios, originals, stream_key(seed_, kPlaces));
  for (std::int64_t t = 0; t < options.copies; ++t) {
    const std::int64_t of = places.empty() ? t % originals : places[static_cast<std::size_t>(t) % places.size()];
    copies_.emplace_back(originals + t, of);
  }
  linear_.assign(places.begin(), places.begin() + options.mean_shifts);
  nonlinear_.assign(places.begin() + options.mean_shifts, places.end());
  std::sort(linear_.begin(), linear_.end());
  std::sort(nonlinear_.begin(), nonlinear_.end());
  if (options.counts) {
    const std::uint64_t key = stream_key(seed_, kCountMeans);
    for (std::uint64_t j = 0; j < keys_.size(); ++j) {
      count_means_.push_back(static_cast<float>(0.5 * std::exp2(7.0 * random_uniform(key, j))));
    }
    for (const auto& [copy, of] : copies_) {
      count_means_[static_cast<std::size_t>(copy)] = count_means_[static_cast<std::size_t>(of)];
    }
  }
}

float SyntheticTable::normal(std::int64_t feature, std::int64_t sample) const {
  return static_cast<float>(
      random_normal(keys_[static_cast<std::size_t>(feature)], static_cast<std::uint64_t>(sample)));
}

void SyntheticTable::column(std::int64_t feature, std::int64_t first, std::span<float> out) const {
  const std::int64_t originals = features() - std::ssize(copies_);
  original(feature, first, out);
  if (feature >= originals) {
    // The copy's own numbers are the noise.
    std::vector<float> copied(out.size());
    original(copies_[static_cast<std::size_t>(feature - originals)].second, first, copied);
    const auto noise = static_cast<float>(copy_noise_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = copied[i] + noise * out[i];
  }
  if (counts()) {
    const float mean = count_means_[static_cast<std::size_t>(feature)];
    const float deviation = std::sqrt(mean);
    // What is negative becomes 0, rounded either way.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    for (float& x : out) x = static_cast<float>(std::clamp(static_cast<int>(mean + deviation * x + 0.5f), 0, 255));
  }
}

void SyntheticTable::original(std::int64_t feature, std::int64_t first, std::span<float> out) const {
  random_normals(keys_[static_cast<std::size_t>(feature)], static_cast<std::uint64_t>(first), out);
  if (classes_ > 0) plant(feature, first, out);
}

void SyntheticTable::plant(std::int64_t feature, std::int64_t first, std::span<float> out) const {
  const auto change = [&](const std::vector<std::int64_t>& planted, const auto& apply) {
    const auto found = std::lower_bound(planted.begin(), planted.end(), feature);
    if (found == planted.end() || *found != feature) return;
    const std::int64_t label = 1 + (found - planted.begin()) % (classes_ - 1);
    for (std::int64_t i = (label + classes_ - first % classes_) % classes_; i < std::ssize(out); i += classes_) {
      apply(out[static_cast<std::size_t>(i)]);
    }
  };
  change(linear_, [shift = static_cast<float>(shift_)](float& x) { x += shift; });
  change(nonlinear_, [scale = static_cast<float>(std::sqrt(ratio_))](float& x) { x *= scale; });
}

double SyntheticTable::target(std::int64_t sample) const {
  if (classes_ > 0) return static_cast<double>(sample % classes_);
  const double noise = random_normal(noise_key_, static_cast<std::uint64_t>(sample));
  if (paper_) {
    const double x1 = normal(0, sample), x2 = normal(1, sample), x3 = normal(2, sample);
    return x1 * std::exp(x2) + x3 + 0.1 * noise;
  }
  double y = noise;
  for (const std::int64_t feature : linear_) y += shift_ * normal(feature, sample);
  for (std::size_t t = 0; t < nonlinear_.size(); ++t) {
    const double x = normal(nonlinear_[t], sample);
    y += (ratio_ - 1.0) * (t % 2 == 0 ? std::sin(2.0 * x) : x * x - 1.0);
  }
  return y;
}

}  // namespace land
