#include "land/methods/hsfs/hsfs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "land/base/checksum.h"
#include "land/methods/chosen.h"
#include "land/methods/hsfs/box_minimiser.h"
#include "land/methods/hsfs/weighted_hsic.h"

namespace land {
namespace {

constexpr double kCounts = 1e-3;         // of the largest weight, above which one counts
constexpr double kLargestLambda = 10.0;  // of the largest slope of HSIC at equal weights
constexpr double kLeastLambda = 1e-5;    // likewise
constexpr int kBisections = 12;
constexpr int kDraws = 3;
constexpr double kEvaluations = 400.0;  // about, in all
constexpr std::uint64_t kSeed = 0x48534653;

class Search {
 public:
  Search(const Setting& setting, const SetPoints& points) : setting_(setting), points_(points), hsic_(setting, points) {
    wanted_ = std::min(setting.options.features, points.count());
    const std::vector<double> start = equal();
    std::vector<double> slopes(start.size());
    hsic_.evaluate(start, slopes);
    for (const double slope : slopes) unit_ = std::max(unit_, std::abs(slope));
    if (unit_ == 0.0) unit_ = 1.0;
  }

  double unit() const { return unit_; }
  std::int64_t evaluations() const { return evaluations_; }

  std::vector<double> equal() const { return scaled(std::vector<double>(size(), 1.0)); }

  std::vector<double> by_relevance(std::vector<double> f) const {
    for (double& value : f) value = std::max(value, 0.0);
    return scaled(std::move(f));
  }

  std::vector<double> drawn(int draw) const {
    std::vector<double> weights;
    const std::uint64_t stream = mix(mix(kSeed) ^ static_cast<std::uint64_t>(draw));
    for (std::int64_t k = 0; k < points_.count(); ++k) {
      const std::uint64_t bits = mix(stream ^ static_cast<std::uint64_t>(points_.id(k)));
      weights.push_back((static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53);
    }
    return scaled(std::move(weights));
  }

  // lambda, and the objective, in units of unit().
  BoxMinimum from(std::vector<double> start, double lambda) {
    const SmoothFunction function = [&](std::span<const double> x, std::span<double> gradient) {
      const double value = hsic_.evaluate(x, gradient);
      for (double& slope : gradient) slope = lambda - slope / unit_;
      return lambda * std::accumulate(x.begin(), x.end(), 0.0) - value / unit_;
    };
    BoxOptions options;
    options.violation = 1e-5;
    options.progress = 1e-7;
    options.steps = 60;
    BoxMinimum found = minimise_in_box(function, std::move(start), options);
    evaluations_ += found.evaluations;
    return found;
  }

  std::vector<double> slopes(const std::vector<double>& weights) { return hsic_.slopes(weights); }

  bool has_enough(const std::vector<double>& weights) const {
    const double largest = *std::max_element(weights.begin(), weights.end());
    const auto counted = std::count_if(weights.begin(), weights.end(),
                                       [&](double weight) { return weight > kCounts * largest && weight > 0.0; });
    return counted >= wanted_;
  }

  double find_lambda() {
    double low = kLeastLambda;
    double high = kLargestLambda;
    for (int step = 0; step < kBisections; ++step) {
      setting_.context.report("finding lambda", step, kBisections);
      const double middle = std::sqrt(low * high);
      (has_enough(from(equal(), middle).x) ? low : high) = middle;
    }
    return low;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(points_.count()); }

  // The sum of squares is m, unless some are at 1 then.
  std::vector<double> scaled(std::vector<double> weights) const {
    double squares = 0.0;
    for (const double weight : weights) squares += weight * weight;
    const double factor = squares > 0.0 ? std::sqrt(static_cast<double>(wanted_) / squares) : 0.0;
    for (double& weight : weights) weight = std::min(1.0, weight * factor);
    return weights;
  }

  const Setting& setting_;
  const SetPoints& points_;
  WeightedHsic hsic_;
  std::int64_t wanted_ = 0;
  double unit_ = 0.0;
  std::int64_t evaluations_ = 0;
};

std::vector<double> relevances(const SetPoints& points, PairOracle& pairs) {
  constexpr std::int64_t kTogether = 256;
  std::vector<double> f(static_cast<std::size_t>(points.count()));
  for (std::int64_t first = 0; first < points.count(); first += kTogether) {
    std::vector<FeatureId> some;
    for (std::int64_t k = first; k < std::min(first + kTogether, points.count()); ++k) some.push_back(points.id(k));
    pairs.prepare(some);
    pairs.relevance(some, std::span(f).subspan(static_cast<std::size_t>(first), some.size()));
  }
  return f;
}

class Hsfs final : public Method {
 public:
  void check(const Setting& setting) const override {
    const auto d = static_cast<double>(setting.engine.features());
    const auto n = static_cast<double>(setting.engine.samples());
    check_set_work(setting, kEvaluations * d * n * n,
                   SetPoints::bytes(setting) + 2 * PairRows::bytes(setting.engine.samples()));
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const SetPoints points(setting);
    if (points.count() == 0) return;
    Search search(setting, points);
    const double lambda = search.find_lambda();
    std::vector<std::vector<double>> starts = {search.equal(), search.by_relevance(relevances(points, pairs))};
    for (int draw = 0; draw < kDraws; ++draw) starts.push_back(search.drawn(draw));
    BoxMinimum best;
    bool best_enough = false;
    std::size_t best_start = 0;
    for (std::size_t start = 0; start < starts.size(); ++start) {
      setting.context.report("starts", static_cast<double>(start), static_cast<double>(starts.size()));
      BoxMinimum found = search.from(starts[start], lambda);
      const bool enough = search.has_enough(found.x);
      if (start > 0 && (enough != best_enough ? best_enough : found.value >= best.value)) continue;
      best_enough = enough;
      best = std::move(found);
      best_start = start;
    }
    record(best.x, search.slopes(best.x), points, setting.options.features, pairs, result);
    result.work.features_touched = points.count();
    const auto weighted = std::count_if(best.x.begin(), best.x.end(), [](double weight) { return weight > 0.0; });
    result.figures = {{"lambda", lambda * search.unit()},
                      {"objective", -best.value * search.unit()},
                      {"features_with_weight", static_cast<double>(weighted)},
                      {"best_start", static_cast<double>(best_start)},
                      {"evaluations", static_cast<double>(search.evaluations())}};
  }

 private:
  static void record(const std::vector<double>& weights, const std::vector<double>& slopes, const SetPoints& points,
                     std::int64_t wanted, PairOracle& pairs, Result& result) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (weights[a] != weights[b]) return weights[a] > weights[b];
      return weights[a] == 0.0 && slopes[a] != slopes[b] ? slopes[a] > slopes[b] : a < b;
    });
    std::vector<Chosen> chosen;
    for (const std::size_t k : order) {
      if (std::ssize(chosen) == wanted) break;
      chosen.push_back({points.id(static_cast<std::int64_t>(k)), weights[k]});
    }
    record_chosen(chosen, pairs, result);
  }
};

}  // namespace

std::unique_ptr<Method> make_hsfs() { return std::make_unique<Hsfs>(); }

}  // namespace land
