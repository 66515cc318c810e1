// F_k^T F_i of pairs of factors, kept for whoever comes after, and the test that tells whether to believe them.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "land/base/aligned.h"
#include "land/base/feature_pair.h"
#include "land/kernels/factors/factor.h"
#include "land/path/pair_oracle.h"

namespace land {

class KeptProducts {
 public:
  KeptProducts(std::int64_t most_bytes, int workers)
      : most_bytes_(static_cast<std::size_t>(most_bytes)), shelves_(static_cast<std::size_t>(workers)) {}

  struct Pair {
    FeatureId left = 0;
    FeatureId right = 0;
    std::span<const double> products;  // [column of left][column of right]
  };

  // Workers may call it together. What no longer fits is not kept.
  void keep(FeatureId left, FeatureId right, std::span<const double> products, int worker);

  // After the last was kept, and before one is looked for.
  void index();
  // In whichever order it was kept; nullptr if it was not.
  const Pair* find(FeatureId k, FeatureId i) const;

 private:
  // Of one worker, so that nobody waits for another. A path keeps many small products, in large pieces of memory.
  struct alignas(kCacheLine) Shelf {
    std::vector<AlignedBuffer<double>> slabs;
    std::size_t used = 0;  // of the last
    std::vector<Pair> pairs;
  };

  bool charge(std::size_t bytes);  // false if they do not fit

  std::size_t most_bytes_;
  std::atomic<std::size_t> bytes_{0};
  std::vector<Shelf> shelves_;
  std::unordered_map<FeaturePair, const Pair*, FeaturePairHash> by_pair_;
};

// Freivalds' test of products F_k^T F_i with many i at once: with z_i and c_ki drawn at random,
//   F_k^T (sum_i c_ki F_i z_i) = sum_i c_ki (F_k^T F_i) z_i
// holds, up to rounding, only if each of the products is right. One vector per feature instead of a matrix per pair.
class ProductTest {
 public:
  // The factors on the right, all by sample: each is to be projected before the first test.
  ProductTest(std::span<const FeatureId> features, std::int64_t samples);
  // Each once, by any threads. The factor is read now and not kept.
  void project(std::size_t right, const Factor& factor);

  struct Claim {
    std::size_t right = 0;  // position of the feature
    std::span<const double> products;
  };
  struct Left {
    FeatureId feature = 0;
    const Factor* factor = nullptr;
    std::vector<Claim> claims;
  };

  // For each of a few features on the left, whether all that is claimed of it is true. More of them at a time read the
  // projections less often.
  std::vector<bool> holds(std::span<const Left> lefts) const;

 private:
  std::vector<FeatureId> features_;
  std::vector<double> norms_;
  std::vector<std::vector<double>> directions_;  // z_i
  DenseColumns projections_;                     // F_i z_i
};

}  // namespace land
