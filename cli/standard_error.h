// What the program says about itself.
#pragma once

#include <string_view>

namespace land::cli {

// Writes text to standard error. Where nobody can read it (closed, a full disk), it is lost: that is no failure of the
// work.
void say(std::string_view text);

}  // namespace land::cli
