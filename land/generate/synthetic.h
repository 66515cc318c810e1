// Tables with known signals in them, for demonstrations, tests and benchmarks. Every value is a function of
// (seed, feature, sample): any part of a table can be made by itself, and is the same.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace land {

// The synthetic data of the paper: X ~ N(0, 1), Y = X1 exp(X2) + X3 + 0.1 E. The second half of the features are near
// copies of the first half, x + 0.01 noise.
struct PaperOptions {
  std::int64_t features = 2000;
  std::int64_t samples = 300;
  std::uint64_t seed = 1;
};

// Noise with planted signals. The features are N(0, 1), or counts: round(mu + sqrt(mu) x), at least 0, with one mu for
// each feature, 0.5 .. 64 (3 to about 64 distinct values).
//
// Classes: sample i is of class i mod C. Planted feature t carries its signal in class 1 + t mod (C - 1), where its
// mean is moved by `shift` or its variance multiplied by `ratio`. Regression (classes = 0): y = shift * (sum of the
// linear features) + (ratio - 1) * (sum of sin(2 x) and x^2 - 1 in turn over the nonlinear ones) + E, E ~ N(0, 1). The
// last `copies` features are near copies, x + copy_noise * noise, of the planted ones in turn (of the first features,
// if none is planted). Planted features stand at places drawn by the seed.
struct PlantedOptions {
  std::int64_t features = 0;
  std::int64_t samples = 0;
  bool counts = false;
  std::int64_t classes = 2;
  std::int64_t mean_shifts = 15;
  double shift = 0.8;
  std::int64_t variance_ratios = 15;
  double ratio = 2.0;
  std::int64_t copies = 0;
  double copy_noise = 0.01;
  std::uint64_t seed = 1;
};

// Memory: 8 bytes a feature (12 for counts).
class SyntheticTable {
 public:
  // Throw InputError on sizes that cannot be: no room for what is planted, fewer samples than classes.
  explicit SyntheticTable(const PaperOptions& options);
  explicit SyntheticTable(const PlantedOptions& options);

  std::int64_t features() const { return static_cast<std::int64_t>(keys_.size()); }
  std::int64_t samples() const { return samples_; }
  std::uint64_t seed() const { return seed_; }
  bool counts() const { return !count_means_.empty(); }  // every value is a whole number, 0 .. 255
  std::int64_t classes() const { return classes_; }      // 0: a numeric target

  // A feature of samples first, first + 1, ...: as many as `out` has elements. Thread-safe.
  void column(std::int64_t feature, std::int64_t first, std::span<float> out) const;
  // Its class, or its number.
  double target(std::int64_t sample) const;

  // What was planted, ascending; a copy is (feature, the one it was copied from).
  const std::vector<std::int64_t>& linear() const { return linear_; }
  const std::vector<std::int64_t>& nonlinear() const { return nonlinear_; }
  const std::vector<std::pair<std::int64_t, std::int64_t>>& copies() const { return copies_; }

 private:
  float normal(std::int64_t feature, std::int64_t sample) const;
  // Before numbers become counts, and before copies are made.
  void original(std::int64_t feature, std::int64_t first, std::span<float> out) const;
  void plant(std::int64_t feature, std::int64_t first, std::span<float> out) const;

  std::vector<std::uint64_t> keys_;  // the random stream of every feature
  std::uint64_t noise_key_ = 0;      // and of the target's noise
  std::int64_t samples_ = 0;
  std::uint64_t seed_ = 0;
  bool paper_ = false;
  std::int64_t classes_ = 0;
  double shift_ = 0.0;
  double ratio_ = 1.0;
  double copy_noise_ = 0.0;
  std::vector<float> count_means_;
  std::vector<std::int64_t> linear_;
  std::vector<std::int64_t> nonlinear_;
  std::vector<std::pair<std::int64_t, std::int64_t>> copies_;
};

}  // namespace land
