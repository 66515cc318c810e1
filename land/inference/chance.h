// What permutations say about a relevance: how often chance alone comes as far. docs/inference.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace land {

class Chance {
 public:
  // `largest`: over all features, of every permutation. `values`: all permuted relevances from `floor` on, `observed`
  // those of the target as it is, the largest of which is `largest_observed`. Above `most_expected` nothing is said of
  // how many features chance brings.
  Chance(std::vector<double> largest, std::vector<double> values, std::vector<double> observed, double largest_observed,
         double floor, double most_expected);

  std::int64_t permutations() const { return std::ssize(largest_); }
  // Of every permutation, in their order.
  const std::vector<double>& largest() const { return largest_; }

  // Of the most relevant of all.
  double p_of_largest() const { return p_fwer(largest_observed_); }
  // (1 + how many permutations have a feature as relevant) / (B + 1).
  double p_fwer(double relevance) const;
  // How many features as relevant as this chance alone brings, on average.
  std::optional<double> expected(double relevance) const;
  // The least share of false ones, about, in a list of all features down to some relevance that has this one.
  std::optional<double> q(double relevance) const;

  // A relevance that no permutation has passed.
  double above_all() const;
  // The least relevance that chance alone passes somewhere with a probability of `alpha` at most: of the largest ones
  // the ceil((1 - alpha) (B + 1))-th from below. Infinite if there are too few permutations to say.
  double threshold(double alpha) const;

 private:
  std::int64_t at_or_above(const std::vector<double>& sorted, double relevance) const;

  std::vector<double> largest_;
  std::vector<double> sorted_largest_;  // these three rise
  std::vector<double> values_;
  std::vector<double> observed_;
  double largest_observed_;
  double floor_;
  double most_expected_;
  std::vector<double> q_;  // of each that is observed; above 1: not known
};

}  // namespace land
