#include "land/permuting/target_axes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/principal_axes.h"
#include "land/kernels/families/kernels.h"
#include "land/permuting/permutations.h"

namespace land {
namespace {

// Axes of the target that hold less than this share of the first are left to the bound of the rest: chance brings
// relevances of about 1 / n, from which the largest are to be told.
double least_share(std::int64_t samples) { return 1.0 / static_cast<double>(samples); }

}  // namespace

Factor turned_to_axes(Factor given) {
  Factor factor = stored_by_sample(std::move(given));
  const DenseColumns& columns = factor.stored;
  RowMatrix products(columns.columns, columns.columns);
  column_products(columns, columns, products.data());
  const PrincipalAxes turned =
      principal_axes(products, [](const Eigen::VectorXd& values) { return 1e-14 * values.sum(); });
  DenseColumns to(columns.samples, turned.axes.cols());
  map_columns(columns, {turned.axes.data(), static_cast<std::size_t>(turned.axes.size())}, to);
  factor.stored = std::move(to);
  factor.columns = factor.stored.columns;
  return factor;
}

std::vector<double> held_by_columns(const Factor& factor) {
  std::vector<double> held(static_cast<std::size_t>(factor.columns), 0.0);
  const DenseColumns& columns = factor.stored;
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    for (std::int64_t a = 0; a < columns.columns; ++a) {
      const double* column = columns.column(c, a);
      double sum = 0.0;
      for (std::int64_t i = 0; i < columns.rows(c); ++i) sum += column[i] * column[i];
      held[static_cast<std::size_t>(a)] += sum * factor.scale;
    }
  }
  return held;
}

TargetAxes::TargetAxes(const PermutationJob& job) : samples_(job.target->size()) {
  const Factor factor = turned_to_axes(Kernels(job.kernel).factor(*job.target));
  scale_ = factor.scale;
  held_ = held_by_columns(factor);
  for (std::int64_t a = 0; a < factor.columns; ++a) {
    for (std::int64_t i = 0; i < samples_; ++i) values_.push_back(factor.stored.at(i, a));
  }
  const std::int64_t count = job.end - job.begin;
  const Permutations permutations = permutations_of(*job.target, job.kernel, job.seed, job.asked);
  orders_.resize(static_cast<std::size_t>(count * samples_));
  for (std::int64_t b = 0; b < count; ++b) {
    permutations.order(job.begin + b, std::span(orders_).subspan(static_cast<std::size_t>(b * samples_),
                                                                 static_cast<std::size_t>(samples_)));
  }
  while (leading_ < held_.size() && held_[leading_] >= least_share(samples_) * held_[0]) ++leading_;

  const auto n = static_cast<std::size_t>(samples_);
  const std::size_t used = static_cast<std::size_t>(count) * leading_;
  columns_.samples = n;
  columns_.count = (used + kColumnsTogether - 1) / kColumnsTogether * kColumnsTogether;
  columns_.values.resize(columns_.count * n);
  std::fill(columns_.values.begin(), columns_.values.end(), 0.0F);
  for (std::size_t c = 0; c < used; ++c) {
    const double* from = values_.data() + c % leading_ * n;
    const auto rows = order(static_cast<std::int64_t>(c / leading_));
    const double unit = std::sqrt(scale_ / held_[c % leading_]);
    float* to = columns_.values.data() + c / kColumnsTogether * kColumnsTogether * n + c % kColumnsTogether;
    for (std::size_t i = 0; i < n; ++i) {
      to[i * kColumnsTogether] = static_cast<float>(from[rows[i]] * unit);
    }
  }
}

void TargetAxes::permute(std::int64_t b, DenseColumns& to) const {
  const auto rows = order(b);
  const std::int64_t axes = std::ssize(held_);
  to.reshape(samples_, axes);
  for (std::int64_t c = 0; c < chunks_of(samples_); ++c) {
    const std::int64_t filled = std::min(kChunk, samples_ - c * kChunk);
    for (std::int64_t a = 0; a < axes; ++a) {
      const double* from = values_.data() + a * samples_;
      double* column = to.column(c, a);
      for (std::int64_t i = 0; i < filled; ++i) column[i] = from[rows[static_cast<std::size_t>(c * kChunk + i)]];
      std::fill(column + filled, column + to.rows(c), 0.0);
    }
  }
}

}  // namespace land
