#include "land/base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace land {
namespace {

TEST(WorkerPool, RunsEveryItemOnceHoweverShortTheRuns) {
  for (const int threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    for (int run = 0; run < 5000; ++run) {
      const std::int64_t count = run % 7;
      std::vector<std::int64_t> times(static_cast<std::size_t>(count), 0);  // plain: nobody else may write the same
      pool.run(count, [&](std::int64_t item, int worker) {
        ASSERT_LT(worker, threads);
        ++times[static_cast<std::size_t>(item)];
      });
      ASSERT_EQ(times, std::vector<std::int64_t>(times.size(), 1)) << run;
    }
  }
}

TEST(WorkerPool, WakesThoseThatSleep) {
  WorkerPool pool(4);
  for (int run = 0; run < 20; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // longer than a worker looks out
    std::atomic<std::int64_t> sum{0};
    pool.run(100, [&](std::int64_t item, int) { sum += item; });
    EXPECT_EQ(sum, 4950);
  }
}

TEST(WorkerPool, RethrowsAndGoesOn) {
  WorkerPool pool(3);
  for (int run = 0; run < 500; ++run) {
    std::atomic<std::int64_t> items{0};
    EXPECT_THROW(pool.run(1000,
                          [&](std::int64_t item, int) {
                            ++items;
                            if (item >= 10) throw std::runtime_error("item");
                          }),
                 std::runtime_error);
    EXPECT_LT(items, 100);  // the rest was not handed out
    items = 0;
    pool.run(50, [&](std::int64_t, int) { ++items; });
    EXPECT_EQ(items, 50);
  }
}

}  // namespace
}  // namespace land
