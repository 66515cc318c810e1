// How --help is laid out.
#pragma once

#include <CLI/CLI.hpp>

namespace land::cli {

// "--task auto|classification|regression", then what it does and its default.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(28); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace land::cli
