#include "land/path/path_state.h"

#include <algorithm>
#include <cmath>

namespace land {

namespace {

// A coefficient this far from zero, relative to max f / R_kk, is set to zero with no other harm.
constexpr double kClamp = 1e-13;

}  // namespace

PathState::PathState(const PathOptions& options)
    : limit_(options.features),
      ridge_(options.ridge),
      least_lambda_(options.least_lambda),
      parked_(options.parked),
      on_knot_(options.on_knot),
      cholesky_(options.parked) {}

bool PathState::is_held(FeatureId k) const { return std::find(held_.begin(), held_.end(), k) != held_.end(); }

double PathState::slack(FeatureId k, bool parked) const {
  return parked || (!held_.empty() && is_held(k)) ? kSlack * scale_ : 0.0;
}

double PathState::entry(FeatureId k, Line line, bool parked) const {
  double key = kNever;
  if (line.at(lambda_) - lambda_ > kSlack * scale_) {
    key = lambda_;  // above lambda beyond rounding: parked, held or a copy until now
  } else if (line.q < 1.0) {
    key = std::min(lambda_, (line.u - slack(k, parked)) / (1.0 - line.q));
  }
  if (key >= lambda_ * (1.0 - kTie) && !held_.empty() && is_held(k)) return kNever;
  return key;
}

double PathState::entry_bound(FeatureId k, Line line, bool parked) const {
  line.u += rounding_ - slack(k, parked);
  if (line.at(lambda_) > lambda_) return lambda_;
  if (line.q < 1.0) return std::min(lambda_, line.u / (1.0 - line.q));
  return kNever;
}

bool PathState::is_singular(std::span<const double> row, double r_kk) const {
  const double diagonal = r_kk + ridge_;
  return !(cholesky_.complement(row, diagonal) >= parked_ * diagonal);
}

bool PathState::is_copy(double r, double r_ii, double r_kk, double f_i, double f_k) const {
  return may_be_copy(r, r_ii) && r_kk * r_ii - r * r < kCopy * (r_kk * r_ii) &&
         std::abs(f_k * r_ii - f_i * r) <= kCopyRelevance * scale_ * r_ii;
}

bool PathState::enter(const Entrant& entrant, double lambda) {
  if (path_.knots.empty()) scale_ = lambda;
  move_to(lambda);
  if (size() >= limit_) {
    record(PathEvent::kEnd, entrant.feature, -1);
    path_.stop = PathStop::kFeaturesReached;
    if (on_knot_) on_knot_(size());
    return false;
  }
  // At this lambda alpha_k must be 0, so c_k = lambda: what is above (the loser of a tie, a parked feature) enters with
  // its f lowered by the excess. Its Schur complement may be tiny, and alpha_k would jump by excess / complement.
  const double excess = std::max(0.0, entrant.line.at(lambda) - lambda);
  record(PathEvent::kEnter, entrant.feature, -1);
  path_.knots.back().coefficients.emplace_back(entrant.feature, 0.0);
  active_.push_back(entrant.feature);
  f_.push_back(entrant.f - excess);
  cholesky_.append(entrant.row, entrant.r_kk + ridge_);
  solve_segment();
  if (on_knot_) on_knot_(size());
  return true;
}

std::int64_t PathState::drop() {
  const std::int64_t position = drop_position_;
  move_to(drop_lambda_);
  record(PathEvent::kDrop, active_[position], position);
  held_.push_back(active_[position]);
  active_.erase(active_.begin() + position);
  f_.erase(f_.begin() + position);
  cholesky_.remove(position);
  solve_segment();
  if (on_knot_) on_knot_(size());
  return position;
}

void PathState::finish(bool candidate_left) {
  // At lambda = 0 the coefficients are those at kZero: what was not looked at below it might matter if they change fast
  // there.
  const bool at_zero = least_lambda_ <= kZero * scale_;
  move_to(end());
  record(PathEvent::kEnd, -1, -1);
  if (at_zero) path_.knots.back().lambda = 0.0;
  path_.stop = !candidate_left ? PathStop::kNoCandidate : at_zero ? PathStop::kLambdaZero : PathStop::kLambdaReached;
  if (on_knot_) on_knot_(size());
}

void PathState::move_to(double lambda) {
  if (lambda < lambda_ * (1.0 - kTie)) held_.clear();
  lambda_ = lambda;
}

void PathState::solve_segment() {
  a0_ = f_;
  cholesky_.solve(a0_);
  w_.assign(f_.size(), 1.0);
  cholesky_.solve(w_);

  // Lines of lower bounds assume alpha >= 0. Right after a feature of small Schur complement enters, rounding makes its
  // alpha slightly negative, which a line must allow for beside the rounding of its own sum.
  double largest = 0.0;
  double terms = 0.0;
  double negative = 0.0;
  for (std::int64_t t = 0; t < size(); ++t) {
    largest = std::max(largest, cholesky_.diagonal(t));
    terms += std::abs(a0_[t]) + lambda_ * std::abs(w_[t]);
    negative += std::max(0.0, -alpha(t, lambda_));
  }
  const double epsilon = std::numeric_limits<double>::epsilon();
  rounding_ = 4.0 * epsilon * static_cast<double>(size() + 1) * (scale_ + largest * terms) + 2.0 * largest * negative;
  find_drop();
}

void PathState::find_drop() {
  drop_lambda_ = 0.0;
  drop_position_ = -1;
  std::vector<double> where(f_.size(), kNever);
  for (std::int64_t t = 0; t < size(); ++t) {
    if (w_[t] < 0.0) where[t] = std::min(lambda_, a0_[t] / w_[t]);
    drop_lambda_ = std::max(drop_lambda_, where[t]);
  }
  if (drop_lambda_ <= end()) return;
  for (std::int64_t t = 0; t < size(); ++t) {
    if (where[t] < drop_lambda_ * (1.0 - kTie)) continue;
    if (drop_position_ < 0 || active_[t] < active_[drop_position_]) drop_position_ = t;
  }
}

// alpha(lambda) >= 0, and 0 at position `dropped`. Where rounding made that wrong by more than kClamp, the coefficient
// is left out and the others are solved for again: clamping alone would leave its near copy with the opposite error,
// and every c with both.
std::vector<double> PathState::coefficients(double lambda, std::int64_t dropped) const {
  std::vector<double> result(f_.size());
  std::vector<std::int64_t> kept(f_.size());
  for (std::int64_t t = 0; t < size(); ++t) {
    result[t] = alpha(t, lambda);
    kept[t] = t;
  }
  const auto is_wrong = [&](std::int64_t t) {
    const double c = result[t] * cholesky_.diagonal(t);
    return c < -kClamp * scale_ || (t == dropped && c > kClamp * scale_);
  };
  while (std::any_of(kept.begin(), kept.end(), is_wrong)) {
    std::erase_if(kept, is_wrong);
    Cholesky factor = cholesky_;
    for (std::int64_t t = size() - 1; t >= 0; --t) {
      if (!std::binary_search(kept.begin(), kept.end(), t)) factor.remove(t);
    }
    std::vector<double> b;
    for (const std::int64_t t : kept) b.push_back(f_[t] - lambda);
    factor.solve(b);
    std::fill(result.begin(), result.end(), 0.0);
    for (std::size_t s = 0; s < kept.size(); ++s) result[kept[s]] = b[s];
  }
  for (double& value : result) value = std::max(value, 0.0);
  if (dropped >= 0) result[dropped] = 0.0;
  return result;
}

void PathState::record(PathEvent event, FeatureId feature, std::int64_t dropped) {
  const std::vector<double> values = coefficients(lambda_, dropped);
  Knot knot{lambda_, event, feature, {}};
  for (std::int64_t t = 0; t < size(); ++t) knot.coefficients.emplace_back(active_[t], values[t]);
  path_.knots.push_back(std::move(knot));
}

void Contest::add(double key, FeatureId feature, std::int64_t handle) {
  best_ = std::max(best_, key);
  entries_.push_back({key, feature, handle});
}

Contest::Entry Contest::winner() const {
  Entry winner;
  for (const Entry& entry : entries_) {
    if (is_decided(entry.key)) continue;
    if (winner.handle < 0 || entry.feature < winner.feature) winner = entry;
  }
  return winner;
}

}  // namespace land
