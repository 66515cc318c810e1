// land graphlets as a user runs it.
#include <gtest/gtest.h>

#include "tests/cli/run_program.h"

namespace land {
namespace {

using test::Finished;
using test::is_one_complaint;
using test::read_text;
using test::run_land;
using test::TemporaryFolder;

constexpr const char* kGraphs = "2\n3 1\n5 1 1\n7 2 0 2\n9 1 1\n2 0\n5 1 1\n5 1 0\n";

TEST(GraphletsCommand, WritesATableAndItsNames) {
  const TemporaryFolder folder;
  folder.write("graphs.txt", kGraphs);
  const Finished run = run_land(folder, {"graphlets", "graphs.txt", "out.svm"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "wrote out.svm, out.svm.names (11 features x 2 samples, 12 counts not zero)\n");
  EXPECT_EQ(read_text(folder / "out.svm"), "1 1:1 2:1 3:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1\n0 1:2 4:2\n");
  EXPECT_EQ(read_text(folder / "out.svm.names").substr(0, 13), "5\n7\n9\n5.5:01\n");
}

TEST(GraphletsCommand, TheStoreSelectsTheSame) {
  const TemporaryFolder folder;
  std::string graphs = "30\n";
  for (int g = 0; g < 30; ++g) {
    // A path of labels that depend on the graph, and its class.
    graphs += "6 " + std::to_string(g % 2) + "\n";
    for (int v = 0; v < 6; ++v) {
      graphs += std::to_string((v * v + g * (v % 3)) % 4) + (v < 5 ? " 1 " + std::to_string(v + 1) : " 0") + "\n";
    }
  }
  folder.write("graphs.txt", graphs);
  ASSERT_EQ(run_land(folder, {"graphlets", "graphs.txt", "out.svm", "-q"}).exit_code, 0);
  const Finished written = run_land(folder, {"graphlets", "graphs.txt", "out.h5"});
  EXPECT_EQ(written.err.substr(0, 14), "wrote out.h5 (") << written.err;
  const Finished from_text = run_land(folder, {"select", "out.svm", "-m", "5", "-q"});
  EXPECT_EQ(from_text.exit_code, 0) << from_text.err;
  EXPECT_EQ(run_land(folder, {"select", "out.h5", "-m", "5", "-q"}).out, from_text.out);
}

TEST(GraphletsCommand, QuietSaysNothing) {
  const TemporaryFolder folder;
  folder.write("graphs.txt", kGraphs);
  const Finished run = run_land(folder, {"graphlets", "graphs.txt", "out.svm", "-q", "--threads", "3"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out + run.err, "");
}

TEST(GraphletsCommand, RefusesInOneLineAndLeavesNothing) {
  const TemporaryFolder folder;
  folder.write("good.txt", kGraphs);
  folder.write("bad.txt", "1\n1 1\n5 1 7\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"bad.txt", "out.svm"}, "bad.txt: line 3: there is no neighbour 7"},
      {{"missing.txt", "out.svm"}, "missing.txt: cannot read the file"},
      {{"good.txt", "out.csv"}, "out.csv: the name must end in .svm or .h5"},
      {{"good.txt", "nowhere/out.svm"}, "nowhere/out.svm: cannot be written"},
      {{"good.txt", "out.svm", "--threads", "0"}, "--threads 0: must be at least 1"},
      {{"good.txt"}, "land graphlets --help"}};
  for (auto [arguments, message] : cases) {
    arguments.insert(arguments.begin(), "graphlets");
    const Finished run = run_land(folder, arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
  }
  for (const std::string& name : folder.files()) EXPECT_FALSE(name.starts_with("out")) << name;
}

}  // namespace
}  // namespace land
