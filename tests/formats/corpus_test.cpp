// Replays every file of tests/formats/corpus from memory: bad_* must be refused with one line that names the file,
// good_* must give a whole table.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sample_files.h"

namespace land::test {
namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(LAND_TEST_FOLDER "/formats/corpus"))
    files.push_back(entry);
  std::sort(files.begin(), files.end());
  return files;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void expect_whole(const Table& table) {
  EXPECT_GT(table.matrix.samples, 0);
  EXPECT_GT(table.matrix.features(), 0);
  double sum = 0.0;
  for (std::int64_t k = 0; k < table.matrix.features(); ++k) {
    EXPECT_FALSE(table.feature_name(k).empty());
    EXPECT_FALSE(table.cell(0, k).empty());
    for (const double value : feature(table, k)) sum += std::isnan(value) ? 0.0 : value;  // missing
  }
  EXPECT_TRUE(std::isfinite(sum));
  const auto size = [](const std::vector<std::string>& names) { return static_cast<std::int64_t>(names.size()); };
  EXPECT_TRUE(table.sample_ids.empty() || size(table.sample_ids) == table.matrix.samples);
  EXPECT_TRUE(table.feature_names.empty() || size(table.feature_names) == table.matrix.features());
  EXPECT_TRUE(!table.target || table.target->size() == table.matrix.samples);
}

TEST(Corpus, IsReplayed) {
  std::size_t good = 0;
  std::size_t bad = 0;
  for (const auto& path : corpus()) {
    const std::string name = path.filename().string();
    SCOPED_TRACE(name);
    const std::string content = content_of(path);
    if (name.starts_with("good_")) {
      ++good;
      EXPECT_NO_THROW(expect_whole(read(content, name)));
    } else {
      ++bad;
      const std::string error = error_of(content, name);
      EXPECT_THAT(error, testing::StartsWith(name));
      EXPECT_EQ(error.find('\n'), std::string::npos);
      EXPECT_LT(error.size(), 300U);
    }
    // As features in rows, and with a target, it may be either; it must not be anything else.
    for (const Rows rows : {Rows::kSamples, Rows::kFeatures}) {
      for (const std::string target : {"", "0", "y", "99"}) {
        ReadOptions options;
        options.rows = rows;
        options.target = target;
        try {
          const Table table = read(content, name, options, 2);
          EXPECT_GT(table.matrix.features(), 0);
        } catch (const InputError&) {
        }
      }
    }
  }
  EXPECT_GE(good, 10U);
  EXPECT_GE(bad, 40U);
}

}  // namespace
}  // namespace land::test
