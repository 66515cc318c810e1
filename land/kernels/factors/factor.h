// The one centred factor of a feature or target: K~ = scale F F^T. docs/math.md, (2)-(6).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "land/kernels/factors/dense_columns.h"

namespace land {

struct Factor {
  std::int64_t samples = 0;
  std::int64_t columns = 0;
  double scale = 0.0;                // 1 / ||F F^T||_F for NHSIC, 1 / n for HSIC
  double norm = 0.0;                 // ||F F^T||_F
  std::vector<double> part_norms{};  // from above, of the kernels that a sum is made of; empty: it is no sum
  double residual = 0.0;             // a bound of ||HKH - F F^T||_F / norm; 0 where the factor is exact

  // F by sample, stored, or made whenever it is read where there are very many samples ...
  DenseColumns stored;
  std::shared_ptr<const Columns> streamed;
  // ... or by level, when the feature is stored as codes: row codes[i] of `levels` belongs to sample i.
  std::vector<std::uint16_t> codes;
  std::vector<double> levels;  // [level][column]
  // What makes counting tables cheap: samples at each level; bit planes where there are at most 4 levels; the samples
  // that are not at `common`, ascending, where those are few.
  std::vector<std::uint32_t> level_counts;
  std::vector<std::uint64_t> planes;
  std::vector<std::int32_t> uncommon;
  std::uint16_t common = 0;

  bool coded() const { return !codes.empty(); }
  const Columns& by_sample() const { return streamed ? *streamed : stored; }
  std::int64_t bytes() const;
  std::int64_t level_count() const { return static_cast<std::int64_t>(levels.size()) / columns; }
};

// From so many samples on factors are streamed.
inline constexpr std::int64_t kLeastStreamed = std::int64_t{1} << 17U;
// What a factor of a feature that is not coded takes, about; and what it takes stored.
std::int64_t factor_bytes(std::int64_t samples);
std::int64_t stored_factor_bytes(std::int64_t samples);

// Residual that a Cholesky factor never exceeds.
inline constexpr double kFactorResidual = 2.5e-7;

// What such residuals make R of two factors and R of their full kernels differ by at most, relative to the product of
// the scaled norms.
inline constexpr double kFactorsApart = 2.5 * kFactorResidual;

// What a factor is made for. Pairs repay turning it to its principal axes and leaving out those that hold nothing; f
// alone does not.
enum class FactorUse : std::uint8_t { kPairs, kRelevance };

// Says of a coded factor how its tables are best counted.
void index_levels(Factor& factor);

// The same factor by sample and stored, whichever way it was.
Factor stored_by_sample(Factor factor);

// R_kj, (2): scale_a scale_b ||A^T B||_F^2.
double redundancy(const Factor& a, const Factor& b);

}  // namespace land
