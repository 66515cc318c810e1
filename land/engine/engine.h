// Where features are held: score them all, fetch a few. The one seam for every engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "land/base/feature_id.h"
#include "land/blocks/feature_block.h"
#include "land/engine/score_job.h"
#include "land/engine/shape.h"
#include "land/permuting/permutation_job.h"
#include "land/scores/scores.h"

namespace land {

// Memory of this process that an engine may take, in bytes; one that holds its features elsewhere need not look at it.
struct EngineMemory {
  std::int64_t kept = 0;    // features that may be wanted soon
  std::int64_t window = 0;  // of a mapped file, at a time, while all features are scored; 0: all of it
};

struct EngineWork {
  std::string name;
  std::int64_t workers = 0;
  std::int64_t jobs = 0;         // sent
  std::int64_t bytes_moved = 0;  // that came back
  double seconds = 0.0;          // of waiting for them
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual Shape shape() const = 0;
  std::int64_t features() const { return shape().features; }
  std::int64_t samples() const { return shape().samples; }
  // The first feature of the strip that a feature may be in: bounds of the scoring pass depend on all of a strip.
  virtual FeatureId strip_start(FeatureId feature) const = 0;

  // From now on; before it is called nothing is kept, and there is no window.
  virtual void allow(const EngineMemory& /*memory*/) {}

  // Scores by several jobs in one pass over the data: take(job, part, worker) is called with the scores of a range of
  // the job's features, until all have had their turn: from any thread, in any order, not twice at a time by one
  // worker. A part is to be looked at during the call only. Throws InputError for a job that does not fit the data.
  using TakeScores = std::function<void(std::size_t job, const Scores& part, int worker)>;
  virtual void score(std::span<const ScoreJob> jobs, const TakeScores& take) = 0;
  // How many workers take scores.
  virtual int workers() const = 0;

  // Scores against permuted targets in one pass over the data. Throws InputError for a job that does not fit it.
  // Fetches all features, a few at a time, unless an engine knows better.
  virtual PermutedScores permute(const PermutationJob& job);

  // Brings features to where the path is solved: one block of one feature, of stride 1, for each id.
  virtual std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) = 0;

  // Says that these features will be asked for soon, most likely in this order: what takes long to reach can be brought
  // along.
  virtual void announce(std::span<const FeatureId> /*ids*/) {}

  // What was done elsewhere so far; of an engine that sends nothing, its name and workers.
  virtual EngineWork work() const = 0;

  // Calls look(position, feature) for every feature of `ids` (ascending), from any thread, a block of neighbours after
  // the other: for very many that are looked at once. Fetches them by the group, unless an engine knows better.
  using Look = std::function<void(std::size_t position, const FeatureView& feature)>;
  virtual void visit(std::span<const FeatureId> ids, const Look& look);
};

// Throws InputError for a job that does not fit the data: another number of samples, samples or features that there are
// not, a range that cuts a strip.
void check_job(const ScoreJob& job, const Engine& engine);
void check_job(const PermutationJob& job, const Engine& engine);

}  // namespace land
