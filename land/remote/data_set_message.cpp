#include "land/remote/data_set_message.h"

#include <limits>

namespace land {

void put_data_set(const DataSet& data, MessageWriter& writer) {
  writer.put_text(data.name);
  writer.put(data.id);
  writer.put(data.features);
  writer.put(data.samples);
  writer.put(static_cast<std::uint8_t>(data.has_signatures));
}

DataSet take_data_set(MessageReader& reader) {
  DataSet data;
  data.name = reader.take_text();
  data.id = reader.take<std::uint64_t>();
  data.features = reader.take<std::int64_t>();
  data.samples = reader.take<std::int64_t>();
  data.has_signatures = reader.take_bool();
  // Sample numbers have 32 bits.
  reader.require(data.features >= 1 && data.samples >= 1 && data.samples <= std::numeric_limits<std::int32_t>::max(),
                 "a data set of an impossible shape");
  return data;
}

}  // namespace land
