// Pairs in which at least one factor is given by level: contingency tables instead of sums over samples.
#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <vector>

#include "land/blocks/packed_counts.h"
#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/factor.h"

namespace land {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Levels = Eigen::Map<const RowMatrix>;

Levels levels_of(const Factor& factor) { return {factor.levels.data(), factor.level_count(), factor.columns}; }

double squares(const RowMatrix& products) {
  return sum_of_squares({products.data(), static_cast<std::size_t>(products.size())}, products.rows(), products.cols());
}

// counts[a * levels of the right + b], however it is cheapest: the numbers are the same.
void count_table(const Factor& left, const Factor& right, std::vector<std::uint32_t>& counts) {
  const auto height = static_cast<std::size_t>(left.level_count());
  const auto width = static_cast<std::size_t>(right.level_count());
  counts.assign(height * width, 0);
  if (!left.uncommon.empty() || !right.uncommon.empty()) {
    // Only samples that are uncommon on one side; the rest of its common level follows from the other's margin.
    const bool by_left =
        right.uncommon.empty() || (!left.uncommon.empty() && left.uncommon.size() < right.uncommon.size());
    const Factor& side = by_left ? left : right;
    for (const std::int32_t i : side.uncommon) {
      const auto at = static_cast<std::size_t>(i);
      ++counts[left.codes[at] * width + right.codes[at]];
    }
    const std::size_t common = side.common;
    if (by_left) {
      for (std::size_t b = 0; b < width; ++b) {
        std::uint32_t rest = right.level_counts[b];
        for (std::size_t a = 0; a < height; ++a) rest -= counts[a * width + b];
        counts[common * width + b] = rest;
      }
    } else {
      for (std::size_t a = 0; a < height; ++a) {
        std::uint32_t rest = left.level_counts[a];
        for (std::size_t b = 0; b < width; ++b) rest -= counts[a * width + b];
        counts[a * width + common] = rest;
      }
    }
    return;
  }
  if (!left.planes.empty() && !right.planes.empty()) {
    std::array<std::uint32_t, 9> inner{};
    count_planes(left.planes, height - 1, right.planes, width - 1, inner.data());
    // Levels 1 and up by planes, level 0 by the margins.
    for (std::size_t b = 0; b < width; ++b) counts[b] = right.level_counts[b];
    for (std::size_t a = 1; a < height; ++a) {
      std::uint32_t rest = left.level_counts[a];
      for (std::size_t b = 1; b < width; ++b) {
        counts[a * width + b] = inner[(a - 1) * (width - 1) + b - 1];
        counts[b] -= counts[a * width + b];
        rest -= counts[a * width + b];
      }
      counts[a * width] = rest;
      counts[0] -= rest;
    }
    return;
  }
  for (std::size_t i = 0; i < left.codes.size(); ++i) ++counts[left.codes[i] * width + right.codes[i]];
}

double table_products(const Factor& a, const Factor& b) {
  static thread_local std::vector<std::uint32_t> counts;
  count_table(a, b, counts);
  const Eigen::Map<const Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> table(
      counts.data(), a.level_count(), b.level_count());
  return squares(levels_of(a).transpose() * (table.cast<double>() * levels_of(b)));
}

// Sums of the dense factor's columns over the samples at each level.
RowMatrix sums_by_level(const Factor& coded, const Factor& dense) {
  RowMatrix sums = RowMatrix::Zero(coded.level_count(), dense.columns);
  if (coded.level_count() <= kMostLevelsSummed) {
    level_sums(dense.by_sample(), coded.codes, coded.level_count(), sums.data());
    return sums;
  }
  AlignedBuffer<double> room;
  for (std::int64_t c = 0; c < chunks_of(dense.samples); ++c) {
    const double* chunk = dense.by_sample().chunks(c, 1, room);
    const std::int64_t next = dense.by_sample().rows(c);
    const std::int64_t rows = std::min(kChunk, dense.samples - c * kChunk);
    const std::uint16_t* codes = coded.codes.data() + c * kChunk;
    // Four columns at a time: equal neighbouring codes then do not wait for each other.
    std::int64_t b = 0;
    for (; b + 4 <= dense.columns; b += 4) {
      const double* column = chunk + b * next;
      for (std::int64_t i = 0; i < rows; ++i) {
        double* sum = &sums(codes[i], b);
        sum[0] += column[i];
        sum[1] += column[next + i];
        sum[2] += column[2 * next + i];
        sum[3] += column[3 * next + i];
      }
    }
    for (; b < dense.columns; ++b) {
      const double* column = chunk + b * next;
      for (std::int64_t i = 0; i < rows; ++i) sums(codes[i], b) += column[i];
    }
  }
  return sums;
}

double mixed_products(const Factor& coded, const Factor& dense) {
  return squares(levels_of(coded).transpose() * sums_by_level(coded, dense));
}

double coded_products(const Factor& a, const Factor& b) {
  if (a.coded() && b.coded()) return table_products(a, b);
  return a.coded() ? mixed_products(a, b) : mixed_products(b, a);
}

}  // namespace

double redundancy(const Factor& a, const Factor& b) {
  if (a.coded() || b.coded()) return a.scale * b.scale * coded_products(a, b);
  std::vector<double> products(static_cast<std::size_t>(a.columns * b.columns));
  column_products(a.by_sample(), b.by_sample(), products.data());
  return a.scale * b.scale * sum_of_squares(products, a.columns, b.columns);
}

}  // namespace land
