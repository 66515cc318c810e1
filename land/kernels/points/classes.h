// Samples by class: those of a target, or the categories of a nominal feature. Both have the class kernel, 1/n_c within
// a class and 0 between two.
#pragma once

#include <cstdint>
#include <vector>

#include "land/blocks/feature_block.h"
#include "land/data/target.h"
#include "land/options/options.h"

namespace land {

struct Classes {
  std::vector<std::uint16_t> codes;  // of every sample its class; counts.size() if it belongs to none
  std::vector<double> counts;        // samples of each class, at least 1
  double members = 0.0;              // samples that belong to a class

  std::size_t size() const { return counts.size(); }
  // The centred kernel is F F^T: the row of class v (or of those in none) and the column of class c of F, its norm
  // ||F F^T||_F.
  double factor(std::size_t v, std::size_t c) const;
  double norm() const;
};

Classes classes_of(const Target& target);
// Missing values are a class of their own (Missing::kLevel), or in none.
Classes classes_of(const FeatureView& nominal, Missing missing);

}  // namespace land
