#include "land/kernels/sorted/row_sums.h"

#include <algorithm>
#include <array>

#include "land/kernels/sorted/windows.h"

namespace land {
namespace {

using Place = SortedKernel::Place;

// rows[i] of the samples of one ray, by their ray alone. Returns the sum of their reaches.
double add_ray(const SortedKernel& kernel, std::span<const std::int32_t> ray, std::span<const std::uint8_t> left_out,
               std::span<double> rows) {
  const auto is_counted = [&](std::int32_t sample) {
    return left_out.empty() || left_out[static_cast<std::size_t>(sample)] == 0;
  };
  // Of those nearer to the reference: a_j (1 + up_j down_i).
  double reaches = 0.0;
  double raised = 0.0;
  std::int32_t window = 0;
  for (const std::int32_t sample : ray) {
    const Place& place = kernel.places[static_cast<std::size_t>(sample)];
    if (place.window != window) {
      raised *= shrunk(place.window - window);
      window = place.window;
    }
    if (is_counted(sample)) {  // with itself: 2 a_i
      reaches += place.reach;
      raised += place.reach * place.up;
    }
    rows[static_cast<std::size_t>(sample)] = reaches + (kernel.decays ? raised * place.down : reaches);
  }
  // Of those farther out: a_i (1 + up_i down_j).
  double count = 0.0;
  double lowered = 0.0;
  for (auto t = std::ssize(ray); t-- > 0;) {
    const std::int32_t sample = ray[static_cast<std::size_t>(t)];
    const Place& place = kernel.places[static_cast<std::size_t>(sample)];
    if (place.window != window) {
      lowered *= shrunk(window - place.window);
      window = place.window;
    }
    rows[static_cast<std::size_t>(sample)] += place.reach * (count + (kernel.decays ? place.up * lowered : count));
    if (is_counted(sample)) {
      count += 1.0;
      lowered += place.down;
    }
  }
  return reaches;
}

}  // namespace

void row_sums(const SortedKernel& kernel, std::span<const std::uint8_t> left_out, std::span<double> rows) {
  std::fill(rows.begin(), rows.end(), 0.0);
  std::array<double, SortedKernel::kRays> reaches{};
  for (std::size_t r = 0; r < SortedKernel::kRays; ++r) reaches[r] = add_ray(kernel, kernel.ray(r), left_out, rows);
  if (!kernel.decays) return;
  for (std::size_t r = 0; r < SortedKernel::kRays; ++r) {
    double others = 0.0;
    for (std::size_t s = 0; s < SortedKernel::kRays; ++s) others += s == r ? 0.0 : reaches[s];
    for (const std::int32_t sample : kernel.ray(r)) {
      rows[static_cast<std::size_t>(sample)] += kernel.places[static_cast<std::size_t>(sample)].reach * others;
    }
  }
}

double sum_of_squares(const SortedKernel& kernel) {
  std::array<double, SortedKernel::kRays> squares{};
  double total = 0.0;
  for (std::size_t r = 0; r < SortedKernel::kRays; ++r) {
    // Of those nearer: a_j^2 (1 + E)^2, with E = up_j down_i.
    double once = 0.0;
    double twice = 0.0;
    std::int32_t window = 0;
    double pairs = 0.0;
    double own = 0.0;
    for (const std::int32_t sample : kernel.ray(r)) {
      const Place& place = kernel.places[static_cast<std::size_t>(sample)];
      if (place.window != window) {
        const double factor = shrunk(place.window - window);
        once *= factor;
        twice *= factor * factor;
        window = place.window;
      }
      pairs += kernel.decays ? squares[r] + place.down * (2.0 * once + place.down * twice) : 4.0 * squares[r];
      const double square = place.reach * place.reach;
      own += 4.0 * square;
      squares[r] += square;
      once += square * place.up;
      twice += square * place.up * place.up;
    }
    total += own + 2.0 * pairs;
  }
  if (!kernel.decays) return total;
  const auto& [below, above, missing] = squares;
  return total + 2.0 * (below * above + below * missing + above * missing);
}

}  // namespace land
