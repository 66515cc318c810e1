// What a front end runs a command on: the features of a table on this machine, its threads, and the engine over both.
#pragma once

#include <cstdint>
#include <memory>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/blocks/feature_source.h"
#include "land/data/table.h"
#include "land/engine/local_engine.h"
#include "land/options/options.h"

namespace land {

// Table and context outlive it. The features are let go of with it.
struct LocalRun {
  LocalRun(const Table& table, Missing missing, std::int64_t block_size, const Context& context)
      : source(table.source(missing)), pool(context.threads), engine(*source, pool, context, block_size) {}

  std::shared_ptr<const FeatureSource> source;
  WorkerPool pool;
  LocalEngine engine;
};

}  // namespace land
