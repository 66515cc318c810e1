#include "land/engine/job_groups.h"

#include <algorithm>

namespace land {
namespace {

bool use_the_same(const ScoreJob& a, const ScoreJob& b) {
  if (a.subset == b.subset) return true;
  return a.subset != nullptr && b.subset != nullptr && *a.subset == *b.subset;
}

}  // namespace

JobGroups::JobGroups(std::span<const ScoreJob> jobs, std::int64_t samples, bool has_signatures) : jobs_(jobs) {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      return use_the_same(jobs[group.jobs.front()], jobs[j]);
    });
    if (found != groups_.end()) {
      found->jobs.push_back(j);
      continue;
    }
    Group& group = groups_.emplace_back();
    group.jobs.push_back(j);
    const auto& subset = jobs[j].subset;
    if (subset != nullptr) group.cut = std::make_unique<SampleCut>(samples, subset, has_signatures);
    if (!has_signatures) {
      group.keys = std::make_unique<CopyKeys>(subset != nullptr ? std::ssize(*subset) : samples);
    }
  }
}

GroupScores::GroupScores(const JobGroups& groups, const Context& context) : groups_(groups) {
  for (const JobGroups::Group& group : groups.groups()) scores_.emplace_back(group.keys.get(), context);
}

void GroupScores::score(const FeatureBlock& block, const Take& take) {
  const FeatureId first = block.headers.front().id;
  const FeatureId last = first + block.features();
  const std::span<const ScoreJob> jobs = groups_.jobs();
  const auto overlaps = [&](std::size_t j) { return jobs[j].first < last && jobs[j].last > first; };
  const auto needs_look = [&](std::size_t j) { return !jobs[j].bounds_only && overlaps(j); };
  for (std::size_t g = 0; g < scores_.size(); ++g) {
    const JobGroups::Group& group = groups_.groups()[g];
    if (std::none_of(group.jobs.begin(), group.jobs.end(), overlaps)) continue;
    if (group.cut != nullptr) group.cut->cut(block, cut_);
    const FeatureBlock& used = group.cut != nullptr ? cut_ : block;
    if (std::any_of(group.jobs.begin(), group.jobs.end(), needs_look)) scores_[g].look(used);
    for (const std::size_t j : group.jobs) {
      if (!overlaps(j)) continue;
      const Scores& part = scores_[g].score(used, jobs[j]);
      take(j, part, scores_[g].all());
    }
  }
}

}  // namespace land
