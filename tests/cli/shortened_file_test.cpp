// Files that another program shortens or changes while they are read: one line, exit code 2, and no output at all.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "land/base/error.h"
#include "land/commands/select.h"
#include "land/data/target.h"
#include "land/formats/read_table.h"
#include "tests/cli/run_program.h"
#include "tests/support/commands.h"

namespace land {
namespace {

using test::local::select;

using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::start_land;
using test::TemporaryFolder;
using test::wait_for;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// Shortens `file` at random moments while land reads it, until that was noticed a few times.
void expect_refused_when_shortened(const TemporaryFolder& folder, const std::string& file, const Words& words,
                                   const std::string& output) {
  const std::string good = folder / ("good_" + file);
  std::filesystem::rename(folder / file, good);
  const auto size = std::filesystem::file_size(good);
  const TemporaryFolder streams;
  std::mt19937_64 random(7);
  constexpr int kEnough = 3;
  constexpr int kMost = 200;
  int noticed = 0;
  for (int k = 0; k < kMost && noticed < kEnough; ++k) {
    std::filesystem::copy_file(good, folder / file, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(folder / output);
    const Words before = folder.files();
    const pid_t process = start_land(folder.path(), words, streams / "out", streams / "err");
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    // To nothing, in the middle of a page, to whole pages.
    const std::uintmax_t sizes[] = {0, size - 10, size / 2 / 4096 * 4096};
    std::filesystem::resize_file(folder / file, sizes[random() % 3]);
    const int code = wait_for(process);
    EXPECT_EQ(read_text(streams / "out"), "");
    if (code == 0) continue;  // it was read, or the work done, before that
    ASSERT_EQ(code, 2) << read_text(streams / "err");
    const std::string error = read_text(streams / "err");
    EXPECT_TRUE(is_one_complaint(error)) << error;
    EXPECT_THAT(error, HasSubstr(file + ": "));
    EXPECT_EQ(folder.files(), before);
    if (error.find("shortened by another program while it was read") != std::string::npos) ++noticed;
  }
  EXPECT_EQ(noticed, kEnough) << file;
}

TEST(ShortenedFile, AnArrayEndsTheProgramInOrder) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "x.npy", "--features", "20000", "--samples", "300", "-q"}).exit_code,
            0);
  expect_refused_when_shortened(folder, "x.npy", {"select", "x.npy", "--target", "x.y.npy", "-q", "-o", "o.tsv"},
                                "o.tsv");
  expect_refused_when_shortened(
      folder, "good_x.npy", {"convert", "good_x.npy", "o.h5", "--target", "x.y.npy", "-q", "--memory", "8M"}, "o.h5");
}

TEST(ShortenedFile, AStoreEndsTheProgramInOrder) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "x.h5", "--features", "20000", "--samples", "300", "-q"}).exit_code,
            0);
  expect_refused_when_shortened(folder, "x.h5", {"select", "x.h5", "-q", "-o", "o.json"}, "o.json");
}

TEST(ShortenedFile, TextEndsTheProgramInOrder) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "x.csv", "--features", "3000", "--samples", "300", "-q"}).exit_code,
            0);
  expect_refused_when_shortened(folder, "x.csv", {"score", "x.csv", "--target", "Y", "-q", "-o", "o.scores"},
                                "o.scores");
}

TEST(ShortenedFile, GenotypesEndTheProgramInOrder) {
  const TemporaryFolder folder;
  constexpr int kSamples = 2000;
  constexpr int kVariants = 4000;
  std::mt19937_64 random(1);
  std::string bed("\x6c\x1b\x01", 3);
  for (int k = 0; k < kSamples / 4 * kVariants; ++k) bed += static_cast<char>((random() | 0xAA) & 0xFF);
  folder.write("g.bed", bed);
  std::string bim;
  for (int k = 0; k < kVariants; ++k) bim += fmt::format("1 rs{} 0 {} A C\n", k, k);
  folder.write("g.bim", bim);
  std::string fam;
  for (int i = 0; i < kSamples; ++i) fam += fmt::format("f s{} 0 0 1 {}\n", i, 1 + i % 2);
  folder.write("g.fam", fam);
  expect_refused_when_shortened(folder, "g.bed", {"select", "g.bed", "-q", "-o", "o.tsv"}, "o.tsv");
}

// As many values as asked for, other ones at the end of the scoring pass than at its beginning.
TEST(ShortenedFile, AFileThatIsChangedGivesNoResult) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "table", "x.npy", "--features", "200", "--samples", "100", "-q"}).exit_code,
            0);
  ReadOptions options;
  options.target = folder / "x.y.npy";
  const auto change = [&] {
    std::fstream file(folder / "x.npy", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(1000);
    file.put('\1');
  };
  {
    const Table table = read_table(folder / "x.npy", options, {});
    const Target target = make_target(*table.target, Task::kAuto);
    EXPECT_EQ(select(table, target, {}, {}).selected.empty(), false);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // file systems tell time in ticks
    change();
    try {
      select(table, target, {}, {});
      ADD_FAILURE() << "a result of two files";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("x.npy: the file was changed by another program while it was read"));
    }
  }
  // One that takes its name is another file: what is mapped stays as it was.
  const Table table = read_table(folder / "x.npy", options, {});
  std::filesystem::copy_file(folder / "x.npy", folder / "new.npy");
  std::filesystem::rename(folder / "new.npy", folder / "x.npy");
  EXPECT_NO_THROW(select(table, make_target(*table.target, Task::kAuto), {}, {}));
}

// What has been read to its end may change.
TEST(ShortenedFile, TextThatWasReadMayChange) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_land(folder, {"generate", "paper", "x.csv", "--features", "20", "--samples", "50"}).exit_code, 0);
  ReadOptions options;
  options.target = "Y";
  const Table table = read_table(folder / "x.csv", options, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  folder.write("x.csv", "");
  EXPECT_NO_THROW(select(table, make_target(*table.target, Task::kAuto), {}, {}));
}

}  // namespace
}  // namespace land
