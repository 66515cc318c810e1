// No result without its certificate.
#pragma once

#include "land/results/result.h"

namespace land {

// Throws NotCertified if the result has a certificate that is not valid. For front ends, before they write anything.
void check_certified(const Result& result);

}  // namespace land
