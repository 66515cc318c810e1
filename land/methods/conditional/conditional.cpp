#include "land/methods/conditional/conditional.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/engine/scored_parts.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/best_of.h"
#include "land/methods/chosen.h"
#include "land/methods/conditional/residual_target.h"

namespace land {
namespace {

// The ridge of the regression on what was chosen, times the number of samples: found by measuring.
constexpr double kRidge = 200.0;

class Conditional final : public Method {
 public:
  void check(const Setting& setting) const override {
    const KernelOptions& kernel = setting.options.kernel;
    if (!Kernels(kernel).have_factors()) {
      throw InputError(fmt::format("{}: a kernel that has factors is needed: choose {} or {}",
                                   option("method", "conditional"), option("kernel", "gaussian"),
                                   option("kernel", "linear")));
    }
    if (kernel.factor == FactorKind::kFull) {
      throw InputError(fmt::format("{} goes by factors, and these are exact to 2.5e-7: leave out {}",
                                   option("method", "conditional"), option("exact")));
    }
    const std::int64_t needed = setting.options.features * stored_factor_bytes(setting.target.size());
    if (needed > setting.memory) {
      constexpr std::int64_t kMegabyte = 1 << 20;
      throw InputError(fmt::format("{}: the columns of {} features take {}M, which do not fit {}: choose fewer",
                                   option("features"), setting.options.features, needed / kMegabyte,
                                   setting.context.memory > 0 ? option("memory") : "this machine's memory"));
    }
  }

  bool leaves_out_copies(const SelectOptions& /*options*/) const override { return true; }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Kernels kernels(setting.options.kernel);
    ResidualTarget target(kernels.factor(setting.target), kRidge / static_cast<double>(setting.target.size()));
    std::vector<double> bounds(setting.bounds.begin(), setting.bounds.end());
    std::vector<Chosen> chosen;
    while (std::ssize(chosen) < setting.options.features) {
      if (!chosen.empty()) score_again(setting, target, std::ssize(chosen), bounds);
      const std::vector<Chosen> best = best_for(setting, kernels, *target.left(), bounds);
      if (best.empty()) break;
      const FeatureId feature = best.front().feature;
      chosen.push_back(best.front());
      bounds[static_cast<std::size_t>(feature)] = -1.0;
      target.take_out(kernels.factor(setting.engine.fetch({&feature, 1}).front()->view(0)));
    }
    // Relevance says nothing of what a feature tells beside others: the choice rests on all of them.
    for (std::size_t k = 0; k < setting.bounds.size(); ++k) {
      if (setting.bounds[k] >= 0.0) touched_.push_back({static_cast<FeatureId>(k), false, false, {}});
    }
    record_chosen(chosen, pairs, result);
    result.work.features_touched = evaluated_;
  }

  std::span<const TouchedFeature> touched() const override { return touched_; }

 private:
  // Bounds of what the features that are left tell of what is left of the target.
  static void score_again(const Setting& setting, const ResidualTarget& target, std::int64_t done,
                          std::vector<double>& bounds) {
    Context context = setting.context;
    context.progress = [&](std::string_view, double part, double all) {
      const double share = all > 0.0 ? part / all : 0.0;
      setting.context.report("choosing", static_cast<double>(done) + share,
                             static_cast<double>(setting.options.features));
    };
    setting.context.check_stop();
    const Scores scores = score_job(setting.engine,
                                    {.against = target.left(),
                                     .kernel = setting.options.kernel,
                                     .last = setting.engine.features(),
                                     .bounds_only = true,
                                     .wanted = 1},
                                    context);
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      if (bounds[k] >= 0.0) bounds[k] = scores.relevance[k];
    }
  }

  // The best feature; none if no one is left.
  std::vector<Chosen> best_for(const Setting& setting, const Kernels& kernels, const Factor& target,
                               std::span<const double> bounds) {
    std::vector<std::pair<FeatureId, double>> bounded;
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      if (bounds[k] >= 0.0) bounded.emplace_back(static_cast<FeatureId>(k), bounds[k]);
    }
    const auto evaluate = [&](std::span<const FeatureId> features, std::span<double> out) {
      const auto blocks = setting.engine.fetch(features);
      setting.pool.run(std::ssize(features), [&](std::int64_t item, int) {
        const auto at = static_cast<std::size_t>(item);
        out[at] = redundancy(kernels.factor(blocks[at]->view(0)), target);
      });
    };
    std::int64_t evaluated = 0;
    std::vector<Chosen> best;
    for (const auto& [feature, value] : best_of(std::move(bounded), 1, evaluate, evaluated)) {
      best.push_back({feature, value});
    }
    evaluated_ += evaluated;
    return best;
  }

  std::vector<TouchedFeature> touched_;
  std::int64_t evaluated_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_conditional() { return std::make_unique<Conditional>(); }

}  // namespace land
