// The commands as a front end runs them, on this machine's engine; and as tests do that hold whatever the engine is.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "land/commands/neighbors.h"
#include "land/commands/score.h"
#include "land/commands/select.h"
#include "land/engine/local_run.h"
#include "land/remote/remote_engine.h"
#include "land/report/json.h"
#include "land/report/tsv.h"
#include "land/scores/score_file.h"
#include "land/subset/subset_table.h"
#include "land/wire/scores_message.h"
#include "tests/support/loopback_engine.h"
#include "tests/support/serial_cluster.h"

namespace land::test::local {

inline Result select(const Table& table, const Target& target, const SelectOptions& options, const Context& context,
                     const Scores* scores = nullptr) {
  LocalRun local(table, options.kernel.missing, options.block_size, context);
  return land::select(local.engine, local.pool, table, target, options, context, scores);
}

inline ScoredPart score(const Table& table, const Target& target, const ScoreOptions& options, const Context& context) {
  LocalRun local(table, options.kernel.missing, options.block_size, context);
  return land::score(local.engine, table, target, options, context);
}

inline Scores join_parts(std::span<const ScoredPart> parts, const Table& table, const Target& target,
                         const KernelOptions& options) {
  const Context context;
  LocalRun local(table, options.missing, 0, context);
  return land::join_parts(parts, local.engine, table, target, options);
}

inline Neighbors neighbors(const Table& table, std::int64_t feature, const NeighborOptions& options,
                           const Context& context) {
  LocalRun local(table, options.kernel.missing, options.block_size, context);
  return land::neighbors(local.engine, local.pool, table, feature, options, context);
}

}  // namespace land::test::local

namespace land::test {

using land::without_values;

inline Context threads(int count) {
  Context context;
  context.threads = count;
  return context;
}

struct LoopbackRun {
  LoopbackRun(const Table& whole, Missing missing, const Context& context)
      : table(without_values(whole)), pool(context.threads), engine(whole.source(missing), context) {}

  Table table;
  WorkerPool pool;
  LoopbackEngine engine;
};

inline std::string json_without_times(Result result) {
  result.seconds = {};
  result.engine = {};
  return to_json(result);
}

// Both results, compared to the bit by what `text` makes of them; the first is given back. Errors are the first's.
template <class First, class Second, class Text>
auto compared(const First& first, const Second& second, const Text& text) {
  auto result = first();
  EXPECT_EQ(text(second()), text(result)) << "the two engines differ";
  return result;
}

// A driver whose data are the cells of a cluster.
struct RemoteRun {
  RemoteRun(const Table& whole, Missing missing, const Context& context)
      : table(without_values(whole)),
        pool(context.threads),
        cluster(whole, missing),
        engine(cluster.table(), cluster.verbs(), context) {}

  Table table;
  WorkerPool pool;
  SerialCluster cluster;
  RemoteEngine engine;
};

}  // namespace land::test

// On every engine, with the same result to the bit.
namespace land::test::both {

inline Result select(const Table& table, const Target& target, const SelectOptions& options, const Context& context,
                     const Scores* scores = nullptr) {
  const auto elsewhere = [&](auto run) {
    return land::select(run->engine, run->pool, run->table, target, options, context, scores);
  };
  const Missing missing = options.kernel.missing;
  const Result loopback =
      compared([&] { return local::select(table, target, options, context, scores); },
               [&] { return elsewhere(std::make_unique<LoopbackRun>(table, missing, context)); }, json_without_times);
  return compared([&] { return loopback; },
                  [&] { return elsewhere(std::make_unique<RemoteRun>(table, missing, context)); }, json_without_times);
}

inline ScoredPart score(const Table& table, const Target& target, const ScoreOptions& options, const Context& context) {
  return compared([&] { return local::score(table, target, options, context); },
                  [&] {
                    LoopbackRun run(table, options.kernel.missing, context);
                    return land::score(run.engine, run.table, target, options, context);
                  },
                  [](const ScoredPart& part) { return to_bytes(part); });
}

inline Scores join_parts(std::span<const ScoredPart> parts, const Table& table, const Target& target,
                         const KernelOptions& options) {
  return compared([&] { return local::join_parts(parts, table, target, options); },
                  [&] {
                    const Context context;
                    LoopbackRun run(table, options.missing, context);
                    return land::join_parts(parts, run.engine, run.table, target, options);
                  },
                  [](const Scores& scores) { return to_message(scores); });
}

inline Neighbors neighbors(const Table& table, std::int64_t feature, const NeighborOptions& options,
                           const Context& context) {
  return compared([&] { return local::neighbors(table, feature, options, context); },
                  [&] {
                    LoopbackRun run(table, options.kernel.missing, context);
                    return land::neighbors(run.engine, run.pool, run.table, feature, options, context);
                  },
                  [](const Neighbors& found) { return to_tsv(found); });
}

}  // namespace land::test::both
