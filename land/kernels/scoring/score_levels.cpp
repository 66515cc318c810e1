// Scoring of features in codes, dense or sparse: exact, from the contrasts of their levels.
#include <algorithm>
#include <cmath>
#include <optional>

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

}  // namespace

Score Scorer::score_codes(const FeatureView& feature) const {
  static thread_local LevelTable table;
  table.values.assign(feature.levels.begin(), feature.levels.end());
  table.last_is_missing = false;
  contrasts_->of_codes(feature, table);
  const double left = feature.header->missing > 0 ? settle_missing(options_.missing, table) : 1.0;
  if (feature.header->encoding == Encoding::kPacked2 && feature.header->missing == 0) {
    settle_missing(Missing::kIgnore, table);  // no call is missing: its level goes
  }
  tame(table);
  const LevelForms forms = level_forms(table, options_.sigma);
  return bound_of(forms.numerator, left * static_cast<double>(samples_) * std::sqrt(forms.squares));
}

Score Scorer::score_sparse(const FeatureView& feature) const {
  const auto n = static_cast<double>(samples_);
  std::optional<LevelForms> forms = contrasts_->sparse_forms(feature, options_.sigma);
  if (!forms) {
    static thread_local LevelTable table;
    table.last_is_missing = false;
    table.values.clear();
    for (std::size_t v = 1; v < feature.levels.size(); ++v) {
      table.values.push_back(feature.levels[v] - feature.levels[0]);
    }
    contrasts_->of_sparse_codes(feature, table);
    tame(table);
    forms = sparse_forms(table, options_.sigma);
  }
  return bound_of(forms->numerator, n * std::sqrt(forms->squares));
}

Score Scorer::bound_of(double numerator, double norm) const {
  const double scale = kernel_scale(options_.measure, norm, static_cast<double>(samples_));
  double bound = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + 1e-12;
  if (options_.factor == FactorKind::kFull) {
    bound += target_factor_.residual * target_factor_.norm * target_factor_.scale * scale * norm;
  }
  const double low = std::max(numerator, 0.0) * scale * target_factor_.scale * (1.0 - 1e-9);
  return score_between(low - factor_error(norm), bound, norm * (1.0 + 1e-9));
}

}  // namespace land
