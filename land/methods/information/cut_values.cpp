#include "land/methods/information/cut_values.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "land/methods/information/cut_values.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace land::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void CutValues(std::span<const double> values, std::span<const double> cuts, std::span<std::uint8_t> levels) {
  const hn::CappedTag<double, 8> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    const auto here = hn::LoadU(d, values.data() + i);
    auto below = hn::Zero(du);
    for (const double cut : cuts) {
      below = hn::Sub(below, hn::BitCast(du, hn::VecFromMask(d, hn::Ge(here, hn::Set(d, cut)))));
    }
    hn::StoreU(hn::TruncateTo(d8, below), d8, levels.data() + i);
  }
  for (; i < values.size(); ++i) {
    std::uint8_t below = 0;
    for (const double cut : cuts) below = static_cast<std::uint8_t>(below + (values[i] >= cut ? 1 : 0));
    levels[i] = below;
  }
}

}  // namespace
}  // namespace land::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace land {
namespace {
HWY_EXPORT(CutValues);
}  // namespace

void cut_values(std::span<const double> values, std::span<const double> cuts, std::span<std::uint8_t> levels) {
  HWY_DYNAMIC_DISPATCH(CutValues)(values, cuts, levels);
}

}  // namespace land
#endif
