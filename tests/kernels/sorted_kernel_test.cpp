// The kernels laplace, distance and linear against full matrices from their definitions.
#include "land/kernels/sorted/sorted_kernel.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <limits>

#include "land/kernels/families/kernels.h"
#include "land/kernels/scoring/form_scorer.h"
#include "tests/support/oracle.h"
#include "tests/support/samples.h"

namespace land {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::initializer_list<KernelFamily> kOthers = {KernelFamily::kLaplace, KernelFamily::kDistance,
                                                         KernelFamily::kLinear};

KernelOptions options_of(KernelFamily family, Missing missing = Missing::kError, double sigma = 1.0) {
  KernelOptions options;
  options.family = family;
  options.missing = missing;
  options.sigma = {sigma};
  return options;
}

// What R may be off by. Standardised values of "offset" have lost six digits before the linear kernel sees them; narrow
// kernels are small, and errors of K' count for more.
double tolerance(const KernelOptions& options) {
  if (options.family == KernelFamily::kLinear) return 1e-10;
  return options.family == KernelFamily::kLaplace && options.sigma.front() < 0.01 ? 1e-11 : 1e-12;
}

// The centred matrix of a column with NaN where values are missing, in long double.
Eigen::MatrixXd matrix_of(const std::vector<double>& x, const KernelOptions& options) {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const auto n = static_cast<Eigen::Index>(x.size());
  long double sum = 0.0L;
  long double count = 0.0L;
  for (const double value : x) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1.0L;
  }
  std::vector<long double> u(x.begin(), x.end());
  std::vector<bool> there(x.size(), true);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isnan(x[i])) continue;
    if (options.missing == Missing::kMean) {
      u[i] = static_cast<double>(sum / count);
    } else {
      there[i] = false;
    }
  }
  long double mean = 0.0L;
  long double members = 0.0L;
  for (std::size_t i = 0; i < u.size(); ++i) {
    mean += there[i] ? u[i] : 0.0L;
    members += there[i] ? 1.0L : 0.0L;
  }
  mean /= members;
  long double squares = 0.0L;
  for (std::size_t i = 0; i < u.size(); ++i) squares += there[i] ? (u[i] - mean) * (u[i] - mean) : 0.0L;
  for (long double& value : u) value = (value - mean) / std::sqrt(squares / members);
  Matrix kernel = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto a = static_cast<std::size_t>(i);
      const auto b = static_cast<std::size_t>(j);
      if (there[a] && there[b]) {
        const long double d = std::abs(u[a] - u[b]);
        kernel(i, j) = options.family == KernelFamily::kLaplace    ? std::exp(-d / options.sigma.front())
                       : options.family == KernelFamily::kDistance ? std::abs(u[a]) + std::abs(u[b]) - d
                                                                   : u[a] * u[b];
      } else if (!there[a] && !there[b] && options.missing == Missing::kLevel) {
        kernel(i, j) = 1.0L;
      }
    }
  }
  Eigen::Matrix<long double, Eigen::Dynamic, 1> in(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    in(i) = options.missing == Missing::kLevel || there[static_cast<std::size_t>(i)] ? 1.0L : 0.0L;
  }
  const Eigen::Matrix<long double, Eigen::Dynamic, 1> means = kernel * in / in.sum();
  const long double grand = in.dot(means) / in.sum();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) kernel(i, j) = in(i)*in(j) * (kernel(i, j) - means(i) - means(j) + grand);
  }
  return kernel.cast<double>();
}

// In long double: many small entries beside a large one would lose digits.
double product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  long double total = 0.0L;
  for (Eigen::Index i = 0; i < a.size(); ++i) total += static_cast<long double>(a.data()[i]) * b.data()[i];
  return static_cast<double>(total);
}
double norm(const Eigen::MatrixXd& a) { return std::sqrt(product(a, a)); }
double nhsic(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return product(a, b) / (norm(a) * norm(b)); }

// Of many samples fewer columns: full matrices are slow.
test::Columns columns_of(int n, std::uint64_t seed) {
  test::Columns columns = test::sample_columns(n, seed);
  constexpr int kMany = 100;
  for (const char* name : {"offset", "squared", "student", "rounded", "uniform", "outlier", "binary", "normal"}) {
    if (n > kMany) columns.erase(name);
  }
  for (double& x : columns["cauchy"]) x *= 50.0;
  std::vector<double>& tied = columns["tied"];
  for (int i = 0; i < n; ++i) tied.push_back(i % 3 == 0 ? columns["related"][static_cast<std::size_t>(i)] : 0.25);
  std::vector<double>& ends = columns["ends"];  // the median is far from the mean
  for (int i = 0; i < n; ++i) ends.push_back(i % 2 == 0 ? 1e-9 * i : 7.0 + 1e-9 * i);
  return columns;
}

void leave_out(std::vector<double>& column, std::uint64_t seed, unsigned one_in) {
  std::mt19937_64 random(seed);
  for (std::size_t i = 2; i < column.size(); ++i) column[i] = random() % one_in == 0 ? kNan : column[i];
  column[0] = 0.5;  // never constant
  column[1] = 1.75;
}

class OtherKernels : public testing::TestWithParam<int> {};

TEST_P(OtherKernels, PairsMatchFullMatrices) {
  for (const KernelFamily family : kOthers) {
    for (const double sigma : {1.0, 0.01, 1e-3, 1e3}) {
      if (family != KernelFamily::kLaplace && sigma != 1.0) continue;
      const KernelOptions options = options_of(family, Missing::kError, sigma);
      const Kernels kernels(options);
      std::map<std::string, KernelForm> forms;
      std::map<std::string, Eigen::MatrixXd> matrices;
      for (const auto& [name, column] : columns_of(GetParam(), 7)) {
        forms[name] = kernels.form(test::block_of(column).view(0));
        matrices[name] = matrix_of(column, options);
        EXPECT_NEAR(size_of(forms[name]).norm / norm(matrices[name]), 1.0, tolerance(options)) << name << " " << sigma;
      }
      for (const auto& [a, form_a] : forms) {
        for (const auto& [b, form_b] : forms) {
          const double r = redundancy(form_a, form_b);
          EXPECT_NEAR(r, nhsic(matrices[a], matrices[b]), tolerance(options))
              << to_string(family) << " " << sigma << ": " << a << " and " << b;
          EXPECT_NEAR(r, redundancy(form_b, form_a), 1e-13) << a << " and " << b;
          EXPECT_GE(r, 0.0);
        }
        EXPECT_NEAR(redundancy(form_a, form_a), 1.0, tolerance(options))
            << to_string(family) << " " << sigma << ": " << a;
      }
    }
  }
}

TEST_P(OtherKernels, RelevancesMatchFullMatrices) {
  const int n = GetParam();
  const test::Columns columns = columns_of(n, 8);
  for (const KernelFamily family : kOthers) {
    for (const Measure measure : {Measure::kNhsic, Measure::kHsic}) {
      KernelOptions options = options_of(family);
      options.measure = measure;
      const Kernels kernels(options);
      const auto r = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
        return measure == Measure::kNhsic ? nhsic(a, b) : test::hsic(a, b);
      };
      std::vector<std::pair<Target, Eigen::MatrixXd>> targets;
      for (const int classes : {2, 4}) {
        const std::vector<int> labels = test::sample_labels(n, classes, 3);
        targets.emplace_back(test::class_target(labels, classes), test::classes(labels));
      }
      targets.emplace_back(test::numeric_target(columns.at("related")), matrix_of(columns.at("related"), options));
      for (const auto& [target, matrix] : targets) {
        const KernelForm target_form = kernels.form(target);
        const auto scorer = make_feature_scorer(target, target_form, options);
        for (const auto& [name, column] : columns) {
          const FeatureBlock block = test::block_of(column);
          const double f = r(matrix_of(column, options), matrix);
          EXPECT_NEAR(redundancy(kernels.form(block.view(0)), target_form), f, tolerance(options) * std::max(1.0, f))
              << name;
          const Score score = scorer->score_exactly(block.view(0));
          EXPECT_GE(score.relevance, f - tolerance(options));
          EXPECT_LE(score.relevance - score.error, f + tolerance(options));
          std::vector<Score> all(1);
          scorer->score(block, {}, all);
          EXPECT_EQ(all[0].relevance, score.relevance);
        }
      }
    }
  }
}

TEST(FormScorer, StopsBetweenFeatures) {
  const std::atomic<bool> stop = true;
  const Target target = test::class_target(test::sample_labels(20, 2, 3), 2);
  for (const KernelFamily family : {KernelFamily::kDistance, KernelFamily::kGaussian}) {
    const KernelOptions options = options_of(family);
    const KernelForm form = Kernels(options).form(target);
    const FeatureBlock block = test::block_of(columns_of(20, 8).at("related"));
    std::vector<Score> scores(1);
    EXPECT_THROW(make_feature_scorer(target, form, options)->score(block, {.stop = &stop}, scores), Interrupted);
  }
}

TEST_P(OtherKernels, MissingValuesMatchFullMatrices) {
  const int n = GetParam();
  if (n < 10) return;
  for (const KernelFamily family : kOthers) {
    for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
      for (const double sigma : {1.0, 0.01, 30.0}) {
        if (family != KernelFamily::kLaplace && sigma != 1.0) continue;
        const KernelOptions options = options_of(family, missing, sigma);
        const Kernels kernels(options);
        test::Columns columns = columns_of(n, 9);
        std::uint64_t seed = 0;
        for (auto& [name, column] : columns) {
          ++seed;
          if (name == "related") continue;  // one that lacks nothing
          if (name == "lognormal") {        // and one that lacks most
            for (double& x : column) x = seed++ % 5 != 0 ? kNan : x;
          }
          leave_out(column, seed, 6);
        }
        std::map<std::string, KernelForm> forms;
        std::map<std::string, Eigen::MatrixXd> matrices;
        for (const auto& [name, column] : columns) {
          forms[name] = kernels.form(test::block_of(column).view(0));
          matrices[name] = matrix_of(column, options);
          EXPECT_NEAR(size_of(forms[name]).norm / norm(matrices[name]), 1.0, tolerance(options))
              << name << " " << sigma;
        }
        const std::vector<int> labels = test::sample_labels(n, 4, 5);
        const KernelForm classes = kernels.form(test::class_target(labels, 4));
        for (const auto& [a, form_a] : forms) {
          EXPECT_NEAR(redundancy(form_a, classes), nhsic(matrices[a], test::classes(labels)), tolerance(options))
              << to_string(family) << " " << to_string(missing) << " " << a;
          for (const auto& [b, form_b] : forms) {
            EXPECT_NEAR(redundancy(form_a, form_b), nhsic(matrices[a], matrices[b]), tolerance(options))
                << to_string(family) << " " << to_string(missing) << " " << sigma << ": " << a << " and " << b;
          }
        }
      }
    }
  }
}

TEST_P(OtherKernels, NominalFeaturesMatchFullMatrices) {
  const int n = GetParam();
  for (const KernelFamily family : kOthers) {
    for (const Missing missing : {Missing::kIgnore, Missing::kLevel}) {
      const KernelOptions options = options_of(family, missing);
      const Kernels kernels(options);
      std::vector<double> words;
      for (const int label : test::sample_labels(n, 3, 4)) words.push_back(label);
      if (n > 10) words[7] = words[9] = kNan;
      FeatureBlock block = test::block_of(words, Encoding::kCodes);
      block.headers[0].nominal = true;
      const KernelForm nominal = kernels.form(block.view(0));
      const FullKernel full = kernels.full(block.view(0));
      const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(full.values.data(), n, n);
      for (auto& [name, column] : columns_of(n, 5)) {
        if (n > 10) column[3] = column[7] = kNan;
        const KernelForm form = kernels.form(test::block_of(column).view(0));
        const double r = nhsic(matrix_of(column, options), matrix);
        EXPECT_NEAR(redundancy(form, nominal), r, tolerance(options)) << name;
        EXPECT_NEAR(redundancy(nominal, form), r, tolerance(options)) << name;
      }
      EXPECT_NEAR(redundancy(nominal, nominal), 1.0, 1e-12);
    }
  }
}

// --exact: what the library calls full matrices are those of the definition.
TEST_P(OtherKernels, FullKernelsAreTheDefinition) {
  const int n = GetParam();
  for (const KernelFamily family : kOthers) {
    for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
      const KernelOptions options = options_of(family, missing, 0.7);
      for (auto& [name, column] : columns_of(n, 6)) {
        if (n > 10) column[4] = column[7] = kNan;
        const FullKernel full = Kernels(options).full(test::block_of(column).view(0));
        const Eigen::MatrixXd expected = matrix_of(column, options);
        const Eigen::MatrixXd found = Eigen::Map<const Eigen::MatrixXd>(full.values.data(), n, n);
        EXPECT_LT((found - expected / expected.norm()).norm(), 1e-8) << to_string(family) << " " << name;
      }
    }
  }
}

TEST_P(OtherKernels, SameBitsWhateverTheEncoding) {
  const int n = GetParam();
  std::mt19937_64 random(11);
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(static_cast<double>(i * 7919 % 1000));
  for (const KernelFamily family : kOthers) {
    for (const Missing missing : {Missing::kError, Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
      const Kernels kernels(options_of(family, missing));
      const KernelForm target = kernels.form(test::numeric_target(numbers));
      std::vector<double> column;
      for (int i = 0; i < n; ++i) column.push_back(static_cast<double>(random() % 3));
      column[0] = 0.0;
      column[1] = 2.0;
      column[2] = column[3] = 1.0;
      if (missing != Missing::kError && n > 10) column[5] = column[6] = kNan;
      const KernelForm plain = kernels.form(test::block_of(column, Encoding::kFloat64).view(0));
      const double f = redundancy(plain, target);
      for (const Encoding encoding : {Encoding::kFloat32, Encoding::kCodes, Encoding::kPacked2, Encoding::kSparseCodes,
                                      Encoding::kSparseValues}) {
        const FeatureBlock block = test::block_of(column, encoding);
        const KernelForm form = kernels.form(block.view(0));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(size_of(form).norm), std::bit_cast<std::uint64_t>(size_of(plain).norm))
            << to_string(family) << " " << to_string(encoding);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(redundancy(form, target)), std::bit_cast<std::uint64_t>(f))
            << to_string(family) << " " << to_string(encoding);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, OtherKernels, testing::Values(4, 5, 16, 61, 200, 700));

// One sample of many differs: nearly all of K is the same number, and of what is left nothing may be lost.
TEST(SortedKernel, KeepsItsDigitsWhereOneSampleOfManyDiffers) {
  constexpr std::size_t kSamples = 100'000;
  for (const KernelFamily family : {KernelFamily::kLaplace, KernelFamily::kDistance}) {
    for (const double sigma : {1.0, 1e3}) {
      const KernelOptions options = options_of(family, Missing::kError, sigma);
      std::vector<double> one(kSamples, 0.0);
      std::vector<double> two(kSamples, 0.0);
      one[17] = 1.0;
      two[17] = two[90'000] = 1.0;
      const SortedKernel a = sorted_kernel(one, options);
      const SortedKernel b = sorted_kernel(two, options);
      EXPECT_NEAR(redundancy(a, a), 1.0, 1e-13);
      // Two values, so the centred kernels have rank one, and R is the squared correlation.
      const double n = kSamples;
      const double r = (1.0 - 2.0 / n) / std::sqrt((1.0 - 1.0 / n) * 2.0 * (1.0 - 2.0 / n));
      EXPECT_NEAR(redundancy(a, b), r * r, 1e-13);
    }
  }
}

// Values so large or small that their squares leave the range of double, and so far apart that exp does.
TEST(SortedKernel, KnowsNoRange) {
  const test::Columns columns = test::sample_columns(50, 2);
  for (const KernelFamily family : {KernelFamily::kLaplace, KernelFamily::kDistance}) {
    const KernelOptions options = options_of(family);
    const SortedKernel target = sorted_kernel(columns.at("related"), options);
    const double f = redundancy(sorted_kernel(columns.at("normal"), options), target);
    for (const double scale : {1e-300, 1e-30, 1e30, 1e300, -1.0}) {
      std::vector<double> scaled = columns.at("normal");
      for (double& x : scaled) x *= scale;
      EXPECT_NEAR(redundancy(sorted_kernel(scaled, options), target), f, 1e-13) << scale;
    }
  }
}

TEST(LinearKernel, IsTheSquaredCorrelation) {
  const test::Columns columns = test::sample_columns(200, 2);
  const Kernels kernels(options_of(KernelFamily::kLinear));
  const KernelForm target = kernels.form(test::numeric_target(columns.at("related")));
  const Eigen::VectorXd v = test::standardised(columns.at("related"));
  for (const auto& [name, column] : columns) {
    const double r = test::standardised(column).dot(v) / 200.0;
    EXPECT_NEAR(redundancy(kernels.form(test::block_of(column).view(0)), target), r * r, 1e-11)
        << name;  // "offset" loses digits
  }
}

}  // namespace
}  // namespace land
