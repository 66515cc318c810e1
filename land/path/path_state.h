// The state of a path and every rule that decides what its next event is: ties, drops, parked features and copies.
// Both solvers use it, so the rules exist once; how the next event is searched for is theirs. docs/math.md, "The path".
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "land/path/cholesky.h"
#include "land/path/path.h"

namespace land {

// Events within this of each other, relative to lambda, happen together: the lowest index goes first.
inline constexpr double kTie = 1e-12;

// Below this, relative to max f, lambda is 0: what would happen there is rounding.
inline constexpr double kZero = 1e-13;

// A parked feature enters after all once its c exceeds lambda by this, relative to max f. While it is active its c is
// off by as much (PathState::enter), and by PathOptions::parked R_kk alpha_k <= 1e-10 max f (Cholesky): together less
// than 1e-9.
inline constexpr double kSlack = 5e-10;

// A candidate for which one active i leaves R_kk - R_ki^2 / R_ii below kCopy, relative to R_kk, and f_k - f_i R_ki /
// R_ii below kCopyRelevance, relative to max f, is a copy of i: it rides at c = lambda for as long as i is active, and
// cannot enter. The first alone would let near copies ride sqrt(kCopy) of the residual above lambda.
inline constexpr double kCopy = 1e-13;
inline constexpr double kCopyRelevance = 1e-11;

// c_k on a segment: u + lambda q, with u = f_k - sum_i R_ki a0_i and q = sum_i R_ki w_i.
struct Line {
  double u = 0.0;
  double q = 0.0;
  double at(double lambda) const { return u + lambda * q; }
};

// The active set A, the segment below the last knot, alpha(lambda) = a0 - lambda w with a0 = (R_AA + rho I)^-1 f_A and
// w = (R_AA + rho I)^-1 1, and the knots so far. Positions 0 .. size() - 1 are A in order of entry.
class PathState {
 public:
  static constexpr double kNever = -1.0;

  explicit PathState(const PathOptions& options);

  std::int64_t size() const { return static_cast<std::int64_t>(active_.size()); }
  double lambda() const { return lambda_; }
  std::span<const double> a0() const { return a0_; }
  std::span<const double> w() const { return w_; }
  double alpha(std::int64_t position, double lambda) const { return a0_[position] - lambda * w_[position]; }

  // Only an entry above this is an event: where the first coefficient returns to zero, or where the path ends.
  double floor() const { return has_drop() ? drop_lambda_ : end(); }
  bool has_drop() const { return drop_position_ >= 0; }

  // Where k enters if its line is exact: lambda() if it is above already, kNever if never on this segment.
  double entry(FeatureId k, Line line, bool parked) const;

  // The earliest that k can enter if `line` is an upper bound of c_k that holds for exact arithmetic: never below
  // entry() of the true line, whatever the rounding.
  double entry_bound(FeatureId k, Line line, bool parked) const;

  // Whether k, with these R_ki in order of A, adds too little to A to enter.
  bool is_singular(std::span<const double> row, double r_kk) const;

  // Whether k is a copy of i; r is R_ki. Copies of a standardised feature have its R_ii too, so that R_kk is needed
  // only if may_be_copy.
  bool may_be_copy(double r, double r_ii) const { return ridge_ == 0.0 && r > (1.0 - 1e-6) * r_ii; }
  bool is_copy(double r, double r_ii, double r_kk, double f_i, double f_k) const;

  // The knot at `lambda` <= lambda(), the value of entry(). Returns false if |A| = m already: the path has ended here.
  struct Entrant {
    FeatureId feature = -1;
    double f = 0.0;
    Line line;
    double r_kk = 0.0;
    std::span<const double> row;  // R_ki in order of A
  };
  bool enter(const Entrant& entrant, double lambda);

  // The knot at floor(), if has_drop(); returns the position that left.
  std::int64_t drop();

  // The end at the least lambda.
  void finish(bool candidate_left);

  Path take_path() { return std::move(path_); }

 private:
  double end() const { return std::max(least_lambda_, kZero * scale_); }
  double slack(FeatureId k, bool parked) const;
  bool is_held(FeatureId k) const;
  void solve_segment();
  void find_drop();
  void move_to(double lambda);
  std::vector<double> coefficients(double lambda, std::int64_t dropped) const;
  void record(PathEvent event, FeatureId feature, std::int64_t dropped);

  std::int64_t limit_;
  double ridge_;
  double least_lambda_;
  double parked_;
  std::function<void(std::int64_t)> on_knot_;

  double lambda_ = std::numeric_limits<double>::max();
  double scale_ = 0.0;  // max f, known at the first knot
  std::vector<FeatureId> active_;
  std::vector<double> f_;  // as they entered: see enter()
  Cholesky cholesky_;
  std::vector<double> a0_;
  std::vector<double> w_;
  double rounding_ = 0.0;  // bounds what rounding does to a line of this segment
  double drop_lambda_ = 0.0;
  std::int64_t drop_position_ = -1;
  std::vector<FeatureId> held_;  // dropped at this lambda, and so not to enter at it
  Path path_;
};

// The features that would enter on a segment, and which of them does: the lowest index within kTie of the first.
class Contest {
 public:
  // True if what enters at `key` can no longer matter.
  bool is_decided(double key) const { return key < best_ * (1.0 - kTie); }

  void add(double key, FeatureId feature, std::int64_t handle);

  bool empty() const { return entries_.empty(); }
  struct Entry {
    double key = 0.0;
    FeatureId feature = -1;
    std::int64_t handle = -1;
  };
  Entry winner() const;

 private:
  double best_ = PathState::kNever;
  std::vector<Entry> entries_;
};

}  // namespace land
