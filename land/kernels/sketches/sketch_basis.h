// The functions that sketches have for columns, the same for all features. docs/math.md, (7).
#pragma once

#include <array>
#include <span>
#include <vector>

namespace land {

inline constexpr int kSketchColumns = 4;

// kSketchColumns functions of u, orthonormal in the kernel's own Hilbert space: the leading principal axes of the
// centred kernel for normally distributed u. They are the same for all features, so no feature needs an
// eigendecomposition, and orthonormality makes ||S_k^T S_j||_F^2 <= <HK_kH, HK_jH> whatever the features' distributions
// are.
// Of several widths, the kernel is their sum, each divided by its usual_norm().
class SketchBasis {
 public:
  explicit SketchBasis(std::span<const double> sigma);

  static constexpr int kTerms = 8;  // Mercer functions combined

  // s(u) = exp(-decay u^2) * polynomial(u^2), times u if odd: the density is even, so each axis is even or odd.
  struct Function {
    bool odd = false;
    std::array<double, kTerms / 2> polynomial{};  // from the constant term up
  };
  double decay = 0.0;
  std::array<Function, kSketchColumns> functions{};

  // Of several widths a function is a sum of the kernels of all at a few landmarks instead.
  struct Width {
    double sigma = 0.0;
    std::vector<double> map;  // [landmark][function]
  };
  std::vector<double> landmarks;
  std::vector<Width> widths;

 private:
  void combine_mercer(double sigma);
  void combine_landmarks(std::span<const double> sigma);
};

}  // namespace land
