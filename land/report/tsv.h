// The selected features as tab-separated text: the same for the same selection, whatever the machine, time or command.
#pragma once

#include <string>

#include "land/report/result.h"

namespace land {

// A header and one line per selected feature, in order of entry. Numbers read back as the same double. A backslash,
// tab, newline or carriage return in a name is written \\, \t, \n, \r; what does not apply is empty.
std::string to_tsv(const Result& result);

}  // namespace land
