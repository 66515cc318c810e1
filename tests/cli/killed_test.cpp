// Killed at any moment: an output is there as a whole or not at all, and an older one stays until then.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::read_text;
using test::run_land;
using test::start_land;
using test::TemporaryFolder;
using test::wait_for;
using Words = std::vector<std::string>;

// Kills `words` with `output` at random moments within the time that it takes.
void expect_whole_or_absent(const TemporaryFolder& folder, Words words, const std::string& output) {
  words.insert(words.end(), {"-o", output});
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run_land(folder, words).exit_code, 0);
  const auto whole_run =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count();
  const std::string good = read_text(folder / output);
  const std::string old = "an older file\n";
  std::mt19937_64 random(static_cast<std::uint64_t>(::getpid()));
  // For a longer hunt: LAND_KILLS=100.
  const char* asked = std::getenv("LAND_KILLS");
  const int kills = asked == nullptr ? 10 : std::stoi(asked);
  int whole = 0;
  for (int k = 0; k < kills; ++k) {
    if (k % 2 == 0) {
      std::filesystem::remove(folder / output);
    } else {
      folder.write(output, old);
    }
    const pid_t process = start_land(folder.path(), words, "/dev/null", "/dev/null");
    std::this_thread::sleep_for(
        std::chrono::microseconds(random() % static_cast<std::uint64_t>(whole_run + whole_run / 4)));
    ::kill(process, SIGKILL);
    wait_for(process);
    if (k % 2 == 0 && !std::filesystem::exists(folder / output)) continue;
    const std::string found = read_text(folder / output);
    if (k % 2 == 1 && found == old) continue;
    ++whole;
    EXPECT_TRUE(found == good) << output << " after kill " << k;
  }
  std::printf("%s: %d kills, the file was there after %d\n", output.c_str(), kills, whole);
  // What is left over goes with the next run.
  ASSERT_EQ(run_land(folder, words).exit_code, 0);
  EXPECT_TRUE(read_text(folder / output) == good);
  for (const std::string& name : folder.files()) EXPECT_FALSE(name.starts_with(".land.")) << name;
  std::filesystem::remove(folder / output);
}

TEST(Killed, OutputsOfSelectAndScoreAreWholeOrAbsent) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "x.npy", "--features", "20000", "--samples", "100", "-q"}).exit_code,
            0);
  // The JSON has times in it, which differ from run to run.
  expect_whole_or_absent(folder, {"select", "x.npy", "--target", "x.y.npy", "-m", "20", "-q"}, "o.tsv");
  expect_whole_or_absent(folder, {"score", "x.npy", "--target", "x.y.npy", "-q"}, "o.scores");
}

}  // namespace
}  // namespace land
