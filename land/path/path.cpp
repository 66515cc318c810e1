#include "land/path/path.h"

namespace land {

std::string_view to_string(PathStop stop) {
  switch (stop) {
    case PathStop::kFeaturesReached:
      return "m_reached";
    case PathStop::kLambdaReached:
      return "lambda_reached";
    case PathStop::kLambdaZero:
      return "lambda_zero";
    case PathStop::kNoCandidate:
      return "no_candidate";
  }
  return "";
}

std::int64_t bytes_of(std::span<const TouchedFeature> touched) {
  std::size_t bytes = touched.size_bytes();
  for (const TouchedFeature& one : touched) bytes += one.pairs.capacity() * sizeof(one.pairs[0]);
  return static_cast<std::int64_t>(bytes);
}

}  // namespace land
