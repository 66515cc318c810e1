// What the norm of a kernel usually is.
#pragma once

namespace land {

// ||HKH||_F / n of very many normally distributed values of deviation 1, K being the Gaussian kernel of this width.
double usual_norm(double sigma);

}  // namespace land
