// What an algorithm may use of the world around it: threads, memory, a place to report progress, a request to stop.
// Passed down, never global.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "land/base/error.h"

namespace land {

class FilesInUse;

struct Context {
  // Number of threads to use, >= 1. Results never depend on it.
  int threads = 1;

  // Called now and then from any thread, one call at a time: a stage ("reading", "scoring", "path", "certifying"), and
  // how much of it is done. `total` is 0 when it is not known.
  std::function<void(std::string_view stage, double done, double total)> progress;

  // Set from a signal handler or another thread to end the work early; see check_stop.
  const std::atomic<bool>* stop = nullptr;

  // Bytes that the whole program may take, pages of mapped files included; 0: as much as is useful. Results never
  // depend on it.
  std::int64_t memory = 0;

  // Told of every file that is opened; read_table makes one if there is none.
  std::shared_ptr<FilesInUse> files = nullptr;

  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
  void check_stop() const {
    if (stopped()) throw Interrupted();
  }
  void report(std::string_view stage, double done, double total) const {
    if (progress) progress(stage, done, total);
  }
};

}  // namespace land
