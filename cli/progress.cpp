#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "cli/quantities.h"
#include "cli/standard_error.h"

namespace land::cli {

namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kBetweenDraws = std::chrono::milliseconds(100);
constexpr auto kHeartbeat = std::chrono::milliseconds(500);

bool terminal_can_erase() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string rate(std::string_view stage, double per_second) {
  if (stage == "reading") return bytes(per_second) + "/s";
  const char* unit = stage == "generating" ? " samples" : stage == "counting" ? " graphs" : " features";
  return short_number(per_second) + unit + "/s";
}

}  // namespace

std::string progress_line(std::string_view stage, double done, double total, double gained, double seconds) {
  std::string line(stage);
  if (total > 0.0) line += fmt::format("  {:.0f} %", std::floor(100.0 * std::clamp(done / total, 0.0, 1.0)));
  if (gained > 0.0 && seconds > 0.0) {
    const double per_second = gained / seconds;
    line += "  " + rate(stage, per_second);
    if (total > done) line += fmt::format("  {} left", duration(std::ceil((total - done) / per_second)));
  } else if (seconds >= 1.0) {
    line += "  " + duration(std::floor(seconds));
  }
  return line;
}

Progress::Progress(bool quiet) : enabled_(!quiet && terminal_can_erase()) {
  if (!enabled_) return;
  try {
    drawing_ = std::jthread([this](const std::stop_token& stop) { keep_drawing(stop); });
  } catch (const std::system_error&) {
    // No thread is to be had: the line is drawn when there is something to report.
  }
}

Progress::~Progress() { clear(); }

void Progress::operator()(std::string_view stage, double done, double total) {
  if (!enabled_) return;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_begin_ = now;
    stage_first_ = done;
  }
  done_ = done;
  total_ = total;
  if (!drawn_ || now - last_draw_ >= kBetweenDraws) draw(now);
}

void Progress::draw(Clock::time_point now) {
  if (now - begin_ < kPatience || stage_.empty()) return;
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  std::string line = progress_line(stage_, done_, total_, done_ - stage_first_, seconds);
  line.resize(std::min(line.size(), terminal_width() - 1));
  say("\r\033[K" + line);
  drawn_ = true;
  last_draw_ = now;
}

void Progress::keep_drawing(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, kHeartbeat, [] { return false; });
    const Clock::time_point now = Clock::now();
    if (!stop.stop_requested() && now - last_draw_ >= kHeartbeat / 2) draw(now);
  }
}

void Progress::clear() {
  if (!enabled_) return;
  drawing_ = {};  // nothing is drawn any more
  if (drawn_) say("\r\033[K");
  drawn_ = false;
  enabled_ = false;
}

}  // namespace land::cli
