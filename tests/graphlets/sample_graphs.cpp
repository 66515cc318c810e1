#include "tests/graphlets/sample_graphs.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "land/graphlets/read_contact_graphs.h"

namespace land::test {

std::vector<SampleGraph> sample_graphs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto chance = [&random](double probability) {
    return static_cast<double>(random() % 1000) < 1000.0 * probability;
  };
  using Joined = std::function<bool(std::uint32_t, std::uint32_t)>;
  std::vector<Joined> shapes = {
      [](auto i, auto j) { return j == i + 1; },     [](auto i, auto j) { return j == i + 1 || (i == 0 && j == 7); },
      [](auto i, auto) { return i == 0; },           [](auto, auto) { return true; },
      [](auto i, auto j) { return i % 2 != j % 2; }, [](auto, auto) { return false; }};
  for (const double density : {0.1, 0.2, 0.35, 0.5, 0.8}) {
    shapes.emplace_back([chance, density](auto, auto) { return chance(density); });
  }
  std::vector<SampleGraph> graphs;
  for (const Joined& joined : shapes) {
    for (const std::uint32_t vertices : {0U, 1U, 3U, 4U, 8U, 11U}) {
      for (const unsigned labels : {1U, 2U, 4U}) {
        SampleGraph graph;
        graph.class_value = random() % 2 == 0 ? "-1" : "2.5";
        for (std::uint32_t v = 0; v < vertices; ++v) graph.labels.push_back(static_cast<int>(10 * (random() % labels)));
        for (std::uint32_t i = 0; i < vertices; ++i) {
          for (std::uint32_t j = i + 1; j < vertices; ++j) {
            if (joined(i, j)) graph.edges.emplace_back(i, j);
          }
        }
        graphs.push_back(graph);
      }
    }
  }
  return graphs;
}

SampleGraph shuffled(const SampleGraph& graph, std::uint64_t seed) {
  std::vector<std::uint32_t> places(graph.labels.size());
  std::iota(places.begin(), places.end(), 0U);
  std::shuffle(places.begin(), places.end(), std::mt19937_64(seed));
  SampleGraph result = graph;
  for (std::size_t v = 0; v < places.size(); ++v) result.labels[places[v]] = graph.labels[v];
  for (auto& [i, j] : result.edges) {
    i = places[i];
    j = places[j];
  }
  return result;
}

std::string text_of(const std::vector<SampleGraph>& graphs) {
  std::string text = std::to_string(graphs.size()) + "\n";
  for (const SampleGraph& graph : graphs) {
    text += std::to_string(graph.labels.size()) + " " + graph.class_value + "\n";
    for (std::size_t v = 0; v < graph.labels.size(); ++v) {
      int degree = 0;
      std::string neighbours;
      for (const auto& [i, j] : graph.edges) {
        if (i != v && j != v) continue;
        neighbours += " " + std::to_string(i == v ? j : i);
        ++degree;
      }
      text += std::to_string(graph.labels[v]) + " " + std::to_string(degree) + neighbours + "\n";
    }
  }
  return text;
}

ContactGraphs read_text_graphs(const std::string& text, int threads) {
  Context context;
  context.threads = threads;
  return read_contact_graphs({std::as_bytes(std::span(text)), nullptr, false}, "graphs.txt", context);
}

std::vector<std::pair<std::string, std::uint32_t>> named_row(const GraphletTable& table, std::int64_t graph) {
  std::vector<std::uint32_t> features;
  std::vector<std::uint32_t> counts;
  table.row(graph, features, counts);
  std::vector<std::pair<std::string, std::uint32_t>> row;
  for (std::size_t k = 0; k < features.size(); ++k) row.emplace_back(table.name(features[k]), counts[k]);
  return row;
}

}  // namespace land::test
