// Names of features that the table's own file does not hold, and a look at all names.
#pragma once

#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/formats/read_request.h"

namespace land {

// The lines of the file options.names (also .gz), empty ones at the end left out; empty if there is no such option.
std::vector<std::string> read_given_names(const ReadRequest& request);

// Takes `names`, which come from `source`, for the columns of an array, of which one may be the target later. Throws
// InputError unless there are as many.
void name_columns(std::vector<std::string> names, const std::string& source, Table& table);

// Gives the features the names of options.names. Throws InputError if they have names already, or if there are more or
// fewer.
void add_given_names(const ReadRequest& request, Table& table);

// Adds a warning if features share names: how many, and an example. 16 bytes a feature, for a moment. Names that stand
// elsewhere (FeatureNames) are left where they are: `land convert` has warned of those of a store, and `land graphlets`
// writes none twice.
void warn_of_repeated_names(Table& table);

}  // namespace land
