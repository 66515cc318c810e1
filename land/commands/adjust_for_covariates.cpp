#include "land/commands/adjust_for_covariates.h"

#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/adjustment/make_adjustment.h"

namespace land {

void adjust_for_covariates(const Table& table, KernelOptions& options) {
  options.adjustment = make_adjustment(table.covariates, options.transform);
}

std::vector<std::string> covariate_names(const KernelOptions& options) {
  std::vector<std::string> names;
  if (!options.adjustment) return names;
  for (const Adjustment::Covariate& covariate : options.adjustment->covariates) names.push_back(covariate.name);
  return names;
}

}  // namespace land
