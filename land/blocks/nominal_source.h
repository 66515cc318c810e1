// Features of another source, some of which are nominal: categories without an order, numbered in any way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/options/options.h"

namespace land {

class NominalSource final : public FeatureSource {
 public:
  // `nominal`: their ids, ascending. `name(id)` is for errors. Nominal features come as codes, whatever the encoding
  // they had; one with more than 256 categories is an InputError, and so is one that lacks values which the mean should
  // replace.
  NominalSource(std::shared_ptr<const FeatureSource> source, std::vector<std::int64_t> nominal,
                std::function<std::string(std::int64_t)> name, Missing missing);

  std::int64_t features() const override { return source_->features(); }
  std::int64_t samples() const override { return source_->samples(); }
  std::string_view storage() const override { return source_->storage(); }
  std::int64_t bytes_each() const override { return source_->bytes_each(); }
  bool has_signatures() const override { return source_->has_signatures(); }
  std::int64_t strip_start(std::int64_t feature) const override { return source_->strip_start(feature); }
  std::int64_t end_of_run(std::int64_t first) const override { return source_->end_of_run(first); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  const Paging& paging() const override { return source_->paging(); }
  void gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  std::unique_ptr<const FeatureSource> copy(std::int64_t first, std::int64_t count,
                                            AlignedBytes& buffer) const override;

 private:
  void mark(FeatureBlock& block) const;

  std::shared_ptr<const FeatureSource> source_;
  std::vector<std::int64_t> nominal_;
  std::function<std::string(std::int64_t)> name_;
  Missing missing_;
};

}  // namespace land
