// Nothing that a command reads is written over, whatever name it is given by.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "land/base/error.h"
#include "land/files/files_in_use.h"
#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class Overwriting : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_land(folder_, {"generate", "paper", "data.csv", "--features", "20", "--samples", "50"}).exit_code, 0);
    std::filesystem::rename(folder_ / "data.csv", folder_ / "data.tsv");
  }
  // Refused in one line, with every file as it was.
  void expect_refused(const Words& words, const std::string& file) {
    const std::string before = read_text(folder_ / file);
    const Words files = folder_.files();
    const Finished run = run_land(folder_, words);
    EXPECT_EQ(run.exit_code, 2) << words.front();
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_THAT(run.err, HasSubstr("would be overwritten; write to another file")) << words.front();
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(read_text(folder_ / file) == before) << file;
    EXPECT_EQ(folder_.files(), files);
  }
  TemporaryFolder folder_;
};

TEST_F(Overwriting, TheTableIsRefused) {
  for (const std::string& name :
       Words{"data.tsv", "./data.tsv", "../" + folder_.path().filename().string() + "/data.tsv"}) {
    expect_refused({"select", "data.tsv", "--target", "Y", "-o", name}, "data.tsv");
    expect_refused({"score", "data.tsv", "--target", "Y", "-o", name}, "data.tsv");
    expect_refused({"neighbors", "data.tsv", "--feature", "X1", "-o", name}, "data.tsv");
  }
}

TEST_F(Overwriting, LinksAreTheFileTheyLeadTo) {
  std::filesystem::create_symlink("data.tsv", folder_ / "symbolic.tsv");
  std::filesystem::create_hard_link(folder_ / "data.tsv", folder_ / "hard.tsv");
  for (const char* link : {"symbolic.tsv", "hard.tsv"}) {
    expect_refused({"select", "data.tsv", "--target", "Y", "-o", link}, "data.tsv");
    expect_refused({"select", link, "--target", "Y", "-o", "data.tsv"}, "data.tsv");
  }
}

TEST_F(Overwriting, TheTargetAndTheScoresAreRefused) {
  std::string target = "Y\n";
  for (int i = 0; i < 50; ++i) target += std::to_string(i % 7) + "\n";
  folder_.write("y.tsv", target);
  expect_refused({"select", "data.tsv", "--target", "y.tsv", "-o", "y.tsv"}, "y.tsv");
  ASSERT_EQ(run_land(folder_, {"score", "data.tsv", "--target", "Y", "-o", "scores.tsv"}).exit_code, 0);
  expect_refused({"select", "data.tsv", "--target", "Y", "--scores", "scores.tsv", "-o", "scores.tsv"}, "scores.tsv");
}

TEST_F(Overwriting, FilesBesideTheTableAreRefused) {
  folder_.write("x.svm", "1 1:2 2:1\n0 1:3\n1 2:5\n0 1:1 2:2\n");
  folder_.write("x.svm.names", "a\nb\n");
  expect_refused({"score", "x.svm", "-o", "x.svm.names"}, "x.svm.names");
  folder_.write("matrix.mtx", "%%MatrixMarket matrix coordinate real general\n2 4 4\n1 1 1\n1 3 2\n2 2 1\n2 4 5\n");
  folder_.write("features.tsv", "g1\tA\ng2\tB\n");
  folder_.write("y.csv", "0\n1\n0\n1\n");
  expect_refused(
      {"select", "matrix.mtx", "--rows", "features", "--target", "y.csv", "--task", "regression", "-o", "features.tsv"},
      "features.tsv");
  folder_.write("g.bed", std::string("\x6c\x1b\x01\x2c", 4));
  folder_.write("g.bim", "1 rs1 0 1 A C\n");
  folder_.write("g.fam", "f a 0 0 1 1\nf b 0 0 1 2\nf c 0 0 1 1\nf d 0 0 1 2\n");
  expect_refused({"score", "g.bed", "-o", "g.fam"}, "g.fam");
  expect_refused({"score", "g.bed", "-o", "g.bim"}, "g.bim");
}

TEST_F(Overwriting, StoresAndGraphsAreRefused) {
  ASSERT_EQ(run_land(folder_, {"convert", "data.tsv", "data.h5", "--target", "Y", "-q"}).exit_code, 0);
  expect_refused({"convert", "data.h5", "data.h5"}, "data.h5");
  folder_.write("g.svm", "1\n2 1\n5 1 1\n5 1 0\n");
  expect_refused({"graphlets", "g.svm", "g.svm"}, "g.svm");
  folder_.write("h.svm.names", "1\n2 1\n5 1 1\n5 1 0\n");
  expect_refused({"graphlets", "h.svm.names", "h.svm"}, "h.svm.names");
}

TEST_F(Overwriting, StandardOutputThatIsTheTableIsRefused) {
  const std::string before = read_text(folder_ / "data.tsv");
  const std::string path = folder_ / "data.tsv";
  const Finished run = run_land(folder_, {"select", "data.tsv", "--target", "Y"}, "/dev/null", [&path] {
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND);
    if (file < 0 || ::dup2(file, STDOUT_FILENO) < 0) ::_exit(126);
  });
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("standard output: it is read as data.tsv"));
  EXPECT_TRUE(read_text(path) == before);
}

TEST(FilesInUse, TwoOutputsAreTwoFiles) {
  const TemporaryFolder folder;
  FilesInUse files;
  files.add_output(folder / "a.tsv");
  files.add_output(folder / "b.tsv");
  EXPECT_THROW(files.add_output(folder / "./a.tsv"), InputError);
  files.add_output("/dev/null");
  files.add_output("/dev/null");
  folder.write("c.tsv", "");
  std::filesystem::create_symlink("c.tsv", folder / "d.tsv");
  files.add_output(folder / "d.tsv");
  EXPECT_THROW(files.add_output(folder / "c.tsv"), InputError);
}

}  // namespace
}  // namespace land
