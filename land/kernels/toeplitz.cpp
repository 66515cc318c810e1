#include "land/kernels/toeplitz.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/kernels/toeplitz.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void ToeplitzProduct(const double* x, const double* mirrored, std::size_t size, double* out) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t a = 0;
  // A vector of results at a time: out[a .. a + lanes) takes mirrored values that run backwards, so sum over b with the
  // roles exchanged, using the symmetry of the kernel: out[a] = sum_b x[b] mirrored[size - 1 + a - b].
  for (; a + lanes <= size; a += lanes) {
    auto even = hn::Zero(d);
    auto odd = hn::Zero(d);
    std::size_t b = 0;
    for (; b + 2 <= size; b += 2) {
      even = hn::MulAdd(hn::Set(d, x[b]), hn::LoadU(d, mirrored + size - 1 + a - b), even);
      odd = hn::MulAdd(hn::Set(d, x[b + 1]), hn::LoadU(d, mirrored + size - 2 + a - b), odd);
    }
    if (b < size) even = hn::MulAdd(hn::Set(d, x[b]), hn::LoadU(d, mirrored + size - 1 + a - b), even);
    hn::StoreU(hn::Add(even, odd), d, out + a);
  }
  for (; a < size; ++a) {
    double sum = 0.0;
    for (std::size_t b = 0; b < size; ++b) sum += x[b] * mirrored[size - 1 + a - b];
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
