#include "land/judging/independence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace land {
namespace {

struct CompletePairs {
  std::vector<double> a;
  std::vector<double> b;
};

CompletePairs complete_pairs(std::span<const double> a, std::span<const double> b) {
  CompletePairs pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    pairs.a.push_back(a[i]);
    pairs.b.push_back(b[i]);
  }
  return pairs;
}

void scale_to_one(std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0.0) return;
  for (double& value : values) value /= largest;
}

// Centred, and of a size at which no square over- or underflows.
void centre(std::vector<double>& values) {
  scale_to_one(values);
  double mean = 0.0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  for (double& value : values) value -= mean;
  scale_to_one(values);
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double correlation(CompletePairs pairs) {
  centre(pairs.a);
  centre(pairs.b);
  return std::abs(product(pairs.a, pairs.b)) / std::sqrt(product(pairs.a, pairs.a) * product(pairs.b, pairs.b));
}

// The root of the share of the variance of b that is between the categories of a.
double correlation_ratio(CompletePairs pairs) {
  centre(pairs.b);
  struct Category {
    double count = 0.0;
    double sum = 0.0;
  };
  std::map<double, Category> categories;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    Category& category = categories[pairs.a[i]];
    category.count += 1.0;
    category.sum += pairs.b[i];
  }
  double between = 0.0;
  for (const auto& [value, category] : categories) between += category.sum * category.sum / category.count;
  return std::sqrt(between / product(pairs.b, pairs.b));
}

double cramers_v(const CompletePairs& pairs) {
  std::map<double, double> of_a;
  std::map<double, double> of_b;
  std::map<std::pair<double, double>, double> of_both;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    of_a[pairs.a[i]] += 1.0;
    of_b[pairs.b[i]] += 1.0;
    of_both[{pairs.a[i], pairs.b[i]}] += 1.0;
  }
  // chi^2 / n = sum of n_ab^2 / (n_a n_b) - 1.
  double sum = 0.0;
  for (const auto& [both, count] : of_both) sum += count * count / (of_a[both.first] * of_b[both.second]);
  const auto freedom = static_cast<double>(std::min(of_a.size(), of_b.size()) - 1);
  return std::sqrt(std::max(sum - 1.0, 0.0) / freedom);
}

}  // namespace

double association(const JudgedColumn& a, const JudgedColumn& b) {
  CompletePairs pairs = complete_pairs(a.values, b.values);
  if (is_constant(pairs.a) || is_constant(pairs.b)) return 0.0;
  if (b.nominal && !a.nominal) std::swap(pairs.a, pairs.b);
  const double found = a.nominal && b.nominal   ? cramers_v(pairs)
                       : a.nominal || b.nominal ? correlation_ratio(std::move(pairs))
                                                : correlation(std::move(pairs));
  return std::min(found, 1.0);
}

double independence_rate(std::span<const JudgedColumn> columns, WorkerPool& pool, const Context& context) {
  const std::size_t m = columns.size();
  if (m < 2) return 1.0;
  std::vector<double> sums(m, 0.0);  // of each feature with those before it
  pool.run(static_cast<std::int64_t>(m), [&](std::int64_t item, int) {
    const auto k = static_cast<std::size_t>(item);
    for (std::size_t l = 0; l < k; ++l) {
      context.check_stop();
      sums[k] += association(columns[k], columns[l]);
    }
  });
  double sum = 0.0;
  for (const double one : sums) sum += one;
  const auto count = static_cast<double>(m);
  return 1.0 - sum / (count * (count - 1.0));
}

}  // namespace land
