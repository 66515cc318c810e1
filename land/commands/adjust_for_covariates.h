// The covariates of a table, for all kernels of a command.
#pragma once

#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/options/options.h"

namespace land {

// Puts what they take out of kernels into the options; nothing if there are none. To be called when samples are left
// out already. Throws InputError for covariates that cannot be used: see make_adjustment.h.
void adjust_for_covariates(const Table& table, KernelOptions& options);

// Their names; none without.
std::vector<std::string> covariate_names(const KernelOptions& options);

}  // namespace land
