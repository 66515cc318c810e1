#include "land/methods/information/spec_cmi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "land/base/option.h"
#include "land/methods/best_of.h"
#include "land/methods/chosen.h"
#include "land/methods/information/information.h"

namespace land {
namespace {

constexpr std::int64_t kMostFeatures = 20'000;
constexpr std::int64_t kMegabyte = 1 << 20;

std::int64_t bytes_of_matrix(std::int64_t features) {
  return features * features * static_cast<std::int64_t>(sizeof(double));
}

// In an order that does not depend on anything but the size.
double product(const double* a, const double* b, std::size_t size) {
  constexpr std::size_t kLanes = 8;
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < size; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// Q, of `candidates`, row by row.
std::vector<double> matrix_of(const Setting& setting, const Information& information,
                              const std::vector<std::size_t>& candidates) {
  const std::size_t d = candidates.size();
  std::vector<double> matrix(d * d);
  std::vector<JointCounts> joint(static_cast<std::size_t>(setting.pool.threads()));
  setting.pool.run(static_cast<std::int64_t>(d), [&](std::int64_t item, int worker) {
    setting.context.check_stop();
    const auto s = d - 1 - static_cast<std::size_t>(item);  // the longest rows first
    const Partner partner = information.partner(candidates[s], Partner::With::kAndTarget);
    matrix[s * d + s] = information.nats(information.with_target(candidates[s]));
    for (std::size_t k = 0; k < s; ++k) {
      const std::int64_t both =
          information.with_target_given_each_other(candidates[k], partner, joint[static_cast<std::size_t>(worker)]);
      matrix[s * d + k] = matrix[k * d + s] = 0.5 * information.nats(both);
    }
    if (worker == 0) setting.context.report("pairs", static_cast<double>(item), static_cast<double>(d));
  });
  return matrix;
}

// By multiplying a vector of ones again and again: Q has no negative entry, so it converges to one without, too.
std::vector<double> dominant_vector(const Setting& setting, const std::vector<double>& matrix, std::size_t d) {
  constexpr int kMostRounds = 10'000;
  constexpr double kChange = 1e-14;  // of an entry of the largest, that is the end
  std::vector<double> vector(d, 1.0 / std::sqrt(static_cast<double>(d)));
  std::vector<double> next(d);
  for (int round = 0; round < kMostRounds; ++round) {
    setting.pool.run(static_cast<std::int64_t>((d + 63) / 64), [&](std::int64_t item, int) {
      setting.context.check_stop();
      const auto first = static_cast<std::size_t>(item) * 64;
      for (std::size_t k = first; k < std::min(d, first + 64); ++k) {
        next[k] = product(matrix.data() + k * d, vector.data(), d);
      }
    });
    const double length = std::sqrt(product(next.data(), next.data(), d));
    if (length == 0.0) return vector;  // nothing tells anything
    double change = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < d; ++k) {
      next[k] /= length;
      change = std::max(change, std::abs(next[k] - vector[k]));
      largest = std::max(largest, next[k]);
    }
    vector.swap(next);
    if (change <= kChange * largest) break;
  }
  return vector;
}

class SpectralInformation final : public Method {
 public:
  void check(const Setting& setting) const override {
    check_level_memory(setting);
    const std::int64_t d = setting.engine.features();
    const std::int64_t bytes = bytes_of_matrix(d);
    if (d > kMostFeatures) {
      throw InputError(
          fmt::format("{}: it is meant for up to {} features, and all pairs of {} take {}M; leave features "
                      "out, or use {}",
                      option("method", setting.options.method), kMostFeatures, d, bytes / kMegabyte + 1,
                      option("method", {"jmi", "cmim"})));
    }
    if (bytes > setting.memory) refuse(setting, d);
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Information information(setting);
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; k < information.features(); ++k) {
      if (!information.is_constant(k)) candidates.push_back(k);
    }
    if (bytes_of_matrix(std::ssize(candidates)) > information.memory_left()) refuse(setting, std::ssize(candidates));
    const std::vector<double> matrix = matrix_of(setting, information, candidates);
    const std::vector<double> vector = dominant_vector(setting, matrix, candidates.size());
    // Copies have the same entry but for rounding: a tie.
    std::vector<std::pair<FeatureId, double>> entries;
    for (std::size_t t = 0; t < candidates.size(); ++t) entries.emplace_back(static_cast<FeatureId>(t), vector[t]);
    const auto entry_of = [&](std::span<const FeatureId> features, std::span<double> out) {
      for (std::size_t t = 0; t < features.size(); ++t) out[t] = vector[static_cast<std::size_t>(features[t])];
    };
    std::int64_t looked_at = 0;
    std::vector<Chosen> chosen;
    for (const auto& [t, value] : best_of(std::move(entries), setting.options.features, entry_of, looked_at)) {
      chosen.push_back({information.id(candidates[static_cast<std::size_t>(t)]), value});
    }
    record_chosen(chosen, pairs, result);
  }

 private:
  [[noreturn]] static void refuse(const Setting& setting, std::int64_t d) {
    throw InputError(fmt::format("{}: all pairs of {} features take {}M, and there are {}M; raise {}, or use {}",
                                 option("method", setting.options.method), d, bytes_of_matrix(d) / kMegabyte + 1,
                                 setting.memory / kMegabyte, option("memory"), option("method", {"jmi", "cmim"})));
  }
};

}  // namespace

std::unique_ptr<Method> make_spec_cmi() { return std::make_unique<SpectralInformation>(); }

}  // namespace land
