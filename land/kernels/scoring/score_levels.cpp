// Scoring of features in codes, dense or sparse: exact, from the contrasts of their levels.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "land/kernels/points/rank_scores.h"
#include "land/kernels/scoring/form_scorer.h"
#include "land/kernels/scoring/level_forms.h"
#include "land/kernels/scoring/level_table.h"
#include "land/kernels/scoring/scorer.h"

namespace land {
namespace {

// The level that stands for missing values takes the mean of the others; or is left out, and the rest centred anew; or
// goes to the end, where the forms know it. Returns the share of the samples that remains.
double settle_missing(Missing missing, LevelTable& table) {
  const auto found = std::find_if(table.values.begin(), table.values.end(), [](double x) { return std::isnan(x); });
  if (found == table.values.end()) return 1.0;
  const auto at = found - table.values.begin();
  const std::size_t levels = table.levels();
  if (missing == Missing::kMean) {
    double sum = 0.0;
    for (std::size_t v = 0; v < levels; ++v) {
      if (!std::isnan(table.values[v])) sum += table.shares[v] * table.values[v];
    }
    *found = sum / (1.0 - table.shares[static_cast<std::size_t>(at)]);
    return 1.0;
  }
  const bool keep = missing == Missing::kLevel && table.shares[static_cast<std::size_t>(at)] > 0.0;
  const auto to_end = [&](double* first) { std::rotate(first + at, first + at + 1, first + levels); };
  to_end(table.values.data());
  to_end(table.shares.data());
  for (std::size_t j = 0; j < table.contrast_count; ++j) to_end(table.contrasts.data() + j * levels);
  if (keep) {
    table.values.back() = 0.0;
    table.last_is_missing = true;
    return 1.0;
  }
  const double left = 1.0 - table.shares.back();
  table.values.pop_back();
  table.shares.pop_back();
  for (double& share : table.shares) share /= left;
  for (std::size_t j = 0; j < table.contrast_count; ++j) {
    double* to = table.contrasts.data() + j * (levels - 1);
    std::copy_n(table.contrasts.data() + j * levels, levels - 1, to);
    double sum = 0.0;
    for (std::size_t v = 0; v + 1 < levels; ++v) sum += to[v];
    for (std::size_t v = 0; v + 1 < levels; ++v) to[v] -= sum * table.shares[v];
  }
  return left;
}

// Normal scores instead of the values of levels that so many of the samples are at.
void rank_levels(std::int64_t samples, std::span<double> values, std::span<const double> shares) {
  std::vector<double> counts;
  for (const double share : shares) counts.push_back(std::round(share * static_cast<double>(samples)));
  rank_scores(values, counts);
}

}  // namespace

Score Scorer::score_codes(const FeatureView& feature) const {
  static thread_local LevelTable table;
  table.values.assign(feature.levels.begin(), feature.levels.end());
  table.last_is_missing = false;
  contrasts_->of_codes(feature, table);
  if (options_.transform == Transform::kRank) rank_levels(samples_, table.values, table.shares);
  const double left = feature.header->missing > 0 ? settle_missing(options_.missing, table) : 1.0;
  if (feature.header->encoding == Encoding::kPacked2 && feature.header->missing == 0) {
    settle_missing(Missing::kIgnore, table);  // no call is missing: its level goes
  }
  tame(table);
  return bound_of(level_forms(table, options_.sigma), left * static_cast<double>(samples_));
}

Score Scorer::score_sparse(const FeatureView& feature) const {
  std::optional<LevelForms> forms;
  const bool ranked = options_.transform == Transform::kRank;
  if (options_.sigma.size() == 1 && !ranked) forms = contrasts_->sparse_forms(feature, options_.sigma.front());
  if (!forms) {
    static thread_local LevelTable table;
    table.last_is_missing = false;
    const auto from_base = [](std::span<const double> levels) {
      table.values.clear();
      for (std::size_t v = 1; v < levels.size(); ++v) table.values.push_back(levels[v] - levels[0]);
    };
    from_base(feature.levels);
    contrasts_->of_sparse_codes(feature, table);
    if (ranked) {
      std::vector<double> levels(feature.levels.begin(), feature.levels.end());
      std::vector<double> shares = {1.0 - std::accumulate(table.shares.begin(), table.shares.end(), 0.0)};
      shares.insert(shares.end(), table.shares.begin(), table.shares.end());
      rank_levels(samples_, levels, shares);
      from_base(levels);
    }
    tame(table);
    forms = sparse_forms(table, options_.sigma);
  }
  return bound_of(*forms, static_cast<double>(samples_));
}

Score Scorer::bound_of(const LevelForms& forms, double samples) const {
  const double numerator = forms.numerator;
  const double norm = samples * std::sqrt(forms.squares);
  const double scale = kernel_scale(options_.measure, norm, static_cast<double>(samples_));
  double bound = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + 1e-12;
  if (options_.factor == FactorKind::kFull) {
    bound += target_factor_.residual * target_factor_.norm * target_factor_.scale * scale * norm;
  }
  const double low = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 - 1e-9);
  double largest = norm;
  if (!forms.norms.empty()) {
    std::vector<double> norms;
    for (const double one : forms.norms) norms.push_back(one * samples);
    largest = sketch_norm(std::sqrt(forms.squares), norms);
  }
  return score_between(low - factor_error(norm), bound, largest * (1.0 + 1e-9));
}

}  // namespace land
