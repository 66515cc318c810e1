#include "land/check_data.h"

#include <fmt/format.h>

#include "land/error.h"

namespace land {

void check_sizes(const Table& table, const Target& target) {
  if (table.samples() != target.size()) {
    throw InputError(
        fmt::format("{}: {} samples, but the target {} has {} values; they must be the same samples in the same order",
                    table.path, table.samples(), target.name, target.size()));
  }
  if (table.samples() < 4) {
    throw InputError(fmt::format("{}: needs at least 4 samples, found {}", table.path, table.samples()));
  }
  constexpr std::size_t kMostClasses = 1000;
  if (target.class_names.size() > kMostClasses) {
    throw InputError(
        fmt::format("target {}: {} classes, more than the {} that are supported; is this a column of ids, or "
                    "are they numbers (--task regression)?",
                    target.name, target.class_names.size(), kMostClasses));
  }
  table.check_has_features();
}

}  // namespace land
