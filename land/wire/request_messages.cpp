#include "land/wire/request_messages.h"

#include <limits>

#include "land/wire/message.h"

namespace land {

std::string to_message(std::span<const FeatureId> ids) {
  MessageWriter writer(MessageKind::kIds);
  writer.put(static_cast<std::uint64_t>(ids.size()));
  writer.put_all(ids);
  return writer.finish();
}

std::vector<FeatureId> read_ids(std::string_view message, std::int64_t features) {
  MessageReader reader(message, MessageKind::kIds);
  std::vector<FeatureId> ids(reader.take_count(sizeof(FeatureId)));
  reader.take_all(std::span(ids));
  reader.finish();
  for (const FeatureId id : ids) reader.require(id >= 0 && id < features, "there is no feature of this number");
  return ids;
}

std::string to_message(const Shape& shape) {
  MessageWriter writer(MessageKind::kShape);
  for (const std::int64_t number : {shape.features, shape.samples, shape.bytes_each, shape.mapped_bytes}) {
    writer.put(number);
  }
  return writer.finish();
}

Shape read_shape(std::string_view message) {
  MessageReader reader(message, MessageKind::kShape);
  Shape shape;
  for (std::int64_t* number : {&shape.features, &shape.samples, &shape.bytes_each, &shape.mapped_bytes}) {
    *number = reader.take<std::int64_t>();
    reader.require(*number >= 0, "a number of it is negative");
  }
  reader.finish();
  reader.require(shape.samples <= std::numeric_limits<std::int32_t>::max(), "it has an impossible number of samples");
  return shape;
}

}  // namespace land
