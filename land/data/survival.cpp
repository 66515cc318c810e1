#include "land/data/survival.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <string>
#include <utility>

namespace land {

std::optional<bool> event_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, bool>, 12> kWords = {{{"0", false},
                                                                         {"1", true},
                                                                         {"0.0", false},
                                                                         {"1.0", true},
                                                                         {"false", false},
                                                                         {"true", true},
                                                                         {"censored", false},
                                                                         {"event", true},
                                                                         {"alive", false},
                                                                         {"dead", true},
                                                                         {"living", false},
                                                                         {"deceased", true}}};
  if (word.size() > 2 && word[1] == ':') word = word.substr(0, 1);
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto* found =
      std::find_if(kWords.begin(), kWords.end(), [&](const auto& known) { return known.first == lower; });
  if (found == kWords.end()) return std::nullopt;
  return found->second;
}

std::vector<double> nelson_aalen(std::span<const double> times, std::span<const std::uint8_t> events) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  std::vector<double> hazard(times.size());
  double sum = 0.0;
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    std::int64_t seen = 0;
    for (; last < order.size() && times[order[last]] == times[order[first]]; ++last) seen += events[order[last]];
    sum += static_cast<double>(seen) / static_cast<double>(order.size() - first);
    for (std::size_t i = first; i < last; ++i) hazard[order[i]] = sum;
  }
  return hazard;
}

std::vector<double> martingale_residuals(std::span<const double> times, std::span<const std::uint8_t> events) {
  std::vector<double> residuals = nelson_aalen(times, events);
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = static_cast<double>(events[i]) - residuals[i];
  return residuals;
}

}  // namespace land
