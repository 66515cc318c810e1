#include "land/kernels/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

#include "land/kernels/dense_columns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/sketch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// columns[p * padded + i] = s_p(u_i), in double, for p < count.
void EvaluateSketch(const double* u, std::int64_t padded, const SketchBasis& basis, int count, double* columns) {
  using D = hn::CappedTag<double, 8>;
  const D d;
  using V = hn::Vec<D>;
  const std::size_t lanes = hn::Lanes(d);
  const V lowest = hn::Set(d, -700.0);
  const V decay = hn::Set(d, -basis.decay);
  for (std::size_t i = 0; i < static_cast<std::size_t>(padded); i += lanes) {
    const V x = hn::LoadU(d, u + i);
    const V square = hn::Mul(x, x);
    const V even = hn::Exp(d, hn::Max(hn::Mul(square, decay), lowest));
    const V odd = hn::Mul(even, x);
    for (int p = 0; p < count; ++p) {
      const SketchBasis::Function& function = basis.functions[static_cast<std::size_t>(p)];
      V sum = hn::Set(d, function.polynomial.back());
      for (std::size_t j = function.polynomial.size() - 1; j-- > 0;) {
        sum = hn::MulAdd(sum, square, hn::Set(d, function.polynomial[j]));
      }
      hn::StoreU(hn::Mul(sum, function.odd ? odd : even), d,
                 columns + static_cast<std::size_t>(p) * static_cast<std::size_t>(padded) + i);
    }
  }
}

// column = values less their mean, rounded to float32; square: its sum of squares in double. `values` may be read up to
// a whole number of vectors.
void CentreColumn(const double* values, std::int64_t samples, float* column, double& mean, double& square) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> f;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + lanes <= samples; i += lanes) sum = hn::Add(sum, hn::LoadU(d, values + i));
  HWY_ALIGN double parts[8];
  hn::Store(sum, d, parts);
  double total = 0.0;
  for (std::int64_t lane = 0; lane < lanes; ++lane) total += parts[lane];
  for (; i < samples; ++i) total += values[i];
  mean = total / static_cast<double>(samples);

  const auto centre = hn::Set(d, mean);
  auto squares = hn::Zero(d);
  for (i = 0; i + lanes <= samples; i += lanes) {
    const auto centred = hn::Sub(hn::LoadU(d, values + i), centre);
    squares = hn::MulAdd(centred, centred, squares);
    hn::StoreU(hn::DemoteTo(f, centred), f, column + i);
  }
  hn::Store(squares, d, parts);
  square = 0.0;
  for (std::int64_t lane = 0; lane < lanes; ++lane) square += parts[lane];
  for (; i < samples; ++i) {
    const double centred = values[i] - mean;
    square += centred * centred;
    column[i] = static_cast<float>(centred);
  }
}

// products[x * right + y] of the leading columns. Chains of 64 float32 additions per lane, then double.
template <int kLeft, int kRight>
HWY_INLINE void sketch_products(const float* a, const float* b, std::size_t padded, double* products, int stride) {
  using F = hn::CappedTag<float, 16>;
  const F f;
  using V = hn::Vec<F>;
  const std::size_t lanes = hn::Lanes(f);
  const std::size_t block = 64 * lanes;
  for (std::size_t start = 0; start < padded; start += block) {
    const std::size_t end = std::min(padded, start + block);
    V s[kLeft][kRight];
    for (auto& row : s) {
      for (V& sum : row) sum = hn::Zero(f);
    }
    for (std::size_t i = start; i < end; i += lanes) {
      V r[kRight];
      for (int y = 0; y < kRight; ++y) r[y] = hn::Load(f, b + static_cast<std::size_t>(y) * padded + i);
      for (int x = 0; x < kLeft; ++x) {
        const V l = hn::Load(f, a + static_cast<std::size_t>(x) * padded + i);
        for (int y = 0; y < kRight; ++y) s[x][y] = hn::MulAdd(l, r[y], s[x][y]);
      }
    }
    HWY_ALIGN float parts[16];
    for (int x = 0; x < kLeft; ++x) {
      for (int y = 0; y < kRight; ++y) {
        hn::Store(s[x][y], f, parts);
        double total = 0.0;
        for (std::size_t lane = 0; lane < lanes; ++lane) total += static_cast<double>(parts[lane]);
        products[x * stride + y] += total;
      }
    }
  }
}

void SketchProducts(const float* a, const float* b, std::int64_t padded, int p, double* products) {
  const auto size = static_cast<std::size_t>(padded);
  if (p == 2) {
    sketch_products<2, 2>(a, b, size, products, 2);
  } else {
    sketch_products<2, 4>(a, b, size, products, 4);
    sketch_products<2, 4>(a + 2 * size, b, size, products + 8, 4);
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <Eigen/Dense>

#include "land/kernels/classes.h"
#include "land/kernels/factor.h"

namespace land {
namespace {
HWY_EXPORT(EvaluateSketch);
HWY_EXPORT(CentreColumn);
HWY_EXPORT(SketchProducts);

// Relative to ||a|| ||b||, what rounding can make a product of columns off by, (9): 64 additions and 64 products in
// float32, and both columns rounded to float32.
constexpr double kProductError = (2 * 64 + 4) * 0x1p-24;

}  // namespace

SketchBasis::SketchBasis(double sigma) {
  // Mercer's expansion of the Gaussian kernel under the standard normal density, (7): g_j is exp(-decay u^2) times a
  // polynomial h_j, h_j+1 = rise u h_j - fall h_j-1.
  const double a = 0.25;
  const double b = 0.5 / (sigma * sigma);
  const double c = std::sqrt(a * a + 2.0 * a * b);
  const double ratio = b / (a + b + c);
  const double slope = std::sqrt(2.0 * c);
  decay = c - a;
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(kTerms, kTerms);  // [j][power of u]
  h(0, 0) = std::sqrt(std::sqrt(2.0 * a / (a + b + c)) * std::sqrt(c / a));
  for (Eigen::Index j = 0; j + 1 < kTerms; ++j) {
    const auto order = static_cast<double>(j);
    const double rise = std::sqrt(ratio) * std::sqrt(2.0 / (order + 1.0)) * slope;
    const double fall = ratio * std::sqrt(order / (order + 1.0));
    h.row(j + 1).tail(kTerms - 1) = rise * h.row(j).head(kTerms - 1);
    if (j > 0) h.row(j + 1) -= fall * h.row(j - 1);
  }
  // Their centred second moments under the normal density, by the trapezium rule, which is exact to rounding here.
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(kTerms, kTerms);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kTerms);
  constexpr double kStep = 0.05;
  constexpr int kSteps = 200;  // to either side: ten standard deviations
  for (int t = -kSteps; t <= kSteps; ++t) {
    const double u = kStep * t;
    const double weight = kStep * std::exp(-0.5 * u * u) / std::sqrt(2.0 * std::numbers::pi);
    Eigen::VectorXd powers(kTerms);
    for (Eigen::Index j = 0; j < kTerms; ++j) powers[j] = std::pow(u, static_cast<double>(j));
    const Eigen::VectorXd g = std::exp(-decay * u * u) * (h * powers);
    mean += weight * g;
    second += weight * g * g.transpose();
  }
  // Even and odd functions are uncorrelated: their axes are found apart, so that each is of one kind to the last bit.
  std::vector<std::pair<double, Function>> found;
  const Eigen::MatrixXd covariance = second - mean * mean.transpose();
  for (const bool odd : {false, true}) {
    const auto kind = Eigen::seqN(odd ? 1 : 0, kTerms / 2, 2);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(covariance(kind, kind)));
    const Eigen::MatrixXd terms = h(kind, kind);
    const Eigen::MatrixXd polynomials = solver.eigenvectors().transpose() * terms;
    for (Eigen::Index p = 0; p < kTerms / 2; ++p) {
      Function function{odd, {}};
      for (Eigen::Index j = 0; j < kTerms / 2; ++j)
        function.polynomial[static_cast<std::size_t>(j)] = polynomials(p, j);
      found.emplace_back(solver.eigenvalues()[p], function);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  for (std::size_t p = 0; p < kSketchColumns; ++p) functions[p] = found[p].second;
}

namespace {

std::int64_t padded_size(std::int64_t samples) {
  constexpr std::int64_t kVector = 16;
  return (samples + kVector - 1) / kVector * kVector;
}

// Centres a function's values by point, some of which are missing; returns its sum of squares over the samples.
double centre_observed(const Points& points, Missing missing, double* by_point) {
  const auto weight = [&](std::int64_t v) {
    return points.weights.empty() ? 1.0 : points.weights[static_cast<std::size_t>(v)];
  };
  for (const std::int32_t v : points.missing) by_point[v] = 0.0;
  const std::int64_t over = points.samples - (missing == Missing::kLevel ? 0 : points.missing_samples);
  double mean = 0.0;
  for (std::int64_t v = 0; v < points.count; ++v) mean += weight(v) * by_point[v];
  mean /= static_cast<double>(over);
  for (std::int64_t v = 0; v < points.count; ++v) by_point[v] -= mean;
  if (missing != Missing::kLevel) {
    for (const std::int32_t v : points.missing) by_point[v] = 0.0;
  }
  double square = 0.0;
  for (std::int64_t v = 0; v < points.count; ++v) square += weight(v) * by_point[v] * by_point[v];
  return square;
}

}  // namespace

Sketch make_sketch(const Points& points, const SketchBasis& basis, double scale, Missing missing, int count) {
  const std::int64_t evaluated = chunks_of(points.count) * kChunk;
  static thread_local AlignedBuffer<double> values;
  values.resize(static_cast<std::size_t>(evaluated * count));
  HWY_DYNAMIC_DISPATCH(EvaluateSketch)(points.u.data(), evaluated, basis, count, values.data());

  Sketch sketch;
  sketch.count = count;
  sketch.scale = scale;
  sketch.padded = padded_size(points.samples);
  sketch.columns.resize(static_cast<std::size_t>(sketch.padded * count));
  for (std::int64_t p = 0; p < count; ++p) {
    double* by_point = values.data() + p * evaluated;
    float* column = sketch.columns.data() + p * sketch.padded;
    double mean = 0.0;
    double square = 0.0;
    if (points.distinct() || !points.missing.empty()) {
      square = centre_observed(points, missing, by_point);
      for (std::int64_t i = 0; i < points.samples; ++i) {
        column[i] = static_cast<float>(by_point[points.distinct() ? points.codes[static_cast<std::size_t>(i)] : i]);
      }
    } else {
      HWY_DYNAMIC_DISPATCH(CentreColumn)(by_point, points.samples, column, mean, square);
    }
    sketch.norms[static_cast<std::size_t>(p)] = std::sqrt(square);
    std::fill(column + points.samples, column + sketch.padded, 0.0F);
  }
  return sketch;
}

namespace {

// The class kernel is a sum over classes: a few of them, centred, are below it in the order of positive semidefinite
// matrices.
Sketch class_sketch(const Classes& classes, double scale, int count) {
  Sketch sketch;
  sketch.count = count;
  const std::size_t n = classes.codes.size();
  sketch.padded = padded_size(static_cast<std::int64_t>(n));
  sketch.columns.assign(static_cast<std::size_t>(sketch.padded * count), 0.0F);
  sketch.scale = scale;
  std::vector<std::size_t> largest(classes.size());
  std::iota(largest.begin(), largest.end(), std::size_t{0});
  std::stable_sort(largest.begin(), largest.end(),
                   [&](std::size_t a, std::size_t b) { return classes.counts[a] > classes.counts[b]; });
  for (std::size_t p = 0; p < std::min(static_cast<std::size_t>(count), classes.size()); ++p) {
    float* column = sketch.columns.data() + p * static_cast<std::size_t>(sketch.padded);
    double square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = classes.factor(classes.codes[i], largest[p]);
      column[i] = static_cast<float>(value);
      square += value * value;
    }
    sketch.norms[p] = std::sqrt(square);
  }
  return sketch;
}

}  // namespace

Sketch make_sketch(const FeatureView& feature, const SketchBasis& basis, double scale, Missing missing, int count) {
  if (feature.header->nominal) return class_sketch(classes_of(feature, missing), scale, count);
  return make_sketch(standardise(feature, missing, Repeats::kKeep), basis, scale, missing, count);
}

double sketch_bound(const Sketch& a, const Sketch& b, int p) {
  std::array<double, kSketchColumns * kSketchColumns> products{};
  HWY_DYNAMIC_DISPATCH(SketchProducts)(a.columns.data(), b.columns.data(), a.padded, p, products.data());
  for (int x = 0; x < p; ++x) {
    for (int y = 0; y < p; ++y) {
      double& product = products[static_cast<std::size_t>(x * p + y)];
      const double error = kProductError * a.norms[static_cast<std::size_t>(x)] * b.norms[static_cast<std::size_t>(y)];
      product = std::max(0.0, std::abs(product) - error);
    }
  }
  const double squares = sum_of_squares({products.data(), static_cast<std::size_t>(p * p)}, p, p);
  // The factors that define R may fall short of the kernels by their residuals, (8).
  return std::max(0.0, squares * a.scale * b.scale * (1.0 - 1e-12) - 2.5 * kFactorResidual);
}

}  // namespace land
#endif
