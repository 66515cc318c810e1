#include "land/formats/sparse_limits.h"

#include <fmt/format.h>

#include "land/base/error.h"

namespace land {

void check_sparse_size(const std::string& name, std::string_view what, std::int64_t size, std::int64_t entries) {
  constexpr std::int64_t kFree = std::int64_t{1} << 26;
  constexpr std::int64_t kPerEntry = 64;
  if (size <= kFree || (size - kFree) / kPerEntry <= entries) return;
  throw InputError(fmt::format("{}: {} {}, but only {} entries that are not zero; number the {} without gaps", name,
                               size, what, entries, what));
}

}  // namespace land
