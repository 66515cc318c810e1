// Options and commands in messages, as the user types them.
#pragma once

#include <string>
#include <string_view>

#include "land/base/option.h"

namespace land::cli {

// --features 0, --missing mean, land score
std::string as_typed(const Mention& mention);

// A message of the library with all marks as typed.
std::string spelled(std::string_view message);

}  // namespace land::cli
