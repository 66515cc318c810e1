#include "land/generate/synthetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "land/base/error.h"
#include "land/generate/counter_random.h"
#include "land/generate/fill_rows.h"

namespace land {
namespace {

using Column = std::vector<double>;

std::vector<Column> columns(const SyntheticTable& table) {
  std::vector<Column> all;
  std::vector<float> column(static_cast<std::size_t>(table.samples()));
  for (std::int64_t j = 0; j < table.features(); ++j) {
    table.column(j, 0, column);
    all.emplace_back(column.begin(), column.end());
  }
  return all;
}

double mean(const Column& x) {
  double sum = 0.0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double correlation(const Column& x, const Column& y) {
  const double mx = mean(x), my = mean(y);
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

Column squares(Column x) {
  const double m = mean(x);
  for (double& value : x) value = (value - m) * (value - m);
  return x;
}

Column target(const SyntheticTable& table) {
  Column y;
  for (std::int64_t i = 0; i < table.samples(); ++i) y.push_back(table.target(i));
  return y;
}

PlantedOptions small() {
  PlantedOptions options;
  options.features = 60;
  options.samples = 4000;
  options.mean_shifts = 4;
  options.variance_ratios = 4;
  return options;
}

// Moments and tails within five standard errors.
TEST(CounterRandom, NormalsAreNormal) {
  constexpr int kCount = 1'000'000;
  const std::uint64_t key = stream_key(7, 3);
  double moments[4] = {};
  double beyond[4] = {};
  for (int i = 0; i < kCount; ++i) {
    const double z = random_normal(key, static_cast<std::uint64_t>(i));
    ASSERT_TRUE(std::isfinite(z));
    for (int p = 0; p < 4; ++p) moments[p] += std::pow(z, p + 1) / kCount;
    for (int t = 0; t < 4; ++t) beyond[t] += std::abs(z) > t + 1;  // the last beyond the ziggurat's own tail
  }
  const double expected[] = {0.0, 1.0, 0.0, 3.0};
  const double variance[] = {1.0, 2.0, 15.0, 96.0};
  for (int p = 0; p < 4; ++p) EXPECT_NEAR(moments[p], expected[p], 5.0 * std::sqrt(variance[p] / kCount)) << p;
  for (int t = 0; t < 4; ++t) {
    const double share = kCount * std::erfc((t + 1) / std::numbers::sqrt2);
    EXPECT_NEAR(beyond[t], share, 5.0 * std::sqrt(share)) << t;
  }
}

TEST(CounterRandom, NeighbouringStreamsAndCountersAreUnrelated) {
  constexpr int kCount = 100'000;
  Column a, b, later;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    a.push_back(random_normal(stream_key(1, 0), i));
    b.push_back(random_normal(stream_key(1, 1), i));
    later.push_back(random_normal(stream_key(1, 0), i + 1));
  }
  EXPECT_LT(std::abs(correlation(a, b)), 5.0 / std::sqrt(kCount));
  EXPECT_LT(std::abs(correlation(a, later)), 5.0 / std::sqrt(kCount));
}

TEST(CounterRandom, UniformsStayInside) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double u = random_uniform(5, i);
    EXPECT_GT(u, 0.0);
    EXPECT_LT(u, 1.0);
  }
}

TEST(Synthetic, AValueDoesNotDependOnWhatItIsMadeWith) {
  PlantedOptions options = small();
  options.classes = 3;
  options.copies = 10;
  for (const bool counts : {false, true}) {
    options.counts = counts;
    options.samples = 4000;
    const SyntheticTable table(options);
    options.samples = 500;
    const SyntheticTable shorter(options);
    const std::vector<Column> x = columns(table);
    std::vector<float> rows(60 * 9);
    fill_rows(shorter, 7, 0, 60, 60, rows);
    for (std::int64_t j = 0; j < 60; ++j) {
      const Column& expected = x[static_cast<std::size_t>(j)];
      std::vector<float> part(29);
      shorter.column(j, 7, part);
      for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(part[i], expected[7 + i]) << j << " " << i;
      for (std::size_t i = 0; i < 9; ++i) ASSERT_EQ(rows[i * 60 + static_cast<std::size_t>(j)], expected[7 + i]) << j;
    }
  }
}

TEST(Synthetic, TheSeedChangesEverything) {
  PlantedOptions options = small();
  const SyntheticTable table(options);
  options.seed = 2;
  const SyntheticTable other(options);
  EXPECT_NE(table.linear(), other.linear());
  EXPECT_LT(std::abs(correlation(columns(table)[0], columns(other)[0])), 5.0 / std::sqrt(4000));
}

TEST(Synthetic, PaperIsItsFormula) {
  PaperOptions options;
  options.features = 20;
  options.samples = 5000;
  const SyntheticTable table(options);
  const std::vector<Column> x = columns(table);
  const Column y = target(table);
  Column noise;
  for (std::size_t i = 0; i < y.size(); ++i) noise.push_back((y[i] - x[0][i] * std::exp(x[1][i]) - x[2][i]) / 0.1);
  EXPECT_NEAR(mean(noise), 0.0, 5.0 / std::sqrt(5000));
  EXPECT_NEAR(mean(squares(noise)), 1.0, 5.0 * std::sqrt(2.0 / 5000));
  for (std::size_t j = 0; j < 10; ++j) {
    EXPECT_GT(correlation(x[j], x[10 + j]), 0.9998);
    EXPECT_NE(x[j], x[10 + j]);
    EXPECT_LT(std::abs(correlation(x[j], x[(j + 1) % 10])), 5.0 / std::sqrt(5000));
  }
}

TEST(Synthetic, ClassesCarryShiftsAndVariances) {
  const SyntheticTable table(small());
  const std::vector<Column> x = columns(table);
  const Column y = target(table);
  const std::set<std::int64_t> linear(table.linear().begin(), table.linear().end());
  const std::set<std::int64_t> nonlinear(table.nonlinear().begin(), table.nonlinear().end());
  EXPECT_EQ(linear.size(), 4u);
  EXPECT_EQ(nonlinear.size(), 4u);
  for (std::int64_t j = 0; j < 60; ++j) {
    const Column& feature = x[static_cast<std::size_t>(j)];
    // 0.8 between two equal classes of variance 1: correlation 0.4 / sqrt(1.16).
    EXPECT_NEAR(correlation(feature, y), linear.contains(j) ? 0.371 : 0.0, 0.08) << j;
    EXPECT_NEAR(correlation(squares(feature), y), nonlinear.contains(j) ? 0.23 : 0.0, 0.09) << j;
  }
}

TEST(Synthetic, EveryClassButTheFirstHasItsFeatures) {
  PlantedOptions options = small();
  options.classes = 5;
  const SyntheticTable table(options);
  const std::vector<Column> x = columns(table);
  const Column y = target(table);
  for (std::size_t t = 0; t < 4; ++t) {
    Column in_class;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (y[i] == static_cast<double>(1 + t)) in_class.push_back(x[static_cast<std::size_t>(table.linear()[t])][i]);
    }
    EXPECT_EQ(in_class.size(), 800u);
    EXPECT_NEAR(mean(in_class), 0.8, 5.0 / std::sqrt(800));
  }
}

TEST(Synthetic, RegressionIsItsFormula) {
  PlantedOptions options = small();
  options.classes = 0;
  options.ratio = 3.0;
  const SyntheticTable table(options);
  const std::vector<Column> x = columns(table);
  Column noise = target(table);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    for (const std::int64_t j : table.linear()) noise[i] -= 0.8 * x[static_cast<std::size_t>(j)][i];
    for (std::size_t t = 0; t < table.nonlinear().size(); ++t) {
      const double value = x[static_cast<std::size_t>(table.nonlinear()[t])][i];
      noise[i] -= 2.0 * (t % 2 == 0 ? std::sin(2.0 * value) : value * value - 1.0);
    }
  }
  EXPECT_NEAR(mean(squares(noise)), 1.0, 5.0 * std::sqrt(2.0 / 4000));
}

TEST(Synthetic, CopiesAreTheLastFeaturesAndExactWithoutNoise) {
  PlantedOptions options = small();
  options.copies = 20;
  options.copy_noise = 0.0;
  for (const bool counts : {false, true}) {
    options.counts = counts;
    const SyntheticTable table(options);
    const std::vector<Column> x = columns(table);
    ASSERT_EQ(table.copies().size(), 20u);
    for (const auto& [copy, of] : table.copies()) {
      EXPECT_GE(copy, 40);
      EXPECT_LT(of, 40);
      EXPECT_EQ(x[static_cast<std::size_t>(copy)], x[static_cast<std::size_t>(of)]);
    }
  }
}

TEST(Synthetic, CountsAreSmallWholeNumbers) {
  PlantedOptions options = small();
  options.counts = true;
  const SyntheticTable table(options);
  for (const Column& feature : columns(table)) {
    const std::set<double> levels(feature.begin(), feature.end());
    for (const double level : levels) {
      EXPECT_EQ(level, std::floor(level));
      EXPECT_GE(level, 0.0);
      EXPECT_LE(level, 255.0);
    }
    EXPECT_GE(levels.size(), 3u);
    EXPECT_LE(levels.size(), 90u);
  }
}

TEST(Synthetic, RefusesSizesThatCannotBe) {
  const auto refused = [](auto change) {
    PlantedOptions options = small();
    change(options);
    EXPECT_THROW(SyntheticTable{options}, InputError);
  };
  refused([](auto& o) { o.features = 0; });
  refused([](auto& o) { o.samples = -1; });
  refused([](auto& o) { o.features = o.samples = std::int64_t{1} << 40; });
  refused([](auto& o) { o.mean_shifts = 57; });
  refused([](auto& o) { o.copies = 60; });
  refused([](auto& o) { o.copies = -1; });
  refused([](auto& o) { o.classes = 1; });
  refused([](auto& o) { o.classes = 4001; });
  refused([](auto& o) { o.ratio = 0.0; });
  refused([](auto& o) { o.copy_noise = -0.1; });
  PaperOptions odd;
  odd.features = 2001;
  EXPECT_THROW(SyntheticTable{odd}, InputError);
}

}  // namespace
}  // namespace land
