#include "land/kernels/strip_sums.h"

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/strip_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kStripWidth>;
using V = hn::Vec<F>;
constexpr std::size_t kMostSums = ChebyshevTables::kMostDegree + 1;

// Adds a block's float32 sums (one vector per degree) to the running sums in double, which begin with the first block.
HWY_INLINE void fold(const float* block, int degree, std::size_t lane, bool is_first, double* out) {
  const hn::CappedTag<double, kStripWidth> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(F());
  for (int k = 1; k <= degree; ++k) {
    const float* from = block + static_cast<std::size_t>(k) * lanes;
    double* to = out + static_cast<std::size_t>(k) * kStripWidth + lane;
    for (std::size_t l = 0; l < lanes; l += hn::Lanes(d)) {
      const auto sum = hn::PromoteTo(d, hn::LoadU(narrow, from + l));
      hn::StoreU(is_first ? sum : hn::Add(hn::LoadU(d, to + l), sum), d, to + l);
    }
  }
}

// Four samples of one vector of features, each with its own recurrence.
struct Four {
  V a, b, c, d;
};

HWY_INLINE V total(const Four& x) { return hn::Add(hn::Add(x.a, x.b), hn::Add(x.c, x.d)); }
HWY_INLINE V dot(const Four& x, const Four& y) {
  return hn::Add(hn::MulAdd(x.a, y.a, hn::Mul(x.b, y.b)), hn::MulAdd(x.c, y.c, hn::Mul(x.d, y.d)));
}
HWY_INLINE void accumulate(float* sum, V value) {
  const F f;
  hn::Store(hn::Add(hn::Load(f, sum), value), f, sum);
}
// before = T_k-1, current = T_k  ->  before = T_k+1: T_k+1 = 2 t T_k - T_k-1.
HWY_INLINE void advance(const Four& twice, const Four& current, Four& before) {
  before.a = hn::MulSub(twice.a, current.a, before.a);
  before.b = hn::MulSub(twice.b, current.b, before.b);
  before.c = hn::MulSub(twice.c, current.c, before.c);
  before.d = hn::MulSub(twice.d, current.d, before.d);
}

// Sums of T_1 .. T_2h over four samples: degrees up to h by the recurrence, those above by products,
// T_2k = 2 T_k^2 - 1 and T_2k-1 = 2 T_k T_k-1 - T_1; the constants are put in afterwards. h is even.
HWY_INLINE void add_four(const Four& t, int h, float* sums) {
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const Four twice{hn::Add(t.a, t.a), hn::Add(t.b, t.b), hn::Add(t.c, t.c), hn::Add(t.d, t.d)};
  const V one = hn::Set(f, 1.0F);
  Four odd = t;                   // T_1, T_3, ...
  Four even{one, one, one, one};  // T_0, T_2, ...
  accumulate(sums + lanes, total(odd));
  const int plain = h / 2;
  int k = 2;
  for (; k + 1 <= plain; k += 2) {
    advance(twice, odd, even);
    accumulate(sums + static_cast<std::size_t>(k) * lanes, total(even));
    advance(twice, even, odd);
    accumulate(sums + static_cast<std::size_t>(k + 1) * lanes, total(odd));
  }
  for (; k <= h; k += 2) {
    float* sum = sums + static_cast<std::size_t>(k) * lanes;
    float* product = sums + static_cast<std::size_t>(2 * k) * lanes;
    advance(twice, odd, even);
    accumulate(sum, total(even));
    if (k > plain) {
      accumulate(product - lanes, dot(even, odd));
      accumulate(product, dot(even, even));
    }
    if (k == h) break;
    advance(twice, even, odd);
    accumulate(sum + lanes, total(odd));
    accumulate(product + lanes, dot(odd, even));
    accumulate(product + 2 * lanes, dot(odd, odd));
  }
}

void ChebyshevSums(const float* strip, const std::int32_t* rows, std::int64_t count, const StripMap& map, int degree,
                   double* out) {
  constexpr std::int64_t kBlock = 128;
  constexpr std::int64_t kAhead = 16;
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const int h = degree / 2;
  if (count == 0) std::memset(out, 0, sizeof(double) * static_cast<std::size_t>(degree + 1) * kStripWidth);
  HWY_ALIGN float sums[kMostSums * kStripWidth];
  for (std::size_t lane = 0; lane < kStripWidth; lane += lanes) {
    const V middle = hn::Load(f, map.middle + lane);
    const V scale = hn::Load(f, map.scale + lane);
    const auto mapped = [&](std::int64_t row) HWY_ATTR {
      return hn::Mul(hn::Sub(hn::Load(f, strip + row * kStripWidth + static_cast<std::int64_t>(lane)), middle), scale);
    };
    for (std::int64_t block = 0; block < count; block += kBlock) {
      std::memset(sums, 0, sizeof(float) * static_cast<std::size_t>(degree + 1) * lanes);
      const std::int64_t end = std::min(count, block + kBlock);
      std::int64_t r = block;
      for (; r + 4 <= end; r += 4) {
        if (r + kAhead < count) hwy::Prefetch(strip + static_cast<std::int64_t>(rows[r + kAhead]) * kStripWidth);
        add_four({mapped(rows[r]), mapped(rows[r + 1]), mapped(rows[r + 2]), mapped(rows[r + 3])}, h, sums);
      }
      if (r < end) {
        // Missing samples stand in the middle, t = 0; what they add is a whole number and is taken away again below.
        const V zero = hn::Zero(f);
        add_four(
            {mapped(rows[r]), r + 1 < end ? mapped(rows[r + 1]) : zero, r + 2 < end ? mapped(rows[r + 2]) : zero, zero},
            h, sums);
      }
      fold(sums, degree, lane, block == 0, out);
    }
  }
  const double missing = static_cast<double>((4 - count % 4) % 4);
  const auto samples = static_cast<double>(count);
  for (std::size_t lane = 0; lane < kStripWidth; ++lane) {
    double* z = out + lane;
    z[0] = samples;
    for (int k = 2; k <= h; k += 2) z[k * kStripWidth] -= k % 4 == 0 ? missing : -missing;  // T_k(0) = +-1
    for (int k = h + 1; k <= degree; ++k) {
      double& sum = z[k * kStripWidth];
      if (k % 4 == 0) sum -= missing;  // T_k/2(0)^2
      sum = 2.0 * sum - (k % 2 == 0 ? samples : z[kStripWidth]);
    }
  }
}

void ClassContrasts(const double* sums, std::size_t size, std::size_t classes, double samples,
                    const ContrastWeights* weights, std::size_t count, float* contrasts, float* means) {
  const hn::CappedTag<double, kStripWidth> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const auto inverse = hn::Set(d, 1.0 / samples);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    auto total = hn::LoadU(d, sums + i);
    for (std::size_t c = 1; c < classes; ++c) total = hn::Add(total, hn::LoadU(d, sums + c * size + i));
    hn::StoreU(hn::DemoteTo(narrow, hn::Mul(total, inverse)), narrow, means + i);
    for (std::size_t c = 0; c < count; ++c) {
      const auto of_class = hn::Mul(hn::LoadU(d, sums + c * size + i), hn::Set(d, weights[c].of_class));
      const auto contrast = hn::Sub(of_class, hn::Mul(total, hn::Set(d, weights[c].of_all)));
      hn::StoreU(hn::DemoteTo(narrow, contrast), narrow, contrasts + c * size + i);
    }
  }
}

// acc[(k, j)] += sum over 8 samples of T_k(t) weight_j, for two degrees and four columns.
HWY_INLINE void weigh(const float* first, const float* second, const float* weights, std::int64_t columns,
                      std::int64_t samples, float* sums_first, float* sums_second) {
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  V a0 = hn::Load(f, sums_first), a1 = hn::Load(f, sums_first + lanes), a2 = hn::Load(f, sums_first + 2 * lanes),
    a3 = hn::Load(f, sums_first + 3 * lanes);
  V b0 = hn::Load(f, sums_second), b1 = hn::Load(f, sums_second + lanes), b2 = hn::Load(f, sums_second + 2 * lanes),
    b3 = hn::Load(f, sums_second + 3 * lanes);
  for (std::int64_t i = 0; i < samples; ++i) {
    const V x = hn::Load(f, first + static_cast<std::size_t>(i) * lanes);
    const V y = hn::Load(f, second + static_cast<std::size_t>(i) * lanes);
    const float* w = weights + i * columns;
    const V w0 = hn::Set(f, w[0]), w1 = hn::Set(f, w[1]), w2 = hn::Set(f, w[2]), w3 = hn::Set(f, w[3]);
    a0 = hn::MulAdd(x, w0, a0);
    a1 = hn::MulAdd(x, w1, a1);
    a2 = hn::MulAdd(x, w2, a2);
    a3 = hn::MulAdd(x, w3, a3);
    b0 = hn::MulAdd(y, w0, b0);
    b1 = hn::MulAdd(y, w1, b1);
    b2 = hn::MulAdd(y, w2, b2);
    b3 = hn::MulAdd(y, w3, b3);
  }
  hn::Store(a0, f, sums_first);
  hn::Store(a1, f, sums_first + lanes);
  hn::Store(a2, f, sums_first + 2 * lanes);
  hn::Store(a3, f, sums_first + 3 * lanes);
  hn::Store(b0, f, sums_second);
  hn::Store(b1, f, sums_second + lanes);
  hn::Store(b2, f, sums_second + 2 * lanes);
  hn::Store(b3, f, sums_second + 3 * lanes);
}

void WeightedChebyshevSums(const float* strip, std::int64_t samples, const float* weights, std::int64_t columns,
                           const StripMap& map, int degree, double* out) {
  constexpr std::int64_t kBlock = 32;
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const auto degrees = static_cast<std::size_t>(degree + 1);
  const auto width = static_cast<std::size_t>(columns);
  static thread_local AlignedBuffer<float> values;  // T_k of a block: [k][sample][lane]
  static thread_local AlignedBuffer<float> sums;    // [k][column][lane]; one degree more, as they go in pairs
  values.resize((degrees + 1) * kBlock * kStripWidth);
  sums.resize((degrees + 1) * width * kStripWidth);
  std::memset(out, 0, sizeof(double) * width * degrees * kStripWidth);
  for (std::size_t lane = 0; lane < kStripWidth; lane += lanes) {
    const V middle = hn::Load(f, map.middle + lane);
    const V scale = hn::Load(f, map.scale + lane);
    for (std::int64_t block = 0; block < samples; block += kBlock) {
      const std::int64_t rows = std::min(kBlock, samples - block);
      const std::size_t step = static_cast<std::size_t>(kBlock) * lanes;
      for (std::int64_t i = 0; i < rows; ++i) {
        const V x = hn::Load(f, strip + (block + i) * kStripWidth + static_cast<std::int64_t>(lane));
        const V t = hn::Mul(hn::Sub(x, middle), scale);
        const V twice = hn::Add(t, t);
        V before = hn::Set(f, 1.0F);
        V current = t;
        float* to = values.data() + static_cast<std::size_t>(i) * lanes;
        hn::Store(before, f, to);
        for (int k = 1; k <= degree + 1; ++k) {
          hn::Store(current, f, to + static_cast<std::size_t>(k) * step);
          const V next = hn::MulSub(twice, current, before);
          before = current;
          current = next;
        }
      }
      std::memset(sums.data(), 0, sizeof(float) * (degrees + 1) * width * lanes);
      for (std::size_t k = 0; k < degrees; k += 2) {
        for (std::size_t j = 0; j < width; j += 4) {
          weigh(values.data() + k * step, values.data() + (k + 1) * step,
                weights + block * columns + static_cast<std::int64_t>(j), columns, rows,
                sums.data() + (k * width + j) * lanes, sums.data() + ((k + 1) * width + j) * lanes);
        }
      }
      for (std::size_t k = 0; k < degrees; ++k) {
        for (std::size_t j = 0; j < width; ++j) {
          const float* from = sums.data() + (k * width + j) * lanes;
          double* to = out + (j * degrees + k) * kStripWidth + lane;
          for (std::size_t l = 0; l < lanes; ++l) to[l] += static_cast<double>(from[l]);
        }
      }
    }
  }
}

// As many vectors of features as are worked on together, so that a coefficient is loaded once for all of them.
constexpr std::size_t kTogether = 2 * hn::MaxLanes(F()) <= kStripWidth ? 2 : 1;
struct Together {
  V v[kTogether];
};
constexpr std::size_t kWidth = kTogether * hn::MaxLanes(F());  // of one in memory

HWY_INLINE Together load(const float* from) {
  Together x;
  for (std::size_t t = 0; t < kTogether; ++t) x.v[t] = hn::Load(F(), from + t * hn::Lanes(F()));
  return x;
}
HWY_INLINE void store(const Together& x, float* to) {
  for (std::size_t t = 0; t < kTogether; ++t) hn::Store(x.v[t], F(), to + t * hn::Lanes(F()));
}
HWY_INLINE Together set(float x) {
  Together all;
  for (V& v : all.v) v = hn::Set(F(), x);
  return all;
}
HWY_INLINE Together add(const Together& a, const Together& b) {
  Together sum;
  for (std::size_t t = 0; t < kTogether; ++t) sum.v[t] = hn::Add(a.v[t], b.v[t]);
  return sum;
}
HWY_INLINE Together multiply(const Together& a, const Together& b) {
  Together product;
  for (std::size_t t = 0; t < kTogether; ++t) product.v[t] = hn::Mul(a.v[t], b.v[t]);
  return product;
}
HWY_INLINE void multiply_add(const Together& a, const Together& b, Together& sum) {
  for (std::size_t t = 0; t < kTogether; ++t) sum.v[t] = hn::MulAdd(a.v[t], b.v[t], sum.v[t]);
}
HWY_INLINE Together absolute(const Together& a) {
  Together result;
  for (std::size_t t = 0; t < kTogether; ++t) result.v[t] = hn::Abs(a.v[t]);
  return result;
}

// B_p z for kRows rows p of one parity; z: the sums of that parity, two degrees apart.
template <std::size_t kRows>
HWY_INLINE void map_rows(const ChebyshevExpansion::Row* rows, const float* z, float* images, Together& total) {
  const float* coefficients[kRows];
  Together sums[kRows];
  for (std::size_t p = 0; p < kRows; ++p) {
    coefficients[p] = rows[p].coefficients.data();
    sums[p] = set(0.0F);
  }
  const std::size_t count = rows[0].coefficients.size();
  for (std::size_t r = 0; r < count; ++r) {
    const Together x = load(z + r * 2 * kStripWidth);
    for (std::size_t p = 0; p < kRows; ++p) multiply_add(set(coefficients[p][r]), x, sums[p]);
  }
  for (std::size_t p = 0; p < kRows; ++p) {
    multiply_add(sums[p], sums[p], total);
    if (images != nullptr) store(sums[p], images + p * kWidth);
  }
}

// ||B z||^2; the value of every row goes to `images`, if these are wanted.
HWY_INLINE Together form(const ChebyshevExpansion& expansion, const float* z, float* images) {
  constexpr std::size_t kRows = 4;
  Together total = set(0.0F);
  const std::size_t count = expansion.rows.size();
  for (std::size_t first = 0; first < count;) {
    const ChebyshevExpansion::Row* rows = expansion.rows.data() + first;
    const float* from = z + static_cast<std::size_t>(rows->parity) * kStripWidth;
    float* to = images == nullptr ? nullptr : images + first * kWidth;
    if (first + kRows <= count && rows[kRows - 1].parity == rows->parity) {
      map_rows<kRows>(rows, from, to, total);
      first += kRows;
    } else {
      map_rows<1>(rows, from, to, total);
      first += 1;
    }
  }
  return total;
}

// q += B_p' y_p over kRows rows of one parity.
template <std::size_t kRows>
HWY_INLINE void map_back(const ChebyshevExpansion::Row* rows, const float* images, float* q) {
  Together y[kRows];
  for (std::size_t p = 0; p < kRows; ++p) y[p] = load(images + p * kWidth);
  const std::size_t count = rows[0].coefficients.size();
  for (std::size_t r = 0; r < count; ++r) {
    Together sum = load(q + 2 * r * kWidth);
    for (std::size_t p = 0; p < kRows; ++p) multiply_add(set(rows[p].coefficients[r]), y[p], sum);
    store(sum, q + 2 * r * kWidth);
  }
}

// B'y, by degree.
HWY_INLINE void map_back(const ChebyshevTable& table, const float* images, float* q) {
  constexpr std::size_t kRows = 4;
  std::memset(q, 0, sizeof(float) * static_cast<std::size_t>(table.degree + 1) * kWidth);
  const std::vector<ChebyshevExpansion::Row>& rows = table.kernel.rows;
  for (std::size_t first = 0; first < rows.size();) {
    float* to = q + static_cast<std::size_t>(rows[first].parity) * kWidth;
    if (first + kRows <= rows.size() && rows[first + kRows - 1].parity == rows[first].parity) {
      map_back<kRows>(&rows[first], images + first * kWidth, to);
      first += kRows;
    } else {
      map_back<1>(&rows[first], images + first * kWidth, to);
      first += 1;
    }
  }
}

void Forms(const ChebyshevTable& table, const float* contrasts, std::int64_t count, const float* means,
           StripForms& forms) {
  const int degree = table.degree;
  const auto stride = static_cast<std::size_t>(degree + 1) * kStripWidth;
  HWY_ALIGN float images[kMostSums * kWidth];
  HWY_ALIGN float q_values[kMostSums * kWidth];
  HWY_ALIGN float tails[(kMostSums + 1) * kWidth];  // sum over b >= a of |q_b|
  const auto q = [&](int k) HWY_ATTR { return load(q_values + static_cast<std::size_t>(k) * kWidth); };
  const auto tail = [&](int k) HWY_ATTR { return load(tails + static_cast<std::size_t>(k) * kWidth); };
  for (std::size_t lane = 0; lane < kStripWidth; lane += kTogether * hn::Lanes(F())) {
    Together contrast = set(0.0F);
    Together size = set(0.0F);
    for (std::int64_t j = 0; j < count; ++j) {
      const float* d = contrasts + static_cast<std::size_t>(j) * stride + lane;
      contrast = add(contrast, form(table.kernel, d, nullptr));
      for (int k = 0; k <= degree; ++k) {
        const Together x = load(d + static_cast<std::size_t>(k) * kStripWidth);
        multiply_add(x, x, size);
      }
    }
    store(contrast, forms.contrast + lane);
    store(size, forms.contrast_size + lane);

    // mean of K, K^2 and (K 1)^2 over samples, (14).
    const Together mean = form(table.kernel, means + lane, images);
    const Together mean_square = form(table.squared, means + lane, nullptr);
    map_back(table, images, q_values);
    const auto z = [&](int k) HWY_ATTR { return load(means + static_cast<std::size_t>(k) * kStripWidth + lane); };
    Together roundings_of_q = set(0.0F);
    Together size_of_q = set(0.0F);
    store(size_of_q, tails + static_cast<std::size_t>(degree + 1) * kWidth);
    for (int a = degree; a >= 0; --a) {
      const Together size_here = absolute(q(a));
      size_of_q = add(size_of_q, size_here);
      store(size_of_q, tails + static_cast<std::size_t>(a) * kWidth);
      multiply_add(size_here, set(static_cast<float>(table.roundings[static_cast<std::size_t>(a)])), roundings_of_q);
    }
    // The mean of p(t)^2, p = sum_a q_a T_a: T_a T_b = (T_a+b + T_|a-b|) / 2, and |T| <= 1 where a + b > D.
    Together square = set(0.0F);
    Together error = set(0.0F);
    for (int a = 0; a <= degree; ++a) {
      Together inner =
          set(0.0F);  // sum over b > a of q_b (z_a+b + z_b-a), in two parts that do not wait for each other
      Together other = set(0.0F);
      int b = a + 1;
      for (; b < degree - a; b += 2) {
        multiply_add(q(b), add(z(a + b), z(b - a)), inner);
        multiply_add(q(b + 1), add(z(a + b + 1), z(b + 1 - a)), other);
      }
      if (b == degree - a) multiply_add(q(b), add(z(a + b), z(b - a)), inner);
      const Together size_here = absolute(q(a));
      if (2 * a <= degree) {
        multiply_add(multiply(q(a), set(0.5F)), add(set(1.0F), z(2 * a)), inner);
      } else {
        multiply_add(size_here, size_here, error);
      }
      multiply_add(q(a), add(inner, other), square);
      const Together unknown = tail(std::max(a, degree - a) + 1);
      multiply_add(size_here, add(unknown, unknown), error);
    }
    const Together minus_twice = multiply(set(-2.0F), square);
    Together centred = add(mean_square, minus_twice);
    multiply_add(mean, mean, centred);
    store(centred, forms.centred + lane);
    store(add(error, error), forms.centred_error + lane);
    // kappa_a+b <= 2 (kappa_a + kappa_b): the double sum factorises.
    store(multiply(set(4.0F), multiply(roundings_of_q, size_of_q)), forms.roundoff + lane);
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(ChebyshevSums);
HWY_EXPORT(ClassContrasts);
HWY_EXPORT(WeightedChebyshevSums);
HWY_EXPORT(Forms);
}  // namespace

void chebyshev_sums(const float* strip, std::span<const std::int32_t> rows, const StripMap& map, int degree,
                    double* out) {
  HWY_DYNAMIC_DISPATCH(ChebyshevSums)(strip, rows.data(), static_cast<std::int64_t>(rows.size()), map, degree, out);
}

void class_contrasts(std::span<const double> sums, std::size_t size, double samples,
                     std::span<const ContrastWeights> weights, float* contrasts, float* means) {
  HWY_DYNAMIC_DISPATCH(ClassContrasts)
  (sums.data(), size, sums.size() / size, samples, weights.data(), weights.size(), contrasts, means);
}

void weighted_chebyshev_sums(const float* strip, std::int64_t samples, std::span<const float> weights,
                             std::int64_t columns, const StripMap& map, int degree, double* out) {
  HWY_DYNAMIC_DISPATCH(WeightedChebyshevSums)(strip, samples, weights.data(), columns, map, degree, out);
}

void strip_forms(const ChebyshevTable& table, std::span<const float> contrasts, std::int64_t count,
                 std::span<const float> means, StripForms& forms) {
  HWY_DYNAMIC_DISPATCH(Forms)(table, contrasts.data(), count, means.data(), forms);
}

}  // namespace land
#endif
