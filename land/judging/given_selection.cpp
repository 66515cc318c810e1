#include "land/judging/given_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/files/mapped_file.h"
#include "land/results/schema_version.h"
#include "land/text/printable.h"

namespace land {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& source, const std::string& why) {
  throw InputError(
      fmt::format("{}: this is no selection: {}; give the JSON of a result of {}", source, why, command("select")));
}

// The member of an object, which must be of the kind.
const Json& member(const Json& object, const char* name, bool (Json::*is_kind)() const noexcept,
                   const std::string& source) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end() || !((*found).*is_kind)()) {
    refuse(source, fmt::format("its field '{}' is missing, or of another kind", name));
  }
  return *found;
}

GivenSelection::Feature feature_of(const Json& one, const std::string& source) {
  GivenSelection::Feature feature;
  feature.index = member(one, "index", &Json::is_number_integer, source).get<std::int64_t>();
  feature.name = member(one, "name", &Json::is_string, source).get<std::string>();
  return feature;
}

// Among those used.
std::optional<std::int64_t> place_of_number(const Table& table, std::int64_t number) {
  const std::int64_t place = table.feature_numbers.find(number);
  if (place < 0 || place >= table.features() || table.feature_numbers[place] != number) return std::nullopt;
  return place;
}

}  // namespace

GivenSelection parse_selection(std::string_view json, std::string source) {
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) refuse(source, "it is not JSON");
  const Json& version = member(document, "schema_version", &Json::is_number_integer, source);
  if (version != kSchemaVersion) {
    refuse(source, fmt::format("its schema_version is {}, not {}", version.dump(), kSchemaVersion));
  }
  const Json& data = member(document, "data", &Json::is_object, source);
  GivenSelection selection;
  selection.method = member(document, "method", &Json::is_string, source).get<std::string>();
  selection.table = member(data, "path", &Json::is_string, source).get<std::string>();
  selection.fingerprint = member(data, "fingerprint", &Json::is_string, source).get<std::string>();
  std::set<std::int64_t> seen;
  for (const Json& one : member(document, "selected", &Json::is_array, source)) {
    selection.features.push_back(feature_of(one, source));
    if (!seen.insert(selection.features.back().index).second) {
      refuse(source, fmt::format("feature {} is there twice", in_quotes(selection.features.back().name)));
    }
  }
  selection.source = std::move(source);
  return selection;
}

GivenSelection read_selection(const std::string& path, const Context& context) {
  const Bytes file = open_bytes(path, context);
  return parse_selection({reinterpret_cast<const char*>(file.view.data()), file.view.size()}, path);
}

std::vector<std::int64_t> find_selected(const GivenSelection& selection, const Table& table, bool same_table) {
  std::vector<std::int64_t> places;
  std::multimap<std::string, std::int64_t> named;  // of all features, once it is needed
  for (const auto& [number, name] : selection.features) {
    const std::optional<std::int64_t> place = place_of_number(table, number);
    if (place && table.feature_name(*place) == name) {
      places.push_back(*place);
      continue;
    }
    for (std::int64_t k = std::ssize(named); k < table.features(); ++k) named.emplace(table.feature_name(k), k);
    const auto count = named.count(name);
    if (count > 1) {
      throw InputError(fmt::format("{}: {} features of {} are called {}; give the table that the selection is from, {}",
                                   selection.source, count, table.path, in_quotes(name), selection.table));
    }
    if (count == 1) {
      places.push_back(named.find(name)->second);
    } else if (same_table && place) {
      places.push_back(*place);
    } else {
      throw InputError(
          fmt::format("{}: {} has no feature {}, or leaves it out; give the table that the selection is from, {}",
                      selection.source, table.path, in_quotes(name), selection.table));
    }
  }
  return places;
}

}  // namespace land
