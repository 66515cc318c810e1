// The options that say which samples and features are used, and how the target finds its samples.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/formats/read_table.h"

namespace land::cli {

struct SubsetArguments {
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::string samples;
  std::string exclude_samples;
  std::string match;
};

// Numbers and switches go straight to `options`.
void add_subset_options(CLI::App& command, SubsetArguments& arguments, ReadOptions& options);

// Words, once they are parsed. Throws InputError for a file that cannot be read.
void take_subset(const SubsetArguments& arguments, const Context& context, ReadOptions& options);

}  // namespace land::cli
