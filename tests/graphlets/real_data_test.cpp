// The D&D proteins, from the folder that the environment variable LAND_DATA names.
#include <gtest/gtest.h>
#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "land/graphlets/count_graphlets.h"
#include "tests/graphlets/sample_graphs.h"

namespace land {
namespace {

std::string unzipped(const std::filesystem::path& archive, const char* member) {
  const std::unique_ptr<zip_t, decltype(&zip_discard)> zip(zip_open(archive.c_str(), ZIP_RDONLY, nullptr), zip_discard);
  zip_stat_t status{};
  if (!zip || zip_stat(zip.get(), member, 0, &status) != 0) return "";
  const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(zip_fopen(zip.get(), member, 0), zip_fclose);
  std::string text(status.size, '\0');
  if (!file || zip_fread(file.get(), text.data(), text.size()) != static_cast<zip_int64_t>(text.size())) return "";
  return text;
}

TEST(RealGraphs, ProteinsHaveAsManyGraphletsAsKnown) {
  const char* folder = std::getenv("LAND_DATA");
  if (folder == nullptr) GTEST_SKIP() << "set LAND_DATA to the folder of the real data sets to run this";
  const std::filesystem::path archive = std::filesystem::path(folder) / "graphs" / "DD.zip";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << archive << " is not there";
  Context context;
  context.threads = 2;
  const GraphletTable table = count_graphlets(test::read_text_graphs(unzipped(archive, "DD/DD.txt"), 2), context);
  EXPECT_EQ(table.features(), 1132007);
  EXPECT_EQ(table.graphs(), 1178);
  EXPECT_EQ(table.nonzeros(), 33343054);
}

}  // namespace
}  // namespace land
