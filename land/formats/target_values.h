// The values of a target as a TargetColumn: numbers if all are, text otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "land/blocks/matrix.h"
#include "land/data/table.h"
#include "land/formats/number_style.h"

namespace land {

// How messages name the i-th value: "labels.csv: row 4, column 2".
using PlaceOf = std::function<std::string(std::int64_t value)>;

// From text as written; missing values are counted. Throws InputError at an infinite number among numbers; `what` is
// what it calls the column.
TargetColumn target_from_text(std::string name, std::vector<std::string> text, const PlaceOf& place,
                              const NumberStyle& style = NumberStyle(), const char* what = "target");

// From one column of a matrix; booleans become the text "false" and "true". NaN is missing. Throws InputError at an
// infinity.
TargetColumn target_from_matrix(std::string name, const Matrix& matrix, std::int64_t column, const PlaceOf& place);

// Notes the place of the first value that is not a number, if the target is text, for messages.
void note_first_text(const PlaceOf& place, TargetColumn& target);

// Notes that the target lacks a value.
void note_missing(const std::string& place, TargetColumn& target);

}  // namespace land
