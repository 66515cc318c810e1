#include "land/files/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "land/base/aligned.h"
#include "land/base/option.h"
#include "land/base/resident_memory.h"
#include "land/files/mapped_pages.h"
#include "land/files/scratch_file.h"

namespace land {
namespace {

// zlib's state for one run over a file of several members.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

// Deflate makes at most 1032 bytes of one. A table that shrinks to a 200th is hardly one, and a gigabyte of it no harm.
constexpr std::size_t kMostRatio = 200;
constexpr std::size_t kHarmless = std::size_t{1} << 30U;

void check_ratio(std::size_t made, std::size_t compressed, const std::string& name) {
  if (made <= kHarmless || made / kMostRatio <= compressed) return;
  throw InputError(
      fmt::format("{}: its {} bytes are more than {} when decompressed, {} times as many: a damaged or hostile file; "
                  "if it is neither, decompress it with gunzip and give that",
                  name, compressed, made, made / compressed));
}

// While a buffer grows it is there twice.
void check_fits(std::size_t made, std::size_t most, const std::string& name) {
  if (made <= most) return;
  throw InputError(fmt::format(
      "{}: it is more than {} bytes when decompressed, which is half of the memory there is; set {}, so that "
      "the rest stays on disk, or decompress it with gunzip and give that",
      name, most, option("memory")));
}

bool is_padding(std::span<const std::byte> rest) {
  return std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

Bytes gunzip(const Bytes& bytes, const std::string& name, const Context& context, std::int64_t memory,
             const std::string& scratch_folder) {
  const std::span<const std::byte> in = bytes.view;
  const std::size_t step = std::clamp<std::size_t>(4 * in.size(), std::size_t{1} << 12, std::size_t{4} << 20);
  Inflater inflater;
  z_stream& stream = inflater.stream();
  auto out = std::make_shared<AlignedBytes>();
  std::size_t read = 0;
  std::size_t written = 0;  // of `out`
  const std::size_t most = static_cast<std::size_t>(available_memory() / 2);
  std::unique_ptr<ScratchFile> scratch;
  std::int64_t kept = 0;  // bytes in the scratch file
  const auto keep = [&] {
    scratch->write_at(kept, {out->data(), written});
    kept += static_cast<std::int64_t>(std::exchange(written, 0));
  };
  PagesBehind pages(in, bytes.mapped);
  while (true) {
    context.check_stop();
    pages.passed(read);
    if (memory > 0 && static_cast<std::int64_t>(written) > memory / 8) {
      if (!scratch) scratch = std::make_unique<ScratchFile>(scratch_folder);
      keep();
    }
    context.report("reading", static_cast<double>(read), static_cast<double>(in.size()));
    // zlib counts in 32 bits, and pages are let go behind it: feed and drain it in steps.
    out->resize(written + step);
    const std::size_t fed = std::min<std::size_t>(in.size() - read, std::size_t{4} << 20);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data() + read));
    stream.avail_in = static_cast<uInt>(fed);
    stream.next_out = reinterpret_cast<Bytef*>(out->data() + written);
    stream.avail_out = static_cast<uInt>(step);
    const int status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t used = fed - stream.avail_in;
    const std::size_t made = step - stream.avail_out;
    read += used;
    written += made;
    check_ratio(static_cast<std::size_t>(kept) + written, in.size(), name);
    check_fits(written, most, name);
    if (status == Z_STREAM_END) {
      const auto rest = in.subspan(read);
      if (is_padding(rest)) break;
      if (!is_gzip(rest)) {
        throw InputError(
            fmt::format("{}: {} bytes that are not gzip data follow the compressed data at byte {}; "
                        "compress the file again",
                        name, rest.size(), read));
      }
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw InputError(fmt::format("{}: damaged gzip data near byte {} ({}); copy or compress the file again", name,
                                   read, stream.msg != nullptr ? stream.msg : "unknown error"));
    } else if (read == in.size() && made < step) {
      throw InputError(fmt::format(
          "{}: truncated gzip file: it ends after {} bytes, inside the compressed data; copy or download it again",
          name, in.size()));
    }
  }
  if (!scratch) return {{out->data(), written}, out, false};
  keep();
  return scratch->map(kept);
}

}  // namespace land
