#include "land/kernels/factors/kernel_columns.h"

#include <algorithm>

namespace land {
namespace {

// A column of zeros beside those of the map.
std::vector<double> one_column_more(const KernelMap& kernel) {
  std::vector<double> wider;
  for (auto row = kernel.map.begin(); row != kernel.map.end(); row += kernel.columns) {
    wider.insert(wider.end(), row, row + kernel.columns);
    wider.push_back(0.0);
  }
  return wider;
}

}  // namespace

KernelColumns::KernelColumns(std::shared_ptr<const Points> points, const KernelMap& kernel, double sigma,
                             Missing missing)
    : points_(std::move(points)),
      pivots_(kernel.points),
      columns_(kernel.columns),
      triangular_(kernel.triangular),
      sigma_(sigma),
      own_column_(missing == Missing::kLevel && !points_->missing.empty()) {
  map_ = own_column_ ? one_column_more(kernel) : kernel.map;
  if (own_column_) ++columns_;
}

void KernelColumns::evaluate(std::int64_t first, DenseColumns& phi) const {
  map_gaussians(points_->u.data() + first * kChunk, pivots_, sigma_, map_, triangular_, phi);
  zero_missing(first, phi);
  if (!own_column_) return;
  for (const std::int32_t v : missing_among(first, phi)) phi.at(v - first * kChunk, columns_ - 1) = 1.0;
}

void KernelColumns::centre(const std::vector<double>& mean, std::int64_t first, DenseColumns& phi) const {
  for (std::int64_t c = 0; c < chunks_of(phi.samples); ++c) {
    const std::int64_t valid = std::min(kChunk, phi.samples - c * kChunk);
    for (std::int64_t a = 0; a < phi.columns; ++a) {
      double* column = phi.column(c, a);
      for (std::int64_t i = 0; i < valid; ++i) column[i] -= mean[static_cast<std::size_t>(a)];
    }
  }
  if (ignores_missing()) zero_missing(first, phi);
}

std::span<const std::int32_t> KernelColumns::missing_among(std::int64_t first, const DenseColumns& phi) const {
  const std::vector<std::int32_t>& all = points_->missing;
  const auto begin = std::lower_bound(all.begin(), all.end(), first * kChunk);
  return {begin, std::lower_bound(begin, all.end(), first * kChunk + phi.samples)};
}

void KernelColumns::zero_missing(std::int64_t first, DenseColumns& phi) const {
  for (const std::int32_t v : missing_among(first, phi)) {
    for (std::int64_t a = 0; a < phi.columns; ++a) phi.at(v - first * kChunk, a) = 0.0;
  }
}

const double* StreamedColumns::chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const {
  static thread_local DenseColumns phi;
  static thread_local DenseColumns turned;
  phi.reshape(std::min(count * kChunk, samples - first * kChunk), kernel_.columns());
  kernel_.evaluate(first, phi);
  if (!mean_.empty()) kernel_.centre(mean_, first, phi);
  if (!axes_.empty()) {
    turned.reshape(phi.samples, columns);
    map_columns(phi, axes_, turned);
  }
  // The room of this thread and the caller's change places: nothing is copied.
  std::swap(room, axes_.empty() ? phi.values : turned.values);
  return room.data();
}

std::int64_t StreamedColumns::bytes() const {
  return static_cast<std::int64_t>(kernel_.points().u.capacity() * sizeof(double) +
                                   kernel_.points().missing.capacity() * sizeof(std::int32_t));
}

LevelColumns::LevelColumns(std::vector<std::uint16_t> codes, std::vector<double> levels, std::int64_t column_count)
    : codes_(std::move(codes)), levels_(std::move(levels)) {
  samples = std::ssize(codes_);
  columns = column_count;
}

const double* LevelColumns::chunks(std::int64_t first, std::int64_t count, AlignedBuffer<double>& room) const {
  static thread_local DenseColumns made;
  made.reshape(std::min(count * kChunk, samples - first * kChunk), columns);
  std::fill(made.values.begin(), made.values.end(), 0.0);
  for (std::int64_t i = 0; i < made.samples; ++i) {
    const double* row = levels_.data() + codes_[static_cast<std::size_t>(first * kChunk + i)] * columns;
    for (std::int64_t a = 0; a < columns; ++a) made.at(i, a) = row[a];
  }
  std::swap(room, made.values);
  return room.data();
}

std::int64_t LevelColumns::bytes() const {
  return static_cast<std::int64_t>(codes_.capacity() * sizeof(std::uint16_t) + levels_.capacity() * sizeof(double));
}

}  // namespace land
