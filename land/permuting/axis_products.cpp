#include "land/permuting/axis_products.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/permuting/axis_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kStripWidth>;
using V = hn::Vec<F>;

constexpr std::size_t kWide = kStripWidth;

// Columns of a group that are worked on at a time: AVX-512 has registers for the sums of all, others for those of two.
constexpr std::size_t kColumns = hn::MaxLanes(F()) == 16 ? kColumnsTogether : 2;

// sums[a * kColumns + c] = products of the axes, at one vector of lanes, with columns first, first + 1, ...
template <std::size_t kAxes>
HWY_INLINE void multiply(const float* axes, const float* group, std::size_t samples, std::size_t lane,
                         std::size_t first, V* sums) {
  const F f;
  for (std::size_t s = 0; s < kAxes * kColumns; ++s) sums[s] = hn::Zero(f);
  for (std::size_t run = 0; run < samples; run += kSamplesTogether) {
    V part[kAxes * kColumns];
    for (V& sum : part) sum = hn::Zero(f);
    const std::size_t end = std::min(samples, run + kSamplesTogether);
    for (std::size_t i = run; i < end; ++i) {
      const float* row = axes + i * kAxes * kWide + lane;
      V values[kColumns];
      for (std::size_t c = 0; c < kColumns; ++c) {
        values[c] = hn::Set(f, group[i * kColumnsTogether + first + c]);
      }
      for (std::size_t a = 0; a < kAxes; ++a) {
        const V axis = hn::Load(f, row + a * kWide);
        for (std::size_t c = 0; c < kColumns; ++c) {
          part[a * kColumns + c] = hn::MulAdd(axis, values[c], part[a * kColumns + c]);
        }
      }
    }
    for (std::size_t s = 0; s < kAxes * kColumns; ++s) sums[s] = hn::Add(sums[s], part[s]);
  }
}

template <std::size_t kAxes>
void add_products(const float* axes, const float* columns, std::size_t samples, std::size_t count, const float* high,
                  const float* low, float* most, float* least) {
  const F f;
  for (std::size_t group = 0; group < count; group += kColumnsTogether) {
    const float* values = columns + group * samples;
    for (std::size_t lane = 0; lane < kWide; lane += hn::Lanes(f)) {
      for (std::size_t first = 0; first < kColumnsTogether; first += kColumns) {
        V sums[kAxes * kColumns];
        multiply<kAxes>(axes, values, samples, lane, first, sums);
        for (std::size_t c = 0; c < kColumns; ++c) {
          const std::size_t to = (group + first + c) * kWide + lane;
          V up = hn::Load(f, most + to);
          V down = low == nullptr ? hn::Zero(f) : hn::Load(f, least + to);
          for (std::size_t a = 0; a < kAxes; ++a) {
            const V square = hn::Mul(sums[a * kColumns + c], sums[a * kColumns + c]);
            up = hn::MulAdd(square, hn::Load(f, high + a * kWide + lane), up);
            if (low != nullptr) down = hn::MulAdd(square, hn::Load(f, low + a * kWide + lane), down);
          }
          hn::Store(up, f, most + to);
          if (low != nullptr) hn::Store(down, f, least + to);
        }
      }
    }
  }
}

void AddAxisProducts(std::size_t together, const float* axes, const float* columns, std::size_t samples,
                     std::size_t count, const float* high, const float* low, float* most, float* least) {
  const auto add = together == kAxesTogether ? add_products<kAxesTogether> : add_products<2 * kAxesTogether>;
  add(axes, columns, samples, count, high, low, most, least);
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(AddAxisProducts);
constexpr double kHalfUlp = 0x1p-24;
}  // namespace

void add_axis_products(std::span<const float> axes, const PermutedColumns& columns, std::span<const float> high,
                       std::span<const float> low, std::span<float> most, std::span<float> least) {
  const bool both = !least.empty();
  HWY_DYNAMIC_DISPATCH(AddAxisProducts)
  (high.size() / kStripWidth, axes.data(), columns.values.data(), columns.samples, columns.count, high.data(),
   both ? low.data() : nullptr, most.data(), both ? least.data() : nullptr);
}

// The two roundings of each value, those of a run of products and sums, and those of the sums of runs.
double axis_product_error(std::size_t samples) {
  const std::size_t runs = samples / kSamplesTogether + 1;
  const std::size_t roundings = 2 + 2 * std::min(samples, kSamplesTogether) + runs;
  return 1.01 * static_cast<double>(roundings) * kHalfUlp;
}

}  // namespace land
#endif
