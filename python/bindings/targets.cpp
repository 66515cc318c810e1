#include "bindings/targets.h"

#include <fmt/format.h>

#include <cstdint>

#include "land/text/printable.h"

namespace land::python {

void number_from_0(TargetColumn& target) {
  target.first_sample = 0;
  target.missing = 0;
  for (std::int64_t sample = 0; sample < target.size(); ++sample) {
    if (!target.is_missing(sample)) continue;
    if (target.missing++ == 0) {
      target.first_missing = fmt::format("target {}: sample {} (counted from 0)", in_quotes(target.name), sample);
    }
  }
}

}  // namespace land::python
