#include "land/kernels/families/kernel_form.h"

namespace land {

FormSize size_of(const Factor& factor) {
  return {factor.norm, factor.scale, factor.residual, 0.0, factor.bytes(), factor.columns};
}

FormSize size_of(const KernelForm& form) {
  if (const auto* factor = std::get_if<Factor>(&form)) return size_of(*factor);
  const auto& sorted = std::get<SortedKernel>(form);
  return {sorted.norm, sorted.scale, 0.0, kSortedRounding, sorted.bytes(), 0};
}

double redundancy(const KernelForm& a, const KernelForm& b) {
  const auto* left = std::get_if<Factor>(&a);
  const auto* right = std::get_if<Factor>(&b);
  if (left != nullptr && right != nullptr) return redundancy(*left, *right);
  if (left != nullptr) return redundancy(std::get<SortedKernel>(b), *left);
  if (right != nullptr) return redundancy(std::get<SortedKernel>(a), *right);
  return redundancy(std::get<SortedKernel>(a), std::get<SortedKernel>(b));
}

}  // namespace land
