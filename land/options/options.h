// Every option of a selection and its default, once. Front ends read the defaults from here and repeat none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace land {

struct Adjustment;  // land/kernels/adjustment/adjustment.h

enum class Task : std::uint8_t {
  kAuto,
  kClassification,
  kRegression,
  kSurvival,  // times until an event, some censored: --survival, never --task
};
enum class Measure : std::uint8_t { kNhsic, kHsic };
// The kernel of numbers; classes have their own: --kernel.
enum class KernelFamily : std::uint8_t {
  kGaussian,  // exp(-(u - u')^2 / (2 sigma^2))
  kLaplace,   // exp(-|u - u'| / sigma)
  kDistance,  // -|u - u'|: NHSIC is the squared distance correlation
  kLinear,    // u u': NHSIC is the squared correlation
};
enum class FactorKind : std::uint8_t {
  kCholesky,  // pivoted Cholesky, exact to a stated bound: the default
  kNystrom,   // the paper's fixed basis: --bases, --basis
  kFull,      // full n x n kernel matrices: --exact
};

// What becomes of the values of features, and of a numeric target, before kernels see them: --transform.
enum class Transform : std::uint8_t {
  kNone,
  kRank,  // normal scores of their ranks
};

// What becomes of missing values of features: --missing.
enum class Missing : std::uint8_t {
  kError,        // refused
  kMean,         // the mean of the others stands in
  kIgnore,       // mean, deviation and centring over the observed samples; no kernel with the others
  kLevel,        // a value of its own, at no distance to itself and infinitely far from all others
  kDropFeature,  // features that lack a value are left out when the table is read (apply_subset)
};

// All values of each that an option takes, in the order that help texts name them.
inline constexpr std::initializer_list<Task> kTasks = {Task::kAuto, Task::kClassification, Task::kRegression};
inline constexpr std::initializer_list<Measure> kMeasures = {Measure::kNhsic, Measure::kHsic};
inline constexpr std::initializer_list<Transform> kTransforms = {Transform::kNone, Transform::kRank};
inline constexpr std::initializer_list<KernelFamily> kKernelFamilies = {KernelFamily::kGaussian, KernelFamily::kLaplace,
                                                                        KernelFamily::kDistance, KernelFamily::kLinear};
inline constexpr std::initializer_list<Missing> kMissing = {Missing::kError, Missing::kMean, Missing::kIgnore,
                                                            Missing::kLevel, Missing::kDropFeature};

// What `--sigma mix` is short for: a narrow, a middle and a wide kernel.
inline constexpr std::initializer_list<double> kMixedWidths = {0.3, 1.0, 3.0};
inline constexpr std::size_t kMostWidths = 8;

// How features and target become kernels.
struct KernelOptions {
  KernelFamily family = KernelFamily::kGaussian;
  // Width of the Gaussian or Laplacian kernel, after scaling to unit standard deviation. Of several, rising, Gaussian
  // kernels are normalised and added up.
  std::vector<double> sigma = {1.0};
  Measure measure = Measure::kNhsic;
  FactorKind factor = FactorKind::kCholesky;
  Transform transform = Transform::kNone;
  std::vector<double> basis;                               // points of the Nystrom factor, in standard deviations
  Missing missing = Missing::kError;                       // kError and kMean leave no missing value to a kernel
  std::shared_ptr<const Adjustment> adjustment = nullptr;  // what covariates take out of every kernel; null: nothing

  bool operator==(const KernelOptions&) const = default;
};

// How methods that count make levels of numbers: land/methods/information/discretise.h has the rule.
struct Bins {
  std::int64_t count = 5;    // of equal frequencies
  std::vector<double> cuts;  // if there are any, these instead: in standard deviations from the mean, rising
  std::int64_t most() const { return cuts.empty() ? count : static_cast<std::int64_t>(cuts.size()) + 1; }
};

struct SelectOptions {
  std::int64_t features = 100;  // m
  Task task = Task::kAuto;
  std::string method = "land";  // the name of an entry of land/methods
  KernelOptions kernel;
  double ridge = 0.0;          // rho: R_AA + rho I
  std::int64_t landmarks = 0;  // of qpfs: features that stand for all in the matrix of similarities; 0: all of it
  bool plain_path = false;     // the textbook algorithm over all columns of R
  Bins bins;                   // of methods that count
  std::int64_t neighbors = 0;  // of each selected feature, the most redundant: how many to name
  // As many features as the path has where chance alone would come as far, instead of m; at most kMostAutomatic.
  bool automatic = false;
  double alpha = 0.05;            // how often chance may come farther: --alpha
  std::int64_t permutations = 0;  // of the target: how often chance is tried
  std::int64_t seed = 0;          // which permutations
  std::int64_t block_size = 0;    // features per block; 0 chooses by cache size
};

// How often chance is tried if -m auto does not say.
inline constexpr std::int64_t kUsualPermutations = 1000;
inline constexpr std::int64_t kMostAutomatic = 1000;

// How samples are split: every sample is held out once in each repeat.
struct FoldOptions {
  std::int64_t folds = 5;
  std::int64_t repeats = 1;
  std::int64_t seed = 0;
};

// How methods are judged over folds.
struct EvaluateOptions {
  SelectOptions select;                                       // of every selection, but for its method and m
  std::vector<std::string> methods = {"land"};                // names of entries of land/methods
  std::vector<std::int64_t> features = {10, 20, 30, 40, 50};  // every m
  FoldOptions folds;
};

// How stable features are found: by selections from pairs of halves of the samples.
struct StabilityOptions {
  SelectOptions select;                  // from every half, but for its m
  std::optional<std::int64_t> features;  // q, from every half; none: the root of their number, kMostFromHalf at most
  std::int64_t pairs = 50;
  double max_false = 1.0;  // expected number of rarely selected features among the stable ones, at most
  std::int64_t seed = 0;
};
inline constexpr std::int64_t kMostFromHalf = 100;

struct ConvertOptions {
  Missing missing = Missing::kError;                  // anything else: missing values are kept as they are
  std::int64_t memory = std::int64_t{1} << 30U;       // of the whole program, in bytes; 16 features are the least
  std::int64_t block_bytes = std::int64_t{4} << 20U;  // of a block in the store, about
};

// Below this the norm of a centred kernel is zero: its values are lost to underflow. Only with points of a basis far
// from all values.
inline constexpr double kZeroNorm = 1e-60;

// What a centred kernel is multiplied by: 1 / its Frobenius norm, or 1 / n. A kernel that is zero stays so.
constexpr double kernel_scale(Measure measure, double norm, double samples) {
  if (norm < kZeroNorm) return 0.0;
  return 1.0 / (measure == Measure::kNhsic ? norm : samples);
}

// Widths in rising order, for KernelOptions::sigma. Throws InputError if there is none, or one is repeated.
std::vector<double> in_rising_order(std::vector<double> widths);

// The evenly spaced points of `--bases B`: B of them on [-5, 5]. Throws InputError for more than 10,000.
std::vector<double> even_basis(std::int64_t count);

// Throws InputError naming the option when a value makes no sense (m = 0, a sigma that is too small or large, fewer
// than 2 or repeated basis points, points with a kernel that is not Gaussian, a negative ridge, cut points that do not
// rise).
void validate(const SelectOptions& options);
// The same of what is said about folds, and of a method or m that is given twice, or not at all.
void validate(const EvaluateOptions& options);
// The same of what is said about pairs of halves.
void validate(const StabilityOptions& options);

std::string_view to_string(Task task);
std::string_view to_string(Measure measure);
std::string_view to_string(KernelFamily family);
std::string_view to_string(FactorKind factor);
std::string_view to_string(Transform transform);
std::string_view to_string(Missing missing);
// What f and R are computed from, in a word: the kind of factor, or what the kernel has instead.
std::string_view form_name(const KernelOptions& options);

}  // namespace land
