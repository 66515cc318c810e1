// What the program's end tells the shell. README.md lists them.
#pragma once

namespace land::cli {

enum ExitCode { kOk = 0, kNoResult = 1, kBadInput = 2, kInterrupted = 130 };

}  // namespace land::cli
