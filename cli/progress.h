// How far the work is, on one line of a terminal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace land::cli {

// A sink for Context::progress. Draws on stderr only if that is a terminal, and only once two seconds have passed:
// short work, pipes and log files stay clean. The line is drawn anew now and then, so that a stage that reports nothing
// for a while is seen to go on. It disappears with clear(), or when the object goes.
class Progress {
 public:
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void operator()(std::string_view stage, double done, double total);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(Clock::time_point now);
  void keep_drawing(const std::stop_token& stop);

  bool enabled_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point stage_begin_ = begin_;
  Clock::time_point last_draw_ = begin_;
  std::string stage_;
  double stage_first_ = 0.0;  // what was done when the stage was first heard of
  double done_ = 0.0;
  double total_ = 0.0;
  std::jthread drawing_;  // ends before what it uses
};

// "scoring  43 %  1.20 M features/s  12 s left", or "certifying  3 s" where that is all there is to say. Total 0: not
// known. `seconds` since the stage began, in which `gained` of the `done` were done.
std::string progress_line(std::string_view stage, double done, double total, double gained, double seconds);

}  // namespace land::cli
