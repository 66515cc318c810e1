#include "land/kernels/points/classes.h"

#include <cmath>

namespace land {

double Classes::factor(std::size_t v, std::size_t c) const {
  if (v == size()) return 0.0;
  return ((v == c ? 1.0 : 0.0) - counts[c] / members) / std::sqrt(counts[c]);
}

double Classes::norm() const { return std::sqrt(static_cast<double>(size() - 1)); }

Classes classes_of(const Target& target) {
  Classes classes;
  classes.counts.assign(target.class_names.size(), 0.0);
  for (const std::int32_t label : target.labels) {
    classes.codes.push_back(static_cast<std::uint16_t>(label));
    classes.counts[static_cast<std::size_t>(label)] += 1.0;
  }
  classes.members = static_cast<double>(target.labels.size());
  return classes;
}

Classes classes_of(const FeatureView& nominal, Missing missing) {
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(nominal.samples));
  nominal.copy_codes(codes);
  const auto in_none = [&](std::size_t level) {
    return std::isnan(nominal.levels[level]) && missing != Missing::kLevel;
  };
  Classes classes;
  std::vector<int> number(nominal.levels.size(), -1);  // of a level, in order of first sample
  for (const std::uint8_t code : codes) {
    if (in_none(code)) continue;
    if (number[code] < 0) {
      number[code] = static_cast<int>(classes.size());
      classes.counts.push_back(0.0);
    }
    classes.counts[static_cast<std::size_t>(number[code])] += 1.0;
    classes.members += 1.0;
  }
  for (const std::uint8_t code : codes) {
    classes.codes.push_back(
        static_cast<std::uint16_t>(in_none(code) ? static_cast<int>(classes.size()) : number[code]));
  }
  return classes;
}

}  // namespace land
