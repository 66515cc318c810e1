// Contrasts that are the columns of the target's factor: where features are strips, by pieces of the range of a numeric
// target.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "land/kernels/scoring/contrasts.h"
#include "land/kernels/scoring/target_pieces.h"

namespace land {
namespace {

// Error of the contrasts, relative to their size and times the root of the number of samples: the root of a relevance
// of 1/n is known to a thousandth or so.
constexpr double kPieces = 1e-4;

class ColumnContrasts final : public Contrasts {
 public:
  // `cut`: makes pieces of the leading columns, as many as it is told.
  template <class Cut>
  ColumnContrasts(const Factor& target_factor, const Cut& cut);

  void of_strip(const float* strip, const StripMap& map, int degree, float* means,
                AlignedBuffer<float>& contrasts) const override;
  void of_codes(const FeatureView& feature, LevelTable& table) const override;
  void of_sparse_codes(const FeatureView& feature, LevelTable& table) const override;
  double sum_roundings() const override { return kWeightedSumRoundings; }

 private:
  // All columns of the target's factor, [sample][column]: for sparse features, made when the first of them comes.
  const std::vector<double>& target_rows() const;

  const Factor& target_factor_;
  std::int64_t samples_;
  std::int64_t columns_ = 0;  // leading ones of the factor, which strips are summed with
  TargetPieces pieces_;
  mutable std::once_flag target_rows_made_;
  mutable std::vector<double> target_rows_;
};

template <class Cut>
ColumnContrasts::ColumnContrasts(const Factor& target_factor, const Cut& cut)
    : target_factor_(target_factor), samples_(target_factor.samples) {
  const auto n = static_cast<double>(samples_);
  // The columns are in falling order of what they hold: keep those that matter.
  const DenseColumns& columns = target_factor.stored;
  std::vector<double> squares(static_cast<std::size_t>(columns.columns), 0.0);
  for (std::int64_t i = 0; i < samples_; ++i) {
    for (std::int64_t j = 0; j < columns.columns; ++j) {
      const double x = columns.at(i, j);
      squares[static_cast<std::size_t>(j)] += x * x;
    }
  }
  std::int64_t kept = columns.columns;
  while (kept > 1) {
    const double next = left_out_ + squares[static_cast<std::size_t>(kept - 1)] / target_factor.norm;
    if (next > 0.1 * kTruncation / n) break;
    left_out_ = next;
    --kept;
  }
  columns_ = kept;
  pieces_ = cut(kept);
  weight_ = pieces_.size;
  error_ = pieces_.error;
}

void ColumnContrasts::of_strip(const float* strip, const StripMap& map, int degree, float* means,
                               AlignedBuffer<float>& contrasts) const {
  static thread_local AlignedBuffer<double> of_piece;
  static thread_local AlignedBuffer<double> sums;
  static thread_local AlignedBuffer<double> totals;
  const auto size = static_cast<std::size_t>(degree + 1) * kStripWidth;
  of_piece.resize(size * pieces_.width);
  sums.resize(size * static_cast<std::size_t>(columns_));
  totals.resize(size);
  std::fill(sums.begin(), sums.end(), 0.0);
  std::fill(totals.begin(), totals.end(), 0.0);
  for (const TargetPiece& piece : pieces_.pieces) {
    const std::span rows(pieces_.rows.data() + piece.first, piece.count);
    const std::span weights(pieces_.weights.data() + piece.first * pieces_.width, piece.count * pieces_.width);
    weighted_chebyshev_sums(strip, rows, weights, map, degree, of_piece.data());
    for (std::size_t q = 0; q < pieces_.width; ++q) {
      std::fill_n(of_piece.begin() + q * size, kStripWidth, piece.totals[q]);  // T_0 = 1
    }
    add_shares(of_piece, piece.shares, static_cast<std::size_t>(columns_), sums.data());
    for (std::size_t i = 0; i < size; ++i) totals[i] += of_piece[i];
  }
  for (std::size_t i = 0; i < size; ++i) means[i] = static_cast<float>(totals[i] / static_cast<double>(samples_));
  contrasts.resize(sums.size());
  std::copy(sums.begin(), sums.end(), contrasts.begin());
}

void ColumnContrasts::of_codes(const FeatureView& feature, LevelTable& table) const {
  const std::size_t levels = feature.levels.size();
  const auto samples = static_cast<std::size_t>(samples_);
  static thread_local std::vector<std::uint8_t> unpacked;
  const std::uint8_t* codes = feature.codes();
  if (feature.header->encoding == Encoding::kPacked2) {
    unpacked.resize(samples);
    feature.copy_codes(unpacked);
    codes = unpacked.data();
  }
  table.shares.assign(levels, 0.0);
  for (std::size_t i = 0; i < samples; ++i) table.shares[codes[i]] += 1.0;
  for (double& share : table.shares) share /= static_cast<double>(samples_);
  const DenseColumns& columns = target_factor_.stored;
  table.contrast_count = static_cast<std::size_t>(columns.columns);
  table.contrasts.assign(table.contrast_count * levels, 0.0);
  for (std::int64_t c = 0; c < chunks_of(samples_); ++c) {
    const std::int64_t rows = std::min(kChunk, samples_ - c * kChunk);
    for (std::size_t j = 0; j < table.contrast_count; ++j) {
      const double* column = columns.column(c, static_cast<std::int64_t>(j));
      double* to = table.contrasts.data() + j * levels;
      for (std::int64_t i = 0; i < rows; ++i) to[codes[c * kChunk + i]] += column[i];
    }
  }
}

const std::vector<double>& ColumnContrasts::target_rows() const {
  std::call_once(target_rows_made_, [this] {
    const DenseColumns& columns = target_factor_.stored;
    target_rows_.resize(static_cast<std::size_t>(samples_ * columns.columns));
    for (std::int64_t i = 0; i < samples_; ++i) {
      for (std::int64_t j = 0; j < columns.columns; ++j) {
        target_rows_[static_cast<std::size_t>(i * columns.columns + j)] = columns.at(i, j);
      }
    }
  });
  return target_rows_;
}

void ColumnContrasts::of_sparse_codes(const FeatureView& feature, LevelTable& table) const {
  const std::uint8_t* codes = feature.stored_codes();
  const std::size_t levels = feature.levels.size();
  const auto n = static_cast<double>(samples_);
  table.shares.assign(levels - 1, 0.0);
  table.contrast_count = static_cast<std::size_t>(target_factor_.columns);
  table.contrasts.assign(table.contrast_count * (levels - 1), 0.0);
  const std::vector<double>& target = target_rows();
  feature.visit_stored_samples([&](auto rows) {
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const std::size_t level = codes[e] - 1U;
      table.shares[level] += 1.0 / n;
      const double* row = target.data() + static_cast<std::size_t>(rows[e]) * table.contrast_count;
      for (std::size_t j = 0; j < table.contrast_count; ++j) table.contrasts[j * (levels - 1) + level] += row[j];
    }
  });
}

}  // namespace

std::unique_ptr<const Contrasts> number_contrasts_of(std::span<const double> target, const Factor& target_factor,
                                                     double sigma) {
  const double precision = kPieces / std::sqrt(static_cast<double>(target.size()));
  return std::make_unique<ColumnContrasts>(target_factor, [&](std::int64_t kept) {
    return cut_target(target, target_factor.stored, kept, sigma, precision);
  });
}

std::unique_ptr<const Contrasts> column_contrasts_of(const Factor& target_factor) {
  return std::make_unique<ColumnContrasts>(target_factor,
                                           [&](std::int64_t kept) { return uncut_target(target_factor.stored, kept); });
}

}  // namespace land
