// A cluster of one worker at a time in this process, which does what clusters do: cells in no order, spread over
// several workers, some of them twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "land/remote/remote_engine.h"

namespace land::test {

class SerialCluster {
 public:
  // `workers`: that the cells are spread over.
  SerialCluster(const Table& table, Missing missing, int workers = 3);

  const BlockTable& table() const { return table_; }
  // Refers to this.
  Cluster verbs() const;

  std::vector<std::string> cells;
  std::vector<FeatureId> firsts;  // of each cell, and behind the last

 private:
  BlockTable table_;
  int workers_;
};

}  // namespace land::test
