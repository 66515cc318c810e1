#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cli/quantities.h"

namespace land::cli {

namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kBetweenDraws = std::chrono::milliseconds(100);

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
  }
  return line;
}

Progress::Progress(bool quiet) : enabled_(!quiet && terminal_can_erase()) {}

Progress::~Progress() { clear(); }

void Progress::operator()(std::string_view stage, double done, double total) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_begin_ = now;
    stage_first_ = done;
  }
  if (now - begin_ < kPatience || (drawn_ && now - last_draw_ < kBetweenDraws)) return;
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  std::string line = progress_line(stage, done, total, done - stage_first_, seconds);
  line.resize(std::min(line.size(), terminal_width() - 1));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
  last_draw_ = now;
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace land::cli
