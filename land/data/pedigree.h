// What files of genotypes say of their samples' kin.
#pragma once

#include <string>
#include <vector>

namespace land {

struct Pedigree {
  std::vector<std::string> families;  // one per sample
  std::vector<bool> founders;         // whether no parent of the sample is named
};

}  // namespace land
