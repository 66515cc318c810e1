// Matrix Market files against a slow reader written for the test.
#include "land/formats/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "guarded_bytes.h"
#include "sample_files.h"
#include "sparse_oracle.h"

namespace land::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

SparseColumns read_mtx(const Bytes& bytes, Rows rows = Rows::kSamples, int threads = 1) {
  Context context;
  context.threads = threads;
  ReadOptions options;
  options.rows = rows;
  const std::string name = "m.mtx";
  return read_matrix_market(bytes, {name, options, context});
}

std::string mtx_error(const Bytes& bytes, int threads = 1) {
  try {
    read_mtx(bytes, Rows::kFeatures, threads);
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StartsWith("m.mtx: "));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_LT(std::string(error.what()).size(), 300U);
    return error.what();
  }
  return "";
}

std::string mtx_error(const std::string& content, int threads = 1) { return mtx_error(bytes_of(content), threads); }

SparseOracle slow_read(const std::string& content, Rows rows) {
  std::istringstream file(content);
  std::string line;
  std::getline(file, line);
  const bool pattern = line.find("pattern") != std::string::npos;
  const bool symmetric = line.find("symmetric") != std::string::npos;
  SparseOracle oracle;
  bool sized = false;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::string value = "1";
    if (line[0] == '%' || !(words >> row >> column)) continue;
    if (rows == Rows::kFeatures) std::swap(row, column);
    if (!std::exchange(sized, true)) {
      oracle.samples = row;
      oracle.columns = column;
      continue;
    }
    if (!pattern) words >> value;
    oracle.values[{column - 1, row - 1}] = std::strtod(value.c_str(), nullptr);
    if (symmetric) oracle.values[{row - 1, column - 1}] = std::strtod(value.c_str(), nullptr);
  }
  return oracle;
}

struct Shape {
  std::int64_t rows;
  std::int64_t columns;
  int entries;
  const char* field;
  bool symmetric;
  int order;  // by row, by column, at random
  bool tidy;
};

std::string random_mtx(const Shape& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::pair<std::int64_t, std::int64_t>, int> places;
  for (int e = 0; e < shape.entries; ++e) {
    std::pair<std::int64_t, std::int64_t> place(1 + random() % static_cast<std::uint64_t>(shape.rows),
                                                1 + random() % static_cast<std::uint64_t>(shape.columns));
    if (shape.symmetric && place.first < place.second) std::swap(place.first, place.second);
    if (shape.order == 1) std::swap(place.first, place.second);
    places[place] = 0;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  for (const auto& [place, unused] : places) list.push_back(place);
  if (shape.order == 2) std::shuffle(list.begin(), list.end(), random);
  std::string text = fmt::format("%%MatrixMarket matrix coordinate {} {}\n%\n%a comment 1 2 3\n{} {} {}\n", shape.field,
                                 shape.symmetric ? "symmetric" : "general", shape.rows, shape.columns, list.size());
  for (auto [row, column] : list) {
    if (shape.order == 1) std::swap(row, column);
    const auto one_in = [&](std::uint64_t n) { return !shape.tidy && random() % n == 0; };
    if (one_in(20)) text += '\n';
    text += fmt::format("{}{}{}{}", one_in(20) ? "  " : "", row, one_in(20) ? "\t" : " ", column);
    if (shape.field == std::string("real")) text += fmt::format(" {:.5g}", static_cast<double>(random() % 9999) / 7.0);
    if (shape.field == std::string("integer")) text += fmt::format(" {}", random() % (one_in(5) ? 1'000'000 : 12));
    text += one_in(10) ? " \r\n" : "\n";
  }
  return text;
}

TEST(MatrixMarket, AsASlowReaderReadsIt) {
  const std::vector<Shape> shapes = {{4, 7, 9, "real", false, 2, false},
                                     {50, 30, 400, "integer", false, 0, false},
                                     {50, 30, 400, "pattern", false, 2, false},
                                     {60, 60, 500, "real", true, 2, false},
                                     {60, 60, 500, "pattern", true, 0, true},
                                     {3000, 800, 300'000, "integer", false, 0, true},
                                     {3000, 800, 300'000, "integer", false, 1, true},
                                     {3000, 90'000, 100'000, "real", false, 2, false},
                                     {90'000, 90'000, 80'000, "integer", true, 2, true},
                                     {10, 10, 0, "real", false, 0, true}};
  std::uint64_t seed = 1;
  for (const Shape& shape : shapes) {
    std::string text = random_mtx(shape, ++seed);
    if (seed % 2 == 0) text.pop_back();  // no line end
    SCOPED_TRACE(text.substr(0, text.find("comment")));
    for (const Rows rows : {Rows::kSamples, Rows::kFeatures}) {
      const SparseOracle oracle = slow_read(text, rows);
      for (const int threads : {1, 2, 5}) expect_same(read_mtx(bytes_of(text), rows, threads), oracle);
    }
  }
}

TEST(MatrixMarket, GenesByCells) {
  const SparseColumns matrix = read_mtx(bytes_of("%%MatrixMarket matrix coordinate integer general\n"
                                                 "%metadata_json: {\"format_version\": 2}\n"
                                                 "3 2 3\n3 1 5\n1 1 2\n2 2 7\n"),
                                        Rows::kFeatures);
  EXPECT_EQ(matrix.samples, 2);
  EXPECT_EQ(matrix.columns, 3);
  EXPECT_EQ(matrix.row(1), 1);
  EXPECT_EQ(matrix.value(2), 5.0);
}

TEST(MatrixMarket, OtherKindsAreRefused) {
  const auto kind = [](const std::string& words) { return mtx_error("%%MatrixMarket " + words + "\n1 1 1\n1 1 1\n"); };
  EXPECT_EQ(kind("matrix coordinate real general"), "");
  EXPECT_EQ(kind("MATRIX Coordinate Integer General"), "");
  EXPECT_THAT(kind("matrix array real general"),
              HasSubstr("line 1: a dense array, which is not read here; save it as"));
  EXPECT_THAT(kind("matrix coordinate complex general"), HasSubstr("line 1: complex values"));
  EXPECT_THAT(kind("matrix coordinate complex hermitian"), HasSubstr("line 1: complex values"));
  EXPECT_THAT(kind("matrix coordinate real skew-symmetric"), HasSubstr("a skew-symmetric matrix"));
  EXPECT_THAT(kind("matrix coordinate real hermitian"), HasSubstr("a hermitian matrix"));
  EXPECT_THAT(kind("vector coordinate real general"), HasSubstr("'vector' is not known here"));
  EXPECT_THAT(kind("matrix coordinate strange general"), HasSubstr("'strange' is not known here"));
  EXPECT_THAT(kind("matrix coordinate real"), HasSubstr("'' is not known here"));
  EXPECT_THAT(mtx_error("1 1 1\n"), HasSubstr("does not begin with %%MatrixMarket"));
  EXPECT_THAT(mtx_error(""), HasSubstr("does not begin with %%MatrixMarket"));
}

TEST(MatrixMarket, MistakesAreNamed) {
  const auto error = [](const std::string& rest) {
    return mtx_error("%%MatrixMarket matrix coordinate real general\n" + rest);
  };
  EXPECT_THAT(error(""), HasSubstr("truncated: no line says how many"));
  EXPECT_THAT(error("% c\n\n"), HasSubstr("truncated: no line says how many"));
  EXPECT_THAT(error("% c\n3 4\n"), HasSubstr("line 3: '3 4' is not \"rows columns entries\""));
  EXPECT_THAT(error("3 4 x\n"), HasSubstr("line 2: '3 4 x' is not"));
  EXPECT_THAT(error("3 4 5 6\n"), HasSubstr("line 2: '3 4 5 6' is not"));
  EXPECT_THAT(error("0 4 0\n"), HasSubstr("line 2: 0 rows and 4 columns"));
  EXPECT_THAT(error("3 2147483647 0\n"), HasSubstr("line 2: 3 rows and 2147483647 columns"));
  EXPECT_THAT(error("3 4 2\n1 1 1\n4 1 1\n"), HasSubstr("line 4: row '4' is not a whole number from 1 to 3"));
  EXPECT_THAT(error("3 4 2\n1 1 1\n2 5 1\n"), HasSubstr("line 4: column '5' is not a whole number from 1 to 4"));
  EXPECT_THAT(error("3 4 1\n0 1 1\n"), HasSubstr("line 3: row '0' is not"));
  EXPECT_THAT(error("3 4 1\n1 -1 1\n"), HasSubstr("column '-1' is not"));
  EXPECT_THAT(error("3 4 2\n1 1 1\n2\n"), HasSubstr("line 4: '2' has no column; write \"row column value\""));
  EXPECT_THAT(error("3 4 2\n1 1 1\n2 1"), HasSubstr("line 4: '2 1' has no value"));
  EXPECT_THAT(error("3 4 1\n1 1 x\n"), HasSubstr("line 3: 'x' is not a number"));
  EXPECT_THAT(error("3 4 1\n1 1 nan\n"), HasSubstr("line 3: 'nan' is not a finite number"));
  EXPECT_THAT(error("3 4 1\n1 1 1e999\n"), HasSubstr("line 3: '1e999' is not a finite number"));
  EXPECT_THAT(error("3 4 1\n1 1 1 7\n"), HasSubstr("line 3: '7' after the entry"));
  EXPECT_THAT(error("3 4 3\n1 1 1\n1 2 1\n"), HasSubstr("3 entries announced, 2 found before the file ends in line 4"));
  EXPECT_THAT(error("3 4 9000000000000000000\n1 1 1\n"), HasSubstr("1 found"));
  EXPECT_THAT(error("3 4 1\n1 1 1\n\n1 2 1\n1 3 1\n"), HasSubstr("line 5: entry 2, but only 1 announced"));
  EXPECT_THAT(error("3 4 3\n1 1 1\n2 3 1\n1 1 2\n"), HasSubstr("line 5: row 1, column 1 stands in line 3"));
  EXPECT_THAT(error("3 2000000000 1\n1 1 1\n") + error("2000000000 3 1\n1 1 1\n"),
              testing::AllOf(HasSubstr("2000000000 samples, but only 1 entries"),
                             HasSubstr("2000000000 features, but only 1 entries")));
  EXPECT_THAT(mtx_error("%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n"),
              HasSubstr("line 2: symmetric, but 3 rows and 4 columns"));
  EXPECT_THAT(mtx_error("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 2 1\n"),
              HasSubstr("line 4: row 1, column 2 stands (or is mirrored) in line 3"));
  EXPECT_THAT(mtx_error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 1 1\n"),
              HasSubstr("line 3: '1' after the entry; write \"row column\""));
}

TEST(MatrixMarket, TheCorpusIsRefused) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LAND_TEST_FOLDER "/formats/corpus")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("bad_") || !name.ends_with(".mtx")) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (const int threads : {1, 2}) EXPECT_NE(mtx_error(content, threads), "") << name;
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(MatrixMarket, TheFirstMistakeIsNamed) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n400 1000 400000\n";
  for (int i = 0; i < 400'000; ++i)
    text += fmt::format("{} {} {}\n", i / 1000 + 1, i % 1000 + 1, i % 1000 == 777 && i > 150'000 ? "x" : "1");
  const std::string expected = mtx_error(text);
  EXPECT_THAT(expected, HasSubstr("'x' is not a number"));
  for (const int threads : {2, 5}) EXPECT_EQ(mtx_error(text, threads), expected);
}

TEST(MatrixMarket, NeverLooksBeyondItsBytes) {
  const std::string text =
      "%%MatrixMarket matrix coordinate real general\n40 30 4\n1 1 7\n2 30 11\n39 5 0.5\n40 29 8\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    for (const bool at_end : {false, true}) {
      static_cast<void>(mtx_error(guarded_bytes(text.substr(0, size), at_end)));
    }
  }
}

}  // namespace
}  // namespace land::test
