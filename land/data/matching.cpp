#include "land/data/matching.h"

#include <fmt/format.h>

#include "land/text/printable.h"

namespace land {

std::string_view to_string(Matching::How how) {
  switch (how) {
    case Matching::How::kNone:
      return "none";
    case Matching::How::kSameTable:
      return "table";
    case Matching::How::kIds:
      return "ids";
    case Matching::How::kOrder:
      return "order";
  }
  return "";
}

std::string in_words(const Matching& matching) {
  switch (matching.how) {
    case Matching::How::kNone:
      return "";
    case Matching::How::kSameTable:
      return "in the table itself";
    case Matching::How::kOrder:
      return "in order";
    case Matching::How::kIds:
      break;
  }
  std::string text = fmt::format("joined on ids: {} of {}", matching.common, matching.samples);
  if (matching.values != matching.common) {
    text += fmt::format(" samples, {} of {} ids of {}", matching.common, matching.values, matching.file);
  }
  if (!matching.id_column.empty()) text += fmt::format(" (column {})", in_quotes(matching.id_column));
  return text;
}

std::string in_words(const LeftOut& left_out) {
  const char* noun = left_out.what == LeftOut::What::kSamples ? "sample" : "feature";
  return fmt::format("left out {} {}{} {}", left_out.count, noun, left_out.count == 1 ? "" : "s", left_out.reason);
}

}  // namespace land
