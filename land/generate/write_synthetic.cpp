#include "land/generate/write_synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "land/base/worker_pool.h"
#include "land/files/atomic_file.h"
#include "land/files/npy_header.h"
#include "land/generate/fill_rows.h"
#include "land/generate/synthetic_source.h"
#include "land/store/convert.h"

namespace land {

namespace {

// Calls write_row(sample, values) for every row in turn. Rows are made a few at a time, by all threads.
template <typename WriteRow>
void for_each_row(const SyntheticTable& table, const Context& context, WriteRow write_row) {
  constexpr std::int64_t kFloats = std::int64_t{4} << 20;
  constexpr std::int64_t kFeaturesPerItem = 4096;
  const std::int64_t features = table.features();
  const std::int64_t most = std::clamp<std::int64_t>(kFloats / features, 1, table.samples());
  std::vector<float> slab(static_cast<std::size_t>(most * features));
  WorkerPool pool(context.threads);
  for (std::int64_t first = 0; first < table.samples(); first += most) {
    const std::int64_t rows = std::min(most, table.samples() - first);
    pool.run((features + kFeaturesPerItem - 1) / kFeaturesPerItem, [&](std::int64_t item, int) {
      context.check_stop();
      const std::int64_t first_feature = item * kFeaturesPerItem;
      const std::span<float> all(slab.data(), static_cast<std::size_t>(rows * features));
      fill_rows(table, first, first_feature, std::min(kFeaturesPerItem, features - first_feature), features,
                all.subspan(static_cast<std::size_t>(first_feature)));
    });
    for (std::int64_t r = 0; r < rows; ++r) {
      context.check_stop();
      context.report("generating", static_cast<double>(first + r), static_cast<double>(table.samples()));
      write_row(first + r, std::span<const float>(slab).subspan(static_cast<std::size_t>(r * features),
                                                                static_cast<std::size_t>(features)));
    }
  }
}

template <typename Number>
void append_number(std::string& text, Number value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void write_text(const SyntheticTable& table, char separator, AtomicFile& file, const Context& context) {
  std::string line;
  for (std::int64_t j = 1; j <= table.features(); ++j) line += fmt::format("X{}{}", j, separator);
  file.write(line + "Y\n");
  for_each_row(table, context, [&](std::int64_t sample, std::span<const float> values) {
    line.clear();
    for (const float value : values) {
      append_number(line, value);
      line += separator;
    }
    append_number(line, table.target(sample));
    file.write(line += '\n');
  });
}

void write_npy(const SyntheticTable& table, AtomicFile& file, const Context& context) {
  const std::string shape = fmt::format("{}, {}", table.samples(), table.features());
  file.write(npy_header(table.counts() ? "|u1" : "<f4", shape));
  std::vector<std::uint8_t> counts(table.counts() ? static_cast<std::size_t>(table.features()) : 0);
  for_each_row(table, context, [&](std::int64_t, std::span<const float> values) {
    if (table.counts()) {
      std::transform(values.begin(), values.end(), counts.begin(),
                     [](float x) { return static_cast<std::uint8_t>(x); });
      file.write(std::as_bytes(std::span(counts)));
    } else {
      file.write(std::as_bytes(values));
    }
  });
}

template <typename T>
void write_target_npy(const SyntheticTable& table, std::string_view descr, AtomicFile& file) {
  file.write(npy_header(descr, fmt::format("{},", table.samples())));
  for (std::int64_t sample = 0; sample < table.samples(); ++sample) {
    const T value[] = {static_cast<T>(table.target(sample))};
    file.write(std::as_bytes(std::span(value)));
  }
}

void write_store(const SyntheticTable& table, const std::string& path, const Context& context) {
  Table stored;
  stored.path = path;
  stored.encoded = std::make_shared<SyntheticSource>(table);
  TargetColumn& target = stored.target.emplace();
  target.name = "Y";
  for (std::int64_t sample = 0; sample < table.samples(); ++sample) target.numbers.push_back(table.target(sample));
  ConvertOptions options;
  options.memory = std::int64_t{256} << 20;
  convert(stored, path, options, context);
}

std::string truth_json(const SyntheticTable& table) {
  nlohmann::ordered_json truth;
  truth["features"] = table.features();
  truth["samples"] = table.samples();
  truth["seed"] = table.seed();
  truth["classes"] = table.classes() > 0 ? nlohmann::ordered_json(table.classes()) : nlohmann::ordered_json(nullptr);
  truth["linear"] = table.linear();
  truth["nonlinear"] = table.nonlinear();
  truth["copies"] = table.copies();
  return truth.dump() + "\n";
}

}  // namespace

std::vector<std::string> write_synthetic(const SyntheticTable& table, const std::string& path, const Context& context) {
  const std::filesystem::path name(path);
  const std::string ending = name.extension().string();
  if (ending != ".csv" && ending != ".tsv" && ending != ".npy" && ending != ".h5") {
    throw InputError(
        fmt::format("{}: the name must end in .csv, .tsv, .npy or .h5, which is how the format is chosen", path));
  }
  const auto beside = [&](const char* new_ending) {
    return std::filesystem::path(name).replace_extension(new_ending).string();
  };
  if (ending == ".h5") {
    check_writable(path);
    AtomicFile truth(beside(".truth.json"));
    truth.write(truth_json(table));
    write_store(table, path, context);
    truth.commit();
    return {path, truth.path()};
  }

  std::vector<std::unique_ptr<AtomicFile>> files;
  const auto create = [&](std::string file_path) -> AtomicFile& {
    return *files.emplace_back(std::make_unique<AtomicFile>(std::move(file_path)));
  };
  AtomicFile& data = create(path);
  if (ending == ".npy") {
    AtomicFile& target = create(beside(".y.npy"));
    if (table.classes() > 0) {
      write_target_npy<std::int32_t>(table, "<i4", target);
    } else {
      write_target_npy<double>(table, "<f8", target);
    }
    write_npy(table, data, context);
  } else {
    write_text(table, ending == ".csv" ? ',' : '\t', data, context);
  }
  create(beside(".truth.json")).write(truth_json(table));

  std::vector<std::string> written;
  for (const auto& file : files) {
    file->commit();
    written.push_back(file->path());
  }
  return written;
}

}  // namespace land
