// Some features of another source, over some of its samples, under numbers of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "land/blocks/cut_samples.h"
#include "land/blocks/feature_source.h"
#include "land/subset/subset.h"

namespace land {

// Nothing is copied ahead: a feature is read from the source and cut down (SampleCut) when it is asked for; its cost is
// that of the source's feature.
class SubsetSource final : public FeatureSource, private Paging {
 public:
  SubsetSource(std::shared_ptr<const FeatureSource> source, Subset subset);

  std::int64_t features() const override;
  std::int64_t samples() const override { return cut_ ? cut_->samples() : source_->samples(); }
  std::string_view storage() const override { return source_->storage(); }
  std::int64_t bytes_each() const override { return source_->bytes_each(); }
  bool has_signatures() const override { return source_->has_signatures(); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  std::int64_t strip_start(std::int64_t feature) const override;
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

  std::shared_ptr<const FeatureSource> source_;
  Subset subset_;
  std::optional<SampleCut> cut_;  // where samples are left out
};

}  // namespace land
