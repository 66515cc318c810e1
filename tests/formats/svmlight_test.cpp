// SVMlight text against a slow reader written for the test.
#include "land/formats/svmlight.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "cli/spelling.h"
#include "guarded_bytes.h"
#include "sample_files.h"
#include "sparse_oracle.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

SparseText read_sparse(const Bytes& bytes, int threads = 1, bool zero_based = false) {
  Context context;
  context.threads = threads;
  const ReadOptions options;
  const std::string name = "data.svm";
  return read_svmlight(bytes, {name, options, context}, zero_based);
}

std::string sparse_error(const Bytes& bytes, int threads = 1, bool zero_based = false) {
  try {
    read_sparse(bytes, threads, zero_based);
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StartsWith("data.svm: "));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_LT(std::string(error.what()).size(), 300U);
    return cli::spelled(error.what());
  }
  return "";
}

std::string sparse_error(const std::string& content, int threads = 1, bool zero_based = false) {
  return sparse_error(bytes_of(content), threads, zero_based);
}

// Valid text only, a word at a time.
SparseOracle slow_read(const std::string& content, std::vector<std::string>& labels, bool zero_based) {
  SparseOracle oracle;
  std::istringstream file(content);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    labels.push_back(word);
    while (words >> word) {
      if (word.starts_with("qid:")) continue;
      const std::size_t colon = word.find(':');
      const std::int64_t column = std::stoll(word.substr(0, colon)) - (zero_based ? 0 : 1);
      const double value = std::strtod(word.c_str() + colon + 1, nullptr);
      oracle.columns = std::max(oracle.columns, column + 1);
      if (value != 0.0) oracle.values[{column, oracle.samples}] = value;
    }
    ++oracle.samples;
  }
  return oracle;
}

struct Shape {
  int lines;
  int entries;           // a line, at most
  std::int64_t columns;  // at most
  bool exact32;
  bool tidy;  // nothing but label index:value, a blank between
};

std::string random_value(std::mt19937_64& random, bool exact32) {
  switch (random() % 12) {
    case 0:
      return fmt::format("{}", random() % 100'000'000'000) + (exact32 ? "e-99999" : "");
    case 1:
      return exact32 ? fmt::format("{}.{}", random() % 100, 125 * (random() % 8))
                     : fmt::format("{}{:.9g}", random() % 2 == 0 ? "-" : "",
                                   1e-6 * static_cast<double>(random() % 20'000'000'000));
    case 2:
      return fmt::format("-{}", random() % 1000);
    case 3:
      return fmt::format("+{}.5", random() % 10);
    case 4:
      return fmt::format("{}e{}", random() % 10, random() % 4);
    case 5:
      return exact32 ? "5E-1" : "-1.25E-30";
    case 6:
      return std::vector<std::string>{".5", "5.", "0", "-0", "0.0", "00012", "1e-400"}[random() % 7];
    case 7:
      return fmt::format("{}", random() % 16'777'216);
    default:
      return fmt::format("{}", random() % (random() % 4 == 0 ? 20'000 : 10));
  }
}

std::string random_text(const Shape& shape, std::uint64_t seed, bool zero_based) {
  std::mt19937_64 random(seed);
  const auto one_in = [&](std::uint64_t n) { return !shape.tidy && random() % n == 0; };
  std::string text;
  for (int i = 0; i < shape.lines; ++i) {
    if (one_in(20)) text += one_in(2) ? "  \t\r\n" : "\n";
    if (one_in(20)) text += " # 1 2:3 none of this counts: 4\n";
    if (one_in(10)) text += one_in(2) ? "  " : "\t";
    text += random() % 2 == 0 ? "+1" : "-1";
    if (one_in(5)) text += " qid:12";
    const auto entries = static_cast<std::int64_t>(random() % (static_cast<std::uint64_t>(shape.entries) + 1));
    std::int64_t index = zero_based ? -1 : 0;
    for (std::int64_t e = 0; e < entries; ++e) {
      const std::int64_t step = std::max<std::int64_t>(shape.columns / std::max<std::int64_t>(entries, 1), 1);
      index += 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(step));
      text += one_in(30) ? "  " : one_in(30) ? "\t" : " ";
      text += fmt::format("{}:{}", index,
                          shape.tidy ? std::to_string(1 + random() % 12) : random_value(random, shape.exact32));
    }
    if (one_in(10)) text += ' ';
    if (one_in(10)) text += "# said 3:4 of it";
    text += one_in(3) ? "\r\n" : "\n";
  }
  return text;
}

TEST(Svmlight, AsASlowReaderReadsIt) {
  const std::vector<Shape> shapes = {{1, 3, 5, true, false},
                                     {50, 10, 30, true, false},
                                     {50, 10, 30, false, false},
                                     {150, 2000, 60'000, false, false},
                                     {60, 20'000, 900'000, true, true},
                                     {50'000, 20, 200'000, true, true},
                                     {30'000, 30, 31, true, false},
                                     {20, 9000, 5'000'000, true, true}};
  std::uint64_t seed = 1;
  for (const Shape& shape : shapes) {
    for (const bool zero_based : {false, true}) {
      std::string text = random_text(shape, ++seed, zero_based) + fmt::format("1 {}:1\n", shape.columns + 1);
      if (zero_based) text.pop_back();  // no line end
      SCOPED_TRACE(fmt::format("lines {} entries {} columns {} bytes {}", shape.lines, shape.entries, shape.columns,
                               text.size()));
      std::vector<std::string> labels;
      const SparseOracle oracle = slow_read(text, labels, zero_based);
      for (const int threads : {1, 2, 5}) {
        const SparseText sparse = read_sparse(bytes_of(text), threads, zero_based);
        expect_same(sparse.columns, oracle);
        ASSERT_EQ(sparse.target.numbers.size(), labels.size());
        for (std::size_t i = 0; i < labels.size(); ++i) ASSERT_EQ(sparse.target.numbers[i], std::stod(labels[i]));
      }
    }
  }
}

// Values need float64 in one piece of the file only.
TEST(Svmlight, OneWideValueMakesAllWide) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += i == 250'000 ? "1 1:0.1 2:3\n" : "1 1:1 3:2\n";
  std::vector<std::string> labels;
  const SparseOracle oracle = slow_read(text, labels, false);
  for (const int threads : {1, 2, 5}) expect_same(read_sparse(bytes_of(text), threads).columns, oracle);
}

TEST(Svmlight, NeverLooksBeyondItsBytes) {
  const std::string text = "1 1:2 30:4 500:61 7000:8\n2 1:1 12345678:9999 123456789:12345 2147483646:0.25\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    for (const bool at_end : {false, true}) {
      static_cast<void>(sparse_error(guarded_bytes(text.substr(0, size), at_end)));
      static_cast<void>(looks_like_svmlight(guarded_bytes(text.substr(0, size), at_end).view));
    }
  }
  const std::string large = random_text({30, 4000, 9000, true, true}, 3, false);
  for (std::size_t size = large.size() - 200; size < large.size(); ++size) {
    static_cast<void>(sparse_error(guarded_bytes(large.substr(0, size), true)));
  }
}

TEST(Svmlight, LabelsAreNumbersOrText) {
  const auto target = [](const std::string& text) { return read_sparse(bytes_of(text)).target; };
  EXPECT_EQ(target("1 1:1\n").name, "label");
  EXPECT_THAT(target("+1 1:1\n-1.5 1:2\n3e2\n").numbers, ElementsAre(1.0, -1.5, 300.0));
  EXPECT_THAT(target("cat 1:1\n2 1:2\nd\xE9j\xE0 1:3\n").text, ElementsAre("cat", "2", "d\xC3\xA9j\xC3\xA0"));
  EXPECT_THAT(target("\xEF\xBB\xBF"
                     "1 1:1\n")
                  .numbers,
              ElementsAre(1.0));
  EXPECT_THAT(error_of("1 1:1\nNA 1:2\n", "data.svm"), HasSubstr("line 2: the target has no value here"));
  EXPECT_THAT(sparse_error("# c\n1 1:1\ninf 1:2\n"), HasSubstr("line 3: the target is 'inf' here"));
  EXPECT_THAT(sparse_error("1,2 1:1\n"), HasSubstr("line 1: '1,2' are several labels; keep one"));
  EXPECT_THAT(sparse_error("1 1:1\n 2:3 4:5\n"), HasSubstr("line 2: begins with '2:3' where its label should be"));
}

TEST(Svmlight, MistakesAreNamed) {
  EXPECT_THAT(sparse_error(""), HasSubstr("the file has no samples"));
  EXPECT_THAT(sparse_error("\n# only\n\n"), HasSubstr("the file has no samples"));
  EXPECT_THAT(sparse_error("1\n2\n"), HasSubstr("labels but no features"));
  EXPECT_THAT(sparse_error("1 0:1\n"), HasSubstr("line 1: index 0, but indices count from 1"));
  EXPECT_THAT(sparse_error("1 0:1\n"), HasSubstr("say --zero-based"));
  EXPECT_EQ(sparse_error("1 0:1\n", 1, true), "");
  EXPECT_THAT(sparse_error("1 1:1\n\n1 3:1 7:1 7:2\n"), HasSubstr("line 3, feature 7: stands twice in the line"));
  EXPECT_THAT(sparse_error("1 3:1 17:1 9:2\n"), HasSubstr("line 1, feature 9: comes after feature 17; sort"));
  EXPECT_THAT(sparse_error("1 0:1 0:2\n", 1, true), HasSubstr("feature 0: stands twice"));
  EXPECT_THAT(sparse_error("1 5:1 9:abc\n"), HasSubstr("line 1, feature 9: 'abc' is not a number"));
  EXPECT_THAT(sparse_error("1 5:1,5\n"), HasSubstr("feature 5: '1,5' is not a number"));
  EXPECT_THAT(sparse_error("1 5:1 9:NaN\n"), HasSubstr("feature 9: 'NaN' is not a finite number; remove or impute"));
  EXPECT_THAT(sparse_error("1 5:-inf 9:1\n"), HasSubstr("feature 5: '-inf' is not a finite number"));
  EXPECT_THAT(sparse_error("1 5:1e999 9:1\n"), HasSubstr("feature 5: '1e999' is not a finite number"));
  EXPECT_THAT(sparse_error("1 5: 9:1\n"), HasSubstr("line 1, feature 5: the value is missing"));
  EXPECT_THAT(sparse_error("1 5:1:2\n"), HasSubstr("feature 5: '1:2' is not a number"));
  EXPECT_THAT(sparse_error("1 2:1 7\n"), HasSubstr("line 1: '7' is not index:value"));
  EXPECT_THAT(sparse_error("1 a:1\n"), HasSubstr("line 1: 'a:1' is not index:value"));
  EXPECT_THAT(sparse_error("1 :1\n"), HasSubstr("line 1: ':1' is not index:value"));
  EXPECT_THAT(sparse_error("1 -3:1\n"), HasSubstr("line 1: index '-3' is not a whole number from 1 to 2147483646"));
  EXPECT_THAT(sparse_error("1 1.5:1\n"), HasSubstr("index '1.5' is not a whole number"));
  EXPECT_THAT(sparse_error("1 99999999999999999999:1\n"), HasSubstr("index '99999999999999999999' is not a whole"));
  EXPECT_THAT(sparse_error("1 2147483647:1\n"), HasSubstr("index '2147483647' is not a whole number"));
}

TEST(Svmlight, AFewBytesDoNotAskForGigabytes) {
  EXPECT_THAT(sparse_error("1 1:1\n1 2147483646:1\n"), HasSubstr("2147483646 features, but only 2 entries"));
  EXPECT_EQ(read_sparse(bytes_of("1 1:1\n1 60000000:1\n")).columns.columns, 60'000'000);
}

// The first mistake of the file is named, whoever finds another first.
TEST(Svmlight, TheFirstMistakeIsNamed) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += i % 1000 == 777 && i > 150'000 ? "1 1:1 3:x\n" : "1 1:1 3:2\n";
  const std::string expected = sparse_error(text);
  EXPECT_THAT(expected, HasSubstr("line 150778, feature 3"));
  for (const int threads : {2, 5}) EXPECT_EQ(sparse_error(text, threads), expected);
}

TEST(Svmlight, IsRecognisedByItsFirstFeatures) {
  const auto looks = [](const std::string& text) { return looks_like_svmlight(bytes_of(text).view); };
  for (const std::string text : {"1 1:2\n", "+1 0:1.5 7:2", "# header\n\n-1 qid:3 1:0.5 # c\n", "cat 1:1 2:1\n",
                                 "1\n0\n1 5:1\n", "1,2 3:4\n", "1 1:nan\n", "1\t1:2\t3:4\n"}) {
    EXPECT_TRUE(looks(text)) << text;
  }
  EXPECT_TRUE(looks(std::string("\xEF\xBB\xBF") + "1 1:2\r\n"));
  std::string long_line = "1";
  for (int i = 1; i < 100'000; ++i) long_line += fmt::format(" {}:1", i);
  EXPECT_TRUE(looks(long_line));
  for (const std::string text : {"", "\n", "1\n2\n3\n", "a,b\n1,2\n", "a\tb\n1\t2\n", "a;b\n1;2\n", "1,2,3\n4,5,6\n",
                                 "1 2 3\n", "x:1 2:3\n", "time,t 1:2\n", "\"a b\" 1:2\n", "a b:1\n", "1 1:x\n",
                                 "1 1 1:2\n", "id\t12:30:10\n", "%%MatrixMarket x\n1:2"}) {
    EXPECT_FALSE(looks(text)) << text;
  }
  EXPECT_TRUE(is_named_svmlight("a.svm") && is_named_svmlight("b.svmlight.gz") && is_named_svmlight("c.libsvm"));
  EXPECT_FALSE(is_named_svmlight("a.csv") || is_named_svmlight("svm"));
}

TEST(Svmlight, TheCorpusIsRefused) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LAND_TEST_FOLDER "/formats/corpus")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("bad_") || !is_named_svmlight(name)) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (const int threads : {1, 2}) EXPECT_NE(error_of(content, name, {}, threads), "") << name;
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(Svmlight, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  Context context;
  context.stop = &stop;
  const ReadOptions options;
  const std::string name = "data.svm";
  EXPECT_THROW(read_svmlight(bytes_of("1 1:1\n"), {name, options, context}, false), Interrupted);
}

}  // namespace
}  // namespace land::test
