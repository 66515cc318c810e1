#include "land/subset/apply_subset.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/formats/find_column.h"
#include "land/formats/target_file.h"
#include "land/options/option_table.h"
#include "land/subset/judge_features.h"
#include "land/subset/subset_table.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

using What = LeftOut::What;

// Which of the words some name has matched.
class Matched {
 public:
  explicit Matched(const NamePatterns& patterns) : patterns_(patterns), used_(patterns.words().size(), false) {}

  bool operator()(std::string_view name) {
    const auto word = patterns_.match(name);
    if (word) used_[*word] = true;
    return word.has_value();
  }
  std::vector<std::size_t> unused() const {
    std::vector<std::size_t> list;
    for (std::size_t w = 0; w < used_.size(); ++w) {
      if (!used_[w]) list.push_back(w);
    }
    return list;
  }

 private:
  const NamePatterns& patterns_;
  std::vector<bool> used_;
};

// Ids and target are left out as features whether a user says so or not.
bool is_no_feature_already(const Table& table, const std::string& name) {
  const auto is_called_so = [&](const TargetColumn* target) {
    return name == target->name || (target->is_survival() && (name == target->time_name || name == target->event_name));
  };
  const std::vector<const TargetColumn*> targets = table.targets();
  return name == table.id_column_name || std::any_of(targets.begin(), targets.end(), is_called_so);
}

bool is_covariate(const Table& table, std::int64_t feature) {
  const std::vector<std::int64_t>& covariates = table.covariate_features;
  return std::find(covariates.begin(), covariates.end(), feature) != covariates.end();
}

// A word that was typed and means nothing is a mistake; in a file, which may list what other tables have, it is told.
void check_words(const NamePatterns& patterns, const Matched& matched, Table& table) {
  std::vector<std::size_t> unused = matched.unused();
  // What a pattern means may all be named by other words, which come first.
  std::erase_if(unused, [&](std::size_t word) {
    if (!patterns.is_pattern(word)) return false;
    for (std::int64_t k = 0; k < table.features(); ++k) {
      if (patterns.matches_pattern(word, table.feature_name(k))) return true;
    }
    return false;
  });
  for (const std::size_t word : unused) {
    if (patterns.is_from_file(word) || is_no_feature_already(table, patterns.words()[word])) continue;
    const std::vector<std::string> names = table.all_feature_names();
    throw_no_column({table.path, names, table.features(), "feature"}, patterns.key(), patterns.words()[word]);
  }
  std::erase_if(unused, [&](std::size_t word) { return !patterns.is_from_file(word); });
  if (unused.empty()) return;
  table.warnings.push_back(fmt::format("{}: {} of {} names are not features of {}, the first {}",
                                       option(patterns.key()), unused.size(), patterns.words().size(), table.path,
                                       in_quotes(patterns.words()[unused[0]])));
}

// How many of `kept` go when those for which out(i) holds do.
template <class Out>
std::int64_t leave_out(std::vector<bool>& kept, const Out& out) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i] || !out(i)) continue;
    kept[i] = false;
    ++count;
  }
  return count;
}

void note(Table& table, What what, std::string reason, std::int64_t count) {
  if (count > 0) table.left_out.push_back({what, std::move(reason), count});
}

void check_any_left(const Table& table, const std::vector<bool>& kept, const char* noun, const std::string& by) {
  if (std::find(kept.begin(), kept.end(), true) != kept.end()) return;
  throw InputError(
      fmt::format("{}: no {} is left of {}: {} leaves out all of them", table.path, noun, kept.size(), by));
}

// Features that are targets do not count among those of the file, as if the reader had skipped them.
void number_without(const std::vector<std::int64_t>& targets, Table& table) {
  if (targets.empty()) return;
  for (std::int64_t& number : table.feature_numbers.kept) {
    number -= std::count_if(targets.begin(), targets.end(), [&](std::int64_t target) { return target < number; });
  }
  // Places in the file are counted from these numbers by putting back what was skipped.
  std::vector<std::int64_t>& others =
      table.layout.rows_are_features ? table.layout.other_rows : table.layout.other_columns;
  const std::vector<std::int64_t> before = others;
  for (std::int64_t position : targets) {
    for (const std::int64_t other : before) position += other <= position ? 1 : 0;
    others.push_back(position);
  }
  std::sort(others.begin(), others.end());
}

std::vector<bool> features_by_name(Table& table, const FeatureChoice& choice) {
  std::vector<bool> kept(static_cast<std::size_t>(table.features()), true);
  for (const std::int64_t feature : table.covariate_features) kept[static_cast<std::size_t>(feature)] = false;
  note(table, What::kFeatures, fmt::format("that {} makes covariates", option("adjust")),
       std::ssize(table.covariate_features));
  if (choice.empty()) return kept;
  Matched included(choice.include);
  Matched excluded(choice.exclude);
  std::int64_t not_included = 0;
  std::int64_t excluded_count = 0;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::string name = table.feature_name(static_cast<std::int64_t>(k));
    const bool in = choice.include.empty() || included(name);
    const bool out = excluded(name);
    if (is_covariate(table, static_cast<std::int64_t>(k))) continue;
    kept[k] = in && !out;
    if (!in) {
      ++not_included;
    } else if (out) {
      ++excluded_count;
    }
  }
  check_words(choice.include, included, table);
  check_words(choice.exclude, excluded, table);
  note(table, What::kFeatures, "not named by " + option("include"), not_included);
  note(table, What::kFeatures, "by " + option("exclude"), excluded_count);
  check_any_left(table, kept, "feature", option(not_included > 0 ? "include" : "exclude"));
  return kept;
}

// By its id, or as PLINK lists samples: family and individual.
bool names_sample(const Table& table, std::size_t sample, Matched& matched) {
  if (matched(table.sample_ids[sample])) return true;
  if (!table.pedigree) return false;
  const std::string& family = table.pedigree->families[sample];
  const std::string& id = table.sample_ids[sample];
  return matched(family + " " + id) || matched(family + "\t" + id);
}

// A table without ids: its samples by their numbers.
std::int64_t leave_out_numbers(const Table& table, const NamePatterns& patterns, bool listed, std::vector<bool>& kept) {
  std::vector<bool> named(kept.size(), false);
  for (const std::string& word : patterns.words()) {
    const std::optional<long long> number = parse_index(word);
    if (!number || *number >= std::ssize(kept)) {
      throw InputError(
          fmt::format("{}: {}: {} is no number from 0 to {}, and the table has no sample ids; name their "
                      "column with {}",
                      table.path, option(patterns.key()), in_quotes(word), kept.size() - 1, option("id")));
    }
    named[static_cast<std::size_t>(*number)] = true;
  }
  return leave_out(kept, [&](std::size_t sample) { return named[sample] == listed; });
}

std::int64_t leave_out_samples(Table& table, const NamePatterns& patterns, bool listed, std::vector<bool>& kept) {
  if (patterns.empty()) return 0;
  if (table.sample_ids.empty()) return leave_out_numbers(table, patterns, listed, kept);
  Matched matched(patterns);
  std::vector<bool> named;
  for (std::size_t i = 0; i < kept.size(); ++i) named.push_back(names_sample(table, i, matched));
  const std::int64_t count = leave_out(kept, [&](std::size_t sample) { return named[sample] == listed; });
  const std::vector<std::size_t> unused = matched.unused();
  const std::size_t found = patterns.words().size() - unused.size();
  if (found == 0) {
    throw InputError(fmt::format("{}: none of its {} ids is a sample of {}: the first is {}, and {} begins with {}",
                                 option(patterns.key()), patterns.words().size(), table.path,
                                 in_quotes(patterns.words()[0]), table.path, in_quotes(table.sample_ids[0])));
  }
  if (!unused.empty()) {
    table.warnings.push_back(fmt::format("{}: {} of {} ids are samples of {}; {} is not", option(patterns.key()), found,
                                         patterns.words().size(), table.path, in_quotes(patterns.words()[unused[0]])));
  }
  return count;
}

// Samples without a target are never left out in silence. `first`: of them all.
[[noreturn]] void throw_missing_target(const Table& table, const TargetColumn& target, std::size_t first,
                                       std::int64_t missing, std::int64_t samples) {
  // What the target says of its first gap is of no use if that sample is left out for another reason: by its id, then.
  std::size_t gap = 0;
  while (!target.is_missing(static_cast<std::int64_t>(gap))) ++gap;
  const std::string place = gap == first ? target.first_missing
                                         : fmt::format("{}: sample {}", target.path.empty() ? table.path : target.path,
                                                       in_quotes(table.sample_ids[first]));
  const std::string name = table.other_targets.empty() ? "" : " " + in_quotes(target.name);
  throw InputError(fmt::format("{}: the target{} has no value here{}; give it one, or leave such samples out with {}",
                               place, name,
                               missing == 1 ? "" : fmt::format(", nor for {} more of {} samples", missing - 1, samples),
                               option("drop-missing-target")));
}

// The ids of the table and of a file of targets or covariates must be the same, or those in common are used.
void leave_out_unmatched(Table& table, const Matching& matching, Match match, std::vector<bool>& kept) {
  std::string first;
  const std::int64_t unmatched = leave_out(kept, [&](std::size_t sample) {
    if (matching.unmatched.empty() || !matching.unmatched[sample]) return false;
    if (first.empty()) first = table.sample_ids[sample];
    return true;
  });
  const bool extra = matching.how == Matching::How::kIds && !matching.first_extra.empty() && !table.pedigree;
  if (match == Match::kSame && (unmatched > 0 || extra)) {
    throw InputError(fmt::format("{}: {} of its {} samples are among the {} ids of {}{}{}; {} uses those in common",
                                 table.path, matching.common, matching.samples, matching.values, matching.file,
                                 unmatched > 0 ? fmt::format("; missing there: {}", in_quotes(first)) : "",
                                 extra ? fmt::format("; missing here: {}", in_quotes(matching.first_extra)) : "",
                                 option("match", "common")));
  }
  note(table, What::kSamples, fmt::format("not in {}", matching.file), unmatched);
}

std::vector<bool> choose_samples(Table& table, const ReadOptions& read_options) {
  const SubsetOptions& options = read_options.subset;
  std::vector<bool> kept(static_cast<std::size_t>(table.samples()), true);
  const std::int64_t not_listed = leave_out_samples(table, options.samples, false, kept);
  const std::int64_t excluded = leave_out_samples(table, options.exclude_samples, true, kept);
  note(table, What::kSamples, "not listed in " + option("samples"), not_listed);
  note(table, What::kSamples, "by " + option("exclude-samples"), excluded);
  check_any_left(table, kept, "sample", option("samples") + " or " + option("exclude-samples"));
  leave_out_unmatched(table, table.matching, read_options.match, kept);
  leave_out_unmatched(table, table.covariate_matching, read_options.match, kept);
  // All targets have the same samples: those that have a value of each.
  std::int64_t all_missing = 0;
  for (const TargetColumn* target : table.targets()) {
    if (target->missing == 0) continue;
    const auto left = std::count(kept.begin(), kept.end(), true);
    std::size_t first = kept.size();
    const std::int64_t missing = leave_out(kept, [&](std::size_t i) {
      if (!target->is_missing(static_cast<std::int64_t>(i))) return false;
      first = std::min(first, i);
      return true;
    });
    all_missing += missing;
    if (missing > 0 && !options.drop_missing_target && !table.samples_may_lack_target) {
      throw_missing_target(table, *target, first, missing, left);
    }
  }
  if (all_missing == 0) return kept;
  note(table, What::kSamples, table.other_targets.empty() ? "without a target" : "without a value of every target",
       all_missing);
  check_any_left(table, kept, "sample", option("drop-missing-target"));
  return kept;
}

// A covariate that is not known for a sample that is used.
void check_covariates(const Table& table) {
  for (const TargetColumn& covariate : table.covariates) {
    if (covariate.missing == 0) continue;
    std::int64_t gap = 0;
    while (!covariate.is_missing(gap)) ++gap;
    const auto at = static_cast<std::size_t>(gap);
    const std::string sample =
        at < table.sample_ids.size()
            ? in_quotes(table.sample_ids[at])
            : fmt::format("{} (counted from {})", table.sample_numbers[gap] + covariate.first_sample,
                          covariate.first_sample);
    throw InputError(fmt::format(
        "{}: covariate {} has no value for sample {}{}; give it one, or leave such samples out with {} or {}",
        covariate.path.empty() ? table.path : covariate.path, in_quotes(covariate.name), sample,
        covariate.missing == 1 ? "" : fmt::format(", nor for {} more", covariate.missing - 1), option("samples"),
        option("exclude-samples")));
  }
}

void validate(const SubsetOptions& options) {
  if (options.maf) check_range("maf", *options.maf);
  if (options.geno) check_range("geno", *options.geno);
  if (options.mind) check_range("mind", *options.mind);
  check_range("min-distinct", options.min_distinct);
}

}  // namespace

void apply_subset(Table& table, const ReadOptions& options, const Context& context) {
  validate(options.subset);
  for (const TargetColumn* target : table.targets()) check_target_length(target->size(), target->name, table);
  for (const TargetColumn& covariate : table.covariates) {
    check_target_length(covariate.size(), covariate.name, table, covariate.what());
  }
  const auto keep = [&](const Subset& subset) { subset_table(table, subset, options.scratch_folder, context); };
  const std::vector<bool> samples = choose_samples(table, options);
  const std::vector<std::int64_t> no_features = std::exchange(table.target_features, {});
  std::vector<bool> features = features_by_name(table, options.choice);
  check_any_left(table, features, "feature", option("adjust"));
  for (const std::int64_t target : no_features) features[static_cast<std::size_t>(target)] = false;
  check_any_left(table, features, "feature", option("target"));
  keep({numbers_of(samples), numbers_of(features)});
  number_without(no_features, table);
  table.covariate_features.clear();

  if (options.subset.mind) {
    const std::vector<std::int64_t> missing = missing_by_sample(table, context);
    std::vector<bool> kept(missing.size(), true);
    const double most = *options.subset.mind * static_cast<double>(table.features()) * (1.0 + kShareRounding);
    note(table, What::kSamples, "by " + option("mind"),
         leave_out(kept, [&](std::size_t i) { return static_cast<double>(missing[i]) > most; }));
    check_any_left(table, kept, "sample", option("mind"));
    keep({numbers_of(kept), std::nullopt});
  }
  check_covariates(table);
  const std::vector<Verdict> verdicts = judge_features(table, options.subset, context);
  if (verdicts.empty()) return;
  std::vector<bool> kept(verdicts.size(), true);
  for (const Verdict verdict : {Verdict::kGeno, Verdict::kMaf, Verdict::kMinDistinct, Verdict::kLacking}) {
    note(table, What::kFeatures, to_string(verdict),
         leave_out(kept, [&](std::size_t k) { return verdicts[k] == verdict; }));
  }
  check_any_left(table, kept, "feature",
                 fmt::format("{}, {}, {} or {}", option("min-distinct"), option("maf"), option("geno"),
                             option("missing", "drop-feature")));
  keep({std::nullopt, numbers_of(kept)});
}

}  // namespace land
