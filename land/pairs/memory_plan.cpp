#include "land/pairs/memory_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/base/resident_memory.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/factors/factor.h"

namespace land {
namespace {

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;

}  // namespace

MemoryPlan plan_memory(const Shape& shape, std::int64_t selected, const Context& context) {
  const bool limited = context.memory > 0;
  const std::int64_t value = static_cast<std::int64_t>(sizeof(double));
  const std::int64_t factor = factor_bytes(shape.samples);
  // Scores, bounds, orders, marks; the program itself and what threads work with; pairs that were evaluated.
  constexpr std::int64_t kEachFeature = 112;
  constexpr std::int64_t kProgram = 12 * kMegabyte;
  constexpr std::int64_t kEachThread = 4 * kMegabyte;
  constexpr std::int64_t kEachSelected = 64 * 1024;
  const ResidentMemory now = resident_memory();
  // Pages of files that are not the data's are those of libraries: some of them where this is a part of a larger
  // program.
  const std::int64_t program = std::max(kProgram, now.files - shape.mapped_bytes);
  const std::int64_t taken = now.all - now.files + program + shape.features * kEachFeature + selected * kEachSelected +
                             context.threads * kEachThread;
  // A thread scores a block of strips, and a copy of it where the file is not to be in memory.
  const std::int64_t strip = kStripWidth * shape.bytes_each;
  const std::int64_t blocks =
      context.threads * std::min(std::max(4 * strip, kMegabyte), std::max(strip, 16 * kMegabyte));
  const std::int64_t windows = limited ? context.threads * strip : 0;
  // Two factors, and what makes them; or what is scored at a time, beside an eighth for likely features.
  const std::int64_t least = std::max({8 * kMegabyte, (selected > 0 ? 3 : 1) * factor, (blocks + windows) / 7 * 8});
  const std::int64_t machine = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 4 * 3;
  if (limited && context.memory - taken < least) {
    throw InputError(fmt::format("{}: too little for {} features x {} samples; give at least {}",
                                 option("memory", MemorySize{context.memory}), shape.features, shape.samples,
                                 amount({taken + least + kMegabyte})));
  }
  // Without a limit, a few times what the data take; or two gigabytes, if these hold the factors of all that can be
  // active: a path that lacks some of those makes them again at every step. Less where there are very many samples, and
  // the target alone takes as much as the data.
  constexpr std::int64_t kForFactors = 2048 * kMegabyte;
  const bool streamed = shape.samples >= kLeastStreamed;
  const std::int64_t usual = (streamed ? 256 : 512) * kMegabyte;
  const std::int64_t data = shape.features * shape.bytes_each / 4 * (streamed ? 8 : 13);
  const std::int64_t active = (std::min(selected, shape.features) + 16) * factor;
  const std::int64_t useful = std::max({usual, data, active <= kForFactors && !streamed ? active / 3 * 4 + usual : 0});
  const std::int64_t rest = std::max(limited ? context.memory - taken : std::min(machine - taken, useful), least);
  MemoryPlan plan;
  plan.likely = rest / 8;
  // A small file may stay in memory beside what the solver holds.
  const bool stays = !limited || shape.mapped_bytes <= rest / 4;
  plan.window = stays ? 0 : std::max(windows, std::min(rest / 2, rest - plan.likely - blocks));
  // To test products takes a column of each factor, which is all that a streamed one takes itself.
  plan.products = streamed ? 0 : std::min(64 * kMegabyte, rest / 16);
  plan.candidates = limited ? rest * 5 / 8 : rest - plan.likely - plan.products;
  // Room for twice as many as can be active, and no more: those are cheap to make again. Where factors are large, those
  // that can be active come first: values and sketches are had again far sooner.
  constexpr std::int64_t kAtLeast = 32 * kMegabyte;
  constexpr std::int64_t kFew = 8;
  const std::int64_t values = kFew * shape.samples * 2 * value;
  const std::int64_t most = streamed ? plan.candidates / 3  // a factor takes half of what values and sketch do
                                     : std::max({plan.candidates / 2, std::min(kFew * factor, plan.candidates - values),
                                                 limited ? 0 : std::min(active, plan.candidates / 8 * 7),
                                                 std::min(2 * factor, plan.candidates / 16 * 15)});
  plan.least = std::min(plan.candidates, std::max(2 * kMegabyte, 2 * factor));
  plan.aside = selected * kEachSelected;
  plan.factors = std::min(most, std::max(kAtLeast, 2 * (selected + 16) * factor));
  return plan;
}

}  // namespace land
