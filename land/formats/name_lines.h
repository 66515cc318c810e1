// Names of features in a file of their own, one a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "land/data/feature_names.h"
#include "land/formats/read_table.h"

namespace land {

class NameLines final : public FeatureNames {
 public:
  explicit NameLines(Bytes bytes);

  std::int64_t size() const override { return static_cast<std::int64_t>(begins_.size()); }
  std::string at(std::int64_t line) const override;

 private:
  Bytes bytes_;
  std::vector<std::size_t> begins_;
};

}  // namespace land
