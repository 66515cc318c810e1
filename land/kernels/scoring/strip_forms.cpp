#include "land/kernels/scoring/strip_forms.h"

#include <algorithm>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/scoring/strip_forms.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kStripWidth>;
using V = hn::Vec<F>;
constexpr std::size_t kMostSums = ChebyshevTables::kMostDegree + 1;

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

using Rows = std::vector<ChebyshevExpansion::Row>;

// Whether so many rows from the first on are of one parity, so that they can be worked on together.
constexpr std::size_t kManyRows = 4;
HWY_INLINE bool has_many(const Rows& rows, std::size_t first) {
  return first + kManyRows <= rows.size() && rows[first + kManyRows - 1].parity == rows[first].parity;
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
  Together total = set(0.0F);
  const Rows& rows = expansion.rows;
  for (std::size_t first = 0; first < rows.size();) {
    const float* from = z + static_cast<std::size_t>(rows[first].parity) * kStripWidth;
    float* to = images == nullptr ? nullptr : images + first * kWidth;
    if (has_many(rows, first)) {
      map_rows<kManyRows>(&rows[first], from, to, total);
      first += kManyRows;
    } else {
      map_rows<1>(&rows[first], from, to, total);
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
HWY_INLINE void map_back(const ChebyshevExpansion& kernel, const float* images, float* q) {
  std::memset(q, 0, sizeof(float) * static_cast<std::size_t>(kernel.degree + 1) * kWidth);
  const Rows& rows = kernel.rows;
  for (std::size_t first = 0; first < rows.size();) {
    float* to = q + static_cast<std::size_t>(rows[first].parity) * kWidth;
    if (has_many(rows, first)) {
      map_back<kManyRows>(&rows[first], images + first * kWidth, to);
      first += kManyRows;
    } else {
      map_back<1>(&rows[first], images + first * kWidth, to);
      first += 1;
    }
  }
}

// What the mean of (K 1)(L 1) is made of, for one kernel: K 1 = p(t) = sum_a q_a T_a.
struct Embedding {
  int degree = 0;
  HWY_ALIGN float mean_value[kWidth];       // of p
  HWY_ALIGN float roundings_value[kWidth];  // sum of |q_a| kappa_a
  HWY_ALIGN float q_values[kMostSums * kWidth];
  HWY_ALIGN float tails[(kMostSums + 1) * kWidth];  // sum over b >= a of |q_b|

  HWY_INLINE Together mean() const { return load(mean_value); }
  HWY_INLINE Together roundings() const { return load(roundings_value); }
  HWY_INLINE Together size() const { return load(tails); }
  HWY_INLINE Together q(int a) const { return load(q_values + static_cast<std::size_t>(a) * kWidth); }
  // None beyond the degree.
  HWY_INLINE Together tail(int a) const {
    return load(tails + static_cast<std::size_t>(std::min(a, degree + 1)) * kWidth);
  }
};

void embed(const ChebyshevExpansion& kernel, const std::vector<double>& roundings, const float* means,
           Embedding& embedding) {
  HWY_ALIGN float images[kMostSums * kWidth];
  embedding.degree = kernel.degree;
  store(form(kernel, means, images), embedding.mean_value);
  map_back(kernel, images, embedding.q_values);
  Together size = set(0.0F);
  Together roundings_of_q = set(0.0F);
  store(size, embedding.tails + static_cast<std::size_t>(kernel.degree + 1) * kWidth);
  for (int a = kernel.degree; a >= 0; --a) {
    const Together size_here = absolute(embedding.q(a));
    size = add(size, size_here);
    store(size, embedding.tails + static_cast<std::size_t>(a) * kWidth);
    multiply_add(size_here, set(static_cast<float>(roundings[static_cast<std::size_t>(a)])), roundings_of_q);
  }
  store(roundings_of_q, embedding.roundings_value);
}

// The mean of a product of two polynomials, and a bound of what is not known of it: T_a T_b = (T_a+b + T_|a-b|) / 2,
// and |T| <= 1 where a + b > D.
struct MeanProduct {
  Together value;
  Together error;
};

// Of one with itself.
HWY_INLINE MeanProduct mean_square_of(const Embedding& p, const float* means, int degree) {
  const auto z = [&](int k) HWY_ATTR { return load(means + static_cast<std::size_t>(k) * kStripWidth); };
  MeanProduct square{set(0.0F), set(0.0F)};
  for (int a = 0; a <= p.degree; ++a) {
    // The sum over b > a of q_b (z_a+b + z_b-a), in two parts that do not wait for each other.
    Together inner = set(0.0F);
    Together other = set(0.0F);
    const int last = std::min(p.degree, degree - a);
    int b = a + 1;
    for (; b < last; b += 2) {
      multiply_add(p.q(b), add(z(a + b), z(b - a)), inner);
      multiply_add(p.q(b + 1), add(z(a + b + 1), z(b + 1 - a)), other);
    }
    if (b == last) multiply_add(p.q(b), add(z(a + b), z(b - a)), inner);
    const Together size_here = absolute(p.q(a));
    if (2 * a <= degree) {
      multiply_add(multiply(p.q(a), set(0.5F)), add(set(1.0F), z(2 * a)), inner);
    } else {
      multiply_add(size_here, size_here, square.error);
    }
    multiply_add(p.q(a), add(inner, other), square.value);
    const Together unknown = p.tail(std::max(a, degree - a) + 1);
    multiply_add(size_here, add(unknown, unknown), square.error);
  }
  return square;
}

// Of two; `p` has the lower degree.
HWY_INLINE MeanProduct mean_product_of(const Embedding& p, const Embedding& r, const float* means, int degree) {
  const auto z = [&](int k) HWY_ATTR { return load(means + static_cast<std::size_t>(k) * kStripWidth); };
  MeanProduct product{set(0.0F), set(0.0F)};
  for (int a = 0; a <= p.degree; ++a) {
    Together inner = set(0.0F);
    Together other = set(0.0F);
    const int last = std::min(r.degree, degree - a);
    int b = 0;
    for (; b <= std::min(a, last); ++b) multiply_add(r.q(b), add(z(a + b), z(a - b)), inner);
    for (; b < last; b += 2) {
      multiply_add(r.q(b), add(z(a + b), z(b - a)), inner);
      multiply_add(r.q(b + 1), add(z(a + b + 1), z(b + 1 - a)), other);
    }
    if (b == last) multiply_add(r.q(b), add(z(a + b), z(b - a)), inner);
    multiply_add(multiply(p.q(a), set(0.5F)), add(inner, other), product.value);
    multiply_add(absolute(p.q(a)), r.tail(last + 1), product.error);
  }
  return product;
}

// mean of K L, minus twice that of (K 1)(L 1), plus the product of the means of K and L; (14). `means` has those of
// T_0, T_1, ...
void pair_form(const ChebyshevExpansion& product, const Embedding& p, const Embedding& r, const float* means,
               int degree, std::size_t lane, PairForm& pair) {
  const Together mean_square = form(product, means, nullptr);
  const bool same = &p == &r;
  const MeanProduct of_rows = same ? mean_square_of(p, means, degree) : mean_product_of(p, r, means, degree);
  Together centred = add(mean_square, multiply(set(-2.0F), of_rows.value));
  multiply_add(p.mean(), r.mean(), centred);
  store(centred, pair.centred + lane);
  store(add(of_rows.error, of_rows.error), pair.centred_error + lane);
  // kappa_a+b <= 2 (kappa_a + kappa_b): the double sum factorises.
  Together roundoff = same ? multiply(set(4.0F), multiply(p.roundings(), p.size())) : set(0.0F);
  if (!same) {
    multiply_add(p.roundings(), r.size(), roundoff);
    multiply_add(r.roundings(), p.size(), roundoff);
    roundoff = add(roundoff, roundoff);
  }
  store(roundoff, pair.roundoff + lane);
}

void Forms(const ChebyshevTable& table, const float* contrasts, std::int64_t count, const float* means,
           StripForms& forms) {
  const int degree = table.degree;
  const auto stride = static_cast<std::size_t>(degree + 1) * kStripWidth;
  const std::size_t widths = table.kernels.size();
  static thread_local std::vector<Embedding> embeddings;
  embeddings.resize(widths);
  for (std::size_t lane = 0; lane < kStripWidth; lane += kTogether * hn::Lanes(F())) {
    Together size = set(0.0F);
    for (std::size_t w = 0; w < widths; ++w) {
      Together contrast = set(0.0F);
      for (std::int64_t j = 0; j < count; ++j) {
        contrast =
            add(contrast, form(table.kernels[w], contrasts + static_cast<std::size_t>(j) * stride + lane, nullptr));
      }
      store(contrast, forms.kernels[w].contrast + lane);
    }
    for (std::int64_t j = 0; j < count; ++j) {
      const float* d = contrasts + static_cast<std::size_t>(j) * stride + lane;
      for (int k = 0; k <= degree; ++k) {
        const Together x = load(d + static_cast<std::size_t>(k) * kStripWidth);
        multiply_add(x, x, size);
      }
    }
    store(size, forms.contrast_size + lane);
    for (std::size_t w = 0; w < widths; ++w) {
      embed(table.kernels[w], table.roundings, means + lane, embeddings[w]);
      for (std::size_t v = 0; v <= w; ++v) {  // the later the wider, and the lower its degree
        const std::size_t place = place_of_pair(v, w);
        pair_form(table.products[place], embeddings[w], embeddings[v], means + lane, degree, lane, forms.pairs[place]);
      }
    }
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(Forms);
}  // namespace

void strip_forms(const ChebyshevTable& table, std::span<const float> contrasts, std::int64_t count,
                 std::span<const float> means, StripForms& forms) {
  forms.kernels.resize(table.kernels.size());
  forms.pairs.resize(table.products.size());
  HWY_DYNAMIC_DISPATCH(Forms)(table, contrasts.data(), count, means.data(), forms);
}

}  // namespace land
#endif
