// Features of a table that are covariates instead.
#pragma once

#include <span>
#include <string>

#include "land/data/table.h"

namespace land {

// Copies the values of the features of these names, or numbers, to table.covariates; nominal ones are categorical.
// apply_subset takes them out of the features. Throws InputError for one that is not there, or is held elsewhere.
void take_covariates(Table& table, std::span<const std::string> names);

}  // namespace land
