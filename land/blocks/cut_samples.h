// Encoded features -> the same features of some of their samples, encoded again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "land/blocks/encode_floats.h"
#include "land/blocks/feature_block.h"
#include "land/blocks/signature.h"

namespace land {

// Numbers of samples, ascending.
using SampleNumbers = std::vector<std::int64_t>;

// Sparse features stay sparse, genotypes packed, strips strips, nominal features codes; what else there is takes the
// encoding that its values have on these samples. Everything in the headers is that of these samples. What comes out
// depends on the features alone, not on the block: a strip on the strip. Only what stands in a strip before does so
// afterwards, so bounds of the scoring pass may be others than those of a matrix that was copied. Thread-safe.
class SampleCut {
 public:
  // `kept`: at least one, all below `samples`. `is_signed`: with signatures.
  SampleCut(std::int64_t samples, std::shared_ptr<const SampleNumbers> kept, bool is_signed);

  std::int64_t samples() const { return kept_; }  // that are left
  const std::shared_ptr<const SampleNumbers>& numbers() const { return numbers_; }

  // All features of a block, under the same numbers. `to` is cleared.
  void cut(const FeatureBlock& from, FeatureBlock& to) const;
  // Appends one feature, with stride 1, as `id`. The block has as many samples as are left.
  void append(const FeatureView& from, std::int64_t id, FeatureBlock& to) const;

 private:
  void append_packed(const FeatureView& from, std::int64_t id, FeatureBlock& to) const;
  template <class Row>  // how samples are numbered: sample_numbers.h
  void append_sparse(const FeatureView& from, std::int64_t id, FeatureBlock& to) const;
  bool append_floats(const FeatureView& from, std::int64_t id, FeatureBlock& to) const;
  void append_values(const FeatureView& from, std::int64_t id, FeatureBlock& to) const;
  // The strip that a feature stands in, with all that stands beside it.
  void put_strip(const float* strip, StripRun& run, FeatureBlock& to) const;
  // What goes for the last feature of the block, whatever its encoding.
  void finish(const FeatureHeader& from, FeatureBlock& to) const;

  std::shared_ptr<const SampleNumbers> numbers_;
  std::int64_t kept_;
  std::optional<Signer> signer_;
  std::vector<std::int64_t> position_;      // of every sample, -1 if it is left out
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one for each sample that is left
  std::vector<std::uint64_t> everyone_;     // a mask of all that are left, for genotypes
};

}  // namespace land
