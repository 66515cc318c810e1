// A few leading columns of a feature in 16 bits: enough for a lower bound of R that costs a hundredth of R itself.
// docs/math.md, (7)-(9).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "land/base/aligned.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/points/classes.h"
#include "land/options/options.h"

namespace land {

inline constexpr int kSketchColumns = 4;
inline constexpr std::size_t kSketchProducts =
    std::size_t{kSketchColumns} * kSketchColumns;  // of two sketches, at most

// kSketchColumns functions of u, orthonormal in the kernel's own Hilbert space: the leading principal axes of the
// centred kernel for normally distributed u. They are the same for all features, so no feature needs an
// eigendecomposition, and orthonormality makes ||S_k^T S_j||_F^2 <= <HK_kH, HK_jH> whatever the features' distributions
// are.
// Of several widths, the kernel is their sum, each divided by its usual_norm().
class SketchBasis {
 public:
  explicit SketchBasis(std::span<const double> sigma);

  static constexpr int kTerms = 8;  // Mercer functions combined

  // s(u) = exp(-decay u^2) * polynomial(u^2), times u if odd: the density is even, so each axis is even or odd.
  struct Function {
    bool odd = false;
    std::array<double, kTerms / 2> polynomial{};  // from the constant term up
  };
  double decay = 0.0;
  std::array<Function, kSketchColumns> functions{};

  // Of several widths a function is a sum of the kernels of all at a few landmarks instead.
  struct Width {
    double sigma = 0.0;
    std::vector<double> map;  // [landmark][function]
  };
  std::vector<double> landmarks;
  std::vector<Width> widths;

 private:
  void combine_mercer(double sigma);
  void combine_landmarks(std::span<const double> sigma);
};

// Columns in whole steps, so that their products are exact whatever the order of the sums and the instruction set.
inline constexpr int kMostSteps = 32767;

struct Sketch {
  int count = 0;                       // of columns: 2 or kSketchColumns
  std::int64_t padded = 0;             // samples, rounded up to whole vectors
  AlignedBuffer<std::int16_t> values;  // [column][padded], centred, zero beyond the last sample
  struct Column {
    double step = 0.0;   // what 1 stands for
    double norm = 0.0;   // Euclidean, of the column before it was rounded
    double error = 0.0;  // Euclidean norm of what rounding changed
  };
  std::array<Column, kSketchColumns> columns{};
  double scale = 0.0;  // a lower bound of the factor's scale
};

// The first `count` columns; those of classes are the largest of them. `scale`: at most 1 / ||HKH||_F for NHSIC, 1 / n
// for HSIC.
Sketch gaussian_sketch(const FeatureView& feature, const SketchBasis& basis, double scale, const KernelOptions& options,
                       int count = kSketchColumns);
Sketch class_sketch(const Classes& classes, double scale, int count = kSketchColumns);

// Of two sketches, the leading `columns` of each: 2 or 4, no more than either has.
struct SketchPair {
  const Sketch* a = nullptr;
  const Sketch* b = nullptr;
  int columns = 0;
};

// A lower bound of R for every pair, zero where nothing can be said. Up to 64 pairs of the same samples find each
// other's sketches in the cache, where they share some. `bounds`: one for each pair.
void sketch_bounds(std::span<const SketchPair> pairs, std::span<double> bounds);
inline double sketch_bound(const Sketch& a, const Sketch& b, int columns) {
  const SketchPair pair{&a, &b, columns};
  double bound = 0.0;
  sketch_bounds({&pair, 1}, {&bound, 1});
  return bound;
}

}  // namespace land
