// A synthetic table to a file, streamed: memory does not grow with it but for a few bytes a feature.
#pragma once

#include <string>
#include <vector>

#include "land/base/context.h"
#include "land/generate/synthetic.h"

namespace land {

// The format follows the ending of `path`:
//   .csv, .tsv   columns X1, X2, ... and the target Y last
//   .npy         float32 (counts: uint8), samples x features in C order; the target stands beside, in NAME.y.npy
//                (float64, classes: int32)
//   .h5          a store (docs/store.md), with the target Y in it; features are made one after the other, by all
//   threads
// What was planted is told in NAME.truth.json, features counted from 0. Returns the files, all of them written or none.
// Throws InputError on another ending or a file that cannot be written, Interrupted when asked to stop.
std::vector<std::string> write_synthetic(const SyntheticTable& table, const std::string& path, const Context& context);

}  // namespace land
