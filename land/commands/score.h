// The scoring pass by itself, whole or in parts: what a cluster's workers compute and `land select --scores` starts
// from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/options/options.h"
#include "land/scores/feature_chance.h"
#include "land/scores/scored_part.h"

namespace land {

struct ScoreOptions {
  Task task = Task::kAuto;
  KernelOptions kernel;
  std::int64_t part = 1;  // of `parts`, counted from 1
  std::int64_t parts = 1;
  bool refine = false;            // every relevance from its factor in double, not by its bound
  std::int64_t permutations = 0;  // of the target, for chance_of()
  std::int64_t seed = 0;          // which
  std::int64_t block_size = 0;    // features per block; 0 chooses by cache size
};

// Throws InputError for a part that does not exist.
void validate(const ScoreOptions& options);

// `engine` has the values of the table's features.
ScoredPart score(Engine& engine, const Table& table, const Target& target, const ScoreOptions& options,
                 const Context& context);

// What permutations of the target say of the features that were scored: of all of the table. `warnings`: what a reader
// should know is added. Throws InputError for a part of the features.
FeatureChance chance_of(Engine& engine, const ScoredPart& part, const Target& target, const ScoreOptions& options,
                        const Context& context, std::vector<std::string>& warnings);

// The scores of all features from their parts. Throws InputError naming a part that was made from other data, options
// or by another version, or the features that no part has. Of every part a few features are fetched and compared.
Scores join_parts(std::span<const ScoredPart> parts, Engine& engine, const Table& table, const Target& target,
                  const KernelOptions& options);

}  // namespace land
