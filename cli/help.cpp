#include "cli/help.h"

#include <sstream>
#include <utility>

namespace land::cli {
namespace {

constexpr std::size_t kLineWidth = 99;

// With line ends in place of blanks; the formatter indents the lines that follow.
std::string wrapped(std::string text, std::size_t width) {
  for (std::size_t begin = 0; text.size() - begin > width;) {
    const std::size_t blank = text.rfind(' ', begin + width);
    if (blank == std::string::npos || blank <= begin) break;
    text[blank] = '\n';
    begin = blank + 1;
  }
  return text;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = Formatter::make_help(app, std::move(name), mode);
  for (std::size_t gap; (gap = text.find("\n\n\n")) != std::string::npos;) text.erase(gap, 1);
  return text;
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(app->get_description(), kLineWidth) + "\n";
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  std::ostringstream text;
  CLI::detail::format_help(text, sub->get_name(), wrapped(sub->get_description(), kLineWidth - get_column_width()),
                           get_column_width());
  return text.str();
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const bool bare = option->get_positional() || option->get_type_size() == 0 || option->get_type_name().empty();
  return bare ? std::string() : " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  if (!option->get_positional()) {
    if (option->get_required()) {
      text += " (required)";
    } else if (option->get_type_size() != 0 && !option->get_default_str().empty()) {
      text += " [" + option->get_default_str() + "]";
    }
  }
  return wrapped(std::move(text), kLineWidth - get_column_width());
}

}  // namespace land::cli
