// A job with its target, as bytes and back.
#pragma once

#include <string>
#include <string_view>

#include "land/engine/score_job.h"

namespace land {

// All but the scorer, which a worker makes itself.
std::string to_message(const ScoreJob& job);
// Throws InputError for what is damaged, comes from another version of the program, or has options or a target that
// kernels cannot use. Whether the job fits the data is the engine's to check (check_job).
ScoreJob read_job(std::string_view message);

}  // namespace land
