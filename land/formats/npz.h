// NumPy's .npz: a zip archive of .npy files, stored or deflated.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "land/formats/npy.h"
#include "land/formats/read_request.h"

namespace land {

bool is_zip(std::span<const std::byte> bytes);

// The matrix is the array options.matrix_array. The target is the array that --target names, else the column it
// numbers or names; without --target the array options.target_array if the file has it. The first array of strings
// called feature_names, features, names, columns or var_names names the features, the first called sample_names,
// samples, ids, obs_names or index the samples. Arrays are read into memory; the sizes
// that archive and .npy header declare must agree, and be possible for the compressed size, before any memory is taken
// for them.
Table read_npz(const Bytes& bytes, const ReadRequest& request);

// The array options.target_array of an archive as a target, or its only array.
TargetColumn read_npz_target(const Bytes& bytes, const ReadRequest& request);

}  // namespace land
