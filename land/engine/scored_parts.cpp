#include "land/engine/scored_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "land/base/error.h"

namespace land {

ScoredParts::ScoredParts(const ScoreJob& job) : bounds_only_(job.bounds_only) {
  scores_.first = job.first;
  scores_.resize(job.last - job.first);
  if (bounds_only_) scores_.checksums.clear();
}

std::int64_t ScoredParts::add(const Scores& part) {
  const std::int64_t count = part.size();
  const std::int64_t at = part.first - scores_.first;
  const auto fits = [&](std::size_t size, bool has) { return size == (has ? part.relevance.size() : 0); };
  const bool is_signed = !part.signatures.empty();
  const bool has_keys = !part.copy_keys.empty();
  if (at < 0 || at > scores_.size() || count > scores_.size() - at || !fits(part.norm.size(), true) ||
      !fits(part.error.size(), true) || !fits(part.checksums.size(), !bounds_only_) ||
      !fits(part.signatures.size(), is_signed) || !fits(part.copy_keys.size(), has_keys)) {
    throw InputError(
        fmt::format("scores: a part of {} features from {} on is none of what was asked for", count, part.first));
  }
  std::int64_t added = 0;
  if (count > 0) {
    const std::scoped_lock lock(mutex_);
    const FeatureId last = part.first + count;
    if (const auto gaps = there_.gaps(part.first, last); gaps.size() != 1 || gaps[0] != std::pair(part.first, last)) {
      throw InputError(fmt::format("scores: features {} to {} came twice", part.first, last - 1));
    }
    if (added_ > 0 && (is_signed != is_signed_ || has_keys != has_keys_)) {
      throw InputError(
          fmt::format("scores: of features {} to {} other things are known than of the rest", part.first, last - 1));
    }
    there_.add(part.first, last);
    is_signed_ = is_signed;
    has_keys_ = has_keys;
    if (is_signed) scores_.signatures.resize(scores_.relevance.size());
    if (has_keys) scores_.copy_keys.resize(scores_.relevance.size());
    if (part.missing > 0 && (scores_.missing == 0 || part.first_missing < scores_.first_missing)) {
      scores_.first_missing = part.first_missing;
    }
    scores_.missing += part.missing;
    added = added_ += count;
  }
  // Nobody else has this range.
  scores_.place(part);
  std::copy(part.signatures.begin(), part.signatures.end(), scores_.signatures.begin() + (is_signed ? at : 0));
  std::copy(part.copy_keys.begin(), part.copy_keys.end(), scores_.copy_keys.begin() + (has_keys ? at : 0));
  return added;
}

Scores ScoredParts::take() {
  if (added_ != scores_.size()) {
    const FeatureId lacking = there_.gaps(scores_.first, scores_.first + scores_.size()).front().first;
    throw InputError(
        fmt::format("scores: those of {} features never came, the first of them {}", scores_.size() - added_, lacking));
  }
  return std::move(scores_);
}

std::vector<Scores> score_jobs(Engine& engine, std::span<const ScoreJob> jobs, const Context& context) {
  std::deque<ScoredParts> parts;
  double all = 0.0;
  for (const ScoreJob& job : jobs) {
    check_job(job, engine);  // before there is room for its scores
    parts.emplace_back(job);
    all += static_cast<double>(job.last - job.first);
  }
  std::mutex mutex;
  double done = 0.0;
  engine.score(jobs, [&](std::size_t job, const Scores& part, int) {
    parts[job].add(part);
    const std::scoped_lock lock(mutex);
    done += static_cast<double>(part.size()) / static_cast<double>(jobs.size());
    context.report("scoring", done, all / static_cast<double>(jobs.size()));
  });
  std::vector<Scores> scores;
  for (ScoredParts& part : parts) scores.push_back(part.take());
  return scores;
}

Scores score_job(Engine& engine, const ScoreJob& job, const Context& context) {
  return std::move(score_jobs(engine, {&job, 1}, context).front());
}

}  // namespace land
