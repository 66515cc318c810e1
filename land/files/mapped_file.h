// Files as bytes: mapped where that is possible, read otherwise.
#pragma once

#include <cstddef>
#include <string>

#include "land/base/context.h"
#include "land/files/bytes.h"

namespace land {

// The bytes of a regular file, mapped read only (no copy, any size), or of a pipe, read to its end. Throws InputError
// with the system's reason for a missing, unreadable or unsuitable path (a directory, a device), and if the context's
// files have it for an output. For a file that another program shortens while it is mapped see shortened_files.h.
Bytes open_bytes(const std::string& path, const Context& context);

enum class Access { kSequential, kWhole };

// Tells the system how mapped bytes will be used; a hint, never an error. kWhole asks for the file to be read ahead if
// it takes less than half of the machine's memory.
void advise(const Bytes& bytes, Access access);

bool file_exists(const std::string& path);

}  // namespace land
