#include "land/graphlets/count_graphlets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <mutex>
#include <numeric>

#include "land/base/worker_pool.h"
#include "land/graphlets/enumerate_graphlets.h"

namespace land {
namespace {

using Count = GraphletCounter::Count;

struct Worker {
  GraphletEnumerator enumerator;
  GraphletCounter counter;
};

// The largest graphs first, so that no thread is left with one at the end.
std::vector<std::size_t> by_size(const std::vector<ContactGraph>& graphs) {
  std::vector<std::size_t> order(graphs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return graphs[a].neighbours.size() > graphs[b].neighbours.size();
  });
  return order;
}

// The counts of every graph, by the numbers of the worker that counted it.
std::vector<std::vector<Count>> count_rows(const std::vector<ContactGraph>& graphs, WorkerPool& pool,
                                           const Context& context, std::vector<Worker>& workers,
                                           std::vector<int>& counted_by) {
  const std::vector<std::size_t> order = by_size(graphs);
  std::vector<std::vector<Count>> rows(graphs.size());
  counted_by.resize(graphs.size());
  std::mutex mutex;
  std::size_t done = 0;
  pool.run(static_cast<std::int64_t>(graphs.size()), [&](std::int64_t item, int number) {
    const std::size_t graph = order[static_cast<std::size_t>(item)];
    Worker& worker = workers[static_cast<std::size_t>(number)];
    worker.enumerator.count(graphs[graph], context, worker.counter);
    rows[graph] = worker.counter.take();
    counted_by[graph] = number;
    const bool too_often = std::any_of(rows[graph].begin(), rows[graph].end(),
                                       [](const Count& count) { return count.times > GraphletCounter::kMostTimes; });
    if (too_often) {
      throw InputError(fmt::format("graph {} holds the same graphlet more than {} times, which is too often", graph + 1,
                                   std::uint32_t{GraphletCounter::kMostTimes}));
    }
    const std::scoped_lock lock(mutex);
    context.report("counting", static_cast<double>(++done), static_cast<double>(graphs.size()));
  });
  return rows;
}

// All graphlets, rising; for every worker, where those with its numbers stand among them.
std::vector<GraphletKey> merge(const std::vector<Worker>& workers, WorkerPool& pool,
                               std::vector<std::vector<std::uint32_t>>& ranks) {
  struct Numbered {
    GraphletKey key;
    std::uint32_t number;
  };
  std::vector<std::vector<Numbered>> sorted(workers.size());
  const auto count = static_cast<std::int64_t>(workers.size());
  pool.run(count, [&](std::int64_t w, int) {
    const std::vector<GraphletKey>& keys = workers[static_cast<std::size_t>(w)].counter.keys();
    std::vector<Numbered>& mine = sorted[static_cast<std::size_t>(w)];
    mine.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) mine.push_back({keys[k], static_cast<std::uint32_t>(k)});
    std::sort(mine.begin(), mine.end(), [](const Numbered& a, const Numbered& b) { return a.key < b.key; });
  });

  std::vector<GraphletKey> all;
  for (const std::vector<Numbered>& mine : sorted) {
    std::vector<GraphletKey> keys(mine.size());
    std::transform(mine.begin(), mine.end(), keys.begin(), [](const Numbered& each) { return each.key; });
    std::vector<GraphletKey> both;
    both.reserve(all.size() + keys.size());
    std::set_union(all.begin(), all.end(), keys.begin(), keys.end(), std::back_inserter(both));
    all = std::move(both);
  }

  ranks.resize(workers.size());
  pool.run(count, [&](std::int64_t w, int) {
    const std::vector<Numbered>& mine = sorted[static_cast<std::size_t>(w)];
    std::vector<std::uint32_t>& rank = ranks[static_cast<std::size_t>(w)];
    rank.resize(mine.size());
    std::uint32_t at = 0;
    for (const Numbered& each : mine) {
      while (all[at] != each.key) ++at;
      rank[each.number] = at;
    }
  });
  return all;
}

// Numbers the rootings of all graphlets.
std::vector<GraphletTable::Features> number_features(const std::vector<GraphletKey>& graphlets) {
  std::vector<GraphletTable::Features> features;
  features.reserve(graphlets.size() + 1);
  std::uint64_t next = 0;
  for (const GraphletKey key : graphlets) {
    const Rootings& rooted = rootings(key);
    features.push_back({static_cast<std::uint32_t>(next), rooted.vertices});
    next += static_cast<std::uint64_t>(rooted.count);
    if (next > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(fmt::format("there are more than {} different graphlets with a root; count fewer graphs at once",
                                   std::numeric_limits<std::uint32_t>::max()));
    }
  }
  features.push_back({static_cast<std::uint32_t>(next), {}});
  return features;
}

// Sorts by graphlet, all of them below `graphlets`: by digits, the lowest first.
void sort_by_graphlet(std::size_t graphlets, std::vector<Count>& counts, std::vector<Count>& scratch) {
  constexpr int kDigitBits = 10;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  scratch.resize(counts.size());
  for (int shift = 0; graphlets >> shift > 0; shift += kDigitBits) {
    const auto digit = [shift](const Count& count) { return count.graphlet >> shift & (kDigits - 1); };
    std::array<std::size_t, kDigits> ends{};
    for (const Count& count : counts) ++ends[digit(count)];
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
    for (const Count& count : counts) scratch[ends[digit(count)]++] = count;
    counts.swap(scratch);
  }
}

}  // namespace

GraphletTable count_graphlets(const ContactGraphs& graphs, const Context& context) {
  GraphletTable table;
  table.labels = graphs.labels;
  for (const ContactGraph& graph : graphs.graphs) table.classes.push_back(graph.class_value);

  WorkerPool pool(static_cast<int>(std::min<std::int64_t>(context.threads, table.graphs())));
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  std::vector<int> counted_by;
  table.rows = count_rows(graphs.graphs, pool, context, workers, counted_by);
  std::vector<std::vector<std::uint32_t>> ranks;
  table.graphlets = merge(workers, pool, ranks);
  table.rooted = number_features(table.graphlets);

  table.starts.resize(table.rows.size() + 1);
  std::vector<std::vector<Count>> scratch(workers.size());
  pool.run(table.graphs(), [&](std::int64_t graph, int worker) {
    context.check_stop();
    const auto g = static_cast<std::size_t>(graph);
    const std::vector<std::uint32_t>& rank = ranks[static_cast<std::size_t>(counted_by[g])];
    std::int64_t entries = 0;
    for (Count& count : table.rows[g]) {
      count.graphlet = rank[count.graphlet];
      entries += table.rooted[count.graphlet + 1].first - table.rooted[count.graphlet].first;
    }
    sort_by_graphlet(table.graphlets.size(), table.rows[g], scratch[static_cast<std::size_t>(worker)]);
    table.starts[g + 1] = entries;
  });
  std::partial_sum(table.starts.begin(), table.starts.end(), table.starts.begin());
  return table;
}

}  // namespace land
