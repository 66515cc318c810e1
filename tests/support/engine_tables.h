// Tables of every kind of source and encoding, and targets for them: what must hold for any engine is tried on these.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "land/blocks/genotype_source.h"
#include "land/blocks/sparse_source.h"
#include "land/data/table.h"
#include "land/subset/subset_source.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"
#include "tests/support/sparse_columns.h"

namespace land::test {

struct EngineTable {
  std::string name;
  Table table;
  Missing missing = Missing::kError;
};

inline constexpr int kEngineSamples = 70;

// Signals, near copies, copies, few-valued and constant ones.
inline std::vector<std::vector<double>> engine_columns(int count, double lacking) {
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const std::vector<int> labels = sample_labels(kEngineSamples, 3, 23);
  std::vector<std::vector<double>> columns;
  for (int k = 0; k < count; ++k) {
    std::vector<double> column;
    for (int i = 0; i < kEngineSamples; ++i) {
      const auto s = static_cast<std::size_t>(i);
      double x = normal(random) + (k % 5 == 0 ? 0.7 * labels[s] : 0.0);
      if (k % 7 == 3) x = std::round(x);
      if (k % 11 == 6) x = -2.0 * columns[static_cast<std::size_t>(k - 5)][s];
      if (k % 13 == 8) x = columns[static_cast<std::size_t>(k - 3)][s] + 0.1 * x;
      if (k % 29 == 20) x = 4.0;
      const double value = static_cast<double>(static_cast<float>(x));
      column.push_back(uniform(random) < lacking ? std::numeric_limits<double>::quiet_NaN() : value);
    }
    columns.push_back(column);
  }
  return columns;
}

// Sample-major float32, in which features stand in strips.
inline Table table_of_floats(const std::vector<std::vector<double>>& columns) {
  const std::size_t d = columns.size();
  auto values = std::make_shared<std::vector<float>>(columns[0].size() * d);
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t i = 0; i < columns[k].size(); ++i) (*values)[i * d + k] = static_cast<float>(columns[k][i]);
  }
  Matrix matrix;
  matrix.data = reinterpret_cast<const std::byte*>(values->data());
  matrix.dtype = DType::kFloat32;
  matrix.samples = std::ssize(columns[0]);
  matrix.columns = static_cast<std::int64_t>(d);
  matrix.sample_stride = matrix.columns;
  matrix.column_stride = 1;
  matrix.owner = values;
  return table_of(std::move(matrix), "memory");
}

inline Table table_of_genotypes(int count, bool lacking) {
  std::mt19937_64 random(31);
  const std::vector<int> labels = sample_labels(kEngineSamples, 3, 23);
  const auto bytes = static_cast<std::size_t>(packed_bytes(kEngineSamples));
  auto calls = std::make_shared<std::vector<std::byte>>(bytes * static_cast<std::size_t>(count), std::byte{0});
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < kEngineSamples; ++i) {
      unsigned call = random() % 3 == 0 && k % 4 == 0 ? (labels[static_cast<std::size_t>(i)] == 0 ? 0U : 3U)
                                                      : static_cast<unsigned>(random() % 4);
      if (call == 1 && !lacking) call = 2;
      const std::size_t at = static_cast<std::size_t>(k) * bytes + static_cast<std::size_t>(i / 4);
      (*calls)[at] |= static_cast<std::byte>(call << (2 * (i % 4)));
    }
  }
  Table table;
  table.path = "memory";
  table.encoded = std::make_shared<GenotypeSource>(std::span<const std::byte>(*calls), calls, false, count,
                                                   std::int64_t{kEngineSamples});
  return table;
}

inline Table table_of_sparse(int count) {
  std::mt19937_64 random(37);
  const std::vector<int> labels = sample_labels(kEngineSamples, 3, 23);
  std::vector<std::int64_t> starts = {0};
  std::vector<std::int32_t> rows;
  std::vector<float> values;
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < kEngineSamples; ++i) {
      if (random() % (labels[static_cast<std::size_t>(i)] == 1 && k % 6 == 0 ? 3 : 9) != 0) continue;
      rows.push_back(i);
      values.push_back(k % 3 == 0 ? static_cast<float>(1 + random() % 4)
                                  : static_cast<float>(random() % 10007) * 0.25F);
    }
    starts.push_back(std::ssize(rows));
  }
  Table table;
  table.path = "memory";
  table.encoded =
      std::make_shared<SparseSource>(columns_of(kEngineSamples, std::move(starts), std::move(rows), std::move(values)));
  return table;
}

inline std::vector<EngineTable> engine_tables() {
  std::vector<EngineTable> all;
  all.push_back({"floats", table_of_floats(engine_columns(203, 0.0))});
  all.push_back({"doubles", table_of_columns(engine_columns(97, 0.0))});
  all.push_back({"one feature", table_of_floats(engine_columns(1, 0.0))});
  for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
    const std::string rule(to_string(missing));
    all.push_back({"floats, missing " + rule, table_of_floats(engine_columns(75, 0.04)), missing});
    all.push_back({"genotypes, missing " + rule, table_of_genotypes(90, true), missing});
  }
  all.push_back({"genotypes", table_of_genotypes(131, false)});
  all.push_back({"sparse", table_of_sparse(150)});
  EngineTable nominal{"nominal", table_of_floats(engine_columns(60, 0.0))};
  for (std::int64_t k = 3; k < 60; k += 7) nominal.table.nominal.features.push_back(k);
  all.push_back(std::move(nominal));
  return all;
}

// Some of the samples, more than half.
inline std::shared_ptr<const SampleNumbers> some_samples() {
  auto samples = std::make_shared<SampleNumbers>();
  for (std::int64_t i = 0; i < kEngineSamples; ++i) {
    if (i % 7 != 3 && i != 0) samples->push_back(i);
  }
  return samples;
}

// The same table of these samples alone. Its features come as they are treated.
inline EngineTable cut(const EngineTable& one) {
  struct Kept {
    EngineTable whole;
    std::shared_ptr<const FeatureSource> source;
  };
  auto kept = std::make_shared<Kept>(one);
  kept->source = kept->whole.table.source(one.missing);
  EngineTable part = one;
  part.table.matrix = {};
  part.table.nominal = {};
  part.table.encoded = std::make_shared<SubsetSource>(std::shared_ptr<const FeatureSource>(kept, kept->source.get()),
                                                      Subset{*some_samples(), std::nullopt});
  return part;
}

inline Target engine_classes() { return class_target(sample_labels(kEngineSamples, 3, 23), 3); }
inline Target engine_numbers() {
  std::mt19937_64 random(41);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (const int label : sample_labels(kEngineSamples, 3, 23)) values.push_back(label + 0.3 * normal(random));
  return numeric_target(values);
}

inline Target engine_survival() {
  std::vector<double> times = engine_numbers().values;
  for (double& time : times) time = std::floor(4.0 * std::exp(time));
  return survival_target(std::move(times));
}

}  // namespace land::test
