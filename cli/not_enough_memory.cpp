#include "cli/not_enough_memory.h"

#include <fmt/format.h>

#include "cli/quantities.h"
#include "land/base/error.h"

namespace land::cli {

std::string not_enough_memory(const std::bad_alloc& error) {
  const auto* known = dynamic_cast<const NotEnoughMemory*>(&error);
  const std::string asked =
      known != nullptr ? fmt::format(": {} were asked for at once", bytes(static_cast<double>(known->bytes()))) : "";
  return fmt::format(
      "not enough memory{}; free some, or set --memory below what there is, so that the rest stays on disk", asked);
}

}  // namespace land::cli
