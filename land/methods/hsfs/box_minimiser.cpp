#include "land/methods/hsfs/box_minimiser.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>
#include <ranges>
#include <utility>

namespace land {
namespace {

using Vector = Eigen::VectorXd;

constexpr std::size_t kMemory = 10;        // steps that the direction is made from
constexpr double kArmijo = 1e-4;           // of the decrease that the gradient promises
constexpr double kFirstStep = 0.1;         // the largest change of a variable before any curvature is known
constexpr int kHalvings = 40;              // of a step, at most
constexpr double kLeastCurvature = 1e-10;  // of a step, relatively: others are forgotten

class BoxMinimiser {
 public:
  BoxMinimiser(const SmoothFunction& function, std::vector<double> start, const BoxOptions& options)
      : function_(function), options_(options), x_(Eigen::Map<Vector>(start.data(), std::ssize(start))) {
    x_ = projected(x_);
    value_ = evaluate(x_, g_);
  }

  BoxMinimum minimise() {
    for (std::int64_t step = 0; step < options_.steps && violation() > options_.violation; ++step) {
      const double before = value_;
      if (!take_step()) break;
      if (before - value_ <= options_.progress * std::max(std::abs(before), std::abs(value_))) break;
    }
    return {{x_.begin(), x_.end()}, value_, violation(), evaluations_};
  }

 private:
  struct Step {
    Vector s;
    Vector y;
  };

  Vector projected(const Vector& x) const { return x.cwiseMax(options_.low).cwiseMin(options_.high); }
  double violation() const { return (projected(x_ - g_) - x_).cwiseAbs().maxCoeff(); }

  double evaluate(const Vector& x, Vector& gradient) {
    ++evaluations_;
    gradient.resize(x.size());
    return function_({x.data(), static_cast<std::size_t>(x.size())},
                     {gradient.data(), static_cast<std::size_t>(gradient.size())});
  }

  // 1 for variables that may move, 0 for those that the gradient holds at a bound.
  Vector free() const {
    Vector result(x_.size());
    for (Eigen::Index k = 0; k < x_.size(); ++k) {
      const bool held = (x_[k] <= options_.low && g_[k] > 0.0) || (x_[k] >= options_.high && g_[k] < 0.0);
      result[k] = held ? 0.0 : 1.0;
    }
    return result;
  }

  // The two loops of L-BFGS in the free variables.
  Vector direction() const {
    const Vector mask = free();
    const Vector steepest = -g_.cwiseProduct(mask);
    Vector q = steepest;
    std::vector<double> alphas;
    std::vector<const Step*> used;
    std::vector<double> curvatures;
    for (const Step& step : std::views::reverse(steps_)) {
      const Vector s = step.s.cwiseProduct(mask);
      const Vector y = step.y.cwiseProduct(mask);
      const double curvature = s.dot(y);
      if (curvature <= kLeastCurvature * s.norm() * y.norm()) continue;
      alphas.push_back(s.dot(q) / curvature);
      used.push_back(&step);
      curvatures.push_back(curvature);
      q -= alphas.back() * y;
    }
    if (used.empty()) return steepest * (kFirstStep / std::max(steepest.cwiseAbs().maxCoeff(), 1e-300));
    q *= curvatures.front() / used.front()->y.cwiseProduct(mask).squaredNorm();
    for (std::size_t t = used.size(); t-- > 0;) {
      const Vector s = used[t]->s.cwiseProduct(mask);
      const double beta = used[t]->y.cwiseProduct(mask).dot(q) / curvatures[t];
      q += (alphas[t] - beta) * s;
    }
    return q.dot(g_) < 0.0 ? q : steepest;
  }

  bool take_step() {
    if (search(direction())) return true;
    if (steps_.empty()) return false;
    steps_.clear();
    return search(direction());
  }

  // Half the step until the value falls as much as promised.
  bool search(const Vector& along) {
    Vector gradient;
    double share = 1.0;
    for (int halving = 0; halving < kHalvings; ++halving, share *= 0.5) {
      const Vector next = projected(x_ + share * along);
      const Vector moved = next - x_;
      const double promised = g_.dot(moved);
      if (moved.cwiseAbs().maxCoeff() == 0.0) return false;
      const double value = evaluate(next, gradient);
      if (!(promised < 0.0) || !(value <= value_ + kArmijo * promised)) continue;
      steps_.push_back({moved, gradient - g_});
      if (steps_.size() > kMemory) steps_.pop_front();
      x_ = next;
      value_ = value;
      g_ = gradient;
      return true;
    }
    return false;
  }

  const SmoothFunction& function_;
  BoxOptions options_;
  Vector x_;
  Vector g_;
  double value_ = 0.0;
  std::int64_t evaluations_ = 0;
  std::deque<Step> steps_;
};

}  // namespace

BoxMinimum minimise_in_box(const SmoothFunction& function, std::vector<double> start, const BoxOptions& options) {
  return BoxMinimiser(function, std::move(start), options).minimise();
}

}  // namespace land
