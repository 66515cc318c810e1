#include "land/formats/take_targets.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/data/survival.h"
#include "land/text/printable.h"

namespace land {
namespace {

void check_time(const PlacedTarget& time, std::int64_t sample) {
  const auto i = static_cast<std::size_t>(sample);
  if (time.column.is_text()) {
    throw InputError(fmt::format("{}: {} is no time; write a number, 0 or above", time.place(first_text(time.column)),
                                 in_quotes(time.column.text[static_cast<std::size_t>(first_text(time.column))])));
  }
  if (time.column.numbers[i] < 0.0) {
    throw InputError(
        fmt::format("{}: a time of {}; times must be 0 or above", time.place(sample), time.column.numbers[i]));
  }
}

bool event_at(const PlacedTarget& event, std::int64_t sample) {
  const auto i = static_cast<std::size_t>(sample);
  const std::string word = event.column.is_text() ? event.column.text[i] : fmt::format("{}", event.column.numbers[i]);
  const std::optional<bool> seen = event_of(word);
  if (seen) return *seen;
  throw InputError(
      fmt::format("{}: {} says neither event nor censored; write 1 for an event, 0 where there was none "
                  "until then (or name time and event the other way round: {})",
                  event.place(sample), in_quotes(word), option("survival=", "TIME,EVENT")));
}

}  // namespace

TargetColumn survival_target(const PlacedTarget& time, const PlacedTarget& event) {
  TargetColumn target;
  target.name = time.column.name + "," + event.column.name;
  target.time_name = time.column.name;
  target.event_name = event.column.name;
  target.first_sample = time.column.first_sample;
  for (std::int64_t i = 0; i < time.column.size(); ++i) {
    const bool has_time = !time.column.is_missing(i);
    const bool has_event = i < event.column.size() && !event.column.is_missing(i);
    if (has_time) check_time(time, i);
    target.events.push_back(has_event && event_at(event, i) ? 1 : 0);
    if (!has_time || !has_event) note_missing((has_time ? event : time).place(i), target);
    target.numbers.push_back(has_time && has_event ? time.column.numbers[static_cast<std::size_t>(i)]
                                                   : std::numeric_limits<double>::quiet_NaN());
  }
  return target;
}

void take_targets(std::vector<PlacedTarget> targets, bool survival, Table& table) {
  table.other_targets.clear();
  if (survival) {
    table.target = survival_target(targets[0], targets[1]);
    return;
  }
  table.target = std::move(targets[0].column);
  for (std::size_t t = 1; t < targets.size(); ++t) table.other_targets.push_back(std::move(targets[t].column));
}

}  // namespace land
