// land convert stays within --memory, mapped pages included, whatever it reads.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "tests/cli/run_program.h"
#include "tests/formats/sample_files.h"
#include "tests/support/sanitized.h"

namespace land::test {
namespace {

using Words = std::vector<std::string>;

constexpr std::int64_t kBudget = std::int64_t{64} << 20;

class ConvertMemory : public testing::Test {
 protected:
  // Converts, once within the budget and once without thinking of it: the selections must be the same.
  void check(const std::string& data, const Words& options) {
    const auto convert = [&](const std::string& store, const std::string& memory) {
      Words words = {"convert", data, store, "-q", "--memory", memory};
      words.insert(words.end(), options.begin(), options.end());
      std::int64_t peak = 0;
      EXPECT_EQ(wait_for(start_land(folder_.path(), words, folder_ / "out", folder_ / "err"), &peak), 0)
          << read_text(folder_ / "err");
      return peak;
    };
    const std::int64_t peak = convert("bounded.h5", std::to_string(kBudget));
    const std::int64_t unbounded = convert("free.h5", "64G");
    std::printf("%s: %.0f MB within %.0f MB, %.0f MB without a limit\n", data.c_str(), static_cast<double>(peak) * 1e-6,
                static_cast<double>(kBudget) * 1e-6, static_cast<double>(unbounded) * 1e-6);
    if (!kSanitized) {
      EXPECT_LE(peak, kBudget + kBudget / 10);
    }
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(folder_ / data));
    EXPECT_GT(std::max(size, unbounded), 2 * kBudget) << "too small a table to show anything";
    const Finished bounded = run_land(folder_, {"select", "bounded.h5", "-m", "5", "-q"});
    EXPECT_EQ(bounded.exit_code, 0) << bounded.err;
    EXPECT_EQ(bounded.out, run_land(folder_, {"select", "free.h5", "-m", "5", "-q"}).out);
  }

  void generate(const std::string& name, const std::string& features, const std::string& samples) {
    ASSERT_EQ(
        run_land(folder_, {"generate", "table", name, "--features", features, "--samples", samples, "-q"}).exit_code,
        0);
  }

  // Calls write(sample, feature, value) for a few thousand features of every sample, and end(sample).
  template <class Write, class End>
  void sparse(const Write& write, const End& end) {
    std::mt19937 random(1);
    for (int i = 0; i < kSamples; ++i) {
      for (int j = 1 + static_cast<int>(random() % 15); j <= kFeatures; j += 1 + static_cast<int>(random() % 15)) {
        write(i, j, 1 + static_cast<int>(random() % 9) + (j % 1000 == 0 ? i % 2 * 3 : 0));
      }
      end(i);
    }
  }

  static constexpr int kSamples = 4000;
  static constexpr int kFeatures = 20000;
  TemporaryFolder folder_;
};

TEST_F(ConvertMemory, OfArraysBySample) {
  generate("x.npy", "10000", "5000");
  check("x.npy", {"--target", "x.y.npy"});
}

TEST_F(ConvertMemory, OfArraysByFeature) {
  generate("y.npy", "10000", "5000");
  check("y.npy", {"--rows", "features", "--target", "0"});
}

TEST_F(ConvertMemory, OfText) {
  generate("x.csv", "3000", "5000");
  check("x.csv", {"--target", "Y"});
}

TEST_F(ConvertMemory, OfTextByFeature) {
  generate("x.tsv", "3000", "5000");
  check("x.tsv", {"--rows", "features", "--target", "1"});
}

TEST_F(ConvertMemory, OfCompressedText) {
  generate("x.csv", "2000", "5000");
  const gzFile out = ::gzopen((folder_ / "x.csv.gz").c_str(), "wb1");
  std::ifstream in(folder_ / "x.csv", std::ios::binary);
  std::vector<char> buffer(1 << 20);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
    ASSERT_GT(::gzwrite(out, buffer.data(), static_cast<unsigned>(in.gcount())), 0);
  }
  ASSERT_EQ(::gzclose(out), Z_OK);
  check("x.csv.gz", {"--target", "Y"});
}

TEST_F(ConvertMemory, OfArchives) {
  generate("x.npy", "8000", "5000");
  folder_.write("x.npz",
                npz({{"X.npy", read_text(folder_ / "x.npy")}, {"y.npy", read_text(folder_ / "x.y.npy")}}, false));
  check("x.npz", {});
  if (kSanitized) return;
  const Words words = {"select", "x.npz", "-m", "5", "-q"};
  const Finished free = run_land(folder_, words);
  const Finished bounded = run_land(folder_, {"select", "x.npz", "-m", "5", "-q", "--memory", std::to_string(kBudget)});
  EXPECT_EQ(bounded.exit_code, 0) << bounded.err;
  EXPECT_EQ(bounded.out, free.out);
  EXPECT_LE(bounded.peak_bytes, kBudget + kBudget / 10);
  EXPECT_GT(free.peak_bytes, 2 * kBudget);
}

TEST_F(ConvertMemory, OfSvmlight) {
  {
    std::ofstream file(folder_ / "x.svm");
    int last = -1;
    sparse(
        [&](int i, int j, int value) {
          if (i != last) file << i % 2;
          last = i;
          file << ' ' << j << ':' << value;
        },
        [&](int) { file << '\n'; });
  }
  check("x.svm", {});
}

TEST_F(ConvertMemory, OfMatrixMarket) {
  {
    // Samples in no order: the parts of the file do not follow each other.
    std::ofstream file(folder_ / "entries");
    std::int64_t entries = 0;
    sparse(
        [&](int i, int j, int value) {
          file << 1 + i * 7LL % kSamples << ' ' << j << ' ' << value << '\n';
          ++entries;
        },
        [](int) {});
    file.close();
    std::ofstream matrix(folder_ / "x.mtx");
    matrix << "%%MatrixMarket matrix coordinate integer general\n" << kSamples << ' ' << kFeatures << ' ' << entries;
    matrix << '\n' << std::ifstream(folder_ / "entries").rdbuf();
    std::ofstream target(folder_ / "y.txt");
    for (int i = 0; i < kSamples; ++i) target << i % 2 << '\n';
  }
  check("x.mtx", {"--target", "y.txt"});
}

TEST_F(ConvertMemory, AnEntryRepeatedFarAwayIsRefused) {
  std::int64_t entries = 2;
  {
    std::ofstream file(folder_ / "entries");
    file << "1 1 5\n";
    for (int i = 2; i <= 3000; ++i) {
      for (int j = 1; j <= 700; ++j, ++entries) file << i << ' ' << j << " 1\n";
    }
    file << "1 1 5\n";
  }
  {
    std::ofstream matrix(folder_ / "x.mtx");
    matrix << "%%MatrixMarket matrix coordinate integer general\n3000 700 " << entries << '\n';
    matrix << std::ifstream(folder_ / "entries").rdbuf();
  }
  for (const char* memory : {"32M", "8G"}) {
    const Finished run = run_land(folder_, {"convert", "x.mtx", "x.h5", "--memory", memory});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "land: x.mtx: line " + std::to_string(entries + 2) +
                           ": row 1, column 1 stands in line 3; keep one of the two\n");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.h5"));
}

// Values that are not exact in float32 show only far down; so does what is wrong.
TEST_F(ConvertMemory, TextIsReadAgainWhereItMustBe) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i % 7) + ",0.5," + std::to_string(i % 2) + "\n";
  folder_.write("wide.csv", text + "0.1,2,1\n0.3,2,0\n");
  for (const char* memory : {"8M", "8G"}) {
    ASSERT_EQ(run_land(folder_,
                       {"convert", "wide.csv", std::string(memory) + ".h5", "--target", "y", "-q", "--memory", memory})
                  .exit_code,
              0);
  }
  EXPECT_EQ(run_land(folder_, {"select", "8M.h5", "-q"}).out, run_land(folder_, {"select", "8G.h5", "-q"}).out);
  folder_.write("bad.csv", text + "0.1,2,1\n0.3,x,0\n");
  for (const char* memory : {"8M", "8G"}) {
    const Finished run = run_land(folder_, {"convert", "bad.csv", "bad.h5", "--memory", memory});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(run.err.starts_with("land: bad.csv: row 400003, column 2 ('b'): 'x' is not a number")) << run.err;
  }
}

}  // namespace
}  // namespace land::test
