#include "land/methods/greedy_nhsic.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "land/path/untouched.h"

namespace land {
namespace {

// All fixed, so that the work done depends on the data alone.
constexpr double kTie = 1e-12;             // of the largest f
constexpr std::size_t kBatch = 128;        // features visited together
constexpr std::size_t kFirstBatch = 8;     // before anything is chosen: a visit costs a full factor
constexpr std::size_t kCompleted = 8;      // of a batch, those whose pairs go to the last stage: the nearest
constexpr std::int64_t kPairsRaised = 16;  // of a feature, from unknown to the first stage in a visit

constexpr double kLowest = -std::numeric_limits<double>::infinity();

// What is known of a feature. Pairs are counted in the order in which the others were chosen: those before
// levels[s - 1].until are at stage s or above.
struct Touched {
  struct Level {
    std::int64_t until = 0;
    double sum = 0.0;  // of the pairs at this stage
  };
  FeatureId feature = 0;
  double f = 0.0;
  bool refined = false;
  bool chosen = false;
  std::vector<Level> levels;
};

struct Front {
  double bound;
  std::size_t at;  // among those touched
  FeatureId feature;
  bool operator<(const Front& other) const {
    return bound != other.bound ? bound < other.bound : feature > other.feature;
  }
};

// What a visit asks for: one feature with those chosen from `first` to `last`, at a stage.
struct Visit {
  std::size_t at;
  int stage;
  std::int64_t first;
  std::int64_t last;
  bool refines;
};

std::vector<double> at_least_tiny(std::span<const double> bounds) {
  std::vector<double> result(bounds.begin(), bounds.end());
  for (double& bound : result) {
    if (bound == 0.0) bound = std::numeric_limits<double>::min();
  }
  return result;
}

class Greedy {
 public:
  Greedy(std::span<const double> bounds, PairOracle& oracle)
      : bounds_(at_least_tiny(bounds)), oracle_(oracle), last_(oracle.stages()), untouched_(bounds_) {
    choice_.pairs_by_stage.assign(static_cast<std::size_t>(last_), 0);
  }

  GreedyChoice choose(std::int64_t wanted, const std::function<void(std::int64_t)>& progress) {
    while (count() < wanted && choose_next(progress)) {
    }
    choice_.touched = std::ssize(touched_);
    return std::move(choice_);
  }

 private:
  std::int64_t count() const { return std::ssize(choice_.chosen); }
  bool is_exact(const Touched& one) const { return one.refined && one.levels.back().until == count(); }
  double score_bound(const Touched& one) const;
  bool choose_next(const std::function<void(std::int64_t)>& progress);
  void push(std::size_t at);
  void fill_batch();
  void plan_visits();
  void evaluate_visits();
  std::size_t touch();
  void enter(const Front& winner);

  std::vector<double> bounds_;
  PairOracle& oracle_;
  int last_;
  Untouched untouched_;
  std::vector<Touched> touched_;
  GreedyChoice choice_;
  double largest_f_ = 0.0;

  // Of the present step.
  std::vector<Front> heap_;
  std::vector<Front> exact_;  // those whose bound is their score
  double best_ = kLowest;
  std::vector<Front> batch_;
  std::vector<Visit> visits_;
  std::vector<PairRequest> requests_;
};

// The score itself if the feature is exact. Sums run in the order of choice.
double Greedy::score_bound(const Touched& one) const {
  if (count() == 0) return one.f;
  double sum = 0.0;
  for (const Touched::Level& level : one.levels) sum += level.sum;
  return one.f - sum / static_cast<double>(count());
}

bool Greedy::choose_next(const std::function<void(std::int64_t)>& progress) {
  heap_.clear();
  exact_.clear();
  best_ = kLowest;
  for (std::size_t at = 0; at < touched_.size(); ++at) {
    if (!touched_[at].chosen) heap_.push_back({score_bound(touched_[at]), at, touched_[at].feature});
  }
  std::make_heap(heap_.begin(), heap_.end());
  for (fill_batch(); !batch_.empty(); fill_batch()) {
    progress(count());
    plan_visits();
    evaluate_visits();
    for (const Front& front : batch_) push(front.at);
  }
  if (exact_.empty()) return false;
  const double tied = best_ - kTie * std::max(largest_f_, best_);
  const Front* winner = nullptr;
  for (const Front& front : exact_) {
    if (front.bound >= tied && (winner == nullptr || front.feature < winner->feature)) winner = &front;
  }
  enter(*winner);
  return true;
}

void Greedy::enter(const Front& winner) {
  largest_f_ = std::max(largest_f_, touched_[winner.at].f);
  touched_[winner.at].chosen = true;
  choice_.chosen.push_back({winner.feature, winner.bound});
  const std::size_t each = sizeof(Touched) + static_cast<std::size_t>(last_) * sizeof(Touched::Level) + sizeof(Front);
  oracle_.set_aside(
      static_cast<std::int64_t>(touched_.capacity() * each + bounds_.size() * sizeof(double) + untouched_.bytes()));
}

void Greedy::push(std::size_t at) {
  heap_.push_back({score_bound(touched_[at]), at, touched_[at].feature});
  std::push_heap(heap_.begin(), heap_.end());
}

std::size_t Greedy::touch() {
  Touched& one = touched_.emplace_back();
  one.f = untouched_.bound();
  one.feature = untouched_.take(oracle_);
  one.levels.resize(static_cast<std::size_t>(last_));
  return touched_.size() - 1;
}

// Takes from the front until the batch is full, or nothing that is left reaches the best score.
void Greedy::fill_batch() {
  batch_.clear();
  const std::size_t limit = count() == 0 ? kFirstBatch : kBatch;
  while (batch_.size() < limit) {
    const double known = heap_.empty() ? kLowest : heap_.front().bound;
    const double unknown = untouched_.empty() ? kLowest : untouched_.bound();
    const double front = std::max(known, unknown);
    // Twice the tie, so that no rounding of a bound hides one.
    if (front == kLowest || front < best_ - 2.0 * kTie * std::max(largest_f_, best_)) return;
    if (unknown >= known) {
      const std::size_t at = touch();
      batch_.push_back({unknown, at, touched_[at].feature});
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end());
    const Front next = heap_.back();
    heap_.pop_back();
    if (is_exact(touched_[next.at])) {
      exact_.push_back(next);
      best_ = std::max(best_, next.bound);
    } else {
      batch_.push_back(next);
    }
  }
}

// The lowest stage that some pair has not reached; at the last one, all pairs and f, for the first few of the batch.
void Greedy::plan_visits() {
  visits_.clear();
  std::size_t completed = 0;
  for (const Front& front : batch_) {
    const Touched& one = touched_[front.at];
    int stage = 1;
    while (stage < last_ && one.levels[static_cast<std::size_t>(stage - 1)].until == count()) ++stage;
    if (stage == last_ && ++completed > kCompleted) continue;
    const std::int64_t first = one.levels[static_cast<std::size_t>(stage - 1)].until;
    const std::int64_t last = stage == 1 && stage < last_ ? std::min(count(), first + kPairsRaised) : count();
    visits_.push_back({front.at, stage, first, last, stage == last_ && !one.refined});
  }
}

void Greedy::evaluate_visits() {
  requests_.clear();
  for (const Visit& visit : visits_) {
    const FeatureId k = touched_[visit.at].feature;
    for (std::int64_t t = visit.first; t < visit.last; ++t) {
      requests_.push_back({k, choice_.chosen[static_cast<std::size_t>(t)].feature, visit.stage});
    }
    if (visit.refines) requests_.push_back({k, kTarget, last_});
  }
  std::vector<double> answers(requests_.size());
  if (!answers.empty()) oracle_.evaluate(requests_, answers);
  std::size_t next = 0;
  for (const Visit& visit : visits_) {
    Touched& one = touched_[visit.at];
    // Pairs that this takes from lower stages, all of them, are at this one from now on.
    const auto level = static_cast<std::size_t>(visit.stage - 1);
    double lower = 0.0;
    for (std::size_t s = 0; s < level; ++s) {
      lower += std::exchange(one.levels[s].sum, 0.0);
      one.levels[s].until = visit.last;
    }
    double& sum = one.levels[level].sum;
    double raised = visit.stage == last_ ? sum : 0.0;
    for (std::int64_t t = visit.first; t < visit.last; ++t) {
      raised += visit.stage == last_ ? answers[next] : std::max(0.0, answers[next]);
      ++next;
    }
    sum = visit.stage == last_ ? raised : sum + std::max(lower, raised);
    one.levels[level].until = visit.last;
    choice_.pairs_by_stage[level] += visit.last - visit.first;
    if (visit.refines) {
      one.f = answers[next++];
      one.refined = true;
    }
  }
}

class GreedyNhsic final : public Method {
 public:
  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const std::int64_t wanted = setting.options.features;
    const GreedyChoice choice = choose_greedily(setting.bounds, pairs, wanted, [&](std::int64_t chosen) {
      setting.context.check_stop();
      setting.context.report("choosing", static_cast<double>(chosen), static_cast<double>(wanted));
    });
    record_chosen(choice.chosen, pairs, result);
    result.work.features_touched = choice.touched;
    result.work.pairs_by_stage = choice.pairs_by_stage;
    result.work.pairs_full_algorithm =
        std::ssize(choice.chosen) * (result.data.features - result.data.constant_features);
  }
};

}  // namespace

GreedyChoice choose_greedily(std::span<const double> bounds, PairOracle& oracle, std::int64_t wanted,
                             const std::function<void(std::int64_t)>& progress) {
  return Greedy(bounds, oracle).choose(wanted, progress);
}

std::unique_ptr<Method> make_greedy_nhsic() { return std::make_unique<GreedyNhsic>(); }

}  // namespace land
