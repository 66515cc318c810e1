#include "land/formats/delimited_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "land/base/aligned.h"
#include "land/base/worker_pool.h"
#include "land/files/mapped_file.h"
#include "land/files/mapped_pages.h"
#include "land/files/scratch_file.h"
#include "land/formats/find_features.h"
#include "land/formats/id_warnings.h"
#include "land/formats/number_style.h"
#include "land/formats/take_targets.h"
#include "land/formats/target_values.h"
#include "land/formats/text_features.h"
#include "land/formats/text_layout.h"
#include "land/formats/text_records.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::int64_t kNone = TextLayout::kNone;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kBytesPerItem = std::int64_t{1} << 20;

std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()};
}

TextRecords records_of(const Bytes& bytes, const ReadRequest& request, const GctSizes* gct) {
  const bool release = bytes.mapped && request.scratch_above() > 0;
  if (gct != nullptr) {
    return {text_of(bytes).substr(gct->begin), request.name, request.context, {release, '\t', 3}};
  }
  return {text_of(bytes), request.name, request.context, {release, delimiter_of(request.options.delimiter), 1}};
}

class DelimitedTextReader {
 public:
  DelimitedTextReader(const Bytes& bytes, const ReadRequest& request, const GctSizes* gct)
      : request_(request),
        records_(land::records_of(bytes, request, gct)),
        style_(request.options.na, records_.decimal_comma()),
        layout_(find_layout(records_, request, style_, gct)),
        places_{request_.name, records_, layout_} {}

  Table read() {
    make_room();
    find_left_out();
    for (const std::int64_t record : layout_.target_rows) {
      if (record < layout_.first_row()) parse_target_row(record);
    }
    // Most tables that are not exact in float32 show it in their first rows.
    if (scratch_ && !parse_rows()) {
      wide_scratch_ = true;
      parse_rows();
    } else if (!scratch_) {
      narrow_ = parse_rows();
    }
    return make_table();
  }

 private:
  // Of a number that cannot be used.
  [[noreturn]] void throw_bad_value(std::int64_t record, std::int64_t column, const Cell& cell) const {
    const std::string place = places_.cell(record, column);
    const std::string value = in_quotes(cell.str());
    if (is_decimal_comma(cell.text)) {
      throw InputError(fmt::format(
          "{}: {} is not a number; write decimals with a point, or separate columns by semicolons", place, value));
    }
    if (style_.decimal_comma() && parse_number(cell.text)) {
      throw InputError(fmt::format(
          "{}: {} has a point, and other numbers of this file a decimal comma; write all alike", place, value));
    }
    throw InputError(fmt::format("{}: {} is not a finite number; write NA where a value is missing", place, value));
  }

  [[noreturn]] void throw_ragged(std::int64_t record, std::int64_t found) const {
    throw InputError(
        fmt::format("{}: found {} cell{}, expected {} as in row {}; fill the row up or quote cells that "
                    "contain the delimiter",
                    places_.row(record), found, found == 1 ? "" : "s", layout_.columns,
                    layout_.short_header ? records_.line(1) : records_.line(0)));
  }

  // Cells of a row that is not `columns` long, counted to the end.
  std::int64_t count_cells(std::int64_t record) const {
    CellReader reader = records_.cells(record);
    std::int64_t count = 0;
    for (Cell cell; reader.next(cell);) ++count;
    return count;
  }

  // The number at the reader's place if it is plainly written; otherwise nothing is consumed.
  bool next_plain_number(CellReader& reader, double& value) const {
    const char* at = reader.position();
    if (at == nullptr) return false;
    while (at != reader.end() && *at == ' ') ++at;
    const char* stop = parse_number_at(at, reader.end(), value);
    if (stop == nullptr || !std::isfinite(value)) return false;
    if (stop != reader.end() && *stop != records_.delimiter()) return false;
    reader.resume(stop);
    return true;
  }

  // NaN where a value is missing, and where there is text, which is counted.
  double next_number(CellReader& reader, const TextCells& at, std::int64_t feature, TextCellsOf& text) const {
    double value = 0.0;
    const bool left_out = !left_out_.empty() && left_out_[static_cast<std::size_t>(feature)];
    if (style_.is_plain() && !left_out && next_plain_number(reader, value)) return value;
    Cell cell;
    next_cell(reader, at.record, at.column, cell);
    if (left_out) return kNaN;
    if (style_.is_missing(cell.text)) return kNaN;
    if (const auto number = style_.parse(cell.text)) return *number;
    if (is_numeric(cell.text) || is_decimal_comma(cell.text)) throw_bad_value(at.record, at.column, cell);
    add_text_cells(feature, at, text);
    return kNaN;
  }

  void next_cell(CellReader& reader, std::int64_t record, std::int64_t column, Cell& cell) const {
    if (!reader.next(cell)) throw_ragged(record, column);
    if (cell.malformed) throw_after_quote(places_.cell(record, column));
  }

  std::string next_text(CellReader& reader, std::int64_t record, std::int64_t column) const {
    Cell cell;
    next_cell(reader, record, column, cell);
    return cell.str();
  }

  // Writes the row's values to out (unless it is null), its id and target to their places. Returns whether all values
  // are exact in float32.
  bool parse_row(std::int64_t record, std::int64_t row, double* out, TextCellsOf& text) {
    CellReader reader = records_.cells(record);
    bool narrow = true;
    std::int64_t feature = layout_.rows_are_features ? row : 0;
    for (std::int64_t column = 0; column < layout_.columns; ++column) {
      if (layout_.is_value(column)) {
        const double value = next_number(reader, {1, record, column}, feature, text);
        narrow = narrow && is_float32(value);
        if (out != nullptr) *out++ = value;
        if (!layout_.rows_are_features) ++feature;
        continue;
      }
      if (layout_.rows_are_features) {
        Cell cell;
        next_cell(reader, record, column, cell);
        continue;
      }
      std::string word = next_text(reader, record, column);
      const auto target = std::ranges::find(layout_.target_columns, column);
      std::vector<std::string>& to =
          target == layout_.target_columns.end()
              ? sample_ids_
              : targets_text_[static_cast<std::size_t>(target - layout_.target_columns.begin())];
      to[static_cast<std::size_t>(row)] = std::move(word);
    }
    if (reader.position() != nullptr) throw_ragged(record, count_cells(record));
    return narrow;
  }

  void parse_target_row(std::int64_t record) {
    const auto target = std::ranges::find(layout_.target_rows, record) - layout_.target_rows.begin();
    std::vector<std::string>& texts = targets_text_[static_cast<std::size_t>(target)];
    texts.clear();
    CellReader reader = records_.cells(record);
    for (std::int64_t column = 0; column < layout_.columns; ++column) {
      std::string text = next_text(reader, record, column);
      if (layout_.is_value(column)) texts.push_back(std::move(text));
    }
    if (reader.position() != nullptr) throw_ragged(record, count_cells(record));
  }

  // The records of one item of work: those that begin in its stretch of bytes.
  std::pair<std::int64_t, std::int64_t> records_of(std::int64_t item) const {
    const auto first_from = [&](std::int64_t offset) {
      std::int64_t low = layout_.first_row();
      std::int64_t high = records_.size();
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        (records_.start(middle) < offset ? low : high) = records_.start(middle) < offset ? middle + 1 : middle;
      }
      return low;
    };
    return {first_from(item * kBytesPerItem), first_from((item + 1) * kBytesPerItem)};
  }

  void make_room() {
    const std::int64_t per_row = layout_.values_per_row();
    const auto text_size = static_cast<std::int64_t>(records_.text().size());
    // A value takes a byte and a delimiter or line end. A table that claims more has a short row, which is then found
    // without room for the values: a small file must not ask for terabytes.
    if (per_row <= (text_size + 1) / layout_.value_rows) {
      const std::int64_t values = layout_.value_rows * per_row;
      const std::int64_t memory = request_.scratch_above();
      constexpr std::int64_t kBytes = 12;  // a value, while they are narrowed
      if (memory > 0 && values > memory / 2 / kBytes) {
        scratch_ = std::make_unique<ScratchFile>(request_.options.scratch_folder);
      } else {
        values_.resize(static_cast<std::size_t>(values));
      }
    }
    targets_text_.resize(layout_.rows_are_features ? layout_.target_rows.size() : layout_.target_columns.size());
    if (!layout_.rows_are_features) {
      for (auto& texts : targets_text_) texts.resize(static_cast<std::size_t>(layout_.value_rows));
    }
    if (layout_.label_column != kNone && !layout_.rows_are_features)
      sample_ids_.resize(static_cast<std::size_t>(layout_.value_rows));
  }

  // Features that --include and --exclude leave out are not read.
  void find_left_out() {
    const FeatureChoice& choice = request_.options.choice;
    if (choice.empty()) return;
    const std::vector<std::string> names = layout_.feature_names();
    for (const std::string& name : names) left_out_.push_back(!choice.takes(name));
    const ColumnLookup lookup{request_.name, names, std::ssize(names), "feature"};
    for (const std::int64_t feature : find_features(lookup, "adjust", named_covariates(request_.options))) {
      left_out_[static_cast<std::size_t>(feature)] = false;  // it is not left out as a covariate
    }
  }

  // Returns whether all values are exact in float32.
  bool parse_records(std::int64_t first, std::int64_t last, TextCellsOf& text) {
    const std::int64_t per_row = layout_.values_per_row();
    AlignedBuffer<double> kept;  // what goes to the scratch file together
    if (scratch_) kept.resize(static_cast<std::size_t>((layout_.row_of(last) - layout_.row_of(first)) * per_row));
    double* to = scratch_ ? kept.data() : values_.empty() ? nullptr : values_.data() + layout_.row_of(first) * per_row;
    bool narrow = true;
    for (std::int64_t record = first; record < last; ++record) {
      request_.context.check_stop();
      if (layout_.is_target_row(record)) {
        parse_target_row(record);
        continue;
      }
      narrow = parse_row(record, layout_.row_of(record), to, text) && narrow;
      if (to != nullptr) to += per_row;
    }
    if (scratch_ && (narrow || wide_scratch_)) keep(kept, layout_.row_of(first) * per_row);
    return narrow;
  }

  void keep(AlignedBuffer<double>& values, std::int64_t first) {
    const std::span<double> all(values.data(), values.size());
    if (wide_scratch_) return scratch_->write_at(first * static_cast<std::int64_t>(sizeof(double)), std::as_bytes(all));
    auto* floats = reinterpret_cast<float*>(values.data());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto value = static_cast<float>(all[i]);
      std::memcpy(floats + i, &value, sizeof(value));
    }
    scratch_->write_at(first * static_cast<std::int64_t>(sizeof(float)), std::as_bytes(std::span(floats, all.size())));
  }

  // Returns whether all values are exact in float32; for a scratch file of such values it stops when one is not.
  bool parse_rows() {
    const auto text_size = static_cast<std::int64_t>(records_.text().size());
    const Context& context = request_.context;
    const std::int64_t items = text_size / kBytesPerItem + 1;
    std::atomic<bool> narrow{true};
    std::atomic<std::int64_t> first_bad{std::numeric_limits<std::int64_t>::max()};
    std::mutex mutex;
    std::string message;
    std::int64_t done = 0;
    text_cells_.clear();
    parallel_for(context, items, [&](std::int64_t item, int) {
      if (item > first_bad.load() || (scratch_ && !wide_scratch_ && !narrow)) return;
      const auto [first, last] = records_of(item);
      TextCellsOf text;
      try {
        if (!parse_records(first, last, text)) narrow = false;
      } catch (const InputError& error) {
        const std::scoped_lock lock(mutex);
        if (item < first_bad.load()) {
          first_bad = item;
          message = error.what();
        }
        return;
      }
      if (records_.release() && first < last) {
        const std::string_view all = records_.text();
        const auto begin = static_cast<std::size_t>(records_.start(first));
        const std::string_view part = all.substr(begin, static_cast<std::size_t>(records_.start(last)) - begin);
        release_pages(std::as_bytes(std::span(part)), std::as_bytes(std::span(all)));
      }
      const std::scoped_lock lock(mutex);
      for (const auto& [feature, cells] : text) add_text_cells(feature, cells, text_cells_);
      done += kBytesPerItem;
      context.report("reading", static_cast<double>(std::min(done, text_size)), static_cast<double>(text_size));
    });
    if (scratch_ && !wide_scratch_ && !narrow) return false;  // the next turn finds what is wrong, if anything is
    if (!message.empty()) throw InputError(message);
    return narrow;
  }

  // Numbers for the words of features that are categories.
  void take_categories(Table& table) {
    SettledText settled = settle_text({request_, records_, layout_, style_}, text_cells_);
    for (auto& [feature, words] : settled.categories) {
      for (std::size_t i = 0; i < words.codes.size(); ++i) {
        put(static_cast<std::int64_t>(i), feature, words.codes[i] < 0 ? kNaN : static_cast<double>(words.codes[i]));
      }
      table.nominal.words.emplace(feature, std::move(words.distinct));
      table.nominal.add(std::array{feature});
    }
    table.text_features = std::move(settled.others);
  }

  void put(std::int64_t sample, std::int64_t feature, double value) {
    const std::int64_t per_row = layout_.values_per_row();
    const std::int64_t at = layout_.rows_are_features ? feature * per_row + sample : sample * per_row + feature;
    if (!scratch_) {
      values_[static_cast<std::size_t>(at)] = value;
    } else if (wide_scratch_) {
      scratch_->write_at(at * static_cast<std::int64_t>(sizeof(double)), std::as_bytes(std::span(&value, 1)));
    } else {
      const auto narrow = static_cast<float>(value);
      scratch_->write_at(at * static_cast<std::int64_t>(sizeof(float)), std::as_bytes(std::span(&narrow, 1)));
    }
  }

  Matrix make_matrix() {
    Matrix matrix;
    const std::int64_t per_row = layout_.values_per_row();
    matrix.samples = layout_.rows_are_features ? per_row : layout_.value_rows;
    matrix.columns = layout_.rows_are_features ? layout_.value_rows : per_row;
    matrix.sample_stride = layout_.rows_are_features ? 1 : per_row;
    matrix.column_stride = layout_.rows_are_features ? per_row : 1;
    if (scratch_) {
      const std::size_t item = wide_scratch_ ? sizeof(double) : sizeof(float);
      const Bytes mapped = scratch_->map(matrix.samples * matrix.columns * static_cast<std::int64_t>(item));
      matrix.dtype = wide_scratch_ ? DType::kFloat64 : DType::kFloat32;
      matrix.data = mapped.view.data();
      matrix.owner = mapped.owner;
      matrix.mapped = true;
    } else if (narrow_) {
      auto values = std::make_shared<AlignedBuffer<float>>(values_.size());
      std::transform(values_.begin(), values_.end(), values->begin(), [](double v) { return static_cast<float>(v); });
      values_ = AlignedBuffer<double>();
      matrix.dtype = DType::kFloat32;
      matrix.data = reinterpret_cast<const std::byte*>(values->data());
      matrix.owner = std::move(values);
    } else {
      auto values = std::make_shared<AlignedBuffer<double>>(std::move(values_));
      matrix.dtype = DType::kFloat64;
      matrix.data = reinterpret_cast<const std::byte*>(values->data());
      matrix.owner = std::move(values);
    }
    return matrix;
  }

  void add_targets(Table& table) {
    std::vector<PlacedTarget> targets;
    for (std::size_t t = 0; t < targets_text_.size(); ++t) {
      const bool by_row = layout_.rows_are_features;
      const std::int64_t at = by_row ? layout_.target_rows[t] : layout_.target_columns[t];
      const std::vector<std::string>& names = by_row ? layout_.row_labels : layout_.header;
      std::string name = fmt::format("{} {}", by_row ? "row" : "column", at);
      if (!names.empty()) name = names[static_cast<std::size_t>(at)];
      PlaceOf place = [this, by_row, at](std::int64_t i) {
        if (!by_row) return places_.cell(layout_.first_row() + i, at);
        return places_.cell(at, layout_.value_columns()[static_cast<std::size_t>(i)]);
      };
      TargetColumn column = target_from_text(std::move(name), std::move(targets_text_[t]), place, style_);
      targets.push_back({std::move(column), std::move(place)});
    }
    if (!targets.empty()) take_targets(std::move(targets), request_.options.survival, table);
  }

  FileLayout file_layout() const {
    FileLayout layout;
    layout.is_text = true;
    layout.rows_are_features = layout_.rows_are_features;
    layout.row_lines = records_.lines();
    layout.first_line = records_.first_line();
    for (std::int64_t row = 0; row < layout_.first_row(); ++row) layout.other_rows.push_back(row);
    for (std::int64_t row = layout_.first_row(); row < records_.size() && layout_.targets_among_values() > 0; ++row) {
      if (layout_.is_target_row(row)) layout.other_rows.push_back(row);
    }
    for (std::int64_t column = 0; column < layout_.columns; ++column) {
      if (!layout_.is_value(column)) layout.other_columns.push_back(column);
    }
    return layout;
  }

  Table make_table() {
    Table table;
    table.path = request_.name;
    table.layout = file_layout();
    take_categories(table);
    add_targets(table);
    if (layout_.label_column != kNone && !layout_.rows_are_features) {
      table.id_column_name = fmt::format("{}", layout_.label_column);
      const auto label = static_cast<std::size_t>(layout_.label_column);
      if (layout_.has_header() && !layout_.header[label].empty()) table.id_column_name = layout_.header[label];
    }
    table.sample_ids = std::move(sample_ids_);
    const std::vector<std::string> header = layout_.rows_are_features ? std::vector<std::string>() : layout_.header;
    std::vector<std::string>& across = layout_.rows_are_features ? table.sample_ids : table.feature_names;
    for (std::int64_t column = 0; layout_.has_header() && column < layout_.columns; ++column) {
      if (layout_.is_value(column)) across.push_back(std::move(layout_.header[static_cast<std::size_t>(column)]));
    }
    for (std::int64_t r = layout_.first_row(); !layout_.row_labels.empty() && r < records_.size(); ++r) {
      if (!layout_.is_target_row(r))
        table.feature_names.push_back(std::move(layout_.row_labels[static_cast<std::size_t>(r)]));
    }
    table.matrix = make_matrix();
    warn_of_ids(header, layout_, table);
    return table;
  }

  const ReadRequest& request_;
  const TextRecords records_;
  const NumberStyle style_;
  TextLayout layout_;
  const TextPlaces places_;
  std::vector<bool> left_out_;  // by feature; empty: none
  TextCellsOf text_cells_;
  AlignedBuffer<double> values_;
  bool narrow_ = false;
  std::unique_ptr<ScratchFile> scratch_;  // instead of values_
  bool wide_scratch_ = false;             // it holds float64, not float32
  std::vector<std::string> sample_ids_;
  std::vector<std::vector<std::string>> targets_text_;  // of each, a value for each sample
};

}  // namespace

Table read_delimited_text(const Bytes& bytes, const ReadRequest& request) {
  advise(bytes, Access::kSequential);
  return DelimitedTextReader(bytes, request, nullptr).read();
}

Table read_gct(const Bytes& bytes, const ReadRequest& request) {
  advise(bytes, Access::kSequential);
  const GctSizes sizes = read_gct_sizes(text_of(bytes), request.name);
  return DelimitedTextReader(bytes, request, &sizes).read();
}

}  // namespace land
