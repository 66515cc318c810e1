#include "land/blocks/nominal_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/blocks/encode_column.h"

namespace land {

NominalSource::NominalSource(std::shared_ptr<const FeatureSource> source, std::vector<std::int64_t> nominal,
                             std::function<std::string(std::int64_t)> name, Missing missing)
    : source_(std::move(source)), nominal_(std::move(nominal)), name_(std::move(name)), missing_(missing) {}

void NominalSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  source_->read(first, count, block);
  mark(block);
}

void NominalSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  source_->gather(ids, block);
  mark(block);
}

void NominalSource::gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  source_->gather_sparingly(ids, block);
  mark(block);
}

std::unique_ptr<const FeatureSource> NominalSource::copy(std::int64_t first, std::int64_t count,
                                                         AlignedBytes& buffer) const {
  std::shared_ptr<const FeatureSource> window = source_->copy(first, count, buffer);
  return window ? std::make_unique<NominalSource>(std::move(window), nominal_, name_, missing_) : nullptr;
}

void NominalSource::mark(FeatureBlock& block) const {
  const auto is_nominal = [this](const FeatureHeader& header) {
    return std::binary_search(nominal_.begin(), nominal_.end(), header.id);
  };
  const auto must_encode = [&](const FeatureHeader& header) {
    return is_nominal(header) && header.encoding != Encoding::kCodes;
  };
  if (block.elsewhere != nullptr && std::any_of(block.headers.begin(), block.headers.end(), must_encode)) {
    // Nothing can be added to bytes that the source keeps.
    FeatureBlock copy;
    copy.clear(block.samples);
    for (std::int64_t k = 0; k < block.features(); ++k) copy.append_feature(block.view(k));
    block = std::move(copy);
  }
  for (std::int64_t k = 0; k < block.features(); ++k) {
    FeatureHeader& header = block.headers[static_cast<std::size_t>(k)];
    if (!is_nominal(header)) continue;
    if (header.missing > 0 && missing_ == Missing::kMean) {
      throw InputError(fmt::format("{} is nominal and lacks values, and categories have no mean; choose {}",
                                   name_(header.id), option("missing", {"ignore", "level"})));
    }
    if (must_encode(header) && !encode_categories(k, block)) {
      throw InputError(fmt::format("{} is nominal and has more than {} categories; leave it out if it is an id",
                                   name_(header.id), kMostNominal));
    }
    block.headers[static_cast<std::size_t>(k)].nominal = true;
    block.headers[static_cast<std::size_t>(k)].signature = 0;
  }
}

}  // namespace land
