// Contact graphs from text.
#pragma once

#include <string>

#include "land/base/context.h"
#include "land/formats/read_table.h"
#include "land/graphlets/contact_graphs.h"

namespace land {

// The text, plain or compressed with gzip: the number of graphs on a line; for each graph a line `vertices class`, then
// for each of its vertices a line `label degree neighbour...`. Neighbours are numbered from 0 within their graph.
// Fields are separated by blanks; what follows the neighbours on a line is ignored, and so are empty lines. Labels are
// whole numbers from 0, at most kMostLabels different ones; a class is any number.
//
// Throws InputError with file, line and what is wrong. Memory: in proportion to the text, whatever counts it announces.
ContactGraphs read_contact_graphs(const std::string& path, const Context& context);

// The same from memory; `name` stands for the path in messages.
ContactGraphs read_contact_graphs(const Bytes& bytes, const std::string& name, const Context& context);

}  // namespace land
