#include "land/blocks/signature.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "land/base/checksum.h"

namespace land {
namespace {

// The first two levels that differ, in the order of the samples.
struct Reference {
  double first = 0.0;
  double second = 0.0;
};

Reference reference_of(const FeatureView& feature) {
  const std::uint8_t code = feature.header->encoding == Encoding::kSparseCodes ? 0 : feature.codes()[0];
  Reference result{feature.levels[code], feature.levels[code]};
  if (feature.header->encoding == Encoding::kCodes) {
    for (std::int64_t i = 1; i < feature.samples && result.second == result.first; ++i) {
      result.second = feature.levels[feature.codes()[i]];
    }
    return result;
  }
  return feature.visit_stored_samples([&](auto rows) {
    if (rows[0] > 0) {
      result.second = feature.levels[feature.stored_codes()[0]];
      return result;
    }
    // The first sample is stored: the second value is that of the next one that differs, stored or not.
    result.first = feature.levels[feature.stored_codes()[0]];
    result.second = result.first;
    for (std::int64_t i = 1; i < feature.samples && result.second == result.first; ++i) {
      const bool stored = i < std::ssize(rows) && rows[static_cast<std::size_t>(i)] == i;
      result.second = stored ? feature.levels[feature.stored_codes()[i]] : feature.levels[0];
    }
    return result;
  });
}

double quotient(double value, const Reference& reference) {
  return (value - reference.first) / (reference.second - reference.first);
}

bool can_be_signed(const FeatureView& feature) { return !feature.header->constant && feature.header->missing == 0; }

// Tables of quotients serve these; of others every sample has its own.
bool has_few_levels(const FeatureView& feature) {
  return feature.header->encoding == Encoding::kSparseCodes || feature.header->encoding == Encoding::kCodes;
}

// The values of a feature that is not constant, each as its quotient.
void copy_quotients(const FeatureView& feature, std::vector<double>& quotients) {
  quotients.resize(static_cast<std::size_t>(feature.samples));
  feature.copy_values(quotients);
  Reference reference{quotients[0], quotients[0]};
  for (std::size_t i = 1; reference.second == reference.first; ++i) reference.second = quotients[i];
  for (double& value : quotients) value = quotient(value, reference);
}

}  // namespace

Signer::Signer(std::int64_t samples) {
  for (std::int64_t i = 0; i < samples; ++i) {
    weights_.push_back(mix(static_cast<std::uint64_t>(i) ^ 0x5DEECE66DU) | 1U);
    total_ += weights_.back();
  }
}

std::uint64_t Signer::signature(const FeatureView& feature) const {
  if (!can_be_signed(feature) || !has_few_levels(feature)) return 0;
  const Reference reference = reference_of(feature);
  std::array<std::uint64_t, 256> words;
  for (std::size_t v = 0; v < feature.levels.size(); ++v) {
    words[v] = scatter(std::bit_cast<std::uint64_t>(quotient(feature.levels[v], reference) + 0.0));
  }
  std::uint64_t sum = 0;
  if (feature.header->encoding == Encoding::kCodes) {
    for (std::size_t i = 0; i < weights_.size(); ++i) sum += words[feature.codes()[i]] * weights_[i];
  } else {
    const std::uint8_t* codes = feature.stored_codes();
    sum = words[0] * total_;
    feature.visit_stored_samples([&](auto rows) {
      for (std::size_t e = 0; e < rows.size(); ++e) {
        sum += (words[codes[e]] - words[0]) * weights_[static_cast<std::size_t>(rows[e])];
      }
    });
  }
  return sum == 0 ? 1 : sum;
}

std::uint64_t Signer::signature_by_value(const FeatureView& feature) const {
  if (!can_be_signed(feature) || feature.header->nominal) return 0;
  if (has_few_levels(feature)) return signature(feature);
  static thread_local std::vector<double> quotients;
  copy_quotients(feature, quotients);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    sum += scatter(std::bit_cast<std::uint64_t>(quotients[i] + 0.0)) * weights_[i];
  }
  return sum == 0 ? 1 : sum;
}

namespace {

// Quotients of all levels.
std::array<double, 256> quotients_of(const FeatureView& feature) {
  const Reference reference = reference_of(feature);
  std::array<double, 256> quotients{};
  for (std::size_t v = 0; v < feature.levels.size(); ++v) quotients[v] = quotient(feature.levels[v], reference);
  return quotients;
}

}  // namespace

bool are_copies(const FeatureView& a, const FeatureView& b) {
  if (!can_be_signed(a) || !can_be_signed(b) || a.header->nominal != b.header->nominal) return false;
  if (!has_few_levels(a) || !has_few_levels(b)) {
    static thread_local std::vector<double> left;
    static thread_local std::vector<double> right;
    copy_quotients(a, left);
    copy_quotients(b, right);
    return left == right;
  }
  const std::array<double, 256> of_a = quotients_of(a);
  const std::array<double, 256> of_b = quotients_of(b);
  const bool sparse = a.header->encoding == Encoding::kSparseCodes && b.header->encoding == Encoding::kSparseCodes;
  if (sparse && of_a[0] == of_b[0]) {
    const std::int64_t stored = a.header->stored;
    const auto bytes = static_cast<std::size_t>(stored * sample_number_bytes(a.samples));
    if (stored != b.header->stored || std::memcmp(a.data, b.data, bytes) != 0) return false;
    for (std::int64_t e = 0; e < stored; ++e) {
      if (of_a[a.stored_codes()[e]] != of_b[b.stored_codes()[e]]) return false;
    }
    return true;
  }
  std::vector<std::uint8_t> left(static_cast<std::size_t>(a.samples));
  std::vector<std::uint8_t> right(left.size());
  a.copy_codes(left);
  b.copy_codes(right);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (of_a[left[i]] != of_b[right[i]]) return false;
  }
  return true;
}

}  // namespace land
