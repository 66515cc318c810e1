// Covariates as a reader gives them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "land/data/target_column.h"
#include "land/kernels/adjustment/make_adjustment.h"

namespace land::test {

inline TargetColumn numeric_covariate(const std::string& name, std::vector<double> values) {
  TargetColumn column;
  column.name = name;
  column.numbers = std::move(values);
  column.covariate = true;
  return column;
}

// Levels are "L0", "L1", ...
inline TargetColumn nominal_covariate(const std::string& name, const std::vector<int>& labels) {
  TargetColumn column;
  column.name = name;
  for (const int label : labels) column.text.push_back("L" + std::to_string(label));
  column.covariate = true;
  return column;
}

inline std::shared_ptr<const Adjustment> adjustment_of(const std::vector<TargetColumn>& covariates) {
  return make_adjustment(covariates, Transform::kNone);
}

}  // namespace land::test
