// One program for every x86-64 machine: forced instruction sets, and a processor without AVX.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_program.h"
#include "tests/support/sanitized.h"

namespace land::test {
namespace {

std::vector<std::int64_t> selected(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const nlohmann::json result = nlohmann::json::parse(stream);
  std::vector<std::int64_t> list;
  for (const auto& feature : result.at("selected")) list.push_back(feature.at("index"));
  EXPECT_EQ(list.size(), 12);
  return list;
}

class InstructionSets : public testing::Test {
 protected:
  void SetUp() override {
    data_ = folder_.path() / "data.csv";
    ASSERT_EQ(run_land(folder_, {"generate", "paper", data_.string(), "--quiet"}).exit_code, 0);
  }
  // The features selected by `command` (a shell prefix such as an environment or an emulator, then the program).
  std::vector<std::int64_t> select_with(const std::string& prefix) {
    const std::filesystem::path out = folder_.path() / "out.json";
    const std::string command =
        prefix + " " LAND_PROGRAM " select " + data_.string() + " --target Y -m 12 --quiet -o " + out.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return selected(out);
  }
  // What the program says of an instruction set that there is not.
  std::string refusal_of(const std::string& name) {
    const std::string command = "LAND_SIMD=" + name + " " LAND_PROGRAM " select " + data_.string() + " --target Y 2> " +
                                (folder_.path() / "err").string();
    EXPECT_EQ(std::system(command.c_str()) / 256, 2);
    std::ifstream stream(folder_.path() / "err");
    std::string line;
    std::getline(stream, line);
    return line;
  }

  TemporaryFolder folder_;
  std::filesystem::path data_;
};

TEST_F(InstructionSets, ForcedByTheEnvironmentGiveTheSameFeatures) {
  const std::vector<std::int64_t> best = select_with("");
  const std::string line = refusal_of("mmx");
  const std::string least = line.substr(line.rfind(' ') + 1);  // without instructions of its own
  EXPECT_EQ(select_with("LAND_SIMD=" + least), best);
}

TEST_F(InstructionSets, AnUnknownOneIsRefusedByName) {
  const std::string line = refusal_of("mmx");
  EXPECT_NE(line.find("'mmx'"), std::string::npos) << line;
#ifdef __clang__
  EXPECT_NE(line.find("emu128"), std::string::npos) << line;
#else
  EXPECT_NE(line.find("scalar"), std::string::npos) << line;
#endif
}

TEST_F(InstructionSets, AMachineWithoutAvxRunsTheSameProgram) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer does not run in an emulator";
  if (std::system("command -v qemu-x86_64 > /dev/null") != 0)
    GTEST_SKIP() << "qemu-x86_64 (package qemu-user) is not here";
  EXPECT_EQ(select_with("qemu-x86_64 -cpu Nehalem"), select_with(""));
}

}  // namespace
}  // namespace land::test
