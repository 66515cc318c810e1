#include "cli/subset_options.h"

#include "cli/choices.h"

namespace land::cli {
namespace {

void add_names(CLI::App& command, const char* option, std::vector<std::string>& names, const char* description) {
  command.add_option(option, names, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...|@FILE")
      ->group("Samples and features");
}

NamePatterns listed(const char* option, const std::string& file, const Context& context) {
  return file.empty() ? NamePatterns() : NamePatterns::names_in(option, file, context);
}

}  // namespace

void add_subset_options(CLI::App& command, SubsetArguments& arguments, ReadOptions& options) {
  const char* group = "Samples and features";
  arguments.match = to_string(options.match);
  add_choice(command, "--match", arguments.match, names(kMatches),
             "Ids of DATA and of the target's file: the same on both sides, or those in common")
      ->group(group);
  command.add_flag("--by-position", options.by_position, "Take a target's file in order, whatever ids there are")
      ->group(group);
  command
      .add_option("--target-id", options.target_id,
                  "The column of ids in the target's file (found by itself: the one whose ids match best)")
      ->type_name("COLUMN")
      ->group(group);
  command
      .add_flag("--drop-missing-target", options.subset.drop_missing_target,
                "Leave out samples whose target is missing (else they are refused)")
      ->group(group);
  add_names(command, "--include", arguments.include,
            "Only these features: names, patterns such as 'ENSG*', or a file of them, one a line");
  add_names(command, "--exclude", arguments.exclude, "Not these features");
  command.add_option("--samples", arguments.samples, "Only the samples whose ids stand in this file, one a line")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--exclude-samples", arguments.exclude_samples, "Not the samples whose ids stand in this file")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--min-distinct", options.subset.min_distinct,
                  "Leave out features with fewer than K different values")
      ->type_name("K")
      ->group(group);
  command
      .add_option("--maf", options.subset.maf,
                  "Leave out genotypes whose minor allele is rarer than this among the founders")
      ->type_name("SHARE")
      ->group(group);
  command
      .add_option("--geno", options.subset.geno, "Leave out features that lack more than this share of their values")
      ->type_name("SHARE")
      ->group(group);
  command.add_option("--mind", options.subset.mind, "Leave out samples that lack more than this share of their values")
      ->type_name("SHARE")
      ->group(group);
}

void take_subset(const SubsetArguments& arguments, const Context& context, ReadOptions& options) {
  options.match = value_of(arguments.match, kMatches);
  options.choice.include = NamePatterns("--include", arguments.include, context);
  options.choice.exclude = NamePatterns("--exclude", arguments.exclude, context);
  options.subset.samples = listed("--samples", arguments.samples, context);
  options.subset.exclude_samples = listed("--exclude-samples", arguments.exclude_samples, context);
}

}  // namespace land::cli
