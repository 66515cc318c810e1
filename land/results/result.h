// The result of a selection: everything the reports print, nothing else. docs/output.md describes the fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "land/data/matching.h"
#include "land/options/options.h"
#include "land/results/target_summary.h"

namespace land {

struct SelectedFeature {
  std::int64_t index = 0;  // 0-based, counts all features of the file, those left out as well
  std::string name;
  double relevance = 0.0;                // f_k, refined in double
  std::optional<double> coefficient;     // alpha_k at the end of the path
  std::optional<double> lambda_entered;  // of its last entry
  std::vector<std::int64_t> identical;   // features equal to it up to sign, shift and scale
  std::vector<std::string> identical_names{};
  struct Neighbor {
    std::int64_t index = 0;
    std::string name;
    double redundancy = 0.0;  // R with this feature
  };
  std::vector<Neighbor> neighbors{};  // the most redundant features, in falling order of R; if asked for
  // What permutations say of its relevance; if there were any.
  std::optional<double> p_fwer{};
  std::optional<double> expected_by_chance{};
  std::optional<double> q{};
  std::optional<double> score{};  // what the method chose it by, if that is neither relevance nor coefficient
};

struct PathStep {
  double lambda = 0.0;
  enum class Event : std::uint8_t { kEnter, kDrop, kEnd } event = Event::kEnter;
  std::optional<std::int64_t> index;  // who enters or drops; at the end who would have entered, if anyone
  std::vector<std::pair<std::int64_t, double>> coefficients;  // of the active set at this lambda, in order of entry
};

struct CertificateSummary {
  double max_violation = 0.0;  // largest violation of the optimality conditions, relative to max f
  double tolerance = 0.0;      // what counts as satisfied
  bool valid = false;          // max_violation <= tolerance, no bound exceeded, parked ones within 1e-6
  std::int64_t knots_checked = 0;
  std::int64_t features_evaluated = 0;  // by value: every f and R recomputed in double
  std::int64_t features_bounded = 0;    // by an upper bound of their score
  std::int64_t features_parked = 0;     // numerically inside the span of the active set: see docs/math.md
  double parked_violation = 0.0;        // the largest excess among those, relative to max f
  std::int64_t bounds_sampled = 0;      // untouched features whose f was recomputed
  double max_bound_excess = 0.0;        // largest f minus bound among those; <= 0 when every bound held
};

// The permutations that p-values rest on.
struct PermutationSummary {
  std::int64_t made = 0;
  std::int64_t distinct = 0;  // arrangements of the target that there are
  bool are_all = false;       // whether these are all of them
  bool within_strata = false;
  bool approximate = false;
  bool ended_early = false;
  std::vector<double> largest;         // relevance over all features, of each permutation
  double p_of_largest = 1.0;           // p_fwer of the most relevant feature
  std::optional<double> least_lambda;  // of -m auto
};

struct Result {
  std::string version;
  std::string command;  // the command line, when there is one
  SelectOptions options;

  // What covariates take out of every kernel.
  struct AdjustmentSummary {
    struct Covariate {
      std::string name;
      std::int64_t levels = 0;  // of a nominal one; 0: it is numeric
    };
    std::vector<Covariate> covariates;
    std::int64_t columns = 0;            // that all kernels are projected off, the constant included
    std::optional<std::int64_t> strata;  // if all covariates are nominal: cells of their cross that have samples
    double target_left = 1.0;            // norm of the target's kernel after, as a share of that before
    Matching matching{};
    struct Explained {
      std::int64_t index = 0;
      std::string name;
    };
    std::vector<Explained> explained{};  // features of which nothing is left
  };
  std::optional<AdjustmentSummary> adjustment;

  struct Data {
    std::string path;
    std::int64_t features = 0;
    std::int64_t samples = 0;
    std::int64_t constant_features = 0;
    std::int64_t nominal_features = 0;
    std::optional<std::int64_t>
        distinct_features;  // up to shift, scale and sign; where it costs next to nothing to tell
    std::int64_t missing_values = 0;
    std::string fingerprint;
    std::string id_column{};  // of a text table; empty: none
    Matching matching{};
    std::vector<LeftOut> left_out{};
  } data;

  TargetSummary target;

  struct FactorSummary {
    double residual_bound = 0.0;  // largest proved relative error of f and R over all factors used
    double mean_columns = 0.0;
  } factor;

  std::vector<SelectedFeature> selected;        // in order of entry, those active at the end
  std::vector<std::vector<double>> redundancy;  // R among the selected; empty without a path of kernels
  // Those that entered but were not active at the end, by index, without a coefficient; of each R with the selected,
  // then with the dropped up to itself. With them every earlier knot of the path is a selection as complete as this.
  std::vector<SelectedFeature> dropped;
  std::vector<std::vector<double>> dropped_redundancy;
  std::optional<double> lambda;  // at the end of the path
  std::optional<PermutationSummary> permutations;
  std::vector<PathStep> path;
  std::string stopped;  // m_reached | lambda_reached | lambda_zero | no_candidate; empty without a path
  // Numbers that this method alone has, by name.
  std::vector<std::pair<std::string, double>> figures;
  std::optional<CertificateSummary> certificate;

  struct Work {
    std::int64_t features_scored = 0;
    std::int64_t features_copied = 0;  // left out beforehand: an earlier feature has the same values
    std::int64_t features_touched = 0;
    std::vector<std::int64_t> pairs_by_stage;  // lower bounds of 2 and 4 columns, then full
    std::int64_t pairs_full_algorithm = 0;     // what the textbook algorithm would have evaluated
  } work;

  struct EngineSummary {
    std::string name;
    std::int64_t workers = 0;
    std::int64_t jobs = 0;
    std::int64_t bytes_moved = 0;
    double seconds = 0.0;
  } engine;

  struct Seconds {
    double read = 0.0, score = 0.0, permute = 0.0, path = 0.0, certify = 0.0, total = 0.0;
  } seconds;

  std::vector<std::string> warnings;
};

}  // namespace land
