#include "land/pairs/kept_products.h"

#include <algorithm>
#include <cmath>

#include "land/base/checksum.h"
#include "land/base/populate.h"
#include "land/kernels/factors/column_products.h"

namespace land {
namespace {

// Two right computations of the same sums differ by less, relative to the norms of what is multiplied; a product that
// is off by more than the number of claims times this is noticed.
constexpr double kRounding = 1e-13;

// 0.5 to 1.5 in size, of either sign: never so small that it would hide something.
double coefficient(std::uint64_t word) {
  const std::uint64_t random = mix(word);
  const double size = 0.5 + static_cast<double>(random >> 12U) * 0x1p-52;
  return (random & 1U) != 0 ? size : -size;
}

std::uint64_t word(FeatureId a, std::uint64_t b) { return scatter(mix(static_cast<std::uint64_t>(a)) + b); }

}  // namespace

bool KeptProducts::charge(std::size_t bytes) {
  if (bytes_.fetch_add(bytes) + bytes <= most_bytes_) return true;
  bytes_ -= bytes;
  return false;
}

void KeptProducts::keep(FeatureId left, FeatureId right, std::span<const double> products, int worker) {
  constexpr std::size_t kMostSlab = std::size_t{1} << 15U;
  constexpr std::size_t kPair = 3 * sizeof(Pair);  // in its vector, which grows, and in the index
  Shelf& shelf = shelves_[static_cast<std::size_t>(worker)];
  std::size_t more = 0;  // doubles, if the last slab has no room
  if (shelf.slabs.empty() || shelf.used + products.size() > shelf.slabs.back().size()) {
    // For a few products at least, so that what is left over is little, and small where there is little room.
    const std::size_t usual = std::min(kMostSlab, most_bytes_ / sizeof(double) / (8 * shelves_.size()));
    more = 4 * products.size() > usual ? products.size() : usual;
  }
  if (!charge(kPair + more * sizeof(double))) return;
  if (more > 0) {
    AlignedBuffer<double>& slab = shelf.slabs.emplace_back(more);
    populate(slab.data(), slab.size() * sizeof(double));
    shelf.used = 0;
  }
  double* const copy = shelf.slabs.back().data() + shelf.used;
  std::copy(products.begin(), products.end(), copy);
  shelf.used += products.size();
  shelf.pairs.push_back({left, right, {copy, products.size()}});
}

void KeptProducts::index() {
  for (const Shelf& shelf : shelves_) {
    for (const Pair& pair : shelf.pairs) by_pair_.try_emplace({pair.left, pair.right}, &pair);
  }
}

const KeptProducts::Pair* KeptProducts::find(FeatureId k, FeatureId i) const {
  const auto found = by_pair_.find({k, i});
  return found == by_pair_.end() ? nullptr : found->second;
}

ProductTest::ProductTest(std::span<const FeatureId> features, std::int64_t samples)
    : features_(features.begin(), features.end()),
      norms_(features.size()),
      directions_(features.size()),
      projections_(samples, std::ssize(features)) {}

void ProductTest::project(std::size_t right, const Factor& factor) {
  std::vector<double>& z = directions_[right];
  for (std::int64_t a = 0; a < factor.columns; ++a) {
    z.push_back(coefficient(word(features_[right], static_cast<std::uint64_t>(a))));
  }
  norms_[right] = std::sqrt(factor.norm);
  DenseColumns one(factor.samples, 1);
  map_columns(factor.by_sample(), z, one);
  for (std::int64_t c = 0; c < chunks_of(factor.samples); ++c) {
    std::copy_n(one.chunk(c), one.rows(c), projections_.column(c, static_cast<std::int64_t>(right)));
  }
}

std::vector<bool> ProductTest::holds(std::span<const Left> lefts) const {
  const std::size_t width = lefts.size();
  std::vector<double> weights(features_.size() * width, 0.0);
  for (std::size_t l = 0; l < width; ++l) {
    for (const Claim& claim : lefts[l].claims) {
      const auto right = static_cast<std::uint64_t>(features_[claim.right]);
      weights[claim.right * width + l] = coefficient(~word(lefts[l].feature, right));
    }
  }
  DenseColumns combined(projections_.samples, static_cast<std::int64_t>(width));
  map_columns(projections_, weights, combined);

  std::vector<bool> result;
  std::vector<double> products;
  DenseColumns own(projections_.samples, 1);  // of the combined columns
  for (std::size_t l = 0; l < width; ++l) {
    const Factor& factor = *lefts[l].factor;
    for (std::int64_t c = 0; c < chunks_of(own.samples); ++c) {
      std::copy_n(combined.column(c, static_cast<std::int64_t>(l)), own.rows(c), own.chunk(c));
    }
    products.resize(static_cast<std::size_t>(factor.columns));
    column_products(factor.by_sample(), own, products.data());
    double allowed = 0.0;
    bool equal = true;
    std::vector<double> claimed(static_cast<std::size_t>(factor.columns), 0.0);
    for (const Claim& claim : lefts[l].claims) {
      const std::vector<double>& z = directions_[claim.right];
      const double weight = weights[claim.right * width + l];
      if (claim.products.size() != claimed.size() * z.size()) {
        equal = false;
        continue;
      }
      allowed += kRounding * std::sqrt(factor.norm) * norms_[claim.right];
      for (std::size_t a = 0; a < claimed.size(); ++a) {
        double sum = 0.0;
        for (std::size_t b = 0; b < z.size(); ++b) sum += claim.products[a * z.size() + b] * z[b];
        claimed[a] += weight * sum;
      }
    }
    for (std::size_t a = 0; a < claimed.size(); ++a) {
      equal = equal && std::abs(products[a] - claimed[a]) <= allowed;
    }
    result.push_back(equal);
  }
  return result;
}

}  // namespace land
