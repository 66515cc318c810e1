#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "land/methods/linear/correlation_screen.h"
#include "land/methods/linear/group_solver.h"
#include "land/methods/linear/linear_path.h"
#include "land/methods/linear/unit_column.h"
#include "land/path/cholesky.h"
#include "land/path/path_state.h"

namespace land {
namespace {

// Between two events the coefficients are no line in lambda: the next event is looked for in steps, and where one lies
// within a step, by finding the root of what becomes zero there. A feature that would enter and leave again within one
// step goes unseen unless it matters at a knot; every knot is an optimum over all features.
constexpr double kLeastStep = 1e-3;       // relative to lambda
constexpr double kMostStep = 0.1;         // after an event
constexpr double kLongestStep = 0.5;      // after steps without one
constexpr double kEnd = 1e-6;             // relative to lambda_max: here the path ends
constexpr double kRoot = 2e-14;           // relative to lambda_max: what counts as zero
constexpr double kMargin = 1e-9;          // relative to lambda: who is nearer to it is looked at
constexpr std::int64_t kMostKnots = 100;  // for each feature wanted
constexpr int kMostRootSteps = 100;

struct Entrant {
  FeatureId feature = -1;
  std::vector<double> column;
};

class GroupPathSolver {
 public:
  GroupPathSolver(const Setting& setting, const Responses& responses)
      : setting_(setting),
        y_(responses),
        n_(static_cast<double>(responses.samples)),
        width_(static_cast<std::size_t>(responses.columns)),
        screen_(setting, responses),
        scale_(screen_.largest()),
        solver_(responses.columns, scale_) {}

  LinearPath solve() {
    if (scale_ == 0.0) {
      here_.lambda = 0.0;
      finish();
      return std::move(result_);
    }
    here_.lambda = scale_;
    bool more = enter(first());
    while (more) more = advance();
    for (const FeatureId k : touched_) add_touched(k);
    return std::move(result_);
  }

 private:
  // A solution over the active features.
  struct Point {
    double lambda = 0.0;
    std::vector<double> rows;
    double error = 0.0;  // of the conditions of optimality, relative to lambda_max
  };
  // What may happen between two points: who may enter, with columns, and which positions may drop.
  struct Suspects {
    std::vector<Entrant> entering;
    std::vector<std::size_t> dropping;
  };

  Entrant first() {
    std::vector<FeatureId> ids = screen_.reaching(y_.values, scale_ * (1.0 - kTie));
    const std::vector<double> sizes = correlations(ids, y_.values);
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (sizes[t] >= scale_ * (1.0 - kTie)) return entrant(ids[t]);
    }
    return entrant(ids.front());
  }

  Entrant entrant(FeatureId k) { return {k, unit_columns(setting_.engine, std::span(&k, 1)).front()}; }

  double correlation(std::span<const double> column, std::span<const double> residual) const {
    double squares = 0.0;
    for (std::size_t c = 0; c < width_; ++c) {
      const double product = dot(column, residual.subspan(c * column.size(), column.size())) / n_;
      squares += product * product;
    }
    return std::sqrt(squares);
  }

  std::vector<double> correlations(std::span<const FeatureId> ids, std::span<const double> residual) {
    std::vector<double> sizes(ids.size());
    setting_.engine.visit(ids, [&](std::size_t at, const FeatureView& feature) {
      static thread_local std::vector<double> column;
      column.resize(static_cast<std::size_t>(y_.samples));
      unit_column(feature, column);
      sizes[at] = correlation(column, residual);
    });
    return sizes;
  }

  std::vector<double> residual(const Point& point) const {
    std::vector<double> left = y_.values;
    const auto n = static_cast<std::size_t>(y_.samples);
    for (std::size_t t = 0; t < active_.size(); ++t) {
      for (std::size_t c = 0; c < width_; ++c) {
        add_scaled(-point.rows[t * width_ + c], active_[t].column, std::span(left).subspan(c * n, n));
      }
    }
    return left;
  }

  Point solved(double lambda, const Point& from) const {
    setting_.context.check_stop();
    Point point{lambda, from.rows};
    point.error = solver_.solve(lambda, point.rows);
    return point;
  }

  bool is_active(FeatureId k) const {
    return std::any_of(active_.begin(), active_.end(), [k](const Entrant& one) { return one.feature == k; });
  }

  bool is_known_copy(FeatureId k) const {
    const auto found = copy_of_.find(k);
    return found != copy_of_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [this](FeatureId i) { return is_active(i); });
  }

  double slack(FeatureId k) const { return parked_.contains(k) || held_.contains(k) ? kSlack * scale_ : 0.0; }

  // Adds the positions that are zero at this point; true if there was one to add.
  bool add_dropping(const Point& point, Suspects& suspects) const {
    const std::size_t before = suspects.dropping.size();
    for (std::size_t t = 0; t < active_.size(); ++t) {
      const bool zero = norm(std::span(point.rows).subspan(t * width_, width_)) == 0.0;
      if (zero && std::find(suspects.dropping.begin(), suspects.dropping.end(), t) == suspects.dropping.end()) {
        suspects.dropping.push_back(t);
      }
    }
    return suspects.dropping.size() > before;
  }

  // Adds the features that are above lambda at this point; true if there was one to add.
  bool add_entering(const Point& point, Suspects& suspects) {
    const std::vector<double> left = residual(point);
    std::vector<FeatureId> ids = screen_.reaching(left, point.lambda * (1.0 - kMargin));
    std::erase_if(ids, [&](FeatureId k) {
      return is_active(k) || is_known_copy(k) ||
             std::any_of(suspects.entering.begin(), suspects.entering.end(),
                         [k](const Entrant& one) { return one.feature == k; });
    });
    touched_.insert(ids.begin(), ids.end());
    const std::vector<double> sizes = correlations(ids, left);
    bool added = false;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      const double over = sizes[t] - point.lambda;
      const bool rides = !parked_.contains(ids[t]) && over >= -kMargin * point.lambda;  // as copies do
      if (over - slack(ids[t]) <= kRoot * scale_ && !rides) continue;
      Entrant one = entrant(ids[t]);
      park(one);
      if (is_known_copy(ids[t]) || over - slack(ids[t]) <= kRoot * scale_) continue;
      suspects.entering.push_back(std::move(one));
      added = true;
    }
    return added;
  }

  std::vector<double> row_of(const Entrant& one) const {
    std::vector<double> row;
    for (const Entrant& other : active_) row.push_back(dot(one.column, other.column) / n_);
    return row;
  }

  // Parks what adds too little to the active features to enter: a copy of one, or what is within their span.
  void park(const Entrant& one) {
    const std::vector<double> row = row_of(one);
    const double r_kk = dot(one.column, one.column) / n_;
    for (std::size_t t = 0; t < active_.size(); ++t) {
      const double r_ii = dot(active_[t].column, active_[t].column) / n_;
      if (r_kk * r_ii - row[t] * row[t] < kWithinSpan * (r_kk * r_ii)) copy_of_[one.feature].insert(active_[t].feature);
    }
    if (!(cholesky_.complement(row, r_kk) >= kWithinSpan * r_kk)) parked_.insert(one.feature);
  }

  // Above zero once one of the suspects has entered or dropped.
  double progress(const Point& point, const Suspects& suspects) const {
    double most = -std::numeric_limits<double>::infinity();
    const std::vector<double> left = residual(point);
    for (const Entrant& one : suspects.entering) most = std::max(most, excess(one, point, left));
    for (const std::size_t t : suspects.dropping) most = std::max(most, solver_.slack(t, point.lambda, point.rows));
    return most;
  }

  double excess(const Entrant& one, const Point& point, std::span<const double> left) const {
    return correlation(one.column, left) - point.lambda - slack(one.feature);
  }

  // The point between two at which progress() is zero: above it at `low`, below it at `high` (Illinois).
  Point root(Point high, Point low, const Suspects& suspects) const {
    double above = progress(low, suspects);
    double below = progress(high, suspects);
    if (below >= -kRoot * scale_) return high;
    int side = 0;
    for (int t = 0; t < kMostRootSteps && high.lambda - low.lambda > 1e-15 * high.lambda; ++t) {
      if (above <= kRoot * scale_) break;
      const double lambda = (low.lambda * below - high.lambda * above) / (below - above);
      if (!(lambda > low.lambda && lambda < high.lambda)) break;
      Point middle = solved(lambda, low);
      const double value = progress(middle, suspects);
      if (value >= 0.0) {
        low = std::move(middle);
        above = value;
        if (side == 1) below /= 2.0;
        side = 1;
      } else {
        if (value >= -kRoot * scale_) return middle;
        high = std::move(middle);
        below = value;
        if (side == -1) above /= 2.0;
        side = -1;
      }
    }
    return low;
  }

  // To the next event, or a step further where there is none. False if the path has ended.
  bool advance() {
    const double last = kEnd * scale_;
    const Point low = solved(std::max(last, here_.lambda * (1.0 - step_)), here_);
    if (low.error > kLeastAccuracy) return end_early();
    Suspects suspects;
    add_dropping(low, suspects);
    add_entering(low, suspects);
    if (suspects.entering.empty() && suspects.dropping.empty()) {
      here_ = low;
      held_.clear();
      if (here_.lambda <= last) {
        finish();
        return false;
      }
      step_ = std::min(2.0 * step_, kLongestStep);
      return true;
    }
    Point point = root(here_, low, suspects);
    // What has happened there although it is undone at `low` comes earlier still.
    while (point.lambda < here_.lambda) {
      const bool dropping = add_dropping(point, suspects);
      if (!add_entering(point, suspects) && !dropping) break;
      point = root(here_, point, suspects);
    }
    // Where features are nearly collinear, what is above lambda may jump.
    const bool lost = point.error > kLeastAccuracy || progress(point, suspects) > (kSlack + kLeastAccuracy) * scale_;
    return lost ? end_early() : happen(point, suspects);
  }

  bool happen(const Point& point, const Suspects& suspects) {
    const double above = knots().back().lambda;
    // The same features enter and drop again, within rounding.
    if (std::ssize(knots()) > kMostKnots * (setting_.options.features + 1)) return end_early();
    if (point.lambda < here_.lambda * (1.0 - kTie)) held_.clear();
    here_ = point;
    step_ = std::clamp(2.0 * (1.0 - here_.lambda / above), kLeastStep, kMostStep);
    const double most = progress(point, suspects) - kTie * scale_;  // who is above this has its event here
    std::vector<std::size_t> dropping = suspects.dropping;
    std::erase_if(dropping, [&](std::size_t t) { return solver_.slack(t, point.lambda, point.rows) < most; });
    if (!dropping.empty()) {
      drop(*std::min_element(dropping.begin(), dropping.end(),
                             [&](std::size_t a, std::size_t b) { return active_[a].feature < active_[b].feature; }));
      return true;
    }
    const std::vector<double> left = residual(point);
    const Entrant* best = nullptr;
    for (const Entrant& one : suspects.entering) {
      if (excess(one, point, left) < most) continue;
      if (best == nullptr || one.feature < best->feature) best = &one;
    }
    return enter(*best);
  }

  std::vector<Knot>& knots() { return result_.path.knots; }

  void record(PathEvent event, FeatureId feature) {
    Knot& knot = knots().emplace_back();
    knot.lambda = here_.lambda;
    knot.event = event;
    knot.feature = feature;
    for (std::size_t t = 0; t < active_.size(); ++t) {
      const double size = norm(std::span(here_.rows).subspan(t * width_, width_));
      knot.coefficients.emplace_back(active_[t].feature, size);
    }
    result_.rows.push_back(here_.rows);
    setting_.context.report("path", static_cast<double>(active_.size()),
                            static_cast<double>(setting_.options.features));
  }

  bool enter(const Entrant& one) {
    if (std::ssize(active_) >= setting_.options.features) {
      record(PathEvent::kEnd, one.feature);
      result_.path.stop = PathStop::kFeaturesReached;
      return false;
    }
    const std::vector<double> row = row_of(one);
    const double r_kk = dot(one.column, one.column) / n_;
    std::vector<double> f;
    for (std::size_t c = 0; c < width_; ++c) f.push_back(dot(one.column, y_.column(static_cast<std::int64_t>(c))) / n_);
    solver_.append(row, r_kk, f);
    cholesky_.append(row, r_kk);
    touched_.insert(one.feature);
    if (parked_.erase(one.feature) > 0) unparked_.insert(one.feature);
    active_.push_back(one);
    here_.rows.resize(here_.rows.size() + width_, 0.0);
    record(PathEvent::kEnter, one.feature);
    return true;
  }

  void drop(std::size_t position) {
    const auto at = static_cast<std::ptrdiff_t>(position);
    const auto width = static_cast<std::ptrdiff_t>(width_);
    const FeatureId feature = active_[position].feature;
    std::fill_n(here_.rows.begin() + at * width, width_, 0.0);
    record(PathEvent::kDrop, feature);
    here_.rows.erase(here_.rows.begin() + at * width, here_.rows.begin() + (at + 1) * width);
    active_.erase(active_.begin() + at);
    solver_.remove(position);
    cholesky_.remove(static_cast<std::int64_t>(position));
    held_.insert(feature);
    unparked_.insert(parked_.begin(), parked_.end());
    parked_.clear();
  }

  // Rounding ends the path where it is; if that is where a feature has entered, without it.
  bool end_early() {
    if (knots().back().event == PathEvent::kEnter && knots().back().lambda == here_.lambda) {
      knots().pop_back();
      result_.rows.pop_back();
      active_.pop_back();
      here_.rows.resize(here_.rows.size() - width_);
    }
    record(PathEvent::kEnd, -1);
    result_.path.stop = PathStop::kNoCandidate;
    return false;
  }

  void finish() {
    record(PathEvent::kEnd, -1);
    std::set<FeatureId> out = parked_;
    for (const Entrant& one : active_) out.insert(one.feature);
    for (const auto& [k, copied] : copy_of_) {
      if (is_known_copy(k)) out.insert(k);
    }
    const bool candidate_left = std::ssize(out) < std::ssize(screen_.features());
    result_.path.stop = candidate_left ? PathStop::kLambdaZero : PathStop::kNoCandidate;
  }

  void add_touched(FeatureId k) {
    TouchedFeature& touched = result_.path.touched.emplace_back();
    touched.feature = k;
    touched.refined = true;
    touched.parked = parked_.contains(k) || unparked_.contains(k) || copy_of_.contains(k);
    if (const auto found = copy_of_.find(k); found != copy_of_.end()) {
      for (const FeatureId i : found->second) touched.pairs.emplace_back(i, 0);
    }
  }

  const Setting& setting_;
  const Responses& y_;
  const double n_;
  const std::size_t width_;
  CorrelationScreen screen_;
  const double scale_;
  GroupSolver solver_;
  Cholesky cholesky_{kWithinSpan};

  Point here_;
  double step_ = kMostStep;
  std::vector<Entrant> active_;                       // in order of entry
  std::set<FeatureId> parked_;                        // while no feature drops
  std::set<FeatureId> unparked_;                      // parked until one did
  std::set<FeatureId> held_;                          // dropped at this lambda
  std::map<FeatureId, std::set<FeatureId>> copy_of_;  // of what has been active
  std::set<FeatureId> touched_;
  LinearPath result_;
};

}  // namespace

LinearPath solve_group_path(const Setting& setting, const Responses& responses) {
  return GroupPathSolver(setting, responses).solve();
}

}  // namespace land
