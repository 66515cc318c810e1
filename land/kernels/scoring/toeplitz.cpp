#include "land/kernels/scoring/toeplitz.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/scoring/toeplitz.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void ToeplitzProduct(const double* x, const double* mirrored, std::size_t size, double* out) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  // The kernel is symmetric, so out[a] = sum_b x[b] mirrored[size - 1 + a - b] too: vectors of results, whose values of
  // `mirrored` stand side by side; four of them share what is read of x.
  const double* middle = mirrored + size - 1;
  std::size_t a = 0;
  for (; a + 4 * lanes <= size; a += 4 * lanes) {
    auto s0 = hn::Zero(d);
    auto s1 = hn::Zero(d);
    auto s2 = hn::Zero(d);
    auto s3 = hn::Zero(d);
    for (std::size_t b = 0; b < size; ++b) {
      const auto value = hn::Set(d, x[b]);
      const double* at = middle + a - b;
      s0 = hn::MulAdd(value, hn::LoadU(d, at), s0);
      s1 = hn::MulAdd(value, hn::LoadU(d, at + lanes), s1);
      s2 = hn::MulAdd(value, hn::LoadU(d, at + 2 * lanes), s2);
      s3 = hn::MulAdd(value, hn::LoadU(d, at + 3 * lanes), s3);
    }
    hn::StoreU(s0, d, out + a);
    hn::StoreU(s1, d, out + a + lanes);
    hn::StoreU(s2, d, out + a + 2 * lanes);
    hn::StoreU(s3, d, out + a + 3 * lanes);
  }
  for (; a + lanes <= size; a += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t b = 0; b < size; ++b) sum = hn::MulAdd(hn::Set(d, x[b]), hn::LoadU(d, middle + a - b), sum);
    hn::StoreU(sum, d, out + a);
  }
  for (; a < size; ++a) {
    double sum = 0.0;
    for (std::size_t b = 0; b < size; ++b)
      sum += x[b] * middle[static_cast<std::ptrdiff_t>(a) - static_cast<std::ptrdiff_t>(b)];
    out[a] = sum;
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(ToeplitzProduct);
}  // namespace

void toeplitz_product(std::span<const double> x, std::span<const double> mirrored, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(ToeplitzProduct)(x.data(), mirrored.data(), x.size(), out.data());
}

}  // namespace land
#endif
