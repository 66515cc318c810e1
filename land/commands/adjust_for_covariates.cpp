#include "land/commands/adjust_for_covariates.h"

#include "land/kernels/adjustment/make_adjustment.h"

namespace land {

void adjust_for_covariates(const Table& table, KernelOptions& options) {
  options.adjustment = make_adjustment(table.covariates, options.transform);
}

}  // namespace land
