// Some samples of what another engine holds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "land/blocks/cut_samples.h"
#include "land/engine/engine.h"

namespace land {

// Nothing is copied: the whole engine scores by these samples alone (ScoreJob::subset), and features are cut down when
// they come. Every bit is that of an engine over a SubsetSource; signatures of single features are not known here.
class SampleView final : public Engine {
 public:
  // `whole` outlives it. `samples`: of the whole, ascending, at least one.
  SampleView(Engine& whole, std::shared_ptr<const SampleNumbers> samples);

  Shape shape() const override;
  FeatureId strip_start(FeatureId feature) const override { return whole_.strip_start(feature); }
  void allow(const EngineMemory& memory) override { whole_.allow(memory); }
  void score(std::span<const ScoreJob> jobs, const TakeScores& take) override;
  int workers() const override { return whole_.workers(); }
  std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) override;
  void announce(std::span<const FeatureId> ids) override { whole_.announce(ids); }
  EngineWork work() const override { return whole_.work(); }
  void visit(std::span<const FeatureId> ids, const Look& look) override;

 private:
  Engine& whole_;
  SampleCut cut_;
};

}  // namespace land
