#pragma once

#include <string_view>

namespace land {

// "0.1.0": the version of CMakeLists.txt, its one place.
std::string_view version();

}  // namespace land
