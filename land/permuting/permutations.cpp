#include "land/permuting/permutations.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "land/base/checksum.h"

namespace land {
namespace {

constexpr double kMostCounted = 0x1p53;

// a * b / c, which is whole, or kMostCounted. Exact as long as it is small enough to be listed.
double times_over(double a, double b, double c) { return std::min(std::round(a * b / c), kMostCounted); }

// Arrangements of these values: n! over the factorials of how often each occurs.
double count_arrangements(std::span<const std::int32_t> values) {
  std::map<std::int32_t, double> seen;
  double count = 1.0;
  double n = 0.0;
  for (const std::int32_t value : values) count = times_over(count, n += 1.0, seen[value] += 1.0);
  return count;
}

std::vector<std::int32_t> distinct_values_of(const Target& target) {
  if (target.has_classes()) return target.labels;
  std::vector<double> sorted = target.values;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::int32_t> numbers;
  for (const double value : target.values) {
    numbers.push_back(
        static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
  }
  return numbers;
}

std::vector<std::vector<std::int32_t>> samples_by_stratum(std::span<const std::int32_t> strata, std::size_t samples) {
  std::map<std::int32_t, std::vector<std::int32_t>> by_number;
  for (std::size_t i = 0; i < samples; ++i) {
    by_number[strata.empty() ? 0 : strata[i]].push_back(static_cast<std::int32_t>(i));
  }
  std::vector<std::vector<std::int32_t>> list;
  for (auto& [number, members] : by_number) list.push_back(std::move(members));
  return list;
}

std::vector<std::int32_t> picked(std::span<const std::int32_t> values, std::span<const std::int32_t> places) {
  std::vector<std::int32_t> list;
  for (const std::int32_t place : places) list.push_back(values[static_cast<std::size_t>(place)]);
  return list;
}

}  // namespace

Permutations::Permutations(const Target& target, std::span<const std::int32_t> strata, std::int64_t seed,
                           std::int64_t asked)
    : key_(mix(static_cast<std::uint64_t>(seed))),
      count_(asked),
      values_(distinct_values_of(target)),
      strata_(samples_by_stratum(strata, values_.size())) {
  double distinct = 1.0;
  for (const auto& members : strata_) {
    distinct = times_over(distinct, count_arrangements(picked(values_, members)), 1.0);
  }
  distinct_ = static_cast<std::int64_t>(distinct);
  if (distinct_ - 1 <= asked) list_arrangements();
}

void Permutations::list_arrangements() {
  std::vector<std::vector<std::int32_t>> current;  // of every stratum
  for (const auto& members : strata_) {
    current.push_back(picked(values_, members));
    std::sort(current.back().begin(), current.back().end());
  }
  std::vector<std::int32_t> arrangement(values_.size());
  // As an odometer: the next of the last stratum, which starts again when it is through and moves the one before.
  for (bool more = true; more;) {
    for (std::size_t s = 0; s < strata_.size(); ++s) {
      for (std::size_t t = 0; t < strata_[s].size(); ++t) {
        arrangement[static_cast<std::size_t>(strata_[s][t])] = current[s][t];
      }
    }
    if (arrangement != values_) arrangements_.push_back(arrangement);
    more = false;
    for (std::size_t s = strata_.size(); s > 0 && !more; --s) {
      more = std::next_permutation(current[s - 1].begin(), current[s - 1].end());
    }
  }
  count_ = static_cast<std::int64_t>(arrangements_.size());
}

void Permutations::order(std::int64_t number, std::span<std::int32_t> order) const {
  std::iota(order.begin(), order.end(), 0);
  if (number == 0) return;
  if (!arrangements_.empty()) {
    match(arrangements_[static_cast<std::size_t>(number - 1)], order);
    return;
  }
  const std::uint64_t key = mix(key_ ^ static_cast<std::uint64_t>(number));
  std::uint64_t drawn = 0;
  for (const auto& members : strata_) {
    // Fisher and Yates.
    for (std::size_t left = members.size(); left > 1; --left) {
      const std::uint64_t high = mix(key + drawn++ * kMixStep) >> 32U;
      const std::size_t other = (high * left) >> 32U;
      std::swap(order[static_cast<std::size_t>(members[left - 1])], order[static_cast<std::size_t>(members[other])]);
    }
  }
}

// Each sample is given the first that has its value and was not given before.
void Permutations::match(std::span<const std::int32_t> arrangement, std::span<std::int32_t> order) const {
  for (const auto& members : strata_) {
    std::map<std::int32_t, std::vector<std::int32_t>> having;  // the last first
    for (std::size_t t = members.size(); t > 0; --t) {
      having[values_[static_cast<std::size_t>(members[t - 1])]].push_back(members[t - 1]);
    }
    for (const std::int32_t sample : members) {
      std::vector<std::int32_t>& left = having[arrangement[static_cast<std::size_t>(sample)]];
      order[static_cast<std::size_t>(sample)] = left.back();
      left.pop_back();
    }
  }
}

}  // namespace land
