// Some features of another source, over some of its samples, under numbers of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/blocks/signature.h"
#include "land/subset/subset.h"

namespace land {

// Nothing is copied ahead: a feature is read from the source and cut down when it is asked for. Sparse features stay
// sparse, genotypes stay packed; their cost is that of the source's feature.
class SubsetSource final : public FeatureSource, private Paging {
 public:
  SubsetSource(std::shared_ptr<const FeatureSource> source, Subset subset);

  std::int64_t features() const override;
  std::int64_t samples() const override { return samples_; }
  std::string_view storage() const override { return source_->storage(); }
  std::int64_t bytes_each() const override { return source_->bytes_each(); }
  bool has_signatures() const override { return source_->has_signatures(); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  const Paging& paging() const override { return *this; }

  const std::shared_ptr<const FeatureSource>& source() const { return source_; }
  const Subset& subset() const { return subset_; }

 private:
  std::span<const std::byte> file() const override { return source_->paging().file(); }
  // With those between them that are left out.
  std::span<const std::byte> bytes_of(std::int64_t first, std::int64_t count) const override;
  std::int64_t number_of(std::int64_t feature) const;
  // Appends a feature of the source as feature `id`.
  void add(const FeatureView& from, std::int64_t id, FeatureBlock& block) const;
  void add_packed(const FeatureView& from, std::int64_t id, FeatureBlock& block) const;
  template <class Row>  // how samples are numbered: sample_numbers.h
  void add_sparse(const FeatureView& from, std::int64_t id, FeatureBlock& block) const;
  void add_dense(const FeatureView& from, std::int64_t id, FeatureBlock& block) const;

  std::shared_ptr<const FeatureSource> source_;
  Subset subset_;
  std::int64_t samples_;
  std::optional<Signer> signer_;            // where there are signatures, of fewer samples
  std::vector<std::int64_t> position_;      // of every sample of the source, -1 if it is left out
  std::vector<std::uint32_t> multipliers_;  // of the checksum, one per sample
  std::vector<std::uint64_t> everyone_;     // a mask of all samples, for genotypes
};

}  // namespace land
