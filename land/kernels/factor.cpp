#include "land/kernels/factor.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "land/blocks/packed_counts.h"
#include "land/error.h"
#include "land/kernels/classes.h"
#include "land/kernels/column_products.h"
#include "land/kernels/pivoted_cholesky.h"
#include "land/kernels/standardise.h"

namespace land {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// --- The paper's Nystrom factor --------------------------------------------------------------------------------------

KernelMap nystrom_map(const std::vector<double>& basis, double sigma) {
  const auto b = static_cast<Eigen::Index>(basis.size());
  Eigen::MatrixXd kernel(b, b);
  for (Eigen::Index i = 0; i < b; ++i) {
    for (Eigen::Index j = 0; j < b; ++j) {
      const double difference = (basis[static_cast<std::size_t>(i)] - basis[static_cast<std::size_t>(j)]) / sigma;
      kernel(i, j) = std::exp(-0.5 * difference * difference);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(kernel);
  const double smallest = 1e-9 * solver.eigenvalues()[b - 1];
  Eigen::Index first = 0;
  while (solver.eigenvalues()[first] < smallest) ++first;
  KernelMap result;
  result.points = basis;
  const RowMatrix map = solver.eigenvectors().rightCols(b - first) *
                        solver.eigenvalues().tail(b - first).cwiseSqrt().cwiseInverse().asDiagonal();
  result.map.assign(map.data(), map.data() + map.size());
  result.columns = b - first;
  return result;
}

// --- From a kernel map to a centred, rotated, truncated factor -------------------------------------------------------

// Takes the mean over the samples out of phi; returns the sum of its squares, n times.
double centre(const Points& points, double n, DenseColumns& phi) {
  std::vector<double> mean(static_cast<std::size_t>(phi.columns), 0.0);
  if (!points.distinct()) {
    column_sums(phi, mean.data());
  } else {
    for (std::int64_t v = 0; v < points.count; ++v) {
      const double weight = points.weights[static_cast<std::size_t>(v)];
      for (std::int64_t a = 0; a < phi.columns; ++a) mean[static_cast<std::size_t>(a)] += weight * phi.at(v, a);
    }
  }
  for (double& value : mean) value /= n;
  for (std::int64_t c = 0; c < chunks_of(phi.samples); ++c) {
    const std::int64_t valid = std::min(kChunk, phi.samples - c * kChunk);
    for (std::int64_t a = 0; a < phi.columns; ++a) {
      double* column = phi.column(c, a);
      for (std::int64_t i = 0; i < valid; ++i) column[i] -= mean[static_cast<std::size_t>(a)];
    }
  }
  return n * std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
}

// phi^T phi over the samples.
Eigen::MatrixXd products_of(const DenseColumns& phi, const Points& points) {
  const auto r = static_cast<Eigen::Index>(phi.columns);
  RowMatrix products = RowMatrix::Zero(r, r);
  if (!points.distinct()) {
    column_products(phi, phi, products.data());
    return products;
  }
  Eigen::VectorXd row(r);
  for (std::int64_t v = 0; v < points.count; ++v) {
    for (Eigen::Index a = 0; a < r; ++a) row[a] = phi.at(v, a);
    products.noalias() += points.weights[static_cast<std::size_t>(v)] * row * row.transpose();
  }
  return products;
}

struct Built {
  DenseColumns columns;         // F by point
  double residual_trace = 0.0;  // bound of trace(HKH - F F^T)
  double norm = 0.0;            // ||F F^T||_F
};

void zero_rows(std::span<const std::int32_t> rows, DenseColumns& columns) {
  for (const std::int32_t v : rows) {
    for (std::int64_t c = 0; c < columns.columns; ++c) columns.at(v, c) = 0.0;
  }
}

// phi at every point. From the kernel's columns by sample, not through their second moments: those would lose the small
// columns to cancellation.
void evaluate(const Points& points, const KernelMap& kernel, double sigma, Missing missing, DenseColumns& phi) {
  // Missing values as a level of their own have a column of their own.
  const bool own_column = missing == Missing::kLevel && !points.missing.empty();
  std::vector<double> wider;
  if (own_column) {
    const auto columns = static_cast<std::size_t>(kernel.columns);
    for (std::size_t a = 0; a < kernel.points.size(); ++a) {
      wider.insert(wider.end(), kernel.map.begin() + static_cast<std::ptrdiff_t>(a * columns),
                   kernel.map.begin() + static_cast<std::ptrdiff_t>((a + 1) * columns));
      wider.push_back(0.0);
    }
  }
  phi.reshape(points.count, kernel.columns + (own_column ? 1 : 0));
  map_gaussians(points.u.data(), kernel.points, sigma, own_column ? wider : kernel.map, kernel.triangular, phi);
  zero_rows(points.missing, phi);
  if (own_column) {
    for (const std::int32_t v : points.missing) phi.at(v, phi.columns - 1) = 1.0;
  }
}

// Beyond this, memory for columns is not kept from one feature for the next.
constexpr std::int64_t kLargeColumns = std::int64_t{8} << 20U;

bool are_large(const Points& points, const KernelMap& kernel) {
  return points.count * kernel.columns * static_cast<std::int64_t>(sizeof(double)) > kLargeColumns;
}

// columns * map in the place of the columns, chunk by chunk, for those of which there should not be two. To the bit
// what map_columns gives.
void map_in_place(std::span<const double> map, std::int64_t to_columns, DenseColumns& columns) {
  DenseColumns from;
  DenseColumns to;
  double* next = columns.values.data();
  for (std::int64_t c = 0; c < chunks_of(columns.samples); ++c) {
    from.reshape(std::min(kChunk, columns.samples - c * kChunk), columns.columns);
    to.reshape(from.samples, to_columns);
    std::copy_n(columns.chunk(c), from.values.size(), from.values.data());
    map_columns(from, map, to);
    next = std::copy(to.values.begin(), to.values.end(), next);
  }
  columns.reshape(columns.samples, to_columns);
}

// Centres phi, rotates it to its principal axes and leaves out what holds less than `cut` of the trace; or only centres
// it, when it is for the relevance.
Built build(const Points& points, const KernelMap& kernel, double sigma, Missing missing, double cut, FactorUse use) {
  static thread_local DenseColumns reused;  // for every feature
  DenseColumns own;
  DenseColumns& phi = are_large(points, kernel) ? own : reused;
  evaluate(points, kernel, sigma, missing, phi);
  // Ignored samples are in no mean, and zero again after the centring.
  const bool ignored = missing != Missing::kLevel && !points.missing.empty();
  const auto n = static_cast<double>(points.samples - (ignored ? points.missing_samples : 0));
  const double mean_square = centre(points, n, phi);
  if (ignored) zero_rows(points.missing, phi);
  const Eigen::MatrixXd products = products_of(phi, points);
  // (5): trace(K - Phi Phi^T) bounds the centred residual; what is left out comes on top.
  const double residual = std::max(n - products.trace() - mean_square, 0.0);
  if (use == FactorUse::kRelevance) return {std::move(phi), residual, products.norm()};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  const Eigen::VectorXd values = solver.eigenvalues().cwiseMax(0.0);
  const double trace = values.sum();
  Eigen::Index drop = 0;
  double dropped = 0.0;
  while (drop + 1 < values.size() && dropped + values[drop] <= cut * trace) dropped += values[drop++];
  const Eigen::Index k = values.size() - drop;
  const RowMatrix axes = solver.eigenvectors().rightCols(k).rowwise().reverse();
  const std::span<const double> map(axes.data(), static_cast<std::size_t>(axes.size()));
  const double norm = values.tail(k).norm();
  if (&phi == &own) {
    map_in_place(map, k, phi);
    return {std::move(phi), residual + dropped, norm};
  }
  Built built{DenseColumns(points.count, k), residual + dropped, norm};
  map_columns(phi, map, built.columns);
  return built;
}

// Adds the samples that a kernel map explains worst to the pool.
void add_worst(const Points& points, const KernelMap& kernel, double sigma, PivotPool& pool) {
  static thread_local DenseColumns reused;
  DenseColumns own;
  DenseColumns& phi = are_large(points, kernel) ? own : reused;
  evaluate(points, kernel, sigma, Missing::kIgnore, phi);
  std::vector<std::pair<double, std::int64_t>> explained;
  for (std::int64_t i = 0; i < points.count; ++i) {
    double square = 0.0;
    for (std::int64_t a = 0; a < phi.columns; ++a) square += phi.at(i, a) * phi.at(i, a);
    const bool missing = std::binary_search(points.missing.begin(), points.missing.end(), i);
    if (!missing) explained.emplace_back(square, i);
  }
  const std::size_t few = std::min<std::size_t>(256, explained.size());
  std::partial_sort(explained.begin(), explained.begin() + static_cast<std::ptrdiff_t>(few), explained.end());
  for (std::size_t w = 0; w < few; ++w) {
    const std::int64_t i = explained[w].second;
    const auto place = std::lower_bound(pool.points.begin(), pool.points.end(), i);
    if (place != pool.points.end() && *place == i) continue;
    pool.weights.insert(pool.weights.begin() + (place - pool.points.begin()), 1.0);
    pool.points.insert(place, i);
  }
}

Built build_cholesky(const Points& points, double sigma, Missing missing, FactorUse use) {
  PivotPool pool = pivot_pool(points);
  double tolerance = 0.5e-7;
  while (true) {
    const KernelMap kernel = pivoted_cholesky(points, pool, sigma, tolerance);
    Built built = build(points, kernel, sigma, missing, 0.5e-7, use);
    if (built.residual_trace <= kFactorResidual * built.norm || tolerance < 1e-12) return built;
    built = {};  // before more is made
    if (!points.distinct()) add_worst(points, kernel, sigma, pool);
    tolerance *= 0.3;
  }
}

// Says how the tables of a coded factor are best counted.
void index_levels(Factor& factor) {
  const auto levels = static_cast<std::size_t>(factor.level_count());
  factor.level_counts.assign(levels, 0);
  for (const std::uint16_t code : factor.codes) ++factor.level_counts[code];
  constexpr std::size_t kMostPlanes = 3;
  if (levels >= 2 && levels <= kMostPlanes + 1) factor.planes = level_planes(factor.codes, levels);
  const auto most = std::max_element(factor.level_counts.begin(), factor.level_counts.end());
  if (8 * (factor.codes.size() - *most) > factor.codes.size()) return;
  factor.common = static_cast<std::uint16_t>(most - factor.level_counts.begin());
  for (std::size_t i = 0; i < factor.codes.size(); ++i) {
    if (factor.codes[i] != factor.common) factor.uncommon.push_back(static_cast<std::int32_t>(i));
  }
}

Factor finish(const Points& points, Built built, bool by_level, Measure measure) {
  Factor factor;
  factor.samples = points.samples;
  factor.columns = built.columns.columns;
  factor.norm = built.norm;
  factor.residual = built.residual_trace / std::max(factor.norm, kZeroNorm);
  factor.scale = kernel_scale(measure, factor.norm, static_cast<double>(points.samples));
  if (!points.distinct()) {
    factor.dense = std::move(built.columns);
  } else {
    factor.codes = points.codes;
    factor.levels.resize(static_cast<std::size_t>(points.count * factor.columns));
    for (std::int64_t v = 0; v < points.count; ++v) {
      for (std::int64_t c = 0; c < factor.columns; ++c) {
        factor.levels[static_cast<std::size_t>(v * factor.columns + c)] = built.columns.at(v, c);
      }
    }
    index_levels(factor);
  }
  return by_level ? factor : by_sample(std::move(factor));
}

Factor gaussian_factor(const Points& points, bool by_level, const KernelOptions& options, FactorUse use) {
  const double sigma = options.sigma;
  Built built = options.factor == FactorKind::kNystrom
                    ? build(points, nystrom_map(options.basis, sigma), sigma, options.missing, 0.0, use)
                    : build_cholesky(points, sigma, options.missing, use);
  return finish(points, std::move(built), by_level, options.measure);
}

// By level: those of the classes, and one of zeros for samples in none.
Factor class_factor(const Classes& classes, Measure measure) {
  Factor factor;
  factor.samples = std::ssize(classes.codes);
  factor.columns = static_cast<std::int64_t>(classes.size());
  factor.codes = classes.codes;
  const bool all = classes.members == static_cast<double>(factor.samples);
  for (std::size_t v = 0; v < classes.size() + (all ? 0 : 1); ++v) {
    for (std::size_t c = 0; c < classes.size(); ++c) factor.levels.push_back(classes.factor(v, c));
  }
  index_levels(factor);
  factor.norm = classes.norm();
  factor.scale = kernel_scale(measure, factor.norm, static_cast<double>(factor.samples));
  return factor;
}

}  // namespace

Factor make_factor(const FeatureView& feature, const KernelOptions& options, FactorUse use) {
  if (feature.header->nominal) return class_factor(classes_of(feature, options.missing), options.measure);
  return gaussian_factor(standardise(feature, options.missing), is_coded(feature.header->encoding), options, use);
}

Factor make_factor(const Target& target, const KernelOptions& options) {
  if (target.task == Task::kRegression) {
    Factor factor = gaussian_factor(standardise(target.values), false, options, FactorUse::kPairs);
    if (factor.norm < kZeroNorm) {
      throw InputError("--basis: no point is near a value of the target: give points between -5 and 5, say");
    }
    return factor;
  }
  return class_factor(classes_of(target), options.measure);
}

Factor by_sample(Factor factor) {
  if (!factor.coded()) return factor;
  factor.dense.reshape(factor.samples, factor.columns);
  std::fill(factor.dense.values.begin(), factor.dense.values.end(), 0.0);
  for (std::int64_t i = 0; i < factor.samples; ++i) {
    const double* row = factor.levels.data() + factor.codes[static_cast<std::size_t>(i)] * factor.columns;
    for (std::int64_t c = 0; c < factor.columns; ++c) factor.dense.at(i, c) = row[c];
  }
  factor.codes = {};
  factor.levels = {};
  factor.level_counts = {};
  factor.planes = {};
  factor.uncommon = {};
  return factor;
}

}  // namespace land
