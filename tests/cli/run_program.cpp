#include "tests/cli/run_program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace land::test {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

pid_t start_land(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const std::string& out,
                 const std::string& err, const std::function<void()>& before) {
  std::vector<char*> words{const_cast<char*>(LAND_PROGRAM)};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("fork failed");
  if (process == 0) {
    const auto redirect = [](int descriptor, const char* path, int flags) {
      const int opened = ::open(path, flags, 0600);
      if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(126);
    };
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    if (before) before();
    ::execv(LAND_PROGRAM, words.data());
    ::_exit(127);
  }
  return process;
}

int wait_for(pid_t process, std::int64_t* peak_bytes) {
  int status = 0;
  struct rusage used{};
  while (::wait4(process, &status, 0, &used) < 0) {
    if (errno != EINTR) throw std::runtime_error("wait4 failed");
  }
  if (peak_bytes != nullptr) *peak_bytes = std::int64_t{1024} * used.ru_maxrss;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

namespace {

// No mark of an option (land/base/option.h) may leave the program as it is, or escaped.
void check_spelled(const std::string& text) {
  for (const char* const mark : {"\x0E", "\\x0e", "\\u000e"}) {
    if (text.find(mark) != std::string::npos) throw std::runtime_error("an option is not spelled out: " + text);
  }
}

}  // namespace

Finished run_land(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& out,
                  const std::function<void()>& before) {
  const TemporaryFolder streams;
  Finished run;
  run.exit_code =
      wait_for(start_land(folder.path(), arguments, out.empty() ? streams / "out" : out, streams / "err", before),
               &run.peak_bytes);
  if (out.empty()) run.out = read_text(streams / "out");
  run.err = read_text(streams / "err");
  check_spelled(run.out);
  check_spelled(run.err);
  return run;
}

bool is_one_complaint(const std::string& err) {
  return err.starts_with("land: ") && std::count(err.begin(), err.end(), '\n') == 1 && err.back() == '\n';
}

}  // namespace land::test
