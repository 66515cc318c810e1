#include "cli/subset_options.h"

#include "cli/choices.h"
#include "cli/listed_option.h"

namespace land::cli {
namespace {

NamePatterns listed(const char* key, const std::string& file, const Context& context) {
  return file.empty() ? NamePatterns() : NamePatterns::names_in(key, file, context);
}

}  // namespace

void add_subset_options(CLI::App& command, SubsetArguments& arguments, ReadOptions& options) {
  arguments.match = to_string(options.match);
  add_listed(command, "match", arguments.match);
  add_listed(command, "by-position", options.by_position);
  add_listed(command, "target-id", options.target_id);
  add_listed(command, "drop-missing-target", options.subset.drop_missing_target);
  add_listed(command, "include", arguments.include);
  add_listed(command, "exclude", arguments.exclude);
  add_listed(command, "samples", arguments.samples);
  add_listed(command, "exclude-samples", arguments.exclude_samples);
  add_listed(command, "min-distinct", options.subset.min_distinct);
  add_listed(command, "maf", options.subset.maf);
  add_listed(command, "geno", options.subset.geno);
  add_listed(command, "mind", options.subset.mind);
}

void take_subset(const SubsetArguments& arguments, const Context& context, ReadOptions& options) {
  options.match = value_of(arguments.match, kMatches);
  options.choice.include = NamePatterns("include", arguments.include, context);
  options.choice.exclude = NamePatterns("exclude", arguments.exclude, context);
  options.subset.samples = listed("samples", arguments.samples, context);
  options.subset.exclude_samples = listed("exclude-samples", arguments.exclude_samples, context);
}

}  // namespace land::cli
