// --help of the program and of every subcommand: its layout, and its examples, which must run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <utility>

#include "tests/cli/every_command.h"
#include "tests/cli/run_program.h"
#include "tests/formats/sample_files.h"

namespace land {
namespace {

using Words = std::vector<std::string>;
using test::CommandHelp;
using test::Finished;
using test::run_land;
using test::TemporaryFolder;

TEST(Help, IsThereForEverySubcommand) {
  const std::vector<CommandHelp> all = test::every_command();
  EXPECT_GE(all.size(), 12U);
  for (const CommandHelp& help : all) {
    EXPECT_NE(help.text.find("\nUsage: land"), std::string::npos) << help.text;
    EXPECT_NE(help.text.find("\nExamples:\n  land "), std::string::npos) << help.text;
    EXPECT_EQ(help.text.find("\n\n\n"), std::string::npos) << help.text;
    EXPECT_TRUE(help.options.contains("-h") && help.options.contains("--help")) << help.text;
  }
}

TEST(Help, StaysBelowAHundredColumns) {
  for (const CommandHelp& help : test::every_command()) {
    std::istringstream lines(help.text);
    for (std::string line; std::getline(lines, line);) EXPECT_LT(line.size(), 100U) << line;
  }
}

TEST(Help, NamesEveryFormatThatIsRead) {
  for (const CommandHelp& help : test::every_command()) {
    if (help.text.find("\n  DATA ") == std::string::npos) continue;
    for (const char* format :
         {".csv", ".tsv", ".txt", ".gct", ".npy", ".npz", ".bed", ".svm", ".libsvm", ".mtx", ".h5", ".gz"}) {
      EXPECT_NE(help.text.find(format), std::string::npos) << format << " in\n" << help.text;
    }
  }
}

// The files that the examples read.
void write_inputs(const TemporaryFolder& folder) {
  constexpr int kSamples = 40;
  const auto value = [](int i, int j) { return std::to_string((i * 7 + j * 13 + i * i * j) % 31); };
  std::string genes = "TP53,BRCA1,MYC,disease\n";
  std::string data = "a,b,c,y\n";
  std::string expression = "gene";
  std::string phenotype = "id\tphenotype\n";
  std::string clinical = "id,age,batch\n";
  for (int i = 0; i < kSamples; ++i) {
    const std::string row = value(i, 1) + "," + value(i, 2) + "," + value(i, 3) + ",";
    genes += row + (i % 2 == 0 ? "yes\n" : "no\n");
    data += row + value(i, 4) + ".5\n";
    expression += "\tS" + std::to_string(i);
    clinical += "S" + std::to_string(i) + "," + value(i, 5) + (i / 2 % 2 == 0 ? ",A\n" : ",B\n");
    phenotype += "S" + std::to_string(i) + "\t" + std::to_string(i % 2) + "\n";
  }
  for (const char* gene : {"TP53", "BRCA1", "MYC"}) {
    expression += std::string("\n") + gene;
    for (int i = 0; i < kSamples; ++i) expression += "\t" + value(i, gene[0]);
  }
  folder.write("genes.csv", genes);
  folder.write("data.csv", data);
  folder.write("expression.tsv.gz", test::gzip(expression + "\n"));
  folder.write("phenotype.tsv", phenotype);
  folder.write("clinical.csv", clinical);
  std::string survival = "PATIENT_ID\tage\tstage\tOS_STATUS\tOS_MONTHS\n";
  for (int i = 0; i < kSamples; ++i) {
    survival += "S" + std::to_string(i) + "\t" + value(i, 5) + ".5\t" + (i % 3 == 0 ? "I" : "II") + "\t" +
                (i % 4 == 0 ? "0:LIVING" : "1:DECEASED") + "\t" + value(i, 6) + "\n";
  }
  folder.write("clinical.tsv", survival);
  const std::string graphs = "2\n3 1\n5 1 1\n7 2 0 2\n9 1 1\n2 0\n5 1 1\n5 1 0\n";
  folder.write("proteins.txt", graphs);
  folder.write("proteins.txt.gz", test::gzip(graphs));
  for (const char* name : {"X", "big"}) {
    const Finished made = run_land(folder, {"generate", "table", name + std::string(".npy"), "--features", "50",
                                            "--samples", "40", "--regression"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  std::filesystem::copy_file(folder / "X.y.npy", folder / "y.npy");
  folder.write(
      "data.npz",
      test::npz({{"X.npy", test::read_text(folder / "X.npy")}, {"y.npy", test::read_text(folder / "y.npy")}}, true));
}

// Tables of gigabytes are made small.
std::string smaller(const std::string& word) {
  const bool number =
      !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number && word.size() > 3 ? "400" : word;
}

TEST(Help, HasExamplesThatRun) {
  const TemporaryFolder folder;
  write_inputs(folder);
  int count = 0;
  for (const CommandHelp& help : test::every_command()) {
    std::istringstream lines(help.text.substr(help.text.find("\nExamples:\n")));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  land ")) continue;
      line = line.substr(7, line.find("  ", 7) - 7);  // what follows two blanks says what it does
      std::istringstream split(line.substr(0, line.find(" > ")));
      Words words;
      for (std::string word; split >> word;) words.push_back(smaller(word));
      const Finished run = run_land(folder, words);
      EXPECT_EQ(run.exit_code, 0) << "land " << line << "\n" << run.err;
      ++count;
    }
  }
  EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace land
