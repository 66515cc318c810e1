// The small ones: which features to fetch, and the shape of what an engine holds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/base/feature_id.h"
#include "land/engine/shape.h"

namespace land {

std::string to_message(std::span<const FeatureId> ids);
// Throws InputError for what is damaged, and for a feature that is none of `features`.
std::vector<FeatureId> read_ids(std::string_view message, std::int64_t features);

std::string to_message(const Shape& shape);
// Throws InputError for what is damaged or impossible.
Shape read_shape(std::string_view message);

}  // namespace land
