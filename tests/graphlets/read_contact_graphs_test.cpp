// What is read, and what is refused in one line.
#include "land/graphlets/read_contact_graphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "land/graphlets/graphlet_key.h"
#include "tests/graphlets/sample_graphs.h"
#include "tests/support/temporary_folder.h"

namespace land {
namespace {

using test::read_text_graphs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ReadContactGraphs, MakesEdgesSymmetricAndDropsLoopsAndRepetitions) {
  const ContactGraphs graphs = read_text_graphs("1\n4 -1\n9 3 1 1 0\n3 0\n9 2 0 1\n70 1 3\n");
  ASSERT_EQ(graphs.graphs.size(), 1U);
  const ContactGraph& graph = graphs.graphs[0];
  EXPECT_EQ(graph.class_value, "-1");
  EXPECT_THAT(graphs.labels, ElementsAre(3, 9, 70));
  EXPECT_THAT(graph.labels, ElementsAre(1, 0, 1, 2));
  EXPECT_THAT(graph.neighbours_of(0), ElementsAre(1, 2));
  EXPECT_THAT(graph.neighbours_of(1), ElementsAre(0, 2));
  EXPECT_THAT(graph.neighbours_of(2), ElementsAre(0, 1));
  EXPECT_THAT(graph.neighbours_of(3), ElementsAre());
}

TEST(ReadContactGraphs, IgnoresWhatFollowsTheNeighboursEmptyLinesAndLineEnds) {
  const ContactGraphs graphs = read_text_graphs("\r\n 2 \r\n\r\n2\t+1e1\r\n4 1 1 0.25 red\r\n4 0\r\n\n0 7\n\n", 2);
  ASSERT_EQ(graphs.graphs.size(), 2U);
  EXPECT_EQ(graphs.graphs[0].class_value, "+1e1");
  EXPECT_THAT(graphs.graphs[0].neighbours_of(1), ElementsAre(0));
  EXPECT_EQ(graphs.graphs[1].vertices(), 0U);
}

TEST(ReadContactGraphs, ReadsGzip) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "graphs.txt.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "1\n1 0\n5 0\n");
  gzclose(file);
  EXPECT_THAT(read_contact_graphs(path, {}).labels, ElementsAre(5));
}

std::string refusal(const std::string& text) {
  try {
    read_text_graphs(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadContactGraphs, RefusesWhatIsWrongAndSaysWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "graphs.txt: the file is empty"},
      {" \n\n", "graphs.txt: the file is empty"},
      {"0\n", "graphs.txt: line 1: the number of graphs is 0"},
      {"two\n", "graphs.txt: line 1: the number of graphs must be a whole number from 0, not 'two'"},
      {"-2\n", "graphs.txt: line 1: the number of graphs must be a whole number from 0, not '-2'"},
      {"99999999999999999999\n", "graphs.txt: line 1: the number of graphs must be a whole number"},
      {"1 2\n1 1\n5 0\n", "graphs.txt: line 1: the first line should hold the number of graphs only"},
      {"1\n", "graphs.txt: line 2: the text ends after 0 of the 1 graphs"},
      {"1000000000000\n1 1\n5 0", "graphs.txt: line 3: the text ends after 1 of the 1000000000000 graphs"},
      {"1\n1\n5 0\n", "graphs.txt: line 2: the class is missing"},
      {"1\n1 enzyme\n5 0\n", "graphs.txt: line 2: the class must be a number, not 'enzyme'"},
      {"1\n1 nan\n5 0\n", "graphs.txt: line 2: the class must be a number"},
      {"1\n1 1:2\n5 0\n", "graphs.txt: line 2: the class must be a number"},
      {"1\nx 1\n5 0\n", "graphs.txt: line 2: the number of vertices must be a whole number"},
      {"1\n4294967296 1\n5 0\n", "graphs.txt: line 2: a graph of 4294967296 vertices is too large"},
      {"1\n4000000000 1\n5 0\n", "graphs.txt: line 4: the text ends after 1 of the 4000000000 vertices"},
      {"1\n2 1\n5 0\n", "graphs.txt: line 4: the text ends after 1 of the 2 vertices"},
      {"2\n1 1\n5 0\n5 1 0\n1 1\n5 0\n", "graphs.txt: line 4: a graph should begin here"},
      {"1\n1 1\n5 0\n5 0\n", "graphs.txt: line 4: '5' follows the last of the 1 graphs"},
      {"1\n1 1\nC 0\n", "graphs.txt: line 3: the label of the vertex must be a whole number from 0, not 'C'"},
      {"1\n1 1\n-5 0\n", "graphs.txt: line 3: the label of the vertex must be"},
      {"1\n1 1\n5\n", "graphs.txt: line 3: the number of neighbours is missing"},
      {"1\n1 1\n5 1.5\n", "graphs.txt: line 3: the number of neighbours must be"},
      {"1\n2 1\n5 3 0 1\n5 0\n", "graphs.txt: line 3: 3 neighbours are announced, but 2 follow"},
      {"1\n2 1\n5 9000000000000000000 1\n5 0\n", "graphs.txt: line 3: 9000000000000000000 neighbours are announced"},
      {"1\n2 1\n5 1 2\n5 0\n", "graphs.txt: line 3: there is no neighbour 2: the 2 vertices of this graph"},
      {"1\n2 1\n5 1 -1\n5 0\n", "graphs.txt: line 3: the neighbour must be"},
  };
  for (const auto& [text, message] : cases) {
    const std::string found = refusal(text);
    EXPECT_THAT(found, StartsWith(message)) << text;
    EXPECT_EQ(found.find('\n'), std::string::npos);
  }
}

TEST(ReadContactGraphs, RefusesTooManyDifferentLabels) {
  const auto graph = [](std::uint32_t labels) {
    std::string text = "1\n" + std::to_string(labels) + " 1\n";
    for (std::uint32_t label = 0; label < labels; ++label) text += std::to_string(label) + " 0\n";
    return text;
  };
  EXPECT_EQ(read_text_graphs(graph(kMostLabels)).labels.size(), kMostLabels);
  EXPECT_THAT(refusal(graph(kMostLabels + 1)), HasSubstr("line 16387: label 16384 is one too many"));
}

TEST(ReadContactGraphs, EveryTruncationIsReadOrRefused) {
  const std::string text = test::text_of(test::sample_graphs(3));
  for (std::size_t size = 0; size < std::min<std::size_t>(text.size(), 2000); ++size) {
    EXPECT_THAT(refusal(text.substr(0, size)), StartsWith("graphs.txt: "));
  }
}

}  // namespace
}  // namespace land
