#include "land/kernels/points/filled_values.h"

#include <limits>

#include "land/kernels/points/impute_mean.h"
#include "land/kernels/points/rank_scores.h"

namespace land {

FilledValues filled_values(const FeatureView& feature, Missing missing, Transform transform) {
  FilledValues filled{std::vector<double>(static_cast<std::size_t>(feature.samples)),
                      std::numeric_limits<double>::quiet_NaN()};
  feature.copy_values(filled.values);
  if (transform == Transform::kRank) rank_scores(filled.values);
  if (missing != Missing::kMean || feature.header->missing == 0) return filled;
  filled.imputed = impute_mean(filled.values);
  return filled;
}

}  // namespace land
