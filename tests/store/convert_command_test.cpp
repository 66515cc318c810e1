// land convert as a user runs it: output, messages, kills, full disks, the example of the documentation.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "tests/cli/run_program.h"
#include "tests/store/stored.h"

namespace land::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Words = std::vector<std::string>;

void generate(const TemporaryFolder& folder, const std::string& features, const std::string& samples) {
  ASSERT_EQ(run_land(folder, {"generate", "table", "x.npy", "--features", features, "--samples", samples}).exit_code,
            0);
}

TEST(ConvertCommand, SelectsTheSame) {
  const TemporaryFolder folder;
  generate(folder, "3000", "150");
  const Finished converted =
      run_land(folder, {"convert", "x.npy", "x.h5", "--target", "x.y.npy", "--memory", "1M", "--threads", "3"});
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(converted.err, StartsWith("samples and target: in order\nwrote x.h5: 3,000 features x 150 samples, 1.80 "
                                        "MB encoded, target 'x.y.npy'\n"));
  const Words options = {"-q", "-m", "20"};
  Words array = {"select", "x.npy", "--target", "x.y.npy"};
  Words store = {"select", "x.h5"};
  array.insert(array.end(), options.begin(), options.end());
  store.insert(store.end(), options.begin(), options.end());
  const Finished expected = run_land(folder, array);
  const Finished found = run_land(folder, store);
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(found.out, expected.out);
  const Finished info = run_land(folder, {"info", "x.h5"});
  EXPECT_THAT(info.out, HasSubstr("values      encoded, 1.80 MB, mapped from the file\n"));
  EXPECT_THAT(info.out, HasSubstr("float32: 3,000"));
}

TEST(ConvertCommand, FeaturesOfAPartKeepTheNamesThatTheirNumbersGave) {
  const TemporaryFolder folder;
  generate(folder, "40", "50");
  ASSERT_EQ(run_land(folder, {"convert", "x.npy", "x.h5", "--target", "x.y.npy", "--exclude", "f0", "-q"}).exit_code,
            0);
  EXPECT_EQ(run_land(folder, {"neighbors", "x.h5", "--feature", "f39", "-q"}).exit_code, 0);
  EXPECT_EQ(run_land(folder, {"neighbors", "x.h5", "--feature", "f0", "-q"}).exit_code, 2);
}

// No row begins in the last megabyte, which is a piece of work by itself.
TEST(ConvertCommand, TakesRowsLongerThanAPieceOfWork) {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  std::string text;
  for (int row = 0; row < 6; ++row) {
    text += std::to_string(row / 2);
    for (int column = 0; column < 300000; ++column) text += {',', static_cast<char>('0' + random() % 10)};
    text += '\n';
  }
  folder.write("wide.csv", text);
  const Finished converted = run_land(folder, {"convert", "wide.csv", "wide.h5", "--target", "0", "-q"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const Finished found = run_land(folder, {"select", "wide.h5", "-m", "1", "-q"});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(found.out, run_land(folder, {"select", "wide.csv", "--target", "0", "-m", "1", "-q"}).out);
}

TEST(ConvertCommand, RefusesInOneLine) {
  const TemporaryFolder folder;
  folder.write("x.csv", "a,b\n1,2\n3,4\n5,6\n7,NA\n");
  const auto error = [&](const Words& words) {
    const Finished run = run_land(folder, words);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_EQ(folder.files(), Words{"x.csv"});
    return run.err;
  };
  EXPECT_THAT(error({"convert", "x.csv", "x.hdf"}), HasSubstr("must end in .h5"));
  EXPECT_THAT(error({"convert", "x.csv", "x.h5", "--memory", "2X"}), HasSubstr("--memory 2X: not a size"));
  EXPECT_THAT(error({"convert", "x.csv", "x.h5", "--threads", "0"}), HasSubstr("--threads 0"));
  EXPECT_THAT(error({"convert", "x.csv", "none/x.h5"}), HasSubstr("none/x.h5: cannot be written: No such file"));
  EXPECT_THAT(error({"convert", "x.csv", "x.h5"}), HasSubstr("the value is missing"));
  EXPECT_EQ(run_land(folder, {"convert", "x.csv", "x.h5", "--missing", "ignore", "-q"}).exit_code, 0);
}

TEST(ConvertCommand, TakesSizesInPowersOf1024) {
  const TemporaryFolder folder;
  folder.write("x.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n");
  for (const char* size : {"1", "4096", "512K", "512k", "2M", "1.5G", "1T"}) {
    const Finished run = run_land(folder, {"convert", "x.csv", "x.h5", "-q", "--memory", size});
    EXPECT_EQ(run.exit_code, 0) << size << run.err;
  }
  for (const char* size : {"", "0", "-1", "M", "1e9", "12Q", "1MB", "nan", "9999999999T"}) {
    const Finished run = run_land(folder, {"convert", "x.csv", "x.h5", "-q", std::string("--memory=") + size});
    EXPECT_EQ(run.exit_code, 2) << size;
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
  }
}

TEST(ConvertCommand, LeavesNothingOnAFullDisk) {
  const TemporaryFolder folder;
  generate(folder, "2000", "200");
  ASSERT_EQ(run_land(folder, {"convert", "x.npy", "x.h5", "-q"}).exit_code, 0);
  const auto size = std::filesystem::file_size(folder / "x.h5");
  std::filesystem::remove(folder / "x.h5");
  // Ends in the features, in what describes them, in the index.
  std::vector<rlim_t> limits = {1000, 100'000, size - 100'000, size - 1};
  for (rlim_t left = 500; left < 100'000; left += 7919) limits.push_back(size - left);
  for (const rlim_t most : limits) {
    const Finished run = run_land(folder, {"convert", "x.npy", "x.h5"}, "", [most] {
      const rlimit limit{most, most};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    EXPECT_EQ(run.exit_code, 2) << most;
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_THAT(run.err, HasSubstr("x.h5: cannot be written: File too large")) << most;
    EXPECT_EQ(folder.files(), (Words{"x.npy", "x.truth.json", "x.y.npy"}));
  }
}

TEST(ConvertCommand, IsThereAsAWholeOrNotAtAllWhenKilled) {
  const TemporaryFolder folder;
  generate(folder, "20000", "200");
  ASSERT_EQ(run_land(folder, {"convert", "x.npy", "good.h5", "-q"}).exit_code, 0);
  const std::string good = read_text(folder / "good.h5");
  std::mt19937_64 random(::getpid());
  // For a longer hunt: LAND_KILLS=100.
  const char* asked = std::getenv("LAND_KILLS");
  const int kills = asked == nullptr ? 8 : std::stoi(asked);
  int whole = 0;
  for (int k = 0; k < kills; ++k) {
    const pid_t process = start_land(folder.path(), {"convert", "x.npy", "x.h5", "-q"}, "/dev/null", "/dev/null");
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 150'000));
    ::kill(process, SIGKILL);
    wait_for(process);
    if (!std::filesystem::exists(folder / "x.h5")) continue;
    ++whole;
    EXPECT_TRUE(read_text(folder / "x.h5") == good);
    std::filesystem::remove(folder / "x.h5");
  }
  std::printf("%d kills, the file was there after %d\n", kills, whole);
  // What is left over goes with the next run.
  EXPECT_EQ(run_land(folder, {"convert", "x.npy", "x.h5", "-q"}).exit_code, 0);
  EXPECT_TRUE(read_text(folder / "x.h5") == good);
  EXPECT_EQ(folder.files(), (Words{"good.h5", "x.h5", "x.npy", "x.truth.json", "x.y.npy"}));
}

TEST(ConvertCommand, StopsWhenInterrupted) {
  const TemporaryFolder folder;
  generate(folder, "50000", "300");
  const auto begun = [&] {
    const Words files = folder.files();
    return std::any_of(files.begin(), files.end(), [](const std::string& name) { return name.starts_with(".land."); });
  };
  // On a busy machine the work may be over before this process has its turn.
  int code = 0;
  for (int attempt = 0; attempt < 20 && code == 0; ++attempt) {
    const pid_t process =
        start_land(folder.path(), {"convert", "x.npy", "x.h5", "--memory", "4M"}, "/dev/null", folder / "err");
    for (int wait = 0; wait < 5000 && !begun(); ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(process, SIGINT);
    code = wait_for(process);
    if (code == 0) std::filesystem::remove(folder / "x.h5");
  }
  EXPECT_EQ(code, 130);
  EXPECT_EQ(read_text(folder / "err"), "land: interrupted, no output was written\n");
  EXPECT_EQ(folder.files(), (Words{"err", "x.npy", "x.truth.json", "x.y.npy"}));
}

// The lines between ```python and ``` in docs/store.md.
std::string documented_example() {
  const std::string text = read_text(std::string(LAND_TEST_FOLDER) + "/../docs/store.md");
  const std::size_t begin = text.find("```python\n") + 10;
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(ConvertCommand, TheExampleOfTheDocumentationRuns) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    if (std::system((std::string(candidate) + " -c 'import h5py, numpy' 2> /dev/null").c_str()) == 0)
      python = candidate;
  }
  if (python.empty()) GTEST_SKIP() << "python3 has no h5py (Debian: python3-h5py)";
  const TemporaryFolder folder;
  generate(folder, "100", "50");
  ASSERT_EQ(run_land(folder, {"convert", "x.npy", "x.h5", "--target", "x.y.npy", "-q"}).exit_code, 0);
  folder.write("example.py", documented_example() +
                                 "assert numpy.array_equal(values, numpy.load('x.npy')[:, 7])\n"
                                 "assert len(f['target/numbers']) == 50 and f.attrs['complete'] == 1\n");
  EXPECT_EQ(std::system(("cd " + folder.path().string() + " && " + python + " example.py > /dev/null").c_str()), 0);
}

}  // namespace
}  // namespace land::test
