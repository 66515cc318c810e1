#include "land/engine/local_engine.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "land/engine/job_groups.h"
#include "land/engine/shortlist.h"

namespace land {
namespace {

std::int64_t whole_strips(std::int64_t features) { return std::max(kStripWidth, features / kStripWidth * kStripWidth); }

// Features per block such that a block fits the second-level cache beside what works on it.
std::int64_t cached_block(const FeatureSource& source) {
  if (source.features() == 0) return kStripWidth;
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

}  // namespace

LocalEngine::LocalEngine(const FeatureSource& source, WorkerPool& pool, const Context& context, std::int64_t block_size)
    : source_(source),
      pool_(pool),
      context_(context),
      // Whole strips: their bounds then depend on the features alone, not on the block.
      block_size_(block_size > 0 ? whole_strips(block_size + kStripWidth - 1) : cached_block(source)) {}

Shape LocalEngine::shape() const {
  return {source_.features(), source_.samples(), source_.bytes_each(), std::ssize(source_.paging().file())};
}

std::int64_t LocalEngine::shortlisted(std::int64_t wanted) const {
  constexpr std::int64_t kForEach = 20;  // a path to 100 features looks at 1,400 to 2,000 in tables of noise
  constexpr std::int64_t kMost = 4000;
  const std::int64_t threads = pool_.threads();
  std::int64_t share = (std::min(kForEach * std::min(wanted, kMost), kMost) + threads - 1) / threads;
  if (threads > 1) share += share / 8;  // the best fall to the workers by chance
  return std::min(share, memory_.kept / std::max<std::int64_t>(source_.bytes_each(), 1) / threads);
}

void LocalEngine::keep(const std::shared_ptr<const FeatureBlock>& block) {
  if (block->elsewhere != nullptr) return;  // it is cheap to refer to again
  const std::int64_t bytes = bytes_of(*block);
  if (kept_bytes_ + bytes > memory_.kept) return;
  if (kept_.emplace(block->headers[0].id, block).second) kept_bytes_ += bytes;
}

void LocalEngine::load_file() {
  constexpr std::int64_t kPiece = std::int64_t{16} << 20U;
  const Paging& paging = source_.paging();
  const std::int64_t bytes = std::ssize(paging.file());
  const std::int64_t pieces = (bytes + kPiece - 1) / kPiece;
  std::mutex mutex;
  std::int64_t done = 0;
  pool_.run(pieces, [&](std::int64_t piece, int) {
    context_.check_stop();
    paging.load(piece, pieces);
    const std::scoped_lock lock(mutex);
    done = std::min(done + kPiece, bytes);
    context_.report("reading", static_cast<double>(done), static_cast<double>(bytes));
  });
}

// Scores of several jobs, block by block.
class LocalEngine::Pass {
 public:
  Pass(const LocalEngine& engine, std::span<const ScoreJob> jobs, const TakeScores& take)
      : engine_(engine), take_(take), groups_(jobs, engine.source_.samples(), engine.source_.has_signatures()) {
    const auto shortlisted = static_cast<std::size_t>(engine.shortlisted(jobs[0].wanted));
    for (int w = 0; w < engine.pool_.threads(); ++w) {
      workers_.push_back({{}, GroupScores(groups_, engine.context_), Shortlist(shortlisted)});
    }
  }

  // `source`: the engine's, or a copy of a part of it.
  void score_block(const FeatureSource& source, FeatureId first, std::int64_t count, int worker) {
    engine_.context_.check_stop();
    const auto overlaps = [&](const ScoreJob& job) { return job.first < first + count && job.last > first; };
    if (std::none_of(groups_.jobs().begin(), groups_.jobs().end(), overlaps)) return;
    auto& [block, scores, shortlist] = workers_[static_cast<std::size_t>(worker)];
    source.read(first, count, block);
    scores.score(block, [&](std::size_t job, const Scores& part, std::span<const Score> all) {
      engine_.context_.check_stop();
      if (job == 0) shortlist.offer(block, all);
      take_(job, part, worker);
    });
  }

  // The best of the first job, to be kept.
  void shortlist_to(LocalEngine& engine) {
    std::vector<Shortlist::Entry> all;
    for (Worker& worker : workers_) worker.shortlist.move_to(all);
    std::sort(all.begin(), all.end());  // the best first, in case not all fit
    for (Shortlist::Entry& entry : all) engine.keep(std::move(entry.block));
  }

 private:
  struct Worker {
    FeatureBlock block;
    GroupScores scores;
    Shortlist shortlist;
  };

  const LocalEngine& engine_;
  const TakeScores& take_;
  JobGroups groups_;
  std::vector<Worker> workers_;
};

void LocalEngine::score(std::span<const ScoreJob> jobs, const TakeScores& take) {
  if (jobs.empty()) return;
  FeatureId first = jobs[0].first;
  FeatureId last = jobs[0].last;
  for (const ScoreJob& job : jobs) {
    check_job(job, *this);
    first = std::min(first, job.first);
    last = std::max(last, job.last);
  }
  std::vector<ScoreJob> prepared(jobs.begin(), jobs.end());
  std::vector<ScoreJob*> unprepared;
  for (ScoreJob& job : prepared) {
    if (job.scorer == nullptr) unprepared.push_back(&job);
  }
  pool_.run(std::ssize(unprepared), [&](std::int64_t item, int) {
    context_.check_stop();
    ScoreJob& job = *unprepared[static_cast<std::size_t>(item)];
    job.scorer = std::make_shared<JobScorer>(job);
  });
  Pass pass(*this, prepared, take);
  for_each_block(first, last, [&](const FeatureSource& source, FeatureId begin, std::int64_t count, int worker) {
    pass.score_block(source, begin, count, worker);
  });
  pass.shortlist_to(*this);
}

PermutedScores LocalEngine::permute(const PermutationJob& job) {
  check_job(job, *this);
  const auto scorer = job.scorer != nullptr ? job.scorer : make_permuted_scorer(job);
  struct Worker {
    FeatureBlock block;
    PermutedScores scores;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(pool_.threads()), Worker{{}, empty_scores(job)});
  std::mutex mutex;
  std::int64_t done = 0;
  const auto total = static_cast<double>(job.last - job.first);
  for_each_block(job.first, job.last,
                 [&](const FeatureSource& source, FeatureId first, std::int64_t count, int worker) {
                   auto& [block, scores] = workers[static_cast<std::size_t>(worker)];
                   // A strip at a time: with many permutations it takes long.
                   for (FeatureId at = first; at < first + count;) {
                     context_.check_stop();
                     const FeatureId next = std::min(source.strip_start(at + kStripWidth), first + count);
                     source.read(at, next - at, block);
                     scorer->score(block, job.first, job.last, context_, scores);
                     at = next;
                   }
                   const std::scoped_lock lock(mutex);
                   done += count;
                   context_.report("permuting", static_cast<double>(done), total);
                 });
  PermutedScores all;
  for (Worker& worker : workers) all.add(std::move(worker.scores));
  return all;
}

void LocalEngine::for_each_block(FeatureId first, FeatureId last, const VisitBlock& visit) {
  const Paging& paging = source_.paging();
  const std::int64_t each =
      std::max<std::int64_t>(std::ssize(paging.file()) / std::max<std::int64_t>(source_.features(), 1), 1);
  if (memory_.window > 0 && paging.is_scattered()) {
    // One piece of the file for each worker at a time.
    const std::int64_t piece = whole_strips(memory_.window / pool_.threads() / each);
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
  if (paging.is_scattered() && 2 * (last - first) > source_.features()) load_file();
  // What is read while this much of the file is computed with.
  constexpr std::int64_t kAhead = std::int64_t{32} << 20U;
  const std::int64_t ahead = (kAhead / each / block_size_ + 1) * block_size_;
  // Let go of by the piece, since that stops all threads: the piece before the one that was just done, which nobody
  // reads any more.
  const std::int64_t held =
      std::max<std::int64_t>(memory_.window / 4 / each / block_size_, 4 * pool_.threads()) * block_size_;
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
      if (begin + ahead < last) paging.prefetch(begin + ahead, std::min(count, last - begin - ahead));
      visit(source_, begin, count, worker);
      const std::int64_t done = pieces(begin + count);
      if (memory_.window > 0 && done > pieces(begin) && done >= 2) paging.release(first + (done - 2) * held, held);
      begin += count;
    }
  });
  if (memory_.window > 0) paging.release(first, last - first);
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
    if (memory_.window > 0) {
      source_.gather_sparingly(wanted, gathered);
    } else {
      source_.gather(wanted, gathered);
    }
    // What stands elsewhere stays there, unless memory is short.
    const bool stays = gathered.elsewhere != nullptr && memory_.window == 0;
    for (std::size_t t = first; t < last; ++t) {
      const auto position = static_cast<std::int64_t>(t - first);
      blocks[missing[t]] =
          std::make_shared<FeatureBlock>(stays ? gathered.refer(position) : gathered.extract(position));
    }
  });
  for (const std::size_t t : missing) keep(blocks[t]);
  return blocks;
}

void LocalEngine::visit(std::span<const FeatureId> ids, const Look& look) {
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
    if (!all && memory_.window > 0) {
      source_.gather_sparingly(wanted, block);
    } else if (!all) {
      source_.gather(wanted, block);
    } else if (memory_.window > 0 && source_.paging().is_scattered()) {
      source_.copy(first, count, copy)->read(first, count, block);
    } else {
      source_.read(first, count, block);
    }
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      look(begin + t, block.view(all ? wanted[t] - first : static_cast<std::int64_t>(t)));
    }
    if (all && memory_.window > 0) source_.paging().release(first, count);
  });
}

}  // namespace land
