#include <fmt/format.h>

#include "cli/shells.h"

namespace land::cli {
namespace {

using Words = std::vector<std::string>;

// 'land select -t' | 'land select --target': the command, and the word before the one that is completed.
void add_before(const Command& command, const CommandOption& option, Words& patterns) {
  for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
}

// A line of a `case`.
std::string line(int indent, const Words& patterns, const std::string& action) {
  return patterns.empty() ? "" : fmt::format("{:{}}{}) {} ;;\n", "", indent, fmt::join(patterns, " | "), action);
}

std::string words_are(const Words& words) { return fmt::format("words='{}'", fmt::join(words, " ")); }

constexpr int kOuter = 4;
constexpr int kInner = 10;

// What may follow an option.
std::string values(const std::vector<Command>& tree) {
  std::string lines;
  Words before_files;
  Words before_others;
  for (const Command& command : tree) {
    for (const CommandOption& option : command.options) {
      if (option.positional || option.value.empty()) continue;
      if (option.words.empty()) {
        add_before(command, option, option.takes_file ? before_files : before_others);
      } else {
        Words before;
        add_before(command, option, before);
        lines += line(kOuter, before, words_are(option.words));
      }
    }
  }
  return lines + line(kOuter, before_files, "files=yes") + line(kOuter, before_others, "return");
}

std::string names(const std::vector<Command>& tree) {
  std::string lines;
  for (const Command& command : tree) {
    Words all;
    for (const CommandOption& option : command.options) {
      if (!option.positional) all.insert(all.end(), option.names.begin(), option.names.end());
    }
    lines += line(kInner, {fmt::format("'{}'", command.name)}, words_are(all));
  }
  return lines;
}

// Subcommands and positionals.
std::string arguments(const std::vector<Command>& tree) {
  std::string lines;
  Words with_files;
  for (const Command& command : tree) {
    const std::string pattern = fmt::format("'{}'", command.name);
    Words words = command.subcommands;
    bool files = false;
    for (const CommandOption& option : command.options) {
      if (!option.positional) continue;
      words.insert(words.end(), option.words.begin(), option.words.end());
      files = files || option.takes_file;
    }
    if (!words.empty()) lines += line(kInner, {pattern}, words_are(words));
    if (files) with_files.push_back(pattern);
  }
  return lines + line(kInner, with_files, "files=yes");
}

}  // namespace

std::string bash_completion(const std::vector<Command>& tree) {
  Words subcommands;
  for (const Command& command : tree) {
    if (&command != &tree.front()) subcommands.push_back(fmt::format("'{}'", command.name));
  }
  return fmt::format(R"(# bash completion of {0}, made by: {0} completion bash
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command={0} word words='' files=''
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$command $word" in
      {1}) command+=" $word" ;;
    esac
  done
  case "$command $before" in
{2}    *)
      if [[ $current == -* ]]; then
        case $command in
{3}        esac
      else
        case $command in
{4}        esac
      fi ;;
  esac
  if [[ -n $files ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
}}
complete -F _{0} {0}
)",
                     tree.front().name, fmt::join(subcommands, " | "), values(tree), names(tree), arguments(tree));
}

}  // namespace land::cli
