#include "land/formats/header_row.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_set>

#include "land/formats/parse_number.h"

namespace land {
namespace {

// Lower case, letters and digits only: "Gene Symbol", "gene_symbol" and "#GeneSymbol" are the same word.
std::string word_of(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0) word += static_cast<char>(std::tolower(byte));
  }
  return word;
}

bool is_name(const std::string& text, std::span<const std::string> names) {
  return !text.empty() && !is_numeric(text) && std::find(names.begin(), names.end(), text) != names.end();
}

bool are_distinct_indices(std::span<const std::string> cells) {
  std::unordered_set<std::string_view> seen;
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) {
    return parse_index(cell).has_value() && seen.insert(cell).second;
  });
}

}  // namespace

bool marks_sample_ids(std::string_view name) {
  const std::string word = word_of(name);
  return name.empty() || word == "id" || word == "sample";
}

bool marks_feature_names(std::string_view name) {
  constexpr std::array kWords = {
      "gene",       "genes",        "geneid",        "genename",   "genesymbol",   "symbol",  "hugosymbol",
      "name",       "names",        "feature",       "features",   "featureid",    "probe",   "probeid",
      "probeset",   "probesetid",   "idref",         "ensembl",    "ensemblid",    "entrez",  "entrezid",
      "entrezgene", "entrezgeneid", "ensemblgeneid", "transcript", "transcriptid", "rowname", "rownames",
      "variable",   "marker",       "snp",           "rsid",       "otu",          "otuid",   "protein",
      "proteinid",  "samples",      "sampleid",      "ids"};
  const std::string word = word_of(name);
  return marks_sample_ids(name) || std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool has_header(const FirstRows& rows, const ReadOptions& options) {
  const bool features = options.rows == Rows::kFeatures;
  const std::string& corner = rows.first[0];
  if (!corner.empty() && (features ? marks_feature_names(corner) : marks_sample_ids(corner))) return true;
  // pandas and R write an empty corner, and often mere numbers beside it.
  if (corner.empty() && are_distinct_indices(rows.first.subspan(1))) return true;
  if (is_name(options.id_column, rows.first) || (!features && is_name(options.target, rows.first))) return true;

  const auto id = parse_index(options.id_column);
  const auto target = parse_index(options.target);
  bool text_over_number = false;
  bool any_text = false;
  bool any_number = false;
  for (std::size_t j = 0; j < rows.first.size(); ++j) {
    const auto column = static_cast<long long>(j);
    if (column == id || (!features && column == target) || (features && !id && j == 0)) continue;
    const bool number = is_numeric(rows.first[j]);
    (number ? any_number : any_text) = true;
    if (!number && j < rows.second.size() && is_numeric(rows.second[j])) text_over_number = true;
  }
  return text_over_number || (any_text && !any_number);
}

}  // namespace land
