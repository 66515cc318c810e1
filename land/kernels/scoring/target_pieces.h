// A numeric target by pieces of its range. On each the columns of its factor are, nearly, polynomials of low degree in
// its value: the scoring pass sums a few polynomials a sample instead of all columns.
// docs/math.md, "The scoring pass".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/kernels/factors/dense_columns.h"

namespace land {

struct TargetPiece {
  std::size_t first = 0;  // in TargetPieces::rows
  std::size_t count = 0;
  std::vector<double> totals;  // of each weight, over the piece
  std::vector<double> shares;  // [weight][column]: a column is the sum over weights of share times weight
};

struct TargetPieces {
  std::vector<std::int32_t> rows;  // all samples, piece after piece
  std::size_t width = 0;           // weights of a sample, a multiple of 4; the first is 1
  std::vector<float> weights;      // [place in rows][weight], at most 1 in size
  std::vector<TargetPiece> pieces;
  // Roots of the sum over columns of squares: of what the sizes of shares times weights add up to, and of what the
  // differences between columns and polynomials do.
  double size = 0.0;
  double error = 0.0;
};

// The leading `count` columns of a factor of `values` with a kernel of width `sigma` deviations. `precision`: the error
// to aim at, relative to the size. Where a value is NaN, the rows must be alike.
TargetPieces cut_target(std::span<const double> values, const DenseColumns& columns, std::int64_t count, double sigma,
                        double precision);

// The same of columns that are functions of no value: one piece, whose weights are the columns themselves.
TargetPieces uncut_target(const DenseColumns& columns, std::int64_t count);

}  // namespace land
