// Best first over upper bounds of every candidate's line, raising the R_ki that decide. docs/math.md, "The lazy path is
// exact": with 0 <= V_ki <= R_ki and alpha >= 0, f_k - sum_i V_ki alpha_i bounds c_k, and where it meets lambda is
// never later than where c_k does.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "land/path/path.h"
#include "land/path/path_state.h"
#include "land/path/untouched.h"

namespace land {

namespace {

// All fixed, so that the work done depends on the data alone.
constexpr std::int64_t kLeastBatch = 32;  // candidates visited together, more where very many are in the running
constexpr std::int64_t kMostBatch = 128;
constexpr std::int64_t kBatchShare = 64;   // of those in the running, one in so many
constexpr std::int64_t kFirstBatch = 4;    // before anything is active a visit costs a full factor and is seldom needed
constexpr std::size_t kPairsPerVisit = 4;  // that go to a low stage, more where fewer than kLeastBatch are visited
constexpr std::int64_t kCompleted = 4;     // of a batch, candidates whose pairs all go to the last stage: the nearest
constexpr std::size_t kRefined = 2;        // of a batch, if one is: a single factor keeps but one thread busy
constexpr double kRaiseWeight = 0.05;      // of a pair already at a low stage, against one that is unknown
constexpr std::size_t kKnownAtFirst = 8;   // pairs of a candidate that there is room for
constexpr double kCopySuspicion = 0.97;    // V_ki above this part of R_ii: look at once whether k is a copy of i

// Candidates are the touched features, numbered as they were touched; slots the candidates that were ever active,
// numbered as they first entered.
class LazySolver {
 public:
  LazySolver(std::span<const double> bound, Redundancy& redundancy, const PathOptions& options)
      : bound_(bound), redundancy_(redundancy), last_(redundancy.stages()), untouched_(bound), state_(options) {
    usable_ = std::count_if(bound.begin(), bound.end(), [](double b) { return b >= 0.0; });
    pairs_by_stage_.assign(last_, 0);
  }

  Path solve();

 private:
  struct Front {
    double key;
    std::int64_t candidate;
    FeatureId feature;
    bool parked;  // as which its key was computed
    bool operator<(const Front& other) const { return key != other.key ? key < other.key : feature > other.feature; }
  };
  struct Known {
    std::int64_t slot;
    double value;  // V_ki
  };
  struct Coefficient {  // alpha(lambda) = a0 - lambda w
    double a0 = 0.0;
    double w = 0.0;
  };
  struct Request {
    std::int64_t candidate;
    std::int64_t position;  // in the active set
  };
  struct Raise {
    double weight;
    std::int64_t position;
    int stage;
    bool operator<(const Raise& other) const {
      return weight != other.weight ? weight > other.weight : position < other.position;
    }
  };

  std::int64_t count() const { return static_cast<std::int64_t>(feature_.size()); }
  std::int64_t slots() const { return static_cast<std::int64_t>(slot_candidate_.size()); }
  std::uint8_t& stage(std::int64_t c, std::int64_t slot) { return stage_[c * stage_stride_ + slot]; }

  bool is_known(std::int64_t c) const { return refined_[c] && missing_[c] == 0; }
  bool is_copy(std::int64_t c) const;
  bool is_candidate(std::int64_t c) const { return (slot_[c] < 0 || !slot_active_[slot_[c]]) && !is_copy(c); }
  double key(std::int64_t c, bool parked) const;

  std::int64_t touch();
  std::int64_t add_slot(std::int64_t c);
  void compute_lines();
  Line line_of(std::int64_t c) const;
  std::ptrdiff_t place_of(std::int64_t c, std::int64_t slot) const;
  double value(std::int64_t c, std::int64_t slot) const;
  void row_of(std::int64_t c, std::vector<double>& row) const;

  Contest::Entry search();
  void fill_batch(Contest& contest);
  void examine(const Front& front, Contest& contest);
  void evaluate_batch();
  void visit(const Front& front);
  void request(std::int64_t c, std::int64_t position, int at_stage);
  void complete(std::int64_t c);
  void refine_others();
  double set_pair(std::int64_t c, std::int64_t slot, double value, int at_stage);
  void need_diagonal(const std::vector<std::int64_t>& candidates);

  void enter(std::int64_t c, double lambda);
  void drop();
  // What all candidates take.
  std::int64_t bytes() const;
  bool candidate_left() const;
  Path finish();

  std::span<const double> bound_;
  Redundancy& redundancy_;
  const int last_;
  std::int64_t usable_ = 0;
  Untouched untouched_;
  PathState state_;

  std::vector<FeatureId> feature_;
  std::vector<double> f_;  // the bound until refined
  std::vector<std::uint8_t> refined_;
  std::vector<std::uint8_t> parked_;
  std::vector<double> diagonal_;                    // R_kk, negative while unknown
  std::vector<std::int64_t> slot_;                  // -1 if never active
  std::vector<std::int64_t> missing_;               // active slots with which its pair is not at the last stage
  std::vector<std::vector<std::int64_t>> copy_of_;  // slots, active or not
  std::vector<std::int64_t> suspected_;  // the slot whose pair, at a low stage, suggests that it is a copy; or -1
  std::vector<double> u_, q_;
  std::vector<std::uint8_t> stage_;  // by candidate, then slot; 0 unknown
  std::int64_t stage_stride_ = 64;
  std::vector<std::vector<Known>> known_;  // by candidate, in the order of slots: a tenth of all pairs, or less

  std::vector<std::int64_t> slot_candidate_;
  std::vector<std::uint8_t> slot_active_;
  std::vector<std::int64_t> active_;                       // slots, in order of entry
  bool in_order_ = true;                                   // they rise
  std::vector<Coefficient> segment_;                       // by slot, zero where it is not active
  std::vector<std::pair<double, std::int64_t>> by_alpha_;  // where the batch would enter, and position in A; falling

  std::vector<Front> heap_;
  std::vector<Front> batch_;
  std::vector<Front> singular_;  // met in this search
  std::vector<Raise> raises_;    // of the candidate that is visited
  std::vector<PairRequest> requests_;
  std::vector<Request> origins_;
  std::vector<double> values_;
  std::vector<std::int64_t> to_refine_;
  std::vector<std::int64_t> to_complete_;  // about to be fully known
  std::int64_t completing_ = 0;            // in this batch
  std::vector<std::int64_t> pairs_by_stage_;
  bool ended_ = false;
};

Path LazySolver::solve() {
  while (!ended_) {
    compute_lines();
    const Contest::Entry event = search();
    if (event.handle >= 0) {
      enter(event.handle, event.key);
    } else if (state_.has_drop()) {
      drop();
    } else {
      state_.finish(candidate_left());
      ended_ = true;
    }
  }
  return finish();
}

bool LazySolver::is_copy(std::int64_t c) const {
  return std::any_of(copy_of_[c].begin(), copy_of_[c].end(), [&](std::int64_t s) { return slot_active_[s]; });
}

double LazySolver::key(std::int64_t c, bool parked) const {
  const Line line{u_[c], q_[c]};
  return is_known(c) ? state_.entry(feature_[c], line, parked) : state_.entry_bound(feature_[c], line, parked);
}

std::int64_t LazySolver::touch() {
  const std::int64_t c = count();
  const FeatureId k = untouched_.take(redundancy_);
  feature_.push_back(k);
  f_.push_back(bound_[k]);
  refined_.push_back(0);
  parked_.push_back(0);
  diagonal_.push_back(-1.0);
  slot_.push_back(-1);
  missing_.push_back(state_.size());
  copy_of_.emplace_back();
  suspected_.push_back(-1);
  stage_.resize(count() * stage_stride_, 0);
  known_.emplace_back().reserve(kKnownAtFirst);
  u_.push_back(bound_[k]);
  q_.push_back(0.0);
  return c;
}

std::int64_t LazySolver::add_slot(std::int64_t c) {
  const std::int64_t slot = slots();
  if (slot == stage_stride_) {
    redundancy_.set_aside(bytes() + 2 * std::ssize(stage_));
    std::vector<std::uint8_t> wider(count() * 2 * stage_stride_, 0);
    for (std::int64_t x = 0; x < count(); ++x) {
      std::copy_n(stage_.begin() + x * stage_stride_, stage_stride_, wider.begin() + x * 2 * stage_stride_);
    }
    stage_ = std::move(wider);
    stage_stride_ *= 2;
  }
  slot_[c] = slot;
  slot_candidate_.push_back(c);
  slot_active_.push_back(0);
  for (const auto& [s, value] : known_[c]) set_pair(slot_candidate_[s], slot, value, stage(c, s));
  stage(c, slot) = static_cast<std::uint8_t>(last_);
  known_[c].push_back({slot, diagonal_[c]});
  return slot;
}

// Every line from its definition, so that none drifts from segment to segment.
void LazySolver::compute_lines() {
  in_order_ = std::is_sorted(active_.begin(), active_.end());
  segment_.assign(slots(), {});
  for (std::int64_t t = 0; t < state_.size(); ++t) segment_[active_[t]] = {state_.a0()[t], state_.w()[t]};
  constexpr std::int64_t kAhead = 8;  // lists are far apart: asked for before they are needed
  for (std::int64_t c = 0; c < count(); ++c) {
    if (c + kAhead < count()) {
      const auto* const soon = reinterpret_cast<const char*>(known_[c + kAhead].data());
      for (const int line : {0, 1, 2}) __builtin_prefetch(soon + line * 64);
    }
    const Line line = line_of(c);
    u_[c] = line.u;
    q_[c] = line.q;
  }
}

// Summed in the order of A, as the plain path does it, so that a fully known candidate has the same bits wherever its
// line was computed. That is the order of slots until a feature that was dropped enters again.
Line LazySolver::line_of(std::int64_t c) const {
  Line line{f_[c], 0.0};
  const auto add = [&](std::int64_t slot, double value) {
    line.u -= segment_[slot].a0 * value;
    line.q += segment_[slot].w * value;
  };
  if (in_order_) {
    for (const auto& [slot, value] : known_[c]) add(slot, value);
  } else {
    for (const std::int64_t slot : active_) add(slot, value(c, slot));
  }
  return line;
}

// Where the pair with a slot stands in the list of c, or would.
std::ptrdiff_t LazySolver::place_of(std::int64_t c, std::int64_t slot) const {
  const std::vector<Known>& known = known_[c];
  const auto before = [](const Known& one, std::int64_t wanted) { return one.slot < wanted; };
  return std::lower_bound(known.begin(), known.end(), slot, before) - known.begin();
}

// V_ki, 0 while it is unknown.
double LazySolver::value(std::int64_t c, std::int64_t slot) const {
  const auto at = static_cast<std::size_t>(place_of(c, slot));
  return at < known_[c].size() && known_[c][at].slot == slot ? known_[c][at].value : 0.0;
}

void LazySolver::row_of(std::int64_t c, std::vector<double>& row) const {
  row.clear();
  for (const std::int64_t slot : active_) row.push_back(value(c, slot));
}

// The next entry above the next drop, handle < 0 if there is none.
Contest::Entry LazySolver::search() {
  const double floor = state_.floor();
  heap_.clear();
  for (std::int64_t c = 0; c < count(); ++c) {
    if (!is_candidate(c)) continue;
    const double earliest = key(c, parked_[c]);
    if (earliest > floor) heap_.push_back({earliest, c, feature_[c], parked_[c] != 0});
  }
  std::make_heap(heap_.begin(), heap_.end());

  singular_.clear();
  Contest contest;
  for (fill_batch(contest); !batch_.empty(); fill_batch(contest)) {
    evaluate_batch();
    for (const Front& front : batch_) {
      const std::int64_t c = front.candidate;
      if (is_copy(c)) continue;
      const double earliest = key(c, parked_[c]);
      if (earliest <= floor) continue;
      heap_.push_back({earliest, c, feature_[c], parked_[c] != 0});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }
  // Only those met before the event are parked: which others were looked at depends on the batches.
  for (const Front& front : singular_) {
    if (!contest.is_decided(front.key)) parked_[front.candidate] = 1;
  }
  return contest.winner();
}

// Takes from the front until the batch is full or the event is decided; what is fully known joins the contest.
void LazySolver::fill_batch(Contest& contest) {
  batch_.clear();
  const std::int64_t limit = active_.empty() ? kFirstBatch : std::clamp(count() / kBatchShare, kLeastBatch, kMostBatch);
  while (static_cast<std::int64_t>(batch_.size()) < limit) {
    const double touched = heap_.empty() ? PathState::kNever : heap_.front().key;
    const double untouched =
        untouched_.empty() ? PathState::kNever : state_.entry_bound(-1, {untouched_.bound(), 0.0}, false);
    const double front = std::max(touched, untouched);
    if (front <= state_.floor() || contest.is_decided(front)) return;
    if (untouched >= touched) {
      const std::int64_t c = touch();
      batch_.push_back({untouched, c, feature_[c], false});
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end());
    const Front next = heap_.back();
    heap_.pop_back();
    if (is_known(next.candidate)) {
      examine(next, contest);
    } else {
      batch_.push_back(next);
    }
  }
}

void LazySolver::examine(const Front& front, Contest& contest) {
  const std::int64_t c = front.candidate;
  if (diagonal_[c] < 0.0) need_diagonal({c});  // when a drop, not a visit, left nothing missing
  std::vector<double> row;
  row_of(c, row);
  if (front.parked || !state_.is_singular(row, diagonal_[c])) {
    contest.add(front.key, front.feature, c);
    return;
  }
  singular_.push_back(front);
  const double later = key(c, true);
  if (later <= state_.floor()) return;
  heap_.push_back({later, c, front.feature, true});
  std::push_heap(heap_.begin(), heap_.end());
}

void LazySolver::evaluate_batch() {
  requests_.clear();
  origins_.clear();
  to_refine_.clear();
  to_complete_.clear();
  completing_ = 0;
  by_alpha_.clear();
  for (std::int64_t t = 0; t < state_.size(); ++t) {
    by_alpha_.emplace_back(std::max(0.0, state_.alpha(t, batch_.back().key)), t);
  }
  std::sort(by_alpha_.begin(), by_alpha_.end(), std::greater<>());
  for (const Front& front : batch_) visit(front);
  if (!to_refine_.empty()) refine_others();

  // With the pairs go the norms of those about to be fully known, and the relevances of those not yet refined.
  const std::size_t pairs = requests_.size();
  for (const std::int64_t c : to_complete_) {
    if (diagonal_[c] < 0.0) requests_.push_back({feature_[c], feature_[c], last_});
  }
  for (const std::int64_t c : to_refine_) requests_.push_back({feature_[c], kTarget, last_});
  if (!requests_.empty()) {
    values_.resize(requests_.size());
    redundancy_.evaluate(requests_, values_);
  }
  std::size_t next = pairs;
  for (const std::int64_t c : to_complete_) {
    if (diagonal_[c] < 0.0) diagonal_[c] = values_[next++];
  }
  for (const std::int64_t c : to_refine_) {
    const double f = values_[next++];
    u_[c] += f - f_[c];
    f_[c] = f;
    refined_[c] = 1;
  }
  std::vector<std::int64_t> suspects;
  for (std::size_t r = 0; r < pairs; ++r) {
    if (requests_[r].stage < last_) continue;
    const auto [c, position] = origins_[r];
    const bool suspect =
        diagonal_[c] < 0.0 && state_.may_be_copy(values_[r], diagonal_[slot_candidate_[active_[position]]]);
    if (suspect && (suspects.empty() || suspects.back() != c)) suspects.push_back(c);
  }
  if (!suspects.empty()) need_diagonal(suspects);
  for (std::size_t r = 0; r < pairs; ++r) {
    const auto [c, position] = origins_[r];
    const std::int64_t slot = active_[position];
    const double gain = values_[r] - set_pair(c, slot, values_[r], requests_[r].stage);
    u_[c] -= state_.a0()[position] * gain;
    q_[c] += state_.w()[position] * gain;
    if (requests_[r].stage == last_) --missing_[c];
    ++pairs_by_stage_[requests_[r].stage - 1];
    if (slot_[c] >= 0) set_pair(slot_candidate_[slot], slot_[c], values_[r], requests_[r].stage);
  }
  for (const Front& front : batch_) {
    if (!is_known(front.candidate)) continue;
    const Line line = line_of(front.candidate);
    u_[front.candidate] = line.u;
    q_[front.candidate] = line.q;
  }
}

// Asks for the pairs of one candidate that lower its bound most. Once it has none that is unknown, all go to the last
// stage together: measured within 1 % of the pairs that raising them four at a time takes, in fewer and larger batches,
// and single ones would drag whole factors through the caches.
void LazySolver::visit(const Front& front) {
  const std::int64_t c = front.candidate;
  const std::size_t most = std::max(kPairsPerVisit, kPairsPerVisit * kLeastBatch / batch_.size());
  const bool suspicious = suspected_[c] >= 0 && slot_active_[suspected_[c]];
  std::size_t unknown = 0;
  raises_.clear();
  for (const auto& [weight, position] : by_alpha_) {
    const std::int64_t slot = active_[position];
    const int at = stage(c, slot);
    if (suspicious && slot == suspected_[c]) continue;
    if (at == 0) {
      raises_.push_back({weight, position, 1});
      if (++unknown == most) break;  // those that follow weigh less, whatever their stage
    } else if (at + 1 < last_) {
      raises_.push_back({weight * kRaiseWeight, position, at + 1});
    }
  }
  if (suspicious) {
    const auto found = std::find(active_.begin(), active_.end(), suspected_[c]);
    raises_.push_back({std::numeric_limits<double>::infinity(), found - active_.begin(), last_});
  }

  if (unknown > 0 || suspicious) {
    if (raises_.size() > most) {
      std::nth_element(raises_.begin(), raises_.begin() + static_cast<std::ptrdiff_t>(most), raises_.end());
      raises_.resize(most);
    }
    std::int64_t completed = 0;
    for (const Raise& raise : raises_) {
      request(c, raise.position, raise.stage);
      completed += raise.stage == last_;
    }
    if (completed == missing_[c]) to_complete_.push_back(c);
    if (completed > 0 && !refined_[c]) to_refine_.push_back(c);
  } else if (completing_ < kCompleted) {
    complete(c);
  }  // or it stays where it is until it is nearer
}

// The nearest that is not refined will be soon.
void LazySolver::refine_others() {
  for (const Front& front : batch_) {
    if (to_refine_.size() >= kRefined) return;
    const std::int64_t c = front.candidate;
    const bool is_listed = std::find(to_refine_.begin(), to_refine_.end(), c) != to_refine_.end();
    if (!refined_[c] && !is_listed) to_refine_.push_back(c);
  }
}

void LazySolver::request(std::int64_t c, std::int64_t position, int at_stage) {
  requests_.push_back({feature_[c], feature_[slot_candidate_[active_[position]]], at_stage});
  origins_.push_back({c, position});
}

// All its pairs to the last stage.
void LazySolver::complete(std::int64_t c) {
  ++completing_;
  for (std::int64_t t = 0; t < state_.size(); ++t) {
    if (stage(c, active_[t]) < last_) request(c, t, last_);
  }
  to_complete_.push_back(c);
  if (!refined_[c]) to_refine_.push_back(c);
}

// Returns what was known before.
double LazySolver::set_pair(std::int64_t c, std::int64_t slot, double value, int at_stage) {
  const auto at = known_[c].begin() + place_of(c, slot);
  double before = 0.0;
  if (stage(c, slot) > 0) {
    before = std::exchange(at->value, value);
  } else {
    known_[c].insert(at, {slot, value});
  }
  stage(c, slot) = static_cast<std::uint8_t>(at_stage);
  const std::int64_t i = slot_candidate_[slot];
  if (at_stage < last_) {
    if (state_.may_be_copy(value / kCopySuspicion, diagonal_[i])) suspected_[c] = slot;
    return before;
  }
  if (suspected_[c] == slot) suspected_[c] = -1;
  if (state_.is_copy(value, diagonal_[i], diagonal_[c], f_[i], f_[c])) copy_of_[c].push_back(slot);
  return before;
}

void LazySolver::need_diagonal(const std::vector<std::int64_t>& candidates) {
  std::vector<PairRequest> requests;
  for (const std::int64_t c : candidates) requests.push_back({feature_[c], feature_[c], last_});
  std::vector<double> values(requests.size());
  redundancy_.evaluate(requests, values);
  for (std::size_t t = 0; t < candidates.size(); ++t) diagonal_[candidates[t]] = values[t];
}

void LazySolver::enter(std::int64_t c, double lambda) {
  std::vector<double> row;
  row_of(c, row);
  ended_ = !state_.enter({feature_[c], f_[c], {u_[c], q_[c]}, diagonal_[c], row}, lambda);
  if (ended_) return;
  parked_[c] = 0;
  const std::int64_t slot = slot_[c] >= 0 ? slot_[c] : add_slot(c);
  slot_active_[slot] = 1;
  active_.push_back(slot);
  for (std::int64_t x = 0; x < count(); ++x) missing_[x] += stage(x, slot) < last_;
  redundancy_.set_aside(bytes());
}

std::int64_t LazySolver::bytes() const {
  constexpr std::size_t kEach = 256;  // in all lists of one number, which grow, and around a list of pairs
  std::size_t sum = feature_.size() * kEach + stage_.capacity() + untouched_.bytes();
  for (const std::vector<Known>& known : known_) sum += known.capacity() * sizeof(Known);
  return static_cast<std::int64_t>(sum);
}

void LazySolver::drop() {
  const std::int64_t position = state_.drop();
  const std::int64_t slot = active_[position];
  slot_active_[slot] = 0;
  active_.erase(active_.begin() + position);
  for (std::int64_t x = 0; x < count(); ++x) missing_[x] -= stage(x, slot) < last_;
  std::fill(parked_.begin(), parked_.end(), 0);
}

bool LazySolver::candidate_left() const {
  std::int64_t out = state_.size();
  for (std::int64_t c = 0; c < count(); ++c) {
    const bool active = slot_[c] >= 0 && slot_active_[slot_[c]];
    out += !active && (parked_[c] || is_copy(c));
  }
  return out < usable_;
}

Path LazySolver::finish() {
  Path path = state_.take_path();
  path.pairs_by_stage = pairs_by_stage_;
  path.touched.reserve(feature_.size());
  for (std::int64_t c = 0; c < count(); ++c) {
    TouchedFeature touched{feature_[c], refined_[c] != 0, false, {}};
    // One list in the place of the other.
    touched.pairs.reserve(std::exchange(known_[c], {}).size());
    touched.parked = !(slot_[c] >= 0 && slot_active_[slot_[c]]) && (parked_[c] || is_copy(c));
    for (std::int64_t s = 0; s < slots(); ++s) {
      if (slot_candidate_[s] != c && stage(c, s) > 0) {
        touched.pairs.emplace_back(feature_[slot_candidate_[s]], stage(c, s));
      }
    }
    path.touched.push_back(std::move(touched));
  }
  return path;
}

}  // namespace

Path solve_lazy_path(std::span<const double> relevance_bound, Redundancy& redundancy, const PathOptions& options) {
  return LazySolver(relevance_bound, redundancy, options).solve();
}

}  // namespace land
