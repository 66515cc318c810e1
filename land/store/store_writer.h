// Writes a store: blocks of features as they stand in memory, in an ordinary HDF5 file. docs/store.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/data/table.h"
#include "land/files/atomic_file.h"
#include "land/store/hdf5_file.h"
#include "land/store/store_index.h"

namespace land {

// What a store keeps beside the features.
struct StoreLabels {
  std::span<const std::string> feature_names;  // empty: none
  std::span<const std::string> sample_ids;     // empty: none
  const TargetColumn* target = nullptr;
  Missing missing_default = Missing::kError;
};

// Holds headers of all features, about 200 bytes each, and of their values nothing. The file is there when commit() has
// returned, or not at all. Every failure is an InputError naming the file and the reason. Not thread-safe.
class StoreWriter {
 public:
  // `features`: as many as will come, about.
  StoreWriter(const std::string& path, std::int64_t samples, std::int64_t features);

  // The next features, with ids that follow on those before.
  void append(const FeatureBlock& block);
  // Completes the file, brings it to the disk and gives it its name. Returns the fingerprint of the features.
  std::uint64_t commit(const StoreLabels& labels);

  std::int64_t bytes() const { return bytes_; }  // of the features so far

 private:
  template <class T>
  void put(const std::string& name, std::span<const T> values);
  void put_texts(const std::string& name, std::span<const std::string> texts);
  void put_bytes(const std::string& name, std::int64_t offset, std::span<const std::byte> bytes);
  void put_index(std::uint64_t fingerprint, Missing missing_default);

  AtomicFile file_;
  std::int64_t samples_;
  std::optional<Hdf5File> hdf5_;
  std::vector<StoreEntry> entries_;
  std::vector<StoreBlock> blocks_;
  std::vector<FeatureHeader> headers_;
  std::vector<std::int64_t> block_of_;
  std::int64_t bytes_ = 0;
};

}  // namespace land
