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

// Adds a block's float32 sums (one vector per degree) to the running sums in double.
HWY_INLINE void fold(const float* block, int degree, std::size_t lane, double* out) {
  const std::size_t lanes = hn::Lanes(F());
  for (int k = 1; k <= degree; ++k) {
    const float* from = block + static_cast<std::size_t>(k) * lanes;
    double* to = out + static_cast<std::size_t>(k) * kStripWidth + lane;
    for (std::size_t l = 0; l < lanes; ++l) to[l] += static_cast<double>(from[l]);
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
  constexpr std::int64_t kBlock = 64;
  constexpr std::int64_t kAhead = 16;
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const int h = degree / 2;
  std::memset(out, 0, sizeof(double) * static_cast<std::size_t>(degree + 1) * kStripWidth);
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
      fold(sums, degree, lane, out);
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

// ||B z||^2 for one vector of features; each row's value goes to `images` when given.
HWY_INLINE V form(const ChebyshevExpansion& expansion, const float* z, std::size_t lane, float* images) {
  const F f;
  V total = hn::Zero(f);
  for (const ChebyshevExpansion::Row& row : expansion.rows) {
    const float* coefficients = row.coefficients.data();
    const std::size_t count = row.coefficients.size();
    const float* at = z + static_cast<std::size_t>(row.parity) * kStripWidth + lane;
    V even = hn::Zero(f);
    V odd = hn::Zero(f);
    std::size_t r = 0;
    for (; r + 2 <= count; r += 2) {
      even = hn::MulAdd(hn::Set(f, coefficients[r]), hn::Load(f, at + r * 2 * kStripWidth), even);
      odd = hn::MulAdd(hn::Set(f, coefficients[r + 1]), hn::Load(f, at + (r + 1) * 2 * kStripWidth), odd);
    }
    if (r < count) even = hn::MulAdd(hn::Set(f, coefficients[r]), hn::Load(f, at + r * 2 * kStripWidth), even);
    const V image = hn::Add(even, odd);
    total = hn::MulAdd(image, image, total);
    if (images != nullptr) {
      hn::Store(image, f, images);
      images += hn::Lanes(f);
    }
  }
  return total;
}

void Forms(const ChebyshevTable& table, const float* contrasts, std::int64_t count, const float* means,
           StripForms& forms) {
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const int degree = table.degree;
  const auto stride = static_cast<std::size_t>(degree + 1) * kStripWidth;
  HWY_ALIGN float images[kMostSums * kStripWidth];
  HWY_ALIGN float q[kMostSums * kStripWidth];
  for (std::size_t lane = 0; lane < kStripWidth; lane += lanes) {
    V contrast = hn::Zero(f);
    V size = hn::Zero(f);
    for (std::int64_t j = 0; j < count; ++j) {
      const float* d = contrasts + static_cast<std::size_t>(j) * stride;
      contrast = hn::Add(contrast, form(table.kernel, d, lane, nullptr));
      for (int k = 0; k <= degree; ++k) {
        const V x = hn::Load(f, d + static_cast<std::size_t>(k) * kStripWidth + lane);
        size = hn::MulAdd(x, x, size);
      }
    }
    hn::Store(contrast, f, forms.contrast + lane);
    hn::Store(size, f, forms.contrast_size + lane);

    // mean of K, K^2 and (K 1)^2 over samples, (14).
    const V mean = form(table.kernel, means, lane, images);
    const V mean_square = form(table.squared, means, lane, nullptr);
    std::memset(q, 0, sizeof(float) * static_cast<std::size_t>(degree + 1) * lanes);
    const float* image = images;
    for (const ChebyshevExpansion::Row& row : table.kernel.rows) {
      const V y = hn::Load(f, image);
      image += lanes;
      float* to = q + static_cast<std::size_t>(row.parity) * lanes;
      for (const float coefficient : row.coefficients) {
        hn::Store(hn::MulAdd(hn::Set(f, coefficient), y, hn::Load(f, to)), f, to);
        to += 2 * lanes;
      }
    }
    // The mean of p(t)^2, p = sum_a q_a T_a: T_a T_b = (T_a+b + T_|a-b|) / 2. Degrees above D are not known: |T| <= 1.
    V square = hn::Zero(f);
    V error = hn::Zero(f);
    V size_of_q = hn::Zero(f);
    V roundings_of_q = hn::Zero(f);
    const V half = hn::Set(f, 0.5F);
    for (int a = 0; a <= degree; ++a) {
      const V qa = hn::Load(f, q + static_cast<std::size_t>(a) * lanes);
      const V diagonal = hn::Mul(hn::Mul(qa, qa), half);
      size_of_q = hn::Add(size_of_q, hn::Abs(qa));
      roundings_of_q = hn::MulAdd(
          hn::Abs(qa), hn::Set(f, static_cast<float>(table.roundings[static_cast<std::size_t>(a)])), roundings_of_q);
      V inner = hn::Zero(f);  // sum over b > a of q_b (z_a+b + z_b-a), in two parts that do not wait for each other
      V other = hn::Zero(f);
      V unknown = hn::Zero(f);
      const auto q_of = [&](int k) HWY_ATTR { return hn::Load(f, q + static_cast<std::size_t>(k) * lanes); };
      const auto z_of = [&](int k)
                            HWY_ATTR { return hn::Load(f, means + static_cast<std::size_t>(k) * kStripWidth + lane); };
      const int known_end = degree - a;
      int b = a + 1;
      for (; b < known_end; b += 2) {
        inner = hn::MulAdd(q_of(b), hn::Add(z_of(a + b), z_of(b - a)), inner);
        other = hn::MulAdd(q_of(b + 1), hn::Add(z_of(a + b + 1), z_of(b + 1 - a)), other);
      }
      for (; b <= known_end; ++b) inner = hn::MulAdd(q_of(b), hn::Add(z_of(a + b), z_of(b - a)), inner);
      for (; b < degree; b += 2) {
        inner = hn::MulAdd(q_of(b), z_of(b - a), inner);
        other = hn::MulAdd(q_of(b + 1), z_of(b + 1 - a), other);
        unknown = hn::Add(unknown, hn::Add(hn::Abs(q_of(b)), hn::Abs(q_of(b + 1))));
      }
      for (; b <= degree; ++b) {
        inner = hn::MulAdd(q_of(b), z_of(b - a), inner);
        unknown = hn::Add(unknown, hn::Abs(q_of(b)));
      }
      inner = hn::Add(inner, other);
      square = hn::MulAdd(qa, inner, square);
      error = hn::MulAdd(hn::Abs(qa), unknown, error);
      const V constant = hn::Set(f, 1.0F);
      if (2 * a <= degree) {
        const V z = hn::Load(f, means + static_cast<std::size_t>(2 * a) * kStripWidth + lane);
        square = hn::MulAdd(diagonal, hn::Add(constant, z), square);
      } else {
        square = hn::Add(square, diagonal);
        error = hn::Add(error, diagonal);
      }
    }
    const V centred = hn::MulAdd(mean, mean, hn::Sub(mean_square, hn::Add(square, square)));
    hn::Store(centred, f, forms.centred + lane);
    hn::Store(hn::Add(error, error), f, forms.centred_error + lane);
    // kappa_a+b <= 2 (kappa_a + kappa_b): the double sum factorises.
    hn::Store(hn::Mul(hn::Set(f, 4.0F), hn::Mul(roundings_of_q, size_of_q)), f, forms.roundoff + lane);
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(ChebyshevSums);
HWY_EXPORT(WeightedChebyshevSums);
HWY_EXPORT(Forms);
}  // namespace

void chebyshev_sums(const float* strip, std::span<const std::int32_t> rows, const StripMap& map, int degree,
                    double* out) {
  HWY_DYNAMIC_DISPATCH(ChebyshevSums)(strip, rows.data(), static_cast<std::int64_t>(rows.size()), map, degree, out);
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
