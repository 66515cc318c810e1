#include "land/inference/permute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/permuting/permutations.h"

namespace land {
namespace {

constexpr std::int64_t kEnoughExceedances = 20;  // of the largest relevance: it is there by chance
constexpr std::int64_t kFirstPass = 100;         // permutations, where it may well be
constexpr double kLikely = 0.05;                 // features as relevant that chance brings: it may well be

// The number of features that chance brings is told up to this.
double most_expected(const PermutationOptions& options) {
  return std::max(1000.0, 10.0 * static_cast<double>(options.features));
}

// --- What to expect --------------------------------------------------------------------------------------------------

// Permuted relevances of a few features, spread evenly: they tell how deep the pass over all must look.
class Pilot {
 public:
  Pilot(Engine& engine, PermutationJob job, const Context& context) : features_(engine.features()) {
    constexpr std::int64_t kFeatures = 1024;
    constexpr std::int64_t kPermutations = 64;
    const std::int64_t count = std::min(kFeatures, features_);
    job.begin = 1;
    job.end = std::min(job.end, kPermutations + 1);
    job.floor = 0.0;
    PermutedScores scores = empty_scores(job);
    const auto scorer = make_permuted_scorer(job);
    std::vector<FeatureId> ids;
    for (std::int64_t k = 0; k < count; ++k) ids.push_back(k * features_ / count);
    for (const auto& block : engine.fetch(ids)) scorer->score(*block, 0, features_, context, scores);
    for (const PermutedScores::Value& value : scores.values) values_.push_back(value.relevance);
    std::sort(values_.rbegin(), values_.rend());
    share_ = static_cast<double>(features_) / static_cast<double>(count * (job.end - job.begin));
  }

  // A relevance that so many of all features reach in a permutation, on average, about; 0: all of them.
  double reached_by(double wanted) const {
    const double place = wanted / share_;
    if (place >= static_cast<double>(values_.size())) return 0.0;
    return values_[static_cast<std::size_t>(place)];
  }

  // How many of all features come as far in a permutation, on average, about: beyond what was seen, the tail goes on as
  // it fell between the hundredth part and the thousandth.
  double expected(double relevance) const {
    if (values_.size() < 1000) return static_cast<double>(features_);
    const auto at = [&](std::size_t one_in) { return values_[values_.size() / one_in]; };
    const double step = std::max(at(1000) - at(100), 1e-12);
    const double share = 1e-3 * std::pow(10.0, (at(1000) - relevance) / step);
    return std::min(share, 1.0) * static_cast<double>(features_);
  }

 private:
  std::int64_t features_;
  double share_ = 1.0;          // features that one value stands for, in one permutation
  std::vector<double> values_;  // falling
};

// --- The passes ------------------------------------------------------------------------------------------------------

// The permutation at which the largest relevance was reached often enough; `count` if none.
std::int64_t last_needed(const PermutedScores& scores) {
  std::int64_t reached = 0;
  for (std::size_t b = 1; b < scores.largest.size(); ++b) {
    if (scores.largest[b] >= scores.largest[0] * (1.0 - 1e-9)) ++reached;
    if (reached == kEnoughExceedances) return static_cast<std::int64_t>(b);
  }
  return std::ssize(scores.largest) - 1;
}

void append(PermutedScores&& later, PermutedScores& scores) {
  if (scores.largest.empty()) {
    scores = std::move(later);
    return;
  }
  scores.largest.insert(scores.largest.end(), later.largest.begin(), later.largest.end());
  scores.values.insert(scores.values.end(), later.values.begin(), later.values.end());
  scores.evaluated += later.evaluated;
}

// Permutations that are scored in one pass: what a scorer holds of the target for each must fit.
std::int64_t most_together(const Target& target, const Context& context) {
  constexpr std::int64_t kUseful = std::int64_t{1} << 30U;
  constexpr std::int64_t kColumns = 12;  // of a numeric target, at most, about
  const std::int64_t room = context.memory > 0 ? std::min(context.memory / 4, kUseful) : kUseful;
  const std::int64_t columns = target.has_classes() ? std::ssize(target.class_names) - 1 : kColumns;
  return std::max<std::int64_t>(room / (target.size() * 4 * (columns + 1)), 16);
}

// `first_pass`: how many permutations before it is looked whether more are needed.
PermutedScores run_passes(Engine& engine, PermutationJob job, std::int64_t first_pass, const Context& context) {
  const std::int64_t most = most_together(*job.target, context);
  const std::int64_t end = job.end;
  PermutedScores scores;
  for (job.begin = 0; job.begin < end; job.begin = job.end) {
    job.end = std::min(end, job.begin + (job.begin == 0 ? std::min(first_pass + 1, most) : most));
    append(engine.permute(job), scores);
    if (first_pass < end && last_needed(scores) + 1 < job.end) break;
  }
  return scores;
}

std::string few(std::int64_t count, std::int64_t samples) {
  return fmt::format("{} permutations of {} samples: no p-value can be below {:.2g}", count, samples,
                     1.0 / static_cast<double>(count + 1));
}

}  // namespace

Permuted permute(Engine& engine, const Target& target, const KernelOptions& kernel, const PermutationOptions& options,
                 const Context& context) {
  const Permutations permutations = permutations_of(target, kernel, options.seed, options.permutations);
  if (permutations.count() == 0) {
    throw InputError(fmt::format("{}: within the strata of {} there is no other arrangement of the target",
                                 option("permutations", options.permutations), option("adjust")));
  }
  PermutationJob job{.target = std::make_shared<const Target>(target),
                     .kernel = kernel,
                     .seed = options.seed,
                     .asked = options.permutations,
                     .end = permutations.count() + 1,
                     .last = engine.features()};
  const double told = most_expected(options);
  const Pilot pilot(engine, job, context);
  // Two passes where the first may show that chance is enough; it costs a second look at all features.
  const bool may_be_chance = !permutations.are_all() && pilot.expected(options.largest_relevance) > kLikely;
  PermutedScores scores;
  // Twice as deep as is told of, for the pilot is not exact; deeper if that was not enough.
  for (double depth = 2.0;; depth *= 4.0) {
    job.floor = pilot.reached_by(depth * told);
    scores = run_passes(engine, job, may_be_chance ? kFirstPass : job.end, context);
    const auto found = static_cast<double>(scores.values.size());
    if (job.floor == 0.0 || found > told * static_cast<double>(scores.largest.size())) break;
  }

  const std::int64_t count = permutations.are_all() ? permutations.count() : last_needed(scores);
  std::vector<double> values;
  std::vector<double> observed;
  for (const PermutedScores::Value& value : scores.values) {
    if (value.permutation <= count) (value.permutation == 0 ? observed : values).push_back(value.relevance);
  }
  std::vector<double> largest(scores.largest.begin() + 1, scores.largest.begin() + 1 + count);
  Permuted result{
      Chance(std::move(largest), std::move(values), std::move(observed), scores.largest[0], job.floor, told),
      permutations.distinct(),
      permutations.are_all(),
      kernel.adjustment && kernel.adjustment->has_strata(),
      kernel.adjustment && !kernel.adjustment->has_strata(),
      count < permutations.count(),
      {}};
  constexpr std::int64_t kFewPermutations = 100;
  constexpr std::int64_t kFewSamples = 20;
  if (permutations.count() < kFewPermutations || target.size() < kFewSamples) {
    result.warnings.push_back(few(permutations.count(), target.size()));
  }
  return result;
}

}  // namespace land
