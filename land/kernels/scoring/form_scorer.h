// Every feature from its own form: for kernels without bounds.
#pragma once

#include <span>

#include "land/kernels/families/kernel_form.h"
#include "land/kernels/families/kernels.h"
#include "land/kernels/scoring/feature_scorer.h"

namespace land {

class FormScorer final : public FeatureScorer {
 public:
  FormScorer(const KernelForm& target_form, const KernelOptions& options)
      : target_form_(target_form), kernels_(options) {}

  void score(const FeatureBlock& block, const Context& context, std::span<Score> scores) const override;
  Score score_exactly(const FeatureView& feature) const override;

 private:
  const KernelForm& target_form_;
  Kernels kernels_;
};

// The score of a feature whose f was computed from these forms.
Score exact_score(double f, const FormSize& feature, const FormSize& target, const KernelOptions& options);

// The score of these bounds of f, and of this one of the norm.
Score score_between(double low, double bound, double norm);

}  // namespace land
