#include "land/report/tsv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "land/text/printable.h"
#include "land/text/quoted_cell.h"

namespace land {

namespace {

std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
}

using Cells = std::vector<std::vector<std::string>>;

// A row for the header and one for each feature.
Cells cells_of(const Result& result) {
  Cells rows = {
      {"rank", "index", "name", "relevance", "coefficient", "lambda_entered", "identical", "identical_names"}};
  const bool scored = std::any_of(result.selected.begin(), result.selected.end(),
                                  [](const SelectedFeature& feature) { return feature.score.has_value(); });
  if (scored) rows[0].emplace_back("score");
  if (result.permutations) rows[0].insert(rows[0].end(), {"p_fwer", "expected_by_chance", "q"});
  const bool neighbors = result.options.neighbors > 0;
  if (neighbors) rows[0].emplace_back("neighbors");
  for (const SelectedFeature& feature : result.selected) {
    std::vector<std::string>& row = rows.emplace_back();
    row = {std::to_string(rows.size() - 1),
           std::to_string(feature.index),
           feature.name,
           number(feature.relevance),
           number(feature.coefficient),
           number(feature.lambda_entered),
           fmt::format("{}", fmt::join(feature.identical, ",")),
           fmt::format("{}", fmt::join(feature.identical_names, ","))};
    if (scored) row.push_back(number(feature.score));
    if (result.permutations) {
      row.insert(row.end(), {number(feature.p_fwer), number(feature.expected_by_chance), number(feature.q)});
    }
    if (!neighbors) continue;
    std::vector<std::string> list;
    for (const auto& [index, name, redundancy] : feature.neighbors)
      list.push_back(fmt::format("{}:{:.4f}", name, redundancy));
    row.push_back(fmt::format("{}", fmt::join(list, ",")));
  }
  return rows;
}

// The target before each row, under one header.
Cells cells_of(std::span<const Result> results) {
  Cells rows;
  for (const Result& result : results) {
    Cells own = cells_of(result);
    for (std::size_t r = rows.empty() ? 0 : 1; r < own.size(); ++r) {
      own[r].insert(own[r].begin(), r == 0 ? "target" : result.target.name);
      rows.push_back(std::move(own[r]));
    }
  }
  return rows;
}

// A row for the header and one for each selection.
Cells cells_of(const std::vector<JudgedSelection>& selections) {
  Cells rows = {{"selection", "method", "selected", "reduction", "independence", "nhsic"}};
  for (const JudgedSelection& one : selections) {
    rows.push_back({one.source, one.method, std::to_string(one.indices.size()), number(one.metrics.reduction),
                    number(one.metrics.independence), number(one.metrics.dependence)});
  }
  return rows;
}

// A row for the header and one for each method and m.
Cells cells_of(const std::vector<MethodSummary>& summary) {
  Cells rows = {{"method", "m", "selected", "reduction", "independence", "independence_error", "nhsic", "nhsic_error",
                 "stability", "seconds"}};
  for (const MethodSummary& one : summary) {
    rows.push_back({one.method, std::to_string(one.m), number(one.selected), number(one.reduction),
                    number(one.independence.mean), number(one.independence.error), number(one.dependence.mean),
                    number(one.dependence.error), number(one.stability), fmt::format("{:.3g}", one.seconds)});
  }
  return rows;
}

Cells cells_of(const Evaluation& evaluation) {
  return evaluation.over_folds ? cells_of(evaluation.summary) : cells_of(evaluation.selections);
}

// A row for the header and one for each feature.
Cells cells_of(const Stability& stability) {
  Cells rows = {{"rank", "index", "name", "frequency", "group_frequency", "group_members", "stable"}};
  for (const FeatureFrequency& feature : stability.features) {
    rows.push_back({std::to_string(rows.size()), std::to_string(feature.index), feature.name, number(feature.frequency),
                    number(feature.group_frequency), fmt::format("{}", fmt::join(feature.group_names, ",")),
                    feature.stable ? "yes" : "no"});
  }
  return rows;
}

template <class Write>
std::string to_text(const Cells& cells, char delimiter, const Write& write) {
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += delimiter;
      text += write(row[c]);
    }
    text += '\n';
  }
  return text;
}

std::string tabbed(const Cells& cells) { return to_text(cells, '\t', escaped); }

std::string with_commas(const Cells& cells) {
  return to_text(cells, ',', [](const std::string& cell) { return quoted_cell(cell, ','); });
}

}  // namespace

std::string to_tsv(const Result& result) { return tabbed(cells_of(result)); }

std::string to_csv(const Result& result) { return with_commas(cells_of(result)); }

std::string to_tsv(std::span<const Result> results) { return tabbed(cells_of(results)); }

std::string to_csv(std::span<const Result> results) { return with_commas(cells_of(results)); }

std::string to_tsv(const Evaluation& evaluation) { return tabbed(cells_of(evaluation)); }

std::string to_csv(const Evaluation& evaluation) { return with_commas(cells_of(evaluation)); }

std::string to_tsv(const Stability& stability) { return tabbed(cells_of(stability)); }

std::string to_csv(const Stability& stability) { return with_commas(cells_of(stability)); }

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
