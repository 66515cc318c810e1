// Which reader a file needs, from its first bytes; its name where those leave it open, and for advice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace land {

enum class Format : std::uint8_t { kText, kNpy, kNpz, kBed, kSvmlight, kMatrixMarket, kStore };

// Of bytes that are already decompressed. Throws InputError for an empty file and for formats that are recognised but
// not read (HDF5, Parquet, xz, ...), and when the name promises an array that the content is not.
Format detect_format(std::span<const std::byte> bytes, const std::string& name);

}  // namespace land
