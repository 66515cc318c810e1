// Which features repeat a selected one, up to sign, shift and scale.
#pragma once

#include <span>
#include <vector>

#include "land/copies/copies.h"
#include "land/pairs/candidates.h"
#include "land/path/path.h"
#include "land/results/result.h"

namespace land {

// Fills `identical` of the selected features, in rising order. A copy of a selected feature ties with it, so the path
// has touched it and evaluated the pair, or it is one of `copies`, which were left out beforehand (null: none were).
void find_identical(std::span<const TouchedFeature> touched, const Copies* copies, Candidates& candidates,
                    std::vector<SelectedFeature>& selected);

}  // namespace land
