// mrmr, mrmr-miq, jmi, cmim, fcbf and spec-cmi against plain greedy algorithms over explicit histograms, with a
// discretisation of their own; the same to the bit whatever threads, blocks, instruction set and encoding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "land/base/simd_target.h"
#include "land/methods/information/count_logs.h"
#include "land/methods/information/discretise.h"
#include "land/methods/information/joint_counts.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

using Levels = std::vector<int>;
using Column = std::vector<double>;

const std::vector<std::string> kMethods = {"mrmr", "mrmr-miq", "jmi", "cmim", "fcbf", "spec-cmi"};

Bins equal_bins(std::int64_t count) {
  Bins bins;
  bins.count = count;
  return bins;
}

Bins bins_at(std::vector<double> cuts) {
  Bins bins;
  bins.cuts = std::move(cuts);
  return bins;
}

// --- The rule of discretise.h, in plain code. ---

Levels plain_levels(Column values, const Bins& bins, Missing missing, bool nominal) {
  if (missing == Missing::kMean && !nominal) {
    double sum = 0.0;
    double count = 0.0;
    for (const double x : values) {
      if (std::isnan(x)) continue;
      sum += x;
      count += 1.0;
    }
    for (double& x : values) x = std::isnan(x) ? sum / count : x;
  }
  std::map<double, int> counts;
  int n = 0;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    ++counts[x];
    ++n;
  }
  std::map<double, int> level_of;
  if (nominal || std::ssize(counts) <= bins.most()) {
    for (const auto& [value, count] : counts) level_of.emplace(value, static_cast<int>(level_of.size()));
  } else if (bins.cuts.empty()) {
    std::vector<std::int64_t> places;  // samples below each place where a cut may be
    std::int64_t below = 0;
    for (const auto& [value, count] : counts) {
      below += count;
      if (below < n) places.push_back(below);
    }
    std::set<std::int64_t> cuts;
    for (std::int64_t j = 1; j < bins.count; ++j) {
      const auto distance = [&](std::int64_t place) { return std::abs(place * bins.count - j * n); };
      cuts.insert(*std::min_element(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
        return std::pair(distance(a), a) < std::pair(distance(b), b);
      }));
    }
    below = 0;
    for (const auto& [value, count] : counts) {
      level_of[value] = static_cast<int>(std::count_if(cuts.begin(), cuts.end(), [&](auto c) { return c <= below; }));
      below += count;
    }
  } else {
    double mean = 0.0;
    for (const auto& [value, count] : counts) mean += value * count / n;
    double variance = 0.0;
    for (const auto& [value, count] : counts) variance += (value - mean) * (value - mean) * count / n;
    for (const auto& [value, count] : counts) {
      for (const double c : bins.cuts) level_of[value] += value > mean + c * std::sqrt(variance) ? 1 : 0;
    }
  }
  Levels levels;
  for (const double x : values) levels.push_back(std::isnan(x) ? 1000 : level_of.at(x));
  return levels;
}

// --- Informations from histograms, in nats. ---

double entropy(const std::vector<const Levels*>& variables) {
  std::map<std::vector<int>, int> counts;
  const std::size_t n = variables[0]->size();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<int> cell;
    for (const Levels* variable : variables) cell.push_back((*variable)[i]);
    ++counts[cell];
  }
  double sum = 0.0;
  for (const auto& [cell, count] : counts) {
    const double p = static_cast<double>(count) / static_cast<double>(n);
    sum -= p * std::log(p);
  }
  return sum;
}

double information(const Levels& a, const Levels& b) { return entropy({&a}) + entropy({&b}) - entropy({&a, &b}); }

// I(a; b | c)
double information_given(const Levels& a, const Levels& b, const Levels& c) {
  return entropy({&a, &c}) + entropy({&b, &c}) - entropy({&a, &b, &c}) - entropy({&c});
}

double symmetrical_uncertainty(const Levels& a, const Levels& b) {
  return 2.0 * information(a, b) / (entropy({&a}) + entropy({&b}));
}

// --- The methods. ---

struct Plain {
  std::vector<Levels> features;
  std::vector<bool> constant;
  Levels target;
};

struct Choice {
  std::int64_t feature = 0;
  double score = 0.0;
};

// Values that differ by less are a tie: the lower index.
constexpr double kTie = 1e-10;

using Value = std::function<double(std::size_t k, const std::vector<std::size_t>& chosen)>;

std::vector<Choice> plain_greedy(const Plain& data, std::size_t wanted, const Value& value) {
  std::vector<Choice> result;
  std::vector<std::size_t> chosen;
  while (chosen.size() < wanted) {
    int best = -1;
    double most = 0.0;
    for (std::size_t k = 0; k < data.features.size(); ++k) {
      if (data.constant[k] || std::count(chosen.begin(), chosen.end(), k) > 0) continue;
      const double here = value(k, chosen);
      if (best < 0 || here > most + kTie * std::max(1.0, std::abs(most))) {
        best = static_cast<int>(k);
        most = here;
      }
    }
    if (best < 0) break;
    chosen.push_back(static_cast<std::size_t>(best));
    result.push_back({best, most});
  }
  return result;
}

std::vector<Choice> plain_fcbf(const Plain& data, std::size_t wanted) {
  std::vector<Choice> ranked;
  for (std::size_t k = 0; k < data.features.size(); ++k) {
    if (data.constant[k]) continue;
    const double su = symmetrical_uncertainty(data.features[k], data.target);
    if (su > kTie) ranked.push_back({static_cast<std::int64_t>(k), su});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](auto& a, auto& b) { return a.score > b.score + kTie; });
  std::vector<Choice> kept;
  for (const Choice& one : ranked) {
    const auto stands_for = [&](const Choice& p) {
      return symmetrical_uncertainty(data.features[static_cast<std::size_t>(p.feature)],
                                     data.features[static_cast<std::size_t>(one.feature)]) >= one.score - kTie;
    };
    if (kept.size() < wanted && std::none_of(kept.begin(), kept.end(), stands_for)) kept.push_back(one);
  }
  return kept;
}

std::vector<Choice> plain_spectral(const Plain& data, std::size_t wanted) {
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < data.features.size(); ++k) {
    if (!data.constant[k]) used.push_back(k);
  }
  const auto d = std::ssize(used);
  Eigen::MatrixXd q(d, d);
  for (std::int64_t i = 0; i < d; ++i) {
    for (std::int64_t j = 0; j < d; ++j) {
      const Levels& a = data.features[used[static_cast<std::size_t>(i)]];
      const Levels& b = data.features[used[static_cast<std::size_t>(j)]];
      q(i, j) = i == j ? information(a, data.target) : information_given(a, data.target, b);
    }
  }
  q = 0.5 * (q + q.transpose()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(q);
  Eigen::VectorXd vector = solver.eigenvectors().col(d - 1);
  if (vector.sum() < 0.0) vector = -vector;
  std::vector<Choice> ranked;
  for (std::int64_t i = 0; i < d; ++i) {
    ranked.push_back({static_cast<std::int64_t>(used[static_cast<std::size_t>(i)]), vector[i]});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](auto& a, auto& b) { return a.score > b.score + kTie; });
  ranked.resize(std::min(ranked.size(), wanted));
  return ranked;
}

std::vector<Choice> plain_choice(const std::string& method, const Plain& data, std::size_t wanted) {
  if (method == "fcbf") return plain_fcbf(data, wanted);
  if (method == "spec-cmi") return plain_spectral(data, wanted);
  std::map<std::pair<std::size_t, std::size_t>, double> known;  // of pairs (k, s)
  std::map<std::size_t, double> relevances;
  const auto relevance_of = [&](std::size_t k) {
    const auto [at, is_new] = relevances.try_emplace(k, 0.0);
    if (is_new) at->second = information(data.features[k], data.target);
    return at->second;
  };
  const auto of_pair = [&](std::size_t k, std::size_t s) {
    const auto [at, is_new] = known.try_emplace({k, s}, 0.0);
    const bool given = method == "cmim" || method == "jmi";
    if (is_new) {
      at->second = given ? information_given(data.features[k], data.target, data.features[s])
                         : information(data.features[k], data.features[s]);
    }
    return at->second;
  };
  return plain_greedy(data, wanted, [&](std::size_t k, const std::vector<std::size_t>& chosen) {
    const double relevance = relevance_of(k);
    if (chosen.empty()) return relevance;
    double least = relevance;
    double sum = 0.0;
    for (const std::size_t s : chosen) {
      least = std::min(least, of_pair(k, s));
      sum += of_pair(k, s) + (method == "jmi" ? relevance_of(s) : 0.0);
    }
    const double mean = sum / static_cast<double>(chosen.size());
    if (method == "cmim") return least;
    if (method == "jmi") return sum;
    return method == "mrmr" ? relevance - mean : relevance / std::max(mean, 1e-9);
  });
}

// --- Tables. ---

Plain plain_data(const Table& table, const Target& target, const SelectOptions& options) {
  const auto source = table.source(options.kernel.missing);
  FeatureBlock block;
  Plain plain;
  for (std::int64_t k = 0; k < source->features(); ++k) {
    const std::vector<std::int64_t> ids = {k};
    source->gather(ids, block);
    const FeatureView view = block.view(0);
    Column column;
    for (std::int64_t i = 0; i < view.samples; ++i) column.push_back(view.value(i));
    plain.features.push_back(plain_levels(column, options.bins, options.kernel.missing, view.header->nominal));
    const Levels& levels = plain.features.back();
    plain.constant.push_back(view.header->constant || std::set(levels.begin(), levels.end()).size() < 2);
  }
  plain.target = target.has_classes() ? Levels(target.labels.begin(), target.labels.end())
                                      : plain_levels(target.values, options.bins, Missing::kError, false);
  return plain;
}

void expect_plain(const Table& table, const Target& target, const SelectOptions& options, const Plain& data) {
  const Result result = test::local::select(table, target, options, test::threads(2));
  const std::vector<Choice> expected = plain_choice(options.method, data, static_cast<std::size_t>(options.features));
  std::vector<std::int64_t> found;
  std::vector<std::int64_t> wanted;
  for (const SelectedFeature& feature : result.selected) found.push_back(feature.index);
  for (const Choice& choice : expected) wanted.push_back(choice.feature);
  EXPECT_EQ(found, wanted) << options.method;
  for (std::size_t t = 0; t < std::min(expected.size(), result.selected.size()); ++t) {
    EXPECT_NEAR(result.selected[t].score.value(), expected[t].score, 1e-9 * std::max(1.0, std::abs(expected[t].score)))
        << options.method << " " << t;
  }
}

TEST(Information, MethodsAreThePlainAlgorithmsOnEveryKindOfTable) {
  for (const test::EngineTable& one : test::engine_tables()) {
    for (const Bins& bins : {equal_bins(5), equal_bins(12), bins_at({-1.0, 1.0})}) {
      for (const Target& target : {test::engine_classes(), test::engine_numbers()}) {
        SCOPED_TRACE(one.name + ", bins " + std::to_string(bins.most()) + (target.has_classes() ? " classes" : ""));
        SelectOptions options;
        options.kernel.missing = one.missing;
        options.features = 7;
        options.bins = bins;
        const Plain data = plain_data(one.table, target, options);
        for (const std::string& method : kMethods) {
          options.method = method;
          if (method == "spec-cmi" && (bins.most() != 5 || data.features.size() > 100)) continue;
          expect_plain(one.table, target, options, data);
        }
      }
    }
  }
}

// qpfs-mi: the weights satisfy the conditions of an optimum of the programme made from plain histograms.
TEST(Information, WeightsAreThoseOfTheProgramme) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    const Target target = test::engine_classes();
    SelectOptions options;
    options.kernel.missing = one.missing;
    options.method = "qpfs-mi";
    const Plain data = plain_data(one.table, target, options);
    if (data.features.size() > 100) continue;
    const Result result = test::local::select(one.table, target, options, test::threads(2));
    std::vector<std::size_t> used;
    for (std::size_t k = 0; k < data.features.size(); ++k) {
      if (!data.constant[k]) used.push_back(k);
    }
    ASSERT_EQ(result.selected.size(), used.size());
    const auto d = std::ssize(used);
    Eigen::MatrixXd q(d, d);
    Eigen::VectorXd f(d);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(d);
    for (std::int64_t i = 0; i < d; ++i) {
      const Levels& a = data.features[used[static_cast<std::size_t>(i)]];
      f[i] = information(a, data.target);
      for (std::int64_t j = 0; j < d; ++j) q(i, j) = information(a, data.features[used[static_cast<std::size_t>(j)]]);
    }
    for (const SelectedFeature& feature : result.selected) {
      const auto at = std::lower_bound(used.begin(), used.end(), static_cast<std::size_t>(feature.index));
      x[at - used.begin()] = feature.score.value();
    }
    EXPECT_NEAR(x.sum(), 1.0, 1e-12);
    const double alpha = q.mean() / (q.mean() + f.mean());
    const Eigen::VectorXd gradient = (1.0 - alpha) * q * x - alpha * f;
    EXPECT_LE(x.dot(gradient) - gradient.minCoeff(), 1e-8) << one.name;
  }
}

// Few samples and few values: ties, copies, features without information, constants, all chosen.
TEST(Information, MethodsAreThePlainAlgorithmsOnSmallProblems) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 120; ++trial) {
    SCOPED_TRACE(trial);
    const auto n = static_cast<std::size_t>(20 + random() % 40);
    const std::size_t d = 1 + random() % 14;
    const int classes = 2 + static_cast<int>(random() % 4);
    const std::vector<int> labels = test::sample_labels(static_cast<int>(n), classes, random());
    std::vector<Column> columns;
    for (std::size_t k = 0; k < d; ++k) {
      Column column;
      const auto values = 1 + random() % 9;
      const std::size_t copied = k > 0 && random() % 4 == 0 ? random() % k : d;
      for (std::size_t i = 0; i < n; ++i) {
        double x = static_cast<double>(random() % values);
        if (random() % 3 == 0) x = labels[i];
        if (copied < d) x = 3.0 - columns[copied][i];
        column.push_back(x);
      }
      columns.push_back(column);
    }
    const Table table = test::table_of_columns(columns);
    Target target = test::class_target(labels, classes);
    if (trial % 3 == 0) {
      Column numbers;
      for (std::size_t i = 0; i < n; ++i) numbers.push_back(labels[i] + 0.01 * static_cast<double>(random() % 7));
      target = test::numeric_target(numbers);
    }
    SelectOptions options;
    options.features = 1 + static_cast<std::int64_t>(random() % (d + 3));
    options.bins = equal_bins(2 + static_cast<std::int64_t>(random() % 6));
    const Plain data = plain_data(table, target, options);
    for (const std::string& method : kMethods) {
      options.method = method;
      if (method != "spec-cmi") expect_plain(table, target, options, data);
    }
  }
}

// Over the most that one round of counting in bytes holds, and categories that need bytes.
TEST(Information, MethodsAreThePlainAlgorithmsOnManySamples) {
  std::mt19937_64 random(7);
  const std::size_t n = 20'100;
  std::vector<int> labels;
  for (std::size_t i = 0; i < n; ++i) labels.push_back(static_cast<int>(random() % 2));
  std::vector<Column> columns;
  for (const unsigned values : {2U, 3U, 5U, 9U, 10U, 60U, 200U, 100'000U}) {
    Column column;
    for (std::size_t i = 0; i < n; ++i) {
      column.push_back(
          static_cast<double>(random() % values + (random() % 9 == 0 ? static_cast<unsigned>(labels[i]) : 0)));
    }
    columns.push_back(column);
  }
  Table table = test::table_of_columns(columns);
  table.nominal.features = {5, 6};
  const Target target = test::class_target(labels, 2);
  SelectOptions options;
  options.features = 6;
  for (const std::int64_t bins : {5, 9, 11}) {
    options.bins = equal_bins(bins);
    const Plain data = plain_data(table, target, options);
    for (const std::string& method : kMethods) {
      options.method = method;
      expect_plain(table, target, options, data);
    }
  }
}

TEST(Information, ResultsAreTheSameOnEveryEngine) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    SelectOptions options;
    options.kernel.missing = one.missing;
    options.features = 7;
    for (const std::string& method : kMethods) {
      options.method = method;
      test::both::select(one.table, test::engine_classes(), options, test::threads(2));
    }
  }
}

TEST(Information, ResultsAreTheSameForAnyThreadsBlocksAndInstructionSet) {
  const Table table = test::table_of_floats(test::engine_columns(700, 0.0));
  for (const std::string& method : kMethods) {
    SCOPED_TRACE(method);
    SelectOptions options;
    options.features = 40;
    options.method = method;
    Context context;
    const auto scores = [&] {
      std::vector<std::pair<std::int64_t, double>> all;
      for (const SelectedFeature& feature :
           test::local::select(table, test::engine_classes(), options, context).selected)
        all.emplace_back(feature.index, feature.score.value());
      return all;
    };
    const auto expected = scores();
    context.threads = 3;
    options.block_size = 48;
    EXPECT_EQ(scores(), expected);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      EXPECT_EQ(scores(), expected) << target;
    }
    use_simd_target("");
  }
}

TEST(Information, LevelsDependOnTheValuesAlone) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(trial);
    const std::size_t n = 4 + random() % 300;
    const unsigned values = 2 + static_cast<unsigned>(random() % (trial % 2 == 0 ? 6 : 200));
    const bool skewed = trial % 5 == 0;
    const bool lacking = trial % 3 == 0;
    Column column;
    for (std::size_t i = 0; i < n; ++i) {
      double x = static_cast<double>(static_cast<float>(0.1 * static_cast<double>(random() % values)));
      if (skewed) x = std::exp(4.0 * x) * (random() % 2 == 0 ? 1.0 : 0.0);
      x = static_cast<double>(static_cast<float>(x));
      column.push_back(lacking && random() % 6 == 0 ? std::numeric_limits<double>::quiet_NaN() : x);
    }
    column[0] = 0.5;
    column[1] = 0.0;
    column[2] = 0.0;
    const Missing missing =
        lacking ? std::vector{Missing::kIgnore, Missing::kLevel, Missing::kMean}[random() % 3] : Missing::kError;
    for (const Bins& bins :
         {equal_bins(5), equal_bins(3), equal_bins(64), bins_at({-1.0, 0.5, 1.0}), bins_at({30.0})}) {
      const Levels plain = plain_levels(column, bins, missing, false);
      const Discretiser discretiser(bins, missing);
      std::vector<std::uint8_t> first;
      for (const Encoding encoding : {Encoding::kFloat64, Encoding::kFloat32, Encoding::kCodes, Encoding::kSparseCodes,
                                      Encoding::kSparseValues}) {
        if (is_coded(encoding) && values > 100) continue;
        const FeatureBlock block = test::block_of(column, encoding);
        std::vector<std::uint8_t> levels(n);
        const int count = discretiser.levels_of(block.view(0), levels);
        if (first.empty()) first = levels;
        EXPECT_EQ(levels, first) << to_string(encoding);
        EXPECT_EQ(std::set(levels.begin(), levels.end()).size(), static_cast<std::size_t>(count));
        std::set<std::pair<int, int>> pairs;
        for (std::size_t i = 0; i < n; ++i) pairs.emplace(plain[i], levels[i]);
        EXPECT_EQ(pairs.size(), static_cast<std::size_t>(count)) << "another partition, " << to_string(encoding);
        EXPECT_EQ(std::set(plain.begin(), plain.end()).size(), static_cast<std::size_t>(count));
      }
    }
  }
}

TEST(Information, LevelsOfExtremeValues) {
  const Column column = {1e308, -1e308, 0.0, -0.0, 5e-324, 1.0, 2.0, 3.0, 4.0, -5e-324, 7.0, 9.0};
  for (const Bins& bins : {equal_bins(5), equal_bins(2), bins_at({-1.0, 1.0})}) {
    std::vector<std::uint8_t> levels(column.size());
    const FeatureBlock block = test::block_of(column, Encoding::kFloat64);
    Discretiser(bins, Missing::kError).levels_of(block.view(0), levels);
    if (!bins.cuts.empty()) {
      EXPECT_THAT(levels, testing::ElementsAre(2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
      continue;
    }
    const Levels plain = plain_levels(column, bins, Missing::kError, false);
    EXPECT_EQ(Levels(levels.begin(), levels.end()), plain);
  }
}

TEST(Information, WhatIsImputedIsNotAboveTheMean) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(5.0);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    Column column(41);
    for (double& x : column) x = normal(random);
    column[7] = column[20] = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::uint8_t> levels(column.size());
    const FeatureBlock block = test::block_of(column, Encoding::kFloat64);
    EXPECT_EQ(Discretiser(bins_at({0.0}), Missing::kMean).levels_of(block.view(0), levels), 2);
    EXPECT_EQ(levels[7], 0);
    EXPECT_EQ(levels[20], 0);
  }
}

TEST(Information, SumsOfCountLogsAreExactWhereTheyAreOnPaper) {
  const CountLogs logs(5000, 100);
  EXPECT_EQ(logs[0], 0);
  EXPECT_EQ(logs[1], 0);
  EXPECT_EQ(logs[4], 4 * logs[2]);                    // 4 ln 4 = 4 (2 ln 2)
  EXPECT_EQ(2 * logs[6], 6 * logs[2] + 4 * logs[3]);  // 12 ln 6 = 12 ln 2 + 12 ln 3
  EXPECT_EQ(logs[1024] / 1024, 10 * (logs[2] / 2));
  for (const std::uint32_t count : {2U, 97U, 4999U, 5000U}) {
    EXPECT_NEAR(logs.nats(logs[count]), count * std::log(count) / 5000.0, 1e-11);
  }
}

TEST(Information, TheFirstOfCopiesIsTaken) {
  std::vector<Column> columns = test::engine_columns(20, 0.0);
  Column reversed;
  for (const double x : columns[5]) reversed.push_back(4.0 - 2.0 * x);
  columns.insert(columns.begin() + 2, reversed);  // feature 2 is feature 6 the other way round
  const Table table = test::table_of_columns(columns);
  for (const std::string& method : kMethods) {
    SelectOptions options;
    options.method = method;
    options.bins = equal_bins(5);
    const Result result = test::local::select(table, test::engine_classes(), options, test::threads(2));
    std::vector<std::int64_t> order;
    for (const SelectedFeature& feature : result.selected) order.push_back(feature.index);
    const auto first = std::find(order.begin(), order.end(), 2);
    EXPECT_TRUE(method == "fcbf" || first != order.end()) << method;
    EXPECT_LE(first, std::find(order.begin(), order.end(), 6)) << method;
  }
}

// All samples differ in the target and in the first feature, so that either tells all of any other feature: a quotient
// of 1, whatever its entropy.
TEST(Information, QuotientsThatAreEqualOnPaperAreATie) {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 50; ++trial) {
    SCOPED_TRACE(trial);
    const int n = 5 + trial;
    std::vector<Column> columns(12, Column(static_cast<std::size_t>(n)));
    std::vector<double> y;
    for (int i = 0; i < n; ++i) {
      y.push_back(i);
      for (int k = 0; k < 3; ++k) columns[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = (k - 1.5) * i;
    }
    for (std::size_t k = 3; k < columns.size(); ++k) {
      for (double& x : columns[k]) x = static_cast<double>(random() % (2 + k % 4));
      columns[k][0] = 0.0;
      columns[k][1] = 1.0;
    }
    SelectOptions options;
    options.method = "mrmr-miq";
    options.features = 4;
    options.bins = equal_bins(64);
    const Result result =
        test::local::select(test::table_of_columns(columns), test::numeric_target(y), options, test::threads(1));
    for (std::size_t t = 0; t < 4; ++t) EXPECT_EQ(result.selected[t].index, static_cast<FeatureId>(t));
    EXPECT_EQ(result.selected[3].score, 1.0);
  }
}

TEST(Information, WhatDoesNotFitIsRefused) {
  const auto message = [](const SelectOptions& options, const Table& table, std::int64_t memory) -> std::string {
    Context context;
    context.memory = memory;
    try {
      test::local::select(table, test::engine_classes(), options, context);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  SelectOptions options;
  options.method = "spec-cmi";
  options.features = 3;
  const Table wide = test::table_of_floats(std::vector<Column>(20'001, test::engine_columns(1, 0.0)[0]));
  EXPECT_THAT(message(options, wide, 0), testing::HasSubstr("up to 20000 features, and all pairs of 20001 take 3053M"));
  options.method = "mrmr";
  options.bins = equal_bins(1);
  EXPECT_THAT(message(options, wide, 0), testing::HasSubstr("a number of bins from 2 to 64"));
  options.bins = bins_at({1.0, 1.0});
  EXPECT_THAT(message(options, wide, 0), testing::HasSubstr("cut points must be finite and rise; 1 does not"));
  options.bins = bins_at(Column(64, 0.0));
  EXPECT_THAT(message(options, wide, 0), testing::HasSubstr("64 cut points; give at most 63"));
}

}  // namespace
}  // namespace land
