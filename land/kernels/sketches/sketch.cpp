#include "land/kernels/sketches/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

#include "land/kernels/factors/dense_columns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/sketches/sketch.cpp"
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

// The least and the largest of values, and their mean.
void Survey(const double* values, std::int64_t samples, double& low, double& high, double& mean) {
  const hn::CappedTag<double, 8> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  constexpr std::size_t kChains = 2;  // so that none waits for the one before
  V sum[kChains];
  V least[kChains];
  V largest[kChains];
  for (std::size_t j = 0; j < kChains; ++j) {
    sum[j] = hn::Zero(d);
    least[j] = largest[j] = hn::Set(d, values[0]);
  }
  std::int64_t i = 0;
  while (i + lanes * static_cast<std::int64_t>(kChains) <= samples) {
    for (std::size_t j = 0; j < kChains; ++j, i += lanes) {
      const V x = hn::LoadU(d, values + i);
      sum[j] = hn::Add(sum[j], x);
      least[j] = hn::Min(least[j], x);
      largest[j] = hn::Max(largest[j], x);
    }
  }
  HWY_ALIGN double parts[3][8];
  hn::Store(hn::Add(sum[0], sum[1]), d, parts[0]);
  hn::Store(hn::Min(least[0], least[1]), d, parts[1]);
  hn::Store(hn::Max(largest[0], largest[1]), d, parts[2]);
  double total = 0.0;
  low = high = values[0];
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    total += parts[0][lane];
    low = std::min(low, parts[1][lane]);
    high = std::max(high, parts[2][lane]);
  }
  for (; i < samples; ++i) {
    total += values[i];
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  mean = total / static_cast<double>(samples);
}

// steps = (values - mean) / step, rounded; square: the sum of squares before, error: of what rounding changed.
void RoundToSteps(const double* values, std::int64_t samples, double mean, double step, std::int16_t* steps,
                  double& square, double& error) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  const hn::Rebind<std::int16_t, decltype(d)> d16;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto centre = hn::Set(d, mean);
  const auto size = hn::Set(d, step);
  const auto per_step = hn::Set(d, 1.0 / step);
  auto squares = hn::Zero(d);
  auto errors = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + lanes <= samples; i += lanes) {
    const auto centred = hn::Sub(hn::LoadU(d, values + i), centre);
    const auto whole = hn::Round(hn::Mul(centred, per_step));
    const auto changed = hn::NegMulAdd(whole, size, centred);
    squares = hn::MulAdd(centred, centred, squares);
    errors = hn::MulAdd(changed, changed, errors);
    hn::StoreU(hn::DemoteTo(d16, hn::DemoteTo(d32, whole)), d16, steps + i);
  }
  HWY_ALIGN double parts[2][8];
  hn::Store(squares, d, parts[0]);
  hn::Store(errors, d, parts[1]);
  square = error = 0.0;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    square += parts[0][lane];
    error += parts[1][lane];
  }
  for (; i < samples; ++i) {
    const double centred = values[i] - mean;
    const double whole = std::nearbyint(centred * (1.0 / step));
    square += centred * centred;
    error += (centred - whole * step) * (centred - whole * step);
    steps[i] = static_cast<std::int16_t>(whole);
  }
}

// So many samples of the sketches of 64 pairs take half a megabyte to a whole one: they stay in the second-level cache.
constexpr std::size_t kSamples = 1024;

// products[x * stride + y] += those of `count` samples of two columns with two, exactly. Columns are `padded` apart.
#if HWY_TARGET == HWY_SCALAR
void two_by_two(const std::int16_t* a, const std::int16_t* b, std::size_t padded, std::size_t count, double* products,
                int stride) {
  for (int x = 0; x < 2; ++x) {
    for (int y = 0; y < 2; ++y) {
      std::int64_t total = 0;
      for (std::size_t i = 0; i < count; ++i) {
        total += a[static_cast<std::size_t>(x) * padded + i] * b[static_cast<std::size_t>(y) * padded + i];
      }
      products[x * stride + y] += static_cast<double>(total);
    }
  }
}
#else
HWY_INLINE void two_by_two(const std::int16_t* a, const std::int16_t* b, std::size_t padded, std::size_t count,
                           double* products, int stride) {
  const hn::CappedTag<std::int16_t, 32> d16;
  const hn::RepartitionToWide<decltype(d16)> d32;
  using V = hn::Vec<decltype(d32)>;
  const std::size_t lanes = hn::Lanes(d16);
  // Two products at a time make 32 bits. Their sum is kept modulo 2^32, and that of their upper halves: together they
  // say what it is.
  V sums[2][2];
  V uppers[2][2];
  for (int x = 0; x < 2; ++x) {
    for (int y = 0; y < 2; ++y) sums[x][y] = uppers[x][y] = hn::Zero(d32);
  }
  for (std::size_t i = 0; i < count; i += lanes) {
    hn::Vec<decltype(d16)> r[2];
    for (int y = 0; y < 2; ++y) r[y] = hn::Load(d16, b + static_cast<std::size_t>(y) * padded + i);
    for (int x = 0; x < 2; ++x) {
      const auto l = hn::Load(d16, a + static_cast<std::size_t>(x) * padded + i);
      for (int y = 0; y < 2; ++y) {
        V odd = hn::Zero(d32);
        const V even = hn::ReorderWidenMulAccumulate(d32, l, r[y], hn::Zero(d32), odd);
        const V both = hn::Add(even, odd);
        sums[x][y] = hn::Add(sums[x][y], both);
        uppers[x][y] = hn::Add(uppers[x][y], hn::ShiftRight<16>(both));
      }
    }
  }
  const hn::RepartitionToWide<decltype(d32)> d64;
  const hn::Half<decltype(d32)> half;
  const auto widened = [&](V v) HWY_ATTR {
    return hn::Add(hn::PromoteTo(d64, hn::LowerHalf(half, v)), hn::PromoteTo(d64, hn::UpperHalf(half, v)));
  };
  for (int x = 0; x < 2; ++x) {
    for (int y = 0; y < 2; ++y) {
      // What the lower halves add up to: at most kSamples / 2 times 2^16, so that nothing of it is lost.
      const auto lower = hn::Sub(sums[x][y], hn::ShiftLeft<16>(uppers[x][y]));
      const auto total = hn::Add(widened(lower), hn::ShiftLeft<16>(widened(uppers[x][y])));
      products[x * stride + y] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d64, total)));
    }
  }
}
#endif

// products[t * kSketchProducts + x * columns + y] += those of the columns of pair t.
void SketchProducts(const SketchPair* pairs, std::size_t pair_count, double* products) {
  const auto padded = static_cast<std::size_t>(pairs[0].a->padded);
  for (std::size_t i = 0; i < padded; i += kSamples) {
    const std::size_t count = std::min(kSamples, padded - i);
    for (std::size_t t = 0; t < pair_count; ++t) {
      const auto& [left, right, columns] = pairs[t];
      for (int x = 0; x < columns; x += 2) {
        const std::int16_t* const a = left->values.data() + static_cast<std::size_t>(x) * padded + i;
        for (int y = 0; y < columns; y += 2) {
          const std::int16_t* const b = right->values.data() + static_cast<std::size_t>(y) * padded + i;
          two_by_two(a, b, padded, count, products + t * kSketchProducts + x * columns + y, columns);
        }
      }
    }
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <Eigen/Dense>

#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/points/standardise.h"

namespace land {
namespace {
HWY_EXPORT(EvaluateSketch);
HWY_EXPORT(Survey);
HWY_EXPORT(RoundToSteps);
HWY_EXPORT(SketchProducts);

}  // namespace

namespace {

// A sketch whose values are still to be set, but for the zeros beyond the last sample.
Sketch blank_sketch(std::int64_t samples, double scale, int count) {
  constexpr std::int64_t kVector = 32;
  Sketch sketch;
  sketch.count = count;
  sketch.scale = scale;
  sketch.padded = (samples + kVector - 1) / kVector * kVector;
  sketch.values.resize(static_cast<std::size_t>(sketch.padded * count));
  for (int p = 0; p < count; ++p) {
    std::fill(sketch.values.data() + p * sketch.padded + samples, sketch.values.data() + (p + 1) * sketch.padded,
              std::int16_t{0});
  }
  return sketch;
}

// A step such that `largest` is kMostSteps of them. A column of nothing, or of hardly anything, is rounded to zeros.
double step_of(double largest) { return largest > 1e-280 ? largest / kMostSteps : 1.0; }

// Values of a function at every point, centred over the samples; missing ones count as the policy says.
void centre_points(const Points& points, Missing missing, double* by_point) {
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
}

// Rounds the centred values of a column at points that stand for `weights` samples each (all ones when empty).
Sketch::Column round_points(std::span<const double> centred, std::span<const double> weights,
                            std::vector<std::int16_t>& steps) {
  double largest = 0.0;
  for (const double value : centred) largest = std::max(largest, std::abs(value));
  Sketch::Column column;
  column.step = step_of(largest);
  steps.resize(centred.size());
  double square = 0.0;
  double error = 0.0;
  for (std::size_t v = 0; v < centred.size(); ++v) {
    const double weight = weights.empty() ? 1.0 : weights[v];
    const double whole = std::nearbyint(centred[v] / column.step);
    const double changed = centred[v] - whole * column.step;
    steps[v] = static_cast<std::int16_t>(whole);
    square += weight * centred[v] * centred[v];
    error += weight * changed * changed;
  }
  column.norm = std::sqrt(square);
  column.error = std::sqrt(error);
  return column;
}

// The same for functions of several widths. values[p * evaluated + v]
void add_widths(const Points& points, const SketchBasis& basis, int count, double* values) {
  const std::int64_t evaluated = chunks_of(points.count) * kChunk;
  static thread_local DenseColumns columns;
  columns.reshape(points.count, kSketchColumns);
  std::fill_n(values, evaluated * count, 0.0);
  for (const SketchBasis::Width& width : basis.widths) {
    map_gaussians(points.u.data(), basis.landmarks, width.sigma, width.map, false, columns);
    for (std::int64_t c = 0; c < chunks_of(points.count); ++c) {
      for (std::int64_t p = 0; p < count; ++p) {
        const double* from = columns.column(c, p);
        double* to = values + p * evaluated + c * kChunk;
        for (std::int64_t i = 0; i < columns.rows(c); ++i) to[i] += from[i];
      }
    }
  }
}

// The functions at every point: column p begins at p * chunks_of(points.count) * kChunk.
double* evaluate(const Points& points, const SketchBasis& basis, int count) {
  const std::int64_t evaluated = chunks_of(points.count) * kChunk;
  static thread_local AlignedBuffer<double> values;
  values.resize(static_cast<std::size_t>(evaluated * count));
  if (basis.widths.empty()) {
    HWY_DYNAMIC_DISPATCH(EvaluateSketch)(points.u.data(), evaluated, basis, count, values.data());
  } else {
    add_widths(points, basis, count, values.data());
  }
  return values.data();
}

// One point per sample.
Sketch sample_sketch(const Points& points, const SketchBasis& basis, double scale, Missing missing, int count) {
  double* by_point = evaluate(points, basis, count);
  Sketch sketch = blank_sketch(points.samples, scale, count);
  for (std::int64_t p = 0; p < count; ++p, by_point += chunks_of(points.count) * kChunk) {
    std::int16_t* to = sketch.values.data() + p * sketch.padded;
    Sketch::Column& column = sketch.columns[static_cast<std::size_t>(p)];
    if (!points.missing.empty()) {
      static thread_local std::vector<std::int16_t> steps;
      centre_points(points, missing, by_point);
      column = round_points({by_point, static_cast<std::size_t>(points.count)}, points.weights, steps);
      std::copy(steps.begin(), steps.end(), to);
      continue;
    }
    double low = 0.0;
    double high = 0.0;
    double mean = 0.0;
    HWY_DYNAMIC_DISPATCH(Survey)(by_point, points.samples, low, high, mean);
    column.step = step_of(std::max(high - mean, mean - low));
    HWY_DYNAMIC_DISPATCH(RoundToSteps)
    (by_point, points.samples, mean, column.step, to, column.norm, column.error);
    column.norm = std::sqrt(column.norm);
    column.error = std::sqrt(column.error);
  }
  return sketch;
}

// Level by level; samples only take what their level has.
Sketch coded_sketch(const FeatureView& feature, const SketchBasis& basis, double scale, const KernelOptions& options,
                    int count) {
  const Missing missing = options.missing;
  static thread_local std::vector<std::uint8_t> level_of;
  static thread_local std::vector<std::uint8_t> copied;
  static thread_local std::vector<std::int16_t> steps;
  const bool sparse = feature.header->encoding == Encoding::kSparseCodes;
  std::span<const std::uint8_t> codes;
  if (sparse) {
    codes = {feature.stored_codes(), static_cast<std::size_t>(feature.header->stored)};
  } else {
    copied.resize(static_cast<std::size_t>(feature.samples));
    feature.copy_codes(copied);
    codes = copied;
  }
  const Points points = standardise_levels(feature, codes, missing, options.transform, level_of);
  double* by_point = evaluate(points, basis, count);
  Sketch sketch = blank_sketch(feature.samples, scale, count);
  for (std::int64_t p = 0; p < count; ++p, by_point += chunks_of(points.count) * kChunk) {
    centre_points(points, missing, by_point);
    sketch.columns[static_cast<std::size_t>(p)] =
        round_points({by_point, static_cast<std::size_t>(points.count)}, points.weights, steps);
    std::array<std::int16_t, 256> by_level{};
    for (std::size_t v = 0; v < level_of.size(); ++v) by_level[level_of[v]] = steps[v];
    std::int16_t* to = sketch.values.data() + p * sketch.padded;
    if (sparse) {
      std::fill_n(to, feature.samples, by_level[0]);
      feature.visit_stored_samples([&](auto rows) {
        for (std::size_t e = 0; e < rows.size(); ++e) to[rows[e]] = by_level[codes[e]];
      });
    } else {
      for (std::size_t i = 0; i < codes.size(); ++i) to[i] = by_level[codes[i]];
    }
  }
  return sketch;
}

}  // namespace

Sketch gaussian_sketch(const FeatureView& feature, const SketchBasis& basis, double scale, const KernelOptions& options,
                       int count) {
  if (is_coded(feature.header->encoding)) return coded_sketch(feature, basis, scale, options, count);
  const Points points = standardise(feature, options.missing, options.transform, Repeats::kKeep);
  return sample_sketch(points, basis, scale, options.missing, count);
}

// The class kernel is a sum over classes: a few of them, centred, are below it in the order of positive semidefinite
// matrices.
Sketch class_sketch(const Classes& classes, double scale, int count) {
  const std::size_t n = classes.codes.size();
  Sketch sketch = blank_sketch(static_cast<std::int64_t>(n), scale, count);
  std::fill(sketch.values.begin(), sketch.values.end(), std::int16_t{0});
  std::vector<std::size_t> largest(classes.size());
  std::iota(largest.begin(), largest.end(), std::size_t{0});
  std::stable_sort(largest.begin(), largest.end(),
                   [&](std::size_t a, std::size_t b) { return classes.counts[a] > classes.counts[b]; });
  std::vector<double> values(n);
  std::vector<std::int16_t> steps;
  for (std::size_t p = 0; p < std::min(static_cast<std::size_t>(count), classes.size()); ++p) {
    for (std::size_t i = 0; i < n; ++i) values[i] = classes.factor(classes.codes[i], largest[p]);
    sketch.columns[p] = round_points(values, {}, steps);
    std::copy(steps.begin(), steps.end(), sketch.values.data() + p * static_cast<std::size_t>(sketch.padded));
  }
  return sketch;
}

void sketch_bounds(std::span<const SketchPair> pairs, std::span<double> bounds) {
  if (pairs.empty()) return;
  static thread_local std::vector<double> tables;
  tables.assign(pairs.size() * kSketchProducts, 0.0);
  HWY_DYNAMIC_DISPATCH(SketchProducts)(pairs.data(), pairs.size(), tables.data());
  for (std::size_t t = 0; t < pairs.size(); ++t) {
    const auto& [a, b, p] = pairs[t];
    double* const products = tables.data() + t * kSketchProducts;
    for (int x = 0; x < p; ++x) {
      const Sketch::Column& left = a->columns[static_cast<std::size_t>(x)];
      for (int y = 0; y < p; ++y) {
        const Sketch::Column& right = b->columns[static_cast<std::size_t>(y)];
        double& product = products[x * p + y];
        // (9): the columns less what rounding changed.
        const double error = left.error * right.norm + (left.norm + left.error) * right.error;
        product = std::max(0.0, std::abs(product) * (left.step * right.step) * (1.0 - 1e-15) - error * (1.0 + 1e-9));
      }
    }
    const double squares = sum_of_squares({products, static_cast<std::size_t>(p * p)}, p, p);
    // The factors that define R may fall short of the kernels by their residuals, (8).
    bounds[t] = std::max(0.0, squares * a->scale * b->scale * (1.0 - 1e-12) - kFactorsApart);
  }
}

}  // namespace land
#endif
