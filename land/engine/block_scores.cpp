#include "land/engine/block_scores.h"

#include <algorithm>

namespace land {

void BlockScores::look(const FeatureBlock& block) {
  const auto count = static_cast<std::size_t>(block.features());
  looked_.first = block.headers[0].id;
  looked_.checksums.resize(count);
  looked_.signatures.resize(keys_ == nullptr ? count : 0);
  looked_.copy_keys.resize(keys_ == nullptr ? 0 : count);
  for (std::size_t k = 0; k < count; ++k) {
    const FeatureHeader& header = block.headers[k];
    looked_.checksums[k] = header.checksum;
    if (keys_ == nullptr) {
      looked_.signatures[k] = header.signature;
    } else {
      looked_.copy_keys[k] = keys_->key(block.view(static_cast<std::int64_t>(k)));
    }
  }
}

const Scores& BlockScores::score(const FeatureBlock& block, const ScoreJob& job) {
  const FeatureScorer& scorer = job.scorer->scorer();
  all_.resize(static_cast<std::size_t>(block.features()));
  scorer.score(block, context_, all_);
  const FeatureId begin = block.headers[0].id;
  part_.first = std::max(begin, job.first);
  const FeatureId end = std::max(part_.first, std::min(begin + block.features(), job.last));
  const auto skipped = static_cast<std::size_t>(part_.first - begin);
  const auto count = static_cast<std::size_t>(end - part_.first);
  part_.resize(end - part_.first);
  part_.missing = 0;
  part_.first_missing = -1;
  for (std::size_t k = 0; k < count; ++k) {
    const FeatureHeader& header = block.headers[skipped + k];
    Score& score = all_[skipped + k];
    if (job.refine && !header.constant) {
      context_.check_stop();
      score = scorer.score_exactly(block.view(static_cast<std::int64_t>(skipped + k)));
    }
    part_.set(k, score);
    if (header.missing == 0 || job.bounds_only) continue;
    if (part_.missing == 0) part_.first_missing = header.id;
    part_.missing += header.missing;
  }
  const auto copy = [&](const auto& from, auto& to) {
    const bool has = !job.bounds_only && from.size() > 0;
    to.resize(has ? count : 0);
    if (has) std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(skipped), count, to.begin());
  };
  copy(looked_.checksums, part_.checksums);
  copy(looked_.signatures, part_.signatures);
  copy(looked_.copy_keys, part_.copy_keys);
  return part_;
}

}  // namespace land
