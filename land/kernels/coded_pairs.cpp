// Pairs in which at least one factor is given by level: contingency tables instead of sums over samples.
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "land/kernels/factor.h"

namespace land {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Levels = Eigen::Map<const RowMatrix>;

Levels levels_of(const Factor& factor) { return {factor.levels.data(), factor.level_count(), factor.columns}; }

double squares(const RowMatrix& products) {
  return sum_of_squares({products.data(), static_cast<std::size_t>(products.size())}, products.rows(), products.cols());
}

double table_products(const Factor& a, const Factor& b) {
  const std::int64_t width = b.level_count();
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(a.level_count() * width), 0);
  for (std::int64_t i = 0; i < a.samples; ++i) {
    ++counts[static_cast<std::size_t>(a.codes[static_cast<std::size_t>(i)] * width +
                                      b.codes[static_cast<std::size_t>(i)])];
  }
  const Eigen::Map<const Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> table(
      counts.data(), a.level_count(), width);
  return squares(levels_of(a).transpose() * (table.cast<double>() * levels_of(b)));
}

double mixed_products(const Factor& coded, const Factor& dense) {
  RowMatrix sums = RowMatrix::Zero(coded.level_count(), dense.columns);
  for (std::int64_t c = 0; c < chunks_of(dense.samples); ++c) {
    const std::int64_t rows = std::min(kChunk, dense.samples - c * kChunk);
    const std::uint16_t* codes = coded.codes.data() + c * kChunk;
    // Four columns at a time: equal neighbouring codes then do not wait for each other.
    std::int64_t b = 0;
    for (; b + 4 <= dense.columns; b += 4) {
      const double* column = dense.dense.chunk(c) + b * kChunk;
      for (std::int64_t i = 0; i < rows; ++i) {
        double* sum = &sums(codes[i], b);
        sum[0] += column[i];
        sum[1] += column[kChunk + i];
        sum[2] += column[2 * kChunk + i];
        sum[3] += column[3 * kChunk + i];
      }
    }
    for (; b < dense.columns; ++b) {
      const double* column = dense.dense.chunk(c) + b * kChunk;
      for (std::int64_t i = 0; i < rows; ++i) sums(codes[i], b) += column[i];
    }
  }
  return squares(levels_of(coded).transpose() * sums);
}

double coded_products(const Factor& a, const Factor& b) {
  if (a.coded() && b.coded()) return table_products(a, b);
  return a.coded() ? mixed_products(a, b) : mixed_products(b, a);
}

}  // namespace

double redundancy(const Factor& a, const Factor& b) {
  if (a.coded() || b.coded()) return a.scale * b.scale * coded_products(a, b);
  std::vector<double> products(static_cast<std::size_t>(a.columns * b.columns));
  column_products(a.dense, b.dense, products.data());
  return a.scale * b.scale * sum_of_squares(products, a.columns, b.columns);
}

}  // namespace land
