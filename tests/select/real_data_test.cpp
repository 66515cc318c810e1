// Real data, from the folder that the environment variable LAND_DATA names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "land/commands/select.h"
#include "land/formats/read_table.h"
#include "tests/support/commands.h"

namespace land {
namespace {

using test::both::select;

TEST(RealData, GeneExpressionPathIsTheTextbookOne) {
  const char* folder = std::getenv("LAND_DATA");
  if (folder == nullptr) GTEST_SKIP() << "set LAND_DATA to the folder of the real data sets to run this";
  const std::filesystem::path file = std::filesystem::path(folder) / "trim32" / "trim32_rat_18975.npz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  Context context;
  context.threads = 2;
  const Table table = read_table(file.string(), {}, context);
  const Target target = make_target(*table.target, Task::kAuto);
  SelectOptions options;
  options.features = 20;
  const Result lazy = select(table, target, options, context);
  options.plain_path = true;
  const Result plain = select(table, target, options, context);
  EXPECT_TRUE(lazy.certificate->valid);
  ASSERT_EQ(lazy.path.size(), plain.path.size());
  for (std::size_t t = 0; t < lazy.path.size(); ++t) {
    EXPECT_EQ(lazy.path[t].index, plain.path[t].index);
    EXPECT_NEAR(lazy.path[t].lambda, plain.path[t].lambda, 1e-12);
  }
  EXPECT_LT(20 * lazy.work.pairs_by_stage.back(), plain.work.pairs_by_stage.back());
}

}  // namespace
}  // namespace land
