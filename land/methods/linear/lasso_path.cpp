#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "land/methods/linear/correlation_screen.h"
#include "land/methods/linear/linear_path.h"
#include "land/methods/linear/unit_column.h"
#include "land/path/path_state.h"

namespace land {
namespace {

// The two that a feature is to the path's state, as it is and with its sign changed, in the order of features.
FeatureId signed_id(FeatureId k, double sign) { return 2 * k + (sign < 0.0 ? 1 : 0); }
FeatureId feature_of(FeatureId signed_feature) { return signed_feature / 2; }
double sign_of(FeatureId signed_feature) { return signed_feature % 2 == 0 ? 1.0 : -1.0; }

// A feature with its column, and with the sign with which it is used.
struct Signed {
  FeatureId feature = -1;
  double sign = 1.0;
  std::vector<double> column;
};

// How far below lambda the next event is looked for at first, and what that grows by while there is none.
constexpr double kFirstStep = 0.02;
constexpr double kStepGrowth = 3.0;

// What rounding may do to a correlation, beside a part of lambda.
constexpr double kRounding = 2e-15;
constexpr double kMargin = 1e-9;

class LassoSolver {
 public:
  LassoSolver(const Setting& setting, const Responses& responses)
      : setting_(setting),
        y_(responses.values),
        n_(static_cast<double>(responses.samples)),
        screen_(setting, responses),
        state_({setting.options.features, 0.0,
                [&setting](std::int64_t active) {
                  setting.context.check_stop();
                  setting.context.report("path", static_cast<double>(active),
                                         static_cast<double>(setting.options.features));
                },
                kWithinSpan}) {}

  LinearPath solve() {
    for (bool more = !screen_.features().empty(); more;) {
      compute_segment();
      if (!is_accurate()) {
        end_ = state_.lambda();
        break;
      }
      const Event event = search();
      if (parked_.contains(event.entrant.feature)) {
        end_ = event.lambda;
        at_end_ = coefficients(event.lambda);
        more = false;
      } else if (event.entrant.feature >= 0) {
        more = enter(event);
      } else if (state_.has_drop()) {
        active_.erase(active_.begin() + state_.drop());
        unparked_.insert(parked_.begin(), parked_.end());
        parked_.clear();
      } else {
        more = false;
      }
    }
    return finish();
  }

 private:
  struct Event {
    double lambda = 0.0;
    Line line;
    Signed entrant;
  };
  struct Crossing {
    double key;
    FeatureId feature;
    double sign;
    Line line;
    bool operator<(const Crossing& other) const { return key != other.key ? key < other.key : feature > other.feature; }
  };

  // The residual on the segment is at_zero_ + lambda slope_.
  void compute_segment() {
    at_zero_ = y_;
    slope_.assign(y_.size(), 0.0);
    for (std::size_t t = 0; t < active_.size(); ++t) {
      add_scaled(-active_[t].sign * state_.a0()[t], active_[t].column, at_zero_);
      add_scaled(active_[t].sign * state_.w()[t], active_[t].column, slope_);
    }
  }

  // Whether rounding leaves the active features at |c| = lambda where the segment begins.
  bool is_accurate() const {
    std::vector<double> residual = at_zero_;
    if (!active_.empty()) add_scaled(state_.lambda(), slope_, residual);
    return std::all_of(active_.begin(), active_.end(), [&](const Signed& one) {
      const double c = one.sign * dot(one.column, residual) / n_;
      return std::abs(c - state_.lambda()) <= kLeastAccuracy * screen_.largest();
    });
  }

  std::vector<std::pair<FeatureId, double>> coefficients(double lambda) const {
    std::vector<std::pair<FeatureId, double>> found;
    for (std::size_t t = 0; t < active_.size(); ++t) {
      const double alpha = state_.alpha(static_cast<std::int64_t>(t), lambda);
      found.emplace_back(signed_id(active_[t].feature, active_[t].sign), std::max(0.0, alpha));
    }
    return found;
  }

  bool is_active(FeatureId k) const {
    return std::any_of(active_.begin(), active_.end(), [k](const Signed& one) { return one.feature == k; });
  }

  bool is_known_copy(FeatureId k) const {
    const auto found = copy_of_.find(k);
    return found != copy_of_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [this](FeatureId i) { return is_active(i); });
  }

  // The next entry, if there is one before the next drop and before the end. |c| - lambda is convex on the segment and
  // not above zero where it begins, so that only those whose |c| reaches lambda at its lower end can enter within it.
  Event search() {
    const double top = std::min(state_.lambda(), screen_.largest());
    for (double step = kFirstStep;; step *= kStepGrowth) {
      const double low = std::max(state_.floor(), step < 1.0 ? top * (1.0 - step) : 0.0);
      std::vector<double> residual = at_zero_;
      add_scaled(low, slope_, residual);
      std::vector<FeatureId> ids = screen_.reaching(residual, low * (1.0 - kMargin) - kRounding);
      ids.insert(ids.end(), parked_.begin(), parked_.end());
      ids.insert(ids.end(), unparked_.begin(), unparked_.end());
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      std::erase_if(ids, [this](FeatureId k) { return is_active(k) || is_known_copy(k); });
      Event event = first_entry(ids, low);
      if (event.entrant.feature >= 0 || low <= state_.floor()) return event;
    }
  }

  std::vector<Line> lines(std::span<const FeatureId> ids) {
    std::vector<Line> found(ids.size());
    setting_.engine.visit(ids, [&](std::size_t at, const FeatureView& feature) {
      static thread_local std::vector<double> column;
      column.resize(y_.size());
      unit_column(feature, column);
      found[at] = {dot(column, at_zero_) / n_, dot(column, slope_) / n_};
    });
    return found;
  }

  Crossing crossing(FeatureId k, const Line& line) const {
    const bool parked = parked_.contains(k);
    const Line mirrored{-line.u, -line.q};
    const double plus = state_.entry(signed_id(k, 1.0), line, parked);
    const double minus = state_.entry(signed_id(k, -1.0), mirrored, parked);
    return plus >= minus ? Crossing{plus, k, 1.0, line} : Crossing{minus, k, -1.0, mirrored};
  }

  // A copy of an active feature stays at |c| = lambda: its line need not cross.
  bool rides_as_copy(FeatureId k, const Line& line) {
    const double c = line.at(state_.lambda());
    if (active_.empty() || parked_.contains(k) || std::abs(c) < state_.lambda() * (1.0 - kMargin)) return false;
    const Signed one = signed_feature(k, c < 0.0 ? -1.0 : 1.0);
    return find_copies(one, row_of(one), dot(one.column, one.column) / n_);
  }

  Signed signed_feature(FeatureId k, double sign) {
    return {k, sign, unit_columns(setting_.engine, std::span(&k, 1)).front()};
  }

  // Down the crossings at or above `low`, parking what cannot enter, to the first that can and all that tie with it.
  Event first_entry(std::span<const FeatureId> ids, double low) {
    touched_.insert(ids.begin(), ids.end());
    const std::vector<Line> line = lines(ids);
    std::vector<Crossing> heap;
    const auto add = [&](const Crossing& one) {
      if (one.key <= state_.floor() || one.key < low * (1.0 - 2.0 * kTie)) return;
      heap.push_back(one);
      std::push_heap(heap.begin(), heap.end());
    };
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (rides_as_copy(ids[t], line[t])) continue;
      add(crossing(ids[t], line[t]));
    }
    Contest contest;
    std::vector<Event> events;
    while (!heap.empty() && !contest.is_decided(heap.front().key)) {
      std::pop_heap(heap.begin(), heap.end());
      const Crossing one = heap.back();
      heap.pop_back();
      Signed entrant = signed_feature(one.feature, one.sign);
      const std::vector<double> row = row_of(entrant);
      const double r_kk = dot(entrant.column, entrant.column) / n_;
      if (find_copies(entrant, row, r_kk)) continue;
      if (!parked_.contains(one.feature) && state_.is_singular(row, r_kk)) {
        parked_.insert(one.feature);
        add(crossing(one.feature, {one.sign * one.line.u, one.sign * one.line.q}));
        continue;
      }
      contest.add(one.key, one.feature, std::ssize(events));
      events.push_back({one.key, one.line, std::move(entrant)});
    }
    if (contest.empty()) return {};
    const Contest::Entry winner = contest.winner();
    return std::move(events[static_cast<std::size_t>(winner.handle)]);
  }

  double f_of(const Signed& one) const { return one.sign * dot(one.column, y_) / n_; }

  std::vector<double> row_of(const Signed& one) const {
    std::vector<double> row;
    for (const Signed& other : active_) {
      row.push_back(one.sign * other.sign * dot(one.column, other.column) / n_);
    }
    return row;
  }

  bool find_copies(const Signed& one, std::span<const double> row, double r_kk) {
    bool found = false;
    for (std::size_t t = 0; t < active_.size(); ++t) {
      const double r_ii = dot(active_[t].column, active_[t].column) / n_;
      if (!(row[t] > 0.0 && r_kk * r_ii - row[t] * row[t] < kWithinSpan * (r_kk * r_ii))) continue;
      copy_of_[one.feature].insert(active_[t].feature);
      found = true;
    }
    return found;
  }

  bool enter(const Event& event) {
    const Signed& one = event.entrant;
    const std::vector<double> row = row_of(one);
    const double r_kk = dot(one.column, one.column) / n_;
    if (!state_.enter({signed_id(one.feature, one.sign), f_of(one), event.line, r_kk, row}, event.lambda)) {
      stopped_ = true;
      return false;
    }
    active_.push_back(one);
    return true;
  }

  // At end_, where nothing that is left can enter. The last knot is undone if what entered there is at fault.
  void end_early(Path& path) const {
    Knot end{*end_, PathEvent::kEnd, -1, at_end_};
    if (at_end_.empty()) {
      const Knot last = path.knots.back();
      if (last.event == PathEvent::kEnter) path.knots.pop_back();
      for (const auto& one : last.coefficients) {
        if (one.first != last.feature) end.coefficients.push_back(one);
      }
    }
    path.knots.push_back(std::move(end));
    path.stop = PathStop::kNoCandidate;
  }

  LinearPath finish() {
    std::int64_t out = std::ssize(active_) + std::ssize(parked_);
    for (const auto& [k, copied] : copy_of_) out += !parked_.contains(k) && !is_active(k) && is_known_copy(k) ? 1 : 0;
    if (!stopped_ && !end_) state_.finish(out < std::ssize(screen_.features()));
    LinearPath result;
    result.path = state_.take_path();
    if (end_) end_early(result.path);
    for (Knot& knot : result.path.knots) {
      if (knot.feature >= 0) knot.feature = feature_of(knot.feature);
      std::vector<double>& row = result.rows.emplace_back();
      for (auto& [feature, coefficient] : knot.coefficients) {
        if (coefficient != 0.0) coefficient *= sign_of(feature);
        feature = feature_of(feature);
        row.push_back(coefficient);
      }
    }
    for (const FeatureId k : touched_) {
      TouchedFeature& touched = result.path.touched.emplace_back();
      touched.feature = k;
      touched.refined = true;
      touched.parked = parked_.contains(k) || unparked_.contains(k) || copy_of_.contains(k);
      if (const auto found = copy_of_.find(k); found != copy_of_.end()) {
        for (const FeatureId i : found->second) touched.pairs.emplace_back(i, 0);
      }
    }
    return result;
  }

  const Setting& setting_;
  const std::vector<double>& y_;
  const double n_;
  CorrelationScreen screen_;
  PathState state_;

  std::vector<Signed> active_;                        // in order of entry
  std::set<FeatureId> parked_;                        // while no feature drops
  std::set<FeatureId> unparked_;                      // parked until one did
  std::map<FeatureId, std::set<FeatureId>> copy_of_;  // of what has been active
  std::set<FeatureId> touched_;
  bool stopped_ = false;                              // with as many features as asked for
  std::optional<double> end_;                         // the lambda at which rounding ends the path
  std::vector<std::pair<FeatureId, double>> at_end_;  // with these coefficients; empty: those of the last knot
  std::vector<double> at_zero_;
  std::vector<double> slope_;
};

}  // namespace

LinearPath solve_lasso_path(const Setting& setting, const Responses& responses) {
  return LassoSolver(setting, responses).solve();
}

}  // namespace land
