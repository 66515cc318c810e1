// What a machine may lack: a folder for temporary files, threads, memory. None of it is a bug of the program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>

#include "tests/cli/run_program.h"
#include "tests/support/sanitized.h"

namespace land {
namespace {

using test::Finished;
using test::is_one_complaint;
using test::run_land;
using test::TemporaryFolder;
using testing::HasSubstr;
using Words = std::vector<std::string>;

void generate(const TemporaryFolder& folder, const std::string& name, const std::string& features,
              const std::string& samples) {
  ASSERT_EQ(run_land(folder, {"generate", "table", name, "--features", features, "--samples", samples, "-q"}).exit_code,
            0);
}

TEST(Conditions, AMissingTemporaryFolderMattersWhenItIsNeeded) {
  const TemporaryFolder folder;
  generate(folder, "x.csv", "300", "200");
  const auto none = [] { ::setenv("TMPDIR", "/no/such/folder", 1); };
  const Words words = {"select", "x.csv", "--target", "Y", "-m", "3", "-q", "--memory"};
  Words roomy = words;
  roomy.push_back("1G");
  EXPECT_EQ(run_land(folder, roomy, {}, none).exit_code, 0);
  Words tight = words;
  tight.push_back("64K");
  const Finished run = run_land(folder, tight, {}, none);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  EXPECT_THAT(run.err, HasSubstr("/no/such/folder: cannot keep there what does not fit in memory"));
  EXPECT_THAT(run.err, HasSubstr("TMPDIR"));
  EXPECT_EQ(run.out, "");
}

TEST(Conditions, WithoutThreadsTheCallerDoesTheWork) {
  const TemporaryFolder folder;
  generate(folder, "x.npy", "500", "100");
  const Words words = {"select", "x.npy", "--target", "x.y.npy", "-m", "3", "-q", "--threads", "8"};
  const Finished expected = run_land(folder, words);
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  // Root may start as many as it likes.
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  const Finished run = run_land(folder, words, {}, [] {
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // which takes a thread
    const rlimit limit{1, 1};
    if (::setrlimit(RLIMIT_NPROC, &limit) != 0) ::_exit(126);
    constexpr uid_t kSomebody = 54321;
    if (::getuid() == 0 && ::setuid(kSomebody) != 0) ::_exit(126);
  });
  if (run.exit_code == 127) GTEST_SKIP() << "another user may not run " << LAND_PROGRAM;
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, expected.out);
}

TEST(Conditions, MemoryThatIsNotThereIsNamedWithTheFile) {
  if (test::kSanitized) GTEST_SKIP() << "sanitizers take address space for themselves";
  const TemporaryFolder folder;
  generate(folder, "x.csv", "20000", "200");
  for (const char* command : {"select", "info"}) {
    const Finished run = run_land(folder, {command, "x.csv", "--target", "Y", "-q"}, {}, [] {
      const rlimit limit{rlim_t{72} << 20U, rlim_t{72} << 20U};
      if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(126);
    });
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_THAT(run.err, HasSubstr("x.csv: not enough memory"));
    EXPECT_EQ(run.out, "");
  }
}

// Zeros, a thousand times smaller when compressed.
std::string bomb(std::size_t megabytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string zeros(std::size_t{1} << 20U, '0');
  std::string out;
  std::string buffer(std::size_t{1} << 16U, '\0');
  for (std::size_t k = 0; k <= megabytes; ++k) {
    stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
    stream.avail_in = k < megabytes ? static_cast<uInt>(zeros.size()) : 0;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, k < megabytes ? Z_NO_FLUSH : Z_FINISH);
      out.append(buffer, 0, buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

TEST(Conditions, AGzipBombIsRefusedWhileItIsInflated) {
  if (test::kSanitized) GTEST_SKIP() << "sanitizers take memory for themselves";
  const TemporaryFolder folder;
  folder.write("bomb.csv.gz", bomb(1200));
  const Finished run = run_land(folder, {"info", "bomb.csv.gz"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  EXPECT_THAT(run.err, HasSubstr("bomb.csv.gz: "));
  EXPECT_THAT(run.err, HasSubstr("when decompressed"));
  EXPECT_LT(run.peak_bytes, std::int64_t{5} << 29U);  // a gigabyte, twice while it grows, and no more

  // With --memory it goes to a file, and no further.
  const Finished scratch = run_land(folder, {"select", "bomb.csv.gz", "--target", "0", "--memory", "64M"});
  EXPECT_EQ(scratch.exit_code, 2);
  EXPECT_THAT(scratch.err, HasSubstr("times as many: a damaged or hostile file"));

  // A machine with little memory: what is more than half of it is refused.
  folder.write("large.csv.gz", bomb(200));
  const Finished small = run_land(folder, {"info", "large.csv.gz"}, {}, [] {
    const rlimit limit{rlim_t{300} << 20U, rlim_t{300} << 20U};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(126);
  });
  EXPECT_EQ(small.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(small.err)) << small.err;
  EXPECT_THAT(small.err, HasSubstr("large.csv.gz: "));
}

}  // namespace
}  // namespace land
