#include "land/copies/identical.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "land/kernels/points/standardise.h"
#include "land/text/parse_number.h"

namespace land {
namespace {

struct Standardised {
  bool nominal = false;
  std::vector<double> u;   // of every sample; NaN where its value is missing
  double tolerance = 0.0;  // what an affine copy can be off by in u, having been rounded to the type it is stored in
};

// Whether an affine copy of these values would have been rounded to float32: not if they are whole numbers, nor if
// they hold more than that themselves.
bool may_be_rounded_to_float(const std::vector<double>& values) {
  const auto is_whole = [](double x) { return std::isnan(x) || std::trunc(x) == x; };
  return std::all_of(values.begin(), values.end(), is_float32) && !std::all_of(values.begin(), values.end(), is_whole);
}

Standardised standardised(const FeatureBlock& block) {
  const FeatureView view = block.view(0);
  const Points points = standardise(view, Missing::kIgnore, Transform::kNone);
  Standardised result;
  result.nominal = view.header->nominal;
  double least = view.value(0);
  double most = least;
  double range = 0.0;
  std::vector<double> values(static_cast<std::size_t>(view.samples));
  view.copy_values(values);
  for (std::int64_t i = 0; i < view.samples; ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    least = std::fmin(least, value);
    most = std::fmax(most, value);
    result.u.push_back(points.is_missing(i) ? std::numeric_limits<double>::quiet_NaN() : points.of_sample(i));
    range = std::fmax(range, std::abs(result.u.back()));
  }
  const double relative = may_be_rounded_to_float(values) ? 0x1p-23 : 0x1p-52;
  result.tolerance = 1e-9 + 8.0 * relative * range * std::max(std::abs(least), std::abs(most)) / (most - least);
  return result;
}

bool equal_up_to_sign(const Standardised& a, const Standardised& b) {
  const double tolerance = std::max(a.tolerance, b.tolerance);
  bool same = a.nominal == b.nominal;
  bool mirrored = same;
  for (std::size_t i = 0; i < a.u.size() && (same || mirrored); ++i) {
    if (std::isnan(a.u[i]) && std::isnan(b.u[i])) continue;
    same = same && std::abs(a.u[i] - b.u[i]) <= tolerance;
    mirrored = mirrored && std::abs(a.u[i] + b.u[i]) <= tolerance;
  }
  return same || mirrored;
}

void add_once(std::vector<std::int64_t>& list, std::int64_t feature) {
  const auto place = std::lower_bound(list.begin(), list.end(), feature);
  if (place == list.end() || *place != feature) list.insert(place, feature);
}

// Those that were left out beforehand are identical, too, and so are the copies of what is identical.
void add_left_out(const Copies& copies, std::vector<SelectedFeature>& selected) {
  for (SelectedFeature& feature : selected) {
    std::vector<std::int64_t> all = feature.identical;
    for (const std::int64_t id : feature.identical) {
      for (const FeatureId copy : copies.of(id)) all.push_back(copy);
    }
    for (const FeatureId copy : copies.of(feature.index)) all.push_back(copy);
    std::sort(all.begin(), all.end());
    feature.identical = std::move(all);
  }
}

}  // namespace

void find_identical(std::span<const TouchedFeature> touched, const Copies* copies, Candidates& candidates,
                    std::vector<SelectedFeature>& selected) {
  std::map<FeatureId, std::size_t> position;
  for (std::size_t s = 0; s < selected.size(); ++s) position[selected[s].index] = s;
  // Copies have the same kernel: only where R_ki is close to R_ii are values compared.
  constexpr double kClose = 1e-4;
  std::vector<PairRequest> pairs;
  for (const TouchedFeature& one : touched) {
    for (const auto& [i, stage] : one.pairs) {
      if (stage < candidates.stages() || i == one.feature || !position.contains(i)) continue;
      pairs.push_back({one.feature, i, stage});
    }
  }
  std::vector<PairRequest> norms;
  for (const auto& [i, place] : position) norms.push_back({i, i, candidates.stages()});
  std::vector<double> r(pairs.size());
  candidates.evaluate(pairs, r);
  std::vector<double> norm(norms.size());
  candidates.evaluate(norms, norm);
  std::map<FeatureId, double> norm_of;
  for (std::size_t t = 0; t < norms.size(); ++t) norm_of[norms[t].i] = norm[t];

  for (std::size_t t = 0; t < pairs.size(); ++t) {
    const auto [k, i, stage] = pairs[t];
    if (std::abs(r[t] - norm_of.at(i)) > kClose * norm_of.at(i)) continue;
    if (!equal_up_to_sign(standardised(candidates.column(k)), standardised(candidates.column(i)))) continue;
    add_once(selected[position.at(i)].identical, k);
    if (const auto twin = position.find(k); twin != position.end()) add_once(selected[twin->second].identical, i);
  }
  if (copies != nullptr) add_left_out(*copies, selected);
}

}  // namespace land
