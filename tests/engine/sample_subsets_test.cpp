// Jobs by some of the samples: scores are those of tables that have these samples alone, from one pass over the data.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "land/engine/local_run.h"
#include "land/engine/sample_view.h"
#include "land/engine/scored_parts.h"
#include "land/judging/folds.h"
#include "land/remote/remote_engine.h"
#include "land/subset/subset_table.h"
#include "land/wire/scores_message.h"
#include "tests/support/engine_tables.h"
#include "tests/support/loopback_engine.h"
#include "tests/support/serial_cluster.h"

namespace land {
namespace {

ScoreJob job_of(const Target& target, const test::EngineTable& one, std::shared_ptr<const SampleNumbers> subset) {
  ScoreJob job;
  job.against = std::make_shared<Target>(subset == nullptr ? target : part_of(target, *subset));
  job.kernel.missing = one.missing;
  job.last = one.table.features();
  job.wanted = 3;
  job.subset = std::move(subset);
  return job;
}

// Two that differ, one of them twice, and all samples.
std::vector<ScoreJob> jobs_of(const test::EngineTable& one) {
  const auto some = test::some_samples();
  auto others = std::make_shared<SampleNumbers>();
  for (std::int64_t i = 0; i < test::kEngineSamples; i += 2) others->push_back(i);
  std::vector<ScoreJob> jobs = {job_of(test::engine_classes(), one, some), job_of(test::engine_numbers(), one, others),
                                job_of(test::engine_classes(), one, nullptr), job_of(test::engine_numbers(), one, some),
                                // The same samples, said once more.
                                job_of(test::engine_classes(), one, std::make_shared<SampleNumbers>(*some))};
  jobs[3].refine = true;
  jobs[4].bounds_only = true;
  return jobs;
}

std::vector<std::string> bits(const std::vector<Scores>& all) {
  std::vector<std::string> messages;
  for (const Scores& scores : all) messages.push_back(to_message(scores));
  return messages;
}

TEST(SampleSubsets, ScoreAsSourcesOfTheseSamplesAlone) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    const std::vector<ScoreJob> jobs = jobs_of(one);
    const auto source = one.table.source(one.missing);
    Context context;
    WorkerPool pool(1);
    std::vector<Scores> expected;
    for (ScoreJob job : jobs) {
      std::shared_ptr<const FeatureSource> used = source;
      if (job.subset != nullptr) used = std::make_shared<SubsetSource>(source, Subset{*job.subset, std::nullopt});
      job.subset = nullptr;
      LocalEngine engine(*used, pool, context);
      expected.push_back(score_job(engine, job, context));
    }
    for (const int threads : {1, 3}) {
      for (const std::int64_t block_size : {0, 16}) {
        context.threads = threads;
        LocalRun local(one.table, one.missing, block_size, context);
        EXPECT_EQ(bits(score_jobs(local.engine, jobs, context)), bits(expected)) << threads << " " << block_size;
      }
    }
    test::LoopbackEngine loopback(source, context);
    EXPECT_EQ(bits(score_jobs(loopback, jobs, context)), bits(expected));
    const test::SerialCluster cluster(one.table, one.missing);
    RemoteEngine remote(cluster.table(), cluster.verbs(), context);
    EXPECT_EQ(bits(score_jobs(remote, jobs, context)), bits(expected));
  }
}

// Bounds of strips, codes, genotypes and sparse features are those of a table that was cut. A feature that lacks values
// in samples that are left out alone stands in a strip of that table, and in none here: bounds of the same f.
TEST(SampleSubsets, ScoreAsTablesThatAreCut) {
  const Context context;
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    Table part = one.table;
    subset_table(part, {*test::some_samples(), std::nullopt}, "", context);
    LocalRun whole(one.table, one.missing, 0, context);
    LocalRun cut(part, one.missing, 0, context);
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      const ScoreJob job = job_of(target, one, test::some_samples());
      ScoreJob alone = job;
      alone.subset = nullptr;
      const Scores found = score_job(whole.engine, job, context);
      const Scores expected = score_job(cut.engine, alone, context);
      EXPECT_EQ(found.missing, expected.missing);
      EXPECT_EQ(found.first_missing, expected.first_missing);
      const bool same_strips = one.name.find("floats, missing") == std::string::npos;
      for (std::size_t k = 0; k < found.relevance.size(); ++k) {
        if (!same_strips) {
          ASSERT_NEAR(found.relevance[k], expected.relevance[k], found.error[k] + expected.error[k]) << k;
          continue;
        }
        ASSERT_EQ(found.relevance[k], expected.relevance[k]) << k;
        ASSERT_EQ(found.norm[k], expected.norm[k]) << k;
        ASSERT_EQ(found.error[k], expected.error[k]) << k;
      }
    }
  }
}

// How many features are read.
class CountingSource final : public FeatureSource {
 public:
  explicit CountingSource(std::shared_ptr<const FeatureSource> source) : source_(std::move(source)) {}
  std::int64_t features() const override { return source_->features(); }
  std::int64_t samples() const override { return source_->samples(); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override {
    reads_ += count;
    source_->read(first, count, block);
  }
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override { source_->gather(ids, block); }
  std::int64_t reads() const { return reads_; }

 private:
  std::shared_ptr<const FeatureSource> source_;
  mutable std::atomic<std::int64_t> reads_ = 0;
};

TEST(SampleSubsets, AreScoredInOnePass) {
  const test::EngineTable one = test::engine_tables().front();
  const CountingSource source(one.table.source(one.missing));
  Context context;
  context.threads = 2;
  WorkerPool pool(2);
  LocalEngine engine(source, pool, context);
  score_jobs(engine, jobs_of(one), context);
  EXPECT_EQ(source.reads(), source.features());
}

// Samples of a view are counted within it.
TEST(SampleSubsets, MayBeOfAView) {
  const Context context;
  const test::EngineTable one = test::engine_tables().front();
  LocalRun local(one.table, one.missing, 0, context);
  const auto some = test::some_samples();
  SampleView view(local.engine, some);
  const SampleNumbers inner = {0, 2, 3, 5, 8, 9, 20, 21, 22, 30, 31, 40, 47, 50};
  auto of_whole = std::make_shared<SampleNumbers>();
  for (const std::int64_t i : inner) of_whole->push_back((*some)[static_cast<std::size_t>(i)]);
  ScoreJob job = job_of(test::engine_numbers(), one, of_whole);
  const Scores expected = score_job(local.engine, job, context);
  job.subset = std::make_shared<const SampleNumbers>(inner);
  EXPECT_EQ(to_message(score_job(view, job, context)), to_message(expected));
}

}  // namespace
}  // namespace land
