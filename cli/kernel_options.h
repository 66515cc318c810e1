// The options that say how features become kernels, for every subcommand that scores or selects.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "land/options/options.h"

namespace land::cli {

struct KernelArguments {
  KernelOptions options;
  std::string measure{to_string(KernelOptions{}.measure)};
  std::string family{to_string(KernelOptions{}.family)};
  std::string sigma;  // empty: the default
  std::string transform{to_string(KernelOptions{}.transform)};
  std::int64_t bases = 0;
  std::string basis;
  bool exact = false;
};

void add_kernel_options(CLI::App& command, KernelArguments& arguments);

// `command` has been parsed.
KernelOptions kernel_of(const CLI::App& command, const KernelArguments& arguments);

}  // namespace land::cli
