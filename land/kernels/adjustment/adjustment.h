// What covariates take out of the kernels of all features and of the target: docs/math.md, "Covariates".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "land/kernels/factors/dense_columns.h"

namespace land {

struct Adjustment {
  struct Covariate {
    std::string name;
    std::int64_t levels = 0;  // of a nominal one; 0: it is numeric
  };

  std::vector<Covariate> covariates;
  std::shared_ptr<const DenseColumns> basis;  // Q: orthonormal; its first column is constant
  // Within which all covariates are the same: the cross of all levels, numbered from 0 as they occur. Empty where a
  // covariate is numeric.
  std::vector<std::int32_t> strata;
  std::vector<std::string> stratum_names;  // "batch 'A', sex 'f'"
  std::vector<std::string> warnings{};     // what a reader of the result should know about the covariates

  std::int64_t samples() const { return basis->samples; }
  std::int64_t columns() const { return basis->columns; }
  bool has_strata() const { return !strata.empty(); }
  // Of the basis, to the bit: who has the same makes the same kernels.
  std::uint64_t key() const;
};

// Of a numeric covariate its kernel's leading columns stand for smooth functions of it.
inline constexpr std::int64_t kColumnsOfNumeric = 6;
// Of which there must be this many samples for each.
inline constexpr std::int64_t kSamplesPerColumn = 10;
// A kernel that keeps less of its norm is explained by the covariates.
inline constexpr double kLeastLeft = 1e-3;

// The same without some samples: `kept` says which stay.
Adjustment without_samples(const Adjustment& adjustment, const std::vector<bool>& kept);

}  // namespace land
