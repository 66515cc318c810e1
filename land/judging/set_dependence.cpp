#include "land/judging/set_dependence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "land/judging/folds.h"
#include "land/kernels/points/standardise.h"

namespace land {
namespace {

// The numbers in units of sigma.
std::vector<double> standardised(const std::vector<double>& values, double sigma) {
  const Points points = standardise(values);
  std::vector<double> u;
  u.reserve(values.size());
  for (std::int64_t i = 0; i < points.samples; ++i) u.push_back(points.of_sample(i) / sigma);
  return u;
}

struct Categories {
  std::vector<std::int32_t> codes;
  double distance = 0.0;  // of two that differ, squared
};

Categories categories_of(const std::vector<double>& values, double sigma) {
  Categories categories;
  std::map<double, std::int32_t> code_of;
  std::vector<double> counts;
  std::int32_t missing = -1;
  for (const double value : values) {
    std::int32_t& code = std::isnan(value) ? missing : code_of.try_emplace(value, -1).first->second;
    if (code < 0) {
      code = static_cast<std::int32_t>(counts.size());
      counts.push_back(0.0);
    }
    counts[static_cast<std::size_t>(code)] += 1.0;
    categories.codes.push_back(code);
  }
  const auto n = static_cast<double>(values.size());
  double same = 0.0;  // share of pairs
  for (const double count : counts) same += count / n * (count / n);
  if (counts.size() > 1) categories.distance = 2.0 / (1.0 - same) / (sigma * sigma);
  return categories;
}

// Rows of K - 1: centring takes the 1 away, and small distances lose no digits to it.
class SetKernel {
 public:
  SetKernel(std::span<const JudgedColumn> columns, double sigma) {
    const double width = sigma * std::sqrt(static_cast<double>(columns.size()));
    for (const JudgedColumn& column : columns) {
      if (column.nominal) {
        nominal_.push_back(categories_of(column.values, width));
      } else if (!is_constant(column.values)) {
        numbers_.push_back(standardised(column.values, width));
      }
    }
  }

  void row(std::size_t i, std::vector<double>& out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (const std::vector<double>& u : numbers_) {
      const double at = u[i];
      for (std::size_t j = 0; j < out.size(); ++j) out[j] += (u[j] - at) * (u[j] - at);
    }
    for (const Categories& feature : nominal_) {
      const std::int32_t code = feature.codes[i];
      for (std::size_t j = 0; j < out.size(); ++j) out[j] += feature.codes[j] == code ? 0.0 : feature.distance;
    }
    for (double& value : out) value = std::expm1(-0.5 * value);
  }

 private:
  std::vector<std::vector<double>> numbers_;
  std::vector<Categories> nominal_;
};

// Rows of L of classes and of the linear kernel, or of L - 1 of numbers.
class TargetKernel {
 public:
  TargetKernel(const Target& target, double sigma) : target_(target) {
    if (!target.has_classes()) {
      u_ = standardised(target.values, target.is_linear() ? 1.0 : sigma);
      return;
    }
    inverse_.assign(target.class_names.size(), 0.0);
    for (const std::int32_t label : target.labels) inverse_[static_cast<std::size_t>(label)] += 1.0;
    for (double& one : inverse_) one = one > 0.0 ? 1.0 / one : 0.0;
  }

  void row(std::size_t i, std::vector<double>& out) const {
    if (target_.has_classes()) {
      const std::int32_t label = target_.labels[i];
      const double value = inverse_[static_cast<std::size_t>(label)];
      for (std::size_t j = 0; j < out.size(); ++j) out[j] = target_.labels[j] == label ? value : 0.0;
      return;
    }
    if (target_.is_linear()) {
      for (std::size_t j = 0; j < out.size(); ++j) out[j] = u_[j] * u_[i];
      return;
    }
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = std::expm1(-0.5 * (u_[j] - u_[i]) * (u_[j] - u_[i]));
  }

 private:
  const Target& target_;
  std::vector<double> u_;
  std::vector<double> inverse_;  // of the samples in each class
};

struct Row {
  double k = 0.0, l = 0.0, kk = 0.0, ll = 0.0, kl = 0.0;  // sums of K, L and their products
};

// <HAH, B> from the sum of products and the sums of rows.
double centred(double products, std::span<const double> a, std::span<const double> b) {
  const auto n = static_cast<double>(a.size());
  double rows = 0.0;
  double all_a = 0.0;
  double all_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    rows += a[i] * b[i];
    all_a += a[i];
    all_b += b[i];
  }
  return products - 2.0 * rows / n + all_a / n * (all_b / n);
}

}  // namespace

std::optional<double> set_dependence(std::span<const JudgedColumn> columns, const Target& target, double sigma,
                                     WorkerPool& pool, const Context& context) {
  if (target.size() == 0 || has_one_value(target)) return std::nullopt;
  const auto n = static_cast<std::size_t>(target.size());
  const SetKernel set_kernel(columns, sigma);
  const TargetKernel target_kernel(target, sigma);
  std::vector<Row> rows(n);
  struct Buffers {
    std::vector<double> k, l;
  };
  std::vector<Buffers> buffers(static_cast<std::size_t>(pool.threads()),
                               {std::vector<double>(n), std::vector<double>(n)});
  pool.run(target.size(), [&](std::int64_t item, int worker) {
    context.check_stop();
    auto& [k, l] = buffers[static_cast<std::size_t>(worker)];
    const auto i = static_cast<std::size_t>(item);
    set_kernel.row(i, k);
    target_kernel.row(i, l);
    Row& row = rows[i];
    for (std::size_t j = 0; j < n; ++j) {
      row.k += k[j];
      row.l += l[j];
      row.kk += k[j] * k[j];
      row.ll += l[j] * l[j];
      row.kl += k[j] * l[j];
    }
  });
  std::vector<double> k;
  std::vector<double> l;
  Row sums;
  for (const Row& row : rows) {
    k.push_back(row.k);
    l.push_back(row.l);
    sums.kk += row.kk;
    sums.ll += row.ll;
    sums.kl += row.kl;
  }
  const double norms = centred(sums.kk, k, k) * centred(sums.ll, l, l);
  return norms > 0.0 ? std::clamp(centred(sums.kl, k, l) / std::sqrt(norms), 0.0, 1.0) : 0.0;
}

}  // namespace land
