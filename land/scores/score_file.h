// Scores as a file: what `land score` writes and `land select --scores` reads. docs/output.md describes the layout.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/data/table.h"
#include "land/scores/feature_chance.h"
#include "land/scores/scored_part.h"

namespace land {

std::string to_bytes(const ScoredPart& part);
void write_scores(const ScoredPart& part, const std::string& path);

// Throws InputError for a file that is none, is cut short, or whose checksum does not match.
ScoredPart read_scores(const std::string& path, const Context& context = {});

// index, name, relevance, error and whether it is constant, and what permutations say if there were any: for people.
std::string to_tsv(const ScoredPart& part, const Table& table, const FeatureChance* chance = nullptr);

}  // namespace land
