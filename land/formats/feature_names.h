// Names of features where they stand: a million of them are not made into strings to print a hundred.
#pragma once

#include <cstdint>
#include <string>

namespace land {

class FeatureNames {
 public:
  virtual ~FeatureNames() = default;
  virtual std::int64_t size() const = 0;
  virtual std::string at(std::int64_t feature) const = 0;
};

}  // namespace land
