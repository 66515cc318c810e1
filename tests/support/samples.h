// Columns of many shapes, and blocks that hold them in a given encoding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "land/base/checksum.h"
#include "land/blocks/encode_column.h"
#include "land/blocks/feature_block.h"
#include "land/data/survival.h"
#include "land/data/target.h"

namespace land::test {

using Columns = std::map<std::string, std::vector<double>>;

// Continuous, few-valued and heavy-tailed columns, some of them related.
inline Columns sample_columns(int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> student(3.0);
  std::cauchy_distribution<double> cauchy;
  Columns columns;
  std::vector<double> base(static_cast<std::size_t>(n));
  for (double& x : base) x = normal(random);
  const auto add = [&](const std::string& name, auto&& value) {
    std::vector<double>& column = columns[name];
    for (int i = 0; i < n; ++i) column.push_back(value(i));
    column[0] += column[0] == column[1] ? 1.0 : 0.0;  // never constant
  };
  const auto at = [&](int i) { return base[static_cast<std::size_t>(i)]; };
  add("normal", at);
  add("related", [&](int i) { return at(i) + 0.5 * normal(random); });
  add("squared", [&](int i) { return at(i) * at(i); });
  add("lognormal", [&](int i) { return std::exp(2.0 * at(i)); });
  add("student", [&](int) { return student(random); });
  add("cauchy", [&](int) { return cauchy(random); });
  add("binary", [&](int i) { return at(i) > 0.3 ? 1.0 : 0.0; });
  add("rare", [&](int i) { return i == n / 2 ? 1.0 : 0.0; });
  add("rounded", [&](int i) { return std::round(2.0 * at(i)); });
  add("outlier", [&](int i) { return i == 1 ? 1000.0 : at(i); });
  add("uniform", [&](int i) { return static_cast<double>((i * 7919) % n); });
  add("offset", [&](int i) { return 1e6 + at(i); });
  return columns;
}

// A block of one feature in the encoding asked for. Codes need at most 256 distinct values, packed ones 0, 1, 2 and
// NaN; level 0 of sparse ones is the value of the first sample that equals another.
inline FeatureBlock block_of(const std::vector<double>& column, Encoding encoding, std::int64_t id = 0) {
  FeatureBlock block;
  block.clear(static_cast<std::int64_t>(column.size()));
  FeatureHeader header;
  header.id = id;
  header.encoding = encoding;
  header.missing = std::count_if(column.begin(), column.end(), [](double x) { return std::isnan(x); });
  const auto put = [&block](const auto& items) {
    const std::int64_t offset = block.append(static_cast<std::int64_t>(items.size() * sizeof(items[0])));
    if (!items.empty()) std::memcpy(block.payload.data() + offset, items.data(), items.size() * sizeof(items[0]));
    return offset;
  };
  std::vector<double> levels;
  std::vector<std::uint8_t> codes;
  const auto code = [&levels](double x) {
    const auto same = [x](double level) { return level == x || (std::isnan(level) && std::isnan(x)); };
    const auto found = std::find_if(levels.begin(), levels.end(), same);
    if (found == levels.end()) levels.push_back(x);
    return static_cast<std::uint8_t>(std::find_if(levels.begin(), levels.end(), same) - levels.begin());
  };
  if (is_sparse(encoding)) {
    double base = column[0];
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (std::count(column.begin(), column.end(), column[i]) > 1) {
        base = column[i];
        break;
      }
    }
    levels.push_back(base);
    std::vector<std::int32_t> rows;
    std::vector<double> values;
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] == base) continue;
      rows.push_back(static_cast<std::int32_t>(i));
      values.push_back(column[i]);
      if (encoding == Encoding::kSparseCodes) codes.push_back(code(column[i]));
    }
    header.stored = static_cast<std::int64_t>(rows.size());
    header.offset =
        are_sample_numbers_short(block.samples) ? put(std::vector<std::uint16_t>(rows.begin(), rows.end())) : put(rows);
    header.entries_offset = encoding == Encoding::kSparseCodes ? put(codes) : put(values);
  } else if (encoding == Encoding::kFloat64) {
    header.offset = put(column);
  } else if (encoding == Encoding::kFloat32) {
    header.offset = put(std::vector<float>(column.begin(), column.end()));
  } else if (encoding == Encoding::kPacked2) {
    std::vector<std::uint8_t> packed(static_cast<std::size_t>(packed_bytes(block.samples)), 0);
    for (std::size_t i = 0; i < column.size(); ++i) {
      const unsigned call = std::isnan(column[i]) ? 1 : (column[i] == 2.0 ? 0 : (column[i] == 1.0 ? 2 : 3));
      packed[i / 4] = static_cast<std::uint8_t>(packed[i / 4] | call << (2 * (i % 4)));
    }
    header.offset = put(packed);
  } else {
    for (const double x : column) codes.push_back(code(x));
    header.offset = put(codes);
  }
  if (!levels.empty()) {
    header.levels = static_cast<std::int32_t>(levels.size());
    header.levels_offset = put(levels);
  }
  block.headers.push_back(header);
  return block;
}

// In the encoding that the readers would choose.
inline FeatureBlock block_of(const std::vector<double>& column) {
  FeatureBlock block;
  block.clear(static_cast<std::int64_t>(column.size()));
  encode_column(column, checksum_multipliers(std::ssize(column)), 0, block);
  return block;
}

inline std::vector<int> sample_labels(int n, int classes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> labels;
  for (int i = 0; i < n; ++i)
    labels.push_back(i < classes ? i : static_cast<int>(random() % static_cast<unsigned>(classes)));
  return labels;
}

inline Target class_target(const std::vector<int>& labels, int classes) {
  Target target;
  target.name = "y";
  target.task = Task::kClassification;
  target.labels.assign(labels.begin(), labels.end());
  for (int c = 0; c < classes; ++c) target.class_names.push_back(std::to_string(c));
  return target;
}

inline Target numeric_target(const std::vector<double>& values) {
  Target target;
  target.name = "y";
  target.task = Task::kRegression;
  target.values = values;
  return target;
}

// Survival of samples with these times, every third of which is censored.
inline Target survival_target(std::vector<double> times) {
  Target target;
  target.name = "time,event";
  target.task = Task::kSurvival;
  target.times = std::move(times);
  for (std::size_t i = 0; i < target.times.size(); ++i) target.events.push_back(i % 3 == 1 ? 0 : 1);
  target.values = martingale_residuals(target.times, target.events);
  return target;
}

}  // namespace land::test
