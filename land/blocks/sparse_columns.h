// A sparse table by feature (compressed columns), where it lies, whoever holds it: what is not stored is zero.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

namespace land {

struct SparseColumns {
  using Rows = std::variant<std::span<const std::uint16_t>, std::span<const std::int32_t>>;
  using Values = std::variant<std::span<const std::uint16_t>, std::span<const float>, std::span<const double>>;

  std::int64_t samples = 0;
  std::int64_t columns = 0;
  std::span<const std::int64_t> starts;  // column k is entries starts[k] .. starts[k + 1] - 1
  Rows rows;                             // the samples of a column, strictly rising
  // Their values. Stored zeros are allowed; nothing is infinite; NaN is a missing value.
  Values values;
  std::shared_ptr<const void> owner = nullptr;  // keeps the spans alive

  std::int64_t stored() const {
    return std::visit([](const auto& all) { return std::ssize(all); }, rows);
  }
  std::int64_t row(std::int64_t entry) const {
    return std::visit([&](const auto& all) { return std::int64_t{all[static_cast<std::size_t>(entry)]}; }, rows);
  }
  double value(std::int64_t entry) const {
    return std::visit([&](const auto& all) { return static_cast<double>(all[static_cast<std::size_t>(entry)]); },
                      values);
  }
  // Calls visit(column, its rows, its values) for columns first .. last - 1.
  template <class Visit>
  void for_each(std::int64_t first, std::int64_t last, const Visit& visit) const {
    std::visit(
        [&](const auto& all_rows, const auto& all_values) {
          for (std::int64_t k = first; k < last; ++k) {
            const auto begin = static_cast<std::size_t>(starts[static_cast<std::size_t>(k)]);
            const auto count = static_cast<std::size_t>(starts[static_cast<std::size_t>(k) + 1]) - begin;
            visit(k, all_rows.subspan(begin, count), all_values.subspan(begin, count));
          }
        },
        rows, values);
  }
};

}  // namespace land
