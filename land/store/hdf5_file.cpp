#include "land/store/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "land/base/error.h"

namespace land {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

// An identifier of the library, closed when it goes.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  explicit operator bool() const { return id_ >= 0; }
  hid_t get() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

// It neither prints its errors nor tries again at the end of the program what has failed.
void prepare_library() {
  static const bool prepared =
      H5dont_atexit() >= 0 && H5open() >= 0 && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(prepared);
}

hid_t text_type(std::size_t width) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, width);
  H5Tset_cset(type, H5T_CSET_UTF8);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

hid_t plain_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::kUint8:
    case Hdf5Type::kText:
      return H5T_STD_U8LE;
    case Hdf5Type::kInt32:
      return H5T_STD_I32LE;
    case Hdf5Type::kUint32:
      return H5T_STD_U32LE;
    case Hdf5Type::kInt64:
      return H5T_STD_I64LE;
    case Hdf5Type::kUint64:
      return H5T_STD_U64LE;
    case Hdf5Type::kFloat64:
      return H5T_IEEE_F64LE;
  }
  return H5T_STD_U8LE;
}

bool write_attribute(hid_t file, const char* name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(file, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Awrite(attribute.get(), type, value) >= 0;
}

}  // namespace

Hdf5File::Hdf5File(const std::string& path, std::string shown) : shown_(std::move(shown)) {
  prepare_library();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Data on whole pages, so that it can be mapped; what describes it is kept together.
  constexpr hsize_t kDescriptions = 64 * 1024;
  H5Pset_alignment(access.get(), kHdf5Page, kHdf5Page);
  H5Pset_meta_block_size(access.get(), kDescriptions);
  H5Pset_small_data_block_size(access.get(), 0);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Pset_file_locking(access.get(), false, true);  // nobody else knows the file
  errno = 0;
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);  // the same data, the same file
  file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  if (file_ < 0) fail("creating the file");
}

Hdf5File::~Hdf5File() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5File::add_attribute(const char* name, std::string_view text) {
  const Handle type(text_type(text.size()), H5Tclose);
  errno = 0;
  if (!write_attribute(file_, name, type.get(), text.data())) fail("writing an attribute");
}

void Hdf5File::add_attribute(const char* name, std::int64_t number) {
  errno = 0;
  if (!write_attribute(file_, name, H5T_STD_I64LE, &number)) fail("writing an attribute");
}

void Hdf5File::add_group(const char* path) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);
  errno = 0;
  const Handle group(H5Gcreate2(file_, path, H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
  if (!group) fail("adding a group");
}

std::int64_t Hdf5File::add_dataset(const std::string& path, Hdf5Type type, std::int64_t count, std::size_t width) {
  const auto extent = static_cast<hsize_t>(count);
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  // The place is fixed at once, and nothing is written there.
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(creation.get(), false);
  const Handle text(text_type(width), H5Tclose);
  const hid_t element = type == Hdf5Type::kText ? text.get() : plain_type(type);
  errno = 0;
  const Handle dataset(H5Dcreate2(file_, path.c_str(), element, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset) fail("adding a dataset");
  if (count == 0) return 0;
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (offset == HADDR_UNDEF) fail("placing a dataset");
  return static_cast<std::int64_t>(offset);
}

void Hdf5File::close() {
  errno = 0;
  if (H5Fclose(std::exchange(file_, -1)) < 0) fail("completing the file");
}

void Hdf5File::fail(const char* doing) const {
  const int reason = errno;
  throw InputError(fmt::format("{}: cannot be written: {}", shown_,
                               reason != 0 ? std::strerror(reason) : fmt::format("HDF5 failed {}", doing)));
}

}  // namespace land
