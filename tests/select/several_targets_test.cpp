// Several targets of one table: each result is that of a selection for it alone, for one pass over the data.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

// Counts how often features are read.
class CountedSource final : public FeatureSource {
 public:
  explicit CountedSource(std::shared_ptr<const FeatureSource> source) : source_(std::move(source)) {}
  std::int64_t features() const override { return source_->features(); }
  std::int64_t samples() const override { return source_->samples(); }
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override {
    read_ += count;
    source_->read(first, count, block);
  }
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override { source_->gather(ids, block); }

  std::int64_t features_read() const { return read_; }

 private:
  std::shared_ptr<const FeatureSource> source_;
  mutable std::atomic<std::int64_t> read_ = 0;
};

std::vector<Target> targets() {
  std::vector<Target> all = {test::engine_numbers(), test::engine_classes(), test::engine_survival(),
                             test::engine_numbers()};
  for (double& value : all[3].values) value = std::sin(3.0 * value);
  all[3].name = "z";
  return all;
}

SelectOptions options_of(const test::EngineTable& one) {
  SelectOptions options;
  options.features = 5;
  options.kernel.missing = one.missing;
  return options;
}

TEST(SeveralTargets, AreSelectedForAsForEachAlone) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    const SelectOptions options = options_of(one);
    const Context context = test::threads(2);
    LocalRun local(one.table, one.missing, 0, context);
    test::LoopbackRun loopback(one.table, one.missing, context);
    const auto here = select(local.engine, local.pool, one.table, targets(), options, context);
    const auto there = select(loopback.engine, loopback.pool, loopback.table, targets(), options, context);
    ASSERT_EQ(here.size(), targets().size());
    ASSERT_EQ(there.size(), targets().size());
    for (std::size_t t = 0; t < here.size(); ++t) {
      const Result alone = test::local::select(one.table, targets()[t], options, context);
      EXPECT_EQ(test::json_without_times(here[t]), test::json_without_times(alone)) << t;
      EXPECT_EQ(test::json_without_times(there[t]), test::json_without_times(alone)) << t;
    }
  }
}

TEST(SeveralTargets, TakeOnePassOverTheData) {
  const test::EngineTable one = test::engine_tables()[0];
  const Context context = test::threads(2);
  const CountedSource source(one.table.source(one.missing));
  WorkerPool pool(context.threads);
  LocalEngine engine(source, pool, context, 0);
  const auto results = select(engine, pool, one.table, targets(), options_of(one), context);
  EXPECT_EQ(results.size(), 4);
  EXPECT_LT(source.features_read(), 2 * source.features());
  EXPECT_GE(source.features_read(), source.features());
}

}  // namespace
}  // namespace land
