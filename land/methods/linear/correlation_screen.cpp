#include "land/methods/linear/correlation_screen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

constexpr std::int64_t kLanes = 16;
constexpr std::int64_t kTogether = 1024;  // products summed in float32, in kLanes lanes
constexpr std::size_t kItem = 256;        // features that a thread takes at a time
constexpr double kRounding = 1e-14;       // of c in double, relative to the residual's size: ample

// A sum of products of floats of relative error 2^-24 each: those of both factors, the product, kTogether / kLanes sums
// in a lane and four across lanes. With a margin.
constexpr std::int64_t kRoundings = kTogether / kLanes + 16;
constexpr double kFloatRounding = static_cast<double>(kRoundings) * 0x1p-24;

float dot_of_run(const float* a, const float* b, std::int64_t count) {
  std::array<float, kLanes> lanes{};
  for (std::int64_t i = 0; i < count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  }
  for (std::int64_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::int64_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

double dot_of_floats(const float* a, const float* b, std::int64_t count) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < count; i += kTogether) sum += dot_of_run(a + i, b + i, std::min(kTogether, count - i));
  return sum;
}

// ||x'R|| / n.
double correlation(std::span<const double> column, std::span<const double> residual) {
  const std::size_t n = column.size();
  double squares = 0.0;
  for (std::size_t first = 0; first < residual.size(); first += n) {
    const double product = dot(column, residual.subspan(first, n)) / static_cast<double>(n);
    squares += product * product;
  }
  return std::sqrt(squares);
}

}  // namespace

CorrelationScreen::CorrelationScreen(const Setting& setting, const Responses& responses)
    : setting_(setting),
      samples_(responses.samples),
      columns_(responses.columns),
      stride_((responses.samples + kLanes - 1) / kLanes * kLanes) {
  for (std::size_t k = 0; k < setting.bounds.size(); ++k) {
    if (setting.bounds[k] >= 0.0) features_.push_back(static_cast<FeatureId>(k));
  }
  const auto bytes = std::ssize(features_) * stride_ * static_cast<std::int64_t>(sizeof(float));
  if (bytes <= setting.memory) copy_.resize(features_.size() * static_cast<std::size_t>(stride_));
  std::vector<double> bound(features_.size());
  setting.engine.visit(features_, [&](std::size_t position, const FeatureView& feature) {
    static thread_local std::vector<double> column;
    column.resize(static_cast<std::size_t>(samples_));
    unit_column(feature, column);
    bound[position] = correlation(column, responses.values);
    if (copy_.empty()) return;
    float* const to = copy_.data() + static_cast<std::int64_t>(position) * stride_;
    for (std::int64_t i = 0; i < samples_; ++i) to[i] = static_cast<float>(column[static_cast<std::size_t>(i)]);
  });
  for (const double c : bound) largest_ = std::max(largest_, c);
  screen_.emplace(
      samples_, std::move(bound), responses.values,
      [this](std::span<const std::size_t> features, std::span<const double> residual, std::span<double> to) {
        if (copy_.empty()) {
          by_visit(features, residual, to);
        } else {
          by_copy(features, residual, to);
        }
      });
}

std::vector<FeatureId> CorrelationScreen::reaching(std::span<const double> residual, double level) {
  std::vector<FeatureId> ids;
  for (const ResidualScreen::Reached& one : screen_->reaching(residual, level)) ids.push_back(features_[one.feature]);
  return ids;
}

void CorrelationScreen::by_copy(std::span<const std::size_t> features, std::span<const double> residual,
                                std::span<double> bound) const {
  std::vector<float> rounded(static_cast<std::size_t>(columns_ * stride_));
  for (std::int64_t c = 0; c < columns_; ++c) {
    for (std::int64_t i = 0; i < samples_; ++i) {
      rounded[static_cast<std::size_t>(c * stride_ + i)] =
          static_cast<float>(residual[static_cast<std::size_t>(c * samples_ + i)]);
    }
  }
  const auto n = static_cast<double>(samples_);
  const double error = kFloatRounding * norm(residual) / std::sqrt(n) + std::numeric_limits<float>::min();
  const std::size_t items = (features.size() + kItem - 1) / kItem;
  setting_.pool.run(static_cast<std::int64_t>(items), [&](std::int64_t item, int) {
    setting_.context.check_stop();
    const std::size_t first = static_cast<std::size_t>(item) * kItem;
    for (std::size_t t = first; t < std::min(first + kItem, features.size()); ++t) {
      const float* const column = copy_.data() + static_cast<std::int64_t>(features[t]) * stride_;
      double squares = 0.0;
      for (std::int64_t c = 0; c < columns_; ++c) {
        const double product = dot_of_floats(column, rounded.data() + c * stride_, stride_) / n;
        squares += product * product;
      }
      bound[t] = std::sqrt(squares) + error;
    }
  });
}

void CorrelationScreen::by_visit(std::span<const std::size_t> features, std::span<const double> residual,
                                 std::span<double> bound) const {
  std::vector<FeatureId> ids;
  for (const std::size_t k : features) ids.push_back(features_[k]);
  const double error = kRounding * norm(residual) / std::sqrt(static_cast<double>(samples_));
  setting_.engine.visit(ids, [&](std::size_t at, const FeatureView& feature) {
    static thread_local std::vector<double> column;
    column.resize(static_cast<std::size_t>(samples_));
    unit_column(feature, column);
    bound[at] = correlation(column, residual) + error;
  });
}

}  // namespace land
