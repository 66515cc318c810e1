// Runs the program as a user would, in a folder that disappears with the test.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace land::test {

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

struct Finished {
  int exit_code = -1;  // 128 + signal if one ended it
  std::string out;
  std::string err;
  std::int64_t peak_bytes = 0;  // of memory that was resident at once
};

// Starts LAND_PROGRAM in `folder` with stdin from /dev/null, and stdout and stderr to the files given. `before` runs in
// the child. Returns its process id.
pid_t start_land(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const std::string& out,
                 const std::string& err, const std::function<void()>& before = {});
int wait_for(pid_t process, std::int64_t* peak_bytes = nullptr);

// Runs it to its end. `out` replaces standard output (its text is then not returned).
Finished run_land(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& out = {},
                  const std::function<void()>& before = {});

// "land: ...\n" and nothing else.
bool is_one_complaint(const std::string& err);

}  // namespace land::test
