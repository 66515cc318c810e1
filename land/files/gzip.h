// Decompression of .gz.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "land/base/context.h"
#include "land/files/bytes.h"

namespace land {

bool is_gzip(std::span<const std::byte> bytes);

// Decompresses all members of the file. Throws InputError when it is cut short, damaged or followed by something else
// (zero padding is allowed), or as soon as it has grown to more than half of the machine's memory, or to a gigabyte and
// more than 200 times its size. Memory: the decompressed size, half as much again while growing; where that is more
// than an eighth of `memory` (0: no limit) the bytes are mapped from a scratch file in `scratch_folder`.
Bytes gunzip(const Bytes& bytes, const std::string& name, const Context& context, std::int64_t memory = 0,
             const std::string& scratch_folder = {});

}  // namespace land
