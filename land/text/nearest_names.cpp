#include "land/text/nearest_names.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace land {
namespace {

// Names are compared up to this length: a hostile table must not cost the product of two long cells.
constexpr std::size_t kLongestName = 128;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> names, std::size_t most) {
  wanted = wanted.substr(0, kLongestName);
  const std::size_t furthest = std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<std::pair<std::size_t, const std::string*>> nearest;
  for (const std::string& name : names) {
    const std::size_t longer = std::max(name.size(), wanted.size());
    const std::size_t shorter = std::min(name.size(), wanted.size());
    if (name.empty() || name.size() > kLongestName || longer - shorter > furthest) continue;
    const std::size_t distance = edit_distance(wanted, name);
    // As many edits as letters means nothing in common.
    if (distance > furthest || distance >= longer) continue;
    const auto same = [&](const auto& other) { return *other.second == name; };
    if (std::any_of(nearest.begin(), nearest.end(), same)) continue;
    const auto place = std::upper_bound(nearest.begin(), nearest.end(), distance,
                                        [](std::size_t d, const auto& other) { return d < other.first; });
    nearest.insert(place, {distance, &name});
    if (nearest.size() > most) nearest.pop_back();
  }
  std::vector<std::string> result;
  result.reserve(nearest.size());
  for (const auto& [distance, name] : nearest) result.push_back(*name);
  return result;
}

}  // namespace land
