// Tables as people write them: ids, words, comments, blanks, decimal commas, GCT.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "cli/spelling.h"
#include "land/formats/header_row.h"
#include "land/results/spelled.h"
#include "sample_files.h"

namespace land::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::Not;
using testing::Pair;
using testing::StrEq;

using Words = std::vector<std::string>;

ReadOptions nominal(const Words& names) {
  ReadOptions options;
  options.nominal = names;
  return options;
}

ReadOptions features_in_rows(const Words& names = {}) {
  ReadOptions options = nominal(names);
  options.rows = Rows::kFeatures;
  return options;
}

ReadOptions excluding(const Words& names) {
  ReadOptions options;
  options.choice.exclude = NamePatterns("exclude", names);
  return options;
}

// ---------------------------------------------------------------------------------------------------------------- ids

TEST(SampleIds, AFirstColumnHeadedAsIdsAreIsNoFeature) {
  for (const std::string word : {"patient_id", "IID", "FID", "sample_id", "barcode", "subject", "case_id", "donor",
                                 "cell", "individual", "Patient ID", "SUBJECT-ID", "Sample.Name", "#IID"}) {
    SCOPED_TRACE(word);
    for (const std::string first : {"17", "p"}) {
      const Table table = read(word + ",a,b\n" + first + ",1.5,2\n18,3,4\n9,5,7\n");
      EXPECT_THAT(table.sample_ids, ElementsAre(first, "18", "9"));
      EXPECT_THAT(table.feature_names, ElementsAre("a", "b"));
      EXPECT_EQ(table.id_column_name, word == "#IID" ? "IID" : word);
      EXPECT_THAT(spelled(table.warnings, cli::as_typed), IsEmpty());
    }
  }
  EXPECT_EQ(read("a,b\n1.5,2\n3,4\n").id_column_name, "");
  EXPECT_EQ(read(",b\n1.5,2\n3,4\n").id_column_name, "0");
}

TEST(SampleIds, ValuesThatCannotBeIdsAreAFeatureWithAWarning) {
  for (const std::string value : {"7", "1.5", "NA"}) {
    const Table table = read("patient_id,a\n7,1.5\n" + value + ",2\n8,2\n");
    EXPECT_THAT(table.feature_names, ElementsAre("patient_id", "a")) << value;
    EXPECT_THAT(table.sample_ids, IsEmpty());
    EXPECT_THAT(spelled(table.warnings, cli::as_typed),
                ElementsAre(AllOf(HasSubstr("column 'patient_id'"), HasSubstr("--exclude patient_id"),
                                  HasSubstr("--id patient_id"))));
  }
  // Words that repeat are a column of text.
  EXPECT_THAT(error_of("donor,a\nd1,1\nd1,2\nd2,3\n"),
              AllOf(HasSubstr("column 'donor' (d1, d2) holds text"), HasSubstr("--nominal donor")));
  // Not for those that were always ids.
  EXPECT_THAT(read("sample,a\n7,1\n7,2\n").sample_ids, ElementsAre("7", "7"));
}

TEST(SampleIds, AreNotWhatTheUserSaysIsAnythingElse) {
  ReadOptions options;
  options.target = "subject";
  EXPECT_THAT(read("subject,a\n1,2\n2,3\n3,9\n4,1\n", "d", options).sample_ids, IsEmpty());
  EXPECT_THAT(read("subject,a\n1,2\n2,3\n3,9\n4,1\n", "d", nominal({"subject"})).feature_names,
              ElementsAre("subject", "a"));
}

TEST(SampleIds, OtherColumnsThatLookLikeIdsAreWarnedOf) {
  const Table table = read("age,IID,b\n50,1003,2\n50,1001,4\n51,1002,4\n");
  EXPECT_THAT(table.feature_names, ElementsAre("age", "IID", "b"));
  EXPECT_THAT(spelled(table.warnings, cli::as_typed),
              ElementsAre("column 'IID' looks like ids: leave it out with --exclude IID, or name it with --id IID"));
  EXPECT_THAT(spelled(read("age,cell,b\n50,3,2\n50,1,4\n51,1,4\n").warnings, cli::as_typed),
              IsEmpty());  // a count of cells
  EXPECT_THAT(spelled(read("age,cell,b\n50,3,2\n50,1.5,4\n51,1,4\n").warnings, cli::as_typed), IsEmpty());
  EXPECT_THAT(spelled(read("age,patient no,b\n5,3,2\n5,1,4\n", "d", {}).warnings, cli::as_typed),
              ElementsAre(HasSubstr("--exclude 'patient no', or name it with --id 'patient no'")));
}

TEST(SampleIds, AFirstColumnThatCountsIsWarnedOf) {
  for (const std::string name : {"Unnamed: 0", "index", "row"}) {
    for (const int first : {0, 1}) {
      const Table table = read(fmt::format("{},a\n{},5\n{},7\n{},6\n", name, first, first + 1, first + 2));
      EXPECT_THAT(spelled(table.warnings, cli::as_typed),
                  ElementsAre(HasSubstr(fmt::format("column '{}' only counts the samples", name))));
      EXPECT_EQ(table.matrix.features(), 2);
    }
  }
  EXPECT_THAT(spelled(read("0,5\n1,7\n2,6\n").warnings, cli::as_typed),
              ElementsAre(HasSubstr("--exclude f0, or name it with --id 0")));
  EXPECT_THAT(spelled(read("a,b\n0,5\n2,7\n1,6\n").warnings, cli::as_typed), IsEmpty());
  EXPECT_THAT(spelled(read("a,b\n5,0\n7,1\n6,2\n").warnings, cli::as_typed), IsEmpty());
}

// -------------------------------------------------------------------------------------------------------------- words

const char* const kClinical = "id,age,sex,stage\np1,50,male,II\np2,60,female,I\np3,70,female,NA\np4,55,male,II\n";

TEST(TextFeatures, AllAreNamedAtOnceWithWhatToType) {
  EXPECT_THAT(
      error_of(kClinical, "clinical.csv"),
      StrEq("clinical.csv: columns 'sex' (male, female), 'stage' (II, I) hold text; take them as categories with "
            "--nominal sex,stage (or --nominal auto), leave them out with --exclude sex,stage, or name the ids "
            "with --id"));
  EXPECT_THAT(error_of(kClinical, "clinical.csv", nominal({"sex"})), HasSubstr("column 'stage' (II, I) holds text"));
  std::string header = "x";
  std::string row = "1";
  for (int k = 0; k < 13; ++k) {
    header += fmt::format(",t{}", k);
    row += ",w";
  }
  const std::string error = error_of(header + "\n" + row + "\n" + row + "\n");
  EXPECT_THAT(error, AllOf(HasSubstr("'t9' (w) and 3 more hold text"), Not(HasSubstr("t10"))));
  EXPECT_THAT(error_of("a,tumor stage\n1,I\n2,II\n"), HasSubstr("--nominal 'tumor stage'"));
  EXPECT_THAT(error_of("a,\"x,y\"\n1,I\n2,II\n"), AllOf(HasSubstr("--nominal 1 "), HasSubstr("--exclude 'x?y'")));
}

TEST(TextFeatures, AreCategoriesIfNamed) {
  for (const Words& names : {Words{"sex", "stage"}, Words{"1", "2"}, Words{"sex", "auto"}, Words{"auto"}}) {
    const Table table = read(kClinical, "d", nominal(names));
    EXPECT_THAT(table.nominal.features, ElementsAre(1, 2));
    EXPECT_THAT(table.nominal.words,
                ElementsAre(Pair(1, ElementsAre("female", "male")), Pair(2, ElementsAre("I", "II"))));
    EXPECT_THAT(feature(table, 0), ElementsAre(50.0, 60.0, 70.0, 55.0));
    EXPECT_THAT(feature(table, 1), ElementsAre(1.0, 0.0, 0.0, 1.0));
    EXPECT_THAT(feature(table, 2), ElementsAre(1.0, 0.0, IsNan(), 1.0));
  }
  // Numbers among words are words; a column of numbers keeps them.
  const Table mixed = read("g,h\n1,5\n2b,7\n1,6\n", "d", nominal({"g", "h"}));
  EXPECT_THAT(mixed.nominal.words, ElementsAre(Pair(0, ElementsAre("1", "2b"))));
  EXPECT_THAT(feature(mixed, 1), ElementsAre(5.0, 7.0, 6.0));
  EXPECT_THAT(mixed.nominal.features, ElementsAre(0, 1));
  EXPECT_THAT(error_of(kClinical, "d", nominal({"sexx"})),
              HasSubstr("--nominal 'sexx': no such feature; did you mean"));
}

TEST(TextFeatures, AutoTakesFewWords) {
  std::string text = "x,few,many\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{},w{},v{}\n", 0.5 * i, i % 20, i % 21);
  EXPECT_THAT(
      error_of(text, "d", nominal({"auto"})),
      AllOf(HasSubstr("column 'many'"), HasSubstr("more words than --nominal auto takes"), Not(HasSubstr("few"))));
  EXPECT_THAT(read(text, "d", nominal({"auto", "many"})).nominal.features, ElementsAre(1, 2));
  // As many words as samples are ids, however few.
  EXPECT_THAT(error_of("x,t\n1,a\n2,b\n3,c\n", "d", nominal({"auto"})), HasSubstr("column 't'"));
  // A slip in a column of numbers makes no categories of them.
  EXPECT_THAT(error_of("x,t\n1,4\n2,4\n3,oops\n5,4\n", "d", nominal({"auto"})), HasSubstr("'oops' is not a number"));
}

TEST(TextFeatures, TooManyCategoriesAreRefused) {
  std::string text = "x,t\n";
  for (int i = 0; i < 257; ++i) text += fmt::format("{},w{}\n", 0.5 * i, i);
  EXPECT_THAT(error_of(text, "d", nominal({"t"})), HasSubstr("feature 't' has more than 256 categories"));
}

TEST(TextFeatures, InRows) {
  const std::string text = "gene,s1,s2,s3,s4\ng1,1,2,3,4\nsex,m,f,f,NA\ng2,5,6,7,8\nsite,a,b,a,c\n";
  EXPECT_THAT(
      error_of(text, "d", features_in_rows()),
      StrEq("d: rows 'sex' (m, f), 'site' (a, b, c) hold text; take them as categories with --nominal sex,site (or "
            "--nominal auto), leave them out with --exclude sex,site"));
  const Table table = read(text, "d", features_in_rows({"sex", "site"}));
  EXPECT_THAT(feature(table, 1), ElementsAre(1.0, 0.0, 0.0, IsNan()));
  EXPECT_THAT(feature(table, 2), ElementsAre(5.0, 6.0, 7.0, 8.0));
  EXPECT_THAT(table.nominal.words, ElementsAre(Pair(1, ElementsAre("f", "m")), Pair(3, ElementsAre("a", "b", "c"))));
  ReadOptions with_target = features_in_rows({"site"});
  with_target.target = "sex";
  EXPECT_THAT(feature(read("gene,s1,s2\ng1,1,2\nsex,m,f\nsite,a,b\n", "d", with_target), 1), ElementsAre(0.0, 1.0));
}

TEST(TextFeatures, AreTheSameForAnyNumberOfThreadsAndInAScratchFile) {
  std::string text = "x,t,u\n";
  for (int i = 0; i < 300'000; ++i) text += fmt::format("{},w{},{}\n", 0.1 * i, (i % 1000) * 7919 % 13, i);
  const Table one = read(text, "d", nominal({"t"}), 1);
  const Table three = read(text, "d", nominal({"t"}), 3);
  EXPECT_EQ(feature(one, 1), feature(three, 1));
  EXPECT_EQ(one.nominal.words, three.nominal.words);
  const TemporaryFolder folder;
  ReadOptions options = nominal({"t"});
  options.scratch_folder = folder.path().string();
  Context context;
  context.memory = 1 << 20;
  const Table scratch = read_table(bytes_of(text), "d", options, context);
  EXPECT_TRUE(scratch.matrix.mapped);
  EXPECT_EQ(feature(scratch, 1), feature(one, 1));
  EXPECT_EQ(feature(scratch, 0), feature(one, 0));
}

TEST(TextFeatures, AFewOddCellsAreASlip) {
  const std::string rows = "a,b\n1,2\n5,3\n3,4\n4,5\n";
  EXPECT_THAT(error_of(rows + "5,x7\n"),
              StrEq("data.csv: row 6, column 2 ('b'): 'x7' is not a number; features are numbers: correct the cell, or "
                    "leave the column out with --exclude b"));
  EXPECT_THAT(
      error_of(rows + "5,.\n6,.\n"),
      StrEq("data.csv: row 6, column 2 ('b'): '.' is not a number, nor are 1 more cells of the column; add --na=. "
            "if it means that the value is missing"));
  for (const std::string word : {"-", "missing", "Unknown", "#DIV/0!"}) {
    EXPECT_THAT(error_of(rows + "5," + word + "\n"), HasSubstr("--na=")) << word;
  }
}

TEST(TextFeatures, AreDescribedIfAskedFor) {
  ReadOptions options;
  options.describe_text = true;
  const Table table = read(kClinical, "d", options);
  ASSERT_EQ(table.text_features.size(), 2U);
  EXPECT_EQ(table.text_features[1].feature, 2);
  EXPECT_EQ(table.text_features[1].cells, 3);
  EXPECT_EQ(table.text_features[1].missing, 1);
  EXPECT_EQ(table.text_features[1].distinct, 2);
  EXPECT_THAT(table.text_features[1].words, ElementsAre("II", "I"));
  EXPECT_THAT(feature(table, 1), ElementsAre(IsNan(), IsNan(), IsNan(), IsNan()));
  // Of a slip, the odd cells come first.
  EXPECT_EQ(read("a\n1\n2\n3\nx\n", "d", options).text_features[0].words[0], "x");
}

TEST(TextFeatures, ThoseLeftOutAreNotRead) {
  const Table table = read(kClinical, "d", excluding({"s*"}));
  EXPECT_THAT(table.feature_names, ElementsAre("age"));
  EXPECT_THAT(feature(table, 0), ElementsAre(50.0, 60.0, 70.0, 55.0));
  EXPECT_THAT(feature(read("a,b\n1,inf\n2,5\n", "d", excluding({"b"})), 0), ElementsAre(1.0, 2.0));
  EXPECT_THAT(feature(read("s1,1\ns2,2\n", "d", excluding({"f0"})), 0), ElementsAre(1.0, 2.0));
  ReadOptions rows = excluding({"sex"});
  rows.rows = Rows::kFeatures;
  EXPECT_THAT(feature(read("gene,s1,s2\nsex,m,f\ng1,1,2\n", "d", rows), 0), ElementsAre(1.0, 2.0));
  EXPECT_THAT(error_of("a,b\n1,x\n2\n", "d", excluding({"b"})), HasSubstr("row 3: found 1 cell"));
}

TEST(WrongWayRound, IsSuggested) {
  std::string text = ",s1,s2,s3\n";
  for (int k = 0; k < 300; ++k) text += fmt::format("{}{},{},2,3\n", static_cast<char>('A' + k % 26), k, k * 0.5);
  EXPECT_THAT(spelled(read(text).warnings, cli::as_typed), ElementsAre("rows look like features: add --rows features"));
  EXPECT_THAT(error_of("gene,s1,s2\nTP53,1,2\nMYC,3,4\n"), HasSubstr("rows look like features: add --rows features"));
  std::string samples = "id,x1,x2,x3\n";
  for (int k = 0; k < 300; ++k) samples += fmt::format("s{},{},2,3\n", k, k * 0.5);
  EXPECT_THAT(spelled(read(samples).warnings, cli::as_typed), IsEmpty());
  const TemporaryFolder folder;
  folder.write("x.csv", text);
  folder.write("y.csv", "id,y\ns1,1\ns2,2\ns3,3\n");
  ReadOptions options;
  options.target = folder / "y.csv";
  try {
    read_table(folder / "x.csv", options, {});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(cli::spelled(error.what()), testing::EndsWith("rows look like features: add --rows features"));
  }
}

// ------------------------------------------------------------------------------------------------------------- layout

TEST(MissingWords, AreAddedByTheUser) {
  ReadOptions options;
  options.na = {".", "-9", "lost"};
  options.target = "y";
  const Table table = read("a,b,y\n1,.,u\n-9.0,2,v\nlost,3,u\n", "d", options);
  EXPECT_THAT(feature(table, 0), ElementsAre(1.0, IsNan(), IsNan()));
  EXPECT_THAT(feature(table, 1), ElementsAre(IsNan(), 2.0, 3.0));
  EXPECT_THAT(error_of("a,y\n1,u\n2,lost\n", "d", options),
              HasSubstr("row 3, column 2 ('y'): the target has no value"));
  EXPECT_THAT(error_of("a,y\n1,5\n2,-9\n", "d", options), HasSubstr("row 3, column 2 ('y'): the target has no value"));
  options.target = "";
  EXPECT_THAT(read(".,1\n2,3\n", "d", options).feature_names, IsEmpty());
}

TEST(Delimiters, BlanksInAnyNumber) {
  const Table table = read("  id  a   \"b c\"\n p 1  2 \n q  3 4\n", "d.txt");
  EXPECT_THAT(table.sample_ids, ElementsAre("p", "q"));
  EXPECT_THAT(table.feature_names, ElementsAre("a", "b c"));
  EXPECT_THAT(feature(table, 1), ElementsAre(2.0, 4.0));
  EXPECT_THAT(read("a b\r\n1 2\r\n3 4\r\n", "d.txt").feature_names, ElementsAre("a", "b"));
  EXPECT_THAT(read("\"a\" \"b\"\n\"r 1\" 1 2\n\"r 2\" 3 4\n", "d.txt").sample_ids, ElementsAre("r 1", "r 2"));  // R
  std::string ragged = "a b\n";
  for (int i = 0; i < 10; ++i) ragged += "1 2\n";
  EXPECT_THAT(error_of(ragged + "1 2 3\n", "d.txt"), HasSubstr("row 12: found 3 cells, expected 2"));
  // Names of two words under one heading are no columns.
  EXPECT_THAT(error_of("the name\nred wine\nwhite wine\n", "d.txt"), HasSubstr("column 'the name'"));
  EXPECT_THAT(error_of("a b\n1 2\n3 4\n", "d.csv"), HasSubstr("add --delimiter space if blanks separate columns"));
}

TEST(Delimiters, CanBeGiven) {
  ReadOptions options;
  for (const auto& [word, delimiter] : {std::pair{"tab", '\t'},
                                        {"comma", ','},
                                        {"semicolon", ';'},
                                        {"space", ' '},
                                        {"pipe", '|'},
                                        {":", ':'},
                                        {"\t", '\t'}}) {
    options.delimiter = word;
    const std::string d(1, delimiter);
    EXPECT_THAT(read("a" + d + "b\n1" + d + "2\n3" + d + "4\n", "d.csv", options).feature_names, ElementsAre("a", "b"));
  }
  for (const std::string word : {"xx", "\"", "\n", "a", "1", "\xC3\xA4"}) {
    options.delimiter = word;
    EXPECT_THAT(error_of("a,b\n1,2\n", "d", options), HasSubstr("--delimiter ")) << word;
  }
}

TEST(Comments, AtTheTopAreSkipped) {
  const Table table = read("# made on Monday\n#\n## by: me\na,b\n1,2\n3,4\n");
  EXPECT_THAT(table.feature_names, ElementsAre("a", "b"));
  EXPECT_EQ(table.cell(1, 0), "data.csv: row 6, column 1 ('a')");
  EXPECT_THAT(error_of("# x\na,b\n1,2\n3,4\n5,y\n"), HasSubstr("row 5, column 2 ('b')"));
  EXPECT_THAT(error_of("# x\na,b\n1,2\n3\n"), HasSubstr("row 4: found 1 cell, expected 2 as in row 2"));
  EXPECT_THAT(read("# x\n\"a\nb\",c\n1,2\n3,4\n").cell(0, 0), HasSubstr("row 4, column 1"));
  EXPECT_THAT(error_of("a,b\n1,2\n#3,4\n"), HasSubstr("'#3' is not a number"));
  EXPECT_THAT(error_of("# a\n#b\n"), HasSubstr("comments (#) only"));
}

TEST(Comments, TheLastMayBeTheHeader) {
  EXPECT_THAT(read("##v1\n#gene\ts1\ts2\nTP53\t1\t2\n", "d", features_in_rows()).sample_ids, ElementsAre("s1", "s2"));
  EXPECT_THAT(read("# a,b\n1,2\n3,4\n").feature_names, ElementsAre("a", "b"));  // numpy.savetxt
  EXPECT_THAT(read("#id,sex\np,m\nq,f\n", "d", nominal({"sex"})).sample_ids, ElementsAre("p", "q"));
  EXPECT_THAT(read("# one, two\na,b\n1,2\n3,4\n").feature_names, ElementsAre("a", "b"));
  EXPECT_THAT(read("# a b c\n1,2\n3,4\n").feature_names, IsEmpty());
}

TEST(Excel, SaysItsDelimiter) {
  for (const std::string line : {"sep=|", "SEP=|", "\"sep=|\"", "sep=|\r"}) {
    const Table table = read(line + "\na,1|b\n1|2\n3|4\n");
    EXPECT_THAT(table.feature_names, ElementsAre("a,1", "b")) << line;
    EXPECT_EQ(table.cell(0, 0), "data.csv: row 3, column 1 ('a,1')");
  }
}

TEST(DecimalComma, IsFoundBetweenSemicolons) {
  ReadOptions options;
  options.target = "y";
  const Table table = read("a;b;y\n1;2;1,5\n-1,5;NA;2\n3e2;0,25;4\n", "d", options);
  EXPECT_THAT(feature(table, 0), ElementsAre(1.0, -1.5, 300.0));
  EXPECT_THAT(feature(table, 1), ElementsAre(2.0, IsNan(), 0.25));
  EXPECT_THAT(table.target->numbers, ElementsAre(1.5, 2.0, 4.0));
  EXPECT_THAT(read("1,5;2,5\n3;4\n").feature_names, IsEmpty());
  EXPECT_THAT(error_of("a;b\n1,5;2\n1.5;4\n"), HasSubstr("row 3, column 1 ('a'): '1.5' has a point"));
  EXPECT_THAT(error_of("a;b\n1,5;2\n1.234,5;4\n"), HasSubstr("'1.234,5' is not a number"));
  EXPECT_THAT(feature(read("id;a\nx, y;1.5\nz;2.5\n"), 0), ElementsAre(1.5, 2.5));  // commas in words mean nothing
}

TEST(Gct, HasFeaturesInRows) {
  const std::string text =
      "#1.2\n2\t3\nName\tDescription\ts1\ts2\ts3\nENSG1\tTP53, human\t1\t2\t3\nENSG2\t\t4\tNA\t6\n";
  for (const std::string& content : {text, gzip(text)}) {
    const Table table = read(content, "x.gct");
    EXPECT_TRUE(table.layout.rows_are_features);
    EXPECT_THAT(table.feature_names, ElementsAre("ENSG1", "ENSG2"));
    EXPECT_THAT(table.sample_ids, ElementsAre("s1", "s2", "s3"));
    EXPECT_THAT(feature(table, 1), ElementsAre(4.0, IsNan(), 6.0));
    EXPECT_EQ(table.cell(2, 1), "x.gct: row 5 ('ENSG2'), column 5");
  }
  ReadOptions options;
  options.id_column = "Description";
  EXPECT_EQ(read(text, "x.gct", options).feature_names[0], "TP53, human");
  options = {};
  options.target = "ENSG2";
  EXPECT_THAT(error_of(text, "x.gct", options), HasSubstr("row 5 ('ENSG2'), column 4: the target has no value"));
  EXPECT_THAT(error_of("#1.2\n3\t3" + text.substr(8), "x.gct"), HasSubstr("row 2 says 3 features and 3 samples"));
  EXPECT_THAT(error_of("#1.2\nx\t3" + text.substr(8), "x.gct"), HasSubstr("row 2: 'x\\t3' where GCT has"));
}

TEST(Gct, AFieldOfSamplesCanBeTheTarget) {
  const std::string text =
      "#1."
      "3\n2\t3\t1\t2\nid\tsymbol\ts1\ts2\ts3\nage\tna\t50\t60\t70\ndisease\tna\tA\tB\tA\nE1\tTP53\t1\t2\t3\nE2\tMYC\t4"
      "\t5\t6\n";
  ReadOptions options;
  options.target = "disease";
  const Table table = read(text, "x.gct", options);
  EXPECT_THAT(table.target->text, ElementsAre("A", "B", "A"));
  EXPECT_THAT(table.feature_names, ElementsAre("E1", "E2"));
  EXPECT_THAT(feature(table, 1), ElementsAre(4.0, 5.0, 6.0));
  EXPECT_EQ(table.cell(0, 0), "x.gct: row 6 ('E1'), column 3");
  EXPECT_THAT(read(text, "x.gct").feature_names, ElementsAre("E1", "E2"));
  options.target = "E1";
  EXPECT_THAT(feature(read(text, "x.gct", options), 0), ElementsAre(4.0, 5.0, 6.0));
}

// -------------------------------------------------------------------------------------------------------------- names

std::string strings(const std::vector<std::u32string>& words) {
  return npy("<U3", false, {static_cast<std::int64_t>(words.size())}, utf32(words, 3));
}

TEST(Names, OfAnArchive) {
  const std::string x = npy("<f8", false, {2, 3}, raw(std::vector<double>{0, 1, 2, 3, 4, 5}));
  for (const std::string key : {"feature_names", "features", "names", "columns", "var_names"}) {
    EXPECT_THAT(read(npz({{"X.npy", x}, {key + ".npy", strings({U"a", U"b", U"c"})}}, true), "x.npz").feature_names,
                ElementsAre("a", "b", "c"));
  }
  for (const std::string key : {"sample_names", "samples", "ids", "obs_names", "index"}) {
    const Table table = read(npz({{"X.npy", x}, {key + ".npy", npy("|S2", false, {2}, "p1p2")}}, false), "x.npz");
    EXPECT_THAT(table.sample_ids, ElementsAre("p1", "p2"));
    EXPECT_EQ(table.id_column_name, key);
  }
  const std::string named = npz({{"X.npy", x}, {"names.npy", strings({U"a", U"b", U"c"})}}, true);
  ReadOptions options;
  options.target = "b";
  const Table table = read(named, "x.npz", options);
  EXPECT_EQ(table.target->name, "b");
  EXPECT_THAT(table.target->numbers, ElementsAre(1.0, 4.0));
  EXPECT_THAT(table.feature_names, ElementsAre("a", "c"));
  EXPECT_THAT(feature(table, 1), ElementsAre(2.0, 5.0));
  options.target = "bb";
  EXPECT_THAT(error_of(named, "x.npz", options), HasSubstr("did you mean 'b'"));
  EXPECT_THAT(error_of(npz({{"X.npy", x}, {"names.npy", strings({U"a", U"b"})}}, true), "x.npz"),
              HasSubstr("x.npz['names']: 2 names for 3 features"));
  EXPECT_THAT(error_of(npz({{"X.npy", x}, {"ids.npy", strings({U"a"})}}, true), "x.npz"),
              HasSubstr("x.npz['ids']: 1 ids for 2 samples"));
  EXPECT_THAT(error_of(npz({{"X.npy", x}, {"feature_names.npy", npy("|O", false, {3}, "pickle")}}, true), "x.npz"),
              AllOf(HasSubstr("x.npz['feature_names']"), HasSubstr("object")));
  // Numbers under such a key are something else.
  EXPECT_THAT(
      read(npz({{"X.npy", x}, {"index.npy", npy("<i8", false, {1}, raw(std::vector<std::int64_t>{7}))}}, true), "x.npz")
          .sample_ids,
      IsEmpty());
}

TEST(Names, OfAFile) {
  const TemporaryFolder folder;
  folder.write("names.txt", "a\nb\r\nc\n\n");
  ReadOptions options;
  options.names = folder / "names.txt";
  const std::string x = npy("<f8", false, {2, 3}, raw(std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_THAT(read(x, "x.npy", options).feature_names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(read("1,2,3\n4,5,6\n", "d", options).feature_names, ElementsAre("a", "b", "c"));
  EXPECT_EQ(read("1 1:1 3:2\n2 2:5\n", "d.svm", options).feature_name(2), "c");
  options.target = "c";
  EXPECT_THAT(read(x, "x.npy", options).feature_names, ElementsAre("a", "b"));
  options.target = "";
  EXPECT_THAT(error_of("1,2\n4,5\n", "d", options), HasSubstr("names.txt: 3 names for 2 features of d"));
  EXPECT_THAT(error_of("x,y,z\n4,5,6\n", "d", options), HasSubstr("has names of its own"));
  folder.write("names.txt.gz", gzip("a\nb\nc\n"));
  options.names = folder / "names.txt.gz";
  EXPECT_THAT(read(x, "x.npy", options).feature_names, ElementsAre("a", "b", "c"));
}

TEST(Names, ThatRepeatAreWarnedOfOnce) {
  EXPECT_THAT(spelled(read("a,b,a,b,b\n5,2,3,4,5\n4,5,6,7,8\n").warnings, cli::as_typed),
              ElementsAre("3 features have the name of an earlier one: features 0 and 2 are both called 'a'; tell them "
                          "apart by their numbers"));
  EXPECT_THAT(spelled(read("gene,s1,s2\nA,1,2\nA,3,4\n", "d", features_in_rows()).warnings, cli::as_typed),
              ElementsAre(HasSubstr("1 feature has the name")));
  EXPECT_THAT(spelled(read("a,,b,\n5,2,3,4\n4,5,6,7\n").warnings, cli::as_typed), IsEmpty());
}

}  // namespace
}  // namespace land::test
