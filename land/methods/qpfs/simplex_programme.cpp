#include "land/methods/qpfs/simplex_programme.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace land {
namespace {

constexpr std::int64_t kJoin = 64;              // features that join in a round, or half as many as have weight
constexpr std::int64_t kRounds = 1000;          // at most
constexpr std::int64_t kStalled = 5;            // rounds without a smaller gap: as exact as doubles are
constexpr std::int64_t kExchanges = 30;         // for each feature of a round
constexpr double kExchangeGap = 1e-12;          // of the objective's terms: below it nothing is exchanged
constexpr std::int64_t kNewtonSteps = 40;       // in a round
constexpr std::int64_t kNewtonFeatures = 2000;  // at most: a step costs their cube
constexpr double kProximal = 1e-12;             // added to the diagonal, relatively: copies make Q singular

// The programme among some features.
class Restricted {
 public:
  Restricted(Eigen::MatrixXd q, Eigen::VectorXd f, Eigen::VectorXd x, double alpha)
      : q_(std::move(q)), f_(std::move(f)), x_(std::move(x)), alpha_(alpha) {}

  const Eigen::VectorXd& x() const { return x_; }

  std::int64_t solve(const std::function<void()>& pause) {
    const std::int64_t exchanged = exchange(pause);
    const std::int64_t steps = newton(pause);
    x_ /= x_.sum();
    return exchanged + steps;
  }

 private:
  Eigen::VectorXd gradient() const { return (1.0 - alpha_) * (q_ * x_) - alpha_ * f_; }
  double curvature(Eigen::Index i, Eigen::Index j) const {
    return (1.0 - alpha_) * (q_(i, i) + q_(j, j) - 2.0 * q_(i, j));
  }
  double scale() const { return 0.5 * (1.0 - alpha_) * x_.dot(q_ * x_) + alpha_ * f_.dot(x_); }
  std::int64_t exchange(const std::function<void()>& pause);
  std::int64_t newton(const std::function<void()>& pause);

  Eigen::MatrixXd q_;
  Eigen::VectorXd f_;
  Eigen::VectorXd x_;
  double alpha_;
};

std::int64_t Restricted::exchange(const std::function<void()>& pause) {
  Eigen::VectorXd g = gradient();
  const double enough = kExchangeGap * scale();
  const double least_curvature = 1e-14 * (1.0 - alpha_) * q_.diagonal().maxCoeff();
  const std::int64_t most = kExchanges * x_.size();
  for (std::int64_t count = 0; count < most; ++count) {
    if (count % 1024 == 0) pause();
    Eigen::Index to = 0;
    g.minCoeff(&to);
    Eigen::Index from = -1;
    double best = 0.0;
    double violation = 0.0;
    for (Eigen::Index j = 0; j < x_.size(); ++j) {
      const double excess = g[j] - g[to];
      if (x_[j] <= 0.0 || excess <= 0.0) continue;
      violation = std::max(violation, excess);
      const double gain = excess * excess / std::max(curvature(to, j), least_curvature);
      if (gain > best) {
        best = gain;
        from = j;
      }
    }
    if (violation <= enough) return count;
    const double wanted = (g[from] - g[to]) / std::max(curvature(to, from), least_curvature);
    const double step = std::min(wanted, x_[from]);
    x_[to] += step;
    x_[from] = wanted >= x_[from] ? 0.0 : x_[from] - step;
    g += (1.0 - alpha_) * step * (q_.col(to) - q_.col(from));
  }
  return most;
}

// Towards the best weights of those that have any, until one of them has none left.
std::int64_t Restricted::newton(const std::function<void()>& pause) {
  std::vector<Eigen::Index> held;
  for (Eigen::Index k = 0; k < x_.size(); ++k) {
    if (x_[k] > 0.0) held.push_back(k);
  }
  for (std::int64_t count = 0; count < kNewtonSteps; ++count) {
    const auto p = std::ssize(held);
    if (p < 2 || p > kNewtonFeatures) return count;
    pause();
    Eigen::MatrixXd h = (1.0 - alpha_) * q_(held, held);
    h.diagonal().array() += kProximal * h.diagonal().maxCoeff();
    const Eigen::LLT<Eigen::MatrixXd> cholesky(h);
    if (cholesky.info() != Eigen::Success) return count;
    const Eigen::VectorXd all = gradient();
    const Eigen::VectorXd ones = cholesky.solve(Eigen::VectorXd::Ones(p));
    Eigen::VectorXd step = -cholesky.solve(all(held));
    step -= step.sum() / ones.sum() * ones;
    double share = 1.0;
    Eigen::Index blocking = -1;
    for (Eigen::Index t = 0; t < p; ++t) {
      const double weight = x_[held[static_cast<std::size_t>(t)]];
      if (weight + share * step[t] > 0.0) continue;
      share = weight / -step[t];
      blocking = t;
    }
    if (!(step.dot(all(held)) < 0.0)) return count;
    for (Eigen::Index t = 0; t < p; ++t) {
      double& weight = x_[held[static_cast<std::size_t>(t)]];
      weight = std::max(0.0, weight + share * step[t]);
    }
    if (blocking < 0) return count + 1;
    x_[held[static_cast<std::size_t>(blocking)]] = 0.0;
    std::erase_if(held, [&](Eigen::Index k) { return x_[k] <= 0.0; });
  }
  return kNewtonSteps;
}

class Programme {
 public:
  Programme(const QuadraticForm& q, std::span<const double> f, double alpha)
      : q_(q), f_(f), alpha_(alpha), x_(f.size(), 0.0), g_(f.size()) {
    x_[static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin())] = 1.0;
  }

  ProgrammeSolution solve(const std::function<void(double)>& progress) {
    ProgrammeSolution best;
    best.gap = std::numeric_limits<double>::infinity();
    double lowest = std::numeric_limits<double>::infinity();  // objective
    std::int64_t iterations = 0;
    std::int64_t stalled = 0;
    for (std::int64_t round = 0; round < kRounds && best.gap > kProgrammeGap && stalled < kStalled; ++round) {
      if (round > 0) iterations += improve([&] { progress(best.gap); });
      const ProgrammeSolution now = judge();
      stalled = now.gap < best.gap || now.objective < lowest ? 0 : stalled + 1;
      lowest = std::min(lowest, now.objective);
      if (now.gap < best.gap) best = now;
    }
    best.iterations = iterations;
    return best;
  }

 private:
  std::vector<std::int64_t> held() const {
    std::vector<std::int64_t> positions;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      if (x_[k] > 0.0) positions.push_back(static_cast<std::int64_t>(k));
    }
    return positions;
  }

  // Gradient, objective and gap where we are.
  ProgrammeSolution judge() {
    const std::vector<std::int64_t> positions = held();
    std::vector<double> weights;
    for (const std::int64_t k : positions) weights.push_back(x_[static_cast<std::size_t>(k)]);
    q_.multiply(positions, weights, g_);
    double quadratic = 0.0;
    double linear = 0.0;
    for (std::size_t t = 0; t < positions.size(); ++t) {
      const auto k = static_cast<std::size_t>(positions[t]);
      quadratic += 0.5 * (1.0 - alpha_) * weights[t] * g_[k];
      linear += alpha_ * weights[t] * f_[k];
    }
    for (std::size_t k = 0; k < g_.size(); ++k) g_[k] = (1.0 - alpha_) * g_[k] - alpha_ * f_[k];
    const double lowest = *std::min_element(g_.begin(), g_.end());
    const double scale = quadratic + linear;
    const double gap = 2.0 * quadratic - linear - lowest;
    return {x_, g_, quadratic - linear, scale > 0.0 ? std::max(0.0, gap / scale) : 0.0, 0};
  }

  std::int64_t improve(const std::function<void()>& pause) {
    std::vector<std::int64_t> some = held();
    const std::int64_t joining = std::max(kJoin, std::ssize(some) / 2);
    std::vector<std::int64_t> others;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      if (x_[k] <= 0.0) others.push_back(static_cast<std::int64_t>(k));
    }
    const auto end = others.begin() + std::min(joining, std::ssize(others));
    std::partial_sort(others.begin(), end, others.end(), [&](std::int64_t a, std::int64_t b) {
      const double of_a = g_[static_cast<std::size_t>(a)];
      const double of_b = g_[static_cast<std::size_t>(b)];
      return of_a != of_b ? of_a < of_b : a < b;
    });
    some.insert(some.end(), others.begin(), end);
    std::sort(some.begin(), some.end());

    const auto p = std::ssize(some);
    Eigen::MatrixXd q(p, p);
    q_.among(some, {q.data(), static_cast<std::size_t>(q.size())});
    Eigen::VectorXd f(p);
    Eigen::VectorXd x(p);
    for (Eigen::Index t = 0; t < p; ++t) {
      const auto k = static_cast<std::size_t>(some[static_cast<std::size_t>(t)]);
      f[t] = f_[k];
      x[t] = x_[k];
    }
    Restricted restricted(std::move(q), std::move(f), std::move(x), alpha_);
    const std::int64_t iterations = restricted.solve(pause);
    for (Eigen::Index t = 0; t < p; ++t) {
      x_[static_cast<std::size_t>(some[static_cast<std::size_t>(t)])] = restricted.x()[t];
    }
    return iterations;
  }

  const QuadraticForm& q_;
  std::span<const double> f_;
  double alpha_;
  std::vector<double> x_;
  std::vector<double> g_;
};

}  // namespace

ProgrammeSolution solve_programme(const QuadraticForm& q, std::span<const double> f, double alpha,
                                  const std::function<void(double)>& progress) {
  return Programme(q, f, alpha).solve(progress);
}

}  // namespace land
