// Which features may correlate with a residual as strongly as lambda.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "land/base/feature_id.h"
#include "land/methods/linear/residual_screen.h"
#include "land/methods/linear/responses.h"
#include "land/methods/method.h"

namespace land {

// For unit columns x of n samples and a residual R, one column or several, c = ||x'R|| / n.
class CorrelationScreen {
 public:
  // One pass over the features that are not constant. Keeps a float32 copy of their columns if memory allows; if not,
  // features are visited again.
  CorrelationScreen(const Setting& setting, const Responses& responses);
  CorrelationScreen(const CorrelationScreen&) = delete;
  CorrelationScreen& operator=(const CorrelationScreen&) = delete;

  std::span<const FeatureId> features() const { return features_; }
  double largest() const { return largest_; }  // c with the responses themselves, of all features

  // The features, ascending, of which c with this residual may be `level` or more.
  std::vector<FeatureId> reaching(std::span<const double> residual, double level);

 private:
  void by_copy(std::span<const std::size_t> features, std::span<const double> residual, std::span<double> bound) const;
  void by_visit(std::span<const std::size_t> features, std::span<const double> residual, std::span<double> bound) const;

  const Setting& setting_;
  std::int64_t samples_;
  std::int64_t columns_;
  std::vector<FeatureId> features_;
  double largest_ = 0.0;
  std::int64_t stride_;      // of a column in the copy
  std::vector<float> copy_;  // empty: there is none
  std::optional<ResidualScreen> screen_;
};

}  // namespace land
