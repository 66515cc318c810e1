#include "land/report/tsv.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>

#include "land/formats/printable.h"

namespace land {

namespace {

std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
}

}  // namespace

std::string to_tsv(const Result& result) {
  std::string text = "rank\tindex\tname\trelevance\tcoefficient\tlambda_entered\tidentical\n";
  std::int64_t rank = 0;
  for (const SelectedFeature& feature : result.selected) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\n", ++rank, feature.index,
                   escaped(feature.name), number(feature.relevance), number(feature.coefficient),
                   number(feature.lambda_entered), fmt::join(feature.identical, ","));
  }
  return text;
}

std::string to_tsv(const Neighbors& neighbors) {
  std::string text = "rank\tindex\tname\tredundancy\n";
  std::int64_t rank = 0;
  for (const Neighbor& neighbor : neighbors.neighbors) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\n", ++rank, neighbor.index, escaped(neighbor.name),
                   number(neighbor.redundancy));
  }
  return text;
}

}  // namespace land
