// The textbook algorithm: all f, a column of R over all features whenever one enters, every crossing computed.
#include <algorithm>

#include "land/path/path.h"
#include "land/path/path_state.h"

namespace land {

namespace {

constexpr std::int64_t kChunk = 65536;  // requests made together, to bound their memory

class PlainSolver {
 public:
  PlainSolver(std::span<const double> bound, PairOracle& oracle, const PathOptions& options)
      : oracle_(oracle), last_(oracle.stages()), state_(options) {
    for (std::size_t k = 0; k < bound.size(); ++k) {
      if (bound[k] >= 0.0) feature_.push_back(static_cast<FeatureId>(k));
    }
    f_.resize(feature_.size());
    for (std::int64_t begin = 0; begin < count(); begin += kChunk) {
      const std::int64_t length = std::min(kChunk, count() - begin);
      oracle_.prepare(std::span(feature_).subspan(begin, length));
      oracle_.relevance(std::span(feature_).subspan(begin, length), std::span(f_).subspan(begin, length));
    }
    slot_.assign(feature_.size(), -1);
    is_active_.assign(feature_.size(), 0);
    parked_.assign(feature_.size(), 0);
    diagonal_.assign(feature_.size(), -1.0);
    copy_of_.resize(feature_.size());
    line_.resize(feature_.size());
  }

  Path solve() {
    for (bool more = true; more;) {
      compute_lines();
      const Contest::Entry event = search();
      if (event.handle >= 0) {
        more = enter(event.handle, event.key);
      } else if (state_.has_drop()) {
        drop();
      } else {
        state_.finish(candidate_left());
        more = false;
      }
    }
    return finish();
  }

 private:
  struct Crossing {
    double key;
    std::int64_t index;
    bool operator<(const Crossing& other) const { return key != other.key ? key < other.key : index > other.index; }
  };

  std::int64_t count() const { return static_cast<std::int64_t>(feature_.size()); }

  bool is_copy(std::int64_t x) const {
    return std::any_of(copy_of_[x].begin(), copy_of_[x].end(), [&](std::int64_t i) { return is_active_[i]; });
  }

  void compute_lines() {
    for (std::int64_t x = 0; x < count(); ++x) line_[x] = {f_[x], 0.0};
    for (std::int64_t t = 0; t < state_.size(); ++t) {
      const double a0 = state_.a0()[t];
      const double w = state_.w()[t];
      const std::vector<double>& column = columns_[slot_[active_[t]]];
      for (std::int64_t x = 0; x < count(); ++x) {
        line_[x].u -= a0 * column[x];
        line_[x].q += w * column[x];
      }
    }
  }

  // Down the crossings above the next drop, parking what cannot enter, to the first that can and all that tie with it.
  Contest::Entry search() {
    std::vector<Crossing> heap;
    for (std::int64_t x = 0; x < count(); ++x) {
      if (is_active_[x] || is_copy(x)) continue;
      const double key = state_.entry(feature_[x], line_[x], parked_[x]);
      if (key > state_.floor()) heap.push_back({key, x});
    }
    std::make_heap(heap.begin(), heap.end());
    Contest contest;
    while (!heap.empty() && !contest.is_decided(heap.front().key)) {
      std::pop_heap(heap.begin(), heap.end());
      const auto [key, x] = heap.back();
      heap.pop_back();
      if (parked_[x] || !state_.is_singular(row_of(x), diagonal(x))) {
        contest.add(key, feature_[x], x);
        continue;
      }
      parked_[x] = 1;
      const double later = state_.entry(feature_[x], line_[x], true);
      if (later <= state_.floor()) continue;
      heap.push_back({later, x});
      std::push_heap(heap.begin(), heap.end());
    }
    return contest.winner();
  }

  std::vector<double> row_of(std::int64_t x) const {
    std::vector<double> row;
    for (const std::int64_t i : active_) row.push_back(columns_[slot_[i]][x]);
    return row;
  }

  double diagonal(std::int64_t x) {
    if (diagonal_[x] < 0.0) {
      const PairRequest request{feature_[x], feature_[x], last_};
      oracle_.evaluate(std::span(&request, 1), std::span(&diagonal_[x], 1));
    }
    return diagonal_[x];
  }

  bool enter(std::int64_t x, double lambda) {
    const std::vector<double> row = row_of(x);
    if (!state_.enter({feature_[x], f_[x], line_[x], diagonal(x), row}, lambda)) return false;
    parked_[x] = 0;
    is_active_[x] = 1;
    active_.push_back(x);
    if (slot_[x] < 0) add_column(x);
    return true;
  }

  void drop() {
    const std::int64_t position = state_.drop();
    is_active_[active_[position]] = 0;
    active_.erase(active_.begin() + position);
    std::fill(parked_.begin(), parked_.end(), 0);
  }

  void add_column(std::int64_t i) {
    slot_[i] = static_cast<std::int64_t>(columns_.size());
    columns_.emplace_back(feature_.size());
    slot_feature_.push_back(feature_[i]);
    std::vector<double>& column = columns_.back();
    std::vector<PairRequest> requests;
    for (std::int64_t begin = 0; begin < count(); begin += kChunk) {
      const std::int64_t length = std::min(kChunk, count() - begin);
      oracle_.prepare(std::span(feature_).subspan(begin, length));
      requests.clear();
      for (std::int64_t x = begin; x < begin + length; ++x) requests.push_back({feature_[x], feature_[i], last_});
      oracle_.evaluate(requests, std::span(column).subspan(begin, length));
    }
    column[i] = diagonal(i);
    for (std::int64_t x = 0; x < count(); ++x) {
      if (x == i || !state_.may_be_copy(column[x], diagonal(i))) continue;
      if (state_.is_copy(column[x], diagonal(i), diagonal(x), f_[i], f_[x])) copy_of_[x].push_back(i);
    }
  }

  bool candidate_left() const {
    for (std::int64_t x = 0; x < count(); ++x) {
      if (!is_active_[x] && !parked_[x] && !is_copy(x)) return true;
    }
    return false;
  }

  Path finish() {
    Path path = state_.take_path();
    path.pairs_by_stage.assign(last_, 0);
    for (std::int64_t x = 0; x < count(); ++x) {
      TouchedFeature touched{feature_[x], true, !is_active_[x] && (parked_[x] || is_copy(x)), {}};
      for (const FeatureId i : slot_feature_) {
        if (i != feature_[x]) touched.pairs.emplace_back(i, last_);
      }
      path.pairs_by_stage[last_ - 1] += static_cast<std::int64_t>(touched.pairs.size());
      path.touched.push_back(std::move(touched));
    }
    return path;
  }

  PairOracle& oracle_;
  const int last_;
  PathState state_;

  // By index x among the usable features.
  std::vector<FeatureId> feature_;
  std::vector<double> f_;
  std::vector<std::int64_t> slot_;  // its column, -1 if never active
  std::vector<std::uint8_t> is_active_;
  std::vector<std::uint8_t> parked_;
  std::vector<double> diagonal_;  // negative while unknown
  std::vector<std::vector<std::int64_t>> copy_of_;
  std::vector<Line> line_;

  std::vector<std::int64_t> active_;  // indices x, in order of entry
  std::vector<std::vector<double>> columns_;
  std::vector<FeatureId> slot_feature_;
};

}  // namespace

Path solve_plain_path(std::span<const double> relevance_bound, PairOracle& oracle, const PathOptions& options) {
  return PlainSolver(relevance_bound, oracle, options).solve();
}

}  // namespace land
