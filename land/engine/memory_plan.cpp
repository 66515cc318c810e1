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
  const std::int64_t limit = limited ? context.memory : sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 4 * 3;
  const std::int64_t factor = source.samples() * kFactorColumns * static_cast<std::int64_t>(sizeof(double));
  // Scores, bounds, orders, marks; the program itself and what threads work with; pairs that were evaluated.
  constexpr std::int64_t kEachFeature = 112;
  constexpr std::int64_t kProgram = 12 * kMegabyte;
  constexpr std::int64_t kEachThread = 4 * kMegabyte;
  constexpr std::int64_t kEachSelected = 64 * 1024;
  const std::int64_t strips = 4 * kStripWidth * source.bytes_each();
  const ResidentMemory now = resident_memory();
  const std::int64_t taken = now.all - now.files + kProgram + source.features() * kEachFeature +
                             selected * kEachSelected + context.threads * (kEachThread + strips);
  const std::int64_t least = std::max(8 * kMegabyte, (selected > 0 ? 16 : 1) * factor);
  if (limited && limit - taken < least) {
    throw InputError(fmt::format("--memory {}M: too little for {} features x {} samples; give at least {}M",
                                 limit / kMegabyte, source.features(), source.samples(),
                                 (taken + least) / kMegabyte + 1));
  }
  const std::int64_t rest = std::max(limit - taken, least);
  MemoryPlan plan;
  plan.window = limited ? rest / 2 : 0;
  plan.likely = rest / 8;
  plan.products = std::min(64 * kMegabyte, rest / 16);
  plan.candidates = rest * 5 / 8;
  // Room for twice as many as can be active, and no more: those are cheap to make again.
  constexpr std::int64_t kAtLeast = 32 * kMegabyte;
  plan.factors = std::min(plan.candidates / 2, std::max(kAtLeast, 2 * (selected + 16) * factor));
  return plan;
}

}  // namespace land
