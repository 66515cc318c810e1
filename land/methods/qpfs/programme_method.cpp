#include "land/methods/qpfs/programme_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/methods/chosen.h"
#include "land/methods/qpfs/quadratic_form.h"
#include "land/methods/qpfs/simplex_programme.h"

namespace land {
namespace {

constexpr std::size_t kTogether = 256;  // features whose F is asked for at a time

std::vector<double> relevances(std::span<const FeatureId> features, Similarity& similarity, const Context& context) {
  std::vector<double> f(features.size());
  for (std::size_t first = 0; first < f.size(); first += kTogether) {
    context.check_stop();
    context.report("relevances", static_cast<double>(first), static_cast<double>(f.size()));
    const std::size_t count = std::min(kTogether, f.size() - first);
    similarity.relevance(features.subspan(first, count), std::span(f).subspan(first, count));
  }
  return f;
}

}  // namespace

void check_programme(const Setting& setting) {
  const std::int64_t d = setting.engine.features();
  const std::int64_t landmarks = setting.options.landmarks;
  if (landmarks == 0 && 2 * full_form_bytes(d) > setting.memory) {
    throw InputError(
        fmt::format("{}: the {} x {} matrix of similarities and what solves with it take {}, more than the "
                    "{} there are; give {}, or more with {}",
                    option("method", setting.options.method), d, d, amount({2 * full_form_bytes(d)}),
                    amount({setting.memory}), option("landmarks", std::int64_t{100}), option("memory")));
  }
  if (landmarks > 0 && landmark_form_bytes(d, landmarks) > setting.memory) {
    throw InputError(
        fmt::format("{}: {} features take {}, more than the {} there are; give fewer landmarks, or more "
                    "with {}",
                    option("landmarks", landmarks), d, amount({landmark_form_bytes(d, landmarks)}),
                    amount({setting.memory}), option("memory")));
  }
}

void choose_by_programme(const Setting& setting, Similarity& similarity, PairOracle& pairs, Result& result) {
  const Context& context = setting.context;
  std::vector<FeatureId> features;
  for (std::size_t k = 0; k < setting.bounds.size(); ++k) {
    if (setting.bounds[k] >= 0.0) features.push_back(static_cast<FeatureId>(k));
  }
  if (features.empty()) return;
  const std::vector<double> f = relevances(features, similarity, context);
  const std::int64_t landmarks = setting.options.landmarks;
  const std::unique_ptr<QuadraticForm> q =
      landmarks > 0 ? make_landmark_form(features, landmarks, similarity, setting.pool, context)
                    : make_full_form(features, similarity, setting.pool, context);
  const double mean_f = std::accumulate(f.begin(), f.end(), 0.0) / static_cast<double>(f.size());
  const double mean_q = q->mean();
  const double alpha = mean_q + mean_f > 0.0 ? mean_q / (mean_q + mean_f) : 0.5;
  const ProgrammeSolution solution = solve_programme(*q, f, alpha, [&](double gap) {
    context.check_stop();
    context.report("solving", gap > 0.0 && gap < 1.0 ? std::min(1.0, std::log(gap) / std::log(kProgrammeGap)) : 0.0,
                   1.0);
  });

  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto wanted = order.begin() + std::min(setting.options.features, std::ssize(order));
  std::partial_sort(order.begin(), wanted, order.end(), [&](std::size_t a, std::size_t b) {
    if (solution.weights[a] != solution.weights[b]) return solution.weights[a] > solution.weights[b];
    return solution.gradient[a] != solution.gradient[b] ? solution.gradient[a] < solution.gradient[b] : a < b;
  });
  std::vector<Chosen> chosen;
  for (auto at = order.begin(); at != wanted; ++at) chosen.push_back({features[*at], solution.weights[*at]});
  record_chosen(chosen, pairs, result);
  const auto weighted =
      std::count_if(solution.weights.begin(), solution.weights.end(), [](double weight) { return weight > 0.0; });
  result.work.features_touched = std::ssize(features);
  result.figures = {{"alpha", alpha},
                    {"objective", solution.objective},
                    {"gap", solution.gap},
                    {"iterations", static_cast<double>(solution.iterations)},
                    {"features_with_weight", static_cast<double>(weighted)}};
}

}  // namespace land
