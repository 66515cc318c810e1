#include "land/methods/maximum_relevance.h"

#include "land/methods/best_of.h"

namespace land {
namespace {

class MaximumRelevance final : public Method {
 public:
  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    for (const auto& [id, relevance] :
         most_relevant(setting.bounds, setting.options.features, pairs, result.work.features_touched)) {
      SelectedFeature& feature = result.selected.emplace_back();
      feature.index = id;
      feature.relevance = relevance;
    }
  }
};

}  // namespace

std::unique_ptr<Method> make_maximum_relevance() { return std::make_unique<MaximumRelevance>(); }

}  // namespace land
