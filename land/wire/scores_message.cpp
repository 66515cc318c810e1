#include "land/wire/scores_message.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "land/wire/message.h"

namespace land {
namespace {

// What Scores hold of each feature besides its bounds.
struct Columns {
  bool checksums = false;
  bool signatures = false;
  bool copy_keys = false;
  std::size_t bytes_each() const {
    return sizeof(double) + 2 * sizeof(float) + (checksums ? sizeof(std::uint32_t) : 0) +
           (signatures ? sizeof(std::uint64_t) : 0) + (copy_keys ? sizeof(std::uint32_t) : 0);
  }
};

// A span over any of the columns.
template <class Column>
auto all_of(Column& column) {
  return std::span(column.data(), column.size());
}

void check_scores(const Scores& scores, const MessageReader& reader) {
  const auto are_bounds = [](const auto& column) {
    return std::all_of(column.begin(), column.end(), [](auto x) { return x >= 0; });
  };
  reader.require(std::all_of(scores.relevance.begin(), scores.relevance.end(),
                             [](double f) { return f >= kExplained && std::isfinite(f); }) &&
                     are_bounds(scores.norm) && are_bounds(scores.error),
                 "a score is impossible");
  reader.require(scores.missing == 0 ? scores.first_missing == -1
                                     : scores.missing > 0 && scores.first_missing >= scores.first &&
                                           scores.first_missing < scores.first + scores.size(),
                 "missing values where there are no features");
}

}  // namespace

std::string to_message(const Scores& scores) {
  MessageWriter writer(MessageKind::kScores);
  writer.put_version();
  writer.put(scores.first);
  writer.put(scores.missing);
  writer.put(scores.first_missing);
  writer.put(static_cast<std::uint8_t>(!scores.checksums.empty()));
  writer.put(static_cast<std::uint8_t>(!scores.signatures.empty()));
  writer.put(static_cast<std::uint8_t>(!scores.copy_keys.empty()));
  writer.put(static_cast<std::uint64_t>(scores.size()));
  writer.put_all(all_of(scores.relevance));
  writer.put_all(all_of(scores.norm));
  writer.put_all(all_of(scores.error));
  writer.put_all(all_of(scores.checksums));
  writer.put_all(all_of(scores.signatures));
  writer.put_all(all_of(scores.copy_keys));
  return writer.finish();
}

Scores read_scores_message(std::string_view message) {
  MessageReader reader(message, MessageKind::kScores);
  reader.take_version();
  Scores scores;
  scores.first = reader.take<std::int64_t>();
  scores.missing = reader.take<std::int64_t>();
  scores.first_missing = reader.take<std::int64_t>();
  Columns columns;
  columns.checksums = reader.take_bool();
  columns.signatures = reader.take_bool();
  columns.copy_keys = reader.take_bool();
  const std::size_t count = reader.take_count(columns.bytes_each());
  reader.require(
      scores.first >= 0 && scores.first <= std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(count),
      "an impossible range of features");
  scores.resize(static_cast<std::int64_t>(count));
  scores.checksums.resize(columns.checksums ? count : 0);
  scores.signatures.resize(columns.signatures ? count : 0);
  scores.copy_keys.resize(columns.copy_keys ? count : 0);
  reader.take_all(all_of(scores.relevance));
  reader.take_all(all_of(scores.norm));
  reader.take_all(all_of(scores.error));
  reader.take_all(all_of(scores.checksums));
  reader.take_all(all_of(scores.signatures));
  reader.take_all(all_of(scores.copy_keys));
  reader.finish();
  check_scores(scores, reader);
  return scores;
}

}  // namespace land
