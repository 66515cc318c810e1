#include "land/data/table.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/blocks/matrix_source.h"
#include "land/blocks/nominal_source.h"
#include "land/text/printable.h"

namespace land {

std::shared_ptr<const FeatureSource> Table::source(Missing missing) const {
  assert(!elsewhere);
  std::shared_ptr<const FeatureSource> source = encoded;
  if (!source) {
    source = std::make_shared<MatrixSource>(
        matrix, [this](std::int64_t sample, std::int64_t feature) { return cell(sample, feature); }, missing);
  }
  if (nominal.features.empty()) return source;
  const auto name = [this](std::int64_t feature) {
    return fmt::format("{}: feature {}", path, in_quotes(feature_name(feature)));
  };
  return std::make_shared<NominalSource>(std::move(source), nominal.features, name, missing);
}

std::vector<const TargetColumn*> Table::targets() const {
  std::vector<const TargetColumn*> all;
  if (target) all.push_back(&*target);
  for (const TargetColumn& other : other_targets) all.push_back(&other);
  return all;
}

void Table::check_has_features() const {
  if (features() < 1) throw InputError(fmt::format("{}: no features besides the target", path));
}

void Table::check_missing(Missing missing, std::int64_t values, std::int64_t first_feature) const {
  // A dense matrix has refused them already, with their place.
  if (missing != Missing::kError || values == 0) return;
  throw InputError(fmt::format("{}: {} missing values, the first in feature {}; choose {}", path, values,
                               feature_name(first_feature), option("missing", {"mean", "ignore", "level"})));
}

std::vector<std::string> Table::all_feature_names() const {
  if (!names) return feature_names;
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(names->size()));
  for (std::int64_t k = 0; k < names->size(); ++k) all.push_back(names->at(k));
  return all;
}

std::string Table::feature_name(std::int64_t feature) const {
  const auto k = static_cast<std::size_t>(feature);
  if (names) return names->at(feature);
  if (k < feature_names.size() && !feature_names[k].empty()) return feature_names[k];
  return fmt::format("f{}", feature_numbers[feature]);
}

std::string Table::cell(std::int64_t sample, std::int64_t feature) const {
  const std::string name = feature_name(feature);
  const std::int64_t number = sample_numbers[sample];
  if (encoded) return fmt::format("{}: feature {}, sample {} (counted from 0)", path, in_quotes(name), number);
  return fmt::format("{}: {}", path, layout.place(number, feature_numbers[feature], feature_names.empty() ? "" : name));
}

}  // namespace land
