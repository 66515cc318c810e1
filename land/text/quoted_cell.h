// A cell of delimited text as other programs expect it.
#pragma once

#include <string>
#include <string_view>

namespace land {

// As it is, or in quotes, its own doubled, where it holds the delimiter, a quote or a line end.
std::string quoted_cell(std::string_view text, char delimiter);

}  // namespace land
