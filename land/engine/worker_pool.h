// A pool of threads that share out numbered items. Workers sleep when idle: nobody spins, so a busy machine costs time
// in proportion, not collapse. The caller works too and waits only for items that were claimed, never for sleeping
// threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "land/context.h"

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
  void claim_items(std::unique_lock<std::mutex>& lock, int worker);

  std::vector<std::jthread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::int64_t, int)>* work_ = nullptr;
  std::int64_t next_ = 0;
  std::int64_t count_ = 0;
  std::int64_t running_ = 0;
  std::exception_ptr failure_;
  bool quit_ = false;
  // Changed together with what it stands for, to be looked at without the mutex.
  std::atomic<std::uint64_t> runs_{0};
  std::atomic<bool> busy_{false};
};

// One loop over a pool of its own: for places that need threads once.
void parallel_for(const Context& context, std::int64_t count,
                  const std::function<void(std::int64_t item, int worker)>& work);

}  // namespace land
