// Runs the permutations of a selection over all features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/inference/chance.h"
#include "land/options/options.h"

namespace land {

struct PermutationOptions {
  std::int64_t permutations = 0;  // B
  std::int64_t seed = 0;
  std::int64_t features = 100;     // that are selected: expected numbers are told up to 1,000 or ten times as many
  double largest_relevance = 0.0;  // of all features, about: says in how many passes the work is done, nothing else
};

struct Permuted {
  Chance chance;
  std::int64_t distinct = 0;   // arrangements of the target that there are
  bool are_all = false;        // whether all of them were made
  bool within_strata = false;  // samples change places only where all covariates are the same
  bool approximate = false;    // there are covariates, and samples change places all the same
  bool ended_early = false;    // after 20 that reach the largest relevance
  std::vector<std::string> warnings;
};

// Throws InputError where the target has one arrangement only. The result depends on the options alone, never on the
// engine.
Permuted permute(Engine& engine, const Target& target, const KernelOptions& kernel, const PermutationOptions& options,
                 const Context& context);

}  // namespace land
