// Progress on a terminal, and Ctrl-C.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using Clock = std::chrono::steady_clock;
using Names = std::vector<std::string>;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::run_land;
using test::start_land;
using test::TemporaryFolder;
using test::wait_for;

// LAND_PROGRAM with a pseudo-terminal of 60 columns for all its streams.
class Terminal {
 public:
  Terminal(const std::filesystem::path& folder, const Names& arguments) {
    std::vector<char*> words{const_cast<char*>(LAND_PROGRAM)};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    winsize size{24, 60, 0, 0};
    process_ = ::forkpty(&descriptor_, nullptr, nullptr, &size);
    if (process_ == 0) {
      ::setenv("TERM", "xterm", 1);
      if (::chdir(folder.c_str()) == 0) ::execv(LAND_PROGRAM, words.data());
      ::_exit(127);
    }
  }
  ~Terminal() { ::close(descriptor_); }

  // Reads what is shown until it contains `text`, the program ends or the time is over.
  bool shows(const std::string& text, seconds patience) {
    const Clock::time_point end = Clock::now() + patience;
    while (seen_.find(text) == std::string::npos && Clock::now() < end) {
      pollfd waiting{descriptor_, POLLIN, 0};
      if (::poll(&waiting, 1, 50) <= 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(descriptor_, buffer, sizeof buffer);
      if (count <= 0) break;
      seen_.append(buffer, static_cast<std::size_t>(count));
    }
    return seen_.find(text) != std::string::npos;
  }
  void type(char key) { ASSERT_EQ(::write(descriptor_, &key, 1), 1); }
  int exit_code() { return wait_for(process_); }
  const std::string& seen() const { return seen_; }

 private:
  pid_t process_ = -1;
  int descriptor_ = -1;
  std::string seen_;
};

// Hours of work that take no space.
Names endless_work(const TemporaryFolder& folder) {
  std::filesystem::create_symlink("/dev/null", folder / "endless.csv");
  return {"generate", "table", "endless.csv", "--features", "10000", "--samples", "100000000"};
}

TEST(ProgressLine, AppearsAfterTwoSecondsOnATerminalAndGoesAway) {
  const TemporaryFolder folder;
  Terminal terminal(folder.path(), endless_work(folder));
  const Clock::time_point begin = Clock::now();
  ASSERT_TRUE(terminal.shows(" left", seconds(20))) << terminal.seen();
  EXPECT_GT(Clock::now() - begin, milliseconds(1900));
  EXPECT_NE(terminal.seen().find("generating  0 %"), std::string::npos) << terminal.seen();
  EXPECT_NE(terminal.seen().find("samples/s"), std::string::npos) << terminal.seen();
  terminal.type('\x03');
  ASSERT_TRUE(terminal.shows("interrupted", seconds(20))) << terminal.seen();
  EXPECT_EQ(terminal.exit_code(), 130);
  EXPECT_NE(terminal.seen().find("\r\033[Kland: interrupted"), std::string::npos) << terminal.seen();
  EXPECT_EQ(folder.files(), Names{"endless.csv"});
}

// Full matrices for 3,000 samples: the path says nothing until a feature enters, and none does for a while.
TEST(ProgressLine, IsDrawnWhileAStageHasNothingToSay) {
  const TemporaryFolder folder;
  ASSERT_EQ(test::run_land(folder, {"generate", "table", "t.npy", "--features", "400", "--samples", "3000"}).exit_code,
            0);
  Terminal terminal(folder.path(), {"select", "t.npy", "--target", "t.y.npy", "--exact", "--plain-path", "-m", "5"});
  EXPECT_TRUE(terminal.shows("path  0 %  ", seconds(30))) << terminal.seen();
  terminal.type('\x03');
  EXPECT_EQ(terminal.exit_code(), 130);
}

TEST(ProgressLine, IsNotShownWhenQuietOrQuick) {
  const TemporaryFolder folder;
  Names quiet = endless_work(folder);
  quiet.push_back("--quiet");
  Terminal terminal(folder.path(), quiet);
  EXPECT_FALSE(terminal.shows("generating", seconds(3)));
  EXPECT_EQ(terminal.seen(), "");
  terminal.type('\x03');
  EXPECT_EQ(terminal.exit_code(), 130);

  Terminal quick(folder.path(), {"generate", "paper", "p.csv", "--features", "10"});
  EXPECT_TRUE(quick.shows("wrote p.csv", seconds(20)));
  EXPECT_EQ(quick.seen().find('\033'), std::string::npos) << quick.seen();
  EXPECT_EQ(quick.exit_code(), 0);
}

TEST(ProgressLine, IsNotShownInAPipe) {
  const TemporaryFolder folder, streams;
  const pid_t process = start_land(folder.path(), endless_work(folder), streams / "out", streams / "err");
  std::this_thread::sleep_for(milliseconds(2500));
  ::kill(process, SIGTERM);
  EXPECT_EQ(wait_for(process), 130);
  EXPECT_EQ(test::read_text(streams / "out"), "");
  EXPECT_EQ(test::read_text(streams / "err"), "land: interrupted, no output was written\n");
}

TEST(Interrupt, LeavesNoHalfWrittenTable) {
  const TemporaryFolder folder, streams;
  const pid_t process =
      start_land(folder.path(), {"generate", "table", "t.npy", "--features", "10000", "--samples", "1000000"},
                 streams / "out", streams / "err");
  const Clock::time_point end = Clock::now() + seconds(20);
  while (folder.files().empty() && Clock::now() < end) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_FALSE(folder.files().empty());  // the temporary file
  ::kill(process, SIGINT);
  EXPECT_EQ(wait_for(process), 130);
  EXPECT_TRUE(test::is_one_complaint(test::read_text(streams / "err")));
  EXPECT_EQ(folder.files(), Names{});
}

TEST(Interrupt, StopsASelectionWithoutOutput) {
  const TemporaryFolder folder, streams;
  ASSERT_EQ(run_land(folder, {"generate", "paper", "p.npy", "--features", "4000", "--samples", "600"}).exit_code, 0);
  const Names before = folder.files();
  const pid_t process =
      start_land(folder.path(), {"select", "p.npy", "--target", "p.y.npy", "--exact", "--plain-path", "-o", "out.json"},
                 streams / "out", streams / "err");
  std::this_thread::sleep_for(milliseconds(700));
  ::kill(process, SIGINT);
  const Clock::time_point asked = Clock::now();
  EXPECT_EQ(wait_for(process), 130);
  EXPECT_LT(Clock::now() - asked, seconds(10));
  EXPECT_TRUE(test::is_one_complaint(test::read_text(streams / "err"))) << test::read_text(streams / "err");
  EXPECT_EQ(folder.files(), before);
}

}  // namespace
}  // namespace land
