#include "tests/support/loopback_engine.h"

#include <algorithm>
#include <random>
#include <utility>

#include "land/wire/block_message.h"
#include "land/wire/job_message.h"
#include "land/wire/permutation_message.h"
#include "land/wire/request_messages.h"
#include "land/wire/scores_message.h"

namespace land::test {

LoopbackWorker::LoopbackWorker(std::shared_ptr<const FeatureSource> source) : source_(std::move(source)) {}

std::string LoopbackWorker::shape() const {
  return to_message(Shape{source_->features(), source_->samples(), source_->bytes_each(), 0});
}

void LoopbackWorker::accept(std::span<const std::string> jobs) {
  jobs_.clear();
  for (const std::string& job : jobs) jobs_.push_back(with_scorer(read_job(job)));
  groups_.emplace(jobs_, source_->samples(), source_->has_signatures());
}

std::vector<std::string> LoopbackWorker::score(FeatureId first, FeatureId last) const {
  FeatureBlock block;
  source_->read(first, last - first, block);
  std::vector<std::string> messages(jobs_.size());
  GroupScores(*groups_, {}).score(block, [&](std::size_t job, const Scores& part, std::span<const Score>) {
    messages[job] = to_message(part);
  });
  return messages;
}

std::string LoopbackWorker::fetch(std::string_view ids) const {
  FeatureBlock block;
  source_->gather(read_ids(ids, source_->features()), block);
  return to_message(block);
}

std::string LoopbackWorker::permute(std::string_view job, FeatureId first, FeatureId last) const {
  const PermutationJob read = read_permutation_job(job);
  FeatureBlock block;
  source_->read(first, last - first, block);
  PermutedPart part{first, last, empty_scores(read)};
  make_permuted_scorer(read)->score(block, first, last, {}, part.scores);
  return to_message(part);
}

LoopbackEngine::LoopbackEngine(std::shared_ptr<const FeatureSource> source, const Context& context)
    : worker_(std::move(source)), pool_(2), context_(context) {}

Shape LoopbackEngine::shape() const { return read_shape(worker_.shape()); }

void LoopbackEngine::score(std::span<const ScoreJob> jobs, const TakeScores& take) {
  std::vector<std::string> messages;
  FeatureId first = features();
  FeatureId last = 0;
  for (const ScoreJob& job : jobs) {
    check_job(job, *this);
    first = std::min(first, job.first);
    last = std::max(last, job.last);
    messages.push_back(to_message(job));
  }
  worker_.accept(messages);
  // One to five strips at a time.
  std::mt19937_64 random(++passes_);
  std::vector<std::pair<FeatureId, FeatureId>> pieces;
  for (FeatureId begin = first; begin < last;) {
    const FeatureId far = begin + kStripWidth * static_cast<FeatureId>(1 + random() % 5);
    const FeatureId end = far >= last ? last : std::max(strip_start(far), begin + 1);
    pieces.emplace_back(begin, end);
    begin = end;
  }
  std::shuffle(pieces.begin(), pieces.end(), random);
  pool_.run(std::ssize(pieces), [&](std::int64_t item, int worker) {
    context_.check_stop();
    const auto& [begin, end] = pieces[static_cast<std::size_t>(item)];
    const std::vector<std::string> scored = worker_.score(begin, end);
    for (std::size_t j = 0; j < scored.size(); ++j) {
      if (!scored[j].empty()) take(j, read_scores_message(scored[j]), worker);
    }
  });
}

PermutedScores LoopbackEngine::permute(const PermutationJob& job) {
  check_job(job, *this);
  constexpr FeatureId kPiece = 40;
  PermutedScores all;
  for (FeatureId end = job.last; end > job.first; end = std::max(job.first, end - kPiece)) {
    const FeatureId begin = std::max(job.first, end - kPiece);
    all.add(std::move(read_permuted_part(worker_.permute(to_message(job), begin, end)).scores));
  }
  return all;
}

std::vector<std::shared_ptr<const FeatureBlock>> LoopbackEngine::fetch(std::span<const FeatureId> ids) {
  std::vector<FeatureId> wanted(ids.begin(), ids.end());
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const FeatureBlock all = read_block(worker_.fetch(to_message(wanted)), samples());
  std::vector<std::shared_ptr<const FeatureBlock>> blocks;
  for (const FeatureId id : ids) {
    const auto at = std::lower_bound(wanted.begin(), wanted.end(), id) - wanted.begin();
    blocks.push_back(std::make_shared<const FeatureBlock>(all.extract(at)));
  }
  return blocks;
}

}  // namespace land::test
