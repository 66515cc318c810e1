#include "land/formats/take_covariates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/formats/find_features.h"

namespace land {
namespace {

TargetColumn covariate_of(const Table& table, const FeatureSource& source, std::int64_t feature) {
  FeatureBlock block;
  source.gather(std::array{feature}, block);
  std::vector<double> values(static_cast<std::size_t>(source.samples()));
  block.view(0).copy_values(values);
  TargetColumn covariate;
  covariate.name = table.feature_name(feature);
  covariate.path = table.path;
  covariate.covariate = true;
  covariate.categorical = table.nominal.contains(feature);
  covariate.missing = std::count_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  const auto words = table.nominal.words.find(feature);
  if (words == table.nominal.words.end()) {
    covariate.numbers = std::move(values);
    return covariate;
  }
  for (const double value : values) {
    covariate.text.push_back(std::isnan(value) ? std::string() : words->second[static_cast<std::size_t>(value)]);
  }
  return covariate;
}

}  // namespace

void take_covariates(Table& table, std::span<const std::string> names) {
  if (names.empty()) return;
  if (table.elsewhere) {
    throw InputError(fmt::format("{}: {}: the features of a block table cannot be covariates; give a file, or values",
                                 table.path, option("adjust", names)));
  }
  std::vector<std::int64_t> features = find_features(table, "adjust", names);
  const auto source = table.source(Missing::kIgnore);
  for (const std::int64_t feature : features) table.covariates.push_back(covariate_of(table, *source, feature));
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  table.covariate_features = std::move(features);
  table.covariate_matching = {Matching::How::kSameTable, table.samples(), table.samples(), table.samples()};
}

}  // namespace land
