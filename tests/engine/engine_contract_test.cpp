// What must hold for every engine, to the bit.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "land/base/error.h"
#include "land/engine/block_scores.h"
#include "land/engine/local_run.h"
#include "land/engine/sample_view.h"
#include "land/engine/scored_parts.h"
#include "land/judging/folds.h"
#include "land/remote/remote_engine.h"
#include "land/wire/scores_message.h"
#include "tests/support/engine_tables.h"
#include "tests/support/loopback_engine.h"
#include "tests/support/serial_cluster.h"

namespace land {
namespace {

enum class Kind { kLocal, kLocalKeeping, kLoopback, kRemote, kView, kRemoteView };

class EngineContract : public testing::TestWithParam<Kind> {
 protected:
  // Calls act(engine, table) with an engine over each kind of table.
  void for_each_table(const std::function<void(Engine& engine, const test::EngineTable& table)>& act) {
    Context context;
    context.threads = 2;
    for (const test::EngineTable& one : test::engine_tables()) {
      SCOPED_TRACE(one.name);
      if (GetParam() == Kind::kLoopback) {
        test::LoopbackEngine engine(one.table.source(one.missing), context);
        act(engine, one);
        continue;
      }
      if (GetParam() == Kind::kRemote) {
        const test::SerialCluster cluster(one.table, one.missing);
        RemoteEngine engine(cluster.table(), cluster.verbs(), context);
        engine.allow({.kept = 1 << 14});
        act(engine, one);
        continue;
      }
      if (GetParam() == Kind::kView) {
        LocalRun local(one.table, one.missing, 0, context);
        SampleView engine(local.engine, test::some_samples());
        act(engine, test::cut(one));
        continue;
      }
      if (GetParam() == Kind::kRemoteView) {
        const test::SerialCluster cluster(one.table, one.missing);
        RemoteEngine whole(cluster.table(), cluster.verbs(), context);
        SampleView engine(whole, test::some_samples());
        act(engine, test::cut(one));
        continue;
      }
      LocalRun local(one.table, one.missing, GetParam() == Kind::kLocal ? 0 : 16, context);
      if (GetParam() == Kind::kLocalKeeping) local.engine.allow({.kept = 1 << 14});
      act(local.engine, one);
    }
  }
};

ScoreJob job_of(const Target& target, const test::EngineTable& one) {
  ScoreJob job;
  const bool is_cut = one.table.samples() < target.size();
  job.against = std::make_shared<Target>(is_cut ? part_of(target, *test::some_samples()) : target);
  job.kernel.missing = one.missing;
  job.last = one.table.features();
  job.wanted = 3;
  return job;
}

// By definition: one block of all features.
Scores direct_scores(const FeatureSource& source, const ScoreJob& job) {
  FeatureBlock block;
  source.read(0, source.features(), block);
  const CopyKeys keys(source.samples());
  BlockScores scores(source.has_signatures() ? nullptr : &keys, {});
  scores.look(block);
  return scores.score(block, with_scorer(job));
}

std::string bits(const Scores& scores) { return to_message(scores); }

// Where the strip after the one in the middle begins.
FeatureId middle_of(const Engine& engine) { return engine.strip_start(engine.features() / 2); }

TEST_P(EngineContract, TellsTheShapeOfTheData) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    EXPECT_EQ(engine.shape().features, one.table.features());
    EXPECT_EQ(engine.shape().samples, one.table.samples());
    EXPECT_GT(engine.shape().bytes_each, 0);
    EXPECT_GE(engine.workers(), 1);
    for (FeatureId k = 0; k < engine.features(); ++k) {
      const FeatureId start = engine.strip_start(k);
      ASSERT_LE(start, k);
      ASSERT_EQ(engine.strip_start(start), start);
    }
  });
}

TEST_P(EngineContract, ScoresAsOneBlockOfAllFeaturesWould) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    const auto source = one.table.source(one.missing);
    for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
      for (const bool refine : {false, true}) {
        ScoreJob job = job_of(target, one);
        job.refine = refine;
        EXPECT_EQ(bits(score_job(engine, job, {})), bits(direct_scores(*source, job)));
        // With a scorer that was made before, and again.
        EXPECT_EQ(bits(score_job(engine, with_scorer(job), {})), bits(direct_scores(*source, job)));
      }
    }
  });
}

TEST_P(EngineContract, ScoresPartsAsTheWhole) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    ScoreJob job = job_of(test::engine_classes(), one);
    const Scores all = score_job(engine, job, {});
    const FeatureId middle = middle_of(engine);
    for (const auto& [first, last] :
         {std::pair(FeatureId{0}, middle), std::pair(middle, engine.features()), std::pair(middle, middle)}) {
      job.first = first;
      job.last = last;
      const Scores part = score_job(engine, job, {});
      ASSERT_EQ(part.first, first);
      ASSERT_EQ(part.size(), last - first);
      for (FeatureId k = first; k < last; ++k) {
        const auto at = static_cast<std::size_t>(k - first);
        const auto whole = static_cast<std::size_t>(k);
        ASSERT_EQ(part.relevance[at], all.relevance[whole]) << k;
        ASSERT_EQ(part.norm[at], all.norm[whole]) << k;
        ASSERT_EQ(part.error[at], all.error[whole]) << k;
        ASSERT_EQ(part.checksums[at], all.checksums[whole]) << k;
      }
    }
  });
}

TEST_P(EngineContract, ScoresSeveralJobsAsEachByItself) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    std::vector<ScoreJob> jobs = {job_of(test::engine_classes(), one), job_of(test::engine_numbers(), one),
                                  job_of(test::engine_classes(), one), job_of(test::engine_numbers(), one)};
    jobs[1].refine = true;
    jobs[1].first = middle_of(engine);
    jobs[2].bounds_only = true;
    jobs[2].kernel.sigma = {0.5};
    jobs[3].last = middle_of(engine);
    const FeatureId in_place = 0;
    jobs.push_back(jobs[0]);
    jobs.back().against = engine.fetch({&in_place, 1})[0];
    jobs.push_back(jobs[0]);
    const Target& numbers = *std::get<std::shared_ptr<const Target>>(jobs[1].against);
    jobs.back().against = std::make_shared<const Factor>(stored_by_sample(Kernels(jobs[0].kernel).factor(numbers)));
    std::vector<std::unique_ptr<ScoredParts>> parts;
    for (const ScoreJob& job : jobs) parts.push_back(std::make_unique<ScoredParts>(job));
    engine.score(jobs, [&](std::size_t job, const Scores& part, int worker) {
      EXPECT_GE(worker, 0);
      EXPECT_LT(worker, engine.workers());
      parts[job]->add(part);
    });
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const Scores together = parts[j]->take();
      EXPECT_EQ(bits(together), bits(score_job(engine, jobs[j], {}))) << j;
      EXPECT_EQ(together.checksums.empty(), jobs[j].bounds_only || together.size() == 0);
    }
    engine.score({}, [](std::size_t, const Scores&, int) { FAIL() << "nothing was asked for"; });
  });
}

// Whatever was scored before, and kept.
TEST_P(EngineContract, FetchesAndShowsTheValues) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    const auto source = one.table.source(one.missing);
    const Scores scores = score_job(engine, job_of(test::engine_classes(), one), {});
    FeatureBlock all;
    source->read(0, source->features(), all);
    const auto expect_same = [&](FeatureId id, const FeatureView& found) {
      const FeatureView expected = all.view(id);
      ASSERT_EQ(found.samples, expected.samples);
      ASSERT_EQ(found.header->id, id);
      ASSERT_EQ(found.header->constant, expected.header->constant);
      ASSERT_EQ(found.header->nominal, expected.header->nominal);
      ASSERT_EQ(found.header->missing, expected.header->missing);
      ASSERT_EQ(found.header->checksum, scores.checksums[static_cast<std::size_t>(id)]);
      for (std::int64_t i = 0; i < found.samples; ++i) {
        const double value = expected.value(i);
        ASSERT_TRUE(found.value(i) == value || (std::isnan(found.value(i)) && std::isnan(value))) << i;
      }
    };
    std::vector<FeatureId> ids;
    for (FeatureId k = engine.features() - 1; k >= 0; k -= 3) ids.push_back(k);
    for (int repeats = 0; repeats < 2; ++repeats) {
      const auto blocks = engine.fetch(ids);
      ASSERT_EQ(blocks.size(), ids.size());
      for (std::size_t t = 0; t < ids.size(); ++t) {
        ASSERT_EQ(blocks[t]->features(), 1);
        ASSERT_EQ(blocks[t]->headers[0].stride, 1);
        expect_same(ids[t], blocks[t]->view(0));
      }
    }
    EXPECT_TRUE(engine.fetch({}).empty());
    std::reverse(ids.begin(), ids.end());
    std::mutex mutex;
    std::vector<int> seen(ids.size(), 0);
    engine.visit(ids, [&](std::size_t position, const FeatureView& feature) {
      const std::scoped_lock lock(mutex);
      ++seen[position];
      expect_same(ids[position], feature);
    });
    EXPECT_EQ(seen, std::vector<int>(ids.size(), 1));
  });
}

TEST_P(EngineContract, RefusesJobsThatDoNotFit) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    const ScoreJob good = job_of(test::engine_classes(), one);
    const auto refused = [&](const ScoreJob& job) {
      EXPECT_THROW(score_job(engine, job, {}), InputError);
      const std::vector<ScoreJob> jobs = {good, job};
      EXPECT_THROW(engine.score(jobs, [](std::size_t, const Scores&, int) {}), InputError);
    };
    ScoreJob job = good;
    job.against = std::make_shared<Target>(test::class_target({0, 1, 0, 1, 1}, 2));
    refused(job);
    for (const SampleNumbers& samples : {SampleNumbers{}, SampleNumbers{0, 1, 2, 3, 3}, SampleNumbers{-1, 0, 1, 2, 3},
                                         SampleNumbers{0, 1, 2, 3, engine.samples()}, SampleNumbers{0, 1, 2, 3}}) {
      job = good;
      job.against = std::make_shared<Target>(test::class_target({0, 1, 0, 1, 1}, 2));
      job.subset = std::make_shared<const SampleNumbers>(samples);
      refused(job);
    }
    job = good;
    job.last = engine.features() + 16;
    refused(job);
    job = good;
    job.first = -16;
    refused(job);
    job = good;
    job.first = std::int64_t{1} << 60U;
    refused(job);
    job.first = 0;
    job.last = std::int64_t{1} << 60U;
    refused(job);
    if (engine.features() < 32) return;
    job = good;
    job.first = 5;
    refused(job);
    job = good;
    job.last = 21;
    refused(job);
  });
}

// An exception of whoever takes the scores ends the pass; the next one is as good as ever.
TEST_P(EngineContract, PassesOnWhatTheTakerThrows) {
  for_each_table([](Engine& engine, const test::EngineTable& one) {
    const std::vector<ScoreJob> jobs = {job_of(test::engine_classes(), one)};
    EXPECT_THROW(engine.score(jobs, [](std::size_t, const Scores&, int) { throw InputError("enough"); }), InputError);
    EXPECT_EQ(score_job(engine, jobs[0], {}).size(), engine.features());
  });
}

INSTANTIATE_TEST_SUITE_P(All, EngineContract,
                         testing::Values(Kind::kLocal, Kind::kLocalKeeping, Kind::kLoopback, Kind::kRemote, Kind::kView,
                                         Kind::kRemoteView),
                         [](const auto& kind) {
                           switch (kind.param) {
                             case Kind::kLocal:
                               return "Local";
                             case Kind::kLocalKeeping:
                               return "LocalKeeping";
                             case Kind::kLoopback:
                               return "Loopback";
                             case Kind::kView:
                               return "View";
                             case Kind::kRemoteView:
                               return "RemoteView";
                             case Kind::kRemote:
                               break;
                           }
                           return "Remote";
                         });

// Parts of no job in particular.
class Parts : public testing::Test {
 protected:
  Scores part(FeatureId first, std::int64_t count) const {
    Scores scores;
    scores.first = first;
    scores.resize(count);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      scores.set(k, {0.5, 1.0, 0.0});
      scores.checksums[k] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(k);
    }
    scores.copy_keys.assign(static_cast<std::size_t>(count), 7);
    return scores;
  }
  ScoreJob job_{.against = std::make_shared<Target>(test::engine_classes()), .first = 16, .last = 64};
};

TEST_F(Parts, MakeTheWholeInAnyOrder) {
  ScoredParts parts(job_);
  Scores last = part(48, 16);
  last.missing = 3;
  last.first_missing = 50;
  Scores first = part(16, 5);
  first.missing = 1;
  first.first_missing = 20;
  EXPECT_EQ(parts.add(last), 16);
  EXPECT_EQ(parts.add(first), 21);
  EXPECT_EQ(parts.add(part(30, 18)), 39);
  parts.add(part(21, 0));
  EXPECT_EQ(parts.add(part(21, 9)), 48);
  const Scores all = parts.take();
  EXPECT_EQ(all.first, 16);
  EXPECT_EQ(all.missing, 4);
  EXPECT_EQ(all.first_missing, 20);
  ASSERT_EQ(all.size(), 48);
  for (std::size_t k = 0; k < 48; ++k) EXPECT_EQ(all.checksums[k], 16 + k);
  EXPECT_EQ(all.copy_keys, std::vector<std::uint32_t>(48, 7));
}

TEST_F(Parts, AreRefusedIfTheyRepeatOrLackFeatures) {
  for (const auto& [first, count] : {std::pair(16, 1), std::pair(31, 2), std::pair(20, 4), std::pair(16, 48)}) {
    ScoredParts parts(job_);
    parts.add(part(16, 16));
    parts.add(part(40, 8));
    EXPECT_THROW(parts.add(part(first, count)), InputError) << first;
  }
  for (const auto& [first, count] : {std::pair(15, 2), std::pair(0, 16), std::pair(60, 5), std::pair(64, 1)}) {
    ScoredParts parts(job_);
    EXPECT_THROW(parts.add(part(first, count)), InputError) << first;
  }
  ScoredParts parts(job_);
  parts.add(part(16, 47));
  EXPECT_THROW(parts.take(), InputError);
  Scores other = part(63, 1);
  other.copy_keys.clear();
  EXPECT_THROW(parts.add(other), InputError);
  other.copy_keys.assign(2, 7);
  EXPECT_THROW(parts.add(other), InputError);
}

}  // namespace
}  // namespace land
