#include "land/files/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "land/base/error.h"
#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::read_text;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(AtomicFile, IsThereOnlyAfterCommit) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "a.tsv");
    file.write("hello");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.tsv"));
    file.commit();
  }
  EXPECT_EQ(folder.files(), Names{"a.tsv"});
  EXPECT_EQ(read_text(folder / "a.tsv"), "hello");
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    AtomicFile(folder / "a.tsv").write("hello");
  }
  EXPECT_EQ(folder.files(), Names{});
}

TEST(AtomicFile, KeepsTheOldFileUntilTheNewOneIsWhole) {
  const TemporaryFolder folder;
  write_atomically(folder / "a.tsv", "old");
  {
    AtomicFile(folder / "a.tsv").write("half of the n");
  }
  EXPECT_EQ(read_text(folder / "a.tsv"), "old");
  write_atomically(folder / "a.tsv", "new");
  EXPECT_EQ(read_text(folder / "a.tsv"), "new");
  EXPECT_EQ(folder.files(), Names{"a.tsv"});
}

TEST(AtomicFile, WritesMoreThanItsBuffer) {
  const TemporaryFolder folder;
  std::string expected;
  AtomicFile file(folder / "a");
  for (const std::size_t size : {1u, 1000u, 1u << 20, 3u, (1u << 20) - 1, 5u << 20, 0u, 17u}) {
    const std::string part(size, static_cast<char>('a' + size % 26));
    file.write(part);
    expected += part;
  }
  file.commit();
  EXPECT_EQ(read_text(folder / "a"), expected);
}

TEST(AtomicFile, SeveralInOneFolderDoNotMeet) {
  const TemporaryFolder folder;
  AtomicFile a(folder / "a"), b(folder / "b"), again(folder / "a");
  a.write("1");
  b.write("2");
  again.write("3");
  a.commit();
  b.commit();
  again.commit();
  EXPECT_EQ(read_text(folder / "a"), "3");
  EXPECT_EQ(read_text(folder / "b"), "2");
  EXPECT_EQ(folder.files(), (Names{"a", "b"}));
}

TEST(AtomicFile, RemovesWhatAKilledWriterLeft) {
  const TemporaryFolder folder;
  // Two writers at a time, both killed.
  for (int round = 0; round < 2; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      AtomicFile first(folder / "a"), second(folder / "a"), other(folder / "b");
      ::raise(SIGKILL);
    }
    EXPECT_EQ(test::wait_for(child), 128 + SIGKILL);
    EXPECT_EQ(folder.files().size(), 3u);  // those of the first round were removed in the second
  }
  AtomicFile living(folder / "b");
  EXPECT_EQ(folder.files().size(), 3u);
  write_atomically(folder / "a", "new");
  EXPECT_EQ(folder.files().size(), 2u);
  write_atomically(folder / "b", "quick");
  living.write("slow");
  living.commit();
  EXPECT_EQ(folder.files(), (Names{"a", "b"}));
  EXPECT_EQ(read_text(folder / "b"), "slow");
}

TEST(AtomicFile, TakesTheLongestName) {
  const TemporaryFolder folder;
  write_atomically(folder / std::string(255, 'n'), "x");
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST(AtomicFile, FollowsALink) {
  const TemporaryFolder folder;
  write_atomically(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  write_atomically(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "real"), "new");
}

TEST(AtomicFile, KeepsTheRightsOfTheFileItReplaces) {
  const TemporaryFolder folder;
  write_atomically(folder / "a", "old");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0600), 0);
  write_atomically(folder / "a", "new");
  struct stat found{};
  ASSERT_EQ(::stat((folder / "a").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST(AtomicFile, NamesTheFileAndTheReason) {
  const TemporaryFolder folder;
  write_atomically(folder / "file", "");
  EXPECT_EQ(complaint([&] { check_writable(folder / "no/a.tsv"); }),
            (folder / "no/a.tsv") + ": cannot be written: No such file or directory");
  EXPECT_EQ(complaint([&] { check_writable(folder / "file/a.tsv"); }),
            (folder / "file/a.tsv") + ": cannot be written: Not a directory");
  EXPECT_EQ(complaint([&] { check_writable(folder.path().string()); }),
            folder.path().string() + ": cannot be written: Is a directory");
  EXPECT_EQ(complaint([&] { check_writable(folder / "file"); }), "no complaint");
  EXPECT_EQ(folder.files(), Names{"file"});
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.tsv");
  EXPECT_EQ(complaint([&] { write_atomically(folder / "a.tsv", "x"); }),
            (folder / "a.tsv") + ": cannot be written: No space left on device");
  EXPECT_EQ(folder.files(), Names{"a.tsv"});  // the link
}

TEST(AtomicFile, LeavesNothingWhenAFileMayNotGrow) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // a limit cannot be raised again
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string text = complaint([&] { write_atomically(folder / "a", std::string(3 << 20, 'x')); });
    ::_exit(text.ends_with(": cannot be written: File too large") ? 0 : 1);
  }
  EXPECT_EQ(test::wait_for(child), 0);
  EXPECT_EQ(folder.files(), Names{});
}

}  // namespace
}  // namespace land
