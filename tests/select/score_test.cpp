// Scores in files: a selection that starts from them is the selection itself.
#include "land/commands/score.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "cli/spelling.h"
#include "land/blocks/sparse_source.h"
#include "land/commands/select.h"
#include "land/report/json.h"
#include "land/scores/score_file.h"
#include "tests/support/commands.h"
#include "tests/support/samples.h"
#include "tests/support/sparse_columns.h"
#include "tests/support/temporary_folder.h"

namespace land {
namespace {

using test::both::join_parts;
using test::both::score;
using test::both::select;

using testing::HasSubstr;

// 100 features of 60 samples: a dense float32 matrix, or the same, mostly zeros, sparse.
Table table_of(bool sparse, std::uint64_t seed = 1) {
  constexpr std::int64_t kSamples = 60;
  constexpr std::int64_t kFeatures = 100;
  std::mt19937_64 random(seed);
  auto values = std::make_shared<std::vector<float>>();
  for (std::int64_t i = 0; i < kSamples * kFeatures; ++i) {
    const bool zero = sparse && random() % 8 != 0;
    values->push_back(zero ? 0.0F : static_cast<float>(1 + random() % (sparse ? 3 : 10000)));
  }
  Table table;
  table.path = "data";
  if (sparse) {
    std::vector<float> stored;
    std::vector<std::int32_t> rows;
    std::vector<std::int64_t> starts = {0};
    for (std::int64_t k = 0; k < kFeatures; ++k) {
      for (std::int64_t i = 0; i < kSamples; ++i) {
        const float value = (*values)[static_cast<std::size_t>(i * kFeatures + k / 2 * 2)];  // every column twice
        if (value == 0.0F) continue;
        rows.push_back(static_cast<std::int32_t>(i));
        stored.push_back(value * static_cast<float>(1 + k % 2));
      }
      starts.push_back(std::ssize(rows));
    }
    table.encoded = std::make_shared<SparseSource>(
        test::columns_of(kSamples, std::move(starts), std::move(rows), std::move(stored)));
    return table;
  }
  table.matrix.data = reinterpret_cast<const std::byte*>(values->data());
  table.matrix.dtype = DType::kFloat32;
  table.matrix.samples = kSamples;
  table.matrix.columns = kFeatures;
  table.matrix.sample_stride = kFeatures;
  table.matrix.column_stride = 1;
  table.matrix.owner = values;
  return table;
}

Target target_of() { return test::class_target(test::sample_labels(60, 2, 9), 2); }

std::string without_times(Result result) {
  result.seconds = {};
  return to_json(result);
}

class ScoreParts : public testing::TestWithParam<bool> {};

TEST_P(ScoreParts, SelectFromThemIsSelect) {
  const Table table = table_of(GetParam());
  const Target target = target_of();
  SelectOptions options;
  options.features = 8;
  const Context context{2, {}, nullptr};
  const std::string direct = without_times(select(table, target, options, context));
  const test::TemporaryFolder folder;
  for (const std::int64_t parts : {1, 3, 7}) {
    std::vector<ScoredPart> read;
    for (std::int64_t part = parts; part >= 1; --part) {
      ScoreOptions score_options;
      score_options.part = part;
      score_options.parts = parts;
      const std::string path = folder / fmt::format("{}.scores", part);
      write_scores(score(table, target, score_options, context), path);
      read.push_back(read_scores(path));
    }
    const Scores scores = join_parts(read, table, target, {});
    EXPECT_EQ(without_times(select(table, target, options, context, &scores)), direct) << parts << " parts";
  }
  // Refined scores lead to the same path.
  ScoreOptions refined;
  refined.refine = true;
  const std::vector<ScoredPart> parts = {score(table, target, refined, context)};
  const Scores scores = join_parts(parts, table, target, {});
  const Result expected = select(table, target, options, context);
  const Result result = select(table, target, options, context, &scores);
  ASSERT_EQ(result.selected.size(), expected.selected.size());
  for (std::size_t t = 0; t < result.selected.size(); ++t) {
    EXPECT_EQ(result.selected[t].index, expected.selected[t].index);
    EXPECT_EQ(result.selected[t].coefficient, expected.selected[t].coefficient);
  }
  for (const float error : scores.error) EXPECT_LT(error, 1e-8F);
}

INSTANTIATE_TEST_SUITE_P(Tables, ScoreParts, testing::Bool(),
                         [](const auto& which) { return which.param ? "sparse" : "dense"; });

TEST(ScoreFile, CopiesAreCountedOnce) {
  const Table table = table_of(true);
  const Result result = select(table, target_of(), {}, {});
  EXPECT_EQ(result.data.distinct_features, 50);
  EXPECT_EQ(result.work.features_copied, 50);
  for (const SelectedFeature& feature : result.selected) {
    EXPECT_EQ(feature.index % 2, 0);
    EXPECT_THAT(feature.identical, testing::ElementsAre(feature.index + 1));
  }
}

std::string refusal(const std::vector<ScoredPart>& parts, const Table& table, const Target& target,
                    const KernelOptions& options = {}) {
  try {
    join_parts(parts, table, target, options);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

TEST(ScoreFile, PartsOfAnythingElseAreRefusedByName) {
  const Table table = table_of(false);
  const Target target = target_of();
  std::vector<ScoredPart> parts;
  for (const std::int64_t part : {1, 2, 3}) {
    ScoreOptions options;
    options.part = part;
    options.parts = 3;
    parts.push_back(score(table, target, options, {}));
    parts.back().path = fmt::format("part{}", part);
  }
  EXPECT_EQ(refusal(parts, table, target), "");
  EXPECT_THAT(refusal({parts[0], parts[2]}, table, target), HasSubstr("features 32 to 63 are in no part"));
  EXPECT_THAT(refusal({parts[1]}, table, target), HasSubstr("features 0 to 31 and 64 to 99 are in no part"));
  EXPECT_THAT(refusal({parts[0], parts[1], parts[1], parts[2]}, table, target), HasSubstr("part2: it repeats"));
  EXPECT_THAT(refusal(parts, table_of(false, 2), target), HasSubstr("part1: its scores were made from other data"));
  KernelOptions wide;
  wide.sigma = {2.0};
  EXPECT_THAT(refusal(parts, table, target, wide), HasSubstr("part1: made with other options"));
  EXPECT_THAT(refusal(parts, table, test::class_target(test::sample_labels(60, 2, 10), 2)),
              HasSubstr("part1: made for another target"));
  parts[1].version = "0.0.9";
  EXPECT_THAT(refusal(parts, table, target), HasSubstr("part2: made by land 0.0.9"));
}

TEST(ScoreFile, DamageIsNoticedWhereverItIs) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "a.scores";
  write_scores(score(table_of(true), target_of(), {}, {}), path);
  std::ifstream file(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (std::size_t at = 0; at < whole.size(); at += 13) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    EXPECT_THROW(read_scores(folder.write("b.scores", flipped)), InputError) << at;
    EXPECT_THROW(read_scores(folder.write("b.scores", whole.substr(0, at))), InputError) << at;
  }
  EXPECT_THROW(read_scores(folder / "none"), InputError);
}

}  // namespace
}  // namespace land
