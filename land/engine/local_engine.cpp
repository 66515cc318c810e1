#include "land/engine/local_engine.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "land/blocks/copy_key.h"

namespace land {
namespace {

std::int64_t whole_strips(std::int64_t features) { return std::max(kStripWidth, features / kStripWidth * kStripWidth); }

// Features per block such that a block fits the second-level cache beside what works on it.
std::int64_t cached_block(const FeatureSource& source) {
  constexpr std::int64_t kBytes = 384 * 1024;
  const std::int64_t each = std::max<std::int64_t>(source.bytes_each(), 1);
  // With very many samples nothing fits, and less is better.
  constexpr std::int64_t kMost = std::int64_t{16} << 20U;
  const std::int64_t least = 4 * kStripWidth * each > kMost ? kStripWidth : 4 * kStripWidth;
  return std::clamp<std::int64_t>(whole_strips(kBytes / each), least, 32 * kStripWidth);
}

// What a block of one feature takes, with all that comes with it.
std::int64_t bytes_of(const FeatureBlock& block) {
  constexpr std::int64_t kAround = 128;
  return static_cast<std::int64_t>(block.payload.capacity() + sizeof(FeatureBlock) + sizeof(FeatureHeader)) + kAround;
}

// The best features that one worker has seen, with their values.
class Shortlist {
 public:
  struct Entry {
    double relevance;
    std::unique_ptr<FeatureBlock> block;
    bool operator<(const Entry& other) const { return relevance > other.relevance; }  // the worst on top
  };

  explicit Shortlist(std::size_t most) : most_(most) {}

  // Keeps copies of those features of a block that are among the best so far.
  void offer(const FeatureBlock& block, std::span<const Score> scores) {
    features_.clear();
    places_.clear();
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const double relevance = scores[k].relevance;
      if (!(relevance > 0.0) || most_ == 0 || (heap_.size() == most_ && relevance <= heap_.front().relevance)) continue;
      FeatureBlock* const place = take_place(relevance);
      const auto taken = std::find(places_.begin(), places_.end(), place) - places_.begin();
      if (taken == std::ssize(places_)) {
        places_.push_back(place);
        features_.emplace_back();
      }
      features_[static_cast<std::size_t>(taken)] = block.view(static_cast<std::int64_t>(k));
    }
    for (FeatureBlock* const place : places_) place->clear(block.samples);
    append_features(features_, places_);
  }
  void move_to(std::vector<Entry>& all) { std::move(heap_.begin(), heap_.end(), std::back_inserter(all)); }

 private:
  // A new one, or that of the worst, whose memory is used again.
  FeatureBlock* take_place(double relevance) {
    if (heap_.size() < most_) {
      heap_.push_back({0.0, std::make_unique<FeatureBlock>()});
    } else {
      std::pop_heap(heap_.begin(), heap_.end());
    }
    heap_.back().relevance = relevance;
    FeatureBlock* const place = heap_.back().block.get();
    std::push_heap(heap_.begin(), heap_.end());
    return place;
  }

  std::size_t most_;
  std::vector<Entry> heap_;
  std::vector<FeatureView> features_;  // of this block, that are kept
  std::vector<FeatureBlock*> places_;  // and where
};

}  // namespace

LocalEngine::LocalEngine(const FeatureSource& source, WorkerPool& pool, const Context& context, const Options& options)
    : source_(source),
      pool_(pool),
      context_(context),
      // Whole strips: their bounds then depend on the features alone, not on the block.
      block_size_(options.block_size > 0 ? whole_strips(options.block_size + kStripWidth - 1) : cached_block(source)),
      wanted_(options.wanted),
      most_kept_(options.most_kept),
      window_(source.mapped_bytes() > options.window ? options.window : 0) {}

std::int64_t LocalEngine::shortlisted() const {
  constexpr std::int64_t kForEach = 20;  // a path to 100 features looks at 1,400 to 2,000 in tables of noise
  constexpr std::int64_t kMost = 4000;
  const std::int64_t threads = pool_.threads();
  std::int64_t share = (std::min(kForEach * wanted_, kMost) + threads - 1) / threads;
  if (threads > 1) share += share / 8;  // the best fall to the workers by chance
  return std::min(share, most_kept_ / std::max<std::int64_t>(source_.bytes_each(), 1) / threads);
}

void LocalEngine::keep(const std::shared_ptr<const FeatureBlock>& block) {
  if (block->elsewhere != nullptr) return;  // it is cheap to refer to again
  const std::int64_t bytes = bytes_of(*block);
  if (kept_bytes_ + bytes > most_kept_) return;
  if (kept_.emplace(block->headers[0].id, block).second) kept_bytes_ += bytes;
}

void LocalEngine::load_file() {
  constexpr std::int64_t kPiece = std::int64_t{16} << 20U;
  const std::int64_t bytes = source_.mapped_bytes();
  const std::int64_t pieces = (bytes + kPiece - 1) / kPiece;
  std::mutex mutex;
  std::int64_t done = 0;
  pool_.run(pieces, [&](std::int64_t piece, int) {
    context_.check_stop();
    source_.load(piece, pieces);
    const std::lock_guard lock(mutex);
    done = std::min(done + kPiece, bytes);
    context_.report("reading", static_cast<double>(done), static_cast<double>(bytes));
  });
}

// Scores of features [first, last), block by block.
class LocalEngine::Pass {
 public:
  Pass(const LocalEngine& engine, const Scorer& scorer, FeatureId first, FeatureId last, bool refine)
      : engine_(engine),
        scorer_(scorer),
        refine_(refine),
        copy_keys_(engine.samples()),
        buffers_(static_cast<std::size_t>(engine.pool_.threads())) {
    for (std::size_t w = 0; w < buffers_.size(); ++w) {
      shortlists_.emplace_back(static_cast<std::size_t>(engine.shortlisted()));
    }
    scores_.first = first;
    scores_.resize(last - first);
    if (engine.source_.has_signatures()) {
      scores_.signatures.resize(static_cast<std::size_t>(last - first));
    } else {
      scores_.copy_keys.resize(static_cast<std::size_t>(last - first));
    }
    scores_.first_missing = last;
  }

  // `source`: the engine's, or a copy of a part of it.
  void score_block(const FeatureSource& source, FeatureId first, std::int64_t count, int worker) {
    engine_.context_.check_stop();
    FeatureBlock& block = buffers_[static_cast<std::size_t>(worker)];
    source.read(first, count, block);
    const auto begin = static_cast<std::size_t>(first - scores_.first);
    static thread_local std::vector<Score> scores;
    scores.resize(static_cast<std::size_t>(count));
    scorer_.score(block, scores);
    std::int64_t missing = 0;
    FeatureId first_missing = scores_.first + scores_.size();  // not what others write meanwhile
    for (std::int64_t k = 0; k < count; ++k) {
      const FeatureHeader& header = block.headers[static_cast<std::size_t>(k)];
      const std::size_t at = begin + static_cast<std::size_t>(k);
      Score& score = scores[static_cast<std::size_t>(k)];
      if (refine_ && !header.constant) score = scorer_.score_exactly(block.view(k));
      scores_.set(at, score);
      scores_.checksums[at] = header.checksum;
      if (!scores_.signatures.empty()) scores_.signatures[at] = header.signature;
      if (!scores_.copy_keys.empty()) scores_.copy_keys[at] = copy_keys_.key(block.view(k));
      missing += header.missing;
      if (header.missing > 0) first_missing = std::min(first_missing, header.id);
    }
    shortlists_[static_cast<std::size_t>(worker)].offer(block, scores);
    const std::lock_guard lock(mutex_);
    scores_.missing += missing;
    scores_.first_missing = std::min(scores_.first_missing, first_missing);
    done_ += count;
    engine_.context_.report("scoring", static_cast<double>(done_), static_cast<double>(scores_.size()));
  }

  Scores take(LocalEngine& engine) {
    std::vector<Shortlist::Entry> all;
    for (Shortlist& shortlist : shortlists_) shortlist.move_to(all);
    std::sort(all.begin(), all.end());  // the best first, in case not all fit
    for (Shortlist::Entry& entry : all) engine.keep(std::move(entry.block));
    if (scores_.missing == 0) scores_.first_missing = -1;
    return std::move(scores_);
  }

 private:
  const LocalEngine& engine_;
  const Scorer& scorer_;
  bool refine_;
  CopyKeys copy_keys_;
  Scores scores_;
  std::vector<FeatureBlock> buffers_;  // one per worker, like the shortlists
  std::vector<Shortlist> shortlists_;
  std::mutex mutex_;
  std::int64_t done_ = 0;
};

Scores LocalEngine::score(const Scorer& scorer, FeatureId first, FeatureId last, bool refine) {
  Pass pass(*this, scorer, first, last, refine);
  for_each_block(first, last, [&](const FeatureSource& source, FeatureId begin, std::int64_t count, int worker) {
    pass.score_block(source, begin, count, worker);
  });
  return pass.take(*this);
}

void LocalEngine::score_each(std::span<const Scorer* const> scorers, const TakeScores& take) {
  const auto workers = static_cast<std::size_t>(pool_.threads());
  std::vector<FeatureBlock> buffers(workers);
  std::vector<std::vector<Score>> scores(workers);
  std::mutex mutex;
  std::int64_t done = 0;
  for_each_block(0, features(), [&](const FeatureSource& source, FeatureId begin, std::int64_t count, int worker) {
    FeatureBlock& block = buffers[static_cast<std::size_t>(worker)];
    std::vector<Score>& own = scores[static_cast<std::size_t>(worker)];
    source.read(begin, count, block);
    own.resize(static_cast<std::size_t>(count));
    for (std::size_t s = 0; s < scorers.size(); ++s) {
      context_.check_stop();
      scorers[s]->score(block, own);
      take(s, begin, own, worker);
    }
    const std::lock_guard lock(mutex);
    done += count;
    context_.report("neighbours", static_cast<double>(done), static_cast<double>(features()));
  });
}

void LocalEngine::for_each_block(FeatureId first, FeatureId last, const VisitBlock& visit) {
  const std::int64_t each = std::max<std::int64_t>(source_.mapped_bytes() / source_.features(), 1);
  if (window_ > 0 && source_.is_scattered()) {
    // One piece of the file for each worker at a time.
    const std::int64_t piece = whole_strips(window_ / pool_.threads() / each);
    std::vector<AlignedBytes> buffers(static_cast<std::size_t>(pool_.threads()));
    pool_.run((last - first + piece - 1) / piece, [&](std::int64_t item, int worker) {
      const FeatureId begin = first + item * piece;
      const FeatureId end = std::min(begin + piece, last);
      const auto copy = source_.copy(begin, end - begin, buffers[static_cast<std::size_t>(worker)]);
      for (FeatureId at = begin; at < end; at += block_size_) {
        visit(*copy, at, std::min(block_size_, end - at), worker);
      }
    });
    return;
  }
  if (source_.is_scattered() && 2 * (last - first) > source_.features()) load_file();
  // What is read while this much of the file is computed with.
  constexpr std::int64_t kAhead = std::int64_t{32} << 20U;
  const std::int64_t ahead = (kAhead / each / block_size_ + 1) * block_size_;
  // Let go of by the piece, since that stops all threads: the piece before the one that was just done, which nobody
  // reads any more.
  const std::int64_t held = std::max<std::int64_t>(window_ / 4 / each / block_size_, 4 * pool_.threads()) * block_size_;
  const auto pieces = [&](FeatureId at) { return (at - first) / held; };
  std::vector<FeatureId> runs;
  for (FeatureId at = first; at < last;) {
    runs.push_back(at);
    const FeatureId end = source_.end_of_run(at);
    at = end > at + 1 ? end : source_.strip_start(at + block_size_);
  }
  runs.push_back(last);
  pool_.run(std::ssize(runs) - 1, [&](std::int64_t item, int worker) {
    const FeatureId end = runs[static_cast<std::size_t>(item) + 1];
    for (FeatureId begin = runs[static_cast<std::size_t>(item)]; begin < end;) {
      const std::int64_t count = std::min(source_.strip_start(begin + block_size_), end) - begin;
      if (begin + ahead < last) source_.prefetch(begin + ahead, std::min(count, last - begin - ahead));
      visit(source_, begin, count, worker);
      const std::int64_t done = pieces(begin + count);
      if (window_ > 0 && done > pieces(begin) && done >= 2) source_.release(first + (done - 2) * held, held);
      begin += count;
    }
  });
  if (window_ > 0) source_.release(first, last - first);
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
    if (window_ > 0) {
      source_.gather_sparingly(wanted, gathered);
    } else {
      source_.gather(wanted, gathered);
    }
    // What stands elsewhere stays there, unless memory is short.
    const bool stays = gathered.elsewhere != nullptr && window_ == 0;
    for (std::size_t t = first; t < last; ++t) {
      const auto position = static_cast<std::int64_t>(t - first);
      blocks[missing[t]] =
          std::make_shared<FeatureBlock>(stays ? gathered.refer(position) : gathered.extract(position));
    }
  });
  for (const std::size_t t : missing) keep(blocks[t]);
  return blocks;
}

void LocalEngine::visit(std::span<const FeatureId> ids,
                        const std::function<void(std::size_t position, const FeatureView& feature)>& look) {
  // Where many of a block are wanted, all of it is read: neighbours are had more cheaply than single features.
  constexpr std::int64_t kOneIn = 8;
  struct Buffers {
    FeatureBlock block;
    AlignedBytes copy;
  };
  std::vector<Buffers> buffers(static_cast<std::size_t>(pool_.threads()));
  std::vector<std::size_t> begins;  // positions where another block begins
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (t == 0 || ids[t] / block_size_ != ids[t - 1] / block_size_) begins.push_back(t);
  }
  begins.push_back(ids.size());
  pool_.run(std::ssize(begins) - 1, [&](std::int64_t item, int worker) {
    context_.check_stop();
    const std::size_t begin = begins[static_cast<std::size_t>(item)];
    const auto wanted = ids.subspan(begin, begins[static_cast<std::size_t>(item) + 1] - begin);
    auto& [block, copy] = buffers[static_cast<std::size_t>(worker)];
    const FeatureId first = source_.strip_start(wanted.front());
    const std::int64_t count = wanted.back() + 1 - first;
    const bool all = std::ssize(wanted) * kOneIn >= count;
    if (!all && window_ > 0) {
      source_.gather_sparingly(wanted, block);
    } else if (!all) {
      source_.gather(wanted, block);
    } else if (window_ > 0 && source_.is_scattered()) {
      source_.copy(first, count, copy)->read(first, count, block);
    } else {
      source_.read(first, count, block);
    }
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      look(begin + t, block.view(all ? wanted[t] - first : static_cast<std::int64_t>(t)));
    }
    if (all && window_ > 0) source_.release(first, count);
  });
}

}  // namespace land
