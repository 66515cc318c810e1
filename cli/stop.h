// Ctrl-C as a request: work ends at the next point where it looks, with nothing half-written left behind.
#pragma once

#include <atomic>

namespace land::cli {

// From now on SIGINT, SIGTERM and SIGHUP set stop_requested(), and a second one of the same kind ends the program at
// once; one that was ignored when the program started (nohup) stays so. A file larger than the system allows is an
// error of the write, not a signal.
void handle_signals();

const std::atomic<bool>& stop_requested();

}  // namespace land::cli
