// min 1/2 (1 - a) x'Qx - a F'x over x >= 0, sum x = 1: the quadratic programme of Rodriguez-Lujan et al., 2010.
//
// Solved over a few features at a time: those that have weight and those whose gradient is lowest. Among these, pairs
// of features exchange weight (the one of the lowest gradient with the one of which most is gained), and Newton's steps
// on the features that have weight give the last digits. The gradient of all features then tells the duality gap x'g -
// min g, and who is to join. Nothing is random, and ties go to the first.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "land/methods/qpfs/quadratic_form.h"

namespace land {

// Stated with the result; met unless the last digits of a double do not allow it.
inline constexpr double kProgrammeGap = 1e-10;

struct ProgrammeSolution {
  std::vector<double> weights;
  std::vector<double> gradient;
  double objective = 0.0;
  double gap = 0.0;             // duality gap, relative to the sum of the objective's two terms in absolute value
  std::int64_t iterations = 0;  // exchanges and Newton's steps
};

// `progress` is told the gap, often.
ProgrammeSolution solve_programme(const QuadraticForm& q, std::span<const double> f, double alpha,
                                  const std::function<void(double)>& progress);

}  // namespace land
