#include "land/kernels/scoring/target_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "land/kernels/points/standardise.h"

namespace land {
namespace {

constexpr std::size_t kMostWidth = 24;
// Summing a share in double costs two sums of a weight in float32.
constexpr double kShareCost = 2.0;

// Samples by value, those without one last.
std::vector<std::int32_t> in_order(std::span<const double> values) {
  std::vector<std::int32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
    const double a = values[static_cast<std::size_t>(i)];
    const double b = values[static_cast<std::size_t>(j)];
    return std::isnan(b) ? !std::isnan(a) : a < b;
  });
  return order;
}

// The values in this order, in deviations; NaN stays NaN.
std::vector<double> in_deviations(std::span<const double> values, std::span<const std::int32_t> order) {
  std::vector<double> u;
  for (const std::int32_t i : order) u.push_back(values[static_cast<std::size_t>(i)]);
  const auto known = std::find_if(u.begin(), u.end(), [](double x) { return std::isnan(x); });
  const Points points = standardise(std::vector<double>(u.begin(), known));
  for (std::int64_t place = 0; place < known - u.begin(); ++place) {
    u[static_cast<std::size_t>(place)] = points.of_sample(place);
  }
  return u;
}

// Of a piece on which polynomials of `width` coefficients are off by `precision` at most: in the space of a kernel of
// width 1 the `width`-th derivative of a function of norm 1 is at most the root of (2 width - 1)!!.
double piece_length(std::size_t width, double precision) {
  double derivative = 1.0;  // its square over the square of width!
  for (std::size_t q = 1; q <= width; ++q) {
    const auto x = static_cast<double>(q);
    derivative *= (2.0 * x - 1.0) / (x * x);
  }
  return 4.0 * std::pow(precision / (2.0 * std::sqrt(derivative)), 1.0 / static_cast<double>(width));
}

// Ends of the pieces of values in order: cells of one length, from the smallest value on.
std::vector<std::size_t> ends_of_cells(const std::vector<double>& u, double length) {
  std::vector<std::size_t> ends;
  const auto cell = [&](std::size_t place) { return std::floor((u[place] - u[0]) / length); };
  double current = cell(0);
  for (std::size_t place = 1; place < u.size(); ++place) {
    const double next = cell(place);
    if (next == current || (std::isnan(next) && std::isnan(current))) continue;
    ends.push_back(place);
    current = next;
  }
  ends.push_back(u.size());
  return ends;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double length(const std::vector<double>& x) { return std::sqrt(dot(x, x)); }

double sum_of_sizes(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += std::abs(value);
  return sum;
}

// Adds pieces one by one.
class Cutter {
 public:
  Cutter(const std::vector<double>& u, const DenseColumns& columns, std::size_t count, double allowed,
         TargetPieces& result)
      : u_(u), columns_(columns), count_(count), allowed_(allowed), result_(result) {
    sizes_.resize(count);
    errors_.resize(count);
  }

  // The samples at places [first, last). A piece that is off by more than is allowed (categories, whose columns are no
  // smooth functions) is halved.
  void cut(std::size_t first, std::size_t last) {
    fit(first, last);
    const auto middle = first + (last - first) / 2;
    if (last - first > result_.width && length(missed_) > allowed_ * static_cast<double>(last - first)) {
      cut(first, middle);
      cut(middle, last);
      return;
    }
    add(first, last);
  }

  void finish() {
    result_.size = length(sizes_);
    result_.error = length(errors_);
  }

 private:
  // Polynomials of the values, each orthogonal to those before it, as float32 holds them; then the columns by them.
  void fit(std::size_t first, std::size_t last) {
    const std::size_t n = last - first;
    const double middle = 0.5 * (u_[first] + u_[last - 1]);
    const double reach = u_[last - 1] - middle;
    weights_.assign(1, std::vector<double>(n, 1.0));
    squares_.assign(1, static_cast<double>(n));
    while (weights_.size() < std::min(result_.width, n) && reach > 0.0) {
      std::vector<double> next = weights_.back();
      for (std::size_t i = 0; i < n; ++i) next[i] *= (u_[first + i] - middle) / reach;
      for (int again = 0; again < 2; ++again) {
        for (std::size_t q = 0; q < weights_.size(); ++q) take_away(q, next);
      }
      double largest = 0.0;
      for (const double x : next) largest = std::max(largest, std::abs(x));
      if (largest < 1e-9) break;  // fewer distinct values than polynomials
      for (double& x : next) x = static_cast<double>(static_cast<float>(x / largest));
      squares_.push_back(dot(next, next));
      weights_.push_back(std::move(next));
    }
    shares_.assign(weights_.size() * count_, 0.0);
    missed_.resize(count_);
    std::vector<double> rest(n);
    for (std::size_t j = 0; j < count_; ++j) {
      for (std::size_t i = 0; i < n; ++i) rest[i] = columns_.at(result_.rows[first + i], static_cast<std::int64_t>(j));
      for (std::size_t q = 0; q < weights_.size(); ++q) shares_[q * count_ + j] = take_away(q, rest);
      missed_[j] = sum_of_sizes(rest);
    }
  }

  // What x holds of a weight.
  double take_away(std::size_t q, std::vector<double>& x) const {
    const std::vector<double>& weight = weights_[q];
    const double share = dot(weight, x) / squares_[q];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= share * weight[i];
    return share;
  }

  void add(std::size_t first, std::size_t last) {
    TargetPiece piece{first, last - first, std::vector<double>(result_.width, 0.0), std::move(shares_)};
    piece.shares.resize(result_.width * count_, 0.0);
    for (std::size_t q = 0; q < weights_.size(); ++q) {
      piece.totals[q] = std::accumulate(weights_[q].begin(), weights_[q].end(), 0.0);
      for (std::size_t i = 0; i < piece.count; ++i) {
        result_.weights[(first + i) * result_.width + q] = static_cast<float>(weights_[q][i]);
      }
      const double size = sum_of_sizes(weights_[q]);
      for (std::size_t j = 0; j < count_; ++j) sizes_[j] += std::abs(piece.shares[q * count_ + j]) * size;
    }
    for (std::size_t j = 0; j < count_; ++j) errors_[j] += missed_[j];
    result_.pieces.push_back(std::move(piece));
  }

  const std::vector<double>& u_;  // in the order of result_.rows
  const DenseColumns& columns_;
  std::size_t count_;
  double allowed_;  // error a sample
  TargetPieces& result_;
  std::vector<double> sizes_;   // of each column
  std::vector<double> errors_;  // of each column

  // Of the last fit.
  std::vector<std::vector<double>> weights_;
  std::vector<double> squares_;  // of each weight, added up
  std::vector<double> shares_;
  std::vector<double> missed_;  // of each column, over all samples
};

}  // namespace

TargetPieces cut_target(std::span<const double> values, const DenseColumns& columns, std::int64_t count, double sigma,
                        double precision) {
  double squares = 0.0;
  for (std::int64_t j = 0; j < count; ++j) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < columns.samples; ++i) sum += std::abs(columns.at(i, j));
    squares += sum * sum;
  }
  const auto n = static_cast<double>(values.size());
  const double allowed = precision * std::sqrt(squares) / n;

  TargetPieces result;
  result.rows = in_order(values);
  const std::vector<double> u = in_deviations(values, result.rows);
  std::vector<std::size_t> ends;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t width = 4; width <= kMostWidth; width += 4) {
    const auto cells = ends_of_cells(u, piece_length(width, allowed) * sigma);
    const double each = n + kShareCost * static_cast<double>(cells.size()) * static_cast<double>(count);
    if (each * static_cast<double>(width) >= least) continue;
    least = each * static_cast<double>(width);
    result.width = width;
    ends = cells;
  }
  result.weights.assign(result.rows.size() * result.width, 0.0F);
  Cutter cutter(u, columns, static_cast<std::size_t>(count), allowed, result);
  std::size_t first = 0;
  for (const std::size_t end : ends) {
    cutter.cut(first, end);
    first = end;
  }
  cutter.finish();
  return result;
}

TargetPieces uncut_target(const DenseColumns& columns, std::int64_t count) {
  const auto n = static_cast<std::size_t>(columns.samples);
  const auto kept = static_cast<std::size_t>(count);
  TargetPieces result;
  result.width = (1 + kept + 3) / 4 * 4;
  result.rows.resize(n);
  std::iota(result.rows.begin(), result.rows.end(), 0);
  result.weights.assign(n * result.width, 0.0F);
  TargetPiece piece{0, n, std::vector<double>(result.width, 0.0), std::vector<double>(result.width * kept, 0.0)};
  for (std::size_t i = 0; i < n; ++i) result.weights[i * result.width] = 1.0F;
  piece.totals[0] = static_cast<double>(n);
  std::vector<double> sizes(kept, 0.0);
  std::vector<double> errors(kept, 0.0);
  for (std::size_t j = 0; j < kept; ++j) {
    const auto value = [&](std::size_t i) {
      return columns.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
    };
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(value(i)));
    if (largest == 0.0) continue;
    piece.shares[(j + 1) * kept + j] = largest;
    for (std::size_t i = 0; i < n; ++i) {
      const auto weight = static_cast<float>(value(i) / largest);
      result.weights[i * result.width + j + 1] = weight;
      piece.totals[j + 1] += static_cast<double>(weight);
      sizes[j] += std::abs(static_cast<double>(weight)) * largest;
      errors[j] += std::abs(value(i) - static_cast<double>(weight) * largest);
    }
  }
  result.size = length(sizes);
  result.error = length(errors);
  result.pieces.push_back(std::move(piece));
  return result;
}

}  // namespace land
