#include "land/commands/select_each.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "land/base/resident_memory.h"
#include "land/base/stopwatch.h"
#include "land/commands/adjust_for_covariates.h"
#include "land/commands/select.h"
#include "land/engine/sample_view.h"
#include "land/engine/scored_parts.h"
#include "land/methods/method.h"
#include "land/subset/subset_table.h"

namespace land {
namespace {

// Stages as they are called there: "fold 2 of 5, land: path".
Context within(const Context& context, const std::string& where) {
  Context inner = context;
  if (context.progress) {
    inner.progress = [report = context.progress, where](std::string_view stage, double done, double total) {
      report(fmt::format("{}: {}", where, stage), done, total);
    };
  }
  return inner;
}

// How many jobs may keep their scores, and their scorers, at a time.
std::size_t jobs_together(const Engine& engine, const Context& context) {
  constexpr std::int64_t kEachFeature = 32;
  constexpr std::int64_t kEachSample = 512;
  const std::int64_t each = engine.features() * kEachFeature + engine.samples() * kEachSample;
  const std::int64_t free = context.memory > 0 ? context.memory - resident_memory().all : available_memory();
  return static_cast<std::size_t>(std::max<std::int64_t>(free / 4 / each, 1));
}

// The different kernels that are asked for, and which of them each needs.
struct KernelsAsked {
  explicit KernelsAsked(std::span<const SelectOptions> asked) {
    for (const SelectOptions& options : asked) {
      const KernelOptions kernel = adjusted(options).kernel;
      const auto found = std::find(kernels.begin(), kernels.end(), kernel);
      which.push_back(static_cast<std::size_t>(found - kernels.begin()));
      if (found == kernels.end()) kernels.push_back(kernel);
    }
  }

  std::vector<KernelOptions> kernels;
  std::vector<std::size_t> which;
};

// The options with the covariates of a part of the samples, if any are taken out.
KernelOptions of_part(KernelOptions kernel, const Table& part) {
  if (kernel.adjustment) adjust_for_covariates(part, kernel);
  return kernel;
}

}  // namespace

void select_each(Engine& engine, WorkerPool& pool, const Table& table, std::span<const SampleSubset> subsets,
                 std::span<const SelectOptions> asked, const Context& context, const TakeResult& take) {
  const KernelsAsked needed(asked);
  const std::size_t each = needed.kernels.size();
  const std::size_t together = std::max<std::size_t>(jobs_together(engine, context) / each, 1);
  const Table rest = without_values(table);
  std::int64_t wanted = 0;
  for (const SelectOptions& options : asked) wanted = std::max(wanted, options.features);
  for (std::size_t first = 0; first < subsets.size(); first += together) {
    const auto batch = subsets.subspan(first, std::min(together, subsets.size() - first));
    std::vector<ScoreJob> jobs;
    std::vector<std::shared_ptr<const Adjustment>> adjustments;  // of each job
    for (const SampleSubset& subset : batch) {
      const auto target = std::make_shared<const Target>(subset.target);
      const Table part = of_samples(rest, *subset.samples);
      for (const KernelOptions& kernel : needed.kernels) {
        const KernelOptions own = of_part(kernel, part);
        adjustments.push_back(own.adjustment);
        jobs.push_back(
            {.against = target, .kernel = own, .last = engine.features(), .wanted = wanted, .subset = subset.samples});
      }
    }
    Stopwatch watch;
    std::vector<Scores> scores = score_jobs(engine, jobs, context);
    const double share = watch.lap() / static_cast<double>(jobs.size());
    jobs.clear();
    for (std::size_t s = 0; s < batch.size(); ++s) {
      SampleView view(engine, batch[s].samples);
      const Table part = of_samples(rest, *batch[s].samples);
      for (std::size_t a = 0; a < asked.size(); ++a) {
        const Context inner = within(context, fmt::format("{}, {}", batch[s].title, asked[a].method));
        const std::size_t job = s * each + needed.which[a];
        SelectOptions own = asked[a];
        own.kernel.adjustment = adjustments[job];
        Result result = select(view, pool, part, batch[s].target, own, inner, &scores[job]);
        if (result.certificate && !result.certificate->valid) {
          throw NotCertified(
              fmt::format("{}: method {}: a certificate is NOT VALID, so no result is given; please report it",
                          table.path, asked[a].method));
        }
        result.seconds.score = share;
        result.seconds.total += share;
        take(first + s, a, std::move(result));
      }
      for (std::size_t k = 0; k < each; ++k) scores[s * each + k] = {};
    }
  }
}

void SubsetWarnings::add(std::size_t subset, std::span<const std::string> warnings) {
  for (const std::string& warning : warnings) {
    if (std::find(known_.begin(), known_.end(), warning) != known_.end()) continue;
    std::string pattern;
    for (const char c : warning) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) pattern += c;
    }
    const auto found =
        std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) { return kind.pattern == pattern; });
    if (found == kinds_.end()) {
      kinds_.push_back({pattern, warning, false, subset, 1});
      continue;
    }
    found->varies |= warning != found->first;
    if (found->last != subset) ++found->count;
    found->last = subset;
  }
}

std::vector<std::string> SubsetWarnings::list(std::size_t count, const std::string& noun) const {
  std::vector<std::string> warnings;
  for (const Kind& kind : kinds_) {
    warnings.push_back(
        fmt::format("{} ({}in {} of {} {})", kind.first, kind.varies ? "or alike, " : "", kind.count, count, noun));
  }
  return warnings;
}

}  // namespace land
