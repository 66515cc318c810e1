// Counts against the definition, and what must not change them.
#include "land/graphlets/count_graphlets.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "tests/graphlets/sample_graphs.h"
#include "tests/support/plain_graphlets.h"

namespace land {
namespace {

using test::named_row;
using test::PlainKey;
using test::read_text_graphs;
using test::sample_graphs;
using test::SampleGraph;
using test::text_of;

using Counts = std::map<PlainKey, std::int64_t>;
using NamedRow = std::vector<std::pair<std::string, std::uint32_t>>;

GraphletTable count(const ContactGraphs& graphs, int threads = 1) {
  Context context;
  context.threads = threads;
  return count_graphlets(graphs, context);
}

// Reads a name as it is documented.
PlainKey parse(const std::string& name) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  std::vector<std::int64_t> labels;
  for (std::size_t at = 0; at < colon; at = name.find('.', at) < colon ? name.find('.', at) + 1 : colon) {
    labels.push_back(std::stoll(name.substr(at)));
  }
  const std::string edges = name.substr(colon);
  return test::plain_key(labels, [&](std::size_t i, std::size_t j) {
    return edges.find(std::to_string(std::min(i, j)) + std::to_string(std::max(i, j))) != std::string::npos;
  });
}

Counts parsed(const NamedRow& row) {
  Counts counts;
  for (const auto& [name, times] : row) EXPECT_TRUE(counts.emplace(parse(name), times).second) << name;
  return counts;
}

TEST(CountGraphlets, AgreesWithTheDefinition) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const ContactGraphs graphs = read_text_graphs(text_of(sample_graphs(seed)));
    const GraphletTable table = count(graphs);
    ASSERT_EQ(table.graphs(), static_cast<std::int64_t>(graphs.graphs.size()));
    std::set<PlainKey> features;
    std::int64_t nonzeros = 0;
    for (std::int64_t g = 0; g < table.graphs(); ++g) {
      const Counts expected = test::plain_graphlets(graphs.graphs[static_cast<std::size_t>(g)], graphs.labels);
      EXPECT_EQ(parsed(named_row(table, g)), expected) << "graph " << g;
      for (const auto& each : expected) features.insert(each.first);
      nonzeros += static_cast<std::int64_t>(expected.size());
    }
    EXPECT_EQ(table.features(), static_cast<std::int64_t>(features.size()));
    EXPECT_EQ(table.nonzeros(), nonzeros);
  }
}

TEST(CountGraphlets, AgreesWithTheDefinitionOnManyLabels) {
  SampleGraph graph = sample_graphs(5).back();
  for (std::size_t v = 0; v < graph.labels.size(); ++v) graph.labels[v] = std::int64_t{1} << (v * 5 % 62);
  const ContactGraphs graphs = read_text_graphs(text_of({graph}));
  EXPECT_EQ(parsed(named_row(count(graphs), 0)), test::plain_graphlets(graphs.graphs[0], graphs.labels));
}

TEST(CountGraphlets, CountsAPathByHand) {
  const GraphletTable table = count(read_text_graphs("1\n3 1\n5 1 1\n7 2 0 2\n5 1 1\n"));
  const NamedRow expected = {{"5", 2}, {"7", 1}, {"5.7:01", 2}, {"7.5:01", 2}, {"5.5.7:02-12", 2}, {"7.5.5:01-02", 1}};
  EXPECT_EQ(named_row(table, 0), expected);
}

TEST(CountGraphlets, DoesNotDependOnTheOrderOfVertices) {
  const std::vector<SampleGraph> graphs = sample_graphs(7);
  std::vector<SampleGraph> others;
  for (const SampleGraph& graph : graphs) others.push_back(test::shuffled(graph, others.size()));
  const GraphletTable first = count(read_text_graphs(text_of(graphs)));
  const GraphletTable second = count(read_text_graphs(text_of(others)));
  for (std::int64_t g = 0; g < first.graphs(); ++g) EXPECT_EQ(named_row(first, g), named_row(second, g));
}

TEST(CountGraphlets, DoesNotDependOnThreads) {
  const ContactGraphs graphs = read_text_graphs(text_of(sample_graphs(11)));
  const GraphletTable one = count(graphs, 1);
  for (const int threads : {2, 5}) {
    const GraphletTable several = count(graphs, threads);
    EXPECT_EQ(several.graphlets, one.graphlets);
    EXPECT_EQ(several.starts, one.starts);
    for (std::int64_t g = 0; g < one.graphs(); ++g) EXPECT_EQ(named_row(several, g), named_row(one, g));
  }
}

TEST(CountGraphlets, NamesAreUniqueAndThoseOfAFeatureInAnyTable) {
  const std::vector<SampleGraph> graphs = sample_graphs(13);
  const GraphletTable table = count(read_text_graphs(text_of(graphs)));
  std::set<std::string> names;
  for (std::int64_t feature = 0; feature < table.features(); ++feature) names.insert(table.name(feature));
  EXPECT_EQ(static_cast<std::int64_t>(names.size()), table.features());
  const GraphletTable alone = count(read_text_graphs(text_of({graphs.back()})));
  EXPECT_EQ(named_row(alone, 0), named_row(table, table.graphs() - 1));
}

TEST(CountGraphlets, FeaturesRiseAlongARow) {
  const GraphletTable table = count(read_text_graphs(text_of(sample_graphs(17))));
  std::vector<std::uint32_t> features;
  std::vector<std::uint32_t> counts;
  for (std::int64_t g = 0; g < table.graphs(); ++g) {
    table.row(g, features, counts);
    EXPECT_TRUE(std::is_sorted(features.begin(), features.end(), std::less_equal<>()));
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 0U), 0);
  }
}

TEST(CountGraphlets, GraphsWithoutVerticesHaveNothing) {
  const GraphletTable table = count(read_text_graphs("2\n0 1\n0 2\n"));
  EXPECT_EQ(table.features(), 0);
  EXPECT_EQ(table.nonzeros(), 0);
  EXPECT_EQ(table.graphs(), 2);
}

TEST(CountGraphlets, StopsWhenAskedTo) {
  const ContactGraphs graphs = read_text_graphs(text_of(sample_graphs(19)));
  const std::atomic<bool> stop = true;
  Context context;
  context.threads = 2;
  context.stop = &stop;
  EXPECT_THROW(count_graphlets(graphs, context), Interrupted);
}

}  // namespace
}  // namespace land
