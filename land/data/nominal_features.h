// Features that are categories without an order.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace land {

struct NominalFeatures {
  std::vector<std::int64_t> features;  // ascending
  // Of those that were read from words: value k stands for the k-th. By feature.
  std::map<std::int64_t, std::vector<std::string>> words;

  bool contains(std::int64_t feature) const;
  // These are nominal, too.
  void add(std::span<const std::int64_t> others);
};

}  // namespace land
