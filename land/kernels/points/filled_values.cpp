#include "land/kernels/points/filled_values.h"

#include <cmath>
#include <limits>

#include "land/kernels/points/rank_scores.h"

namespace land {

FilledValues filled_values(const FeatureView& feature, Missing missing, Transform transform) {
  FilledValues filled{std::vector<double>(static_cast<std::size_t>(feature.samples)),
                      std::numeric_limits<double>::quiet_NaN()};
  feature.copy_values(filled.values);
  if (transform == Transform::kRank) rank_scores(filled.values);
  if (missing != Missing::kMean || feature.header->missing == 0) return filled;
  // Divided before they are added, so that large ones do not overflow.
  double sum = 0.0;
  double count = 0.0;
  for (const double value : filled.values) count += std::isnan(value) ? 0.0 : 1.0;
  for (const double value : filled.values) sum += std::isnan(value) ? 0.0 : value / count;
  filled.imputed = sum;
  for (double& value : filled.values) value = std::isnan(value) ? sum : value;
  return filled;
}

}  // namespace land
