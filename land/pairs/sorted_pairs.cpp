#include "land/pairs/sorted_pairs.h"

#include <cmath>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace land {
namespace {

class SortedForm final : public ExactForm {
 public:
  explicit SortedForm(KernelForm made) : form(std::move(made)) {}
  std::int64_t bytes() const override { return size_of(form).bytes; }

  KernelForm form;
};

const KernelForm& form_of(const Candidate& candidate) { return static_cast<const SortedForm&>(*candidate.exact).form; }

ExactForms forms(std::int64_t samples) {
  return {[](const FeatureView& feature, const Kernels& kernels) {
            return std::make_unique<const SortedForm>(kernels.form(feature));
          },
          sorted_kernel_bytes(samples)};
}

}  // namespace

SortedPairs::SortedPairs(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                         const KernelForm& target_form, const KernelOptions& options, const MemoryPlan& limits)
    : Candidates(engine, pool, context, scores, options, limits, forms(engine.samples())), target_form_(target_form) {}

std::span<Candidate* const> SortedPairs::made_ahead(std::span<Candidate* const> needed) {
  return needed.size() <= holdings().exact_together() ? needed : std::span<Candidate* const>();
}

double SortedPairs::relevance_of(const Candidate& candidate) const {
  return redundancy(form_of(candidate), target_form_);
}

void SortedPairs::evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) {
  // As many at a time as their forms fit.
  const std::size_t most = holdings().exact_together();
  std::unordered_set<Candidate*> needed;
  for (std::size_t first = 0, last = 0; first < pairs.size(); first = last) {
    needed.clear();
    for (; last < pairs.size(); ++last) {
      const std::size_t more = needed.contains(pairs[last].k) + needed.contains(pairs[last].i);
      if (needed.size() + 2 - more > most && last > first) break;
      needed.insert({pairs[last].k, pairs[last].i});
    }
    holdings().make(std::vector<Candidate*>(needed.begin(), needed.end()));
    evaluate_made(pairs.subspan(first, last - first), out);
  }
}

void SortedPairs::evaluate_made(std::span<const CandidatePair> pairs, std::span<double> out) const {
  const auto n = static_cast<double>(holdings().samples());
  holdings().run(std::ssize(pairs), 8.0 * n * std::log2(n), [&](std::int64_t item, int) {
    const auto& [request, k, i] = pairs[static_cast<std::size_t>(item)];
    // The lower id first, so that (k, i) and (i, k) are one computation.
    const bool rising = k->feature < i->feature;
    out[request] = redundancy(form_of(*(rising ? k : i)), form_of(*(rising ? i : k)));
  });
}

}  // namespace land
