#include "land/kernels/factors/gaussian_factor.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/kernel_columns.h"
#include "land/kernels/factors/principal_axes.h"
#include "land/kernels/factors/stacked_factor.h"

namespace land {
namespace {

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

// F, or phi before it is turned; by point.
struct Built {
  DenseColumns stored;
  std::shared_ptr<const StreamedColumns> streamed;  // instead, where there are very many points
  double residual_trace = 0.0;                      // bound of trace(HKH - F F^T)
  double norm = 0.0;                                // ||F F^T||_F
};

// The mean of each column over n samples.
std::vector<double> means(const Columns& phi, double n) {
  std::vector<double> mean(static_cast<std::size_t>(phi.columns), 0.0);
  column_sums(phi, mean.data());
  for (double& value : mean) value /= n;
  return mean;
}

// The same where points stand for several samples each.
std::vector<double> weighted_means(const DenseColumns& phi, const Points& points, double n) {
  std::vector<double> mean(static_cast<std::size_t>(phi.columns), 0.0);
  for (std::int64_t v = 0; v < points.count; ++v) {
    const double weight = points.weights[static_cast<std::size_t>(v)];
    for (std::int64_t a = 0; a < phi.columns; ++a) mean[static_cast<std::size_t>(a)] += weight * phi.at(v, a);
  }
  for (double& value : mean) value /= n;
  return mean;
}

// phi^T phi over the samples.
RowMatrix products_of(const Columns& phi) {
  RowMatrix products = RowMatrix::Zero(phi.columns, phi.columns);
  column_products(phi, phi, products.data());
  return products;
}

RowMatrix weighted_products(const DenseColumns& phi, const Points& points) {
  const auto r = static_cast<Eigen::Index>(phi.columns);
  RowMatrix products = RowMatrix::Zero(r, r);
  Eigen::VectorXd row(r);
  for (std::int64_t v = 0; v < points.count; ++v) {
    for (Eigen::Index a = 0; a < r; ++a) row[a] = phi.at(v, a);
    products.noalias() += points.weights[static_cast<std::size_t>(v)] * row * row.transpose();
  }
  return products;
}

// Centres phi, turns it to its principal axes and leaves out what holds less than `cut` of the trace; or only centres
// it, when it is for the relevance.
Built build(const KernelColumns& kernel, double cut, FactorUse use) {
  const Points& points = kernel.points();
  static thread_local DenseColumns stored;  // the memory is used for every feature
  std::shared_ptr<StreamedColumns> streamed;
  if (points.count >= kLeastStreamed) {
    streamed = std::make_shared<StreamedColumns>(kernel);
  } else {
    stored.reshape(points.count, kernel.columns());
    kernel.evaluate(0, stored);
  }
  const Columns& phi = streamed ? static_cast<const Columns&>(*streamed) : stored;
  const auto n = static_cast<double>(points.samples - (kernel.ignores_missing() ? points.missing_samples : 0));
  std::vector<double> mean = points.distinct() ? weighted_means(stored, points, n) : means(phi, n);
  const double mean_square = n * std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
  if (streamed) {
    streamed->centre(std::move(mean));
  } else {
    kernel.centre(mean, 0, stored);
  }
  const Eigen::MatrixXd products = points.distinct() ? weighted_products(stored, points) : products_of(phi);
  // (5): trace(K - Phi Phi^T) bounds the centred residual; what is left out comes on top.
  const double residual = std::max(n - products.trace() - mean_square, 0.0);
  if (use == FactorUse::kRelevance) {
    return {streamed ? DenseColumns() : std::move(stored), streamed, residual, products.norm()};
  }
  const auto [axes, norm, dropped] =
      principal_axes(products, [cut](const Eigen::VectorXd& values) { return cut * values.sum(); });
  if (streamed) {
    streamed->turn({axes.data(), axes.data() + axes.size()}, axes.cols());
    return {{}, streamed, residual + dropped, norm};
  }
  Built built{DenseColumns(points.count, axes.cols()), nullptr, residual + dropped, norm};
  map_columns(stored, {axes.data(), static_cast<std::size_t>(axes.size())}, built.stored);
  return built;
}

// Adds the samples that a kernel map explains worst to the pool.
void add_worst(const KernelColumns& kernel, PivotPool& pool) {
  const Points& points = kernel.points();
  std::vector<std::pair<double, std::int64_t>> explained;
  DenseColumns phi;
  for (std::int64_t c = 0; c < chunks_of(points.count); ++c) {
    phi.reshape(std::min(kChunk, points.count - c * kChunk), kernel.columns());
    kernel.evaluate(c, phi);
    for (std::int64_t i = 0; i < phi.samples; ++i) {
      const std::int64_t point = c * kChunk + i;
      if (std::binary_search(points.missing.begin(), points.missing.end(), point)) continue;
      double square = 0.0;
      for (std::int64_t a = 0; a < phi.columns; ++a) square += phi.at(i, a) * phi.at(i, a);
      explained.emplace_back(square, point);
    }
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

// `share`: of the residual that a factor may have.
Built build_cholesky(const std::shared_ptr<const Points>& points, double sigma, Missing missing, FactorUse use,
                     double share) {
  PivotPool pool = pivot_pool(*points);
  const double cut = 0.5e-7 * share;
  double tolerance = cut;
  while (true) {
    const KernelColumns kernel(points, pivoted_cholesky(*points, pool, sigma, tolerance), sigma, missing);
    Built built = build(kernel, cut, use);
    if (built.residual_trace <= kFactorResidual * share * built.norm || tolerance < 1e-12) return built;
    if (!points->distinct()) add_worst(kernel, pool);
    tolerance *= 0.3;
  }
}

Factor finish(const Points& points, Built built, bool by_level, Measure measure) {
  Factor factor;
  factor.samples = points.samples;
  factor.columns = built.streamed ? built.streamed->columns : built.stored.columns;
  factor.norm = built.norm;
  factor.residual = built.residual_trace / std::max(factor.norm, kZeroNorm);
  factor.scale = kernel_scale(measure, factor.norm, static_cast<double>(points.samples));
  if (!points.distinct()) {
    factor.stored = std::move(built.stored);
    factor.streamed = std::move(built.streamed);
    return factor;
  }
  std::vector<double> levels(static_cast<std::size_t>(points.count * factor.columns));
  for (std::int64_t v = 0; v < points.count; ++v) {
    for (std::int64_t c = 0; c < factor.columns; ++c) {
      levels[static_cast<std::size_t>(v * factor.columns + c)] = built.stored.at(v, c);
    }
  }
  if (by_level) {
    factor.codes = points.codes;
    factor.levels = std::move(levels);
    index_levels(factor);
    return factor;
  }
  factor.streamed = std::make_shared<LevelColumns>(points.codes, std::move(levels), factor.columns);
  return factor.samples < kLeastStreamed ? stored_by_sample(std::move(factor)) : factor;
}

}  // namespace

Factor gaussian_factor(Points values, bool by_level, const KernelOptions& options, FactorUse use) {
  const auto points = std::make_shared<const Points>(std::move(values));
  if (options.factor == FactorKind::kNystrom) {
    const double sigma = options.sigma.front();
    const KernelColumns kernel(points, nystrom_map(options.basis, sigma), sigma, options.missing);
    return finish(*points, build(kernel, 0.0, use), by_level, options.measure);
  }
  const double share = options.sigma.size() == 1 ? 1.0 : kShareOfStacked / static_cast<double>(options.sigma.size());
  std::vector<Factor> parts;
  for (const double sigma : options.sigma) {
    parts.push_back(
        finish(*points, build_cholesky(points, sigma, options.missing, use, share), by_level, options.measure));
  }
  return parts.size() == 1 ? std::move(parts.front()) : stack_factors(std::move(parts), use);
}

}  // namespace land
