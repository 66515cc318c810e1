// Valid files, cut and changed at random with a fixed seed: a reader may give a table or an InputError, nothing else.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "land/data/target.h"
#include "land/formats/matrix_market.h"
#include "land/formats/svmlight.h"
#include "land/formats/target_file.h"
#include "sample_files.h"

namespace land::test {
namespace {

struct Sample {
  std::string name;
  std::string content;
};

std::vector<Sample> samples() {
  const std::string values = raw(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  const std::string array = npy("<f8", false, {4, 2}, values);
  const std::string labels = npy("<U2", false, {4}, utf32({U"a", U"b", U"a", U"bb"}, 2));
  return {{"a.csv", "id,a,b,y\ns1,1,2.5,A\ns2,3,4,B\ns3,5,6e1,A\ns4,7,-8,B\n"},
          {"b.tsv", "\"x \"\"1\"\"\"\t\"two\nlines\"\ty\r\n1\t2\t3\r\n4\t5\t6\r\n"},
          {"c.csv",
           "\xEF\xBB\xBF"
           "1;2;3\n4;5;6\n7;8;9\n0;0;0"},
          {"d.csv.gz", gzip("a,b,y\n1,2,3\n4,5,6\n7,8,9\n")},
          {"e.npy", array},
          {"f.npy", npy(">i2", true, {2, 4}, std::string(16, '\1'), 2)},
          {"g.npy", labels},
          {"h.npz", npz({{"X.npy", array}, {"y.npy", labels}}, true)},
          {"i.npz", npz({{"X.npy", array}, {"y.npy", labels}}, false)}};
}

std::string mutate(std::string content, std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random() % bound); };
  const std::size_t changes = 1 + below(4);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = below(content.size());
    switch (below(6)) {
      case 0:
        content.resize(at);
        break;
      case 1:
        if (!content.empty()) content[at] = static_cast<char>(random());
        break;
      case 2:
        if (!content.empty()) content[at] = static_cast<char>(content[at] ^ (1 << below(8)));
        break;
      case 3:
        content.insert(at, 1, "\n\r,;\t\"'\0 NA9-"[below(13)]);
        break;
      case 4:
        content.erase(at, 1 + below(8));
        break;
      default:
        content.insert(at, content.substr(below(content.size()), below(16)));
    }
  }
  return content;
}

void touch(const Table& table) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < table.matrix.features(); ++k) {
    for (const double value : feature(table, k)) sum += value;
  }
  static_cast<void>(sum);
  EXPECT_FALSE(table.cell(table.matrix.samples - 1, table.matrix.features() - 1).empty());
}

TEST(Mutation, OnlyTablesAndInputErrors) {
  // For a longer hunt: LAND_MUTATIONS=1000000.
  const char* asked = std::getenv("LAND_MUTATIONS");
  const int rounds = asked == nullptr ? 3000 : std::stoi(asked);
  std::mt19937_64 random(asked == nullptr ? 20240601U : static_cast<unsigned>(rounds));
  const std::vector<std::string> targets = {"", "y", "2", "0"};
  const std::vector<std::string> ids = {"", "", "", "", "", "", "", "0"};
  int tables = 0;
  int refused = 0;
  for (const Sample& sample : samples()) {
    for (int round = 0; round < rounds; ++round) {
      const std::string content = mutate(sample.content, random);
      ReadOptions options;
      options.rows = random() % 2 == 0 ? Rows::kSamples : Rows::kFeatures;
      options.target = targets[random() % targets.size()];
      options.id_column = ids[random() % ids.size()];
      try {
        const Table table = read(content, sample.name, options);
        ++tables;
        touch(table);
        if (table.target) static_cast<void>(make_target(*table.target, Task::kAuto));
      } catch (const InputError& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      }
    }
  }
  EXPECT_GT(tables, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Mutation, TargetFiles) {
  const Table plain = read("a,b\n1,2\n3,4\n5,6\n7,8\n");
  const Table with_ids = read("id,a\np,1\nq,2\nr,3\ns,4\n");
  std::vector<Sample> files = samples();
  files.push_back({"y.txt", "A\nB\nA\nB\n"});
  files.push_back({"y.csv", "id,y\np,1\nq,2\nr,3\ns,4\n"});
  std::mt19937_64 random(20240602);
  for (const Sample& sample : files) {
    for (int round = 0; round < 2000; ++round) {
      const std::string content = mutate(sample.content, random);
      try {
        Table table = random() % 2 == 0 ? plain : with_ids;
        ReadOptions options;
        options.by_position = random() % 2 == 0;
        read_target_bytes(bytes_of(content), {sample.name, random() % 4 == 0 ? "y" : ""}, options, {}, table);
        EXPECT_EQ(table.target->size(), 4);
      } catch (const InputError&) {
      }
    }
  }
}

void touch(const SparseColumns& matrix) {
  ASSERT_EQ(matrix.starts[0], 0);
  for (std::int64_t k = 0; k < matrix.columns; ++k) {
    const std::int64_t end = matrix.starts[static_cast<std::size_t>(k) + 1];
    std::int64_t last = -1;
    for (std::int64_t e = matrix.starts[static_cast<std::size_t>(k)]; e < end; ++e) {
      ASSERT_GT(matrix.row(e), last);
      last = matrix.row(e);
      ASSERT_TRUE(std::isfinite(matrix.value(e)));
    }
    ASSERT_LT(last, matrix.samples);
  }
  ASSERT_EQ(matrix.starts[static_cast<std::size_t>(matrix.columns)], matrix.stored());
}

TEST(Mutation, SparseFiles) {
  const std::vector<Sample> files = {
      {"a.svm", "1 1:1 2:3 17:12 250:1\n-1 qid:3 2:0.5 3:1e2 # c\n1 4:7 12345:9\n+1 1:1 2:2 3:3 4:4\n"},
      {"b.svm", "# head\r\na 0:1 5:2\r\nb 5:0.1 6:1\r\n\r\na 7:123456789"},
      {"c.mtx", "%%MatrixMarket matrix coordinate integer general\n%\n6 5 4\n4 3 6\n5 3 1\n6 3 1\n1 5 23\n"},
      {"d.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 0.5\n3 3 1e2\n4 2 -7\n"},
      {"e.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 1\n2 3\n3 2\n"}};
  std::mt19937_64 random(20240603);
  int tables = 0;
  int refused = 0;
  for (const Sample& sample : files) {
    for (int round = 0; round < 4000; ++round) {
      const Bytes bytes = bytes_of(mutate(sample.content, random));
      ReadOptions options;
      options.rows = random() % 2 == 0 ? Rows::kSamples : Rows::kFeatures;
      const Context context;
      const ReadRequest request{sample.name, options, context};
      static_cast<void>(looks_like_svmlight(bytes.view));
      try {
        if (sample.name.ends_with(".svm")) {
          const SparseText text = read_svmlight(bytes, request, random() % 2 == 0);
          EXPECT_EQ(text.target.size(), text.columns.samples);
          touch(text.columns);
        } else {
          touch(read_matrix_market(bytes, request));
        }
        ++tables;
      } catch (const InputError& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      }
    }
  }
  EXPECT_GT(tables, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace land::test
