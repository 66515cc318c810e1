// A synthetic table by samples.
#pragma once

#include <cstdint>
#include <span>

#include "land/generate/synthetic.h"

namespace land {

// rows[i * stride + k] = feature first_feature + k of sample first_sample + i, for k below `features` and as many
// samples as `rows` has room for.
void fill_rows(const SyntheticTable& table, std::int64_t first_sample, std::int64_t first_feature,
               std::int64_t features, std::int64_t stride, std::span<float> rows);

}  // namespace land
