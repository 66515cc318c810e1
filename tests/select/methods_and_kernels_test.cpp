// Every method takes every kernel, or says that it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "land/base/error.h"
#include "land/methods/method.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

std::vector<KernelOptions> all_kernels() {
  std::vector<KernelOptions> kernels(8);
  kernels[1].family = KernelFamily::kLaplace;
  kernels[2].family = KernelFamily::kDistance;
  kernels[3].family = KernelFamily::kLinear;
  kernels[4].sigma = {0.3, 1.0, 3.0};
  kernels[5].measure = Measure::kHsic;
  kernels[6].factor = FactorKind::kFull;
  kernels[7].factor = FactorKind::kNystrom;
  kernels[7].basis = {-2.0, -1.0, 0.0, 1.0, 2.0};
  return kernels;
}

TEST(MethodsAndKernels, GiveAResultOrSayWhyNot) {
  const Table table = test::table_of_columns(test::engine_columns(12, 0.0));
  const std::vector<Target> targets = {
      test::class_target(test::sample_labels(test::kEngineSamples, 3, 23), 3),
      test::numeric_target(test::engine_columns(1, 0.0).front()),
  };
  for (const MethodEntry& method : methods()) {
    for (const KernelOptions& kernel : all_kernels()) {
      for (const Target& target : targets) {
        SCOPED_TRACE(std::string(method.name) + " " + std::string(to_string(kernel.family)));
        SelectOptions options;
        options.method = method.name;
        options.features = 4;
        options.kernel = kernel;
        try {
          EXPECT_FALSE(test::local::select(table, target, options, test::threads(1)).selected.empty());
        } catch (const InputError& error) {
          EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("kernel"), testing::HasSubstr("sigma"),
                                                   testing::HasSubstr("exact")));
        }
      }
    }
  }
}

}  // namespace
}  // namespace land
