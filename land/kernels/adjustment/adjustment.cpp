#include "land/kernels/adjustment/adjustment.h"

#include <bit>
#include <utility>

#include "land/base/checksum.h"
#include "land/kernels/adjustment/orthonormal_basis.h"

namespace land {

std::uint64_t Adjustment::key() const {
  std::uint64_t key = mix(static_cast<std::uint64_t>(columns()));
  for (std::int64_t i = 0; i < samples(); ++i) {
    for (std::int64_t q = 0; q < columns(); ++q) key = mix(key ^ std::bit_cast<std::uint64_t>(basis->at(i, q)));
  }
  return key;
}

Adjustment without_samples(const Adjustment& adjustment, const std::vector<bool>& kept) {
  Adjustment rest;
  rest.covariates = adjustment.covariates;
  rest.stratum_names = adjustment.stratum_names;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    numbers.push_back(static_cast<std::int64_t>(i));
    if (adjustment.has_strata()) rest.strata.push_back(adjustment.strata[i]);
  }
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(adjustment.columns()));
  for (std::size_t q = 0; q < columns.size(); ++q) {
    for (const std::int64_t i : numbers) {
      columns[q].push_back(adjustment.basis->at(i, static_cast<std::int64_t>(q)));
    }
  }
  rest.basis = std::make_shared<const DenseColumns>(orthonormal_basis(std::move(columns)));
  return rest;
}

}  // namespace land
