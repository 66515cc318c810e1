#include "land/subset/subset_source.h"

#include <utility>
#include <vector>

namespace land {

SubsetSource::SubsetSource(std::shared_ptr<const FeatureSource> source, Subset subset)
    : source_(std::move(source)), subset_(std::move(subset)) {
  if (!subset_.samples) return;
  cut_.emplace(source_->samples(), std::make_shared<const SampleNumbers>(*subset_.samples), source_->has_signatures());
}

std::int64_t SubsetSource::features() const {
  return subset_.features ? std::ssize(*subset_.features) : source_->features();
}

std::int64_t SubsetSource::number_of(std::int64_t feature) const {
  return subset_.features ? (*subset_.features)[static_cast<std::size_t>(feature)] : feature;
}

void SubsetSource::read(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
  static thread_local FeatureBlock run;
  if (cut_ && !subset_.features) {
    source_->read(first, count, run);
    cut_->cut(run, block);
    return;
  }
  block.clear(samples());
  block.headers.reserve(static_cast<std::size_t>(count));
  const std::int64_t last = first + count;
  while (first < last) {
    // Neighbours in the source are read together.
    const std::int64_t number = number_of(first);
    std::int64_t length = 1;
    while (first + length < last && number_of(first + length) == number + length) ++length;
    source_->read(number, length, run);
    for (std::int64_t k = 0; k < length; ++k) add(run.view(k), first + k, block);
    first += length;
  }
}

// Where features are left out, neighbours of the source are none here: there are no strips.
std::int64_t SubsetSource::strip_start(std::int64_t feature) const {
  return subset_.features ? FeatureSource::strip_start(feature) : source_->strip_start(feature);
}

void SubsetSource::gather(std::span<const std::int64_t> ids, FeatureBlock& block) const {
  block.clear(samples());
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const std::int64_t id : ids) numbers.push_back(number_of(id));
  FeatureBlock found;
  source_->gather(numbers, found);
  for (std::size_t t = 0; t < ids.size(); ++t) add(found.view(static_cast<std::int64_t>(t)), ids[t], block);
}

std::span<const std::byte> SubsetSource::bytes_of(std::int64_t first, std::int64_t count) const {
  if (count < 1) return {};
  return source_->paging().bytes_of(number_of(first), number_of(first + count - 1) - number_of(first) + 1);
}

void SubsetSource::add(const FeatureView& from, std::int64_t id, FeatureBlock& block) const {
  if (cut_) {
    cut_->append(from, id, block);
    return;
  }
  block.append_feature(from);
  block.headers.back().id = id;
}

}  // namespace land
