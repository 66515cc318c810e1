// f and R from dense arrays, with low stages that are random fractions of R, counting what was asked for.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "tests/path/problems.h"

namespace land::testing {

inline double hashed_uniform(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1.0p-53;
}

class FakeOracle : public PairOracle {
 public:
  // Stage s < stages is R times a random number in [lowest, 1], rising with s.
  explicit FakeOracle(Problem problem, int stages = 3, std::uint64_t seed = 1, double lowest = 0.0)
      : problem_(std::move(problem)), stages_(stages), seed_(seed), lowest_(lowest) {}

  int stages() const override { return stages_; }

  void prepare(std::span<const FeatureId> features) override {
    for (const FeatureId k : features) check(k);
  }

  void evaluate(std::span<const PairRequest> requests, std::span<double> out) override {
    ASSERT_EQ(requests.size(), out.size());
    ++calls_;
    for (std::size_t t = 0; t < requests.size(); ++t) {
      const auto [k, i, stage] = requests[t];
      check(k);
      if (i == kTarget) {
        ASSERT_EQ(stage, stages_);
        out[t] = problem_.f[k];
        ++relevances_;
        continue;
      }
      check(i);
      ASSERT_TRUE(stage >= 1 && stage <= stages_);
      ASSERT_TRUE(k != i || stage == stages_);
      out[t] = value(k, i, stage);
      if (k == i) continue;
      ++evaluations_;
      if (stage == stages_) ++full_;
      repeated_ += !asked_.insert({std::min(k, i), std::max(k, i), stage}).second;
    }
  }

  double value(FeatureId k, FeatureId i, int stage) const {
    const auto pair = static_cast<std::uint64_t>(std::min(k, i) * problem_.size() + std::max(k, i));
    const double low = lowest_ + (1.0 - lowest_) * hashed_uniform(seed_ * 1000003 + pair);
    const double part = stages_ > 1 ? static_cast<double>(stage - 1) / (stages_ - 1) : 1.0;
    return stage == stages_ ? problem_.r(k, i) : problem_.r(k, i) * (low + (1.0 - low) * part);
  }

  // Upper bounds of f: it is exceeded by up to `slack` of itself.
  std::vector<double> bounds(double slack) const {
    std::vector<double> bound(problem_.size());
    for (std::int64_t k = 0; k < problem_.size(); ++k) {
      bound[k] = problem_.f[k] * (1.0 + slack * hashed_uniform(seed_ * 7919 + static_cast<std::uint64_t>(k)));
    }
    return bound;
  }

  Problem& problem() { return problem_; }
  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t full() const { return full_; }
  std::int64_t relevances() const { return relevances_; }
  std::int64_t calls() const { return calls_; }
  std::int64_t repeated() const { return repeated_; }

 private:
  void check(FeatureId k) const { ASSERT_TRUE(k >= 0 && k < problem_.size()) << k; }

  Problem problem_;
  int stages_;
  std::uint64_t seed_;
  double lowest_;
  std::int64_t evaluations_ = 0;
  std::int64_t full_ = 0;
  std::int64_t relevances_ = 0;
  std::int64_t calls_ = 0;
  std::int64_t repeated_ = 0;
  std::set<std::tuple<FeatureId, FeatureId, int>> asked_;
};

}  // namespace land::testing
