#include "land/formats/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "land/base/aligned.h"
#include "land/base/option.h"
#include "land/base/resident_memory.h"
#include "land/files/mapped_pages.h"
#include "land/files/scratch_file.h"
#include "land/formats/find_column.h"
#include "land/formats/find_targets.h"
#include "land/formats/given_names.h"
#include "land/formats/take_targets.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::string_view kSuffix = ".npy";

struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipFile = std::unique_ptr<zip_file_t, CloseFile>;

// An archive in memory; names its arrays without ".npy".
class Archive {
 public:
  Archive(const Bytes& bytes, const ReadRequest& request) : name_(request.name), request_(request), bytes_(bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.view.data(), bytes.view.size(), 0, &error);
    if (source != nullptr) zip_ = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (zip_ == nullptr) {
      zip_source_free(source);
      const std::string reason = zip_error_strerror(&error);
      zip_error_fini(&error);
      throw InputError(fmt::format("{}: damaged .npz archive ({}); copy it or save it again", name_, reason));
    }
    zip_error_fini(&error);
    const auto entries = static_cast<zip_uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(zip_, 0)));
    for (zip_uint64_t i = 0; i < entries; ++i) {
      const char* entry = zip_get_name(zip_, i, 0);
      std::string_view array = entry == nullptr ? "" : entry;
      if (!array.ends_with(kSuffix)) continue;
      array.remove_suffix(kSuffix.size());
      names_.emplace_back(array);
      indices_.push_back(i);
    }
    if (names_.empty()) {
      zip_discard(zip_);
      throw InputError(fmt::format(
          "{}: a zip archive without .npy arrays; save a table as .csv, or arrays with numpy.savez", name_));
    }
  }
  ~Archive() { zip_discard(zip_); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& array) const { return std::find(names_.begin(), names_.end(), array) != names_.end(); }
  std::string list() const {
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(names_.size(), 20); ++i) {
      list += (i == 0 ? "" : ", ") + in_quotes(names_[i]);
    }
    return list + (names_.size() > 20 ? ", ..." : "");
  }
  std::string path_of(const std::string& array) const { return fmt::format("{}[{}]", name_, in_quotes(array)); }

  // Whether the array holds strings. Throws InputError for arrays of objects.
  bool is_text(const std::string& array) const {
    const std::string path = path_of(array);
    AlignedBytes buffer;
    const ZipFile file = open(array, path);
    const NpyHeader header = read_header({file.get(), path, declared_size(index_of(array), path)}, buffer);
    return header.kind == 'U' || header.kind == 'S';
  }

  NpyArray read(const std::string& array) const {
    const std::string path = path_of(array);
    const ZipFile file = open(array, path);
    const std::size_t size = declared_size(index_of(array), path);
    const Entry entry{file.get(), path, size};
    auto buffer = std::make_shared<AlignedBytes>();
    const NpyHeader header = read_header(entry, *buffer);
    if (header.file_size != size) {
      throw InputError(fmt::format("{}: the header says {} bytes, the archive {}; save it again with numpy.savez", path,
                                   header.file_size, size));
    }
    const std::int64_t memory = request_.scratch_above();
    if (memory > 0 && static_cast<std::int64_t>(size) > memory / 4) return open_npy(lay_down(entry, *buffer), path);
    if (const std::int64_t most = available_memory(); static_cast<std::int64_t>(size) > most) {
      throw InputError(
          fmt::format("{}: the array takes {} bytes, and there are {} of memory; set {}, so that the rest "
                      "stays on disk, or save it with numpy.save: an .npy is used in place",
                      path, size, most, option("memory")));
    }
    extend(entry, *buffer, size);
    check_end(entry);
    return open_npy({{buffer->data(), size}, buffer, false}, path);
  }

 private:
  zip_uint64_t index_of(const std::string& array) const {
    const auto found = std::find(names_.begin(), names_.end(), array);
    if (found == names_.end()) {
      throw InputError(fmt::format("{}: no array {}; the file holds {}", name_, in_quotes(array), list()));
    }
    return indices_[static_cast<std::size_t>(found - names_.begin())];
  }

  ZipFile open(const std::string& array, const std::string& path) const {
    ZipFile file(zip_fopen_index(zip_, index_of(array), 0));
    if (!file) {
      throw InputError(fmt::format("{}: cannot open the array ({}); save it again with numpy.savez", path,
                                   zip_error_strerror(zip_get_error(zip_))));
    }
    return file;
  }

  std::size_t declared_size(zip_uint64_t index, const std::string& path) const {
    zip_stat_t status;
    zip_stat_init(&status);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if (zip_stat_index(zip_, index, 0, &status) != 0 || (status.valid & kNeeded) != kNeeded) {
      throw InputError(fmt::format("{}: the archive does not say how large the array is", path));
    }
    // Deflate cannot shrink more than 1032 times.
    constexpr zip_uint64_t kMostRatio = 1032;
    if (status.comp_size > bytes_.view.size() || status.size / kMostRatio > status.comp_size + 1) {
      throw InputError(
          fmt::format("{}: the archive says {} bytes compressed to {}, which cannot be; copy it or save it "
                      "again",
                      path, status.size, status.comp_size));
    }
    return status.size;
  }

  // An array that is being read.
  struct Entry {
    zip_file_t* file = nullptr;
    const std::string& path;
    std::size_t size = 0;
  };

  [[noreturn]] static void throw_damaged(const Entry& entry) {
    throw InputError(fmt::format("{}: damaged data ({}); copy the file or save it again", entry.path,
                                 zip_error_strerror(zip_file_get_error(entry.file))));
  }

  // Fills `part`, or less of it; `have` bytes came before.
  std::size_t read_some(const Entry& entry, std::span<std::byte> part, std::size_t have) const {
    request_.context.check_stop();
    const zip_int64_t got = zip_fread(entry.file, part.data(), std::min(kStep, part.size()));
    if (got < 0) throw_damaged(entry);
    if (got == 0) {
      throw InputError(fmt::format("{}: the data end after {} of {} bytes; copy the file or save it again", entry.path,
                                   have, entry.size));
    }
    request_.context.report("reading", static_cast<double>(have + static_cast<std::size_t>(got)),
                            static_cast<double>(entry.size));
    return static_cast<std::size_t>(got);
  }

  // Reads on until the buffer holds `size` bytes.
  void extend(const Entry& entry, AlignedBytes& buffer, std::size_t size) const {
    std::size_t have = buffer.size();
    buffer.resize(size);
    while (have < size) have += read_some(entry, {buffer.data() + have, size - have}, have);
  }

  // The buffer then holds what was read.
  NpyHeader read_header(const Entry& entry, AlignedBytes& buffer) const {
    extend(entry, buffer, std::min<std::size_t>(entry.size, 12));
    if (!is_npy({buffer.data(), buffer.size()})) throw InputError(fmt::format("{}: not an .npy array", entry.path));
    const std::size_t header_size = npy_header_size({buffer.data(), buffer.size()}, entry.path);
    if (header_size > entry.size) {
      throw InputError(
          fmt::format("{}: the .npy header takes {} bytes, the array has {}", entry.path, header_size, entry.size));
    }
    if (header_size > buffer.size()) extend(entry, buffer, header_size);
    return parse_npy_header({buffer.data(), buffer.size()}, entry.path);
  }

  // The checksum is verified when the end has been read.
  static void check_end(const Entry& entry) {
    std::byte beyond{};
    if (zip_fread(entry.file, &beyond, 1) != 0) throw_damaged(entry);
  }

  // The whole array in a scratch file, `begun` being what was read of it.
  Bytes lay_down(const Entry& entry, const AlignedBytes& begun) const {
    ScratchFile scratch(request_.options.scratch_folder);
    scratch.write_at(0, {begun.data(), begun.size()});
    AlignedBytes step(kStep);
    for (std::size_t have = begun.size(); have < entry.size;) {
      const std::size_t got = read_some(entry, {step.data(), std::min(kStep, entry.size - have)}, have);
      scratch.write_at(static_cast<std::int64_t>(have), {step.data(), got});
      have += got;
      // The archive is gone through in order, but only its reader knows how far.
      if (bytes_.mapped) release_pages(bytes_.view, bytes_.view);
    }
    check_end(entry);
    return scratch.map(static_cast<std::int64_t>(entry.size));
  }

  static constexpr std::size_t kStep = std::size_t{4} << 20U;

  const std::string& name_;
  const ReadRequest& request_;
  const Bytes& bytes_;
  zip_t* zip_ = nullptr;
  std::vector<std::string> names_;
  std::vector<zip_uint64_t> indices_;
};

void check_length(const TargetColumn& target, const Table& table, const Archive& archive, const std::string& array) {
  if (target.size() == table.matrix.samples) return;
  throw InputError(fmt::format("{}: the target has {} values, {} has {} samples; they must match (or is {} meant?)",
                               archive.path_of(array), target.size(), table.path, table.matrix.samples,
                               option("rows", table.layout.rows_are_features ? "samples" : "features")));
}

void take_arrays(const Archive& archive, const std::vector<std::string>& arrays, const ReadRequest& request,
                 Table& table) {
  if (request.options.survival && arrays.size() != 2) {
    throw InputError(fmt::format("{}: {}: name two arrays, the time and the event", request.name,
                                 option("survival", Verbatim{in_quotes(request.options.target)})));
  }
  std::vector<PlacedTarget> targets;
  for (const std::string& array : arrays) {
    const std::string path = archive.path_of(array);
    TargetColumn column = npy_target(archive.read(array), path, array, request.context);
    check_length(column, table, archive, array);
    targets.push_back({std::move(column),
                       [path](std::int64_t i) { return fmt::format("{}: element {} (counted from 0)", path, i); }});
  }
  take_targets(std::move(targets), request.options.survival, table);
}

constexpr std::array<std::string_view, 5> kFeatureKeys = {"feature_names", "features", "names", "columns", "var_names"};
constexpr std::array<std::string_view, 5> kSampleKeys = {"sample_names", "samples", "ids", "obs_names", "index"};

// The first of the usual keys under which there are strings; empty: none.
std::string first_key(const Archive& archive, const ReadOptions& options, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const std::string array(key);
    const std::vector<std::string> targets = pieces_of(options.target);
    const bool taken = array == options.matrix_array || array == options.target_array || array == options.target ||
                       std::find(targets.begin(), targets.end(), array) != targets.end();
    if (!taken && archive.has(array) && archive.is_text(array)) return array;
  }
  return "";
}

void add_names(const Archive& archive, const ReadRequest& request, Table& table) {
  const std::string features = first_key(archive, request.options, kFeatureKeys);
  if (!features.empty() && table.feature_names.empty()) {
    const std::string path = archive.path_of(features);
    name_columns(npy_strings(archive.read(features), path, request.context), path, table);
  }
  const std::string samples = first_key(archive, request.options, kSampleKeys);
  if (samples.empty()) return;
  const std::string path = archive.path_of(samples);
  table.sample_ids = npy_strings(archive.read(samples), path, request.context);
  table.id_column_name = samples;
  if (std::ssize(table.sample_ids) == table.matrix.samples) return;
  throw InputError(fmt::format("{}: {} ids for {} samples of {}; give one for each", path, table.sample_ids.size(),
                               table.matrix.samples, table.path));
}

}  // namespace

bool is_zip(std::span<const std::byte> bytes) {
  const auto is = [&](int third, int fourth) {
    return bytes.size() >= 4 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'} &&
           bytes[2] == static_cast<std::byte>(third) && bytes[3] == static_cast<std::byte>(fourth);
  };
  return is(3, 4) || is(5, 6);  // the second: an archive without files
}

Table read_npz(const Bytes& bytes, const ReadRequest& request) {
  const ReadOptions& options = request.options;
  const Archive archive(bytes, request);
  const std::string path = archive.path_of(options.matrix_array);
  const ReadRequest array_request{path, options, request.context, request.target_is_file, request.from_file};
  Table table = table_of_array(archive.read(options.matrix_array), array_request);
  table.path = request.name;
  add_names(archive, request, table);

  const bool target_named = options.target_array != ReadOptions().target_array;
  std::string array = options.target;
  if (array.empty() && (archive.has(options.target_array) || target_named)) array = options.target_array;
  if (array.empty()) return table;
  const std::vector<std::string> arrays =
      options.target.empty() || archive.has(array) ? std::vector{array} : pieces_of(array);
  const bool are_arrays = std::all_of(arrays.begin(), arrays.end(), [&](const auto& one) { return archive.has(one); });
  if (are_arrays || options.target.empty()) {
    take_arrays(archive, arrays, request, table);
  } else if (!take_target_columns({request.name, options, request.context, true}, table) && !request.target_is_file) {
    const char* noun = table.layout.feature_noun();
    if (!table.feature_names.empty()) {
      throw_no_column({request.name, table.feature_names, table.matrix.columns, noun}, target_key(options), array,
                      fmt::format(", no such array{}", request.target_also()));
    }
    throw InputError(fmt::format("{}: {}: no such array{}; the file holds {}, and {} has {}s 0 to {}", request.name,
                                 option(target_key(options), Verbatim{in_quotes(array)}), request.target_also(),
                                 archive.list(), in_quotes(options.matrix_array), noun, table.matrix.columns - 1));
  }
  return table;
}

TargetColumn read_npz_target(const Bytes& bytes, const ReadRequest& request) {
  const Archive archive(bytes, request);
  const bool only = archive.names().size() == 1;
  const std::string& array = only ? archive.names()[0] : request.options.target_array;
  return npy_target(archive.read(array), archive.path_of(array), array, request.context);
}

}  // namespace land
