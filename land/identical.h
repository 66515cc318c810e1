// Which features repeat a selected one, up to sign, shift and scale.
#pragma once

#include <vector>

#include "land/engine/candidates.h"
#include "land/path/path.h"
#include "land/report/result.h"

namespace land {

// Fills `identical` of the selected features, in rising order. A copy of a selected feature ties with it, so the path
// has touched it and evaluated the pair: only touched pairs are looked at.
void find_identical(const Path& path, Candidates& candidates, std::vector<SelectedFeature>& selected);

}  // namespace land
