// Which features may matter for a residual: most are ruled out without a look at their values, since what a feature
// makes of a residual changes by no more than the residual moves.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace land {

// A measure of a feature at a residual R, with |measure(R) - measure(R')| <= ||R - R'|| / sqrt(n).
class ResidualScreen {
 public:
  // Fills `bound` with upper bounds of the measure of these features at `residual`.
  using Evaluate = std::function<void(std::span<const std::size_t> features, std::span<const double> residual,
                                      std::span<double> bound)>;

  // `bound`: of all features at `residual`. n: the samples, of which the residual may have several columns.
  ResidualScreen(std::int64_t samples, std::vector<double> bound, std::vector<double> residual, Evaluate evaluate);

  struct Reached {
    std::size_t feature = 0;
    double bound = 0.0;  // at the residual asked about, as evaluated
  };
  // The features, ascending, whose bound at this residual is `level` or more.
  std::vector<Reached> reaching(std::span<const double> residual, double level);

 private:
  double samples_;
  Evaluate evaluate_;
  std::vector<double> bound_;             // of every feature, at a residual of the past
  std::vector<std::uint32_t> reference_;  // which one that was
  std::vector<std::vector<double>> references_;
};

}  // namespace land
