#include "cli/stop.h"

#include <csignal>

namespace land::cli {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void request_stop(int) { stop.store(true, std::memory_order_relaxed); }

}  // namespace

void handle_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // the second time the default action: the end
    ::sigaction(number, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& stop_requested() { return stop; }

}  // namespace land::cli
