// The kernels exp(-|u - u'| / sigma) and -|u - u'| of values on a line, by the order of the values: exact, without a
// matrix and without a factor. docs/math.md, "Other kernels".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/kernels/factors/factor.h"
#include "land/options/options.h"

namespace land {

// Instead of K it has K'_ij = K_ij - K_i0 - K_0j + K_00, 0 being a reference point in the midst of the values: the same
// after centring, never negative, and small where few values differ, so that little cancels when it is centred. The
// values stand on rays that begin at the reference: those below, those above, and the missing ones (Missing::kLevel).
// With a_i the distance of a sample, or 1 - K_i0 if the kernel decays, and i no farther out than j,
//   K'_ij = a_i (1 + E_ij) on one ray, E_ij = 1, or exp(-|u_i - u_j| / sigma) if the kernel decays,
//         = 0, or a_i a_j if the kernel decays, on two.
struct SortedKernel {
  static constexpr std::size_t kRays = 3;

  struct Place {
    double reach = 0.0;       // a_i
    double up = 1.0;          // E_ij = up_i down_j exp(-kWindow (window_j - window_i)): neither over- nor underflows
    double down = 1.0;        //
    std::int32_t window = 0;  //
    std::int32_t rank = -1;   // in `order`; -1: at the reference, or left out
  };

  bool decays = false;
  std::int64_t samples = 0;
  std::int64_t members = 0;  // that it is centred over: all, or those that have a value (Missing::kIgnore)
  double scale = 0.0;        // as of a Factor
  double norm = 0.0;
  std::array<std::int32_t, kRays + 1> begins{};  // ray r is order[begins[r]] to before order[begins[r + 1]]
  std::vector<std::int32_t> order;               // samples by ray, from the reference outwards
  std::vector<Place> places;                     // of every sample
  std::vector<double> rows;                      // sums of the rows of K'
  double total = 0.0;                            // their sum
  std::vector<std::uint8_t> left_out;            // 1: not a member; empty if all are

  std::size_t ray_of(std::int32_t rank) const {
    return static_cast<std::size_t>(rank >= begins[1]) + static_cast<std::size_t>(rank >= begins[2]);
  }
  std::span<const std::int32_t> ray(std::size_t r) const {
    return std::span(order).subspan(static_cast<std::size_t>(begins[r]),
                                    static_cast<std::size_t>(begins[r + 1] - begins[r]));
  }
  std::int64_t bytes() const;
};

// Of what a sample takes in all of the above.
std::int64_t sorted_kernel_bytes(std::int64_t samples);

// KernelFamily::kLaplace or kDistance, which options.family says. The bits depend on the values alone, not on their
// encoding. Cost: O(n log n).
SortedKernel sorted_kernel(const FeatureView& feature, const KernelOptions& options);
// Of plain values, none of them missing: the target's.
SortedKernel sorted_kernel(const std::vector<double>& values, const KernelOptions& options);

// What roundings may make R of such kernels differ from that of full matrices, relative to the product of the scaled
// norms: an ample margin. (1e-14, mostly; up to 1e-12 where sigma is 0.001.)
inline constexpr double kSortedRounding = 1e-11;

// R of two: O(n log n).
double redundancy(const SortedKernel& a, const SortedKernel& b);
// Of one and of classes (class_factor), or of the columns of numbers of a stored factor: O(n), for each of its columns.
double redundancy(const SortedKernel& a, const Factor& other);

}  // namespace land
