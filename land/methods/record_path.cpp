#include "land/methods/record_path.h"

#include <set>
#include <utility>
#include <vector>

namespace land {
namespace {

void record_knots(const Path& path, Result& result) {
  for (const Knot& knot : path.knots) {
    PathStep step;
    step.lambda = knot.lambda;
    step.event = knot.event == PathEvent::kEnter  ? PathStep::Event::kEnter
                 : knot.event == PathEvent::kDrop ? PathStep::Event::kDrop
                                                  : PathStep::Event::kEnd;
    if (knot.feature >= 0) step.index = knot.feature;
    step.coefficients = knot.coefficients;
    result.path.push_back(std::move(step));
  }
  result.stopped = to_string(path.stop);
  result.lambda = path.knots.back().lambda;
}

// Those active at the end, in order of (last) entry.
void record_selected(const Path& path, PairOracle& pairs, Result& result) {
  std::vector<FeatureId> ids;
  for (const auto& [id, alpha] : path.knots.back().coefficients) {
    SelectedFeature feature;
    feature.index = id;
    feature.coefficient = alpha;
    for (const Knot& knot : path.knots) {
      if (knot.event == PathEvent::kEnter && knot.feature == id) feature.lambda_entered = knot.lambda;
    }
    ids.push_back(id);
    result.selected.push_back(std::move(feature));
  }
  std::vector<double> relevance(ids.size());
  pairs.relevance(ids, relevance);
  for (std::size_t t = 0; t < ids.size(); ++t) result.selected[t].relevance = relevance[t];

  std::vector<PairRequest> requests;
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) requests.push_back({ids[a], ids[b], pairs.stages()});
  }
  std::vector<double> values(requests.size());
  pairs.evaluate(requests, values);
  result.redundancy.assign(ids.size(), std::vector<double>(ids.size()));
  std::size_t at = 0;
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) result.redundancy[a][b] = result.redundancy[b][a] = values[at++];
  }
}

void record_dropped(const Path& path, PairOracle& pairs, Result& result) {
  std::set<FeatureId> ids;
  for (const Knot& knot : path.knots) {
    if (knot.event == PathEvent::kEnter) ids.insert(knot.feature);
  }
  for (const SelectedFeature& feature : result.selected) ids.erase(feature.index);
  std::vector<FeatureId> others;
  for (const SelectedFeature& feature : result.selected) others.push_back(feature.index);
  for (const FeatureId id : ids) {
    others.push_back(id);
    std::vector<PairRequest> requests;
    for (const FeatureId other : others) requests.push_back({id, other, pairs.stages()});
    pairs.evaluate(requests, result.dropped_redundancy.emplace_back(requests.size()));
    SelectedFeature& feature = result.dropped.emplace_back();
    feature.index = id;
    pairs.relevance({&id, 1}, {&feature.relevance, 1});
  }
}

}  // namespace

void record_path(const Path& path, PairOracle& pairs, Result& result) {
  record_knots(path, result);
  record_selected(path, pairs, result);
  record_dropped(path, pairs, result);
}

}  // namespace land
