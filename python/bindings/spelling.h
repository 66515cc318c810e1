// Options and commands in messages, as a caller in Python writes them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "land/base/option.h"

namespace land::python {

// n_features=0, missing="mean", by_position=True, land.score. Of the thread that asks for it, to be used on any.
Spelling as_written();

// A message of the library with all marks as written.
std::string spelled(std::string_view message);

// Keywords that a function calls otherwise than land.select does, by the option's key, until the next call on this
// thread. Gives those before.
using Keywords = std::map<std::string, std::string>;
Keywords set_keywords(Keywords keywords);

}  // namespace land::python
