#include "tests/support/serial_cluster.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "land/remote/worker.h"

namespace land::test {

SerialCluster::SerialCluster(const Table& table, Missing missing, int workers) : workers_(workers) {
  ConvertOptions options;
  options.missing = missing;
  options.block_bytes = 40 * table.source(missing)->bytes_each();
  const CellCutter cutter(table, options);
  table_ = read_block_table(to_message(cutter.table()));
  firsts.assign(cutter.firsts().begin(), cutter.firsts().end());
  for (std::int64_t c = 0; c < cutter.cells(); ++c) cells.push_back(to_message(cutter.cut(c)));
}

Cluster SerialCluster::verbs() const {
  Cluster cluster;
  cluster.name = "serial";
  cluster.workers = workers_;
  cluster.score = [this](std::string_view order, const Cluster::Take& take) {
    std::mt19937_64 random(order.size());
    std::vector<std::size_t> numbers(cells.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    numbers.push_back(random() % cells.size());  // twice
    std::shuffle(numbers.begin(), numbers.end(), random);
    std::vector<std::unique_ptr<Worker>> workers;
    for (int w = 0; w < workers_; ++w) workers.push_back(std::make_unique<Worker>(order));
    for (const std::size_t number : numbers) {
      take(workers[random() % workers.size()]->score(cells[number], "cell " + std::to_string(number)));
    }
    for (const auto& worker : workers) {
      if (const std::string best = worker->likeliest(); !best.empty()) take(best);
    }
  };
  cluster.fetch = [this](std::span<const FeatureId> ids, const Cluster::Take& take) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto begin = std::lower_bound(ids.begin(), ids.end(), firsts[c]);
      const auto end = std::lower_bound(begin, ids.end(), firsts[c + 1]);
      if (begin != end) take(pick(cells[c], "cell " + std::to_string(c), std::vector<FeatureId>(begin, end)));
    }
  };
  return cluster;
}

}  // namespace land::test
