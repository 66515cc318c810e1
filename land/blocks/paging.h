// The pages of a mapped file that features stand in: they take memory once they are touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace land {

// Thread-safe, and changes no value. This one is of features in memory: there is no file, and nothing happens.
class Paging {
 public:
  virtual ~Paging() = default;

  // All of the file that features stand in.
  virtual std::span<const std::byte> file() const { return {}; }
  // Of it, where these features stand, if they are together there.
  virtual std::span<const std::byte> bytes_of(std::int64_t /*first*/, std::int64_t /*count*/) const { return {}; }
  // Whether the values of a feature are so far apart that to read a few features touches all of the file
  // (FeatureSource::copy).
  virtual bool is_scattered() const { return false; }

  // Has the system read features in; lets go of them.
  void prefetch(std::int64_t first, std::int64_t count) const;
  void release(std::int64_t first, std::int64_t count) const;
  // Has one of so many pieces of the file in memory. Where features are scattered, all of them, in the order of the
  // file, are quicker to load than page by page as features are read.
  void load(std::int64_t piece, std::int64_t pieces) const;
};

}  // namespace land
