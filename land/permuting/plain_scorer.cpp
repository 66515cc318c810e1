#include "land/permuting/plain_scorer.h"

#include <algorithm>
#include <vector>

#include "land/kernels/families/kernels.h"
#include "land/permuting/permutations.h"

namespace land {
namespace {

Target permuted(const Target& target, std::span<const std::int32_t> order) {
  Target result = target;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    if (target.has_classes()) {
      result.labels[i] = target.labels[from];
    } else {
      result.values[i] = target.values[from];
    }
  }
  return result;
}

// <A, P B P'>.
double permuted_product(const FullKernel& a, const FullKernel& b, std::span<const std::int32_t> order) {
  const auto n = static_cast<std::size_t>(a.samples);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* left = a.values.data() + i * n;
    const double* right = b.values.data() + static_cast<std::size_t>(order[i]) * n;
    double row = 0.0;
    for (std::size_t j = 0; j < n; ++j) row += left[j] * right[order[j]];
    sum += row;
  }
  return sum;
}

class PlainScorer final : public PermutedScorer {
 public:
  explicit PlainScorer(const PermutationJob& job) : kernels_(job.kernel), begin_(job.begin), floor_(job.floor) {
    const Permutations permutations = permutations_of(*job.target, job.kernel, job.seed, job.asked);
    const bool full = job.kernel.factor == FactorKind::kFull;
    if (full) matrix_ = kernels_.full(*job.target);
    orders_.assign(static_cast<std::size_t>(job.end - job.begin),
                   std::vector<std::int32_t>(static_cast<std::size_t>(job.target->size())));
    for (std::size_t b = 0; b < orders_.size(); ++b) {
      permutations.order(job.begin + static_cast<std::int64_t>(b), orders_[b]);
      if (!full) forms_.push_back(kernels_.form(permuted(*job.target, orders_[b])));
    }
  }

  void score(const FeatureBlock& block, FeatureId first, FeatureId last, const Context& context,
             PermutedScores& scores) const override {
    for (std::int64_t k = 0; k < block.features(); ++k) {
      const FeatureView feature = block.view(k);
      if (feature.header->constant || feature.header->id < first || feature.header->id >= last) continue;
      if (forms_.empty()) {
        const FullKernel matrix = kernels_.full(feature);
        for (std::size_t b = 0; b < orders_.size(); ++b) {
          context.check_stop();
          note(feature.header->id, b, permuted_product(matrix, matrix_, orders_[b]), scores);
        }
        continue;
      }
      const KernelForm form = kernels_.form(feature);
      for (std::size_t b = 0; b < forms_.size(); ++b) {
        context.check_stop();
        note(feature.header->id, b, redundancy(form, forms_[b]), scores);
      }
    }
  }

 private:
  void note(FeatureId feature, std::size_t b, double relevance, PermutedScores& scores) const {
    scores.note(feature, static_cast<std::int64_t>(b) + begin_, relevance, floor_);
  }

  Kernels kernels_;
  std::int64_t begin_;
  double floor_;
  std::vector<std::vector<std::int32_t>> orders_;
  std::vector<KernelForm> forms_;  // of the permuted targets; or
  FullKernel matrix_;              // of the target as it is
};

}  // namespace

std::shared_ptr<const PermutedScorer> make_plain_scorer(const PermutationJob& job) {
  return std::make_shared<PlainScorer>(job);
}

}  // namespace land
