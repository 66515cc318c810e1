// The regularisation path of NHSIC Lasso and what it rests on. docs/math.md, section "The path".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "land/path/pair_oracle.h"

namespace land {

struct PathOptions {
  std::int64_t features = 100;  // m
  double ridge = 0.0;           // rho
  // Called at every knot with the number of active features; may throw to stop the work.
  std::function<void(std::int64_t active)> on_knot;
  // A candidate whose Schur complement against the active set is below this, relative to R_kk + rho, is parked.
  double parked = 1e-10;
  double least_lambda = 0.0;  // where the path ends, if it comes so far
};

enum class PathEvent : std::uint8_t { kEnter, kDrop, kEnd };
enum class PathStop : std::uint8_t { kFeaturesReached, kLambdaReached, kLambdaZero, kNoCandidate };
std::string_view to_string(PathStop stop);  // m_reached | lambda_reached | lambda_zero | no_candidate

struct Knot {
  double lambda = 0.0;
  PathEvent event = PathEvent::kEnter;
  FeatureId feature = -1;  // who enters or drops; at the end who would enter, or -1
  // Of the active set at this lambda in order of entry, the entering feature (0) included, the dropping one (0) too.
  std::vector<std::pair<FeatureId, double>> coefficients;
};

// What the solver relied on for one touched feature.
struct TouchedFeature {
  FeatureId feature = 0;
  bool refined = false;                          // f_k itself was asked for, not only its bound
  bool parked = false;                           // at the end of the path
  std::vector<std::pair<FeatureId, int>> pairs;  // (i, highest stage evaluated)
};

// What a list of these takes, about.
std::int64_t bytes_of(std::span<const TouchedFeature> touched);

struct Path {
  std::vector<Knot> knots;  // lambda falls (weakly); the last one is kEnd
  PathStop stop = PathStop::kLambdaZero;
  std::vector<TouchedFeature> touched;       // active ones included, in the order they were touched
  std::vector<std::int64_t> pairs_by_stage;  // evaluations made at each stage 1 .. stages()
};

// Both solvers take an upper bound of every feature's relevance; a negative bound leaves the feature out (constant).
// Given the same f and R they return the same knots: events, features, lambdas and coefficients.

// The lazy path: evaluates only what decides the next event, best first, in stages (math.md, "The lazy path is exact").
Path solve_lazy_path(std::span<const double> relevance_bound, PairOracle& oracle, const PathOptions& options);

// The textbook algorithm: all f, and a column of R over all features whenever one enters. O(d m) evaluations.
Path solve_plain_path(std::span<const double> relevance_bound, PairOracle& oracle, const PathOptions& options);

}  // namespace land
