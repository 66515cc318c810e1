#include "land/permuting/factor_scorer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "land/kernels/factors/column_products.h"
#include "land/kernels/families/kernels.h"
#include "land/permuting/axis_products.h"
#include "land/permuting/target_axes.h"

namespace land {
namespace {

constexpr auto kWide = static_cast<std::size_t>(kStripWidth);

// Leading axes of a feature that its bound is made of: 6 up to 1,000 samples, and one more for every 2.6-fold, in whole
// threes. docs/math.md has how many evaluations that leaves.
std::size_t leading_axes(std::int64_t samples) {
  const double more = std::log(std::max(static_cast<double>(samples) / 1000.0, 1.0)) / std::log(2.6);
  return kAxesTogether * (2 + static_cast<std::size_t>(std::ceil(more / static_cast<double>(kAxesTogether))));
}

void clear(AlignedBuffer<float>& buffer, std::size_t size) {
  buffer.resize(size);
  std::fill(buffer.begin(), buffer.end(), 0.0F);
}

std::span<float> all_of(AlignedBuffer<float>& buffer) { return {buffer.data(), buffer.size()}; }

// Up to 16 features, and what bounds their permuted relevances.
struct Group {
  std::array<FeatureId, kWide> id{};
  std::array<Factor, kWide> factors;
  std::size_t size = 0;
  AlignedBuffer<float> axes;           // [three or six axes][sample][axis][lane]
  AlignedBuffer<float> high, low;      // [axis][lane]: see add_axis_products
  std::array<double, kWide> always{};  // of every permutation
  AlignedBuffer<float> most, least;    // [column][lane]
  DenseColumns permuted;               // of the target
  std::vector<double> products;
};

class FactorScorer final : public PermutedScorer {
 public:
  explicit FactorScorer(const PermutationJob& job)
      : kernels_(job.kernel),
        begin_(job.begin),
        floor_(job.floor),
        target_(job),
        axes_(leading_axes(job.target->size())) {}

  void score(const FeatureBlock& block, FeatureId first, FeatureId last, const Context& context,
             PermutedScores& scores) const override {
    static thread_local Group group;
    group.size = 0;
    for (std::int64_t k = 0; k < block.features(); ++k) {
      const FeatureView feature = block.view(k);
      if (feature.header->constant || feature.header->id < first || feature.header->id >= last) continue;
      context.check_stop();
      group.id[group.size] = feature.header->id;
      Factor factor = kernels_.factor(feature);
      if (factor.scale == 0.0) continue;  // covariates explain it
      // The factor of classes is not turned to its axes.
      group.factors[group.size] =
          feature.header->nominal ? turned_to_axes(std::move(factor)) : stored_by_sample(std::move(factor));
      if (++group.size == kWide) score_group(group, scores);
    }
    if (group.size > 0) score_group(group, scores);
  }

 private:
  void lay_out(Group& group) const;
  void bound(Group& group) const;
  void score_group(Group& group, PermutedScores& scores) const;

  Kernels kernels_;
  std::int64_t begin_;
  double floor_;
  TargetAxes target_;
  std::size_t axes_;
};

// Axes of unit length, and what the bound is made of:
//   f <= sum_ij l_i mu_j g_ij + l_(p+1) sum_j mu_j (1 - sum_i g_ij) + mu_(q+1) sum_i l_i (1 - sum_j g_ij)
//        + sum_s l_(p+s) mu_(q+s),
// the last being what the others of both can have in common. Products are rounded: g^2 is at most
// (1 + w) of what was found and (1 + 1/w) e^2, at least (1 - w) of it less e^2 / w.
void FactorScorer::lay_out(Group& group) const {
  const std::size_t n = target_.columns().samples;
  clear(group.axes, n * axes_ * kWide);
  clear(group.high, axes_ * kWide);
  clear(group.low, axes_ * kWide);
  const std::span<const double> held = target_.held();
  const std::span<const double> rest = target_.rest();
  const double of_target = std::accumulate(held.begin(), held.end(), 0.0);
  const double next_of_target = rest.empty() ? 0.0 : rest[0];
  constexpr double kWeight = 1e-3;
  const double error = axis_product_error(n);
  for (std::size_t l = 0; l < group.size; ++l) {
    const Factor& factor = group.factors[l];
    const std::vector<double> of_feature = held_by_columns(factor);
    const std::size_t used = std::min(axes_, of_feature.size());
    const double next = used < of_feature.size() ? of_feature[used] : 0.0;
    double always = next * of_target;
    for (std::size_t s = 0; used + s < of_feature.size() && s < rest.size(); ++s)
      always += of_feature[used + s] * rest[s];
    for (std::size_t a = 0; a < used; ++a) {
      const double above = std::max(of_feature[a] - next, 0.0);
      group.high[a * kWide + l] = static_cast<float>(above * (1.0 + 1.1 * kWeight));
      group.low[a * kWide + l] = static_cast<float>(of_feature[a] * (1.0 - 1.1 * kWeight));
      always += next_of_target * of_feature[a];
      always += error * error *
                (above * of_target * (1.0 + 1.0 / kWeight) +
                 of_feature[a] * next_of_target * static_cast<double>(held.size()) / kWeight);
      if (of_feature[a] <= 0.0) continue;
      const double unit = std::sqrt(factor.scale / of_feature[a]);
      float* to = group.axes.data() + (a / (2 * kAxesTogether)) * n * 2 * kAxesTogether * kWide;
      const std::size_t together = std::min(2 * kAxesTogether, axes_ - a / (2 * kAxesTogether) * 2 * kAxesTogether);
      to += a % (2 * kAxesTogether) * kWide + l;
      for (std::size_t i = 0; i < n; ++i) {
        to[i * together * kWide] =
            static_cast<float>(factor.stored.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(a)) * unit);
      }
    }
    group.always[l] = always;
  }
}

void FactorScorer::bound(Group& group) const {
  const PermutedColumns& columns = target_.columns();
  const bool has_rest = !target_.rest().empty();
  clear(group.most, columns.count * kWide);
  clear(group.least, has_rest ? columns.count * kWide : 0);
  for (std::size_t a = 0; a < axes_; a += 2 * kAxesTogether) {
    const std::size_t together = std::min(2 * kAxesTogether, axes_ - a);
    const auto of = [&](AlignedBuffer<float>& each, std::size_t size) {
      return all_of(each).subspan(a * size, together * size);
    };
    add_axis_products(of(group.axes, columns.samples * kWide), columns, of(group.high, kWide), of(group.low, kWide),
                      all_of(group.most), all_of(group.least));
  }
}

void FactorScorer::score_group(Group& group, PermutedScores& scores) const {
  lay_out(group);
  bound(group);
  const std::span<const double> held = target_.held();
  const double next = target_.rest().empty() ? 0.0 : target_.rest()[0];
  for (std::int64_t b = 0; b < target_.permutations(); ++b) {
    std::array<double, kWide> bounds = group.always;
    for (std::size_t j = 0; j < held.size(); ++j) {
      const std::size_t column = (static_cast<std::size_t>(b) * held.size() + j) * kWide;
      for (std::size_t l = 0; l < kWide; ++l) bounds[l] += held[j] * static_cast<double>(group.most[column + l]);
      if (next == 0.0) continue;
      for (std::size_t l = 0; l < kWide; ++l) bounds[l] -= next * static_cast<double>(group.least[column + l]);
    }
    bool is_permuted = false;
    for (std::size_t l = 0; l < group.size; ++l) {
      const double wanted = std::min(floor_, scores.largest[static_cast<std::size_t>(b)]);
      if (bounds[l] * (1.0 + 1e-9) < wanted) continue;
      if (!is_permuted) target_.permute(b, group.permuted);
      is_permuted = true;
      const Factor& factor = group.factors[l];
      group.products.resize(static_cast<std::size_t>(factor.columns * group.permuted.columns));
      column_products(factor.stored, group.permuted, group.products.data());
      const double square = sum_of_squares(group.products, factor.columns, group.permuted.columns);
      scores.note(group.id[l], begin_ + b, square * factor.scale * target_.scale(), floor_);
    }
  }
  group.size = 0;
}

}  // namespace

std::shared_ptr<const PermutedScorer> make_factor_scorer(const PermutationJob& job) {
  return std::make_shared<FactorScorer>(job);
}

}  // namespace land
