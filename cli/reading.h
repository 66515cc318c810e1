// The options of every subcommand that reads a table, and what to do with them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "cli/subset_options.h"
#include "land/base/context.h"
#include "land/formats/read_table.h"
#include "land/options/options.h"

namespace land::cli {

struct Reading {
  std::string data;
  std::string rows;
  std::string task;
  std::string survival;
  std::string missing;  // empty: as the table says
  std::string adjust;   // words between commas
  SubsetArguments subset;
  ReadOptions options;
};

// DATA, --target and what tells how to read them.
void add_reading_options(CLI::App& command, Reading& reading);

// --adjust, for those that take covariates out of kernels.
void add_adjust_option(CLI::App& command, Reading& reading);

// --task, for those that make something of the target.
void add_task_option(CLI::App& command, Reading& reading);

// --survival, for those that make something of the target.
void add_survival_option(CLI::App& command, Reading& reading);

// Of --memory: what the whole program may take; 0 if it is not given.
std::int64_t memory_of(const std::string& memory);

Table read(const Reading& reading, const Context& context);
// Says how samples and target were matched, what was left out, and what else a user should know.
void tell(const Table& table);
// The one target. Throws InputError if there is none, and if there are several.
const TargetColumn& target_of(const Table& table);
Task task_of(const Reading& reading);
Missing missing_of(const Reading& reading, const Table& table);

}  // namespace land::cli
