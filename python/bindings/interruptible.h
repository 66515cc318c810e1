// Long work for Python: without the GIL, ended by Ctrl-C, with progress.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>

#include "land/base/context.h"

namespace land::python {

// Has the caller, with the GIL, call a function while the work waits: for work that needs Python. Throws Interrupted if
// it throws; its exception is that of run_interruptible.
using CallPython = std::function<void(const std::function<void()>&)>;

// Runs work(context) in a thread of its own while the caller, who holds the GIL, waits without it. Every so often the
// caller takes the GIL back, to let Python handle signals and to call `progress(stage, done, total)` unless that is
// None. An exception of either ends the work and is thrown; so is what `work` throws.
// `memory`: Context::memory.
void run_interruptible(int threads, std::int64_t memory, const nanobind::object& progress,
                       const std::function<void(const Context&)>& work);
void run_with_python(int threads, std::int64_t memory, const nanobind::object& progress,
                     const std::function<void(const Context&, const CallPython&)>& work);

}  // namespace land::python
