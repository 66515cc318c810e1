// Rooted graphlets counted in contact graphs.
#pragma once

#include "land/base/context.h"
#include "land/graphlets/contact_graphs.h"
#include "land/graphlets/graphlet_table.h"

namespace land {

// Counts the connected induced subgraphs of 1 to 4 vertices, each once for every vertex as its root, up to isomorphism
// that keeps labels and root. Threads share out the graphs; the table does not depend on them. Memory: 8 bytes for each
// graphlet of each graph, not counting roots. Throws InputError when a graphlet occurs more than
// GraphletCounter::kMostTimes times in a graph or when there are 2^32 features, Interrupted when asked to stop.
GraphletTable count_graphlets(const ContactGraphs& graphs, const Context& context);

}  // namespace land
