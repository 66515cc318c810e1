#include "land/kernels/scoring/scorer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "land/kernels/points/standardise.h"
#include "land/kernels/scoring/form_scorer.h"
#include "land/kernels/scoring/strip_forms.h"

namespace land {
namespace {

// Beyond this relative uncertainty of ||HKH||^2 the feature is scored exactly.
constexpr double kLoose = 0.02;

// The square, its root being moved.
double moved_root(double square, double by) {
  if (by == 0.0) return square;
  const double root = std::max(std::sqrt(std::max(square, 0.0)) + by, 0.0);
  return root * root;
}

}  // namespace

// Up to 16 features in float32, side by side.
struct Scorer::Strip {
  const float* values = nullptr;
  std::array<std::int64_t, kStripWidth> position{};  // in the block; -1 for none
  StripMap map{};
  double half_range = 0.0;       // of the widest feature, in widths of the kernel
  double deviation_error = 0.0;  // the largest
};

Scorer::Scorer(const Target& target, const Factor& target_factor, const KernelOptions& options)
    : target_factor_(target_factor),
      kernels_(options),
      options_(kernels_.options()),
      samples_(target.size()),
      contrasts_(target.has_classes() ? class_contrasts_of(target)
                                      : number_contrasts_of(target, target_factor, options_.sigma)),
      tables_(std::make_unique<ChebyshevTables>(kTruncation / static_cast<double>(samples_),
                                                contrasts_->sum_roundings())) {}

Scorer::~Scorer() = default;

void Scorer::score(const FeatureBlock& block, std::span<Score> scores) const {
  static thread_local AlignedBuffer<float> packed;
  packed.resize(static_cast<std::size_t>(samples_ * kStripWidth));

  Strip strip;
  std::int64_t lanes = 0;           // used in `packed`
  std::int64_t group = -1;          // whose features these are, of 16 each
  const std::byte* base = nullptr;  // of the strip that stands in the block
  const auto start = [&](const float* values) {
    strip = Strip{};
    strip.values = values;
    strip.position.fill(-1);
  };
  const auto flush = [&] {
    if (strip.values != nullptr) score_strip(strip, block, scores);
    strip.values = nullptr;
    lanes = 0;
    base = nullptr;
  };
  const auto add = [&](std::int64_t lane, std::int64_t k, const FeatureStats& stats) {
    const auto l = static_cast<std::size_t>(lane);
    const double width = stats.deviation * options_.sigma;
    strip.position[l] = k;
    strip.map.middle[l] = static_cast<float>(0.5 * (stats.minimum + stats.maximum));
    strip.map.scale[l] = static_cast<float>(1.0 / width);  // the half-range is put in when it is known
    const double middle = static_cast<double>(strip.map.middle[l]);
    const double reach = std::max(stats.maximum - middle, middle - stats.minimum) / width;
    strip.half_range = std::max(strip.half_range, reach * (1.0 + 1e-5));
    strip.deviation_error = std::max(strip.deviation_error, stats.deviation_error);
  };

  for (std::int64_t k = 0; k < block.features(); ++k) {
    const FeatureView view = block.view(k);
    const FeatureHeader& header = *view.header;
    Score& score = scores[static_cast<std::size_t>(k)];
    const bool sparse_counts = header.encoding == Encoding::kSparseCodes && header.missing == 0;
    const bool codes = header.encoding == Encoding::kCodes || header.encoding == Encoding::kPacked2;
    const bool has_gaps = header.missing > 0 && options_.missing != Missing::kMean;
    if (header.constant) {
      score = Score{};
    } else if (!kernels_.of(view).has_bounds() ||
               (!sparse_counts && !codes && (is_coded(header.encoding) || has_gaps))) {
      score = score_exactly(view);  // few levels are cheap
    } else if (sparse_counts) {
      score = score_sparse(view);
    } else if (codes) {
      score = score_codes(view);
    } else if (header.stride == kStripWidth) {
      const std::int64_t lane = header.offset / static_cast<std::int64_t>(sizeof(float)) % kStripWidth;
      const std::byte* here = view.data - lane * static_cast<std::int64_t>(sizeof(float));
      // Where float32 cannot hold the scale, the feature is standardised on its own.
      const double width = header.stats.deviation * options_.sigma;
      if (width < 1e-36 || width > 1e36 || header.stats.maximum - header.stats.minimum > 1e38) {
        score = score_exactly(view);
        continue;
      }
      if (here != base) {
        flush();
        start(reinterpret_cast<const float*>(here));
        base = here;
      }
      add(lane, k, header.stats);
    } else {
      // Strips are those of the table, whatever the block: bounds depend on neighbours.
      if (base != nullptr || header.id / kStripWidth != group) flush();
      if (lanes == 0) start(packed.data());
      group = header.id / kStripWidth;
      // Standardised in double, then rounded: |error| <= 2^-24 |u|, as for values that are float32 to begin with.
      const Points points = standardise(view, options_.missing, Repeats::kKeep);
      FeatureStats stats{points.u[0], points.u[0], 1.0, 1e-12};
      for (std::int64_t i = 0; i < samples_; ++i) {
        const double u = points.u[static_cast<std::size_t>(i)];
        stats.minimum = std::min(stats.minimum, u);
        stats.maximum = std::max(stats.maximum, u);
        packed[static_cast<std::size_t>(i * kStripWidth + lanes)] = static_cast<float>(u);
      }
      add(lanes, k, stats);
      ++lanes;
    }
  }
  flush();
}

void Scorer::score_strip(const Strip& strip, const FeatureBlock& block, std::span<Score> scores) const {
  const ChebyshevTable* table = tables_->at_least(strip.half_range);
  if (table == nullptr) {
    // One wide feature should not cost its neighbours: they are few, and this is rare.
    for (const std::int64_t k : strip.position) {
      if (k >= 0) scores[static_cast<std::size_t>(k)] = score_exactly(block.view(k));
    }
    return;
  }
  StripMap map = strip.map;
  for (float& scale : map.scale) scale = static_cast<float>(static_cast<double>(scale) / table->half_range);

  const auto n = static_cast<double>(samples_);
  const auto size = static_cast<std::size_t>(table->degree + 1) * kStripWidth;
  static thread_local AlignedBuffer<float> contrasts;
  static thread_local AlignedBuffer<float> means;
  means.resize(size);
  contrasts_->of_strip(strip.values, map, table->degree, means.data(), contrasts);
  const auto count = static_cast<std::int64_t>(contrasts.size() / size);
  StripForms forms;
  strip_forms(*table, {contrasts.data(), contrasts.size()}, count, {means.data(), means.size()}, forms);

  const ChebyshevExpansion& kernel = table->kernel;
  const double moved = 2.1 * kHalfUlp * table->half_range;  // of a sample, in widths of the kernel, by rounding t
  const double scale_error = strip.deviation_error + 2.1 * kHalfUlp;
  const double stretch = 1.0 + 44.0 * scale_error;  // of the numerator, by a wrong deviation; (13)
  const double weight = contrasts_->weight();
  const double per_weight = weight * (moved + kernel.roundoff);
  const double form_error = (table->degree + 8) * kHalfUlp * kernel.norm;
  const double truncation = (kernel.truncation + 1e-10) * weight * weight;
  // Of the mean kernel's embedding, and of the mean squared kernel's.
  const double mean_error = moved + kernel.roundoff + scale_error + form_error + kernel.truncation;
  const double square_error = 1.5 * moved + table->squared.roundoff + scale_error + form_error;
  const double fixed_error = table->squared.truncation + 2.0 * square_error + 8.0 * mean_error + 8e-6;
  // What the target's kernel holds beyond the columns used.
  const double left_out =
      contrasts_->left_out() + (options_.factor == FactorKind::kFull ? target_factor_.residual : 0.0);
  const double beyond = left_out * target_factor_.norm * target_factor_.scale;
  for (std::size_t lane = 0; lane < kStripWidth; ++lane) {
    const std::int64_t k = strip.position[lane];
    if (k < 0) continue;
    const double centred = static_cast<double>(forms.centred[lane]);
    const double centred_error = static_cast<double>(forms.centred_error[lane]) +
                                 2.0 * kHalfUlp * static_cast<double>(forms.roundoff[lane]) + fixed_error;
    if (!(centred_error < kLoose * centred)) {
      scores[static_cast<std::size_t>(k)] = score_exactly(block.view(k));
      continue;
    }
    const double root = std::sqrt(static_cast<double>(forms.contrast[lane]));
    const double root_error =
        100.0 * kHalfUlp * root + per_weight + form_error * std::sqrt(static_cast<double>(forms.contrast_size[lane]));
    const double high_root = root + root_error;
    const double numerator = moved_root(high_root * high_root * stretch + truncation, contrasts_->error());
    const double low_norm = n * std::sqrt(centred - centred_error);
    const double high_norm = n * std::sqrt(centred + centred_error);
    const double scale = kernel_scale(options_.measure, low_norm, n);
    // The feature's own factor may fall short of its kernel by its residual: f rises by at most that share.
    const double bound =
        numerator * scale * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + beyond * scale * high_norm;
    const double low_root = std::max(root - root_error, 0.0);
    const double low_numerator = moved_root(low_root * low_root / stretch - truncation, -contrasts_->error());
    const double low = low_numerator * kernel_scale(options_.measure, high_norm, n) * target_factor_.scale;
    scores[static_cast<std::size_t>(k)] = score_between(low - factor_error(high_norm), bound, high_norm);
  }
}

Score Scorer::score_exactly(const FeatureView& feature) const {
  const Factor factor = kernels_.factor(feature);
  return exact_score(redundancy(factor, target_factor_), size_of(factor), size_of(target_factor_), options_);
}

// The kernels' own f, which the other ways bound, and f of the factors differ by the residuals of these.
double Scorer::factor_error(double norm) const {
  const double scale = kernel_scale(options_.measure, norm, static_cast<double>(samples_));
  return kFactorsApart * scale * norm * target_factor_.scale * target_factor_.norm;
}

}  // namespace land
