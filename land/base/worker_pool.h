// A pool of threads that share out numbered items. Workers sleep when idle: nobody spins for long, so a busy machine
// costs time in proportion, not collapse. The caller works too and waits only for items that were claimed, never for
// sleeping threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "land/base/context.h"

namespace land {

class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(threads_.size()) + 1; }

  // Runs work(item, worker) for every item in [0, count), worker in [0, threads()). Items are claimed in order. The
  // first exception ends the hand-out and is rethrown here. Not reentrant.
  void run(std::int64_t count, const std::function<void(std::int64_t item, int worker)>& work);

 private:
  void serve(int worker);
  // Looks out for `happened` for as long as it takes to wake a sleeping thread, and no longer.
  template <class Happened>
  static void look_out(const Happened& happened);
  void claim_items(int worker);
  void finish(std::int64_t items);
  void announce();

  std::vector<std::jthread> threads_;
  // Of the present run. A thread that claimed an item may look at these until it has finished it.
  const std::function<void(std::int64_t, int)>* work_ = nullptr;
  std::int64_t count_ = 0;
  std::atomic<std::int64_t> unclaimed_{0};  // what a thread takes one from; not above 0: there was nothing to claim
  std::atomic<std::int64_t> unfinished_{0};
  std::atomic<std::uint64_t> runs_{0};
  std::atomic<bool> quit_{false};

  // Who goes to sleep says so first and then looks once more; who has news looks for sleepers after them. So one of the
  // two sees the other, and the mutex is left alone while all are awake.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::atomic<int> sleeping_{0};
  std::atomic<bool> caller_sleeps_{false};
  std::exception_ptr failure_;
};

// One loop over a pool of its own: for places that need threads once.
void parallel_for(const Context& context, std::int64_t count,
                  const std::function<void(std::int64_t item, int worker)>& work);

}  // namespace land
