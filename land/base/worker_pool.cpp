#include "land/base/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace land {

WorkerPool::WorkerPool(int threads) {
  threads_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
  try {
    for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error&) {
    // No more threads to be had: those that started do the work.
  }
}

WorkerPool::~WorkerPool() {
  quit_ = true;
  announce();
  threads_.clear();  // ends when they have ended: they use what is declared after them
}

void WorkerPool::announce() {
  ++runs_;
  if (sleeping_ == 0) return;
  const std::scoped_lock lock(mutex_);
  wake_.notify_all();
}

// Who takes the last of `unfinished_` away is the last to touch the run, which then may end.
void WorkerPool::finish(std::int64_t items) {
  if (unfinished_.fetch_sub(items) > items || !caller_sleeps_) return;
  const std::scoped_lock lock(mutex_);
  done_.notify_one();
}

void WorkerPool::claim_items(int worker) {
  while (true) {
    const std::int64_t unclaimed = unclaimed_.fetch_sub(1);
    if (unclaimed <= 0) return;
    try {
      (*work_)(count_ - unclaimed, worker);
    } catch (...) {
      {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
      // Nobody needs to claim the rest.
      finish(std::max<std::int64_t>(unclaimed_.exchange(0), 0) + 1);
      continue;
    }
    finish(1);
  }
}

// Batches of the path follow each other within microseconds, and to wake a thread takes tens of them.
template <class Happened>
void WorkerPool::look_out(const Happened& happened) {
  constexpr auto kLong = std::chrono::microseconds(150);
  constexpr int kLooks = 16;  // between two looks at the clock
  const auto end = std::chrono::steady_clock::now() + kLong;
  do {
    for (int look = 0; look < kLooks; ++look) {
      if (happened()) return;
#ifdef __x86_64__
      _mm_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() < end);
}

void WorkerPool::serve(int worker) {
  std::uint64_t seen = 0;
  const auto is_news = [&] { return runs_ != seen; };
  while (true) {
    look_out(is_news);
    if (!is_news()) {
      std::unique_lock lock(mutex_);
      ++sleeping_;
      wake_.wait(lock, is_news);
      --sleeping_;
    }
    seen = runs_;
    if (quit_) return;
    claim_items(worker);
  }
}

void WorkerPool::run(std::int64_t count, const std::function<void(std::int64_t, int)>& work) {
  if (threads_.empty() || count <= 1) {
    for (std::int64_t item = 0; item < count; ++item) work(item, 0);
    return;
  }
  work_ = &work;
  count_ = count;
  unfinished_ = count;
  unclaimed_ = count;
  announce();
  claim_items(0);
  const auto is_done = [this] { return unfinished_ <= 0; };
  look_out(is_done);
  if (!is_done()) {
    std::unique_lock lock(mutex_);
    caller_sleeps_ = true;
    done_.wait(lock, is_done);
    caller_sleeps_ = false;
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void parallel_for(const Context& context, std::int64_t count,
                  const std::function<void(std::int64_t item, int worker)>& work) {
  WorkerPool pool(static_cast<int>(std::min<std::int64_t>(context.threads, count)));
  pool.run(count, work);
}

}  // namespace land
