// The columns that were read as targets -> what a table has of them.
#pragma once

#include <vector>

#include "land/data/table.h"
#include "land/formats/target_values.h"

namespace land {

struct PlacedTarget {
  TargetColumn column;
  PlaceOf place;
};

// Time and event as one target, named "TIME,EVENT", which lacks a value where one of them does. Throws InputError at a
// time that is text or negative, and at a code that says neither that the event was seen nor that it was not.
TargetColumn survival_target(const PlacedTarget& time, const PlacedTarget& event);

// As the target of the table, those after the first as its other targets. Of survival they are time and event.
void take_targets(std::vector<PlacedTarget> targets, bool survival, Table& table);

}  // namespace land
