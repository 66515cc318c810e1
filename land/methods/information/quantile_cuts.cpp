#include "land/methods/information/quantile_cuts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "land/kernels/scoring/value_sums.h"

namespace land {
namespace {

constexpr std::size_t kMostBuckets = 4096;

// What one thread works with.
struct Buckets {
  std::vector<std::uint16_t> of_value;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint8_t> wanted;  // of a bucket: which list its values go to, from 1; 0: none
  std::vector<std::vector<double>> lists;
};

// Values to buckets, in an order that the values have, too: larger ones never to an earlier bucket.
void share_out(std::span<const double> values, Buckets& buckets) {
  const std::size_t count = std::clamp<std::size_t>(std::bit_ceil(values.size()) / 2, 64, kMostBuckets);
  const auto [low, high, missing] = range_of(values);
  const double start = 0.5 * low;  // halves: the difference of two values may be infinite
  const double range = 0.5 * high - start;
  constexpr double kLeastRange = 1e-290;
  // Below the number of buckets, roundings included.
  const double scale = range < kLeastRange ? 0.0 : (static_cast<double>(count) - 0.5) / range;
  buckets.of_value.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    buckets.of_value[i] = static_cast<std::uint16_t>(static_cast<std::int32_t>((0.5 * values[i] - start) * scale));
  }
  buckets.counts.assign(count, 0);
  for (const std::uint16_t bucket : buckets.of_value) ++buckets.counts[bucket];
}

// A value that the samples of some ranks have: its bucket, and the samples in buckets before.
struct Place {
  std::size_t bucket = 0;
  std::int64_t before = 0;
};

}  // namespace

std::int64_t nearest_boundary(std::int64_t cut, std::int64_t bins, std::int64_t n, std::int64_t below,
                              std::int64_t up_to) {
  if (below == 0) return up_to;
  if (up_to == n) return below;
  return cut * n - below * bins <= up_to * bins - cut * n ? below : up_to;
}

void quantile_cuts(std::span<const double> values, std::int64_t bins, std::vector<double>& cuts) {
  static thread_local Buckets buckets;
  share_out(values, buckets);
  const auto n = std::ssize(values);

  // The rank of cut j is the first that is not below j n / bins.
  constexpr std::size_t kMostCuts = 64;
  std::array<Place, kMostCuts> places;
  buckets.wanted.assign(buckets.counts.size(), 0);
  buckets.lists.resize(kMostCuts);
  std::uint8_t lists = 0;
  Place place;
  for (std::int64_t cut = 1; cut < bins; ++cut) {
    while ((place.before + buckets.counts[place.bucket]) * bins < cut * n) {
      place.before += buckets.counts[place.bucket++];
    }
    places[static_cast<std::size_t>(cut)] = place;
    if (buckets.wanted[place.bucket] == 0) {
      buckets.lists[lists].clear();
      buckets.wanted[place.bucket] = ++lists;
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const std::uint8_t list = buckets.wanted[buckets.of_value[i]]; list != 0) {
      buckets.lists[list - 1].push_back(values[i]);
    }
  }
  for (std::uint8_t list = 0; list < lists; ++list) std::sort(buckets.lists[list].begin(), buckets.lists[list].end());

  cuts.clear();
  std::int64_t last = 0;  // the boundary of the cut before
  for (std::int64_t cut = 1; cut < bins; ++cut) {
    const auto& [bucket, before] = places[static_cast<std::size_t>(cut)];
    const std::vector<double>& list = buckets.lists[buckets.wanted[bucket] - 1];
    const std::int64_t rank = (cut * n + bins - 1) / bins;
    const double value = list[static_cast<std::size_t>(rank - before - 1)];
    const auto [first, end] = std::equal_range(list.begin(), list.end(), value);
    const std::int64_t below = before + (first - list.begin());
    const std::int64_t up_to = before + (end - list.begin());
    const std::int64_t boundary = nearest_boundary(cut, bins, n, below, up_to);
    if (boundary == last) continue;
    last = boundary;
    cuts.push_back(boundary == below ? value : std::nextafter(value, std::numeric_limits<double>::infinity()));
  }
}

}  // namespace land
