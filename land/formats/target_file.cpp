#include "land/formats/target_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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
#include "land/text/printable.h"

namespace land {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// The columns of a text file that matter.
struct Layout {
  std::vector<std::size_t> values;  // one, or as many as are named
  std::vector<std::size_t> ids;     // none, one, or PLINK's two: family and individual
};

class TextTarget {
 public:
  TextTarget(TargetCells cells, const TargetFile& file, const ReadOptions& options, Table& table)
      : cells_(std::move(cells)), file_(file), options_(options), table_(table) {
    layout_.values = value_columns();
    layout_.ids = id_columns();
  }

  void read() {
    if (cells_.rows() == 0) {
      throw InputError(fmt::format("{}: the table has {} but no rows of values below", file_.path, "a header"));
    }
    const bool has_ids = !layout_.ids.empty();
    if (options_.by_position || (!has_ids && table_.sample_ids.empty())) return take_in_order();
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
    join();
  }

 private:
  ColumnLookup lookup() const { return {file_.path, cells_.names, std::ssize(cells_.columns), "column"}; }

  std::string title_of(std::size_t column) const {
    if (!cells_.names.empty() && !cells_.names[column].empty()) return "column " + in_quotes(cells_.names[column]);
    return fmt::format("column {}", column + 1);
  }

  bool is_value(std::size_t column) const {
    return std::find(layout_.values.begin(), layout_.values.end(), column) != layout_.values.end();
  }

  std::vector<std::size_t> value_columns() const {
    if (file_.column.empty()) return {only_value_column()};
    const std::vector<std::int64_t> found = find_targets_in_file(lookup(), file_.column, options_);
    return {found.begin(), found.end()};
  }

  std::size_t only_value_column() const {
    const std::size_t columns = cells_.columns.size();
    if (options_.survival) {
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
    if (!table_.pedigree || cells_.columns.size() < 3 || is_value(0) || is_value(1)) return false;
    if (!cells_.names.empty()) return cells_.names[1] == "IID";
    return true;
  }

  std::vector<std::size_t> id_columns() const {
    if (!options_.target_id.empty()) {
      const auto found = find_column(lookup(), options_.target_id);
      if (!found) throw_no_column(lookup(), "target-id", options_.target_id);
      return {static_cast<std::size_t>(*found)};
    }
    if (begins_with_families()) return {0, 1};
    if (cells_.columns.size() == 1) return {};
    if (cells_.columns.size() == 2 && layout_.values.size() == 1) return {1 - layout_.values[0]};
    return best_id_column();
  }

  // A column of ids has each of the table's ids once at most. One headed as ids comes before one that merely has such
  // values: ages and ranks look like numbered samples. Whatever is not clear is asked for.
  std::vector<std::size_t> best_id_column() const {
    std::optional<std::size_t> marked;
    for (std::size_t c = 0; c < cells_.names.size() && !marked; ++c) {
      if (!is_value(c) && marks_sample_ids(cells_.names[c])) marked = c;
    }
    if (table_.sample_ids.empty()) return marked ? std::vector<std::size_t>{*marked} : std::vector<std::size_t>();
    const std::unordered_set<std::string_view> known(table_.sample_ids.begin(), table_.sample_ids.end());
    std::size_t best = 0;
    std::int64_t most = 0;
    std::optional<std::size_t> rival;
    for (std::size_t c = 0; c < cells_.columns.size(); ++c) {
      if (is_value(c)) continue;
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
    if (marked || rival || most < enough) {
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
    if (layout_.values.size() > 1) return fmt::format("column {}", column);
    return file_.column.empty() ? base_name(file_.path) : file_.column;
  }

  std::string place(std::int64_t row, std::size_t column) const {
    return fmt::format("{}: row {}, column {}", file_.path, cells_.lines[static_cast<std::size_t>(row)], column + 1);
  }

  NumberStyle style() const { return NumberStyle(options_.na, cells_.decimal_comma); }

  void take_in_order() {
    check_target_length(cells_.rows(), file_.path, table_);
    std::vector<PlacedTarget> targets;
    for (const std::size_t column : layout_.values) {
      PlaceOf place_of = [this, column](std::int64_t i) { return place(i, column); };
      targets.push_back({target_from_text(name(column), values(column), place_of, style()), place_of});
    }
    take_targets(std::move(targets), options_.survival, table_);
    table_.matching = {Matching::How::kOrder, table_.samples(), cells_.rows(), cells_.rows()};
  }

  // As written; PLINK's ways to say that a phenotype is not known are those of other tables, too.
  std::vector<std::string> values(std::size_t column) const {
    std::vector<std::string> texts = cells_.columns[column];
    if (layout_.ids.size() == 2) settle_case_control(texts);
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

  void join() {
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    const auto sample_of = index_samples();
    std::vector<std::size_t> row_of(table_.sample_ids.size(), kNone);
    Matching matching{Matching::How::kIds, table_.samples(), cells_.rows(), 0};
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
    // Of PLINK's files it is usual that they lack samples: those just have no value.
    if (matching.common < matching.samples && layout_.ids.size() == 1) {
      for (const std::size_t row : row_of) matching.unmatched.push_back(row == kNone);
    }
    std::vector<PlacedTarget> targets;
    for (const std::size_t column : layout_.values) {
      const std::vector<std::string> all = values(column);
      std::vector<std::string> texts;
      for (const std::size_t row : row_of) texts.push_back(row == kNone ? std::string() : all[row]);
      PlaceOf place_of = [this, column, &row_of](std::int64_t i) {
        const std::size_t row = row_of[static_cast<std::size_t>(i)];
        if (row != kNone) return place(static_cast<std::int64_t>(row), column);
        return fmt::format("{}: sample {}", file_.path, in_quotes(table_.sample_ids[static_cast<std::size_t>(i)]));
      };
      targets.push_back({target_from_text(name(column), std::move(texts), place_of, style()), place_of});
    }
    take_targets(std::move(targets), options_.survival, table_);
    table_.matching = std::move(matching);
  }

  TargetCells cells_;
  const TargetFile& file_;
  const ReadOptions& options_;
  Table& table_;
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

void check_target_length(std::int64_t values, const std::string& name, const Table& table) {
  if (values == table.samples()) return;
  throw InputError(fmt::format("{}: the target has {} values, {} has {} samples; they must match (or is {} meant?)",
                               name, values, table.path, table.samples(),
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
    case Format::kText:
      TextTarget(read_target_cells(plain, name, file.column, table, context), file, options, table).read();
      break;
  }
  table.target->path = name;
  for (TargetColumn& target : table.other_targets) target.path = name;
}

void read_target_file(const TargetFile& file, const ReadOptions& options, const Context& context, Table& table) {
  read_target_bytes(open_bytes(file.path, context), file, options, context, table);
}

}  // namespace land
