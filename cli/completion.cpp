// land completion: what a shell needs to complete the command line.
#include <memory>
#include <string>

#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/shells.h"
#include "cli/standard_output.h"

namespace land::cli {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

void add_completion(CLI::App& program) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command = *program.add_subcommand("completion", "Print what bash, zsh or fish needs to complete land");
  add_choice(command, "SHELL", *shell, {"bash", "zsh", "fish"}, "The shell: bash, zsh or fish")->required();
  command.footer(
      "Examples:\n"
      "  land completion bash > land.bash\n"
      "      Put `source <(land completion bash)` in ~/.bashrc, or the file in\n"
      "      ~/.local/share/bash-completion/completions, called land.\n"
      "  land completion zsh > _land\n"
      "      Put the file in a folder of $fpath, or `source <(land completion zsh)` after compinit in\n"
      "      ~/.zshrc.\n"
      "  land completion fish > land.fish\n"
      "      Put the file in ~/.config/fish/completions.");
  command.callback([shell, &program] {
    const std::vector<Command> tree = command_tree(program);
    write_standard_output(*shell == "bash"  ? bash_completion(tree)
                          : *shell == "zsh" ? zsh_completion(tree)
                                            : fish_completion(tree));
  });
}

}  // namespace land::cli
