// A table of graphlets to files.
#pragma once

#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/graphlets/graphlet_table.h"

namespace land {

// The files that write_graphlets will write. Throws InputError for an ending other than .svm and .h5.
std::vector<std::string> graphlets_outputs(const std::string& path);

// .svm: svmlight text, a line per graph: its class, then `index:count` for every feature that occurs, indices from 1
// rising. path.names: the names of the features, one per line, in the order of the indices. .h5: a store
// (docs/store.md) with names and classes in it, equal to that of the text. Returns the files, all written or none.
// Threads format, in turns with writing. Throws InputError on another ending or a file that cannot be written,
// Interrupted when asked to stop.
std::vector<std::string> write_graphlets(const GraphletTable& table, const std::string& path, const Context& context);

}  // namespace land
