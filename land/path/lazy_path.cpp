// Best first over upper bounds of every contender's line, raising the R_ki that decide. docs/math.md, "The lazy path is
// exact": with 0 <= V_ki <= R_ki and alpha >= 0, f_k - sum_i V_ki alpha_i bounds c_k, and where it meets lambda is
// never later than where c_k does.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "land/path/contenders.h"
#include "land/path/path.h"
#include "land/path/path_state.h"
#include "land/path/untouched.h"

namespace land {

namespace {

// All fixed, so that the work done depends on the data alone.
constexpr std::int64_t kLeastBatch = 32;  // contenders visited together, more where very many are in the running
constexpr std::int64_t kMostBatch = 128;
constexpr std::int64_t kBatchShare = 64;   // of those in the running, one in so many
constexpr std::int64_t kFirstBatch = 4;    // before anything is active a visit costs a full factor and is seldom needed
constexpr std::size_t kPairsPerVisit = 4;  // that go to a low stage, more where fewer than kLeastBatch are visited
constexpr std::int64_t kCompleted = 4;     // of a batch, contenders whose pairs all go to the last stage: the nearest
constexpr std::size_t kRefined = 2;        // of a batch, if one is: a single factor keeps but one thread busy
constexpr double kRaiseWeight = 0.05;      // of a pair already at a low stage, against one that is unknown

// A contender in the order in which they may enter.
struct Front {
  double key;
  std::int64_t contender;
  FeatureId feature;
  bool parked;  // as which its key was computed
  bool operator<(const Front& other) const { return key != other.key ? key < other.key : feature > other.feature; }
};

// What is asked of the oracle for the contenders of a batch.
struct Questions {
  struct Origin {
    std::int64_t contender;
    std::int64_t position;  // in the active set
  };
  std::vector<PairRequest> requests;
  std::vector<Origin> origins;                            // of the requests for pairs, which come first
  std::vector<std::int64_t> to_complete;                  // contenders about to be fully known
  std::vector<std::int64_t> to_refine;                    // whose f is asked for
  std::int64_t completing = 0;                            // whose pairs all go to the last stage
  std::vector<std::pair<double, std::int64_t>> by_alpha;  // where the batch would enter, and position in A; falling

  void clear() {
    requests.clear();
    origins.clear();
    to_complete.clear();
    to_refine.clear();
    completing = 0;
    by_alpha.clear();
  }
};

class LazySolver {
 public:
  LazySolver(std::span<const double> bound, PairOracle& oracle, const PathOptions& options)
      : bound_(bound),
        oracle_(oracle),
        last_(oracle.stages()),
        untouched_(bound),
        state_(options),
        contenders_(last_),
        pairs_by_stage_(static_cast<std::size_t>(last_), 0) {}

  Path solve();

 private:
  double key(std::int64_t c, bool parked) const;
  std::int64_t touch();

  Contest::Entry search();
  void push(const Front& front);
  void fill_batch(Contest& contest);
  void examine(const Front& front, Contest& contest);

  void evaluate_batch();
  void visit(const Front& front);
  void request(std::int64_t c, std::int64_t position, int at_stage);
  void complete(std::int64_t c);
  void refine_others();
  void take_answers(std::span<const double> answers);
  void need_diagonals_of_suspects(std::span<const double> answers);
  void need_diagonal(const std::vector<std::int64_t>& contenders);

  void enter(std::int64_t c, double lambda);
  bool candidate_left() const;

  std::span<const double> bound_;
  PairOracle& oracle_;
  const int last_;
  Untouched untouched_;
  PathState state_;
  Contenders contenders_;

  std::vector<Front> heap_;
  std::vector<Front> batch_;
  std::vector<Front> singular_;  // met in this search
  Questions questions_;          // about the batch
  std::vector<std::int64_t> pairs_by_stage_;
  bool ended_ = false;
};

Path LazySolver::solve() {
  while (!ended_) {
    contenders_.start_segment(state_);
    const Contest::Entry event = search();
    if (event.handle >= 0) {
      enter(event.handle, event.key);
    } else if (state_.has_drop()) {
      contenders_.leave(state_.drop());
    } else {
      state_.finish(candidate_left());
      ended_ = true;
    }
  }
  Path path = state_.take_path();
  path.pairs_by_stage = pairs_by_stage_;
  path.touched = contenders_.take_touched();
  return path;
}

double LazySolver::key(std::int64_t c, bool parked) const {
  const Contender& one = contenders_[c];
  return one.is_known() ? state_.entry(one.feature, one.line, parked)
                        : state_.entry_bound(one.feature, one.line, parked);
}

std::int64_t LazySolver::touch() {
  const FeatureId k = untouched_.take(oracle_);
  return contenders_.add(k, bound_[static_cast<std::size_t>(k)]);
}

// --- The next event --------------------------------------------------------------------------------------------------

void LazySolver::push(const Front& front) {
  heap_.push_back(front);
  std::push_heap(heap_.begin(), heap_.end());
}

// The next entry above the next drop, handle < 0 if there is none.
Contest::Entry LazySolver::search() {
  const double floor = state_.floor();
  heap_.clear();
  for (std::int64_t c = 0; c < contenders_.count(); ++c) {
    if (contenders_.has_entered(c) || contenders_.is_copy(c)) continue;
    const Contender& one = contenders_[c];
    const double earliest = key(c, one.parked);
    if (earliest > floor) heap_.push_back({earliest, c, one.feature, one.parked});
  }
  std::make_heap(heap_.begin(), heap_.end());

  singular_.clear();
  Contest contest;
  for (fill_batch(contest); !batch_.empty(); fill_batch(contest)) {
    evaluate_batch();
    for (const Front& front : batch_) {
      const std::int64_t c = front.contender;
      if (contenders_.is_copy(c)) continue;
      const Contender& one = contenders_[c];
      const double earliest = key(c, one.parked);
      if (earliest > floor) push({earliest, c, one.feature, one.parked});
    }
  }
  // Only those met before the event are parked: which others were looked at depends on the batches.
  for (const Front& front : singular_) {
    if (!contest.is_decided(front.key)) contenders_[front.contender].parked = true;
  }
  return contest.winner();
}

// Takes from the front until the batch is full or the event is decided; what is fully known joins the contest.
void LazySolver::fill_batch(Contest& contest) {
  batch_.clear();
  const std::int64_t limit =
      state_.size() == 0 ? kFirstBatch : std::clamp(contenders_.count() / kBatchShare, kLeastBatch, kMostBatch);
  while (std::ssize(batch_) < limit) {
    const double touched = heap_.empty() ? PathState::kNever : heap_.front().key;
    const double untouched =
        untouched_.empty() ? PathState::kNever : state_.entry_bound(-1, {untouched_.bound(), 0.0}, false);
    const double front = std::max(touched, untouched);
    if (front <= state_.floor() || contest.is_decided(front)) return;
    if (untouched >= touched) {
      const std::int64_t c = touch();
      batch_.push_back({untouched, c, contenders_[c].feature, false});
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end());
    const Front next = heap_.back();
    heap_.pop_back();
    if (contenders_[next.contender].is_known()) {
      examine(next, contest);
    } else {
      batch_.push_back(next);
    }
  }
}

void LazySolver::examine(const Front& front, Contest& contest) {
  const std::int64_t c = front.contender;
  if (contenders_[c].diagonal < 0.0) need_diagonal({c});  // when a drop, not a visit, left nothing missing
  if (front.parked || !state_.is_singular(contenders_.row_of(c), contenders_[c].diagonal)) {
    contest.add(front.key, front.feature, c);
    return;
  }
  singular_.push_back(front);
  const double later = key(c, true);
  if (later > state_.floor()) push({later, c, front.feature, true});
}

// --- A batch ---------------------------------------------------------------------------------------------------------

void LazySolver::evaluate_batch() {
  questions_.clear();
  for (std::int64_t t = 0; t < state_.size(); ++t) {
    questions_.by_alpha.emplace_back(std::max(0.0, state_.alpha(t, batch_.back().key)), t);
  }
  std::sort(questions_.by_alpha.begin(), questions_.by_alpha.end(), std::greater<>());
  for (const Front& front : batch_) visit(front);
  if (!questions_.to_refine.empty()) refine_others();

  // With the pairs go the norms of those about to be fully known, and the relevances of those not yet refined.
  for (const std::int64_t c : questions_.to_complete) {
    const Contender& one = contenders_[c];
    if (one.diagonal < 0.0) questions_.requests.push_back({one.feature, one.feature, last_});
  }
  for (const std::int64_t c : questions_.to_refine) {
    questions_.requests.push_back({contenders_[c].feature, kTarget, last_});
  }
  std::vector<double> answers(questions_.requests.size());
  if (!answers.empty()) oracle_.evaluate(questions_.requests, answers);
  take_answers(answers);
}

void LazySolver::take_answers(std::span<const double> answers) {
  const std::size_t pairs = questions_.origins.size();
  std::size_t next = pairs;
  for (const std::int64_t c : questions_.to_complete) {
    if (contenders_[c].diagonal < 0.0) contenders_[c].diagonal = answers[next++];
  }
  for (const std::int64_t c : questions_.to_refine) {
    Contender& one = contenders_[c];
    const double f = answers[next++];
    one.line.u += f - one.f;
    one.f = f;
    one.refined = true;
  }
  need_diagonals_of_suspects(answers);
  for (std::size_t r = 0; r < pairs; ++r) {
    const auto [c, position] = questions_.origins[r];
    const int at_stage = questions_.requests[r].stage;
    contenders_.learn(c, position, answers[r], at_stage, state_);
    ++pairs_by_stage_[static_cast<std::size_t>(at_stage - 1)];
  }
  for (const Front& front : batch_) {
    if (contenders_[front.contender].is_known()) contenders_.settle_line(front.contender);
  }
}

// Whether one is a copy of what it was just compared with is told by its norm.
void LazySolver::need_diagonals_of_suspects(std::span<const double> answers) {
  std::vector<std::int64_t> suspects;
  for (std::size_t r = 0; r < questions_.origins.size(); ++r) {
    if (questions_.requests[r].stage < last_) continue;
    const auto [c, position] = questions_.origins[r];
    const double other = contenders_.holder(contenders_.active()[static_cast<std::size_t>(position)]).diagonal;
    const bool suspect = contenders_[c].diagonal < 0.0 && state_.may_be_copy(answers[r], other);
    if (suspect && (suspects.empty() || suspects.back() != c)) suspects.push_back(c);
  }
  if (!suspects.empty()) need_diagonal(suspects);
}

// Asks for the pairs of one contender that lower its bound most. Once it has none that is unknown, all go to the last
// stage together: measured within 1 % of the pairs that raising them four at a time takes, in fewer and larger batches,
// and single ones would drag whole factors through the caches.
void LazySolver::visit(const Front& front) {
  struct Raise {
    double weight;
    std::int64_t position;
    int stage;
    bool operator<(const Raise& other) const {
      return weight != other.weight ? weight > other.weight : position < other.position;
    }
  };
  static thread_local std::vector<Raise> raises;
  const std::int64_t c = front.contender;
  const Contender& one = contenders_[c];
  const std::span<const std::int64_t> active = contenders_.active();
  const std::size_t most = std::max(kPairsPerVisit, kPairsPerVisit * kLeastBatch / batch_.size());
  const bool suspicious = one.suspected >= 0 && contenders_.is_active(one.suspected);
  std::size_t unknown = 0;
  raises.clear();
  for (const auto& [weight, position] : questions_.by_alpha) {
    const std::int64_t slot = active[static_cast<std::size_t>(position)];
    const int at = contenders_.stage(c, slot);
    if (suspicious && slot == one.suspected) continue;
    if (at == 0) {
      raises.push_back({weight, position, 1});
      if (++unknown == most) break;  // those that follow weigh less, whatever their stage
    } else if (at + 1 < last_) {
      raises.push_back({weight * kRaiseWeight, position, at + 1});
    }
  }
  if (suspicious) {
    const auto found = std::find(active.begin(), active.end(), one.suspected);
    raises.push_back({std::numeric_limits<double>::infinity(), found - active.begin(), last_});
  }

  if (unknown > 0 || suspicious) {
    if (raises.size() > most) {
      std::nth_element(raises.begin(), raises.begin() + static_cast<std::ptrdiff_t>(most), raises.end());
      raises.resize(most);
    }
    std::int64_t completed = 0;
    for (const Raise& raise : raises) {
      request(c, raise.position, raise.stage);
      completed += raise.stage == last_ ? 1 : 0;
    }
    if (completed == one.missing) questions_.to_complete.push_back(c);
    if (completed > 0 && !one.refined) questions_.to_refine.push_back(c);
  } else if (questions_.completing < kCompleted) {
    complete(c);
  }  // or it stays where it is until it is nearer
}

// The nearest that is not refined will be soon.
void LazySolver::refine_others() {
  std::vector<std::int64_t>& listed = questions_.to_refine;
  for (const Front& front : batch_) {
    if (listed.size() >= kRefined) return;
    const std::int64_t c = front.contender;
    if (!contenders_[c].refined && std::find(listed.begin(), listed.end(), c) == listed.end()) listed.push_back(c);
  }
}

void LazySolver::request(std::int64_t c, std::int64_t position, int at_stage) {
  const FeatureId other = contenders_.holder(contenders_.active()[static_cast<std::size_t>(position)]).feature;
  questions_.requests.push_back({contenders_[c].feature, other, at_stage});
  questions_.origins.push_back({c, position});
}

// All its pairs to the last stage.
void LazySolver::complete(std::int64_t c) {
  ++questions_.completing;
  for (std::int64_t t = 0; t < state_.size(); ++t) {
    if (contenders_.stage(c, contenders_.active()[static_cast<std::size_t>(t)]) < last_) request(c, t, last_);
  }
  questions_.to_complete.push_back(c);
  if (!contenders_[c].refined) questions_.to_refine.push_back(c);
}

void LazySolver::need_diagonal(const std::vector<std::int64_t>& contenders) {
  std::vector<PairRequest> requests;
  for (const std::int64_t c : contenders) requests.push_back({contenders_[c].feature, contenders_[c].feature, last_});
  std::vector<double> values(requests.size());
  oracle_.evaluate(requests, values);
  for (std::size_t t = 0; t < contenders.size(); ++t) contenders_[contenders[t]].diagonal = values[t];
}

// --- Events ----------------------------------------------------------------------------------------------------------

void LazySolver::enter(std::int64_t c, double lambda) {
  const Contender& one = contenders_[c];
  const std::vector<double> row = contenders_.row_of(c);
  ended_ = !state_.enter({one.feature, one.f, one.line, one.diagonal, row}, lambda);
  if (ended_) return;
  const auto bytes = [&] { return contenders_.bytes() + static_cast<std::int64_t>(untouched_.bytes()); };
  const std::int64_t growth = one.slot < 0 ? contenders_.bytes_to_grow() : 0;
  if (growth > 0) oracle_.set_aside(bytes() + growth);
  contenders_.enter(c, state_);
  oracle_.set_aside(bytes());
}

// Whether a feature could enter that is neither active nor parked.
bool LazySolver::candidate_left() const {
  std::int64_t out = state_.size();
  for (std::int64_t c = 0; c < contenders_.count(); ++c) out += contenders_.is_parked(c) ? 1 : 0;
  return out < std::count_if(bound_.begin(), bound_.end(), [](double b) { return b >= 0.0; });
}

}  // namespace

Path solve_lazy_path(std::span<const double> relevance_bound, PairOracle& oracle, const PathOptions& options) {
  return LazySolver(relevance_bound, oracle, options).solve();
}

}  // namespace land
