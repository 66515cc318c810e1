// Names of features where they stand: a million of them are not made into strings to print a hundred.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace land {

class FeatureNames {
 public:
  virtual ~FeatureNames() = default;
  virtual std::int64_t size() const = 0;
  virtual std::string at(std::int64_t feature) const = 0;
  // Says that these will be asked for, so that what is far away comes together. Never required.
  virtual void expect(std::span<const std::int64_t> /*features*/) const {}
};

}  // namespace land
