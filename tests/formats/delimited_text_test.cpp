#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <random>

#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ReadOptions with(const std::string& target, const std::string& id = "", Rows rows = Rows::kSamples) {
  ReadOptions options;
  options.target = target;
  options.id_column = id;
  options.rows = rows;
  return options;
}

TEST(DelimitedText, EveryDelimiterAndLineEndGivesTheSameTable) {
  for (const std::string delimiter : {",", "\t", ";", "|"}) {
    for (const std::string line_end : {"\n", "\r\n", "\r"}) {
      for (const std::string mark : {"", "\xEF\xBB\xBF"}) {
        for (const bool trailing : {false, true}) {
          const std::string d = delimiter;
          const std::string e = line_end;
          const std::string text =
              mark + "a" + d + "b" + e + "1" + d + " 2.5 " + e + "+3" + d + "-4e-1" + (trailing ? e : "");
          SCOPED_TRACE(text);
          const Table table = read(text);
          EXPECT_THAT(table.feature_names, ElementsAre("a", "b"));
          EXPECT_THAT(feature(table, 0), ElementsAre(1.0, 3.0));
          EXPECT_THAT(feature(table, 1), ElementsAre(2.5, -0.4));
          EXPECT_THAT(table.sample_ids, IsEmpty());
        }
      }
    }
  }
}

TEST(DelimitedText, CompressedTextIsReadByContent) {
  const Table table = read(gzip("a,b\n1,2\n3,4\n"), "whatever.bin");
  EXPECT_THAT(feature(table, 1), ElementsAre(2.0, 4.0));
}

TEST(DelimitedText, WithoutHeaderColumnsAreNumbered) {
  const Table table = read("1,2\n3,4\n");
  EXPECT_THAT(table.feature_names, IsEmpty());
  EXPECT_EQ(table.feature_name(1), "f1");
  EXPECT_EQ(table.matrix.samples, 2);
}

TEST(DelimitedText, QuotedNamesMayHoldAnything) {
  const Table table = read("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n1,2,\"3\"\n4,5,6\n");
  EXPECT_THAT(table.feature_names, ElementsAre("a,b", "say \"hi\"", "two\nlines"));
  EXPECT_THAT(feature(table, 2), ElementsAre(3.0, 6.0));
  EXPECT_EQ(table.cell(0, 0), "data.csv: row 3, column 1 ('a,b')");
  EXPECT_EQ(table.cell(1, 2), "data.csv: row 4, column 3 ('two\\nlines')");
}

TEST(DelimitedText, Latin1NamesBecomeUtf8) {
  EXPECT_THAT(read("gr\xF6\xDF"
                   "e,b\n1,2\n3,4\n")
                  .feature_names,
              ElementsAre("größe", "b"));
}

TEST(DelimitedText, Float32WhenExactFloat64Otherwise) {
  EXPECT_EQ(read("1,2.5\n3,-0.125\n").matrix.dtype, DType::kFloat32);
  EXPECT_EQ(read("1,2.5\n3,0.1\n").matrix.dtype, DType::kFloat64);
  EXPECT_EQ(read("1,2.5\n3,1e300\n").matrix.dtype, DType::kFloat64);
  EXPECT_EQ(read("16777217\n16777218\n").matrix.dtype, DType::kFloat64);
}

TEST(DelimitedText, ValuesSurviveExactly) {
  std::mt19937_64 random(7);
  std::vector<double> values;
  std::string text = "x,y\n";
  for (int i = 0; i < 500; ++i) {
    for (int j = 0; j < 2; ++j) {
      double value = 0.0;
      do {
        const std::uint64_t bits = random();
        std::memcpy(&value, &bits, sizeof value);
      } while (!std::isfinite(value));
      values.push_back(value);
      text += fmt::format("{}{}", value, j == 0 ? "," : "\n");
    }
  }
  const Table table = read(text);
  for (int i = 0; i < 500; ++i) {
    for (int j = 0; j < 2; ++j) EXPECT_EQ(table.matrix.at(i, j), values[static_cast<std::size_t>(2 * i + j)]);
  }
}

TEST(DelimitedText, TooSmallIsZeroTooLargeAnError) {
  EXPECT_THAT(feature(read("1e-400\n-1e-400\n0." + std::string(400, '0') + "1\n1\n"), 0),
              ElementsAre(0.0, 0.0, 0.0, 1.0));
  EXPECT_THAT(error_of("1\n1e400\n"), HasSubstr("row 2, column 1: '1e400' is not a finite number"));
}

TEST(DelimitedText, MissingValuesAreNaN) {
  for (const std::string missing : {"NaN", "nan", "NA", "N/A", "null", "?", "", " "}) {
    const Table table = read("a,b\n1,2\n3," + missing + "\n");
    EXPECT_TRUE(std::isnan(table.matrix.at(1, 1))) << missing;
    EXPECT_EQ(table.matrix.at(1, 0), 3.0);
    EXPECT_EQ(table.matrix.dtype, DType::kFloat32);  // a missing value needs no more room
  }
}

TEST(DelimitedText, BadCellsAreNamed) {
  for (const std::string bad : {"-inf", "Infinity", "1e999"}) {
    EXPECT_THAT(error_of("a,b\n1,2\n3," + bad + "\n"),
                HasSubstr("row 3, column 2 ('b'): '" + bad + "' is not a finite number; write NA where"));
  }
  for (const std::string bad : {"abc", "1x", "+-1", "0x10", "--1", "1 2", "+"}) {
    EXPECT_THAT(error_of("a,b\n1,2\n3," + bad + "\n"),
                HasSubstr("row 3, column 2 ('b'): '" + bad + "' is not a number;"));
  }
  EXPECT_THAT(error_of("a\tb\n1\t2\n1,5\t2\n"), HasSubstr("write decimals with a point"));
  EXPECT_THAT(error_of("a,b\n1,2\n1,\"2\"x\n"), HasSubstr("row 3, column 2 ('b'): text after the closing quote"));
  EXPECT_THAT(error_of("a,b\n1,\"2\n3,4\n"), HasSubstr("row 2: the quote before '2' is never closed"));
}

TEST(DelimitedText, RaggedRowsAreNamed) {
  EXPECT_THAT(error_of("a,b,c\n1,2,3\n1,2\n"), HasSubstr("row 3: found 2 cells, expected 3 as in row 1"));
  EXPECT_THAT(error_of("a,b,c\n1,2,3\n1,2,3,4,5\n"), HasSubstr("row 3: found 5 cells, expected 3 as in row 1"));
  EXPECT_THAT(error_of("a,b,c\n1,2,3\n\n1,2,3\n"), HasSubstr("row 3"));
  EXPECT_THAT(error_of("a,b,c\n1,2,3,4\n1,2,3,4\n"), HasSubstr("row 2: found 4 cells, expected 3"));
}

TEST(DelimitedText, AWideHeaderOverShortRowsTakesNoMemory) {
  std::string text = "a";
  for (int i = 0; i < 200'000; ++i) text += ",a";
  text += '\n';
  for (int i = 0; i < 200'000; ++i) text += "1\n";
  EXPECT_THAT(error_of(text), HasSubstr("row 2: found 1 cell, expected 200001"));
}

TEST(DelimitedText, NothingToRead) {
  for (const std::string empty : {"", "\n", "\r\n\r\n", "  ", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n"}) {
    EXPECT_EQ(error_of(empty), "data.csv: the file is empty");
  }
  EXPECT_THAT(error_of("a,b\n"), HasSubstr("a header but no rows"));
  EXPECT_THAT(error_of("id\ns1\ns2\n"), HasSubstr("no column of values is left"));
  EXPECT_THAT(error_of(gzip("")), HasSubstr("the file is empty"));
}

TEST(DelimitedText, BinaryIsRefused) {
  EXPECT_THAT(error_of(std::string("a,b\n1,\0\n", 8)), HasSubstr("zero byte at offset 6"));
  EXPECT_THAT(error_of(std::string(10'000, '1') + "\n" + std::string("\0", 1)), HasSubstr("zero byte at offset 10001"));
  EXPECT_THAT(error_of(std::string("\xFF\xFE"
                                   "1\0\n\0",
                                   6)),
              HasSubstr("UTF-16"));
  EXPECT_THAT(error_of(std::string("\x89HDF\r\n\x1a\n", 8)), HasSubstr("HDF5"));
  EXPECT_THAT(read("PAR1,b\n1,2\n3,4\n").feature_names, ElementsAre("PAR1", "b"));
}

TEST(DelimitedText, SampleIdsByMarkNameOrNumber) {
  for (const std::string mark : {"", "id", "ID", "Sample", "\"sample\""}) {
    const Table table = read(mark + ",a,b\ns1,1,2\ns2,3,4\n");
    EXPECT_THAT(table.sample_ids, ElementsAre("s1", "s2"));
    EXPECT_THAT(table.feature_names, ElementsAre("a", "b"));
    EXPECT_EQ(table.cell(1, 0), "data.csv: row 3, column 2 ('a')");
  }
  EXPECT_THAT(read("a,patient,b\n1,p,2\n3,q,4\n", "d", with("", "patient")).sample_ids, ElementsAre("p", "q"));
  EXPECT_THAT(read("1,p,2\n3,q,4\n", "d", with("", "1")).sample_ids, ElementsAre("p", "q"));
  EXPECT_THAT(error_of("a,patient,b\n1,p,2\n3,q,4\n", "d", with("", "patent")), HasSubstr("did you mean 'patient'?"));
  EXPECT_THAT(error_of("a,patient,b\n1,p,2\n3,q,4\n"), HasSubstr("column 'patient' (p, q) holds text"));
  EXPECT_THAT(error_of("s1,1,2\ns2,3,4\n"), HasSubstr("column 'f0' (s1, s2) holds text"));
  EXPECT_THAT(error_of("s1,1,2\ns2,3,4\n"), HasSubstr("or name the ids with --id 0"));
}

TEST(DelimitedText, NumericNamesBesideAnIdAreAHeader) {
  const Table table = read(",0,1\n0,1.5,2.5\n1,3.5,4.5\n");  // pandas.DataFrame(x).to_csv()
  EXPECT_THAT(table.feature_names, ElementsAre("0", "1"));
  EXPECT_THAT(table.sample_ids, ElementsAre("0", "1"));
  EXPECT_THAT(read("sample,101,102\ns,1.5,2.5\n").feature_names, ElementsAre("101", "102"));
  EXPECT_TRUE(std::isnan(read(",1.5,2.5\n1,3.5,4.5\n").matrix.at(0, 0)));
}

TEST(DelimitedText, AMissingFirstValueIsNoHeader) {
  const Table table = read("1,NA,3\n4,5,6\n");
  EXPECT_TRUE(table.feature_names.empty());
  EXPECT_TRUE(std::isnan(table.matrix.at(0, 1)));
}

TEST(DelimitedText, AHeaderOneShortNamesNoIds) {
  const Table table = read("\"a\"\t\"b\"\n\"r1\"\t1\t2\n\"r2\"\t3\t4\n");  // R's write.table
  EXPECT_THAT(table.sample_ids, ElementsAre("r1", "r2"));
  EXPECT_THAT(table.feature_names, ElementsAre("a", "b"));
  EXPECT_EQ(table.cell(0, 1), "data.csv: row 2, column 3 ('b')");
}

TEST(DelimitedText, TargetByNameThenByNumber) {
  const std::string text = "id,1,x,y\ns1,10,0.5,A\ns2,20,0.25,B\n";
  Table table = read(text, "d", with("y"));
  EXPECT_EQ(table.target->name, "y");
  EXPECT_THAT(table.target->text, ElementsAre("A", "B"));
  EXPECT_THAT(table.feature_names, ElementsAre("1", "x"));
  EXPECT_EQ(table.cell(0, 1), "d: row 2, column 3 ('x')");

  table = read(text, "d", with("3"));
  EXPECT_EQ(table.target->name, "y");
}

TEST(DelimitedText, ANameWinsOverANumber) {
  const Table table = read("a,b,0\n1,2,3\n4,5,6\n", "d", with("0"));
  EXPECT_EQ(table.target->name, "0");
  EXPECT_THAT(table.target->numbers, ElementsAre(3.0, 6.0));
  EXPECT_THAT(table.feature_names, ElementsAre("a", "b"));
  // Without a header there is no name to win.
  EXPECT_EQ(read("2,8,9\n1,0.5,7\n", "d", with("2")).target->name, "column 2");
}

TEST(DelimitedText, HeaderlessTextTarget) {
  const Table table = read("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-virginica\n", "iris.data", with("2"));
  EXPECT_THAT(table.feature_names, IsEmpty());
  EXPECT_EQ(table.target->name, "column 2");
  EXPECT_THAT(table.target->text, ElementsAre("Iris-setosa", "Iris-virginica"));
  EXPECT_EQ(table.matrix.features(), 2);
}

TEST(DelimitedText, TargetErrors) {
  EXPECT_THAT(error_of("alpha,beta,gamma\n1,2,3\n", "d", with("gama")),
              testing::StrEq("d: --target 'gama': no such column; did you mean 'gamma'?"));
  EXPECT_THAT(error_of("alpha,beta\n1,2\n", "d", with("zzzzzz")), HasSubstr("its columns are 'alpha', 'beta'"));
  EXPECT_THAT(error_of("1,2\n3,4\n", "d", with("2")), HasSubstr("columns are numbered 0 to 1"));
  EXPECT_THAT(error_of("1,2\n3,4\n", "d", with("99999999999999999999999")), HasSubstr("give a number from 0 to 1"));
  EXPECT_THAT(error_of("1,2\n3,4\n", "d", with("y")),
              HasSubstr("its columns have no names: give a number from 0 to 1"));
  EXPECT_THAT(error_of("y,y\n1,2\n", "d", with("y")), HasSubstr("column 0 and column 1 are both called 'y'"));
  EXPECT_THAT(error_of("a,y\n1,2\n3,\n", "d", with("y")), HasSubstr("row 3, column 2 ('y'): the target has no value"));
  EXPECT_THAT(error_of("a,y\n1,2\n3,NA\n", "d", with("y")),
              HasSubstr("row 3, column 2 ('y'): the target has no value"));
  EXPECT_THAT(error_of("a,y\n1,2\n3,inf\n", "d", with("y")),
              HasSubstr("row 3, column 2 ('y'): the target is 'inf' here"));
  EXPECT_THAT(error_of("a,y\n1,2\n3,4\n", "d", with("y", "y")), HasSubstr("the same column"));
  EXPECT_THAT(error_of("y\n1\n", "d", with("y")), HasSubstr("no column of values is left beside the target"));
}

TEST(DelimitedText, BooleanTargetsAreText) {
  EXPECT_THAT(read("a,y\n1,true\n2,False\n", "d", with("y")).target->text, ElementsAre("true", "False"));
}

TEST(DelimitedText, TheFirstBadCellIsReportedForAnyNumberOfThreads) {
  // Several items of work of a megabyte, errors in two of them.
  std::string text = "a,b,c\n";
  for (int i = 0; i < 400'000; ++i) {
    text += i == 300'123 ? "1,inf,3\n" : i == 350'000 ? "1,2\n" : i % 100'000 == 7 ? "1,bad,3\n" : "1.25,2,3\n";
  }
  for (int threads = 1; threads <= 4; ++threads) {
    EXPECT_THAT(error_of(text, "data.csv", {}, threads),
                HasSubstr("row 300125, column 2 ('b'): 'inf' is not a finite number"));
  }
}

TEST(DelimitedText, TheFirstOddCellIsReportedForAnyNumberOfThreads) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 400'000; ++i) text += i == 300'123 || i == 350'000 ? "1,bad,3\n" : "1.25,2,3\n";
  for (int threads = 1; threads <= 4; ++threads) {
    EXPECT_THAT(error_of(text, "data.csv", {}, threads),
                HasSubstr("row 300125, column 2 ('b'): 'bad' is not a number, nor are 1 more cells of the column"));
  }
}

TEST(DelimitedText, ThreadsChangeNothing) {
  std::string text = "id,a,b,y\n";
  for (int i = 0; i < 200'000; ++i) text += fmt::format("s{},{},{},{}\n", i, i, 0.5 * i, i % 3);
  const Table one = read(text, "d", with("y"), 1);
  const Table three = read(text, "d", with("y"), 3);
  EXPECT_EQ(one.sample_ids, three.sample_ids);
  EXPECT_EQ(one.target->numbers, three.target->numbers);
  EXPECT_EQ(feature(one, 1), feature(three, 1));
  EXPECT_EQ(one.matrix.at(199'999, 0), 199'999.0);
}

TEST(DelimitedText, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  Context context;
  context.stop = &stop;
  EXPECT_THROW(read_table(bytes_of("1,2\n3,4\n"), "d", {}, context), Interrupted);
}

TEST(DelimitedText, ReportsProgress) {
  Context context;
  double done = 0.0;
  context.progress = [&](std::string_view stage, double now, double total) {
    EXPECT_EQ(stage, "reading");
    EXPECT_LE(now, total);
    done = now / total;
  };
  read_table(bytes_of("1,2\n3,4\n"), "d", {}, context);
  EXPECT_EQ(done, 1.0);
}

TEST(FeaturesInRows, GeneTable) {
  const Table table = read("gene\ts1\ts2\ts3\nTP53\t1\t2\t3\nBRCA1\t4\t5\t6\n", "g.tsv", with("", "", Rows::kFeatures));
  EXPECT_THAT(table.feature_names, ElementsAre("TP53", "BRCA1"));
  EXPECT_THAT(table.sample_ids, ElementsAre("s1", "s2", "s3"));
  EXPECT_EQ(table.matrix.samples, 3);
  EXPECT_THAT(feature(table, 1), ElementsAre(4.0, 5.0, 6.0));
  EXPECT_EQ(table.cell(2, 1), "g.tsv: row 3 ('BRCA1'), column 4");
}

TEST(FeaturesInRows, HeadersAndNamesInAllCombinations) {
  const ReadOptions options = with("", "", Rows::kFeatures);
  Table table = read("TP53,1,2,3\nBRCA1,4,5,6\n", "g", options);  // names, no header
  EXPECT_THAT(table.feature_names, ElementsAre("TP53", "BRCA1"));
  EXPECT_THAT(table.sample_ids, IsEmpty());
  table = read("1,2,3\n4,5,6\n", "g", options);  // neither
  EXPECT_THAT(table.feature_names, IsEmpty());
  EXPECT_EQ(table.matrix.samples, 3);
  table = read("s1,s2,s3\n1,2,3\n4,5,6\n", "g", options);  // header, no names
  EXPECT_THAT(table.sample_ids, ElementsAre("s1", "s2", "s3"));
  EXPECT_EQ(table.matrix.columns, 2);
  table = read("s1,s2\nTP53,1,2\nBRCA1,4,5\n", "g", options);  // R
  EXPECT_THAT(table.sample_ids, ElementsAre("s1", "s2"));
  EXPECT_THAT(table.feature_names, ElementsAre("TP53", "BRCA1"));
  table = read("Entrez_Gene_ID,1,2\n7157,1.5,2\n672,4,5\n", "g", options);  // numbers as names
  EXPECT_THAT(table.sample_ids, ElementsAre("1", "2"));
  EXPECT_THAT(table.feature_names, ElementsAre("7157", "672"));
  table = read("s1,sym,s2\n1,TP53,2\n4,BRCA1,5\n", "g", with("", "sym", Rows::kFeatures));
  EXPECT_THAT(table.feature_names, ElementsAre("TP53", "BRCA1"));
  EXPECT_THAT(table.sample_ids, ElementsAre("s1", "s2"));
}

TEST(FeaturesInRows, TargetIsARow) {
  const std::string text = "gene,s1,s2,s3\ng1,1,2,3\nclass,A,B,A\ng2,4,5,6\n";
  for (const std::string target : {"class", "2"}) {
    const Table table = read(text, "g", with(target, "", Rows::kFeatures));
    EXPECT_EQ(table.target->name, "class");
    EXPECT_THAT(table.target->text, ElementsAre("A", "B", "A"));
    EXPECT_THAT(table.feature_names, ElementsAre("g1", "g2"));
    EXPECT_THAT(feature(table, 1), ElementsAre(4.0, 5.0, 6.0));
    EXPECT_EQ(table.cell(0, 1), "g: row 4 ('g2'), column 2");
  }
  const Table first = read("class,A,B,A\ng1,1,2,3\n", "g", with("class", "", Rows::kFeatures));
  EXPECT_THAT(first.target->text, ElementsAre("A", "B", "A"));
  EXPECT_THAT(first.sample_ids, IsEmpty());
  EXPECT_THAT(error_of(text, "g", with("clas", "", Rows::kFeatures)), HasSubstr("no such row; did you mean 'class'?"));
  EXPECT_THAT(error_of("gene,s1,s2\ng1,1,2\nclass,A,\n", "g", with("class", "", Rows::kFeatures)),
              HasSubstr("row 3 ('class'), column 3: the target has no value"));
  EXPECT_THAT(error_of("gene,s1,s2\ng1,1,2\ng2,A,2\n", "g", with("", "", Rows::kFeatures)),
              HasSubstr("row 3 ('g2'), column 2: 'A' is not a number"));
}

}  // namespace
}  // namespace land::test
