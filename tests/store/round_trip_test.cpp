// What goes into a store comes out of it, bit for bit.
#include <gmock/gmock.h>

#include <bit>
#include <limits>
#include <memory>
#include <random>

#include "land/blocks/sparse_source.h"
#include "land/store/store_writer.h"
#include "tests/cli/run_program.h"
#include "tests/store/stored.h"
#include "tests/support/samples.h"
#include "tests/support/sparse_columns.h"

namespace land::test {
namespace {

using testing::HasSubstr;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint64_t> bits(const FeatureView& feature) {
  std::vector<double> values(static_cast<std::size_t>(feature.samples));
  feature.copy_values(values);
  std::vector<std::uint64_t> words;
  for (const double value : values) words.push_back(std::bit_cast<std::uint64_t>(value));
  return words;
}

void expect_same(const FeatureSource& expected, const FeatureSource& found) {
  ASSERT_EQ(found.features(), expected.features());
  ASSERT_EQ(found.samples(), expected.samples());
  FeatureBlock a;
  FeatureBlock b;
  for (std::int64_t first = 0; first < expected.features(); first += 48) {
    const std::int64_t count = std::min<std::int64_t>(48, expected.features() - first);
    expected.read(first, count, a);
    found.read(first, count, b);
    for (std::int64_t k = 0; k < count; ++k) {
      const FeatureHeader& x = *a.view(k).header;
      const FeatureHeader& y = *b.view(k).header;
      EXPECT_EQ(y.id, x.id);
      EXPECT_EQ(y.encoding, x.encoding) << x.id;
      EXPECT_EQ(y.constant, x.constant);
      EXPECT_EQ(y.stride, x.stride);
      EXPECT_EQ(y.levels, x.levels);
      EXPECT_EQ(y.stored, x.stored);
      EXPECT_EQ(y.missing, x.missing);
      EXPECT_EQ(y.checksum, x.checksum);
      EXPECT_EQ(y.stats.deviation, x.stats.deviation);
      EXPECT_EQ(y.stats.deviation_error, x.stats.deviation_error);
      EXPECT_EQ(bits(b.view(k)), bits(a.view(k))) << x.id;
    }
  }
}

// One feature of each kind, with and without missing values.
std::vector<FeatureBlock> every_encoding(int n) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  std::vector<double> few;
  std::vector<double> calls;
  std::vector<double> rare;
  std::vector<double> rare_values;
  for (int i = 0; i < n; ++i) {
    values.push_back(static_cast<double>(static_cast<float>(normal(random))));
    few.push_back(static_cast<double>(i % 5) - 0.5);
    calls.push_back(static_cast<double>(i % 3));
    rare.push_back(i % 11 == 3 ? static_cast<double>(i % 2 + 1) : 0.0);
    rare_values.push_back(i % 13 == 5 ? normal(random) : 0.0);
  }
  std::vector<FeatureBlock> blocks;
  const std::vector<std::pair<Encoding, std::vector<double>>> columns = {
      {Encoding::kFloat32, values}, {Encoding::kFloat64, values},   {Encoding::kCodes, few},
      {Encoding::kPacked2, calls},  {Encoding::kSparseCodes, rare}, {Encoding::kSparseValues, rare_values}};
  for (const bool missing : {false, true}) {
    for (auto [encoding, column] : columns) {
      if (missing) column[static_cast<std::size_t>(n) / 2] = kMissing;
      blocks.push_back(block_of(column, encoding, std::ssize(blocks)));
    }
  }
  // Constant ones.
  for (const Encoding encoding : {Encoding::kFloat32, Encoding::kCodes, Encoding::kPacked2, Encoding::kSparseCodes}) {
    blocks.push_back(block_of(std::vector<double>(static_cast<std::size_t>(n), 2.0), encoding, std::ssize(blocks)));
    blocks.back().headers[0].constant = true;
  }
  return blocks;
}

TEST(Store, KeepsEveryEncoding) {
  for (const int n : {16, 17, 64, 257}) {
    const TemporaryFolder folder;
    const std::vector<FeatureBlock> blocks = every_encoding(n);
    StoreWriter writer(folder / "x.h5", n, 0);
    for (const FeatureBlock& block : blocks) writer.append(block);
    writer.commit({});
    EXPECT_EQ(folder.files(), std::vector<std::string>{"x.h5"});
    const Table table = read_file(folder / "x.h5");
    EXPECT_TRUE(table.feature_names.empty());
    EXPECT_FALSE(table.target);
    FeatureBlock found;
    table.encoded->read(0, std::ssize(blocks), found);
    FeatureBlock gathered;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const auto position = static_cast<std::int64_t>(k);
      EXPECT_EQ(found.headers[k].encoding, blocks[k].headers[0].encoding);
      EXPECT_EQ(bits(found.view(position)), bits(blocks[k].view(0))) << k;
      table.encoded->gather(std::vector{position}, gathered);
      EXPECT_EQ(gathered.headers[0].id, position);
      EXPECT_EQ(bits(gathered.view(0)), bits(blocks[k].view(0))) << k;
    }
  }
}

// Columns by turns continuous, few-valued, constant and not exact in float32, some with missing values.
Table mixed_table(int n, int d, DType dtype, bool missing) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const std::size_t size = static_cast<std::size_t>(n) * static_cast<std::size_t>(d);
  auto singles = std::make_shared<std::vector<float>>(size);
  auto doubles = std::make_shared<std::vector<double>>(size);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < d; ++k) {
      double x = normal(random);
      if (k % 7 == 3) x = std::round(x);
      if (k % 19 == 4) x = 1.5;
      if (missing && (k + i) % 23 == 6 && k % 5 == 0) x = kMissing;
      const std::size_t at = static_cast<std::size_t>(i) * static_cast<std::size_t>(d) + static_cast<std::size_t>(k);
      (*singles)[at] = static_cast<float>(x);
      (*doubles)[at] = x;
    }
  }
  Table table;
  table.path = "memory";
  table.matrix.dtype = dtype;
  table.matrix.data = dtype == DType::kFloat32 ? reinterpret_cast<const std::byte*>(singles->data())
                                               : reinterpret_cast<const std::byte*>(doubles->data());
  table.matrix.owner = dtype == DType::kFloat32 ? std::shared_ptr<const void>(singles) : doubles;
  table.matrix.samples = n;
  table.matrix.columns = d;
  table.matrix.sample_stride = d;
  table.matrix.column_stride = 1;
  return table;
}

TEST(Store, KeepsMatrices) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
    for (const bool missing : {false, true}) {
      for (const std::int64_t skipped : {-1, 0, 40, 48, 76}) {
        const TemporaryFolder folder;
        Table table = mixed_table(61, 77, dtype, missing);
        table.matrix.skipped_column = skipped;
        const Table again = stored(table, folder / "x.h5");
        expect_same(*table.source(Missing::kLevel), *again.source(Missing::kLevel));
        const Table store_of_store = stored(again, folder / "y.h5");
        expect_same(*again.encoded, *store_of_store.encoded);
      }
    }
  }
}

SparseColumns sparse_columns(int n, int d) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> starts = {0};
  std::vector<std::int32_t> rows;
  std::vector<double> values;
  for (int k = 0; k < d; ++k) {
    for (int i = 0; i < n; ++i) {
      if (random() % 100 >= (k % 9 == 0 ? 60U : 8U)) continue;
      rows.push_back(i);
      values.push_back(k % 2 == 0 ? static_cast<double>(1 + random() % 3) : 0.1 * static_cast<double>(random() % 1000));
      if (k % 11 == 5 && i % 3 == 0) values.back() = kMissing;
    }
    starts.push_back(std::ssize(rows));
  }
  return test::columns_of(n, std::move(starts), std::move(rows), std::move(values));
}

TEST(Store, KeepsSparseFeatures) {
  const TemporaryFolder folder;
  Table table;
  table.path = "memory";
  table.encoded = std::make_shared<SparseSource>(sparse_columns(200, 150));
  const Table again = stored(table, folder / "x.h5");
  expect_same(*table.encoded, *again.encoded);
}

TEST(Store, KeepsNamesIdsAndTarget) {
  const TemporaryFolder folder;
  for (const bool text : {false, true}) {
    Table table = mixed_table(40, 3, DType::kFloat64, false);
    table.feature_names = {"", "a name, \"quoted\"", "\xC3\xA9t\xC3\xA9"};
    for (int i = 0; i < 40; ++i) table.sample_ids.push_back("s" + std::to_string(i * i));
    TargetColumn target{"the target", {}, {}};
    for (int i = 0; i < 40; ++i) {
      if (text) {
        target.text.emplace_back(i % 3 == 0 ? "yes" : "no");
      } else {
        target.numbers.push_back(0.1 * i);
      }
    }
    target.categorical = text;
    table.target = target;
    table.default_missing = text ? Missing::kIgnore : Missing::kError;
    const Table again = stored(table, folder / "x.h5");
    EXPECT_EQ(again.all_feature_names(), table.feature_names);
    EXPECT_EQ(again.sample_ids, table.sample_ids);
    EXPECT_EQ(again.default_missing, table.default_missing);
    ASSERT_TRUE(again.target);
    EXPECT_EQ(again.target->name, target.name);
    EXPECT_EQ(again.target->text, target.text);
    EXPECT_EQ(again.target->numbers, target.numbers);
    EXPECT_EQ(again.target->categorical, target.categorical);
  }
}

TEST(Store, IsTheSameFileForAnyThreads) {
  const TemporaryFolder folder;
  const Table table = mixed_table(61, 300, DType::kFloat32, true);
  std::vector<std::string> files;
  for (const int threads : {1, 2, 5}) {
    ConvertOptions options;
    options.missing = Missing::kIgnore;
    convert(table, folder / "x.h5", options, with_threads(threads));
    files.push_back(read_text(folder / "x.h5"));
  }
  EXPECT_TRUE(files[0] == files[1]);
  EXPECT_TRUE(files[0] == files[2]);
}

TEST(Store, DropsStripsThatNobodyReads) {
  const TemporaryFolder folder;
  Table table = mixed_table(1000, 64, DType::kFloat32, false);
  auto values = std::make_shared<std::vector<float>>(64'000);
  for (std::size_t i = 0; i < values->size(); ++i) (*values)[i] = static_cast<float>((i * 31 + i / 64) % 3);
  table.matrix.data = reinterpret_cast<const std::byte*>(values->data());
  table.matrix.owner = values;
  const Converted converted = convert(table, folder / "x.h5", {}, with_threads(1));
  EXPECT_LT(converted.bytes, 64 * 1100);
}

TEST(Store, RefusesMissingValuesAsSelectDoes) {
  const TemporaryFolder folder;
  const Table table = mixed_table(61, 77, DType::kFloat32, true);
  const auto message = refusal([&] { stored(table, folder / "x.h5", Missing::kError); });
  EXPECT_THAT(message, HasSubstr("the value is missing"));
  EXPECT_TRUE(folder.files().empty());
  Table sparse;
  sparse.path = "counts";
  sparse.encoded = std::make_shared<SparseSource>(sparse_columns(200, 150));
  EXPECT_THAT(refusal([&] { stored(sparse, folder / "x.h5", Missing::kError); }),
              HasSubstr("missing values, the first in feature f5; choose --missing"));
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace land::test
