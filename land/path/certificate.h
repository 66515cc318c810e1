// Optimality of a path, checked from recomputed values. docs/math.md, "The certificate".
#pragma once

#include <cstdint>
#include <span>

#include "land/path/pair_oracle.h"
#include "land/path/path.h"

namespace land {

struct CertificateOptions {
  double ridge = 0.0;
  double tolerance = 1e-9;    // relative to max f
  std::int64_t sample = 512;  // untouched features whose f is recomputed
  std::uint64_t seed = 1;
};

struct Certificate {
  double max_violation =
      0.0;  // relative to max f: |c - lambda| on the active set, c - lambda elsewhere, negative alpha
  double tolerance = 0.0;
  bool valid = false;
  std::int64_t knots_checked = 0;
  std::int64_t features_evaluated = 0;  // touched, every pair at the last stage and f refined
  std::int64_t features_bounded = 0;    // all others that are not left out
  std::int64_t features_parked = 0;
  double parked_violation = 0.0;
  std::int64_t bounds_sampled = 0;
  double max_bound_excess = 0.0;  // largest f - bound among the sampled; -infinity when none was sampled
};

// Recomputes through `oracle` (which must not be the solver's own instance) every f and R that `path` relied on and
// checks the conditions of optimality at every knot:
//   active k:   f_k - sum_i R_ki alpha_i - rho alpha_k = lambda,  alpha_k >= 0
//   others:     f_k - sum_i V_ki alpha_i <= lambda,  V the recomputed value or lower bound of R, 0 where none was used.
Certificate certify(const Path& path, std::span<const double> relevance_bound, PairOracle& oracle,
                    const CertificateOptions& options);

}  // namespace land
