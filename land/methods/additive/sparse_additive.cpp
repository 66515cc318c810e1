#include "land/methods/additive/sparse_additive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/kernels/families/kernels.h"
#include "land/methods/additive/additive_fit.h"
#include "land/methods/additive/smoothers.h"
#include "land/methods/chosen.h"
#include "land/methods/linear/residual_screen.h"
#include "land/methods/linear/responses.h"
#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

// Ravikumar et al. leave the smoother and the way along lambda open. Here: smoother.h; a grid of lambdas; at each, the
// fit to what is there so far, then the feature that is furthest above lambda is added, and so on until none is.
constexpr int kLambdas = 100;
constexpr double kLastLambda = 1e-3;     // relative to lambda_max
constexpr double kAccuracy = 1e-8;       // of components on the way, in deviations of the target
constexpr double kLastAccuracy = 1e-11;  // of those at the end
constexpr double kTie = 1e-12;           // relative to lambda
constexpr int kMostHalvings = 40;        // of the interval in which the m-th feature comes in
constexpr double kCopy = 1e-10;          // smoothers that differ by less are those of copies

// What a fit holds for the active features, about; the rest of the memory keeps smoothers.
std::int64_t bytes_of_fit(const Setting& setting) {
  const std::int64_t features = std::min(setting.options.features + 1, setting.engine.features());
  return 3 * features * stored_factor_bytes(setting.engine.samples());
}

class SparseAdditiveSolver {
 public:
  SparseAdditiveSolver(const Setting& setting, const Responses& responses)
      : setting_(setting),
        responses_(responses),
        features_(usable(setting)),
        smoothers_(setting, features_, setting.memory - bytes_of_fit(setting)),
        screen_(responses.samples, first_sizes(), responses.values,
                [this](std::span<const std::size_t> positions, std::span<const double> residual,
                       std::span<double> sizes) { smoothers_.sizes(positions, residual, sizes); }) {}

  AdditiveFit solve() {
    AdditiveFit fit(responses_.samples, responses_.values);
    lambda_ = largest_;
    for (int t = 1; t < kLambdas && largest_ > 0.0 && count(fit) < wanted(); ++t) {
      const double lambda = largest_ * std::pow(kLastLambda, static_cast<double>(t) / (kLambdas - 1));
      AdditiveFit next = fit;
      if (fit_at(lambda, next)) {
        fit = std::move(next);
        lambda_ = lambda;
      } else {
        halve(lambda, fit);
        break;
      }
    }
    fit.converge(lambda_, kLastAccuracy, [this] { setting_.context.check_stop(); });
    return fit;
  }

  double lambda() const { return lambda_; }
  double lambda_max() const { return largest_; }

 private:
  static std::vector<FeatureId> usable(const Setting& setting) {
    std::vector<FeatureId> ids;
    for (std::size_t k = 0; k < setting.bounds.size(); ++k) {
      if (setting.bounds[k] >= 0.0) ids.push_back(static_cast<FeatureId>(k));
    }
    return ids;
  }

  std::vector<double> first_sizes() {
    setting_.context.report("smoothing", 0.0, 0.0);
    std::vector<std::size_t> all(features_.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    std::vector<double> sizes(all.size());
    smoothers_.sizes(all, responses_.values, sizes);
    for (const double size : sizes) largest_ = std::max(largest_, size);
    return sizes;
  }

  std::int64_t wanted() const { return setting_.options.features; }
  static std::int64_t count(const AdditiveFit& fit) { return std::ssize(fit.components()); }

  // Returns false, with the fit unfinished, if it takes more features than wanted.
  bool fit_at(double lambda, AdditiveFit& fit) {
    while (true) {
      fit.converge(lambda, kAccuracy, [this] { setting_.context.check_stop(); });
      setting_.context.report("path", static_cast<double>(std::min(count(fit), wanted())),
                              static_cast<double>(wanted()));
      if (count(fit) > wanted()) return false;
      if (!add_one(lambda, fit)) return true;
    }
  }

  // Adds the feature that is furthest above lambda, ties by index; false if there is none.
  bool add_one(double lambda, AdditiveFit& fit) {
    std::vector<ResidualScreen::Reached> above = screen_.reaching(fit.residual(), lambda);
    std::erase_if(above, [&](const ResidualScreen::Reached& one) {
      // Between two fits what matters is by how much they may be off.
      return one.bound <= lambda + kAccuracy || is_active(features_[one.feature], fit) ||
             is_known_copy(features_[one.feature], fit);
    });
    while (!above.empty()) {
      auto best = above.begin();
      for (auto one = above.begin(); one != above.end(); ++one) {
        if (one->bound > best->bound * (1.0 + kTie)) best = one;
      }
      const FeatureId feature = features_[best->feature];
      Smoother smoother = smoothers_.of(feature);
      if (!find_copies(feature, smoother, fit)) {
        fit.add(feature, std::move(smoother));
        return true;
      }
      above.erase(best);
    }
    return false;
  }

  static bool is_active(FeatureId feature, const AdditiveFit& fit) {
    return std::any_of(fit.components().begin(), fit.components().end(),
                       [feature](const AdditiveFit::Component& one) { return one.feature == feature; });
  }

  bool is_known_copy(FeatureId feature, const AdditiveFit& fit) const {
    const auto found = copy_of_.find(feature);
    return found != copy_of_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                  [&](FeatureId other) { return is_active(other, fit); });
  }

  // The smoother of a copy would find again what its own shrinking has left.
  bool find_copies(FeatureId feature, const Smoother& smoother, const AdditiveFit& fit) {
    bool found = false;
    for (const AdditiveFit::Component& component : fit.components()) {
      if (difference(smoother, component.smoother) > kCopy) continue;
      copy_of_[feature].insert(component.feature);
      found = true;
    }
    return found;
  }

  // Towards the lambda with exactly as many features as wanted, from fits with fewer above and more below.
  void halve(double low, AdditiveFit& fit) {
    for (int t = 0; t < kMostHalvings && count(fit) < wanted() && low < lambda_ * (1.0 - kAccuracy); ++t) {
      const double middle = std::sqrt(low * lambda_);
      AdditiveFit next = fit;
      if (fit_at(middle, next)) {
        fit = std::move(next);
        lambda_ = middle;
      } else {
        low = middle;
      }
    }
  }

  const Setting& setting_;
  const Responses& responses_;
  std::vector<FeatureId> features_;
  Smoothers smoothers_;
  double largest_ = 0.0;
  double lambda_ = 0.0;
  ResidualScreen screen_;
  std::map<FeatureId, std::set<FeatureId>> copy_of_;
};

class SparseAdditive final : public Method {
 public:
  void check(const Setting& setting) const override {
    if (!Kernels(setting.options.kernel).have_factors()) {
      throw InputError(fmt::format("{}: smooth effects are made from a factor of the kernel, and {} has none: take {}",
                                   option("method", "spam"), option("kernel", to_string(setting.options.kernel.family)),
                                   option("kernel", to_string(KernelFamily::kGaussian))));
    }
    const std::int64_t needed = bytes_of_fit(setting);
    if (needed <= setting.memory) return;
    throw InputError(fmt::format(
        "{}: the smoothers of {} features x {} samples take {}, and there are {}; select fewer with {}, or use {}",
        option("method", "spam"), std::min(setting.options.features + 1, setting.engine.features()),
        setting.engine.samples(), amount({needed}), amount({setting.memory}), option("features"),
        option("method", "land")));
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Responses responses = make_responses(setting.target);
    SparseAdditiveSolver solver(setting, responses);
    const AdditiveFit fit = solver.solve();
    std::vector<Chosen> chosen;
    for (const AdditiveFit::Component& component : fit.components()) {
      chosen.push_back({component.feature, fit.norm_of(component)});
    }
    record_chosen(chosen, pairs, result);
    const double left = norm(fit.residual()) / norm(responses.values);
    result.figures = {
        {"lambda", solver.lambda()}, {"lambda_max", solver.lambda_max()}, {"explained", 1.0 - left * left}};
  }
};

}  // namespace

std::unique_ptr<Method> make_sparse_additive() { return std::make_unique<SparseAdditive>(); }

}  // namespace land
