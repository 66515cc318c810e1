// A selection from a store is that from the data it was made of, bit for bit; and what a store is asked for otherwise.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

#include "land/blocks/sparse_source.h"
#include "land/commands/score.h"
#include "land/commands/select.h"
#include "land/commands/survey.h"
#include "land/data/target.h"
#include "land/report/json.h"
#include "tests/formats/sample_files.h"
#include "tests/store/stored.h"
#include "tests/support/commands.h"
#include "tests/support/sparse_columns.h"

namespace land::test {
namespace {

using test::both::score;
using test::both::select;

using testing::HasSubstr;

constexpr int kSamples = 120;
constexpr int kFeatures = 90;

// Sample-major; every third column has few values, all fit the types of the files below.
std::vector<double> values(bool missing) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> table;
  for (int i = 0; i < kSamples; ++i) {
    for (int k = 0; k < kFeatures; ++k) {
      double x = normal(random) + (k % 10 == 0 ? 0.02 * (i % 40) : 0.0);
      if (k % 3 == 1) x = std::round(x);
      if (missing && (i * 7 + k) % 31 == 5 && k % 2 == 0) x = std::nan("");
      table.push_back(static_cast<double>(static_cast<float>(x)));
    }
  }
  return table;
}

TargetColumn numbers() {
  TargetColumn target{"y", {}, {}};
  for (int i = 0; i < kSamples; ++i) target.numbers.push_back(0.37 * (i % 40) + 0.01 * i);
  return target;
}

TargetColumn texts() {
  TargetColumn target{"y", {}, {}};
  for (int i = 0; i < kSamples; ++i) target.text.emplace_back(i % 40 < 12 ? "low" : (i % 40 < 28 ? "middle" : "high"));
  return target;
}

// All that a selection gives, without the path of the file and the times.
std::string outcome(const Table& table, Missing missing) {
  SelectOptions options;
  options.features = 12;
  options.kernel.missing = missing;
  Result result = select(table, make_target(*table.target, Task::kAuto), options, with_threads(2));
  result.data.path.clear();
  result.seconds = {};
  result.data.id_column.clear();  // a store has its ids and its target by itself
  result.data.matching = {};
  return to_json(result);
}

void expect_same_selection(Table table, Missing missing = Missing::kError) {
  for (const TargetColumn& target : {numbers(), texts()}) {
    const TemporaryFolder folder;
    table.target = target;
    const Table store = stored(table, folder / "x.h5", missing);
    EXPECT_EQ(outcome(store, missing), outcome(table, missing));
    // Blocks of the usual size, too.
    ConvertOptions options;
    options.missing = missing;
    convert(table, folder / "y.h5", options, with_threads(1));
    EXPECT_EQ(outcome(read_file(folder / "y.h5"), missing), outcome(table, missing));
  }
}

template <class T>
std::string array(const std::string& descr, bool fortran, const std::vector<double>& from) {
  std::vector<T> items;
  for (int a = 0; a < (fortran ? kFeatures : kSamples); ++a) {
    for (int b = 0; b < (fortran ? kSamples : kFeatures); ++b) {
      items.push_back(static_cast<T>(from[static_cast<std::size_t>(fortran ? b * kFeatures + a : a * kFeatures + b)]));
    }
  }
  return npy(descr, fortran, {kSamples, kFeatures}, raw(items));
}

TEST(SelectStore, EqualsTheArray) {
  const TemporaryFolder folder;
  for (const bool fortran : {false, true}) {
    const std::vector<std::string> files = {
        array<float>("<f4", fortran, values(false)), array<double>("<f8", fortran, values(false)),
        array<std::int8_t>("|i1", fortran, values(false)), array<std::int32_t>("<i4", fortran, values(false))};
    for (const std::string& file : files) expect_same_selection(read_file(folder.write("x.npy", file)));
  }
  std::vector<double> bytes = values(false);
  for (double& x : bytes) x = std::abs(std::round(40.0 * x));
  expect_same_selection(read_file(folder.write("x.npy", array<std::uint8_t>("|u1", false, bytes))));
}

TEST(SelectStore, EqualsTheArrayWithMissingValues) {
  const TemporaryFolder folder;
  for (const bool fortran : {false, true}) {
    for (const std::string& file :
         {array<float>("<f4", fortran, values(true)), array<double>("<f8", fortran, values(true))}) {
      const Table table = read_file(folder.write("x.npy", file));
      for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
        expect_same_selection(table, missing);
      }
    }
  }
}

TEST(SelectStore, EqualsTheArrayThatHoldsItsTarget) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.npy", array<float>("<f4", false, values(false)));
  for (const char* column : {"0", "16", "37", "89"}) {
    const Table table = read_file(path, column);
    const Table store = stored(table, folder / "x.h5");
    EXPECT_EQ(outcome(store, Missing::kError), outcome(table, Missing::kError));
  }
}

TEST(SelectStore, EqualsTheText) {
  const TemporaryFolder folder;
  std::string csv = "id";
  for (int k = 0; k < kFeatures; ++k) csv += fmt::format(",gene{}", k);
  csv += ",y\n";
  const std::vector<double> table = values(false);
  for (int i = 0; i < kSamples; ++i) {
    csv += fmt::format("s{}", i);
    for (int k = 0; k < kFeatures; ++k) csv += fmt::format(",{}", table[static_cast<std::size_t>(i * kFeatures + k)]);
    csv += i % 40 < 20 ? ",a\n" : ",b\n";
  }
  const Table read = read_file(folder.write("x.csv", csv), "y");
  const Table store = stored(read, folder / "x.h5");
  EXPECT_EQ(store.sample_ids, read.sample_ids);
  EXPECT_EQ(outcome(store, Missing::kError), outcome(read, Missing::kError));
}

TEST(SelectStore, EqualsTheSparseTable) {
  std::mt19937_64 random(2);
  std::vector<std::int64_t> starts = {0};
  std::vector<std::int32_t> rows;
  std::vector<float> entries;
  for (int k = 0; k < kFeatures; ++k) {
    for (int i = 0; i < kSamples; ++i) {
      if (random() % 100 >= (k % 5 == 0 ? 50U : 10U) + (i % 40 < 12 ? 9U : 0U)) continue;
      rows.push_back(i);
      entries.push_back(k % 3 == 0 ? 0.25F * static_cast<float>(random() % 999) : static_cast<float>(1 + random() % 4));
    }
    starts.push_back(std::ssize(rows));
  }
  SparseColumns matrix = test::columns_of(kSamples, std::move(starts), std::move(rows), std::move(entries));
  Table table;
  table.encoded = std::make_shared<SparseSource>(std::move(matrix));
  expect_same_selection(table);
}

TEST(SelectStore, TakesAFeatureOrAFileForTheTarget) {
  const TemporaryFolder folder;
  Table table = read_file(folder.write("x.npy", array<float>("<f4", false, values(false))));
  table.target = numbers();
  for (int k = 0; k < kFeatures; ++k) table.feature_names.push_back(fmt::format("gene{}", k));
  stored(table, folder / "x.h5");

  const Table named = read_file(folder / "x.h5", "gene17");
  EXPECT_EQ(named.features(), kFeatures - 1);
  EXPECT_EQ(named.feature_name(17), "gene18");
  EXPECT_EQ(named.target->name, "gene17");
  Table expected = read_file(folder / "x.npy", "17");
  expected.target->name = "gene17";
  expected.feature_names = named.feature_names;
  for (std::int64_t k = 0; k < named.features(); ++k) {
    FeatureBlock a;
    FeatureBlock b;
    named.encoded->read(k, 1, a);
    expected.source(Missing::kError)->read(k, 1, b);
    EXPECT_EQ(a.headers[0].id, k);
    EXPECT_EQ(a.headers[0].checksum, b.headers[0].checksum);
    EXPECT_EQ(a.view(0).value(5), b.view(0).value(5));
  }
  EXPECT_EQ(named.target->numbers, expected.target->numbers);

  std::string lines;
  for (int i = 0; i < kSamples; ++i) lines += i % 2 == 0 ? "a\n" : "b\n";
  EXPECT_TRUE(read_file(folder / "x.h5", folder.write("y.txt", lines)).target->is_text());
  EXPECT_EQ(read_file(folder / "x.h5", "y").target->numbers, table.target->numbers);
  EXPECT_THAT(refusal([&] { read_file(folder / "x.h5", "gene99"); }),
              HasSubstr("no such feature and no such file; did you mean"));
}

// The strips of the store no longer begin at multiples of 16 behind the feature that was taken out.
TEST(SelectStore, BoundsAreTheSameForAnyBlocksAndParts) {
  const TemporaryFolder folder;
  const Table array_of_floats = read_file(folder.write("x.npy", array<float>("<f4", false, values(false))));
  stored(array_of_floats, folder / "x.h5");
  for (const char* target : {"0", "15", "16", "40"}) {
    const Table table = read_file(folder / "x.h5", target);
    const Target numbers = make_target(*table.target, Task::kAuto);
    const auto bounds = [&](std::int64_t block_size, std::int64_t parts) {
      std::vector<double> all;
      for (std::int64_t part = 1; part <= parts; ++part) {
        ScoreOptions options;
        options.block_size = block_size;
        options.part = part;
        options.parts = parts;
        const Scores scores = score(table, numbers, options, with_threads(2)).scores;
        all.insert(all.end(), scores.relevance.begin(), scores.relevance.end());
      }
      return all;
    };
    const std::vector<double> expected = bounds(0, 1);
    EXPECT_EQ(std::ssize(expected), kFeatures - 1);
    for (const std::int64_t block_size : {16, 32, 48}) EXPECT_EQ(bounds(block_size, 1), expected) << target;
    for (const std::int64_t parts : {2, 3, 5}) EXPECT_EQ(bounds(16, parts), expected) << target;
  }
}

TEST(SelectStore, RefusesOptionsThatAreForRows) {
  const TemporaryFolder folder;
  const Table table = read_file(folder.write("x.npy", array<float>("<f4", false, values(false))));
  stored(table, folder / "x.h5");
  ReadOptions options;
  options.rows = Rows::kFeatures;
  EXPECT_THAT(refusal([&] { read_table(folder / "x.h5", options, {}); }), HasSubstr("leave --rows out"));
  options = {};
  options.id_column = "id";
  EXPECT_THAT(refusal([&] { read_table(folder / "x.h5", options, {}); }), HasSubstr("leave --id out"));
}

TEST(SelectStore, CanBeReadFromMemory) {
  const TemporaryFolder folder;
  const Table table = read_file(folder.write("x.npy", array<float>("<f4", false, values(false))));
  stored(table, folder / "x.h5");
  std::ifstream file(folder / "x.h5", std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& bytes : {content, gzip(content)}) {
    const Table again = read(bytes, "x.h5");
    EXPECT_EQ(again.features(), kFeatures);
    EXPECT_EQ(again.encoded->storage(), "memory");
  }
  EXPECT_EQ(read_file(folder / "x.h5").encoded->storage(), "mapped");
}

TEST(SelectStore, SurveyIsThatOfTheTable) {
  const TemporaryFolder folder;
  const Table table = read_file(folder.write("x.npy", array<double>("<f8", false, values(true))));
  const Survey plain = survey(table, {});
  const Survey store = survey(stored(table, folder / "x.h5"), {});
  EXPECT_EQ(store.features, plain.features);
  EXPECT_EQ(store.samples, plain.samples);
  EXPECT_EQ(store.dtype, "encoded");
  EXPECT_EQ(store.storage, "mapped");
  EXPECT_EQ(store.missing, plain.missing);
  EXPECT_EQ(store.features_missing, plain.features_missing);
  EXPECT_THAT(store.first_missing, HasSubstr("x.h5: feature 'f"));
  EXPECT_EQ(store.distinct.up_to_64, plain.distinct.up_to_64);
  EXPECT_EQ(store.distinct.more, plain.distinct.more);
  EXPECT_EQ(store.encodings.codes + store.encodings.float32, kFeatures);
}

}  // namespace
}  // namespace land::test
