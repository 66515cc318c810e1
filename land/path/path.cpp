#include "land/path/path.h"

namespace land {

std::string_view to_string(PathStop stop) {
  switch (stop) {
    case PathStop::kFeaturesReached:
      return "m_reached";
    case PathStop::kLambdaZero:
      return "lambda_zero";
    case PathStop::kNoCandidate:
      return "no_candidate";
  }
  return "";
}

}  // namespace land
