#include "land/base/simd_target.h"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>

#include "land/base/error.h"

namespace land {
namespace {

std::string name_of(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.push_back(name_of(target));
  return names;
}

void use_simd_target(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  if (name.empty()) return;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name_of(target) == name) {
      hwy::SetSupportedTargetsForTest(target);
      return;
    }
  }
  throw InputError(fmt::format("LAND_SIMD: '{}' is not an instruction set of this machine; choose one of {}", name,
                               fmt::join(simd_targets(), ", ")));
}

void use_simd_target_of_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* name = std::getenv("LAND_SIMD");
    if (name != nullptr) use_simd_target(name);
  });
}

}  // namespace land
