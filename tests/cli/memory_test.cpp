// --memory bounds the whole program, pages of mapped files included, and changes nothing else.
#include <gmock/gmock.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"
#include "tests/support/sanitized.h"

namespace land::test {
namespace {

using testing::HasSubstr;

using Words = std::vector<std::string>;

constexpr std::int64_t kMegabyte = 1 << 20;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Runs with and without a limit that the data exceeds by far.
void expect_same_within(const TemporaryFolder& folder, const Words& words, std::int64_t megabytes) {
  const Finished free = run_land(folder, words);
  ASSERT_EQ(free.exit_code, 0) << free.err;
  const Finished limited = run_land(folder, words + Words{"--memory", std::to_string(megabytes) + "M"});
  ASSERT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_EQ(limited.out, free.out);
  EXPECT_LE(static_cast<double>(limited.peak_bytes), 1.1 * static_cast<double>(megabytes * kMegabyte)) << words[1];
  // So that the test would notice if nothing were bounded.
  EXPECT_GT(static_cast<double>(free.peak_bytes), 1.3 * static_cast<double>(megabytes * kMegabyte)) << words[1];
}

class Memory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  }
  void generate(const Words& words) {
    const Finished made = run_land(folder_, Words{"generate", "table"} + words);
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  TemporaryFolder folder_;
};

TEST_F(Memory, OfArraysAndStoresIsBounded) {
  generate({"x.npy", "--features", "100000", "--samples", "500"});
  expect_same_within(folder_, {"select", "x.npy", "--target", "x.y.npy", "-q", "-m", "20"}, 96);
  ASSERT_EQ(run_land(folder_, {"convert", "x.npy", "x.h5", "--target", "x.y.npy", "-q"}).exit_code, 0);
  expect_same_within(folder_, {"select", "x.h5", "-q", "-m", "20"}, 96);
}

TEST_F(Memory, OfFeatureMajorArraysIsBounded) {
  // Rows are taken for features.
  generate({"x.npy", "--features", "1000", "--samples", "50000", "--quiet"});
  std::string target;
  for (int i = 0; i < 1000; ++i) target += i % 3 == 0 ? "a\n" : "b\n";
  folder_.write("y.txt", target);
  expect_same_within(folder_, {"select", "x.npy", "--rows", "features", "--target", "y.txt", "-q", "-m", "10"}, 96);
}

TEST_F(Memory, OfScoresIsBounded) {
  generate({"x.npy", "--features", "100000", "--samples", "500"});
  const Words words = {"score", "x.npy", "--target", "x.y.npy", "-q"};
  ASSERT_EQ(run_land(folder_, words + Words{"-o", "free.scores"}).exit_code, 0);
  const Finished limited = run_land(folder_, words + Words{"-o", "limited.scores", "--memory", "64M"});
  ASSERT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_EQ(read_text(folder_ / "limited.scores"), read_text(folder_ / "free.scores"));
  EXPECT_LE(static_cast<double>(limited.peak_bytes), 1.1 * 64 * kMegabyte);
}

TEST_F(Memory, OfTextIsBounded) {
  generate({"x.csv", "--features", "20000", "--samples", "300"});
  expect_same_within(folder_, {"select", "x.csv", "--target", "Y", "-q", "-m", "10"}, 72);
}

// A header of .npy and values that `value(sample, feature)` gives, as float32.
template <class Value>
std::string npy(int samples, int features, const Value& value) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(samples) + ", " +
                       std::to_string(features) + "), }";
  header.resize((header.size() + 11) / 64 * 64 + 53, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFFU);
  bytes += static_cast<char>(header.size() >> 8U);
  bytes += header;
  for (int i = 0; i < samples; ++i) {
    for (int k = 0; k < features; ++k) {
      const auto x = static_cast<float>(value(i, k));
      bytes.append(reinterpret_cast<const char*>(&x), sizeof(x));
    }
  }
  return bytes;
}

std::string labels(int samples) {
  std::string text;
  for (int i = 0; i < samples; ++i) text += i % 2 == 0 ? "a\n" : "b\n";
  return text;
}

// 12 binary samples: 2,048 features that differ, and all others repeat or mirror them.
TEST_F(Memory, OfTiesAndCopiesIsBounded) {
  std::mt19937 random(1);
  folder_.write("x.npy", npy(12, 100'000, [&](int, int) { return random() % 2; }));
  folder_.write("y.txt", labels(12));
  const Finished limited = run_land(folder_, {"select", "x.npy", "--target", "y.txt", "-q", "--memory", "48M"});
  ASSERT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_LE(static_cast<double>(limited.peak_bytes), 1.1 * 48 * kMegabyte);
  EXPECT_EQ(limited.out, run_land(folder_, {"select", "x.npy", "--target", "y.txt", "-q"}).out);
}

// Few levels and few samples: hardly a feature is like another, and all are touched.
TEST_F(Memory, OfFeaturesThatAllMatterIsBoundedOrRefused) {
  std::mt19937 random(1);
  folder_.write("x.npy", npy(24, 20'000, [&](int i, int) { return random() % 3 + (i % 2) * (random() % 2); }));
  folder_.write("y.txt", labels(24));
  const Words words = {"select", "x.npy", "--target", "y.txt", "-q", "-m", "50"};
  const Finished free = run_land(folder_, words);
  ASSERT_EQ(free.exit_code, 0) << free.err;
  int kept = 0;
  int refused = 0;
  for (const int megabytes : {30, 36, 48, 64, 96}) {
    const Finished limited = run_land(folder_, words + Words{"--memory", std::to_string(megabytes) + "M"});
    EXPECT_LE(static_cast<double>(limited.peak_bytes), 1.1 * megabytes * kMegabyte) << megabytes;
    if (limited.exit_code == 0) {
      EXPECT_EQ(limited.out, free.out);
      ++kept;
    } else {
      EXPECT_EQ(limited.exit_code, 2);
      EXPECT_TRUE(is_one_complaint(limited.err)) << limited.err;
      EXPECT_THAT(limited.err, HasSubstr("too little"));
      ++refused;
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(refused, 0);
}

// A factor of 200,000 samples takes 27 MB. Without a limit a few are held, not those of all features.
TEST_F(Memory, OfTallTablesIsBounded) {
  generate({"x.npy", "--features", "30", "--samples", "300000"});
  expect_same_within(folder_, {"select", "x.npy", "--target", "x.y.npy", "-q", "-m", "3"}, 120);
}

TEST_F(Memory, ThatIsTooLittleIsRefused) {
  generate({"x.npy", "--features", "1000", "--samples", "500"});
  const Finished run = run_land(folder_, {"select", "x.npy", "--target", "x.y.npy", "--memory", "4M"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  EXPECT_THAT(run.err, HasSubstr("--memory 4M: too little for 1000 features x 500 samples; give at least "));
}

}  // namespace
}  // namespace land::test
