#include "land/engine/local_engine.h"

#include <algorithm>
#include <mutex>
#include <queue>
#include <utility>

namespace land {
namespace {

// Features per block such that a block fits the second-level cache beside what works on it.
std::int64_t cached_block(const FeatureSource& source) {
  constexpr std::int64_t kBytes = 384 * 1024;
  const std::int64_t features = kBytes / std::max<std::int64_t>(source.bytes_each(), 1) / kStripWidth * kStripWidth;
  return std::clamp<std::int64_t>(features, 4 * kStripWidth, 32 * kStripWidth);
}

// The best features that one worker has seen, with their values.
class Shortlist {
 public:
  explicit Shortlist(std::size_t most) : most_(most) {}
  void offer(const Score& score, const FeatureBlock& block, std::int64_t position) {
    if (most_ == 0 || (heap_.size() == most_ && score.relevance <= heap_.top().relevance)) return;
    if (heap_.size() == most_) heap_.pop();
    heap_.push({score.relevance, std::make_shared<FeatureBlock>(block.extract(position))});
  }
  void move_to(std::unordered_map<FeatureId, std::shared_ptr<const FeatureBlock>>& kept) {
    for (; !heap_.empty(); heap_.pop()) kept.emplace(heap_.top().block->headers[0].id, heap_.top().block);
  }

 private:
  struct Entry {
    double relevance;
    std::shared_ptr<const FeatureBlock> block;
    bool operator<(const Entry& other) const { return relevance > other.relevance; }  // the worst on top
  };
  std::size_t most_;
  std::priority_queue<Entry> heap_;
};

}  // namespace

LocalEngine::LocalEngine(const FeatureSource& source, WorkerPool& pool, const Context& context, std::int64_t block_size,
                         std::int64_t likely)
    : source_(source),
      pool_(pool),
      context_(context),
      // Whole strips: their bounds then depend on the features alone, not on the block.
      block_size_(block_size > 0 ? (block_size + kStripWidth - 1) / kStripWidth * kStripWidth : cached_block(source)),
      likely_(likely) {}

Scores LocalEngine::score(const Scorer& scorer, FeatureId first, FeatureId last, bool refine) {
  const std::int64_t features = last - first;
  const std::int64_t blocks = (features + block_size_ - 1) / block_size_;
  Scores scores;
  scores.first = first;
  scores.features.resize(static_cast<std::size_t>(features));
  scores.checksums.resize(static_cast<std::size_t>(features));
  if (source_.has_signatures()) scores.signatures.resize(static_cast<std::size_t>(features));
  scores.first_missing = last;
  std::vector<FeatureBlock> buffers(static_cast<std::size_t>(pool_.threads()));
  std::vector<Shortlist> shortlists(static_cast<std::size_t>(pool_.threads()),
                                    Shortlist(static_cast<std::size_t>(likely_)));
  std::mutex mutex;
  std::int64_t done = 0;
  pool_.run(blocks, [&](std::int64_t item, int worker) {
    context_.check_stop();
    const std::int64_t begin = item * block_size_;
    const std::int64_t count = std::min(block_size_, features - begin);
    FeatureBlock& block = buffers[static_cast<std::size_t>(worker)];
    source_.read(first + begin, count, block);
    const std::span<Score> here{scores.features.data() + begin, static_cast<std::size_t>(count)};
    scorer.score(block, here);
    std::int64_t missing = 0;
    FeatureId first_missing = last;
    for (std::int64_t k = 0; k < count; ++k) {
      const FeatureHeader& header = block.headers[static_cast<std::size_t>(k)];
      const auto at = static_cast<std::size_t>(begin + k);
      if (refine && !header.constant) scores.features[at] = scorer.score_exactly(block.view(k));
      scores.checksums[at] = header.checksum;
      if (!scores.signatures.empty()) scores.signatures[at] = header.signature;
      missing += header.missing;
      if (header.missing > 0) first_missing = std::min(first_missing, header.id);
      if (scores.features[at].relevance > 0.0) {
        shortlists[static_cast<std::size_t>(worker)].offer(scores.features[at], block, k);
      }
    }
    const std::lock_guard lock(mutex);
    scores.missing += missing;
    scores.first_missing = std::min(scores.first_missing, first_missing);
    done += count;
    context_.report("scoring", static_cast<double>(done), static_cast<double>(features));
  });
  for (Shortlist& shortlist : shortlists) shortlist.move_to(kept_);
  if (scores.missing == 0) scores.first_missing = -1;
  return scores;
}

std::vector<std::shared_ptr<const FeatureBlock>> LocalEngine::fetch(std::span<const FeatureId> ids) {
  std::vector<std::shared_ptr<const FeatureBlock>> blocks(ids.size());
  std::vector<std::size_t> missing;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (const auto found = kept_.find(ids[t]); found != kept_.end()) {
      blocks[t] = found->second;
    } else {
      missing.push_back(t);
    }
  }
  if (missing.empty()) return blocks;
  // A few side by side share the walk over the rows.
  std::sort(missing.begin(), missing.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  const std::size_t group = std::max<std::size_t>(
      1, (missing.size() + static_cast<std::size_t>(pool_.threads()) - 1) / static_cast<std::size_t>(pool_.threads()));
  pool_.run(static_cast<std::int64_t>((missing.size() + group - 1) / group), [&](std::int64_t item, int) {
    const std::size_t first = static_cast<std::size_t>(item) * group;
    const std::size_t last = std::min(missing.size(), first + group);
    std::vector<FeatureId> wanted;
    for (std::size_t t = first; t < last; ++t) wanted.push_back(ids[missing[t]]);
    FeatureBlock gathered;
    source_.gather(wanted, gathered);
    for (std::size_t t = first; t < last; ++t) {
      blocks[missing[t]] = std::make_shared<FeatureBlock>(gathered.extract(static_cast<std::int64_t>(t - first)));
    }
  });
  return blocks;
}

}  // namespace land
