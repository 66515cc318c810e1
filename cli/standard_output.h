// Standard output, which may be a full disk.
#pragma once

#include <string_view>

namespace land::cli {

// Throws InputError when not everything could be written.
void write_standard_output(std::string_view text);

}  // namespace land::cli
