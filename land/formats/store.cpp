#include "land/formats/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "land/base/aligned.h"
#include "land/base/option.h"
#include "land/files/mapped_pages.h"
#include "land/formats/find_targets.h"
#include "land/formats/take_targets.h"
#include "land/store/store_index.h"
#include "land/store/store_source.h"
#include "land/text/printable.h"

namespace land {
namespace {

// Features are used in place, where SIMD wants them aligned. A mapped file is.
Bytes aligned(const Bytes& bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.view.data()) % kCacheLine == 0) return bytes;
  const auto copy = std::make_shared<AlignedBytes>(bytes.view.size());
  std::memcpy(copy->data(), bytes.view.data(), bytes.view.size());
  return {{copy->data(), copy->size()}, copy, false};
}

TargetColumn target_of(const StoreSource& source, std::string name, std::int64_t feature, const PlaceOf& place) {
  FeatureBlock block;
  source.read(feature, 1, block);
  TargetColumn target;
  target.name = std::move(name);
  target.numbers.resize(static_cast<std::size_t>(source.samples()));
  block.view(0).copy_values(target.numbers);
  target.categorical = block.headers[0].nominal;
  for (std::int64_t i = 0; i < target.size(); ++i) {
    if (target.is_missing(i)) note_missing(place(i), target);
  }
  return target;
}

// Names of a store without that of a feature which is not one, being the target.
class StoreNames final : public FeatureNames {
 public:
  StoreNames(std::shared_ptr<const void> owner, PaddedTexts texts) : owner_(std::move(owner)), texts_(texts) {}
  void leave_out(std::int64_t feature) { left_out_ = feature; }

  std::int64_t size() const override { return texts_.size() - (left_out_ >= 0 ? 1 : 0); }
  std::string at(std::int64_t feature) const override {
    return texts_.at(feature + (left_out_ >= 0 && feature >= left_out_ ? 1 : 0));
  }

 private:
  std::shared_ptr<const void> owner_;  // of the texts
  PaddedTexts texts_;
  std::int64_t left_out_ = -1;
};

void check_options(const ReadRequest& request) {
  if (!request.options.id_column.empty()) {
    throw InputError(fmt::format("{}: {}: a store has the sample ids of the data it was made from; leave {} out",
                                 request.name, option("id", Verbatim{in_quotes(request.options.id_column)}),
                                 option("id")));
  }
  if (request.options.rows == Rows::kFeatures) {
    throw InputError(fmt::format("{}: {}: a store has no rows; leave {} out", request.name, option("rows", "features"),
                                 option("rows")));
  }
}

}  // namespace

Table read_store(const Bytes& bytes, const ReadRequest& request) {
  check_options(request);
  const Bytes file = aligned(bytes);
  StoreContents contents = read_store_index(file.view, request.name);
  if (file.mapped) release_pages(file.view, file.view);
  Table table;
  table.path = request.name;
  table.default_missing = contents.missing_default;
  std::shared_ptr<StoreNames> names;
  if (contents.feature_names.size() > 0) {
    names = std::make_shared<StoreNames>(file.owner, contents.feature_names);
  }
  table.names = names;
  table.nominal.features = std::move(contents.nominal);
  table.sample_ids = std::move(contents.sample_ids);
  table.target = std::move(contents.target);
  const auto source = std::make_shared<StoreSource>(file, request.name, std::move(contents));
  table.encoded = source;

  const std::string& wanted = request.options.target;
  if (wanted.empty() || (table.target && table.target->name == wanted)) return table;
  table.target.reset();
  const std::vector<std::string> all_names = table.all_feature_names();
  auto found = find_targets({request.name, all_names, source->features(), "feature"}, request);
  if (!found) return table;
  if (source->features() <= std::ssize(*found)) {
    throw InputError(fmt::format("{}: no feature is left beside the target {}", request.name, in_quotes(wanted)));
  }
  std::vector<PlacedTarget> targets;
  for (const std::int64_t feature : *found) {
    const std::string name = table.feature_name(feature);
    const PlaceOf place = [&request, name](std::int64_t sample) {
      return fmt::format("{}: feature {}, sample {} (counted from 0)", request.name, in_quotes(name), sample);
    };
    targets.push_back({target_of(*source, name, feature, place), place});
  }
  take_targets(std::move(targets), request.options.survival, table);
  // The source can leave out one feature; others are left out with the rest of what is (apply_subset).
  std::sort(found->begin(), found->end());
  const std::int64_t left_out = found->front();
  source->leave_out(left_out);
  if (names) names->leave_out(left_out);
  std::erase(table.nominal.features, left_out);
  for (std::int64_t& id : table.nominal.features) id -= id > left_out ? 1 : 0;
  for (std::size_t t = 1; t < found->size(); ++t) table.target_features.push_back((*found)[t] - 1);
  return table;
}

}  // namespace land
