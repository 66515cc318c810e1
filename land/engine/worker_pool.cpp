#include "land/engine/worker_pool.h"

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
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    ++runs_;
  }
  wake_.notify_all();
}

void WorkerPool::claim_items(std::unique_lock<std::mutex>& lock, int worker) {
  while (next_ < count_) {
    const std::int64_t item = next_++;
    const auto* work = work_;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*work)(item, worker);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (failure) {
      if (!failure_) failure_ = failure;
      next_ = count_;
    }
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
  std::unique_lock lock(mutex_);
  while (true) {
    if (!quit_ && next_ >= count_) {
      lock.unlock();
      look_out([&] { return runs_.load(std::memory_order_acquire) != seen; });
      lock.lock();
    }
    wake_.wait(lock, [this] { return quit_ || next_ < count_; });
    if (quit_) return;
    seen = runs_;
    claim_items(lock, worker);
    if (running_ == 0) {
      busy_ = false;
      done_.notify_one();
    }
  }
}

void WorkerPool::run(std::int64_t count, const std::function<void(std::int64_t, int)>& work) {
  if (threads_.empty() || count <= 1) {
    for (std::int64_t item = 0; item < count; ++item) work(item, 0);
    return;
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  count_ = count;
  failure_ = nullptr;
  ++runs_;
  busy_ = true;
  wake_.notify_all();
  claim_items(lock, 0);
  if (running_ > 0) {
    lock.unlock();
    look_out([this] { return !busy_.load(std::memory_order_acquire); });
    lock.lock();
  }
  done_.wait(lock, [this] { return running_ == 0; });
  count_ = 0;
  next_ = 0;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void parallel_for(const Context& context, std::int64_t count,
                  const std::function<void(std::int64_t item, int worker)>& work) {
  WorkerPool pool(static_cast<int>(std::min<std::int64_t>(context.threads, count)));
  pool.run(count, work);
}

}  // namespace land
