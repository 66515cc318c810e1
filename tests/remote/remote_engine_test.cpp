// What a cluster may do, and what it may not. That all engines give the same bits is in tests/engine and tests/select.
#include "land/remote/remote_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "land/base/error.h"
#include "land/commands/select.h"
#include "land/engine/scored_parts.h"
#include "land/remote/worker.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kSamples = 80;
const Context kContext;

// Noise, of which a few features make the target.
struct Data {
  explicit Data(int features) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (int k = 0; k < features; ++k) {
      std::vector<double>& column = columns.emplace_back();
      for (int i = 0; i < kSamples; ++i) column.push_back(normal(random));
    }
    std::vector<double> y;
    for (std::size_t i = 0; i < kSamples; ++i) y.push_back(columns[3][i] + columns[50][i] * columns[50][i]);
    target = test::numeric_target(y);
    table = test::table_of_floats(columns);
    table.path = "noise.npy";
    for (int k = 0; k < features; ++k) table.feature_names.push_back("gene" + std::to_string(k));
  }
  ScoreJob job() const {
    ScoreJob made;
    made.against = std::make_shared<Target>(target);
    made.last = table.features();
    return made;
  }
  std::vector<std::vector<double>> columns;
  Target target;
  Table table;
};

TEST(RemoteEngine, NamesTheFeaturesThatWereNeverScored) {
  const Data data(200);
  test::SerialCluster cluster(data.table, Missing::kError);
  ASSERT_GE(cluster.cells.size(), 5U);
  const std::string range = std::to_string(cluster.firsts[1]) + " to " + std::to_string(cluster.firsts[2] - 1);
  cluster.cells.erase(cluster.cells.begin() + 1);
  cluster.firsts.erase(cluster.firsts.begin() + 1);
  RemoteEngine engine(cluster.table(), cluster.verbs(), kContext);
  EXPECT_THAT([&] { score_job(engine, data.job(), {}); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("noise.npy"), HasSubstr(range))));
}

TEST(RemoteEngine, RefusesCellsAndAnswersOfOthers) {
  const Data data(100);
  const Data more(120);
  const test::SerialCluster cluster(data.table, Missing::kError);
  const test::SerialCluster other(more.table, Missing::kError);
  RemoteEngine mixed(cluster.table(), other.verbs(), kContext);
  EXPECT_THAT([&] { score_job(mixed, data.job(), {}); }, ThrowsMessage<InputError>(HasSubstr("another data set")));
  EXPECT_THAT([&] { mixed.fetch(std::vector<FeatureId>{3}); },
              ThrowsMessage<InputError>(HasSubstr("another data set")));
  // Scores for another target.
  const ScoreJob stale = [&] {
    ScoreJob job = data.job();
    Target target = data.target;
    target.name = "weight";
    target.values[0] += 1.0;
    job.against = std::make_shared<Target>(target);
    return job;
  }();
  Cluster verbs = cluster.verbs();
  verbs.score = [&](std::string_view, const Cluster::Take& take) {
    cluster.verbs().score(to_message(Order{cluster.table().data, {stale}, 0}), take);
  };
  RemoteEngine late(cluster.table(), verbs, kContext);
  EXPECT_THAT([&] { score_job(late, data.job(), {}); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("another order"), HasSubstr("weight"))));
}

TEST(RemoteEngine, TakesPartsThatWereCutOtherwise) {
  const Data data(160);
  const test::SerialCluster cluster(data.table, Missing::kError);
  Cluster verbs = cluster.verbs();
  verbs.score = [&](std::string_view order, const Cluster::Take& take) {
    Worker worker(order);
    std::vector<Answer> answers;
    for (const std::string& cell : cluster.cells) answers.push_back(read_answer(worker.score(cell, "")));
    // Two cells as one part, after the second of them alone.
    Answer both = answers[0];
    ScoreJob first_two = data.job();
    first_two.last = cluster.firsts[2];
    ScoredParts parts(first_two);
    parts.add(answers[0].parts[0]);
    parts.add(answers[1].parts[0]);
    both.parts[0] = parts.take();
    take(to_message(answers[1]));
    take(to_message(both));
    for (std::size_t c = 2; c < answers.size(); ++c) take(to_message(answers[c]));
  };
  RemoteEngine engine(cluster.table(), verbs, kContext);
  RemoteEngine whole(cluster.table(), cluster.verbs(), kContext);
  EXPECT_EQ(to_message(score_job(engine, data.job(), {})), to_message(score_job(whole, data.job(), {})));
}

TEST(RemoteEngine, DamagedCellsAreNamed) {
  const Data data(100);
  test::SerialCluster cluster(data.table, Missing::kError);
  cluster.cells[1][cluster.cells[1].size() / 2] ^= 4;
  const std::string range = std::to_string(cluster.firsts[1]) + " to " + std::to_string(cluster.firsts[2] - 1);
  RemoteEngine engine(cluster.table(), cluster.verbs(), kContext);
  EXPECT_THAT(
      [&] { score_job(engine, data.job(), {}); },
      ThrowsMessage<InputError>(HasSubstr("cell 1 (features " + range + "): a cell of a block table: damaged")));
  cluster.cells[1].resize(30);
  EXPECT_THAT([&] { score_job(engine, data.job(), {}); },
              ThrowsMessage<InputError>(HasSubstr("cell 1: a cell of a block table: cut short")));
}

TEST(RemoteEngine, SelectsInFewJobsAndSaysHowMany) {
  const Data data(3000);
  const test::SerialCluster cluster(data.table, Missing::kError);
  for (const std::int64_t m : {2, 20}) {
    const Context context;
    RemoteEngine engine(cluster.table(), cluster.verbs(), context);
    WorkerPool pool(2);
    SelectOptions options;
    options.features = m;
    Table table = table_of(cluster.table());
    table.names = std::make_shared<const RemoteNames>(engine);
    const Result result = select(engine, pool, table, data.target, options, context);
    // The scores, what the path went on to, and what the certificate draws.
    EXPECT_LE(result.engine.jobs, 4);
    EXPECT_GE(result.engine.jobs, 2);
    EXPECT_EQ(result.engine.name, "serial");
    EXPECT_EQ(result.engine.workers, 3);
    EXPECT_GT(result.engine.bytes_moved, 3000 * 28);
    EXPECT_LT(result.engine.bytes_moved, 3000 * 60 + (result.work.features_touched + 4000) * 6 * kSamples);
    const Result local = test::local::select(data.table, data.target, options, context);
    EXPECT_EQ(test::json_without_times(result), test::json_without_times(local));
    EXPECT_EQ(result.selected[0].name, "gene" + std::to_string(result.selected[0].index));
  }
}

// Names of copies, which the path never fetches, come together; features that have none are asked once.
TEST(RemoteEngine, NamesCostNoJobEach) {
  for (const bool named : {true, false}) {
    Data data(400);
    for (std::size_t copy = 300; copy < 330; ++copy) data.columns[copy] = data.columns[copy < 315 ? 3 : 50];
    Table copied = test::table_of_floats(data.columns);
    if (named) copied.feature_names = data.table.feature_names;
    const test::SerialCluster cluster(copied, Missing::kError);
    RemoteEngine engine(cluster.table(), cluster.verbs(), kContext);
    WorkerPool pool(1);
    SelectOptions options;
    options.features = 10;
    options.neighbors = 5;
    Table table = table_of(cluster.table());
    table.names = std::make_shared<const RemoteNames>(engine);
    const Result result = select(engine, pool, table, data.target, options, kContext);
    EXPECT_EQ(result.selected[0].identical.size(), 15U);
    EXPECT_EQ(result.selected[0].identical_names[0], named ? "gene300" : "f300");
    EXPECT_LE(result.engine.jobs, 6);
    const Result local = test::local::select(copied, data.target, options, kContext);
    EXPECT_EQ(test::json_without_times(result), test::json_without_times(local));
  }
}

// An engine that may keep nothing fetches again, and gives the same.
TEST(RemoteEngine, MayKeepNothing) {
  const Data data(300);
  const test::SerialCluster cluster(data.table, Missing::kError);
  RemoteEngine engine(cluster.table(), cluster.verbs(), kContext);
  const std::vector<FeatureId> ids = {7, 250, 7};
  engine.announce(std::vector<FeatureId>{7, 8, 9});
  for (int repeats = 0; repeats < 2; ++repeats) {
    const auto blocks = engine.fetch(ids);
    for (std::size_t t = 0; t < ids.size(); ++t) EXPECT_EQ(blocks[t]->headers[0].id, ids[t]);
  }
  EXPECT_EQ(engine.work().jobs, 2);
}

TEST(RemoteEngine, BringsAlongWhatWasAnnounced) {
  const Data data(300);
  const test::SerialCluster cluster(data.table, Missing::kError);
  RemoteEngine engine(cluster.table(), cluster.verbs(), kContext);
  engine.allow({.kept = 1 << 20});
  const auto fetch = [&](FeatureId id) { engine.fetch({&id, 1}); };
  engine.announce(std::vector<FeatureId>{10, 200, 20});
  fetch(299);  // not announced: alone
  EXPECT_EQ(engine.work().jobs, 1);
  fetch(200);
  EXPECT_EQ(engine.work().jobs, 2);
  fetch(10);
  fetch(20);
  fetch(299);
  EXPECT_EQ(engine.work().jobs, 2);
}

}  // namespace
}  // namespace land
