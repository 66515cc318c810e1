// Files, pipes and compression.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "cli/spelling.h"
#include "land/files/gzip.h"
#include "land/files/mapped_file.h"
#include "sample_files.h"

namespace land::test {
namespace {

using testing::HasSubstr;

std::string path_error(const std::string& path) {
  try {
    read_table(path, {}, {});
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()};
}

TEST(OpenBytes, SaysWhyAPathCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(path_error(folder / "absent.csv"), HasSubstr("absent.csv: cannot read the file: No such file"));
  EXPECT_THAT(path_error(folder.path().string()), HasSubstr("cannot read the file: Is a directory"));
  EXPECT_THAT(path_error(""), HasSubstr("No such file"));
  EXPECT_THAT(path_error("/dev/zero"), HasSubstr("neither a regular file nor a pipe"));
  EXPECT_THAT(path_error(folder.write("e.csv", "")), HasSubstr("e.csv: the file is empty"));
  if (geteuid() != 0) {
    const std::string secret = folder.write("secret.csv", "1,2\n");
    chmod(secret.c_str(), 0);
    EXPECT_THAT(path_error(secret), HasSubstr("Permission denied"));
  }
}

TEST(OpenBytes, ReadsPipesToTheEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string content(3'000'000, 'x');
  const std::jthread writer([&] { std::ofstream(path) << content; });
  const Bytes bytes = open_bytes(path, {});
  EXPECT_FALSE(bytes.mapped);
  EXPECT_EQ(text_of(bytes), content);
}

TEST(OpenBytes, ALargeSparseFileIsOnlyMapped) {
  const TemporaryFolder folder;
  const std::string path = folder / "large.npy";
  const std::int64_t rows = (std::int64_t{3} << 30) / 8;  // 3 GB of zeros that take no room
  const std::string header = npy("<f8", false, {rows, 1}, "");
  folder.write("large.npy", header);
  if (truncate(path.c_str(), static_cast<off_t>(header.size()) + rows * 8) != 0)
    GTEST_SKIP() << "no room for sparse files";
  const int fd = open(path.c_str(), O_WRONLY);
  const double last = 42.0;
  ASSERT_EQ(pwrite(fd, &last, 8, static_cast<off_t>(header.size()) + (rows - 1) * 8), 8);
  close(fd);
  const Table table = read_table(path, {}, {});
  EXPECT_EQ(table.matrix.samples, rows);
  EXPECT_EQ(table.matrix.at(rows - 1, 0), 42.0);
}

TEST(Gunzip, SeveralMembersAndPadding) {
  const std::string two = gzip("a,b\n1,2\n") + gzip("3,4\n");
  EXPECT_EQ(text_of(gunzip(bytes_of(two), "d.gz", {})), "a,b\n1,2\n3,4\n");
  EXPECT_EQ(text_of(gunzip(bytes_of(two + std::string(512, '\0')), "d.gz", {})), "a,b\n1,2\n3,4\n");
  const std::string large(20'000'000, 'z');
  EXPECT_EQ(text_of(gunzip(bytes_of(gzip(large)), "d.gz", {})), large);
}

TEST(Gunzip, DamageIsNoticed) {
  std::string file = gzip("a,b\n1,2\n3,4\n5,6\n7,8\n9,10\n");
  for (std::size_t size = 2; size < file.size(); ++size) {
    EXPECT_THAT(error_of(file.substr(0, size), "d.csv.gz"), HasSubstr("truncated gzip file")) << size;
  }
  EXPECT_THAT(error_of(file + "garbage", "d.csv.gz"), HasSubstr("7 bytes that are not gzip data"));
  EXPECT_THAT(error_of(gzip(file), "d.csv.gz.gz"), HasSubstr("compressed twice"));
  file[file.size() - 8] ^= 1;  // the checksum
  EXPECT_THAT(error_of(file, "d.csv.gz"), HasSubstr("damaged gzip data"));
}

}  // namespace
}  // namespace land::test
