#include "cli/standard_error.h"

#include <cstdio>

namespace land::cli {

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace land::cli
