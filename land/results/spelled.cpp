#include "land/results/spelled.h"

namespace land {

std::vector<std::string> spelled(std::vector<std::string> messages, const Spelling& spelling) {
  for (std::string& message : messages) message = spell(message, spelling);
  return messages;
}

Result spelled(Result result, const Spelling& spelling) {
  result.warnings = spelled(std::move(result.warnings), spelling);
  for (LeftOut& left_out : result.data.left_out) left_out.reason = spell(left_out.reason, spelling);
  return result;
}

Evaluation spelled(Evaluation evaluation, const Spelling& spelling) {
  evaluation.warnings = spelled(std::move(evaluation.warnings), spelling);
  return evaluation;
}

Stability spelled(Stability stability, const Spelling& spelling) {
  stability.warnings = spelled(std::move(stability.warnings), spelling);
  return stability;
}

Survey spelled(Survey survey, const Spelling& spelling) {
  survey.warnings = spelled(std::move(survey.warnings), spelling);
  survey.text_advice = spell(survey.text_advice, spelling);
  return survey;
}

}  // namespace land
