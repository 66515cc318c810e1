#include "land/kernels/points/usual_norm.h"

#include <cmath>

namespace land {

double usual_norm(double sigma) {
  const double square = sigma * sigma;
  const double mean_square = 1.0 / std::sqrt(1.0 + 4.0 / square);
  const double square_mean = square / (square + 1.0) / std::sqrt(1.0 + 2.0 / (square + 1.0));
  const double mean = 1.0 / std::sqrt(1.0 + 2.0 / square);
  return std::sqrt(mean_square - 2.0 * square_mean + mean * mean);
}

}  // namespace land
