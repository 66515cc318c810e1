#include "land/report/certified.h"

#include <fmt/format.h>

#include "land/base/error.h"

namespace land {

void check_certified(const Result& result) {
  if (!result.certificate || result.certificate->valid) return;
  const CertificateSummary& certificate = *result.certificate;
  throw NotCertified(fmt::format(
      "{}: the certificate is NOT VALID, so no result is given: largest violation {:.1e} of max f (allowed {:.0e}), "
      "largest excess over a bound {:.1e}; scores of other data would do that: make them again, otherwise please "
      "report it",
      result.data.path, certificate.max_violation, certificate.tolerance, certificate.max_bound_excess));
}

}  // namespace land
