#include "land/formats/target_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "land/base/option.h"
#include "land/files/gzip.h"
#include "land/files/mapped_file.h"
#include "land/formats/detect_format.h"
#include "land/formats/find_column.h"
#include "land/formats/find_targets.h"
#include "land/formats/header_row.h"
#include "land/formats/npy.h"
#include "land/formats/npz.h"
#include "land/formats/plink.h"
#include "land/formats/take_targets.h"
#include "land/formats/target_cells.h"
#include "land/formats/target_values.h"
#include "land/text/id_words.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// What is wanted of a file.
struct Wanted {
  std::string path;
  std::vector<std::string> columns;  // by name or number; none: the only one there is, or all of covariates
  bool covariates = false;
  const char* key() const { return covariates ? "adjust" : "target"; }
  const char* what() const { return covariates ? "covariate" : "target"; }
};

// The columns of a text file that matter.
struct Layout {
  std::vector<std::size_t> values;
  std::vector<std::size_t> ids;  // none, one, or PLINK's two: family and individual
  bool has_value(std::size_t column) const { return std::find(values.begin(), values.end(), column) != values.end(); }
};

// Values beside ids, brought into the order of the samples.
class JoinedText {
 public:
  JoinedText(TargetCells cells, const Wanted& file, const ReadOptions& options, const Table& table)
      : cells_(std::move(cells)), file_(file), options_(options), table_(table) {
    layout_.values = value_columns();
    layout_.ids = id_columns();
    if (layout_.values.empty()) layout_.values = all_but_ids();
  }

  // One for each of the value columns.
  std::vector<PlacedTarget> read(Matching& matching) {
    if (cells_.rows() == 0) {
      throw InputError(fmt::format("{}: the table has {} but no rows of values below", file_.path, "a header"));
    }
    const bool has_ids = !layout_.ids.empty();
    if (options_.by_position || (!has_ids && table_.sample_ids.empty())) return take_in_order(matching);
    if (!has_ids) {
      throw InputError(
          fmt::format("{}: no ids beside the {} values, but {} has sample ids; put the ids beside the values, or say "
                      "{} if both are in the same order",
                      file_.path, cells_.rows(), table_.path, option("by-position")));
    }
    if (table_.sample_ids.empty()) {
      throw InputError(
          fmt::format("{}: has ids ({}), but {} has none; name the column of ids there with {}, or say {} if both are "
                      "in the same order",
                      file_.path, title_of(layout_.ids[0]), table_.path, option("id"), option("by-position")));
    }
    return join(matching);
  }

 private:
  ColumnLookup lookup() const { return {file_.path, cells_.names, std::ssize(cells_.columns), "column"}; }

  std::string title_of(std::size_t column) const {
    if (!cells_.names.empty() && !cells_.names[column].empty()) return "column " + in_quotes(cells_.names[column]);
    return fmt::format("column {}", column + 1);
  }

  std::vector<std::size_t> value_columns() const {
    if (!file_.covariates) {
      if (file_.columns.empty()) return {only_column()};
      const std::vector<std::int64_t> found = find_targets_in_file(lookup(), file_.columns[0], options_);
      return {found.begin(), found.end()};
    }
    // Empty: all but the ids, once these are known.
    std::vector<std::size_t> values;
    for (const std::string& column : file_.columns) {
      const auto found = find_column(lookup(), column);
      if (!found) throw_no_column(lookup(), file_.key(), column);
      values.push_back(static_cast<std::size_t>(*found));
    }
    if (values.empty() && cells_.columns.size() <= 2) values.push_back(only_column());
    return values;
  }

  // The target may stand in the same file.
  std::vector<std::size_t> all_but_ids() const {
    const std::optional<TargetFile> target = find_target_file(options_.target);
    std::vector<std::int64_t> left_out(layout_.ids.begin(), layout_.ids.end());
    if (target && target->path == file_.path && !target->column.empty()) {
      const std::vector<std::int64_t> targets = find_targets_in_file(lookup(), target->column, options_);
      left_out.insert(left_out.end(), targets.begin(), targets.end());
    }
    std::vector<std::size_t> values;
    for (std::size_t c = 0; c < cells_.columns.size(); ++c) {
      const auto found = std::find(left_out.begin(), left_out.end(), static_cast<std::int64_t>(c));
      if (found == left_out.end()) values.push_back(c);
    }
    return values;
  }

  std::size_t only_column() const {
    const std::size_t columns = cells_.columns.size();
    if (options_.survival && !file_.covariates) {
      throw InputError(fmt::format("{}: say which of its columns are time and event, with {}", file_.path,
                                   option("survival", file_.path + ":TIME,EVENT")));
    }
    if (columns == 2 && !cells_.names.empty() && marks_sample_ids(cells_.names[1]) &&
        !marks_sample_ids(cells_.names[0])) {
      return 0;
    }
    if (columns <= 2) return columns - 1;
    if (columns == 3 && table_.pedigree) return 2;
    std::string list;
    constexpr std::size_t kShown = 8;
    for (std::size_t c = 0; c < std::min(kShown, columns); ++c) {
      list += (c == 0 ? "" : ", ") + (cells_.names.empty() ? std::to_string(c) : in_quotes(cells_.names[c]));
    }
    throw InputError(fmt::format("{}: {} columns; say which is the target with {} (its columns are {}{})", file_.path,
                                 columns, option("target", file_.path + ":COLUMN"), list,
                                 columns > kShown ? ", ..." : ""));
  }

  // PLINK's first two columns, whatever else there is.
  bool begins_with_families() const {
    if (!table_.pedigree || cells_.columns.size() < 3 || layout_.has_value(0) || layout_.has_value(1)) return false;
    if (!cells_.names.empty()) return cells_.names[1] == "IID";
    return true;
  }

  std::vector<std::size_t> id_columns() const {
    if (!options_.target_id.empty()) {
      const auto found = find_column(lookup(), options_.target_id);
      if (found) return {static_cast<std::size_t>(*found)};
      // Covariates may stand in another file than the target, with a column of ids of its own.
      if (!file_.covariates) throw_no_column(lookup(), "target-id", options_.target_id);
    }
    if (begins_with_families()) return {0, 1};
    if (cells_.columns.size() == layout_.values.size()) return {};
    if (cells_.columns.size() == 2) return {1 - layout_.values[0]};
    return best_id_column();
  }

  // A column of ids has each of the table's ids once at most. One headed as ids comes before one that merely has such
  // values: ages and ranks look like numbered samples. (Ids with letters cannot be mistaken: a clinical table may have
  // those of patients first.) Whatever is not clear is asked for.
  std::vector<std::size_t> best_id_column() const {
    std::optional<std::size_t> marked;
    for (std::size_t c = 0; c < cells_.names.size() && !marked; ++c) {
      if (!layout_.has_value(c) && marks_sample_ids(cells_.names[c])) marked = c;
    }
    if (table_.sample_ids.empty()) return marked ? std::vector<std::size_t>{*marked} : std::vector<std::size_t>();
    const std::unordered_set<std::string_view> known(table_.sample_ids.begin(), table_.sample_ids.end());
    std::size_t best = 0;
    std::int64_t most = 0;
    std::optional<std::size_t> rival;
    for (std::size_t c = 0; c < cells_.columns.size(); ++c) {
      if (layout_.has_value(c)) continue;
      const std::int64_t found = count_ids(cells_.columns[c], known);
      if (marked == c && found > 0) return {c};
      if (found > 0 && found == most) rival = c;
      if (found <= most) continue;
      most = found;
      best = c;
      rival.reset();
    }
    const std::int64_t enough = (std::min<std::int64_t>(cells_.rows(), std::ssize(table_.sample_ids)) + 1) / 2;
    if (most == 0) return {marked.value_or(0)};  // that none matches is said when they are joined
    const auto is_number = [](const std::string& id) { return parse_number(id).has_value(); };
    const bool numbered = std::any_of(table_.sample_ids.begin(), table_.sample_ids.end(), is_number);
    if (rival || most < enough || (marked && numbered)) {
      throw InputError(
          fmt::format("{}: not clear which column holds the ids of {}: {} has {} of them{}; name it with {}",
                      file_.path, table_.path, title_of(best), most,
                      marked  ? fmt::format(", {} none", title_of(*marked))
                      : rival ? fmt::format(", and so has {}", title_of(*rival))
                              : "",
                      option("target-id")));
    }
    return {best};
  }

  // How many of the ids a column has; 0 if it has one of them twice.
  static std::int64_t count_ids(const std::vector<std::string>& column,
                                const std::unordered_set<std::string_view>& known) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& cell : column) {
      if (known.contains(cell) && !seen.insert(cell).second) return 0;
    }
    return std::ssize(seen);
  }

  std::string name(std::size_t column) const {
    if (!cells_.names.empty() && !cells_.names[column].empty()) return cells_.names[column];
    if (layout_.values.size() > 1 || file_.covariates) {
      return cells_.columns.size() == 1 ? base_name(file_.path) : fmt::format("column {}", column);
    }
    return file_.columns.empty() ? base_name(file_.path) : file_.columns[0];
  }

  std::string place(std::int64_t row, std::size_t column) const {
    return fmt::format("{}: row {}, column {}", file_.path, cells_.lines[static_cast<std::size_t>(row)], column + 1);
  }

  NumberStyle style() const { return NumberStyle(options_.na, cells_.decimal_comma); }

  std::vector<PlacedTarget> take_in_order(Matching& matching) const {
    check_target_length(cells_.rows(), file_.path, table_, file_.what());
    std::vector<PlacedTarget> taken;
    for (const std::size_t column : layout_.values) {
      PlaceOf place_of = [this, column](std::int64_t i) { return place(i, column); };
      taken.push_back({target_from_text(name(column), values(column), place_of, style(), file_.what()), place_of});
    }
    matching = {Matching::How::kOrder, table_.samples(), cells_.rows(), cells_.rows()};
    return taken;
  }

  // As written; PLINK's ways to say that a phenotype is not known are those of other tables, too.
  std::vector<std::string> values(std::size_t column) const {
    std::vector<std::string> texts = cells_.columns[column];
    if (layout_.ids.size() == 2 && !file_.covariates) settle_case_control(texts);
    if (table_.samples_may_lack_target) {
      for (std::string& text : texts) {
        if (text == "-9" || text == ".") text.clear();
      }
    }
    return texts;
  }

  std::string key_of_row(std::size_t row) const {
    const std::string& first = cells_.columns[layout_.ids[0]][row];
    return layout_.ids.size() == 1 ? first : first + " " + cells_.columns[layout_.ids[1]][row];
  }

  std::string key_of_sample(std::size_t sample) const {
    const std::string& id = table_.sample_ids[sample];
    // Individuals that are not unique have their family before them already.
    if (layout_.ids.size() == 1 || id.find(' ') != std::string::npos) return id;
    return table_.pedigree->families[sample] + " " + id;
  }

  std::unordered_map<std::string, std::size_t> index_samples() const {
    std::unordered_map<std::string, std::size_t> sample_of;
    sample_of.reserve(table_.sample_ids.size());
    for (std::size_t i = 0; i < table_.sample_ids.size(); ++i) {
      if (sample_of.emplace(key_of_sample(i), i).second) continue;
      throw InputError(
          fmt::format("{}: sample {} occurs twice; to join on ids each must be there once, or say "
                      "{} if both files are in the same order",
                      table_.path, in_quotes(table_.sample_ids[i]), option("by-position")));
    }
    return sample_of;
  }

  [[noreturn]] void throw_repeated(std::size_t first, std::size_t second) const {
    const std::vector<std::string>& texts = cells_.columns[layout_.values[0]];
    throw InputError(fmt::format("{}: sample {} occurs twice, in rows {} and {}, with the values {} and {}; keep one",
                                 file_.path, in_quotes(key_of_row(second)), cells_.lines[first], cells_.lines[second],
                                 in_quotes(texts[first]), in_quotes(texts[second])));
  }

  [[noreturn]] void throw_none_common() const {
    throw InputError(fmt::format(
        "{}: 0 of its {} ids ({}) are among the {} samples of {}: it has {}, there is {}; name the column of ids with "
        "{}, or say {} if both are in the same order",
        file_.path, cells_.rows(), title_of(layout_.ids[0]), table_.samples(), table_.path, in_quotes(key_of_row(0)),
        in_quotes(key_of_sample(0)), option("target-id"), option("by-position")));
  }

  std::vector<PlacedTarget> join(Matching& matching) const {
    const auto sample_of = index_samples();
    std::vector<std::size_t> row_of(table_.sample_ids.size(), kNone);
    matching = {Matching::How::kIds, table_.samples(), cells_.rows(), 0};
    matching.file = file_.path;
    if (!cells_.names.empty()) matching.id_column = cells_.names[layout_.ids.back()];
    for (std::size_t r = 0; r < cells_.lines.size(); ++r) {
      const auto sample = sample_of.find(key_of_row(r));
      if (sample == sample_of.end()) {
        if (matching.first_extra.empty()) matching.first_extra = key_of_row(r);
        continue;
      }
      std::size_t& row = row_of[sample->second];
      if (row != kNone) throw_repeated(row, r);
      row = r;
      ++matching.common;
    }
    if (matching.common == 0) throw_none_common();
    // Of PLINK's files it is usual that they lack samples: those just have no phenotype.
    if (matching.common < matching.samples && (layout_.ids.size() == 1 || file_.covariates)) {
      for (const std::size_t row : row_of) matching.unmatched.push_back(row == kNone);
    }
    std::vector<PlacedTarget> taken;
    const auto rows = std::make_shared<const std::vector<std::size_t>>(std::move(row_of));
    for (const std::size_t column : layout_.values) taken.push_back(joined(column, rows));
    return taken;
  }

  // By sample; `row_of` each of them, or kNone.
  PlacedTarget joined(std::size_t column, const std::shared_ptr<const std::vector<std::size_t>>& row_of) const {
    const std::vector<std::string> all = values(column);
    std::vector<std::string> texts;
    for (const std::size_t row : *row_of) texts.push_back(row == kNone ? std::string() : all[row]);
    PlaceOf place_of = [this, column, row_of](std::int64_t i) {
      const std::size_t row = (*row_of)[static_cast<std::size_t>(i)];
      if (row != kNone) return place(static_cast<std::int64_t>(row), column);
      return fmt::format("{}: sample {}", file_.path, in_quotes(table_.sample_ids[static_cast<std::size_t>(i)]));
    };
    return {target_from_text(name(column), std::move(texts), place_of, style(), file_.what()), place_of};
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  TargetCells cells_;
  const Wanted& file_;
  const ReadOptions& options_;
  const Table& table_;
  Layout layout_;
};

void take_array(TargetColumn column, const TargetFile& file, const ReadOptions& options, Table& table) {
  if (options.survival) {
    throw InputError(fmt::format("{}: an array has no columns of time and event; give them in a table",
                                 option("survival", file.path)));
  }
  if (!file.column.empty()) {
    throw InputError(fmt::format("{}: an array has no columns by name; give the file alone",
                                 option("target", file.path + ":" + file.column)));
  }
  check_target_length(column.size(), file.path, table);
  if (!table.sample_ids.empty() && !options.by_position) {
    throw InputError(fmt::format("{}: an array has no ids, but {} has; say {} if both are in the same order", file.path,
                                 table.path, option("by-position")));
  }
  table.matching = {Matching::How::kOrder, table.samples(), column.size(), column.size()};
  table.target = std::move(column);
}

}  // namespace

void check_target_length(std::int64_t values, const std::string& name, const Table& table, const char* what) {
  if (values == table.samples()) return;
  throw InputError(fmt::format("{}: the {} has {} values, {} has {} samples; they must match (or is {} meant?)", name,
                               what, values, table.path, table.samples(),
                               option("rows", table.layout.rows_are_features ? "samples" : "features")));
}

std::optional<TargetFile> find_target_file(const std::string& target) {
  if (file_exists(target)) return TargetFile{target, ""};
  for (std::size_t colon = target.rfind(':'); colon != std::string::npos && colon > 0;
       colon = target.rfind(':', colon - 1)) {
    if (file_exists(target.substr(0, colon))) return TargetFile{target.substr(0, colon), target.substr(colon + 1)};
  }
  return std::nullopt;
}

void read_target_bytes(const Bytes& bytes, const TargetFile& file, const ReadOptions& options, const Context& context,
                       Table& table) {
  const std::string& name = file.path;
  const Bytes plain = is_gzip(bytes.view) ? gunzip(bytes, name, context) : bytes;
  switch (detect_format(plain.view, name)) {
    case Format::kNpy:
      take_array(npy_target(open_npy(plain, name), name, base_name(name), context), file, options, table);
      break;
    case Format::kNpz:
      take_array(read_npz_target(plain, {name, options, context}), file, options, table);
      break;
    case Format::kBed:
      throw InputError(name + ": genotypes are no target");
    case Format::kSvmlight:
    case Format::kMatrixMarket:
      throw InputError(name + ": a sparse matrix is no target; give one value a line");
    case Format::kStore:
      throw InputError(fmt::format("{}: a store, which holds a table; name its column: give the store as DATA", name));
    case Format::kText: {
      const Wanted wanted{name, file.column.empty() ? std::vector<std::string>() : std::vector{file.column}};
      JoinedText text(read_target_cells(plain, name, file.column, table, context), wanted, options, table);
      take_targets(text.read(table.matching), options.survival, table);
      break;
    }
  }
  table.target->path = name;
  for (TargetColumn& target : table.other_targets) target.path = name;
}

std::optional<CovariatesFile> find_covariates_file(std::span<const std::string> words) {
  if (words.empty()) return std::nullopt;
  const std::optional<TargetFile> first = find_target_file(words[0]);
  if (!first) return std::nullopt;
  CovariatesFile file{first->path, {}};
  if (!first->column.empty()) file.columns.push_back(first->column);
  file.columns.insert(file.columns.end(), words.begin() + 1, words.end());
  return file;
}

void read_covariates_file(const CovariatesFile& file, const ReadOptions& options, const Context& context,
                          Table& table) {
  const Bytes bytes = open_bytes(file.path, context);
  const Bytes plain = is_gzip(bytes.view) ? gunzip(bytes, file.path, context) : bytes;
  if (detect_format(plain.view, file.path) != Format::kText) {
    throw InputError(
        fmt::format("{}: covariates are read from text: ids and values in columns, as .csv or .tsv", file.path));
  }
  const std::string first = file.columns.empty() ? std::string() : file.columns[0];
  const Wanted wanted{file.path, file.columns, true};
  JoinedText text(read_target_cells(plain, file.path, first, table, context), wanted, options, table);
  for (auto& [covariate, place] : text.read(table.covariate_matching)) {
    covariate.path = file.path;
    covariate.covariate = true;
    table.covariates.push_back(std::move(covariate));
  }
  if (table.covariates.empty()) {
    throw InputError(fmt::format("{}: no covariates: the file has ids alone", file.path));
  }
}

void read_target_file(const TargetFile& file, const ReadOptions& options, const Context& context, Table& table) {
  read_target_bytes(open_bytes(file.path, context), file, options, context, table);
}

}  // namespace land
