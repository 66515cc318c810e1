// Which samples and features of a table are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace land {

struct Subset {
  // Their numbers, ascending; nullopt: all.
  std::optional<std::vector<std::int64_t>> samples;
  std::optional<std::vector<std::int64_t>> features;
  bool is_all() const { return !samples && !features; }
};

// The numbers of those that are kept; nullopt when all are.
inline std::optional<std::vector<std::int64_t>> numbers_of(const std::vector<bool>& kept) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) numbers.push_back(static_cast<std::int64_t>(i));
  }
  if (numbers.size() == kept.size()) return std::nullopt;
  return numbers;
}

// list = those of its elements that are kept.
template <class T>
void keep_only(const std::vector<std::int64_t>& kept, std::vector<T>& list) {
  if (list.empty()) return;
  std::size_t to = 0;
  for (const std::int64_t from : kept) {
    const auto at = static_cast<std::size_t>(from);
    if (to != at) list[to] = std::move(list[at]);
    ++to;
  }
  list.resize(to);
}

}  // namespace land
