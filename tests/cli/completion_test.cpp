// land completion and land manual: every option of every subcommand is in them, and bash completes with them.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>

#include "tests/cli/every_command.h"
#include "tests/cli/run_program.h"

namespace land {
namespace {

using Words = std::vector<std::string>;
using test::CommandHelp;
using test::Finished;
using test::is_one_complaint;
using test::run_land;
using test::TemporaryFolder;

std::string script(const char* shell) {
  const Finished run = run_land(TemporaryFolder(), {"completion", shell});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.out;
}

std::string name_of(const CommandHelp& help, char between) {
  std::string name = "land";
  for (const std::string& word : help.words) name += between + word;
  return name;
}

// What stands between two marks, the first one found.
std::string section(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  return text.substr(at, text.find(end, at + begin.size()) - at);
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

TEST(Completion, OfBashHasEveryOption) {
  const std::string text = script("bash");
  for (const CommandHelp& help : test::every_command()) {
    const std::string names = section(text, "\n          '" + name_of(help, ' ') + "') words='-", "\n");
    for (const std::string& option : help.options) EXPECT_TRUE(has_word(names, option)) << option << " in " << names;
  }
}

TEST(Completion, OfZshHasEveryOption) {
  const std::string text = script("zsh");
  for (const CommandHelp& help : test::every_command()) {
    const std::string function = section(text, "\n_" + name_of(help, '_') + "() {\n", "\n}\n");
    for (const std::string& option : help.options) {
      EXPECT_TRUE(has_word(function, option)) << option << " in " << function;
    }
  }
}

TEST(Completion, OfFishHasEveryOption) {
  const std::string text = script("fish");
  for (const CommandHelp& help : test::every_command()) {
    std::string lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
      bool here = true;
      for (const std::string& word : help.words) here = here && has_word(section(line, " -n '", "' "), word);
      if (here) lines += line + "\n";
    }
    for (const std::string& option : help.options) {
      const std::string written = option.starts_with("--") ? "-l " + option.substr(2) : "-s " + option.substr(1);
      EXPECT_TRUE(has_word(lines, written)) << written << " in " << lines;
    }
  }
}

TEST(Completion, IsForShellsThatAreKnown) {
  for (const Words& arguments : {Words{"completion"}, Words{"completion", "tcsh"}}) {
    const Finished run = run_land(TemporaryFolder(), arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(is_one_complaint(run.err)) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

// What bash offers after these words, one a line.
std::string offered(const TemporaryFolder& folder, const std::string& words) {
  const std::string command =
      "cd '" + folder.path().string() + "' && bash -c 'source ./land.bash; COMP_WORDS=(" + words +
      R"(); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _land; printf "%s\n" "${COMPREPLY[@]}"' 2>&1)";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();
  return text;
}

TEST(Completion, WorksInBash) {
  const TemporaryFolder folder;
  folder.write("land.bash", script("bash"));
  folder.write("genes.csv", "");
  folder.write("gene names.txt", "");
  EXPECT_EQ(offered(folder, "land s"), "select\nscore\nstability\n");
  EXPECT_EQ(offered(folder, "land select --ta"), "--target\n--target-array\n--task\n--target-id\n");
  EXPECT_EQ(offered(folder, "land select --task \"\""), "auto\nclassification\nregression\n");
  EXPECT_EQ(offered(folder, "land select --task = r"), "regression\n");
  EXPECT_EQ(offered(folder, "land select --task ="), "auto\nclassification\nregression\n");
  EXPECT_EQ(offered(folder, "land select genes"), "genes.csv\n");
  EXPECT_EQ(offered(folder, "land select genes.csv --target gene\\ n"), "gene names.txt\n");
  EXPECT_EQ(offered(folder, "land select genes.csv --threads \"\""), "\n");
  EXPECT_EQ(offered(folder, "land generate table t.csv --type \"\""), "float\ncounts\n");
  EXPECT_EQ(offered(folder, "land generate \"\""), "paper\ntable\n");
  EXPECT_EQ(offered(folder, "land completion \"\""), "bash\nzsh\nfish\n");
}

TEST(Manual, HasEveryOption) {
  const Finished run = run_land(TemporaryFolder(), {"manual"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::string text = run.out;
  for (std::size_t at; (at = text.find("\\-")) != std::string::npos;) text.erase(at, 1);
  for (const CommandHelp& help : test::every_command()) {
    const std::string heading = help.words.empty() ? "DESCRIPTION" : name_of(help, ' ');
    const std::string part = section(text, "\n.SH " + heading + "\n", "\n.SH ");
    for (const std::string& option : help.options) {
      EXPECT_NE(part.find("\\fB" + option + "\\fR"), std::string::npos) << option << " in " << part;
    }
  }
}

// The result of one machine is installed on another.
TEST(Manual, DoesNotDependOnTheMachine) {
  const std::string text = run_land(TemporaryFolder(), {"manual"}).out;
  EXPECT_NE(text.find("does not depend on it [all]"), std::string::npos);
}

}  // namespace
}  // namespace land
