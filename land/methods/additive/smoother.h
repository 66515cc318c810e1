// A linear smoother of one feature: a ridge regression on the factor of its kernel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/kernels/factors/factor.h"

namespace land {

// Its effective degrees of freedom, the trace of S: fewer where the factor has fewer columns.
inline constexpr double kDegreesOfFreedom = 4.0;

// S = F (F'F + mu I)^-1 F' for a centred factor F, mu such that the trace of S is kDegreesOfFreedom. Held as U diag(s)
// U' with orthonormal columns U. Where F has no more columns than that, mu is 0 and S projects onto them.
struct Smoother {
  std::int64_t samples = 0;
  std::vector<double> basis;   // U, one column after the other
  std::vector<double> shrink;  // s

  std::size_t columns() const { return shrink.size(); }
  std::span<const double> column(std::size_t j) const {
    const auto n = static_cast<std::size_t>(samples);
    return std::span(basis).subspan(j * n, n);
  }
  std::int64_t bytes() const { return static_cast<std::int64_t>((basis.size() + shrink.size()) * sizeof(double)); }

  // U'R for a residual of one column or several: for each of these, as many numbers as U has columns.
  std::vector<double> coordinates(std::span<const double> residual) const;

  // residual += factor * U a.
  void add(double factor, std::span<const double> a, std::span<double> residual) const;

  // s a, for each column of the residual.
  void smooth(std::span<double> a) const;
};

Smoother make_smoother(Factor factor);

// ||S - T||_F^2 / ||S||_F^2.
double difference(const Smoother& s, const Smoother& t);

}  // namespace land
