// The options of every subcommand that reads a table, and what to do with them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "land/context.h"
#include "land/formats/read_table.h"
#include "land/options.h"

namespace land::cli {

struct Reading {
  std::string data;
  std::string rows;
  std::string task;
  std::string missing;  // empty: as the table says
  ReadOptions options;
};

// DATA, --target and what tells how to read them.
void add_reading_options(CLI::App& command, Reading& reading);

// --task, for those that make something of the target.
void add_task_option(CLI::App& command, Reading& reading);

Table read(const Reading& reading, const Context& context);
Task task_of(const Reading& reading);
Missing missing_of(const Reading& reading, const Table& table);

}  // namespace land::cli
