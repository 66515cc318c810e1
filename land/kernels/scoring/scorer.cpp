#include "land/kernels/scoring/scorer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "land/kernels/points/rank_scores.h"
#include "land/kernels/points/standardise.h"
#include "land/kernels/points/usual_norm.h"
#include "land/kernels/scoring/form_scorer.h"

namespace land {
namespace {

// Beyond this relative uncertainty of ||HKH||^2 the feature is scored exactly. Of several widths, that of one matters
// less.
double loose(std::size_t widths) { return widths == 1 ? 0.02 : 0.05; }

constexpr std::size_t kMostWidthPairs = place_of_pair(0, kMostWidths);

std::unique_ptr<const Contrasts> contrasts_of(const Target& target, const Factor& target_factor,
                                              const KernelOptions& options) {
  if (target.has_classes()) return class_contrasts_of(target);
  if (target.is_linear()) return column_contrasts_of(target_factor);
  std::vector<double> values = target.values;
  if (options.transform == Transform::kRank) rank_scores(values);
  return number_contrasts_of(values, target_factor, options.sigma.front());
}

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

// What the forms of a strip can be off by; (13) and (14).
struct Scorer::Errors {
  struct OfKernel {
    double per_weight = 0.0;  // of the root of the numerator
    double form = 0.0;        // the same, relative to the size of the contrasts
    double truncation = 0.0;  // of the numerator
    double mean = 0.0;        // of the mean kernel's embedding
  };
  std::array<OfKernel, kMostWidths> kernels{};
  std::array<double, kMostWidthPairs> pairs{};  // of the mean product of two kernels, centred
  double stretch = 1.0;                         // of the numerator, by a wrong deviation
  double beyond = 0.0;                          // what the target's kernel holds beyond the columns used
};

Scorer::Scorer(const Target& target, const Factor& target_factor, const KernelOptions& options)
    : Scorer(contrasts_of(target, target_factor, options), target_factor, options) {}

Scorer::Scorer(const Factor& target_factor, const KernelOptions& options)
    : Scorer(column_contrasts_of(target_factor), target_factor, options) {}

Scorer::Scorer(std::unique_ptr<const Contrasts> contrasts, const Factor& target_factor, const KernelOptions& options)
    : target_factor_(target_factor),
      kernels_(options),
      options_(kernels_.options()),
      samples_(target_factor.samples),
      usual_norms_(options_.sigma.size(), 1.0),
      contrasts_(std::move(contrasts)),
      tables_(std::make_unique<ChebyshevTables>(options_.sigma, static_cast<double>(samples_),
                                                contrasts_->sum_roundings())) {
  if (options_.sigma.size() == 1) return;
  for (std::size_t w = 0; w < options_.sigma.size(); ++w) usual_norms_[w] = usual_norm(options_.sigma[w]);
}

Scorer::~Scorer() = default;

void Scorer::score(const FeatureBlock& block, const Context& context, std::span<Score> scores) const {
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
    const double width = stats.deviation * options_.sigma.front();
    strip.position[l] = k;
    strip.map.middle[l] = static_cast<float>(0.5 * (stats.minimum + stats.maximum));
    strip.map.scale[l] = static_cast<float>(1.0 / width);  // the half-range is put in when it is known
    const double middle = static_cast<double>(strip.map.middle[l]);
    const double reach = std::max(stats.maximum - middle, middle - stats.minimum) / width;
    strip.half_range = std::max(strip.half_range, reach * (1.0 + 1e-5));
    strip.deviation_error = std::max(strip.deviation_error, stats.deviation_error);
  };

  for (std::int64_t k = 0; k < block.features(); ++k) {
    context.check_stop();
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
    } else if (header.stride == kStripWidth && options_.transform == Transform::kNone) {
      const std::int64_t lane = header.offset / static_cast<std::int64_t>(sizeof(float)) % kStripWidth;
      const std::byte* here = view.data - lane * static_cast<std::int64_t>(sizeof(float));
      // Where float32 cannot hold the scale, the feature is standardised on its own.
      const double width = header.stats.deviation * options_.sigma.front();
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
      const Points points = standardise(view, options_.missing, options_.transform, Repeats::kKeep);
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

  const auto size = static_cast<std::size_t>(table->degree + 1) * kStripWidth;
  static thread_local AlignedBuffer<float> contrasts;
  static thread_local AlignedBuffer<float> means;
  means.resize(size);
  contrasts_->of_strip(strip.values, map, table->degree, means.data(), contrasts);
  const auto count = static_cast<std::int64_t>(contrasts.size() / size);
  static thread_local StripForms forms;
  strip_forms(*table, {contrasts.data(), contrasts.size()}, count, {means.data(), means.size()}, forms);

  const Errors errors = errors_of(*table, strip.deviation_error);
  for (std::size_t lane = 0; lane < kStripWidth; ++lane) {
    const std::int64_t k = strip.position[lane];
    if (k < 0) continue;
    const std::optional<Score> score = score_lane(forms, errors, lane);
    scores[static_cast<std::size_t>(k)] = score ? *score : score_exactly(block.view(k));
  }
}

Scorer::Errors Scorer::errors_of(const ChebyshevTable& table, double deviation_error) const {
  Errors errors;
  const double scale_error = deviation_error + 2.1 * kHalfUlp;
  const double weight = contrasts_->weight();
  std::array<double, kMostWidths> moved{};  // of a sample, in widths of the kernel, by rounding t
  const auto form_error = [](const ChebyshevExpansion& kernel) { return (kernel.degree + 8) * kHalfUlp * kernel.norm; };
  errors.stretch = 1.0 + 44.0 * scale_error;
  for (std::size_t w = 0; w < table.kernels.size(); ++w) {
    const ChebyshevExpansion& kernel = table.kernels[w];
    moved[w] = 2.1 * kHalfUlp * table.half_range * (options_.sigma.front() / options_.sigma[w]);
    errors.kernels[w] = {weight * (moved[w] + kernel.roundoff), form_error(kernel),
                         (kernel.truncation + 1e-10) * weight * weight,
                         moved[w] + kernel.roundoff + scale_error + form_error(kernel) + kernel.truncation};
    for (std::size_t v = 0; v <= w; ++v) {
      const ChebyshevExpansion& product = table.products[place_of_pair(v, w)];
      const double square_error = 1.5 * moved[v] + product.roundoff + scale_error +
                                  std::max(form_error(table.kernels[v]), form_error(table.kernels[w]));
      errors.pairs[place_of_pair(v, w)] =
          product.truncation + 2.0 * square_error + 4.0 * (errors.kernels[v].mean + errors.kernels[w].mean) + 8e-6;
    }
  }
  const double left_out =
      contrasts_->left_out() + (options_.factor == FactorKind::kFull ? target_factor_.residual : 0.0);
  errors.beyond = left_out * target_factor_.norm * target_factor_.scale;
  return errors;
}

std::optional<Score> Scorer::score_lane(const StripForms& forms, const Errors& errors, std::size_t lane) const {
  const auto n = static_cast<double>(samples_);
  const std::size_t widths = forms.kernels.size();
  const auto pair = [&](std::size_t v, std::size_t w) {
    const std::size_t place = place_of_pair(v, w);
    const PairForm& form = forms.pairs[place];
    const double error = static_cast<double>(form.centred_error[lane]) +
                         2.0 * kHalfUlp * static_cast<double>(form.roundoff[lane]) + errors.pairs[place];
    return std::pair(static_cast<double>(form.centred[lane]), error);
  };
  const double size = std::sqrt(static_cast<double>(forms.contrast_size[lane]));
  // Of normalised kernels added up: <K, L> from above and below, what lies beyond the target's columns, and the square
  // of the norm.
  double high = 0.0;
  double low = 0.0;
  double beyond = 0.0;
  double high_square = 0.0;
  double low_square = 0.0;
  std::array<double, kMostWidths> low_norms{};
  std::array<double, kMostWidths> high_norms{};
  for (std::size_t w = 0; w < widths; ++w) {
    const auto [centred, centred_error] = pair(w, w);
    if (!(centred_error < loose(widths) * centred)) return std::nullopt;
    const Errors::OfKernel& error = errors.kernels[w];
    const double root = std::sqrt(static_cast<double>(forms.kernels[w].contrast[lane]));
    const double root_error = 100.0 * kHalfUlp * root + error.per_weight + error.form * size;
    const double high_root = root + root_error;
    const double low_root = std::max(root - root_error, 0.0);
    low_norms[w] = n * std::sqrt(centred - centred_error);
    high_norms[w] = n * std::sqrt(centred + centred_error);
    const double scale = kernel_scale(options_.measure, low_norms[w], n);
    high += moved_root(high_root * high_root * errors.stretch + error.truncation, contrasts_->error()) * scale;
    low += moved_root(low_root * low_root / errors.stretch - error.truncation, -contrasts_->error()) *
           kernel_scale(options_.measure, high_norms[w], n);
    beyond = std::max(beyond, errors.beyond * scale * high_norms[w]);
    high_square += 1.0;
    low_square += 1.0;
    for (std::size_t v = 0; v < w; ++v) {
      const auto [common, common_error] = pair(v, w);
      const double most = (common + common_error) * n * n / (low_norms[v] * low_norms[w]);
      high_square += 2.0 * std::clamp(most, 0.0, 1.0);
      low_square += 2.0 * std::max(common - common_error, 0.0) * n * n / (high_norms[v] * high_norms[w]);
    }
  }
  const double high_norm = std::sqrt(high_square);
  const double low_norm = std::sqrt(low_square);
  // The feature's own factor may fall short of its kernel by its residual: f rises by at most that share.
  const double bound =
      high / low_norm * target_factor_.scale * (1.0 + 1.1 * kFactorResidual) + beyond * (high_norm / low_norm);
  const double norm = sketch_norm(widths == 1 ? high_norms[0] : high_norm, std::span(high_norms).first(widths));
  return score_between(low / high_norm * target_factor_.scale - factor_error(high_norms[0]), bound, norm);
}

// A sum of kernels k_w / N_w of norm M is above min_w (usual_w / N_w) / M times the sum of k_w / usual_w, in the order
// of positive semidefinite matrices; of that one the sketches are.
double Scorer::sketch_norm(double norm, std::span<const double> norms) const {
  if (usual_norms_.size() == 1) return norm;
  double most = 0.0;
  for (std::size_t w = 0; w < norms.size(); ++w) most = std::max(most, norms[w] / usual_norms_[w]);
  return norm * most;
}

Score Scorer::score_exactly(const FeatureView& feature) const {
  const Factor factor = kernels_.factor(feature);
  FormSize size = size_of(factor);
  if (!factor.part_norms.empty()) size.sketched = sketch_norm(size.norm * (1.0 + size.residual), factor.part_norms);
  return exact_score(redundancy(factor, target_factor_), size, size_of(target_factor_), options_);
}

// The kernels' own f, which the other ways bound, and f of the factors differ by the residuals of these.
double Scorer::factor_error(double norm) const {
  const double scale = kernel_scale(options_.measure, norm, static_cast<double>(samples_));
  return kFactorsApart * scale * norm * target_factor_.scale * target_factor_.norm;
}

}  // namespace land
