// Files of graphlets: their text, and that they are whole or absent.
#include "land/graphlets/write_graphlets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <sstream>

#include "land/formats/read_table.h"
#include "land/graphlets/count_graphlets.h"
#include "land/store/convert.h"
#include "tests/graphlets/sample_graphs.h"
#include "tests/support/temporary_folder.h"

namespace land {
namespace {

using test::read_text_graphs;
using test::TemporaryFolder;
using test::text_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(WriteGraphlets, WritesSvmlightAndNames) {
  const TemporaryFolder folder;
  const GraphletTable table =
      count_graphlets(read_text_graphs("3\n3 1\n5 1 1\n7 2 0 2\n9 1 1\n0 -1\n2 0.5\n5 1 1\n5 1 0\n"), {});
  const std::string path = folder / "out.svm";
  EXPECT_THAT(write_graphlets(table, path, {}), ElementsAre(path, path + ".names"));
  EXPECT_EQ(content(path), "1 1:1 2:1 3:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1\n-1\n0.5 1:2 4:2\n");
  EXPECT_EQ(content(path + ".names"),
            "5\n7\n9\n5.5:01\n5.7:01\n7.5:01\n7.9:01\n9.7:01\n5.7.9:01-12\n7.5.9:01-02\n9.5.7:02-12\n");
}

// Long rows, large indices and counts: what a plain printer would write.
TEST(WriteGraphlets, WritesTheNumbersOfTheTable) {
  test::SampleGraph star;
  test::SampleGraph mixed;
  for (std::uint32_t v = 0; v < 120; ++v) {
    star.labels.push_back(0);
    mixed.labels.push_back(v % 40);
    if (v > 0) star.edges.emplace_back(0, v);
    if (v > 0) mixed.edges.emplace_back(v / 3, v);
    if (v > 7) mixed.edges.emplace_back(v - 7, v);
  }
  const GraphletTable table = count_graphlets(read_text_graphs(text_of({mixed, star})), {});
  EXPECT_GT(table.features(), 10000);
  std::string expected;
  std::vector<std::uint32_t> features;
  std::vector<std::uint32_t> counts;
  for (std::int64_t g = 0; g < table.graphs(); ++g) {
    expected += '1';
    table.row(g, features, counts);
    for (std::size_t k = 0; k < features.size(); ++k) {
      expected += " " + std::to_string(features[k] + 1) + ":" + std::to_string(counts[k]);
    }
    expected += '\n';
  }
  EXPECT_THAT(expected, HasSubstr(":273819"));  // three of 119 arms
  const TemporaryFolder folder;
  write_graphlets(table, folder / "out.svm", {});
  EXPECT_EQ(content(folder / "out.svm"), expected);
}

TEST(WriteGraphlets, FilesDoNotDependOnThreads) {
  const TemporaryFolder folder;
  const std::string text = text_of(test::sample_graphs(23));
  for (const int threads : {1, 2, 5}) {
    Context context;
    context.threads = threads;
    const std::string path = folder / (std::to_string(threads) + ".svm");
    write_graphlets(count_graphlets(read_text_graphs(text, threads), context), path, context);
    EXPECT_EQ(content(path), content(folder / "1.svm"));
    EXPECT_EQ(content(path + ".names"), content(folder / "1.svm.names"));
  }
}

// The features and their order, names, labels: all that a store keeps.
TEST(WriteGraphlets, TheStoreIsThatOfTheText) {
  const TemporaryFolder folder;
  std::vector<test::SampleGraph> graphs = test::sample_graphs(40);
  test::SampleGraph star;  // counts that are not exact in float32
  star.labels.assign(500, 3);
  for (std::uint32_t v = 1; v < 500; ++v) star.edges.emplace_back(0, v);
  graphs.push_back(star);
  const GraphletTable table = count_graphlets(read_text_graphs(text_of(graphs)), {});
  write_graphlets(table, folder / "out.svm", {});
  Context context;
  context.threads = 3;
  EXPECT_THAT(write_graphlets(table, folder / "out.h5", context), ElementsAre(folder / "out.h5"));
  convert(read_table(folder / "out.svm", {}, {}), folder / "converted.h5", {}, {});
  EXPECT_TRUE(content(folder / "out.h5") == content(folder / "converted.h5"));
  EXPECT_EQ(read_table(folder / "out.h5", {}, {}).feature_name(0), table.name(0));
}

TEST(WriteGraphlets, RefusesOtherEndings) {
  const TemporaryFolder folder;
  for (const char* name : {"out.csv", "out", "out.svm.gz", ".svm"}) {
    EXPECT_THAT(refusal([&] { graphlets_outputs(folder / name); }), HasSubstr("must end in .svm or .h5")) << name;
  }
  EXPECT_EQ(graphlets_outputs("out.svm"), (std::vector<std::string>{"out.svm", "out.svm.names"}));
  EXPECT_EQ(graphlets_outputs("out.h5"), std::vector<std::string>{"out.h5"});
  EXPECT_THAT(folder.files(), ElementsAre());
}

TEST(WriteGraphlets, LeavesNothingBehindWhenItFails) {
  const TemporaryFolder folder;
  const GraphletTable table = count_graphlets(read_text_graphs("1\n1 1\n5 0\n"), {});
  const std::atomic<bool> stop = true;
  Context context;
  context.stop = &stop;
  EXPECT_THROW(write_graphlets(table, folder / "out.svm", context), Interrupted);
  EXPECT_THAT(folder.files(), ElementsAre());
  std::filesystem::create_directory(folder / "out.svm.names");
  EXPECT_THROW(write_graphlets(table, folder / "out.svm", {}), InputError);
  EXPECT_THAT(folder.files(), ElementsAre("out.svm.names"));
}

}  // namespace
}  // namespace land
