#include "land/commands/write_selected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string_view>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/files/atomic_file.h"
#include "land/files/npy_header.h"
#include "land/store/convert.h"
#include "land/subset/subset_table.h"
#include "land/text/quoted_cell.h"

namespace land {
namespace {

std::string ending_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

// The values of the features, one after the other.
std::vector<std::vector<double>> columns_of(const Table& table, std::span<const std::int64_t> features) {
  const auto source = table.source(Missing::kIgnore);
  std::vector<std::vector<double>> columns;
  FeatureBlock block;
  for (const std::int64_t feature : features) {
    source->gather({&feature, 1}, block);
    std::vector<double>& column = columns.emplace_back(static_cast<std::size_t>(table.samples()));
    block.view(0).copy_values(column);
  }
  return columns;
}

std::string number(double value) { return std::isnan(value) ? "NA" : fmt::format("{}", value); }

// A category by its word, if it was read from one.
std::string words_of(const Table& table, std::int64_t feature, double value) {
  const auto words = table.nominal.words.find(feature);
  if (words == table.nominal.words.end() || std::isnan(value)) return number(value);
  return words->second[static_cast<std::size_t>(value)];
}

struct TargetText {
  std::string name;
  std::vector<std::string> values;
};

// The target's column; of survival those of times and events.
std::vector<TargetText> targets_as_text(const Table& table) {
  if (!table.target) return {};
  const TargetColumn& target = *table.target;
  if (target.is_text()) return {{target.name, target.text}};
  std::vector<TargetText> columns = {{target.is_survival() ? target.time_name : target.name, {}}};
  for (const double value : target.numbers) columns[0].values.push_back(number(value));
  if (!target.is_survival()) return columns;
  columns.push_back({target.event_name, {}});
  for (const std::uint8_t event : target.events) columns[1].values.emplace_back(event != 0 ? "1" : "0");
  return columns;
}

void write_text(const Table& table, std::span<const std::int64_t> features, char delimiter, AtomicFile& file,
                const Context& context) {
  const std::vector<std::vector<double>> columns = columns_of(table, features);
  const std::vector<TargetText> targets = targets_as_text(table);
  std::vector<std::string> cells;
  const auto write_line = [&] {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += delimiter;
      line += quoted_cell(cells[c], delimiter);
    }
    file.write(line + "\n");
    cells.clear();
  };
  if (!table.sample_ids.empty()) cells.emplace_back("id");
  for (const std::int64_t feature : features) cells.push_back(table.feature_name(feature));
  for (const TargetText& target : targets) cells.push_back(target.name);
  write_line();
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.samples()); ++i) {
    context.check_stop();
    if (!table.sample_ids.empty()) cells.push_back(table.sample_ids[i]);
    for (std::size_t k = 0; k < columns.size(); ++k) cells.push_back(words_of(table, features[k], columns[k][i]));
    for (const TargetText& target : targets) cells.push_back(target.values[i]);
    write_line();
  }
}

void write_matrix(const Table& table, std::span<const std::int64_t> features, AtomicFile& file) {
  const std::vector<std::vector<double>> columns = columns_of(table, features);
  file.write(npy_header("<f8", fmt::format("{}, {}", table.samples(), features.size())));
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.samples()); ++i) {
    std::transform(columns.begin(), columns.end(), row.begin(), [i](const auto& column) { return column[i]; });
    file.write(std::as_bytes(std::span(row)));
  }
}

void write_target(const TargetColumn& target, AtomicFile& file) {
  const std::string shape = fmt::format("{},", target.size());
  if (!target.is_text()) {
    file.write(npy_header("<f8", shape));
    file.write(std::as_bytes(std::span(target.numbers)));
    return;
  }
  // Bytes of UTF-8, which land reads back; NumPy has them as S.
  std::size_t width = 1;
  for (const std::string& text : target.text) width = std::max(width, text.size());
  file.write(npy_header(fmt::format("|S{}", width), shape));
  for (std::string text : target.text) {
    text.resize(width, '\0');
    file.write(text);
  }
}

void write_names(const Table& table, std::span<const std::int64_t> features, AtomicFile& file) {
  for (const std::int64_t feature : features) {
    std::string name = table.feature_name(feature);
    std::replace_if(name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    file.write(name + "\n");
  }
}

void write_store(const Table& table, std::span<const std::int64_t> features, Missing missing, const std::string& path,
                 const Context& context) {
  std::vector<std::int64_t> rising(features.begin(), features.end());
  std::sort(rising.begin(), rising.end());
  Table part = table;
  subset_table(part, {std::nullopt, std::move(rising)}, "", context);
  ConvertOptions options;
  options.missing = missing;
  convert(part, path, options, context);
}

}  // namespace

std::vector<std::string> selected_files(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".csv" || ending == ".tsv" || ending == ".h5") return {path};
  if (ending != ".npy") {
    throw InputError(fmt::format("{}: the name must end in .csv, .tsv, .npy or .h5, which is how the format is chosen",
                                 option("write-table", path)));
  }
  const auto beside = [&](const char* new_ending) {
    return std::filesystem::path(path).replace_extension(new_ending).string();
  };
  return {path, beside(".y.npy"), beside(".names")};
}

void write_selected(const Table& table, std::span<const std::int64_t> features, Missing missing,
                    const std::string& path, const Context& context) {
  const std::string ending = ending_of(path);
  const std::vector<std::string> names = selected_files(path);
  if (features.empty()) throw InputError(fmt::format("{}: no feature was selected", option("write-table", path)));
  const bool is_text = ending == ".csv" || ending == ".tsv";
  if (table.target && table.target->is_survival() && !is_text) {
    throw InputError(
        fmt::format("{}: times and events are two columns: write them as .csv or .tsv", option("write-table", path)));
  }
  if (ending == ".h5") return write_store(table, features, missing, path, context);
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (const std::string& name : names) files.push_back(std::make_unique<AtomicFile>(name));
  if (ending == ".npy") {
    write_matrix(table, features, *files[0]);
    if (table.target) write_target(*table.target, *files[1]);
    write_names(table, features, *files[2]);
  } else {
    write_text(table, features, ending == ".csv" ? ',' : '\t', *files[0], context);
  }
  for (const auto& file : files) file->commit();
}

}  // namespace land
