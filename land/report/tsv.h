// The selected features as delimited text: the same for the same selection, whatever the machine, time or command.
#pragma once

#include <span>
#include <string>

#include "land/results/evaluation.h"
#include "land/results/neighbors.h"
#include "land/results/result.h"
#include "land/results/stability.h"

namespace land {

// A header and one line per selected feature, in order of entry. Numbers read back as the same double. Names are
// escaped (formats/printable.h); what does not apply is empty.
std::string to_tsv(const Result& result);
// The same between commas. Names are as they are, in quotes where they hold a comma, a quote or a line end.
std::string to_csv(const Result& result);
// Of several targets: one table, in whose first column the target stands.
std::string to_tsv(std::span<const Result> results);
std::string to_csv(std::span<const Result> results);
// rank, index, name and redundancy of every neighbour.
std::string to_tsv(const Neighbors& neighbors);
// A line per selection, or per method and m.
std::string to_tsv(const Evaluation& evaluation);
std::string to_csv(const Evaluation& evaluation);
// A line per feature that was selected at least once.
std::string to_tsv(const Stability& stability);
std::string to_csv(const Stability& stability);

}  // namespace land
