// The Gaussian kernel as a polynomial, with what its truncation and float32 sums can be off by. docs/math.md,
// (10)-(14).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace land {

inline constexpr double kHalfUlp = 0x1p-24;  // the unit roundoff of float32

// On t, t' in [-1, 1] with half-range s (in units of the kernel's width):
//   exp(-s^2 (t-t')^2 / 2) = sum_{p} (B_p T(t)) (B_p T(t')) + error,  |error| <= truncation,
// T(t) = (T_0(t), ..., T_D(t)), each row B_p holding only even or only odd degrees.
struct ChebyshevExpansion {
  struct Row {
    int parity = 0;
    std::vector<float> coefficients;  // of T_parity, T_parity+2, ...
  };
  std::vector<Row> rows;
  int degree = 0;           // of the highest row
  double truncation = 0.0;  // sup norm over the square
  double roundoff = 0.0;  // sqrt(sum_ab |C_ab| kappa_a kappa_b) 2^-24: error of ||B z|| per unit of sum |weight|, (13)
  double norm = 0.0;      // ||B||_F
};

// Of kernels of one or several widths.
struct ChebyshevTable {
  double half_range = 0.0;                   // s, in the narrowest width
  int degree = 0;                            // D, even
  std::vector<ChebyshevExpansion> kernels;   // exp(-s^2 d^2 / 2), by width
  std::vector<ChebyshevExpansion> products;  // of each two of them, and their squares: see place_of_pair()
  std::vector<double> roundings;             // kappa_k: how many half-ulps a mean of T_k can be off by, (12)
};

// Where the product of two widths, v <= w, stands.
constexpr std::size_t place_of_pair(std::size_t v, std::size_t w) { return w * (w + 1) / 2 + v; }

// Tables by half-range, made when first asked for. Thread-safe.
class ChebyshevTables {
 public:
  // `widths`: of the kernels, rising. `samples`: the truncation allowed falls with them. `sum_roundings`: of the
  // longest chain of float32 additions behind a sum of T_k.
  ChebyshevTables(std::vector<double> widths, double samples, double sum_roundings);

  static constexpr int kMostDegree = 160;

  // The table of the smallest tabulated half-range that is at least `half_range`; nullptr if that is too wide, or the
  // degree would exceed kMostDegree.
  const ChebyshevTable* at_least(double half_range);

 private:
  static constexpr double kStep = 0.25;
  static constexpr double kMostHalfRange = 40.0;
  static constexpr std::size_t kSlots = static_cast<std::size_t>(kMostHalfRange / kStep) + 1;
  std::unique_ptr<ChebyshevTable> make_table(double half_range) const;

  std::vector<double> widths_;
  double samples_;
  double most_half_range_;
  double sum_roundings_;
  std::array<std::once_flag, kSlots> once_;
  std::array<std::unique_ptr<ChebyshevTable>, kSlots> tables_;
};

// Truncation of the kernel, times the number of samples: relevances that matter are of order 1/n or more.
inline constexpr double kTruncation = 1e-3;

}  // namespace land
