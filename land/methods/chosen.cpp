#include "land/methods/chosen.h"

#include <vector>

namespace land {

void record_chosen(std::span<const Chosen> chosen, PairOracle& pairs, Result& result) {
  std::vector<FeatureId> ids;
  for (const Chosen& one : chosen) ids.push_back(one.feature);
  std::vector<double> relevance(ids.size());
  pairs.prepare(ids);
  pairs.relevance(ids, relevance);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    SelectedFeature& feature = result.selected.emplace_back();
    feature.index = ids[t];
    feature.relevance = relevance[t];
    feature.score = chosen[t].score;
  }
}

}  // namespace land
