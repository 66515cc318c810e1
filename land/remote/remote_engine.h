// The engine whose features are the cells of a block table on a cluster: both verbs are somebody else's, who knows the
// cluster and no kernel. Bytes go out and come back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "land/base/context.h"
#include "land/data/feature_names.h"
#include "land/engine/engine.h"
#include "land/engine/feature_ranges.h"
#include "land/remote/order.h"

namespace land {

// What a cluster does. Each is a job of it, and may take long.
struct Cluster {
  using Take = std::function<void(std::string_view answer)>;

  std::string name;  // "spark", ...
  int workers = 1;   // that work at a time, about
  // Has every cell scored by Worker::score, and takes what they and Worker::likeliest give: in any order, any of it
  // more than once.
  std::function<void(std::string_view order, const Take& take)> score;
  // Takes what `pick` gives for these features, ascending, likewise.
  std::function<void(std::span<const FeatureId> ids, const Take& take)> fetch;
};

class RemoteEngine final : public Engine {
 public:
  // All that is referred to outlives the engine.
  RemoteEngine(BlockTable table, Cluster cluster, const Context& context);

  Shape shape() const override;
  FeatureId strip_start(FeatureId feature) const override { return feature / kStripWidth * kStripWidth; }
  void allow(const EngineMemory& memory) override { memory_ = memory; }
  // Throws InputError if the scores of some features never come, and for what answers another order.
  void score(std::span<const ScoreJob> jobs, const TakeScores& take) override;
  PermutedScores permute(const PermutationJob& job) override;
  int workers() const override { return 1; }  // that take scores: answers come one after the other
  std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) override;
  // What was announced comes with the first of it that is fetched, as far as it is not too much.
  void announce(std::span<const FeatureId> ids) override { announced_.assign(ids.begin(), ids.end()); }
  void visit(std::span<const FeatureId> ids, const Look& look) override;
  EngineWork work() const override { return work_; }

  // Names of features that have been fetched, or else are now; `fetch_names` fetches several at once.
  std::string name_of(FeatureId feature);
  void fetch_names(std::span<const FeatureId> features);

 private:
  using Fetched = std::unordered_map<FeatureId, std::shared_ptr<const FeatureBlock>>;

  // Runs one job of the cluster.
  void run(const std::function<void(const Cluster::Take& take)>& job, const Cluster::Take& take);
  // Throws InputError if some of these features are not there.
  void check_complete(const FeatureRanges& there, FeatureId first, FeatureId last) const;
  [[noreturn]] void throw_other_order(const Answer& answer, const Order& order) const;
  // Calls act(feature) for those of `ids` that were asked for, once each; throws InputError if one never comes.
  void fetch_each(std::span<const FeatureId> ids, const std::function<void(const FeatureView& feature)>& act);
  Features read(std::string_view message);
  // The features of an answer, as long as there is room for them.
  void keep(const Features& features);
  void keep(std::shared_ptr<const FeatureBlock> block);
  std::int64_t kept_by_worker(std::int64_t wanted) const;

  BlockTable table_;
  Cluster cluster_;
  const Context& context_;
  EngineMemory memory_;
  EngineWork work_;
  Fetched kept_;
  std::int64_t kept_bytes_ = 0;
  std::vector<FeatureId> announced_;
  std::unordered_map<FeatureId, std::string> names_;
  bool nameless_ = false;  // features came without names: none has any
};

// The names of an engine's features, fetched when they are asked for. The engine outlives it.
class RemoteNames final : public FeatureNames {
 public:
  explicit RemoteNames(RemoteEngine& engine) : engine_(engine) {}
  std::int64_t size() const override { return engine_.features(); }
  std::string at(std::int64_t feature) const override { return engine_.name_of(feature); }
  void expect(std::span<const std::int64_t> features) const override { engine_.fetch_names(features); }

 private:
  RemoteEngine& engine_;
};

// What a driver has of a block table: all but the values and the names of features.
Table table_of(const BlockTable& blocks);

}  // namespace land
