#include "land/judging/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "land/base/checksum.h"
#include "land/base/error.h"
#include "land/base/option.h"
#include "land/data/survival.h"
#include "land/text/printable.h"

namespace land {
namespace {

std::vector<std::int64_t> samples_per_class(const Target& target) {
  std::vector<std::int64_t> counts(target.class_names.size(), 0);
  for (const std::int32_t label : target.labels) ++counts[static_cast<std::size_t>(label)];
  return counts;
}

// What a sample's fold is to have its share of: classes, or events and censored samples.
std::int32_t stratum_of(const Target& target, std::int64_t sample) {
  const auto i = static_cast<std::size_t>(sample);
  if (target.has_classes()) return target.labels[i];
  return target.events.empty() ? 0 : static_cast<std::int32_t>(target.events[i]);
}

// In random order, class by class.
std::vector<std::int64_t> shuffled(const Target& target, std::int64_t seed, std::int64_t repeat) {
  const std::uint64_t key = mix(mix(static_cast<std::uint64_t>(seed)) ^ static_cast<std::uint64_t>(repeat));
  struct Drawn {
    std::int32_t label;
    std::uint64_t place;
    std::int64_t sample;
    auto operator<=>(const Drawn&) const = default;
  };
  std::vector<Drawn> drawn;
  for (std::int64_t i = 0; i < target.size(); ++i) {
    drawn.push_back({stratum_of(target, i), mix(key ^ static_cast<std::uint64_t>(i)), i});
  }
  std::sort(drawn.begin(), drawn.end());
  std::vector<std::int64_t> order;
  for (const Drawn& one : drawn) order.push_back(one.sample);
  return order;
}

}  // namespace

std::vector<Split> make_splits(const Target& target, const FoldOptions& options) {
  if (options.folds > target.size()) {
    throw InputError(fmt::format("{}: there are {} samples only; ask for no more folds than that",
                                 option("folds", options.folds), target.size()));
  }
  std::vector<Split> splits;
  for (std::int64_t repeat = 0; repeat < options.repeats; ++repeat) {
    const std::size_t first = splits.size();
    for (std::int64_t fold = 0; fold < options.folds; ++fold) splits.push_back({repeat, fold, {}});
    // Dealt out in turn, from one class to the next without a break.
    std::size_t turn = 0;
    for (const std::int64_t sample : shuffled(target, options.seed, repeat)) {
      splits[first + turn].held_out.push_back(sample);
      turn = (turn + 1) % static_cast<std::size_t>(options.folds);
    }
    for (std::size_t s = first; s < splits.size(); ++s) std::sort(splits[s].held_out.begin(), splits[s].held_out.end());
  }
  return splits;
}

std::vector<std::string> fold_warnings(const Target& target, const FoldOptions& options) {
  std::vector<std::string> warnings;
  const std::vector<std::int64_t> counts = samples_per_class(target);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] >= options.folds) continue;
    warnings.push_back(fmt::format("class {} has {} sample{}, fewer than the {} folds: some of them hold none of it",
                                   in_quotes(target.class_names[c]), counts[c], counts[c] == 1 ? "" : "s",
                                   options.folds));
  }
  return warnings;
}

std::vector<std::int64_t> others(std::span<const std::int64_t> held_out, std::int64_t count) {
  std::vector<std::int64_t> rest;
  std::size_t next = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (next < held_out.size() && held_out[next] == i) {
      ++next;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

Target part_of(const Target& target, std::span<const std::int64_t> samples) {
  Target part;
  part.name = target.name;
  part.task = target.task;
  if (!target.events.empty()) {
    for (const std::int64_t i : samples) {
      part.times.push_back(target.times[static_cast<std::size_t>(i)]);
      part.events.push_back(target.events[static_cast<std::size_t>(i)]);
    }
    part.values = martingale_residuals(part.times, part.events);  // among these samples
    return part;
  }
  if (!target.has_classes()) {
    for (const std::int64_t i : samples) part.values.push_back(target.values[static_cast<std::size_t>(i)]);
    return part;
  }
  for (const std::int64_t i : samples) part.labels.push_back(target.labels[static_cast<std::size_t>(i)]);
  std::vector<std::int32_t> label_of(target.class_names.size(), -1);
  for (const std::int32_t label : part.labels) label_of[static_cast<std::size_t>(label)] = 0;
  for (std::size_t c = 0; c < label_of.size(); ++c) {
    if (label_of[c] < 0) continue;
    label_of[c] = static_cast<std::int32_t>(part.class_names.size());
    part.class_names.push_back(target.class_names[c]);
  }
  for (std::int32_t& label : part.labels) label = label_of[static_cast<std::size_t>(label)];
  return part;
}

bool has_one_value(const Target& target) {
  if (target.has_classes()) return target.class_names.size() < 2;
  return std::adjacent_find(target.values.begin(), target.values.end(), std::not_equal_to<>()) == target.values.end();
}

}  // namespace land
