#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/methods/land_path.h"
#include "land/methods/maximum_relevance.h"
#include "land/methods/method.h"

namespace land {

std::span<const MethodEntry> methods() {
  static constexpr std::array<MethodEntry, 2> kAll{{
      {"land", "the path of NHSIC Lasso", make_land_path},
      {"mr-nhsic", "the M most relevant, repeated or not", make_maximum_relevance},
  }};
  return kAll;
}

std::unique_ptr<Method> make_method(std::string_view name) {
  std::string names;
  for (const MethodEntry& entry : methods()) {
    if (entry.name == name) return entry.make();
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  throw InputError(fmt::format("{}: choose one of {}", option("method", name), names));
}

}  // namespace land
