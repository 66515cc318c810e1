#include "land/engine/memory_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "land/error.h"
#include "land/resident_memory.h"

namespace land {
namespace {

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;

}  // namespace

MemoryPlan plan_memory(const FeatureSource& source, std::int64_t selected, const Context& context) {
  const bool limited = context.memory > 0;
  const std::int64_t value = static_cast<std::int64_t>(sizeof(double));
  const std::int64_t factor = source.samples() * kFactorColumns * value;
  // Scores, bounds, orders, marks; the program itself and what threads work with; pairs that were evaluated.
  constexpr std::int64_t kEachFeature = 112;
  constexpr std::int64_t kProgram = 12 * kMegabyte;
  constexpr std::int64_t kEachThread = 4 * kMegabyte;
  constexpr std::int64_t kEachSelected = 64 * 1024;
  const ResidentMemory now = resident_memory();
  const std::int64_t taken = now.all - now.files + kProgram + source.features() * kEachFeature +
                             selected * kEachSelected + context.threads * kEachThread;
  // A thread scores a block of strips, and a copy of it where the file is not to be in memory.
  const std::int64_t strip = kStripWidth * source.bytes_each();
  const std::int64_t blocks =
      context.threads * std::min(std::max(4 * strip, kMegabyte), std::max(strip, 16 * kMegabyte));
  const std::int64_t windows = limited ? context.threads * strip : 0;
  // Two factors, and what makes them.
  const std::int64_t least = std::max({8 * kMegabyte, (selected > 0 ? 3 : 1) * factor, blocks + windows});
  const std::int64_t machine = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 4 * 3;
  if (limited && context.memory - taken < least) {
    throw InputError(fmt::format("--memory {}M: too little for {} features x {} samples; give at least {}M",
                                 context.memory / kMegabyte, source.features(), source.samples(),
                                 (taken + least) / kMegabyte + 1));
  }
  // Without a limit, a few times what the data take; or two gigabytes, if these hold the factors of all that can be
  // active: a path that lacks some of those makes them again at every step.
  constexpr std::int64_t kUsual = 512 * kMegabyte;
  constexpr std::int64_t kForFactors = 2048 * kMegabyte;
  constexpr double kTimesData = 3.25;
  const auto data = static_cast<double>(source.features() * source.bytes_each());
  const std::int64_t active = (std::min(selected, source.features()) + 16) * factor;
  const std::int64_t useful =
      std::max({kUsual, static_cast<std::int64_t>(kTimesData * data) - factor /* the target's */,
                active <= kForFactors ? active / 3 * 4 + kUsual : 0});
  const std::int64_t rest = std::max(limited ? context.memory - taken : std::min(machine - taken, useful), least);
  MemoryPlan plan;
  plan.likely = rest / 8;
  plan.window = limited ? std::max(windows, std::min(rest / 2, rest - plan.likely - blocks)) : 0;
  plan.products = std::min(64 * kMegabyte, rest / 16);
  plan.candidates = limited ? rest * 5 / 8 : rest - plan.likely - plan.products;
  // Room for twice as many as can be active, and no more: those are cheap to make again. Where factors are large, those
  // that can be active come first: values and sketches are had again far sooner.
  constexpr std::int64_t kAtLeast = 32 * kMegabyte;
  constexpr std::int64_t kFew = 8;
  const std::int64_t values = kFew * source.samples() * 2 * value;
  const std::int64_t most = std::max({plan.candidates / 2, std::min(kFew * factor, plan.candidates - values),
                                      limited ? 0 : std::min(active, plan.candidates / 8 * 7),
                                      std::min(2 * factor, plan.candidates / 16 * 15)});
  plan.least = std::min(plan.candidates, std::max(2 * kMegabyte, 2 * factor));
  plan.aside = selected * kEachSelected;
  plan.factors = std::min(most, std::max(kAtLeast, 2 * (selected + 16) * factor));
  return plan;
}

}  // namespace land
