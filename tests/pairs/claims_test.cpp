// What one instance multiplied, another takes over where it is true and computes itself where it is not.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "land/engine/local_engine.h"
#include "land/engine/scored_parts.h"
#include "land/kernels/factors/factor.h"
#include "land/pairs/candidates.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

TEST(Claims, AreUsedIfTrueAndComputedAnewIfNot) {
  constexpr int kSamples = 700;
  std::vector<std::vector<double>> columns;
  for (const unsigned seed : {61U, 67U, 71U}) {
    const test::Columns all = test::sample_columns(kSamples, seed);
    for (const auto* name : {"normal", "related", "squared", "student", "uniform"}) columns.push_back(all.at(name));
  }
  const Table table = test::table_of_columns(columns);
  const auto source = table.source(Missing::kError);
  const Target target = test::numeric_target(columns[0]);
  const ScoreJob job =
      with_scorer({.against = std::make_shared<Target>(target), .last = source->features(), .wanted = 3});
  for (const int threads : {1, 3}) {
    Context context;
    context.threads = threads;
    WorkerPool pool(threads);
    LocalEngine engine(*source, pool, context);
    const MemoryPlan memory = plan_memory(engine.shape(), 10, context);
    engine.allow({.kept = 1 << 20});
    const Scores scores = score_job(engine, job, context);
    const auto candidates = [&](const KeptProducts* claims) {
      return make_candidates(engine, pool, context, scores, job.scorer->form(), nullptr, KernelOptions{}, memory,
                             claims);
    };

    std::vector<PairRequest> requests;
    for (FeatureId k = 0; k < source->features(); ++k) {
      for (FeatureId i = 0; i < k; ++i) requests.push_back({k, i, 3});
    }
    std::vector<double> first(requests.size()), second(requests.size());
    const auto solver = candidates(nullptr);
    solver->evaluate(requests, first);
    const auto products = solver->take_products();

    // All a little off, so that what is used can be told from what is computed; those of one pair are wrong.
    const KeptProducts::Pair* wrong = products->find(4, 9);
    ASSERT_NE(wrong, nullptr);
    KeptProducts claims(1 << 24, 1);
    for (const PairRequest& request : requests) {
      const KeptProducts::Pair* pair = products->find(request.k, request.i);
      ASSERT_NE(pair, nullptr);
      std::vector<double> claimed(pair->products.begin(), pair->products.end());
      for (double& x : claimed) x *= pair == wrong ? 1.0 + 1e-6 : 1.0 + 1e-14;
      claims.keep(pair->left, pair->right, claimed, 0);
    }
    claims.index();
    candidates(&claims)->evaluate(requests, second);
    for (std::size_t t = 0; t < requests.size(); ++t) {
      SCOPED_TRACE(std::to_string(requests[t].k) + " and " + std::to_string(requests[t].i));
      const bool doubted = products->find(requests[t].k, requests[t].i)->left == wrong->left;
      if (doubted) {
        EXPECT_EQ(second[t], first[t]);
      } else {
        EXPECT_NEAR(second[t], first[t] * (1.0 + 2e-14), 5e-15 * first[t]);
        EXPECT_NE(second[t], first[t]);
      }
    }
  }
}

}  // namespace
}  // namespace land
