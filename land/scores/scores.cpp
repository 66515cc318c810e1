#include "land/scores/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace land {
namespace {

float round_up(double x) {
  const auto above = static_cast<float>(x * (1.0 + 1e-7));  // by more than the rounding
  return static_cast<double>(above) >= x ? above : std::nextafter(above, std::numeric_limits<float>::infinity());
}

}  // namespace

void Scores::resize(std::int64_t features) {
  const auto count = static_cast<std::size_t>(features);
  relevance.resize(count);
  norm.resize(count);
  error.resize(count);
  checksums.resize(count);
}

void Scores::set(std::size_t position, const Score& score) {
  relevance[position] = score.relevance;
  norm[position] = round_up(score.norm);
  error[position] = round_up(score.error);
}

void Scores::place(const Scores& part) {
  const std::int64_t at = part.first - first;
  std::copy(part.relevance.begin(), part.relevance.end(), relevance.begin() + at);
  std::copy(part.norm.begin(), part.norm.end(), norm.begin() + at);
  std::copy(part.error.begin(), part.error.end(), error.begin() + at);
  std::copy(part.checksums.begin(), part.checksums.end(), checksums.begin() + at);
}

std::int64_t Scores::constant() const { return std::count(relevance.begin(), relevance.end(), kConstant); }

std::vector<FeatureId> Scores::explained() const {
  std::vector<FeatureId> features;
  for (std::size_t k = 0; k < relevance.size(); ++k) {
    if (relevance[k] == kExplained) features.push_back(first + static_cast<FeatureId>(k));
  }
  return features;
}

}  // namespace land
