// A few leading columns of a feature in 16 bits: enough for a lower bound of R that costs a hundredth of R itself.
// docs/math.md, (7)-(9).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "land/base/aligned.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/points/classes.h"
#include "land/kernels/sketches/sketch_basis.h"
#include "land/options/options.h"

namespace land {

inline constexpr std::size_t kSketchProducts =
    std::size_t{kSketchColumns} * kSketchColumns;  // of two sketches, at most

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
