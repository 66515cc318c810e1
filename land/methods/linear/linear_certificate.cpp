#include "land/methods/linear/linear_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include "land/methods/linear/unit_column.h"

namespace land {
namespace {

constexpr double kTolerance = 1e-9;        // relative to lambda_max
constexpr double kParkedTolerance = 1e-6;  // of those that were copies, or within the span, of active features

class LinearCertifier {
 public:
  LinearCertifier(const LinearPath& path, const Setting& setting, const Responses& responses)
      : path_(path), setting_(setting), responses_(responses), n_(static_cast<double>(responses.samples)) {}

  CertificateSummary run() {
    for (const TouchedFeature& touched : path_.path.touched) {
      if (touched.parked) parked_.insert(touched.feature);
    }
    make_residuals();
    check_active();
    visit_all();
    return summary();
  }

 private:
  const std::vector<Knot>& knots() const { return path_.path.knots; }
  std::int64_t columns() const { return responses_.columns; }

  static void raise(double& worst, double amount) {
    worst = std::max(worst, std::isnan(amount) ? std::numeric_limits<double>::infinity() : amount);
  }
  void violate(double amount) { raise(worst_, amount); }
  void violate(FeatureId feature, double amount) { raise(parked_.contains(feature) ? worst_parked_ : worst_, amount); }

  void make_residuals() {
    std::set<FeatureId> entered;
    for (const Knot& knot : knots()) {
      for (const auto& [feature, coefficient] : knot.coefficients) entered.insert(feature);
    }
    entered_.assign(entered.begin(), entered.end());
    column_ = unit_columns(setting_.engine, entered_);
    for (std::size_t j = 0; j < knots().size(); ++j) {
      setting_.context.check_stop();
      std::vector<double>& residual = residual_.emplace_back(responses_.values);
      for (std::size_t t = 0; t < knots()[j].coefficients.size(); ++t) {
        const std::vector<double>& column = column_[place_of(knots()[j].coefficients[t].first)];
        for (std::int64_t c = 0; c < columns(); ++c) {
          const double weight = path_.rows[j][t * static_cast<std::size_t>(columns()) + static_cast<std::size_t>(c)];
          add_scaled(-weight, column, part(residual, c));
        }
      }
      // Beyond what rounding takes from a sum of distances.
      const double step = j == 0 ? 0.0 : distance(residual, residual_[j - 1]) / std::sqrt(n_) * (1.0 + 1e-9);
      length_.push_back(j == 0 ? 0.0 : length_.back() + step);
      slack_.push_back(knots()[j].lambda - length_.back());
    }
  }

  std::size_t place_of(FeatureId feature) const {
    return static_cast<std::size_t>(std::lower_bound(entered_.begin(), entered_.end(), feature) - entered_.begin());
  }

  std::span<double> part(std::span<double> residual, std::int64_t c) const {
    const auto n = static_cast<std::size_t>(responses_.samples);
    return residual.subspan(static_cast<std::size_t>(c) * n, n);
  }

  // x'R / n.
  void correlate(std::span<const double> column, std::size_t knot, std::span<double> c) const {
    for (std::size_t r = 0; r < c.size(); ++r) {
      c[r] = dot(column, std::span(residual_[knot]).subspan(r * column.size(), column.size())) / n_;
    }
  }

  void check_active() {
    const auto width = static_cast<std::size_t>(columns());
    std::vector<double> c(width);
    double above = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < knots().size(); ++j) {
      const Knot& knot = knots()[j];
      violate(knot.lambda - above);
      violate(-knot.lambda);
      above = knot.lambda;
      for (std::size_t t = 0; t < knot.coefficients.size(); ++t) {
        const auto& [feature, coefficient] = knot.coefficients[t];
        const std::span<const double> row = std::span(path_.rows[j]).subspan(t * width, width);
        correlate(column_[place_of(feature)], j, c);
        const double size = norm(row);
        violate(std::abs(std::abs(coefficient) - size));
        if (size == 0.0) {
          violate(feature, std::abs(norm(c) - knot.lambda));
          continue;
        }
        for (std::size_t r = 0; r < width; ++r) c[r] -= knot.lambda * row[r] / size;
        violate(feature, norm(c));
      }
    }
  }

  // The largest ||c|| - lambda over all knots, as far as it is above -lambda_max.
  double excess(std::span<const double> column) const {
    std::vector<double> c(static_cast<std::size_t>(columns()));
    double worst = -knots().front().lambda;
    for (std::size_t j = 0; j < knots().size();) {
      correlate(column, j, c);
      const double size = norm(c);
      worst = std::max(worst, size - knots()[j].lambda);
      // At a later knot i it is at most size + length_[i] - length_[j], and slack_ falls.
      const double reach = size - length_[j];
      j = static_cast<std::size_t>(std::partition_point(slack_.begin() + static_cast<std::ptrdiff_t>(j) + 1,
                                                        slack_.end(), [&](double slack) { return slack > reach; }) -
                                   slack_.begin());
    }
    return worst;
  }

  void visit_all() {
    std::vector<FeatureId> ids;
    for (std::size_t k = 0; k < setting_.bounds.size(); ++k) {
      if (setting_.bounds[k] >= 0.0) ids.push_back(static_cast<FeatureId>(k));
    }
    evaluated_ = std::ssize(ids);
    std::mutex mutex;
    setting_.engine.visit(ids, [&](std::size_t at, const FeatureView& feature) {
      static thread_local std::vector<double> column;
      column.resize(static_cast<std::size_t>(responses_.samples));
      unit_column(feature, column);
      const double over = excess(column);
      const std::scoped_lock lock(mutex);
      violate(ids[at], over);
    });
  }

  CertificateSummary summary() const {
    const double scale = knots().front().lambda > 0.0 ? knots().front().lambda : 1.0;
    CertificateSummary summary;
    summary.max_violation = worst_ / scale;
    summary.tolerance = kTolerance;
    summary.knots_checked = std::ssize(knots());
    summary.features_evaluated = evaluated_;
    summary.features_parked = std::ssize(parked_);
    summary.parked_violation = worst_parked_ / scale;
    summary.max_bound_excess = -std::numeric_limits<double>::infinity();  // no bound was relied on
    summary.valid = summary.max_violation <= kTolerance && summary.parked_violation <= kParkedTolerance;
    return summary;
  }

  const LinearPath& path_;
  const Setting& setting_;
  const Responses& responses_;
  const double n_;
  std::vector<FeatureId> entered_;  // ascending, with their columns
  std::vector<std::vector<double>> column_;
  std::vector<std::vector<double>> residual_;  // by knot
  std::vector<double> length_;                 // of the residual's way to the knot, over sqrt(n)
  std::vector<double> slack_;                  // lambda - length_
  std::set<FeatureId> parked_;
  std::int64_t evaluated_ = 0;
  double worst_ = 0.0;
  double worst_parked_ = 0.0;
};

}  // namespace

CertificateSummary certify_linear(const LinearPath& path, const Setting& setting, const Responses& responses) {
  return LinearCertifier(path, setting, responses).run();
}

}  // namespace land
