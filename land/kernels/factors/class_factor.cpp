#include "land/kernels/factors/class_factor.h"

namespace land {

Factor class_factor(const Classes& classes, Measure measure) {
  Factor factor;
  factor.samples = std::ssize(classes.codes);
  factor.columns = static_cast<std::int64_t>(classes.size());
  factor.codes = classes.codes;
  const bool all = classes.members == static_cast<double>(factor.samples);
  for (std::size_t v = 0; v < classes.size() + (all ? 0 : 1); ++v) {
    for (std::size_t c = 0; c < classes.size(); ++c) factor.levels.push_back(classes.factor(v, c));
  }
  index_levels(factor);
  factor.norm = classes.norm();
  factor.scale = kernel_scale(measure, factor.norm, static_cast<double>(factor.samples));
  return factor;
}

}  // namespace land
