#include "land/subset/subset_source.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "land/base/checksum.h"
#include "land/blocks/genotype_source.h"
#include "land/blocks/sparse_source.h"
#include "tests/support/samples.h"

namespace land::test {
namespace {

constexpr std::int64_t kSamples = 75;
constexpr std::int64_t kFeatures = 40;
const Subset kSome{std::vector<std::int64_t>{0, 3, 4, 5, 11, 30, 31, 50, 51, 52, 53, 54, 70, 74},
                   std::vector<std::int64_t>{1, 2, 3, 9, 20, 21, 39}};

// Mostly zero, with missing values here and there, and a feature that is constant on the samples of kSome.
std::vector<std::vector<double>> sparse_values() {
  std::mt19937 random(5);
  std::vector<std::vector<double>> columns(kFeatures, std::vector<double>(kSamples, 0.0));
  for (std::vector<double>& column : columns) {
    for (double& value : column) {
      if (random() % 5 == 0) value = static_cast<double>(random() % 4) + (random() % 7 == 0 ? 0.25 : 0.0);
      if (random() % 60 == 0) value = std::numeric_limits<double>::quiet_NaN();
    }
  }
  for (const std::int64_t sample : *kSome.samples) columns[9][static_cast<std::size_t>(sample)] = 0.0;
  columns[9][1] = 1.0;
  // Another value than zero is the common one.
  for (double& value : columns[20]) value = value == 0.0 ? 3.0 : 0.0;
  return columns;
}

std::shared_ptr<const FeatureSource> sparse_source(const std::vector<std::vector<double>>& columns) {
  struct Kept {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> rows;
    std::vector<double> values;
  };
  auto kept = std::make_shared<Kept>();
  for (const std::vector<double>& column : columns) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] == 0.0) continue;
      kept->rows.push_back(static_cast<std::int32_t>(i));
      kept->values.push_back(column[i]);
    }
    kept->starts.push_back(std::ssize(kept->rows));
  }
  SparseColumns sparse{std::ssize(columns[0]),
                       std::ssize(columns),
                       kept->starts,
                       std::span<const std::int32_t>(kept->rows),
                       std::span<const double>(kept->values),
                       kept};
  return std::make_shared<SparseSource>(std::move(sparse));
}

std::vector<std::vector<double>> genotype_values() {
  std::mt19937 random(6);
  std::vector<std::vector<double>> columns(kFeatures, std::vector<double>(kSamples, 0.0));
  for (std::vector<double>& column : columns) {
    for (double& value : column) {
      const auto call = random() % 8;
      value = call == 7 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(call % 3);
    }
  }
  for (const std::int64_t sample : *kSome.samples) columns[9][static_cast<std::size_t>(sample)] = 2.0;
  return columns;
}

std::shared_ptr<const FeatureSource> genotype_source(const std::vector<std::vector<double>>& columns) {
  auto calls = std::make_shared<std::vector<std::byte>>();
  for (const std::vector<double>& column : columns) {
    const FeatureBlock block = block_of(column, Encoding::kPacked2);
    const FeatureView view = block.view(0);
    calls->insert(calls->end(), view.data, view.data + packed_bytes(view.samples));
  }
  return std::make_shared<GenotypeSource>(std::span<const std::byte>(*calls), calls, false, std::ssize(columns),
                                          std::ssize(columns[0]));
}

std::vector<std::vector<double>> cut(const std::vector<std::vector<double>>& columns, const Subset& subset) {
  std::vector<std::vector<double>> result;
  for (const std::int64_t k : *subset.features) {
    std::vector<double>& column = result.emplace_back();
    for (const std::int64_t i : *subset.samples) {
      column.push_back(columns[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)]);
    }
  }
  return result;
}

// To the bit those of a source that has never known more.
void expect_same(const FeatureBlock& found, const FeatureBlock& expected) {
  ASSERT_EQ(found.features(), expected.features());
  ASSERT_EQ(found.samples, expected.samples);
  for (std::int64_t k = 0; k < found.features(); ++k) {
    const FeatureHeader& header = found.headers[static_cast<std::size_t>(k)];
    const FeatureHeader& wanted = expected.headers[static_cast<std::size_t>(k)];
    EXPECT_EQ(header.id, wanted.id);
    EXPECT_EQ(header.constant, wanted.constant) << k;
    EXPECT_EQ(header.missing, wanted.missing) << k;
    EXPECT_EQ(header.checksum, wanted.checksum) << k;
    std::vector<double> values(static_cast<std::size_t>(found.samples));
    std::vector<double> others(values.size());
    found.view(k).copy_values(values);
    expected.view(k).copy_values(others);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_TRUE(values[i] == others[i] || (std::isnan(values[i]) && std::isnan(others[i]))) << k << ", " << i;
    }
  }
}

using MakeSource = std::shared_ptr<const FeatureSource> (*)(const std::vector<std::vector<double>>&);

void expect_subset_is_a_table_of_its_own(const std::vector<std::vector<double>>& columns, MakeSource make) {
  const SubsetSource subset(make(columns), kSome);
  const auto own = make(cut(columns, kSome));
  ASSERT_EQ(subset.features(), own->features());
  ASSERT_EQ(subset.samples(), own->samples());
  FeatureBlock found;
  FeatureBlock expected;
  subset.read(0, subset.features(), found);
  own->read(0, own->features(), expected);
  expect_same(found, expected);
  const std::vector<std::int64_t> ids = {1, 3, 6};
  subset.gather(ids, found);
  own->gather(ids, expected);
  expect_same(found, expected);

  const auto whole = make(columns);
  const SubsetSource features_only(whole, {std::nullopt, kSome.features});
  features_only.read(2, 3, found);
  whole->gather(std::vector<std::int64_t>{3, 9, 20}, expected);
  for (std::size_t k = 0; k < 3; ++k) expected.headers[k].id = static_cast<std::int64_t>(k) + 2;
  expect_same(found, expected);
}

TEST(SubsetSource, OfSparseFeaturesIsATableOfItsOwn) {
  expect_subset_is_a_table_of_its_own(sparse_values(), sparse_source);
}

TEST(SubsetSource, OfGenotypesIsATableOfItsOwn) {
  expect_subset_is_a_table_of_its_own(genotype_values(), genotype_source);
}

TEST(SubsetSource, SparseFeaturesStaySparseAndGenotypesPacked) {
  FeatureBlock block;
  SubsetSource(sparse_source(sparse_values()), kSome).read(0, 1, block);
  EXPECT_TRUE(is_sparse(block.headers[0].encoding)) << to_string(block.headers[0].encoding);
  SubsetSource(genotype_source(genotype_values()), kSome).read(0, 1, block);
  EXPECT_EQ(block.headers[0].encoding, Encoding::kPacked2);
}

}  // namespace
}  // namespace land::test
