#include "land/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "land/base/error.h"

namespace land {

void Engine::visit(std::span<const FeatureId> ids, const Look& look) {
  constexpr std::size_t kTogether = 256;
  for (std::size_t first = 0; first < ids.size(); first += kTogether) {
    const auto group = ids.subspan(first, std::min(kTogether, ids.size() - first));
    const auto blocks = fetch(group);
    for (std::size_t t = 0; t < group.size(); ++t) look(first + t, blocks[t]->view(0));
  }
}

PermutedScores Engine::permute(const PermutationJob& job) {
  check_job(job, *this);
  const auto scorer = job.scorer != nullptr ? job.scorer : make_permuted_scorer(job);
  PermutedScores scores = empty_scores(job);
  constexpr FeatureId kTogether = 256;
  std::vector<FeatureId> ids;
  for (FeatureId first = job.first; first < job.last; first += kTogether) {
    ids.resize(static_cast<std::size_t>(std::min(kTogether, job.last - first)));
    std::iota(ids.begin(), ids.end(), first);
    for (const auto& block : fetch(ids)) scorer->score(*block, job.first, job.last, {}, scores);
  }
  return scores;
}

void check_job(const PermutationJob& job, const Engine& engine) {
  if (job.target->size() != engine.samples()) {
    throw InputError(
        fmt::format("a job: its target has {} samples, the data {}", job.target->size(), engine.samples()));
  }
  if (job.first < 0 || job.first > job.last || job.last > engine.features()) {
    throw InputError(fmt::format("a job: features {} to {} of {}", job.first, job.last, engine.features()));
  }
}

void check_job(const ScoreJob& job, const Engine& engine) {
  const auto [features, samples, bytes_each, mapped_bytes] = engine.shape();
  if (job.subset != nullptr) {
    const SampleNumbers& subset = *job.subset;
    const bool rises = std::adjacent_find(subset.begin(), subset.end(), std::greater_equal<>()) == subset.end();
    if (subset.empty() || subset.front() < 0 || subset.back() >= samples || !rises) {
      throw InputError(fmt::format("a job: its samples are no subset of {}", samples));
    }
  }
  const std::int64_t used = job.subset != nullptr ? std::ssize(*job.subset) : samples;
  if (job.samples() != used) {
    throw InputError(fmt::format("a job: its target has {} samples, the data {}", job.samples(), used));
  }
  const auto starts = [&](FeatureId feature) { return feature == features || engine.strip_start(feature) == feature; };
  if (job.first < 0 || job.first > job.last || job.last > features || !starts(job.first) || !starts(job.last)) {
    throw InputError(fmt::format("a job: features {} to {} are no whole strips of {}", job.first, job.last, features));
  }
}

}  // namespace land
