#include "land/options/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "cli/spelling.h"
#include "land/base/error.h"

namespace land {
namespace {

TEST(EvenBasis, SpansFiveDeviationsAndIsMirrored) {
  for (const std::int64_t count : {2, 3, 10, 19, 20}) {
    const std::vector<double> points = even_basis(count);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(points.front(), -5.0);
    EXPECT_EQ(points.back(), 5.0);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i], -points[points.size() - 1 - i]);
    for (std::size_t i = 1; i < points.size(); ++i) {
      EXPECT_NEAR(points[i] - points[i - 1], 10.0 / static_cast<double>(count - 1), 1e-14);
    }
  }
}

TEST(EvenBasis, OfNothingIsEmpty) {
  EXPECT_TRUE(even_basis(0).empty());
  EXPECT_TRUE(even_basis(-3).empty());
}

// Every refusal names the option it is about.
void expect_refused(const std::function<void(SelectOptions&)>& spoil, const std::string& option) {
  SelectOptions options;
  spoil(options);
  try {
    validate(options);
    ADD_FAILURE() << "accepted, should complain about " << option;
  } catch (const InputError& error) {
    EXPECT_NE(cli::spelled(error.what()).find(option), std::string::npos) << error.what();
  }
}

TEST(Validate, AcceptsTheDefaults) { EXPECT_NO_THROW(validate(SelectOptions{})); }

TEST(Validate, AcceptsABasisInAnyOrder) {
  SelectOptions options;
  options.kernel.factor = FactorKind::kNystrom;
  options.kernel.basis = {2.0, -1.0, 0.5};
  EXPECT_NO_THROW(validate(options));
}

TEST(Validate, RefusesWhatMakesNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto basis = [](std::vector<double> points) {
    return [points](SelectOptions& o) {
      o.kernel.factor = FactorKind::kNystrom;
      o.kernel.basis = points;
    };
  };
  expect_refused([](SelectOptions& o) { o.features = 0; }, "--features");
  expect_refused([](SelectOptions& o) { o.features = -7; }, "--features");
  expect_refused([](SelectOptions& o) { o.features = std::numeric_limits<std::int64_t>::max(); }, "--features");
  for (const double sigma : {0.0, -1.0, nan, infinity, 1e-4, 1e7}) {
    expect_refused([=](SelectOptions& o) { o.kernel.sigma = {sigma}; }, "--sigma");
  }
  for (const double ridge : {-1e-9, nan, infinity}) {
    expect_refused([=](SelectOptions& o) { o.ridge = ridge; }, "--ridge");
  }
  expect_refused([](SelectOptions& o) { o.block_size = -1; }, "--block-size");
  expect_refused(basis({}), "--bases");
  expect_refused(basis({1.0}), "--bases");
  expect_refused(basis({1.0, 2.0, 1.0}), "more than once");
  expect_refused(basis({0.0, -0.0}), "more than once");
  expect_refused(basis({1.0, nan}), "--basis");
}

TEST(Names, AreThoseOfTheCommandLine) {
  EXPECT_EQ(to_string(Task::kAuto), "auto");
  EXPECT_EQ(to_string(Task::kClassification), "classification");
  EXPECT_EQ(to_string(Task::kRegression), "regression");
  EXPECT_EQ(to_string(Measure::kNhsic), "nhsic");
  EXPECT_EQ(to_string(Measure::kHsic), "hsic");
}

}  // namespace
}  // namespace land
