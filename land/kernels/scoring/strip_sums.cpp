#include "land/kernels/scoring/strip_sums.h"

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/scoring/strip_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kStripWidth>;
using V = hn::Vec<F>;
constexpr std::size_t kMostSums = ChebyshevTables::kMostDegree + 1;

// Adds a vector of float32 sums to running ones in double, which begin with the first.
HWY_INLINE void add_in_double(const float* from, bool is_first, double* to) {
  const hn::CappedTag<double, kStripWidth> d;
  const hn::Rebind<float, decltype(d)> narrow;
  for (std::size_t l = 0; l < hn::Lanes(F()); l += hn::Lanes(d)) {
    const auto sum = hn::PromoteTo(d, hn::LoadU(narrow, from + l));
    hn::StoreU(is_first ? sum : hn::Add(hn::LoadU(d, to + l), sum), d, to + l);
  }
}

// Adds a block's float32 sums (one vector per degree) to the running sums in double, which begin with the first block.
HWY_INLINE void fold(const float* block, int degree, std::size_t lane, bool is_first, double* out) {
  for (std::size_t k = 1; k <= static_cast<std::size_t>(degree); ++k) {
    add_in_double(block + k * hn::Lanes(F()), is_first, out + k * kStripWidth + lane);
  }
}

// Four samples of one vector of features, each with its own recurrence.
struct Four {
  V a, b, c, d;
};

HWY_INLINE V total(const Four& x) { return hn::Add(hn::Add(x.a, x.b), hn::Add(x.c, x.d)); }
HWY_INLINE V dot(const Four& x, const Four& y) {
  return hn::MulAdd(x.d, y.d, hn::MulAdd(x.c, y.c, hn::MulAdd(x.b, y.b, hn::Mul(x.a, y.a))));
}
// before = T_k-1, current = T_k  ->  before = T_k+1: T_k+1 = 2 t T_k - T_k-1.
HWY_INLINE void advance(const Four& twice, const Four& current, Four& before) {
  before.a = hn::MulSub(twice.a, current.a, before.a);
  before.b = hn::MulSub(twice.b, current.b, before.b);
  before.c = hn::MulSub(twice.c, current.c, before.c);
  before.d = hn::MulSub(twice.d, current.d, before.d);
}

// Several fours at once, as many as there are registers for: while one waits for its recurrence, another goes on. What
// comes out is the same, to the bit.
template <int kFours>
struct Fours {
  Four of[kFours];
};

template <int kFours>
HWY_INLINE void advance(const Fours<kFours>& twice, const Fours<kFours>& current, Fours<kFours>& before) {
  for (int g = 0; g < kFours; ++g) advance(twice.of[g], current.of[g], before.of[g]);
}
template <int kFours>
HWY_INLINE void add_total(const Fours<kFours>& x, float* sum) {
  const F f;
  V all = hn::Load(f, sum);
  for (int g = 0; g < kFours; ++g) all = hn::Add(all, total(x.of[g]));
  hn::Store(all, f, sum);
}
template <int kFours>
HWY_INLINE void add_dot(const Fours<kFours>& x, const Fours<kFours>& y, float* sum) {
  const F f;
  V all = hn::Load(f, sum);
  for (int g = 0; g < kFours; ++g) all = hn::Add(all, dot(x.of[g], y.of[g]));
  hn::Store(all, f, sum);
}

// Sums of T_1 .. T_2h over the samples: degrees up to h by the recurrence, those above by products,
// T_2k = 2 T_k^2 - 1 and T_2k-1 = 2 T_k T_k-1 - T_1; the constants are put in afterwards.
template <int kFours>
HWY_INLINE void add_samples(const Fours<kFours>& t, int h, float* sums) {
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const V one = hn::Set(f, 1.0F);
  Fours<kFours> twice;
  Fours<kFours> odd = t;  // T_1, T_3, ...
  Fours<kFours> even;     // T_0, T_2, ...
  for (int g = 0; g < kFours; ++g) {
    const Four& x = t.of[g];
    twice.of[g] = {hn::Add(x.a, x.a), hn::Add(x.b, x.b), hn::Add(x.c, x.c), hn::Add(x.d, x.d)};
    even.of[g] = {one, one, one, one};
  }
  add_total(odd, sums + lanes);
  const auto go_to = [&](int k, const Fours<kFours>& before, Fours<kFours>& current) HWY_ATTR {
    advance(twice, before, current);
    add_total(current, sums + static_cast<std::size_t>(k) * lanes);
    float* product = sums + static_cast<std::size_t>(2 * k) * lanes;
    if (2 * k - 1 > h) add_dot(current, before, product - lanes);
    if (2 * k > h) add_dot(current, current, product);
  };
  for (int k = 2; k <= h; ++k) {
    go_to(k, odd, even);
    if (++k > h) break;
    go_to(k, even, odd);
  }
}

// Puts in the constants, and takes away what the missing samples, at t = 0, have added.
HWY_INLINE void finish(double samples, double missing, int degree, double* sums) {
  const hn::CappedTag<double, kStripWidth> d;
  const int h = degree / 2;
  const auto change = [&](int k, const auto& function) HWY_ATTR {
    double* z = sums + static_cast<std::size_t>(k) * kStripWidth;
    for (std::size_t l = 0; l < kStripWidth; l += hn::Lanes(d)) hn::StoreU(function(hn::LoadU(d, z + l), l), d, z + l);
  };
  const auto all = hn::Set(d, samples);
  const auto two = hn::Set(d, 2.0);
  change(0, [&](auto, std::size_t) HWY_ATTR { return all; });
  for (int k = 2; k <= h; k += 2) {
    const auto added = hn::Set(d, k % 4 == 0 ? missing : -missing);  // T_k(0) = +-1
    change(k, [&](auto sum, std::size_t) HWY_ATTR { return hn::Sub(sum, added); });
  }
  for (int k = h + 1; k <= degree; ++k) {
    const auto added = hn::Set(d, k % 4 == 0 ? missing : 0.0);  // T_k/2(0)^2
    change(k, [&](auto sum, std::size_t l) HWY_ATTR {
      const auto other = k % 2 == 0 ? all : hn::LoadU(d, sums + kStripWidth + l);
      return hn::MulSub(two, hn::Sub(sum, added), other);
    });
  }
}

void ChebyshevSums(const float* strip, const std::int32_t* rows, std::int64_t count, const StripMap& map, int degree,
                   double* out) {
  constexpr std::int64_t kBlock = 256;
  constexpr std::int64_t kAhead = 16;
  constexpr int kFours = hn::MaxLanes(F()) == 16 ? 2 : 1;  // AVX-512 has twice as many registers
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const int h = degree / 2;
  if (count == 0) std::memset(out, 0, sizeof(double) * static_cast<std::size_t>(degree + 1) * kStripWidth);
  HWY_ALIGN float sums[kMostSums * kStripWidth];
  for (std::size_t lane = 0; lane < kStripWidth; lane += lanes) {
    const V middle = hn::Load(f, map.middle + lane);
    const V scale = hn::Load(f, map.scale + lane);
    const auto mapped = [&](std::int64_t r) HWY_ATTR {
      const float* row = strip + static_cast<std::int64_t>(rows[r]) * kStripWidth;
      return hn::Mul(hn::Sub(hn::Load(f, row + lane), middle), scale);
    };
    const auto four = [&](std::int64_t r) HWY_ATTR {
      for (std::int64_t soon = r + kAhead; soon < std::min(count, r + kAhead + 4); ++soon) {
        hwy::Prefetch(strip + static_cast<std::int64_t>(rows[soon]) * kStripWidth);
      }
      return Four{mapped(r), mapped(r + 1), mapped(r + 2), mapped(r + 3)};
    };
    for (std::int64_t block = 0; block < count; block += kBlock) {
      std::memset(sums, 0, sizeof(float) * static_cast<std::size_t>(degree + 1) * lanes);
      const std::int64_t end = std::min(count, block + kBlock);
      std::int64_t r = block;
      for (; r + 4 * kFours <= end; r += 4 * kFours) {
        Fours<kFours> t;
        for (int g = 0; g < kFours; ++g) t.of[g] = four(r + 4 * g);
        add_samples(t, h, sums);
      }
      // Missing samples stand in the middle, t = 0; what they add is a whole number and is taken away again below.
      const auto last_four = [&](std::int64_t first) HWY_ATTR {
        const auto at = [&](std::int64_t i) HWY_ATTR { return i < end ? mapped(i) : hn::Zero(f); };
        return Four{at(first), at(first + 1), at(first + 2), at(first + 3)};
      };
      if (kFours == 2 && r + 4 < end) {
        add_samples(Fours<2>{{four(r), last_four(r + 4)}}, h, sums);
      } else if (r < end) {
        add_samples(Fours<1>{{last_four(r)}}, h, sums);
      }
      fold(sums, degree, lane, block == 0, out);
    }
  }
  finish(static_cast<double>(count), static_cast<double>((4 - count % 4) % 4), degree, out);
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

// Where the recurrence of a block of samples stands, a vector for each sample.
struct Recurrence {
  static constexpr std::size_t kSamples = 32;
  HWY_ALIGN float twice[kSamples * kStripWidth];  // 2t
  HWY_ALIGN float before[kSamples * kStripWidth];
  HWY_ALIGN float current[kSamples * kStripWidth];
};

// The next kDegrees degrees, which is even, of all samples: sums[j][k] += sum of T_k(t) weight_j for four weights.
// These samples are added up in float32, `sums` in double.
template <int kDegrees>
HWY_INLINE void weigh(Recurrence& samples, std::size_t count, const float* weights, std::size_t width, double* sums,
                      std::size_t sums_step) {
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  V sum[kDegrees][4];
  for (auto& of_degree : sum) {
    for (V& x : of_degree) x = hn::Zero(f);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float* w = weights + i * width;
    const V w0 = hn::Set(f, w[0]), w1 = hn::Set(f, w[1]), w2 = hn::Set(f, w[2]), w3 = hn::Set(f, w[3]);
    const V twice = hn::Load(f, samples.twice + i * lanes);
    V state[2] = {hn::Load(f, samples.before + i * lanes), hn::Load(f, samples.current + i * lanes)};
    for (int k = 0; k < kDegrees; ++k) {
      V& x = state[k % 2];
      x = hn::MulSub(twice, state[1 - k % 2], x);
      sum[k][0] = hn::MulAdd(x, w0, sum[k][0]);
      sum[k][1] = hn::MulAdd(x, w1, sum[k][1]);
      sum[k][2] = hn::MulAdd(x, w2, sum[k][2]);
      sum[k][3] = hn::MulAdd(x, w3, sum[k][3]);
    }
    hn::Store(state[0], f, samples.before + i * lanes);
    hn::Store(state[1], f, samples.current + i * lanes);
  }
  HWY_ALIGN float block[kStripWidth];
  for (int k = 0; k < kDegrees; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      hn::Store(sum[k][j], f, block);
      add_in_double(block, false, sums + j * sums_step + static_cast<std::size_t>(k) * kStripWidth);
    }
  }
}

void WeightedChebyshevSums(const float* strip, const std::int32_t* rows, std::size_t count, const float* weights,
                           std::size_t width, const StripMap& map, int degree, double* out) {
  constexpr std::size_t kBlock = Recurrence::kSamples;
  constexpr int kDegrees = hn::MaxLanes(F()) == 16 ? 4 : 2;  // AVX-512 has twice as many registers
  const F f;
  const std::size_t lanes = hn::Lanes(f);
  const std::size_t sums_step = static_cast<std::size_t>(degree + 1) * kStripWidth;
  Recurrence samples;
  std::memset(out, 0, sizeof(double) * width * sums_step);
  for (std::size_t lane = 0; lane < kStripWidth; lane += lanes) {
    const V middle = hn::Load(f, map.middle + lane);
    const V scale = hn::Load(f, map.scale + lane);
    for (std::size_t block = 0; block < count; block += kBlock) {
      const std::size_t size = std::min(kBlock, count - block);
      for (std::size_t soon = block + kBlock; soon < std::min(count, block + 2 * kBlock); ++soon) {
        hwy::Prefetch(strip + static_cast<std::int64_t>(rows[soon]) * kStripWidth);
      }
      for (std::size_t j = 0; j < width; j += 4) {
        // T_-1 = T_1 = t and T_0 = 1: the first step makes T_1.
        for (std::size_t i = 0; i < size; ++i) {
          const float* row = strip + static_cast<std::int64_t>(rows[block + i]) * kStripWidth;
          const V t = hn::Mul(hn::Sub(hn::Load(f, row + lane), middle), scale);
          hn::Store(hn::Add(t, t), f, samples.twice + i * lanes);
          hn::Store(t, f, samples.before + i * lanes);
          hn::Store(hn::Set(f, 1.0F), f, samples.current + i * lanes);
        }
        const float* w = weights + block * width + j;
        double* sums = out + j * sums_step + kStripWidth + lane;
        int k = 1;
        for (; k + kDegrees <= degree + 1; k += kDegrees, sums += kDegrees * kStripWidth) {
          weigh<kDegrees>(samples, size, w, width, sums, sums_step);
        }
        for (; k <= degree; k += 2, sums += 2 * kStripWidth) weigh<2>(samples, size, w, width, sums, sums_step);
      }
    }
  }
}

void AddShares(const double* sums, std::size_t size, std::size_t width, const double* shares, std::size_t columns,
               double* out) {
  const hn::CappedTag<double, kStripWidth> d;
  for (std::size_t q = 0; q < width; q += 4) {
    const double* of = shares + q * columns;
    for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
      const double* from = sums + q * size + i;
      const auto s0 = hn::LoadU(d, from), s1 = hn::LoadU(d, from + size), s2 = hn::LoadU(d, from + 2 * size),
                 s3 = hn::LoadU(d, from + 3 * size);
      for (std::size_t j = 0; j < columns; ++j) {
        double* to = out + j * size + i;
        auto sum = hn::MulAdd(s0, hn::Set(d, of[j]), hn::LoadU(d, to));
        sum = hn::MulAdd(s1, hn::Set(d, of[columns + j]), sum);
        sum = hn::MulAdd(s2, hn::Set(d, of[2 * columns + j]), sum);
        hn::StoreU(hn::MulAdd(s3, hn::Set(d, of[3 * columns + j]), sum), d, to);
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
HWY_EXPORT(ChebyshevSums);
HWY_EXPORT(ClassContrasts);
HWY_EXPORT(WeightedChebyshevSums);
HWY_EXPORT(AddShares);
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

void weighted_chebyshev_sums(const float* strip, std::span<const std::int32_t> rows, std::span<const float> weights,
                             const StripMap& map, int degree, double* out) {
  HWY_DYNAMIC_DISPATCH(WeightedChebyshevSums)
  (strip, rows.data(), rows.size(), weights.data(), weights.size() / rows.size(), map, degree, out);
}

void add_shares(std::span<const double> sums, std::span<const double> shares, std::size_t columns, double* out) {
  const std::size_t width = shares.size() / columns;
  HWY_DYNAMIC_DISPATCH(AddShares)(sums.data(), sums.size() / width, width, shares.data(), columns, out);
}

}  // namespace land
#endif
