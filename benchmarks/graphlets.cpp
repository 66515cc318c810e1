// Counting rooted graphlets against the plain counter of the tests. The graphs are those of the file that the
// environment variable LAND_GRAPHS names, or else made up like proteins.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <random>

#include "land/graphlets/count_graphlets.h"
#include "land/graphlets/read_contact_graphs.h"
#include "tests/support/plain_graphlets.h"

namespace land::bench {
namespace {

// Points in a ball, joined when they are close: about 5 neighbours each, and 20 labels of unequal frequency.
ContactGraphs protein_like_graphs() {
  constexpr int kGraphs = 20;
  constexpr std::uint32_t kVertices = 280;
  constexpr double kContact = 0.28;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
  ContactGraphs result;
  for (std::int64_t label = 0; label < 20; ++label) result.labels.push_back(label);
  for (int g = 0; g < kGraphs; ++g) {
    ContactGraph graph;
    graph.class_value = "1";
    std::vector<std::array<double, 3>> points;
    while (points.size() < kVertices) {
      const std::array<double, 3> p = {coordinate(random), coordinate(random), coordinate(random)};
      if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 1.0) points.push_back(p);
    }
    for (std::uint32_t v = 0; v < kVertices; ++v) {
      graph.labels.push_back(static_cast<std::uint16_t>(std::min(random() % 20, random() % 20)));
      for (std::uint32_t u = 0; u < v; ++u) {
        double squared = 0.0;
        for (std::size_t k = 0; k < 3; ++k) squared += (points[u][k] - points[v][k]) * (points[u][k] - points[v][k]);
        if (squared < kContact * kContact) graph.neighbours.push_back(u);
      }
      graph.starts.push_back(graph.neighbours.size());
    }
    make_undirected(graph);
    result.graphs.push_back(graph);
  }
  return result;
}

const ContactGraphs& graphs() {
  static const ContactGraphs all = [] {
    const char* path = std::getenv("LAND_GRAPHS");
    return path == nullptr ? protein_like_graphs() : read_contact_graphs(path, {});
  }();
  return all;
}

// An iteration is one count of all graphs; items are graphs.
void plain_graphlets(benchmark::State& state) {
  for (auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores)
    std::vector<std::map<test::PlainKey, std::int64_t>> rows;
    for (const ContactGraph& graph : graphs().graphs) rows.push_back(test::plain_graphlets(graph, graphs().labels));
    benchmark::DoNotOptimize(rows);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(graphs().graphs.size()));
}

void graphlets(benchmark::State& state) {
  Context context;
  context.threads = static_cast<int>(state.range(0));
  for (auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores)
    const GraphletTable table = count_graphlets(graphs(), context);
    benchmark::DoNotOptimize(table.nonzeros());
    state.counters["features"] = static_cast<double>(table.features());
    state.counters["nonzeros"] = static_cast<double>(table.nonzeros());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(graphs().graphs.size()));
}

BENCHMARK(plain_graphlets)->UseRealTime()->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(graphlets)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace land::bench
