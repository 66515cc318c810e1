#include "land/commands/score.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "land/advice/covariate_warnings.h"
#include "land/base/checksum.h"
#include "land/base/option.h"
#include "land/base/simd_target.h"
#include "land/base/version.h"
#include "land/data/check_data.h"
#include "land/engine/scored_parts.h"
#include "land/files/files_in_use.h"
#include "land/inference/permute.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/pairs/memory_plan.h"

namespace land {
namespace {

std::uint64_t key_of(const std::vector<std::int64_t>& numbers) {
  std::uint64_t key = mix(numbers.size());
  for (const std::int64_t number : numbers) key = mix(key ^ static_cast<std::uint64_t>(number));
  return key;
}

std::string settings_of(const KernelOptions& options, const Table& table) {
  std::string text = fmt::format("measure {}, kernel {}, sigma {}, factor {} [{}], missing {}",
                                 to_string(options.measure), to_string(options.family), fmt::join(options.sigma, ","),
                                 to_string(options.factor), fmt::join(options.basis, ","), to_string(options.missing));
  if (options.transform != Transform::kNone) text += fmt::format(", transform {}", to_string(options.transform));
  const std::vector<std::int64_t>& features = table.feature_numbers.kept;
  const std::vector<std::int64_t>& samples = table.sample_numbers.kept;
  if (options.adjustment) text += fmt::format(", adjusted for covariates {:x}", options.adjustment->key());
  if (!features.empty()) text += fmt::format(", subset of features {:x}", key_of(features));
  if (!samples.empty()) text += fmt::format(", subset of samples {:x}", key_of(samples));
  return text;
}

std::uint64_t key_of(const Target& target) {
  std::uint64_t key = mix(static_cast<std::uint64_t>(target.task));
  for (const double value : target.values) key = mix(key ^ std::bit_cast<std::uint64_t>(value));
  for (const std::int32_t label : target.labels) key = mix(key ^ static_cast<std::uint64_t>(label));
  return key;
}

// Parts begin at whole strips, whose bounds depend on all their features.
FeatureId begin_of(std::int64_t part, std::int64_t parts, const Engine& engine) {
  const std::int64_t features = engine.features();
  if (part == parts) return features;
  const auto even =
      static_cast<FeatureId>(static_cast<double>(features) * static_cast<double>(part) / static_cast<double>(parts));
  return engine.strip_start(std::min(features, even));
}

[[noreturn]] void refuse(const ScoredPart& part, const std::string& why) {
  throw InputError(fmt::format("{}: {}; make it again with {}", part.path, why, command("score")));
}

// A few features of the part, evenly spread, are fetched.
void check_values(const ScoredPart& part, Engine& engine) {
  constexpr std::int64_t kChecked = 32;
  const std::int64_t size = part.scores.size();
  std::vector<FeatureId> ids;
  for (std::int64_t c = 0; c < std::min(kChecked, size); ++c) {
    ids.push_back(part.scores.first + (size < kChecked ? c : c * (size - 1) / (kChecked - 1)));
  }
  const auto blocks = engine.fetch(ids);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto at = static_cast<std::size_t>(ids[t] - part.scores.first);
    if (blocks[t]->headers[0].checksum != part.scores.checksums[at]) {
      refuse(part, fmt::format("its scores were made from other data: feature {} has changed", ids[t]));
    }
  }
}

void check_part(const ScoredPart& part, const Table& table, const Target& target, const KernelOptions& options,
                Engine& engine) {
  if (part.version != version()) {
    refuse(part, fmt::format("made by land {}, and this is {}", part.version, version()));
  }
  if (part.features != table.features() || part.samples != table.samples()) {
    refuse(part, fmt::format("its scores were made from other data: {} features x {} samples, {} has {} x {}",
                             part.features, part.samples, table.path, table.features(), table.samples()));
  }
  if (part.settings != settings_of(options, table)) {
    refuse(part, fmt::format("made with other options: {}, and now {}", part.settings, settings_of(options, table)));
  }
  if (part.target_key != key_of(target)) {
    refuse(part, fmt::format("made for another target ({}), or for its values as another task", part.target));
  }
  check_values(part, engine);
}

}  // namespace

void validate(const ScoreOptions& options) {
  SelectOptions select;
  select.permutations = options.permutations;
  select.seed = options.seed;
  select.kernel = options.kernel;
  select.block_size = options.block_size;
  validate(select);
  if (options.parts < 1 || options.part < 1 || options.part > options.parts) {
    throw InputError(fmt::format("{}: parts are counted from 1, as in 1/8 to 8/8",
                                 option("part", fmt::format("{}/{}", options.part, options.parts))));
  }
  if (options.permutations > 0 && options.parts > 1) {
    throw InputError(fmt::format("{}: chance is compared with all features: leave out {}",
                                 option("permutations", options.permutations), option("part")));
  }
}

namespace {

ScoredPart score_part(Engine& engine, const Table& table, const Target& target, const ScoreOptions& options,
                      const Context& context) {
  use_simd_target_of_environment();
  check_sizes(table, target);
  engine.allow({.window = plan_memory(engine.shape(), 0, context).window});
  ScoredPart part;
  part.version = version();
  part.settings = settings_of(options.kernel, table);
  part.target = target.name;
  part.target_key = key_of(target);
  part.features = table.features();
  part.samples = table.samples();
  part.refined = options.refine || options.permutations > 0;
  part.warnings = target_left(target, options.kernel).warnings;
  part.scores = score_job(engine,
                          {.against = std::make_shared<Target>(target),
                           .kernel = options.kernel,
                           .first = begin_of(options.part - 1, options.parts, engine),
                           .last = begin_of(options.part, options.parts, engine),
                           .refine = options.refine || options.permutations > 0},
                          context);
  table.check_missing(options.kernel.missing, part.scores.missing, part.scores.first_missing);
  std::vector<std::string> explained;
  for (const FeatureId feature : part.scores.explained()) explained.push_back(table.feature_name(feature));
  for (std::string& warning : explained_warnings(explained)) part.warnings.push_back(std::move(warning));
  return part;
}

}  // namespace

ScoredPart score(Engine& engine, const Table& table, const Target& target, const ScoreOptions& options,
                 const Context& context) {
  validate(options);
  return if_unchanged(table.files, [&] { return score_part(engine, table, target, options, context); });
}

FeatureChance chance_of(Engine& engine, const ScoredPart& part, const Target& target, const ScoreOptions& options,
                        const Context& context, std::vector<std::string>& warnings) {
  const auto& relevance = part.scores.relevance;
  const Permuted permuted = permute(engine, target, options.kernel,
                                    {.permutations = options.permutations,
                                     .seed = options.seed,
                                     .largest_relevance = *std::max_element(relevance.begin(), relevance.end())},
                                    context);
  warnings.insert(warnings.end(), permuted.warnings.begin(), permuted.warnings.end());
  FeatureChance chance;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < relevance.size(); ++k) {
    // A refined score is above the relevance by its error.
    const double f = relevance[k] - static_cast<double>(part.scores.error[k]);
    const bool constant = relevance[k] < 0.0;
    chance.p_fwer.push_back(constant ? kUnknown : permuted.chance.p_fwer(f));
    chance.expected.push_back(constant ? kUnknown : permuted.chance.expected(f).value_or(kUnknown));
    chance.q.push_back(constant ? kUnknown : permuted.chance.q(f).value_or(kUnknown));
  }
  return chance;
}

Scores join_parts(std::span<const ScoredPart> parts, Engine& engine, const Table& table, const Target& target,
                  const KernelOptions& options) {
  std::vector<const ScoredPart*> ordered;
  for (const ScoredPart& part : parts) {
    check_part(part, table, target, options, engine);
    ordered.push_back(&part);
  }
  std::sort(ordered.begin(), ordered.end(),
            [](const ScoredPart* a, const ScoredPart* b) { return a->scores.first < b->scores.first; });
  Scores all;
  std::vector<std::string> gaps;
  const auto need = [&](FeatureId from, FeatureId to) {
    if (from < to) gaps.push_back(fmt::format("{} to {}", from, to - 1));
  };
  for (const ScoredPart* part : ordered) {
    const Scores& scores = part->scores;
    if (scores.size() == 0) continue;
    if (scores.first < all.size()) {
      refuse(*part, fmt::format("it repeats features from {} on that another part has", scores.first));
    }
    need(all.size(), scores.first);
    // Gaps are left unset, so that all of them can be named.
    all.resize(scores.first + scores.size());
    all.place(scores);
    all.signatures.insert(all.signatures.end(), scores.signatures.begin(), scores.signatures.end());
    all.missing += scores.missing;
    if (all.first_missing < 0) all.first_missing = scores.first_missing;
  }
  need(all.size(), table.features());
  if (!gaps.empty()) {
    throw InputError(fmt::format("{}: features {} are in no part; score the missing parts too", option("scores"),
                                 fmt::join(gaps, " and ")));
  }
  return all;
}

}  // namespace land
