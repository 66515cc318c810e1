// What to say when the system gives no more memory.
#pragma once

#include <new>
#include <string>

namespace land::cli {

// How much was asked for, where that is known, and what to do.
std::string not_enough_memory(const std::bad_alloc& error);

}  // namespace land::cli
