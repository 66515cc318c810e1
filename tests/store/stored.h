// Stores for the tests, written and read again.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cli/spelling.h"
#include "land/formats/read_table.h"
#include "land/store/convert.h"
#include "tests/support/temporary_folder.h"

namespace land::test {

inline Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

inline Table read_file(const std::string& path, const std::string& target = "") {
  ReadOptions options;
  options.target = target;
  return read_table(path, options, with_threads(2));
}

// The store of a table; small blocks, so that there are several.
inline Table stored(const Table& table, const std::string& path, Missing missing = Missing::kLevel) {
  ConvertOptions options;
  options.missing = missing;
  options.block_bytes = 20'000;
  options.memory = 100'000;
  convert(table, path, options, with_threads(2));
  return read_file(path);
}

// The message of the InputError that `work` throws; empty when it throws none.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

}  // namespace land::test
