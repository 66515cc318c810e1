// Where features are held: score them all, fetch a few. The one seam for every engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "land/blocks/aligned.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/scorer.h"
#include "land/path/redundancy.h"

namespace land {

// What the scoring pass finds out, of all features or of a range of them.
struct Scores {
  FeatureId first = 0;
  // Of each feature, as in Score; norm and error are rounded up.
  AlignedBuffer<double> relevance;
  AlignedBuffer<float> norm;
  AlignedBuffer<float> error;
  AlignedBuffer<std::uint32_t> checksums;
  std::vector<std::uint64_t> signatures;  // empty if the source has none
  std::vector<std::uint32_t> copy_keys;   // see copy_key.h; empty if there are signatures, or if this was read
  std::int64_t missing = 0;               // values
  FeatureId first_missing = -1;           // the first feature that lacks one

  std::int64_t size() const { return static_cast<std::int64_t>(relevance.size()); }
  // All but signatures and keys; new features are unset.
  void resize(std::int64_t features);
  void set(std::size_t position, const Score& score);
  // Puts all that resize() makes room for where the part's features are.
  void place(const Scores& part);
  std::int64_t constant() const;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::int64_t features() const = 0;
  virtual std::int64_t samples() const = 0;

  // One pass over features [first, last): a pure map over blocks. `refine`: all from their factors, in double.
  virtual Scores score(const Scorer& scorer, FeatureId first, FeatureId last, bool refine) = 0;

  // All features by several scorers in one pass: take(scorer, first feature, scores, worker) is called for every block,
  // from any thread.
  using TakeScores =
      std::function<void(std::size_t scorer, FeatureId first, std::span<const Score> scores, int worker)>;
  virtual void score_each(std::span<const Scorer* const> scorers, const TakeScores& take) = 0;

  // Brings features to where the path is solved: one block of one feature for each id.
  virtual std::vector<std::shared_ptr<const FeatureBlock>> fetch(std::span<const FeatureId> ids) = 0;

  // Calls look(position, feature) for every feature of `ids` (ascending), from any thread, a block of neighbours after
  // the other: for very many that are looked at once.
  virtual void visit(std::span<const FeatureId> ids,
                     const std::function<void(std::size_t position, const FeatureView& feature)>& look) = 0;
};

}  // namespace land
