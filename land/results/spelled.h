// Results in the words of a front end, which calls this before it reports them: see land/base/option.h.
#pragma once

#include "land/base/option.h"
#include "land/results/evaluation.h"
#include "land/results/result.h"
#include "land/results/stability.h"
#include "land/results/survey.h"

namespace land {

Result spelled(Result result, const Spelling& spelling);
Evaluation spelled(Evaluation evaluation, const Spelling& spelling);
Stability spelled(Stability stability, const Spelling& spelling);
Survey spelled(Survey survey, const Spelling& spelling);
std::vector<std::string> spelled(std::vector<std::string> messages, const Spelling& spelling);

}  // namespace land
