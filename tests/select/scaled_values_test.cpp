// A table and the same in other units, near the ends of what a double holds: every method and kernel gives the same.
#include <gtest/gtest.h>

#include <cmath>

#include "land/methods/method.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

using Columns = std::vector<std::vector<double>>;

std::string outcome(const Columns& columns, int exponent, const SelectOptions& options) {
  Columns scaled = columns;
  for (std::vector<double>& column : scaled) {
    for (double& x : column) x = std::ldexp(x, exponent);
  }
  const Target target = test::class_target(test::sample_labels(test::kEngineSamples, 3, 23), 3);
  Result result = test::local::select(test::table_of_columns(scaled), target, options, test::threads(2));
  result.data.fingerprint = {};
  return test::json_without_times(result);
}

void check_units(const SelectOptions& options) {
  const Columns columns = test::engine_columns(24, 0.1);
  const std::string plain = outcome(columns, 0, options);
  for (const int exponent : {1020, -1000}) EXPECT_EQ(outcome(columns, exponent, options), plain) << exponent;
}

TEST(ScaledValues, EveryMethodGivesTheSame) {
  for (const MethodEntry& method : methods()) {
    SelectOptions options;
    options.method = method.name;
    options.features = 6;
    for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
      SCOPED_TRACE(std::string(method.name) + " " + std::to_string(static_cast<int>(missing)));
      options.kernel.missing = missing;
      check_units(options);
    }
  }
}

TEST(ScaledValues, EveryKernelGivesTheSame) {
  for (const KernelFamily family :
       {KernelFamily::kGaussian, KernelFamily::kLaplace, KernelFamily::kDistance, KernelFamily::kLinear}) {
    SelectOptions options;
    options.features = 6;
    options.kernel.family = family;
    for (const Missing missing : {Missing::kMean, Missing::kIgnore, Missing::kLevel}) {
      SCOPED_TRACE(static_cast<int>(family) * 10 + static_cast<int>(missing));
      options.kernel.missing = missing;
      check_units(options);
    }
  }
}

}  // namespace
}  // namespace land
