#include "land/formats/detect_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "land/base/error.h"
#include "land/files/gzip.h"
#include "land/formats/matrix_market.h"
#include "land/formats/npy.h"
#include "land/formats/npz.h"
#include "land/formats/plink.h"
#include "land/formats/svmlight.h"
#include "land/store/store_index.h"

namespace land {
namespace {

struct Unread {
  std::string_view magic;
  std::string_view what;
  std::string_view advice;
};

constexpr std::string_view kSaveAs = "save the table as .npy, .npz or .csv";
constexpr std::array<Unread, 8> kUnread = {{
    {"\x89HDF", "an HDF5 file", kSaveAs},
    {"PAR1", "a Parquet file", kSaveAs},
    {"ARROW1", "an Arrow file", kSaveAs},
    {"MATLAB 5.0", "a MATLAB file", kSaveAs},
    {"\xD0\xCF\x11\xE0", "an old Excel file", "save the sheet as .csv"},
    {"\xFD"
     "7zXZ",
     "compressed with xz", "decompress it, or compress it with gzip"},
    {"BZh", "compressed with bzip2", "decompress it, or compress it with gzip"},
    {"\x28\xB5\x2F\xFD", "compressed with zstd", "decompress it, or compress it with gzip"},
}};

// Beyond the magic, which might be a name in a header (PAR1 is a gene), bytes that no text has.
bool is_binary(std::span<const std::byte> bytes) {
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), 1024));
  return std::any_of(head.begin(), head.end(), [](std::byte b) {
    return b < std::byte{' '} && b != std::byte{'\t'} && b != std::byte{'\n'} && b != std::byte{'\r'};
  });
}

}  // namespace

Format detect_format(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(fmt::format("{}: the file is empty", name));
  if (is_npy(bytes)) return Format::kNpy;
  if (is_zip(bytes)) return Format::kNpz;
  if (is_bed(bytes)) return Format::kBed;
  if (is_store(bytes)) return Format::kStore;
  if (was_store(bytes)) {
    throw InputError(
        fmt::format("{}: a store that is cut short or was changed by another program: its end is missing; convert the "
                    "data again",
                    name));
  }
  if (is_gzip(bytes)) throw InputError(fmt::format("{}: compressed twice with gzip; decompress it once", name));
  for (const Unread& format : kUnread) {
    const std::size_t size = format.magic.size();
    if (bytes.size() > size && std::memcmp(bytes.data(), format.magic.data(), size) == 0 && is_binary(bytes)) {
      throw InputError(fmt::format("{}: {}, which is not read here; {}", name, format.what, format.advice));
    }
  }
  const std::string_view path = name;
  if (path.ends_with(".npy") || path.ends_with(".npz")) {
    throw InputError(
        fmt::format("{}: not a NumPy file, whatever its name says (its first bytes are others); save it again "
                    "with numpy.{}",
                    name, path.ends_with(".npy") ? "save" : "savez"));
  }
  if (is_matrix_market(bytes)) return Format::kMatrixMarket;
  if (is_named_svmlight(name) || looks_like_svmlight(bytes)) return Format::kSvmlight;
  return Format::kText;
}

}  // namespace land
