// Selections from several subsets of the samples: folds, or halves. All are scored in one pass over the data.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/blocks/cut_samples.h"
#include "land/data/table.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/options/options.h"
#include "land/results/result.h"

namespace land {

// Samples of a table, and their target.
struct SampleSubset {
  std::shared_ptr<const SampleNumbers> samples;
  Target target;
  std::string title;  // "fold 2 of 5", for progress
};

// Selects from every subset, in their order, by every one of `asked`, in theirs, and hands over what comes out: as
// select() gives it from a table that has these samples alone, to the bit, but nothing is copied. Covariates that are
// taken out are those of these samples. The seconds of a selection hold its share of the pass. As many subsets are
// scored together as their scores fit into a quarter of the memory. Throws NotCertified for a result that must not be
// used.
using TakeResult = std::function<void(std::size_t subset, std::size_t asked, Result result)>;
void select_each(Engine& engine, WorkerPool& pool, const Table& table, std::span<const SampleSubset> subsets,
                 std::span<const SelectOptions> asked, const Context& context, const TakeResult& take);

// Warnings of single selections, each once, with how many of `count` subsets it came up in; those that differ in
// numbers alone count as one. Warnings of the whole are left out.
class SubsetWarnings {
 public:
  explicit SubsetWarnings(std::span<const std::string> known) : known_(known.begin(), known.end()) {}

  void add(std::size_t subset, std::span<const std::string> warnings);
  // "1 constant feature was left out (in 3 of 5 folds)". `noun`: "folds".
  std::vector<std::string> list(std::size_t count, const std::string& noun) const;

 private:
  struct Kind {
    std::string pattern;  // without its numbers
    std::string first;
    bool varies = false;
    std::size_t last = 0;   // subset that it came up in
    std::size_t count = 0;  // of subsets
  };
  std::vector<std::string> known_;
  std::vector<Kind> kinds_;
};

}  // namespace land
