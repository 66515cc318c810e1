// Where features come from: the seam between files and engines.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "land/blocks/feature_block.h"
#include "land/blocks/paging.h"

namespace land {

class FeatureSource {
 public:
  virtual ~FeatureSource() = default;

  virtual std::int64_t features() const = 0;
  virtual std::int64_t samples() const = 0;
  // Where the values are: in "memory", or "mapped" from a file.
  virtual std::string_view storage() const { return "memory"; }

  // What a feature takes in a block, about.
  virtual std::int64_t bytes_each() const { return samples() * static_cast<std::int64_t>(sizeof(float)); }

  // Whether headers come with signatures.
  virtual bool has_signatures() const { return false; }

  // Encodes features [first, first + count) into `block` (its buffers are reused). Thread-safe. Throws InputError at a
  // value that is not finite.
  virtual void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const = 0;

  // The first feature of the strip that a feature may be in. Bounds of the scoring pass depend on all of a strip, which
  // is therefore read as a whole.
  virtual std::int64_t strip_start(std::int64_t feature) const { return feature / kStripWidth * kStripWidth; }

  // Up to where features from `first` on are best read by one thread, which has to wait for nobody then.
  virtual std::int64_t end_of_run(std::int64_t first) const { return first + 1; }

  // Encodes the features of `ids` (ascending), each with stride 1. Cheap for a few, not for many.
  virtual void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const = 0;

  // The file that features stand in, if it is mapped.
  virtual const Paging& paging() const;

  // Like gather, and holds but a few MB of a mapped file on the way.
  virtual void gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const;

  // Features of a file in which they are scattered (Paging), in memory, under their own numbers: their values are in
  // `buffer`.
  virtual std::unique_ptr<const FeatureSource> copy(std::int64_t /*first*/, std::int64_t /*count*/,
                                                    AlignedBytes& /*buffer*/) const {
    return nullptr;
  }
};

}  // namespace land
