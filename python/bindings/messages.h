// Messages of the library in the words of Python.
#pragma once

#include <string>
#include <string_view>

namespace land::python {

// "--drop-missing-target" -> "drop_missing_target": options as keywords. What is no option of Python stays as it is.
std::string in_python(std::string_view message);

}  // namespace land::python
