#include "land/subset/subset_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/subset/copy_matrix.h"
#include "land/subset/subset_source.h"

namespace land {
namespace {

using Numbers = std::vector<std::int64_t>;

class SubsetNames final : public FeatureNames {
 public:
  SubsetNames(std::shared_ptr<const FeatureNames> names, Numbers kept)
      : names_(std::move(names)), kept_(std::move(kept)) {}

  std::int64_t size() const override { return std::ssize(kept_); }
  std::string at(std::int64_t feature) const override { return names_->at(kept_[static_cast<std::size_t>(feature)]); }

 private:
  std::shared_ptr<const FeatureNames> names_;
  Numbers kept_;
};

void keep_samples_of(TargetColumn& target, const Numbers& kept) {
  keep_only(kept, target.text);
  keep_only(kept, target.numbers);
  keep_only(kept, target.events);
  target.missing = 0;
  for (std::int64_t i = 0; i < target.size(); ++i) target.missing += target.is_missing(i) ? 1 : 0;
}

// Names that a table has made, for many tables.
class SharedNames final : public FeatureNames {
 public:
  explicit SharedNames(const Table& table) {
    names_.reserve(static_cast<std::size_t>(table.features()));
    for (std::int64_t k = 0; k < table.features(); ++k) names_.push_back(table.feature_name(k));
  }

  std::int64_t size() const override { return std::ssize(names_); }
  std::string at(std::int64_t feature) const override { return names_[static_cast<std::size_t>(feature)]; }

 private:
  std::vector<std::string> names_;
};

void keep_samples(Table& table, const Numbers& kept) {
  keep_only(kept, table.sample_ids);
  if (table.pedigree) {
    keep_only(kept, table.pedigree->families);
    keep_only(kept, table.pedigree->founders);
  }
  if (table.target) keep_samples_of(*table.target, kept);
  for (TargetColumn& target : table.other_targets) keep_samples_of(target, kept);
  for (TargetColumn& covariate : table.covariates) keep_samples_of(covariate, kept);
  table.sample_numbers.keep(kept);
}

void keep_features(Table& table, const Numbers& kept) {
  keep_only(kept, table.feature_names);
  if (table.names) table.names = std::make_shared<SubsetNames>(table.names, kept);
  const auto new_number = [&](std::int64_t feature) -> std::optional<std::int64_t> {
    const auto found = std::lower_bound(kept.begin(), kept.end(), feature);
    if (found == kept.end() || *found != feature) return std::nullopt;
    return found - kept.begin();
  };
  NominalFeatures nominal;
  for (const std::int64_t feature : table.nominal.features) {
    if (const auto number = new_number(feature)) nominal.features.push_back(*number);
  }
  for (auto& [feature, words] : table.nominal.words) {
    if (const auto number = new_number(feature)) nominal.words.emplace(*number, std::move(words));
  }
  table.nominal = std::move(nominal);
  std::vector<TextFeature> text_features;
  for (TextFeature& text : table.text_features) {
    const auto number = new_number(text.feature);
    if (!number) continue;
    text.feature = *number;
    text_features.push_back(std::move(text));
  }
  table.text_features = std::move(text_features);
  table.feature_numbers.keep(kept);
}

// A subset of a subset is one of the whole.
std::shared_ptr<const FeatureSource> narrowed(const std::shared_ptr<const FeatureSource>& source, Subset subset) {
  const auto* before = dynamic_cast<const SubsetSource*>(source.get());
  if (before == nullptr) return std::make_shared<SubsetSource>(source, std::move(subset));
  const auto compose = [](std::optional<Numbers> first, std::optional<Numbers> then) {
    if (!first || !then) return first ? first : then;
    keep_only(*then, *first);
    return first;
  };
  return std::make_shared<SubsetSource>(before->source(),
                                        Subset{compose(before->subset().samples, std::move(subset.samples)),
                                               compose(before->subset().features, std::move(subset.features))});
}

}  // namespace

void subset_table(Table& table, const Subset& subset, const std::string& scratch_folder, const Context& context) {
  if (subset.is_all()) return;
  if (table.elsewhere) {
    throw InputError(fmt::format(
        "{}: samples and features cannot be left out of a block table; leave them out when it is made", table.path));
  }
  if (table.encoded) {
    table.encoded = narrowed(table.encoded, subset);
  } else if (!subset.features) {
    table.matrix.keep(*subset.samples);
  } else {
    table.matrix = copy_matrix(table.matrix, subset, scratch_folder, context);
  }
  if (subset.samples) keep_samples(table, *subset.samples);
  if (subset.features) keep_features(table, *subset.features);
}

Table without_values(const Table& table) {
  Table rest = table;
  rest.elsewhere = {table.features(), table.samples()};
  rest.matrix = {};
  rest.encoded = nullptr;
  if (rest.names || rest.feature_names.empty()) return rest;
  rest.names = std::make_shared<SharedNames>(table);
  rest.feature_names.clear();
  return rest;
}

Table of_samples(const Table& table, const SampleNumbers& samples) {
  Table part = table;
  keep_samples(part, samples);
  part.elsewhere->samples = std::ssize(samples);
  return part;
}

}  // namespace land
