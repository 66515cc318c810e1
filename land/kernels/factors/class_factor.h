// Classes -> the factor of their kernel, which is exact.
#pragma once

#include "land/kernels/factors/factor.h"
#include "land/kernels/points/classes.h"
#include "land/options/options.h"

namespace land {

// By level: those of the classes, and one of zeros for samples in none.
Factor class_factor(const Classes& classes, Measure measure);

}  // namespace land
