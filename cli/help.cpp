#include "cli/help.h"

#include <utility>

namespace land::cli {

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = Formatter::make_help(app, std::move(name), mode);
  for (std::size_t gap; (gap = text.find("\n\n\n")) != std::string::npos;) text.erase(gap, 1);
  return text;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const bool bare = option->get_positional() || option->get_type_size() == 0 || option->get_type_name().empty();
  return bare ? std::string() : " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  if (option->get_positional()) return option->get_description();
  if (option->get_required()) return option->get_description() + " (required)";
  if (option->get_type_size() == 0 || option->get_default_str().empty()) return option->get_description();
  return option->get_description() + " [" + option->get_default_str() + "]";
}

}  // namespace land::cli
