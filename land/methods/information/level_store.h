// The levels of all features, in memory: bit planes where there are few levels, else a byte for each sample.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "land/base/aligned.h"

namespace land {

// The levels of one feature.
struct FeatureLevels {
  int levels = 0;  // 1: all samples are alike, and nothing is held
  int planes = 0;  // 0: a byte for each sample
  const std::byte* data = nullptr;

  const std::uint64_t* words() const { return reinterpret_cast<const std::uint64_t*>(data); }
  const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(data); }
};

class LevelStore {
 public:
  LevelStore(std::int64_t samples, std::size_t features) : samples_(samples), all_(features) {}

  // Takes the levels of a feature, each once, from any thread. `levels` has room for whole words of 64 samples; what is
  // behind the samples is overwritten.
  FeatureLevels put(std::size_t feature, std::span<std::uint8_t> levels, int count);

  std::size_t features() const { return all_.size(); }
  std::int64_t samples() const { return samples_; }
  const FeatureLevels& operator[](std::size_t feature) const { return all_[feature]; }
  std::int64_t bytes() const { return bytes_; }
  unsigned planes() const { return planes_; }  // the numbers of planes that features have, added up

  // What a feature takes at least, in bytes.
  static std::int64_t least_bytes(std::int64_t samples);

  // levels[i] of every sample.
  void copy_levels(std::size_t feature, std::span<std::uint8_t> levels) const;

 private:
  std::byte* room_for(std::size_t bytes);

  std::int64_t samples_;
  std::vector<FeatureLevels> all_;
  std::mutex mutex_;  // of chunks and how they are used
  std::vector<AlignedBytes> chunks_;
  std::size_t used_ = 0;  // of the last chunk
  std::atomic<std::int64_t> bytes_ = 0;
  std::atomic<unsigned> planes_ = 0;
};

}  // namespace land
