#include "land/methods/qpfs/quadratic_form.h"

#include <Eigen/Dense>
#include <algorithm>
#include <utility>

#include "land/base/checksum.h"

namespace land {
namespace {

constexpr std::int64_t kTile = 96;     // features on either side of a block of Q that is asked for
constexpr std::int64_t kRows = 4096;   // of a product, by one thread
constexpr double kEigenvalues = 1e-9;  // of the largest, below which they are dropped
constexpr std::uint64_t kSeed = 0x51504653;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::int64_t shares(std::int64_t count, std::int64_t share) { return (count + share - 1) / share; }

class FullForm final : public QuadraticForm {
 public:
  FullForm(Matrix matrix, WorkerPool& pool) : q_(std::move(matrix)), pool_(pool) {}

  std::int64_t size() const override { return q_.rows(); }

  double mean() const override {
    double sum = 0.0;
    for (Eigen::Index k = 0; k < q_.rows(); ++k) sum += q_.row(k).mean();
    return sum / static_cast<double>(q_.rows());
  }

  void among(std::span<const std::int64_t> some, std::span<double> out) const override {
    std::size_t at = 0;
    for (const std::int64_t a : some) {
      for (const std::int64_t b : some) out[at++] = q_(a, b);
    }
  }

  // Row after row of the positions, which are columns as well.
  void multiply(std::span<const std::int64_t> positions, std::span<const double> weights,
                std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    pool_.run(shares(size(), kRows), [&](std::int64_t item, int) {
      const std::int64_t first = item * kRows;
      const std::int64_t count = std::min(kRows, size() - first);
      Eigen::Map<Eigen::RowVectorXd> part(out.data() + first, count);
      for (std::size_t t = 0; t < positions.size(); ++t) {
        part += weights[t] * q_.row(positions[t]).segment(first, count);
      }
    });
  }

 private:
  Matrix q_;
  WorkerPool& pool_;
};

class LandmarkForm final : public QuadraticForm {
 public:
  LandmarkForm(Matrix factor, Eigen::VectorXd rest, WorkerPool& pool)
      : factor_(std::move(factor)), rest_(std::move(rest)), pool_(pool) {}

  std::int64_t size() const override { return factor_.rows(); }

  double mean() const override {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(factor_.cols());
    for (Eigen::Index k = 0; k < factor_.rows(); ++k) sum += factor_.row(k);
    const auto d = static_cast<double>(size());
    return (sum / d).squaredNorm() + rest_.sum() / (d * d);
  }

  void among(std::span<const std::int64_t> some, std::span<double> out) const override {
    std::size_t at = 0;
    for (const std::int64_t a : some) {
      for (const std::int64_t b : some) out[at++] = factor_.row(a).dot(factor_.row(b)) + (a == b ? rest_[a] : 0.0);
    }
  }

  void multiply(std::span<const std::int64_t> positions, std::span<const double> weights,
                std::span<double> out) const override {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(factor_.cols());
    for (std::size_t t = 0; t < positions.size(); ++t) sum += weights[t] * factor_.row(positions[t]);
    pool_.run(shares(size(), kRows), [&](std::int64_t item, int) {
      const std::int64_t last = std::min(size(), (item + 1) * kRows);
      for (std::int64_t k = item * kRows; k < last; ++k) out[static_cast<std::size_t>(k)] = factor_.row(k).dot(sum);
    });
    for (std::size_t t = 0; t < positions.size(); ++t) {
      out[static_cast<std::size_t>(positions[t])] += weights[t] * rest_[positions[t]];
    }
  }

 private:
  Matrix factor_;         // Q ~ factor factor' + rest
  Eigen::VectorXd rest_;  // on the diagonal
  WorkerPool& pool_;
};

Matrix block_of(Similarity& similarity, std::span<const FeatureId> rows, std::span<const FeatureId> columns) {
  Matrix block(std::ssize(rows), std::ssize(columns));
  similarity.block(rows, columns, {block.data(), static_cast<std::size_t>(block.size())});
  return block;
}

std::span<const FeatureId> tile_of(std::span<const FeatureId> features, std::int64_t first) {
  return features.subspan(static_cast<std::size_t>(first),
                          static_cast<std::size_t>(std::min(kTile, std::ssize(features) - first)));
}

std::vector<FeatureId> draw_landmarks(std::span<const FeatureId> features, std::int64_t count) {
  std::vector<std::pair<std::uint64_t, FeatureId>> drawn;
  for (const FeatureId id : features) drawn.emplace_back(mix(mix(kSeed) ^ static_cast<std::uint64_t>(id)), id);
  count = std::min(count, std::ssize(features));
  std::partial_sort(drawn.begin(), drawn.begin() + count, drawn.end());
  std::vector<FeatureId> landmarks;
  for (std::int64_t t = 0; t < count; ++t) landmarks.push_back(drawn[static_cast<std::size_t>(t)].second);
  std::sort(landmarks.begin(), landmarks.end());
  return landmarks;
}

}  // namespace

std::int64_t full_form_bytes(std::int64_t features) {
  return features * features * static_cast<std::int64_t>(sizeof(double));
}

std::int64_t landmark_form_bytes(std::int64_t features, std::int64_t landmarks) {
  landmarks = std::min(landmarks, features);
  return (features + 3 * landmarks) * (landmarks + 1) * static_cast<std::int64_t>(sizeof(double));
}

std::unique_ptr<QuadraticForm> make_full_form(std::span<const FeatureId> features, Similarity& similarity,
                                              WorkerPool& pool, const Context& context) {
  const std::int64_t d = std::ssize(features);
  Matrix q(d, d);
  const auto pairs = [](std::int64_t of) { return static_cast<double>(of) * static_cast<double>(of); };
  for (std::int64_t row = 0; row < d; row += kTile) {
    for (std::int64_t column = 0; column <= row; column += kTile) {
      context.check_stop();
      context.report("similarities", pairs(row), pairs(d));
      const Matrix block = block_of(similarity, tile_of(features, row), tile_of(features, column));
      q.block(row, column, block.rows(), block.cols()) = block;
      q.middleRows(column, block.cols()).middleCols(row, block.rows()) = block.transpose();
    }
  }
  return std::make_unique<FullForm>(std::move(q), pool);
}

std::unique_ptr<QuadraticForm> make_landmark_form(std::span<const FeatureId> features, std::int64_t landmarks,
                                                  Similarity& similarity, WorkerPool& pool, const Context& context) {
  const std::vector<FeatureId> drawn = draw_landmarks(features, landmarks);
  const std::int64_t d = std::ssize(features);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(block_of(similarity, drawn, drawn));
  const Eigen::VectorXd& values = solver.eigenvalues();  // rising
  Eigen::Index dropped = 0;
  while (values[dropped] < kEigenvalues * values[values.size() - 1]) ++dropped;
  const Eigen::Index kept = values.size() - dropped;
  const Eigen::MatrixXd root =
      solver.eigenvectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  Matrix factor(d, kept);
  Eigen::VectorXd rest(d);
  for (std::int64_t row = 0; row < d; row += kTile) {
    context.check_stop();
    context.report("similarities", static_cast<double>(row), static_cast<double>(d));
    const Matrix block = block_of(similarity, tile_of(features, row), drawn);
    factor.middleRows(row, block.rows()) = block * root;
    similarity.diagonal(tile_of(features, row), {rest.data() + row, static_cast<std::size_t>(block.rows())});
    for (Eigen::Index k = row; k < row + block.rows(); ++k) {
      rest[k] = std::max(0.0, rest[k] - factor.row(k).squaredNorm());
    }
  }
  return std::make_unique<LandmarkForm>(std::move(factor), std::move(rest), pool);
}

}  // namespace land
