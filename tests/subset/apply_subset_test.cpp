#include "land/subset/apply_subset.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "cli/spelling.h"
#include "land/results/spelled.h"
#include "tests/formats/sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kTable = "id,g1,g2,h1,y\np,1,1,NA,0\nq,1,2,5,1\nr,2,3,5,0\ns,2,4,6,1\nt,2,5,7,1\n";

// The tests' read() applies the subset, as the program does.
Table subset_of(const std::string& content, const ReadOptions& options) { return read(content, "data.csv", options); }

std::string subset_error(const std::string& content, const ReadOptions& options) {
  try {
    subset_of(content, options);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

std::vector<std::string> left_out(const Table& table) {
  std::vector<std::string> words;
  for (const LeftOut& one : table.left_out) words.push_back(cli::spelled(in_words(one)));
  return words;
}

NamePatterns patterns(const char* option, const std::vector<std::string>& words) { return {option, words}; }

TEST(ApplySubset, FeaturesByNameAndPatternKeepTheirNumbers) {
  ReadOptions options;
  options.target = "y";
  options.choice.exclude = patterns("exclude", {"h*", "g1"});
  const Table table = subset_of(kTable, options);
  EXPECT_THAT(table.feature_names, ElementsAre("g2"));
  EXPECT_EQ(table.feature_numbers[0], 1);
  EXPECT_THAT(feature(table, 0), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(left_out(table), ElementsAre("left out 2 features by --exclude"));
  EXPECT_EQ(table.cell(2, 0), "data.csv: row 4, column 3 ('g2')");

  options.choice.exclude = {};
  options.choice.include = patterns("include", {"g?", "h1"});
  options.choice.exclude = patterns("exclude", {"g2"});
  EXPECT_THAT(subset_of(kTable, options).feature_names, ElementsAre("g1", "h1"));
}

TEST(ApplySubset, AMissingTargetIsNamedOfASampleThatIsUsed) {
  const char* const gaps = "id,g1,g2,y\np,1,1,\nq,1,2,1\nr,2,3,\ns,2,4,1\nt,2,5,0\n";
  ReadOptions options;
  options.target = "y";
  EXPECT_THAT(subset_error(gaps, options),
              HasSubstr("data.csv: row 2, column 4 ('y'): the target has no value here, nor for"));
  options.subset.exclude_samples = patterns("exclude-samples", {"p"});
  EXPECT_THAT(subset_error(gaps, options),
              HasSubstr("data.csv: sample 'r': the target has no value here; give it one"));
}

TEST(ApplySubset, AWordThatMeansNothingIsAMistakeUnlessItStandsInAFile) {
  ReadOptions options;
  options.choice.exclude = patterns("exclude", {"g3"});
  EXPECT_EQ(subset_error(kTable, options), "data.csv: --exclude 'g3': no such feature; did you mean 'g1', 'g2'?");
  // What is no feature anyway does no harm.
  options.target = "y";
  options.choice.exclude = patterns("exclude", {"id", "y", "h1"});
  EXPECT_THAT(subset_of(kTable, options).feature_names, ElementsAre("g1", "g2"));
  options.target = "";
  // Nor does a word that another has covered.
  options.choice.exclude = patterns("exclude", {"g1", "g1", "g*", "g2"});
  EXPECT_THAT(subset_of(kTable, options).feature_names, ElementsAre("h1", "y"));
  options.choice.include = patterns("include", {"g1"});
  options.choice.exclude = patterns("exclude", {"h1"});
  EXPECT_THAT(subset_of(kTable, options).feature_names, ElementsAre("g1"));
  options.choice = {};
  const TemporaryFolder folder;
  options.choice.exclude = patterns("exclude", {"@" + folder.write("list.txt", "g1\r\n\ng3\n")});
  const Table table = subset_of(kTable, options);
  EXPECT_THAT(table.feature_names, ElementsAre("g2", "h1", "y"));
  EXPECT_THAT(spelled(table.warnings, cli::as_typed),
              ElementsAre("--exclude: 1 of 2 names are not features of data.csv, the first 'g3'"));
  options.choice.exclude = patterns("exclude", {"*"});
  EXPECT_THAT(subset_error(kTable, options), HasSubstr("no feature is left of 4: --exclude leaves out all of them"));
}

TEST(ApplySubset, SamplesByTheirIds) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.target = "y";
  options.subset.samples = patterns("samples", {"@" + folder.write("keep", "t\nq\nr\nz\n")});
  options.subset.exclude_samples = patterns("exclude-samples", {"@" + folder.write("remove", "r\n")});
  const Table table = subset_of(kTable, options);
  EXPECT_THAT(table.sample_ids, ElementsAre("q", "t"));
  EXPECT_THAT(table.target->numbers, ElementsAre(1, 1));
  EXPECT_THAT(feature(table, 1), ElementsAre(2, 5));
  EXPECT_THAT(left_out(table),
              ElementsAre("left out 2 samples not listed in --samples", "left out 1 sample by --exclude-samples"));
  EXPECT_THAT(spelled(table.warnings, cli::as_typed),
              ElementsAre("--samples: 3 of 4 ids are samples of data.csv; 'z' is not"));
  EXPECT_EQ(table.cell(1, 1), "data.csv: row 6, column 3 ('g2')");

  // Ids are taken as they stand.
  ReadOptions literal;
  literal.subset.exclude_samples =
      NamePatterns::names_in("exclude-samples", folder.write("one", "\xEF\xBB\xBFS[1] \n"), {});
  EXPECT_THAT(subset_of("id,a\nS1,1\nS[1],2\nS2,3\n", literal).sample_ids, ElementsAre("S1", "S2"));
  options.subset.samples = patterns("samples", {"@" + folder.write("none", "A\nB\n")});
  EXPECT_THAT(subset_error(kTable, options), HasSubstr("none of its 2 ids is a sample of data.csv"));
  EXPECT_THAT(subset_error("a,y\n1,2\n3,4\n", options), HasSubstr("the table has no sample ids"));
}

TEST(ApplySubset, SamplesByNumberWhereThereAreNoIds) {
  const TemporaryFolder folder;
  const std::string text = "a,y\n1,2\n3,4\n5,6\n7,8\n";
  ReadOptions options;
  options.target = "y";
  options.subset.samples = NamePatterns::names_in("samples", folder.write("keep", "3\n0\n2\n"), {});
  options.subset.exclude_samples = NamePatterns::names_in("exclude-samples", folder.write("drop", "2\n"), {});
  const Table table = subset_of(text, options);
  EXPECT_THAT(feature(table, 0), ElementsAre(1, 7));
  EXPECT_THAT(table.target->numbers, ElementsAre(2, 8));
  EXPECT_THAT(left_out(table),
              ElementsAre("left out 1 sample not listed in --samples", "left out 1 sample by --exclude-samples"));
  for (const char* word : {"4", "-1", "1.0", "s1"}) {
    options.subset.samples = NamePatterns::names_in("samples", folder.write("keep", std::string("1\n") + word), {});
    EXPECT_EQ(spell(subset_error(text, options), cli::as_typed),
              fmt::format("data.csv: --samples: '{}' is no number from 0 to 3, and the table has no sample ids; name "
                          "their column with --id",
                          word));
  }
}

TEST(ApplySubset, FeaturesByTheirValues) {
  ReadOptions options;
  options.target = "y";
  options.subset.min_distinct = 3;
  EXPECT_THAT(subset_of(kTable, options).feature_names, ElementsAre("g2", "h1"));
  options.subset.min_distinct = 4;
  const Table few = subset_of(kTable, options);
  EXPECT_THAT(few.feature_names, ElementsAre("g2"));
  EXPECT_THAT(left_out(few), ElementsAre("left out 2 features by --min-distinct"));
  options.subset = {};
  options.subset.drop_missing_features = true;
  const Table whole = subset_of(kTable, options);
  EXPECT_THAT(whole.feature_names, ElementsAre("g1", "g2"));
  EXPECT_THAT(left_out(whole), ElementsAre("left out 1 feature that lack values"));
  options.subset = {};
  options.subset.geno = 0.1;
  EXPECT_THAT(subset_of(kTable, options).feature_names, ElementsAre("g1", "g2"));
  options.subset.geno = 0.2;  // is not beyond itself
  EXPECT_EQ(subset_of(kTable, options).features(), 3);
  options.subset = {};
  options.subset.mind = 0.3;
  EXPECT_THAT(subset_of(kTable, options).sample_ids, ElementsAre("q", "r", "s", "t"));
  options.subset.maf = 0.1;
  EXPECT_THAT(subset_error(kTable, options), HasSubstr("--maf: feature 'g1' is no genotype"));
  options.subset.maf = 0.7;
  EXPECT_THAT(subset_error(kTable, options), HasSubstr("--maf 0.7: give a share between 0 and 0.5"));
}

TEST(ApplySubset, ArraysOfEitherOrderAndWithATargetInThem) {
  for (const bool fortran : {false, true}) {
    ReadOptions options;
    options.target = "1";
    options.choice.exclude = patterns("exclude", {"f0"});
    options.subset.drop_missing_target = true;
    const std::string values = fortran ? raw(std::vector<float>{1, 4, 7, 10, 2, 5, NAN, 11, 3, 6, 9, 12})
                                       : raw(std::vector<float>{1, 2, 3, 4, 5, 6, 7, NAN, 9, 10, 11, 12});
    const Table table = read(npy("<f4", fortran, {4, 3}, values), "x.npy", options);
    EXPECT_EQ(table.features(), 1);
    EXPECT_THAT(table.target->numbers, ElementsAre(2, 5, 11));
    EXPECT_THAT(feature(table, 0), ElementsAre(3, 6, 12));
    EXPECT_EQ(table.feature_name(0), "f1");
    EXPECT_EQ(table.cell(2, 0), "x.npy: row 3, column 2 (counted from 0)");
  }
}

// PLINK's filters from the definitions.
struct Cohort {
  std::vector<std::vector<int>> calls;  // [snp][sample], -1: missing
  std::vector<bool> founders;
};

Cohort made_up_cohort() {
  Cohort cohort;
  const std::size_t samples = 23;
  std::uint32_t state = 7;
  const auto random = [&state] { return state = state * 1664525U + 1013904223U, state >> 16U; };
  for (std::size_t i = 0; i < samples; ++i) cohort.founders.push_back(i % 4 != 1);
  for (std::size_t k = 0; k < 60; ++k) {
    std::vector<int>& snp = cohort.calls.emplace_back();
    for (std::size_t i = 0; i < samples; ++i) {
      const bool missing = random() % 100 < (k % 5 == 0 ? 30 : 3) || (i == 6 && random() % 2 == 0);
      snp.push_back(missing ? -1 : random() % 100 < k ? static_cast<int>(random() % 3) : 0);
    }
  }
  return cohort;
}

std::string bed_of(const Cohort& cohort) {
  std::string bed = "\x6C\x1B\x01";
  for (const std::vector<int>& snp : cohort.calls) {
    std::string packed((snp.size() + 3) / 4, '\0');
    for (std::size_t i = 0; i < snp.size(); ++i) {
      const std::map<int, unsigned> bits = {{2, 0}, {-1, 1}, {1, 2}, {0, 3}};
      packed[i / 4] = static_cast<char>(static_cast<unsigned char>(packed[i / 4]) | bits.at(snp[i]) << (2 * (i % 4)));
    }
    bed += packed;
  }
  return bed;
}

TEST(ApplySubset, GenotypesByPlinksRules) {
  const Cohort cohort = made_up_cohort();
  const double mind = 0.2;
  const double geno = 0.1;
  const double maf = 0.05;
  // Samples first, then SNPs over the samples that are left, frequencies over their founders.
  std::vector<std::string> ids;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < cohort.founders.size(); ++i) {
    int missing = 0;
    for (const std::vector<int>& snp : cohort.calls) missing += snp[i] < 0 ? 1 : 0;
    if (missing > mind * static_cast<double>(cohort.calls.size())) continue;
    kept.push_back(i);
    ids.push_back("i" + std::to_string(i));
  }
  std::vector<std::string> names;
  std::int64_t by_geno = 0;
  for (std::size_t k = 0; k < cohort.calls.size(); ++k) {
    int missing = 0;
    int alleles = 0;
    int first = 0;
    for (const std::size_t i : kept) {
      const int call = cohort.calls[k][i];
      missing += call < 0 ? 1 : 0;
      if (call < 0 || !cohort.founders[i]) continue;
      alleles += 2;
      first += call;
    }
    if (missing > geno * static_cast<double>(kept.size())) {
      ++by_geno;
      continue;
    }
    const double frequency = static_cast<double>(first) / alleles;
    if (std::min(frequency, 1.0 - frequency) >= maf) names.push_back("rs" + std::to_string(k));
  }
  ASSERT_LT(kept.size(), cohort.founders.size());
  ASSERT_GT(by_geno, 0);
  ASSERT_LT(static_cast<std::int64_t>(names.size()) + by_geno, std::ssize(cohort.calls));
  ASSERT_FALSE(names.empty());

  const TemporaryFolder folder;
  std::string bim;
  for (std::size_t k = 0; k < cohort.calls.size(); ++k) bim += "1 rs" + std::to_string(k) + " 0 1 A G\n";
  std::string fam;
  for (std::size_t i = 0; i < cohort.founders.size(); ++i) {
    fam +=
        "F i" + std::to_string(i) + (cohort.founders[i] ? " 0 0" : " i0 0") + " 1 " + std::to_string(1 + i % 2) + "\n";
  }
  folder.write("x.bim", bim);
  folder.write("x.fam", fam);
  ReadOptions options;
  options.subset.mind = mind;
  options.subset.geno = geno;
  options.subset.maf = maf;
  const std::string path = folder.write("x.bed", bed_of(cohort));
  for (const int threads : {1, 3}) {
    Context context;
    context.threads = threads;
    Table table = read_table(path, options, context);
    apply_subset(table, options, context);
    EXPECT_EQ(table.sample_ids, ids);
    EXPECT_EQ(table.feature_names, names);
    EXPECT_EQ(cli::spelled(table.left_out.at(1).reason), "by --geno");
    EXPECT_EQ(table.left_out.at(1).count, by_geno);
  }
}

}  // namespace
}  // namespace land::test
