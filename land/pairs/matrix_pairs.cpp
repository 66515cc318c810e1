#include "land/pairs/matrix_pairs.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace land {
namespace {

class MatrixForm final : public ExactForm {
 public:
  explicit MatrixForm(FullKernel made) : matrix(std::move(made)) {}
  std::int64_t bytes() const override { return static_cast<std::int64_t>(matrix.values.size() * sizeof(double)); }

  FullKernel matrix;
};

const FullKernel& matrix_of(const Candidate& candidate) {
  return static_cast<const MatrixForm&>(*candidate.exact).matrix;
}

ExactForms matrices(std::int64_t samples) {
  return {[](const FeatureView& feature, const Kernels& kernels) {
            return std::make_unique<const MatrixForm>(kernels.full(feature));
          },
          samples * samples * static_cast<std::int64_t>(sizeof(double))};
}

}  // namespace

MatrixPairs::MatrixPairs(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores,
                         const FullKernel& target_kernel, const KernelOptions& options, const MemoryPlan& limits)
    : Candidates(engine, pool, context, scores, options, limits, matrices(engine.samples())),
      target_kernel_(target_kernel) {}

void MatrixPairs::evaluate_exactly(std::span<const CandidatePair> pairs, std::span<double> out) {
  // One pair at a time: never more full matrices than the limits allow, or two.
  for (const auto& [request, k, i] : pairs) {
    holdings().make(std::array{k, i});
    out[request] = inner_product(matrix_of(*k), matrix_of(*i));
  }
}

double MatrixPairs::relevance_of(const Candidate& candidate) const {
  return inner_product(matrix_of(candidate), target_kernel_);
}

}  // namespace land
