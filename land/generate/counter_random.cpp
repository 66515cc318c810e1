#include "land/generate/counter_random.h"

#include <array>
#include <bit>
#include <cmath>

namespace land {

namespace {

constexpr int kLayers = 256;
constexpr double kTail = 3.6541528853610088;           // where the lowest layer ends and the tail begins
constexpr double kLayerArea = 4.92867323399780155e-3;  // of every layer, under exp(-x^2/2)

double density(double x) { return std::exp(-0.5 * x * x); }

// Layer i covers |x| < edge[i] between height[i] and height[i + 1]; edge[0] is that of a rectangle with the tail's
// area.
struct Ziggurat {
  std::array<double, kLayers + 1> edge{};
  std::array<double, kLayers + 1> height{};
  Ziggurat() noexcept {
    edge[0] = kLayerArea / density(kTail);
    edge[1] = kTail;
    for (int i = 2; i < kLayers; ++i) {
      edge[i] = std::sqrt(-2.0 * std::log(kLayerArea / edge[i - 1] + density(edge[i - 1])));
    }
    edge[kLayers] = 0.0;
    for (int i = 0; i <= kLayers; ++i) height[i] = density(edge[i]);
  }
};

const Ziggurat kZiggurat;

// Beyond kTail: Marsaglia's exact method.
double tail(std::uint64_t key) {
  for (std::uint64_t turn = 0;; turn += 2) {
    const double x = -std::log(random_uniform(key, turn)) / kTail;
    const double y = -std::log(random_uniform(key, turn + 1));
    if (2.0 * y > x * x) return kTail + x;
  }
}

// The first throw fell outside the inner part of its layer (1 in 80).
double decide(std::uint64_t bits) {
  const std::uint64_t key = scatter(bits);  // a stream for the throws that this number still needs
  for (std::uint64_t turn = 0;; turn += 2) {
    const auto layer = static_cast<std::size_t>(bits & 0xFF);
    const double x = static_cast<double>(bits >> 12) * 0x1p-52 * kZiggurat.edge[layer];
    const double sign = (bits & 0x100) != 0 ? -1.0 : 1.0;
    if (x < kZiggurat.edge[layer + 1]) return sign * x;
    if (layer == 0) return sign * tail(scatter(key ^ turn));
    const double low = kZiggurat.height[layer];
    const double high = kZiggurat.height[layer + 1];
    if (low + random_uniform(key, turn) * (high - low) < density(x)) return sign * x;
    bits = random_bits(key, turn + 1);
  }
}

inline double normal(std::uint64_t key, std::uint64_t counter) {
  const std::uint64_t bits = random_bits(key, counter);
  const auto layer = static_cast<std::size_t>(bits & 0xFF);
  const double x = static_cast<double>(bits >> 12) * 0x1p-52 * kZiggurat.edge[layer];
  if (x >= kZiggurat.edge[layer + 1]) [[unlikely]]
    return decide(bits);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) | ((bits & 0x100) << 55));  // no branch to mispredict
}

}  // namespace

double random_normal(std::uint64_t key, std::uint64_t counter) { return normal(key, counter); }

void random_normals(std::uint64_t key, std::uint64_t first, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(normal(key, first + i));
}

}  // namespace land
