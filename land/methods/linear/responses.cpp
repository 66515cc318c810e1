#include "land/methods/linear/responses.h"

#include <cmath>

#include "land/kernels/points/standardise.h"

namespace land {
namespace {

// Column c - 1 of this basis of all C-vectors that add up to zero: c entries alike, then one that balances them.
double helmert(std::int64_t label, std::int64_t c) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(c * (c + 1)));
  if (label < c) return scale;
  return label == c ? -static_cast<double>(c) * scale : 0.0;
}

void centre(std::span<double> column) {
  double sum = 0.0;
  for (const double value : column) sum += value;
  for (double& value : column) value -= sum / static_cast<double>(column.size());
}

}  // namespace

Responses make_responses(const Target& target) {
  Responses responses;
  responses.samples = target.size();
  const auto classes = static_cast<std::int64_t>(target.class_names.size());
  if (classes <= 2) {
    responses.columns = 1;
    std::vector<double> values = target.values;
    for (const std::int32_t label : target.labels) values.push_back(label == 0 ? -1.0 : 1.0);
    const Points points = standardise(values);
    for (std::int64_t i = 0; i < responses.samples; ++i) responses.values.push_back(points.of_sample(i));
    return responses;
  }
  responses.columns = classes - 1;
  responses.values.reserve(static_cast<std::size_t>(responses.columns * responses.samples));
  for (std::int64_t c = 1; c < classes; ++c) {
    for (const std::int32_t label : target.labels) responses.values.push_back(helmert(label, c));
    centre(std::span(responses.values).last(static_cast<std::size_t>(responses.samples)));
  }
  return responses;
}

}  // namespace land
