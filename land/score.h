// The scoring pass by itself, whole or in parts: what a cluster's workers compute and `land select --scores` starts
// from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "land/context.h"
#include "land/engine/engine.h"
#include "land/formats/table.h"
#include "land/options.h"
#include "land/target.h"

namespace land {

struct ScoreOptions {
  Task task = Task::kAuto;
  KernelOptions kernel;
  std::int64_t part = 1;  // of `parts`, counted from 1
  std::int64_t parts = 1;
  bool refine = false;          // every relevance from its factor in double, not by its bound
  std::int64_t block_size = 0;  // features per block; 0 chooses by cache size
};

// Scores of some features, and what they depend on besides the values of these.
struct ScoredPart {
  std::string path;  // of the file they stand in
  std::string version;
  std::string settings;      // kernel options, in words
  std::string target;        // its name
  std::uint64_t target_key;  // of its values
  std::int64_t features = 0;
  std::int64_t samples = 0;
  bool refined = false;
  Scores scores;
};

// Throws InputError for a part that does not exist.
void validate(const ScoreOptions& options);

ScoredPart score(const Table& table, const Target& target, const ScoreOptions& options, const Context& context);

// The scores of all features from their parts. Throws InputError naming a part that was made from other data, options
// or by another version, or the features that no part has. Of every part a few features are read again and compared.
Scores join_parts(std::span<const ScoredPart> parts, const Table& table, const Target& target,
                  const KernelOptions& options);

}  // namespace land
