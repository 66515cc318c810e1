// Survival: times until an event, some of them censored, as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace land {

// What a word says of a sample: true, the event was seen at its time; false, it was censored then. 0 and 1, true and
// false, censored and event, alive and dead, living and deceased, in any case, and 0 or 1 before a colon, as in
// "1:DECEASED". Nothing for any other word.
std::optional<bool> event_of(std::string_view word);

// The cumulative hazard of Nelson and Aalen at the time of every sample: over all times up to it, ties as one, the
// events over the samples still at risk. `events`: 1 where seen.
std::vector<double> nelson_aalen(std::span<const double> times, std::span<const std::uint8_t> events);

// event - hazard: how many more events a sample had than were to be expected until its time. They add up to zero.
std::vector<double> martingale_residuals(std::span<const double> times, std::span<const std::uint8_t> events);

}  // namespace land
