#include "land/subset/judge_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <span>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/base/worker_pool.h"
#include "land/blocks/distinct_values.h"
#include "land/blocks/packed_counts.h"
#include "land/options/option_table.h"
#include "land/text/printable.h"

namespace land {
namespace {

// Calls visit(feature, worker) for every feature.
void visit_features(const Table& table, const Context& context,
                    const std::function<void(const FeatureView&, int)>& visit) {
  const auto source = table.source(Missing::kIgnore);
  constexpr std::int64_t kBytes = std::int64_t{4} << 20U;
  const std::int64_t most =
      std::clamp(kBytes / std::max<std::int64_t>(source->bytes_each(), 1), kStripWidth, std::int64_t{4096});
  const std::int64_t together = most / kStripWidth * kStripWidth;
  const std::int64_t features = source->features();
  std::vector<FeatureBlock> blocks(static_cast<std::size_t>(std::max(context.threads, 1)));
  std::atomic<std::int64_t> done{0};
  parallel_for(context, (features + together - 1) / together, [&](std::int64_t item, int worker) {
    context.check_stop();
    FeatureBlock& block = blocks[static_cast<std::size_t>(worker)];
    const std::int64_t first = item * together;
    const std::int64_t count = std::min(together, features - first);
    source->read(first, count, block);
    for (std::int64_t k = 0; k < count; ++k) visit(block.view(k), worker);
    source->paging().release(first, count);
    done += count;
    if (worker == 0) context.report("filtering", static_cast<double>(done), static_cast<double>(features));
  });
}

// Different values, missing ones left out, counted up to `most`.
std::int64_t count_distinct(const FeatureView& feature, std::int64_t most) {
  static thread_local std::vector<double> values;
  static thread_local DistinctValues<kMostDistinctAsked> distinct;
  values.resize(static_cast<std::size_t>(feature.samples));
  feature.copy_values(values);
  distinct.clear(most);
  for (const double value : values) {
    if (distinct.full()) break;
    if (!std::isnan(value)) distinct.code(value);
  }
  return distinct.count();
}

// The share of the rarer allele among the calls of founders.
class AlleleFrequency {
 public:
  explicit AlleleFrequency(const Table& table) : samples_(static_cast<std::size_t>(table.samples())) {
    std::vector<std::uint16_t> labels(samples_, 0);
    if (table.pedigree) {
      for (std::size_t i = 0; i < samples_; ++i) labels[i] = table.pedigree->founders[i] ? 0 : 1;
    }
    masks_ = packed_class_masks(labels, 2);
    for (const std::uint16_t label : labels) ++members_[label];
  }

  double operator()(const FeatureView& feature) const {
    std::array<std::uint32_t, 8> counts{};
    count_packed(feature.packed(), samples_, masks_, members_, false, 4, counts.data());
    // By the two bits of a call: both of the first allele, missing, one of each, both of the second.
    const double first = 2.0 * counts[0] + counts[2];
    const double all = 2.0 * (static_cast<double>(counts[0]) + counts[2] + counts[3]);
    return all == 0.0 ? 0.0 : std::min(first, all - first) / all;
  }

 private:
  std::size_t samples_;
  std::vector<std::uint64_t> masks_;
  std::array<std::int64_t, 2> members_{};
};

Verdict judge(const FeatureView& feature, const SubsetOptions& options, const AlleleFrequency* frequency) {
  const auto missing = static_cast<double>(feature.header->missing);
  if (options.geno && missing > *options.geno * static_cast<double>(feature.samples) * (1.0 + kShareRounding)) {
    return Verdict::kGeno;
  }
  if (frequency != nullptr && (*frequency)(feature) < *options.maf * (1.0 - kShareRounding)) return Verdict::kMaf;
  if (options.min_distinct > 0 && count_distinct(feature, options.min_distinct) < options.min_distinct) {
    return Verdict::kMinDistinct;
  }
  if (options.drop_missing_features && missing > 0.0) return Verdict::kLacking;
  return Verdict::kKept;
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "";
    case Verdict::kGeno:
      return "by " + option("geno");
    case Verdict::kMaf:
      return "by " + option("maf");
    case Verdict::kMinDistinct:
      return "by " + option("min-distinct");
    case Verdict::kLacking:
      return "that lack values";
  }
  return "";
}

std::vector<Verdict> judge_features(const Table& table, const SubsetOptions& options, const Context& context) {
  if (!options.maf && !options.geno && options.min_distinct == 0 && !options.drop_missing_features) return {};
  std::unique_ptr<AlleleFrequency> frequency;
  if (options.maf) frequency = std::make_unique<AlleleFrequency>(table);
  std::vector<Verdict> verdicts(static_cast<std::size_t>(table.features()), Verdict::kKept);
  visit_features(table, context, [&](const FeatureView& feature, int) {
    if (options.maf && feature.header->encoding != Encoding::kPacked2) {
      throw InputError(fmt::format("{}: {}: feature {} is no genotype; the option is for .bed files", table.path,
                                   option("maf"), in_quotes(table.feature_name(feature.header->id))));
    }
    verdicts[static_cast<std::size_t>(feature.header->id)] = judge(feature, options, frequency.get());
  });
  return verdicts;
}

std::vector<std::int64_t> missing_by_sample(const Table& table, const Context& context) {
  const auto n = static_cast<std::size_t>(table.samples());
  const auto workers = static_cast<std::size_t>(std::max(context.threads, 1));
  std::vector<std::vector<std::int64_t>> counts(workers, std::vector<std::int64_t>(n, 0));
  visit_features(table, context, [&](const FeatureView& feature, int worker) {
    if (feature.header->missing == 0) return;
    static thread_local std::vector<double> values;
    values.resize(n);
    feature.copy_values(values);
    std::vector<std::int64_t>& own = counts[static_cast<std::size_t>(worker)];
    for (std::size_t i = 0; i < n; ++i) own[i] += std::isnan(values[i]) ? 1 : 0;
  });
  for (std::size_t w = 1; w < workers; ++w) {
    for (std::size_t i = 0; i < n; ++i) counts[0][i] += counts[w][i];
  }
  return std::move(counts[0]);
}

}  // namespace land
