// Thrift's compact protocol, as far as Parquet's headers need it: fields by rising number, whole numbers, texts, lists
// and structs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace land {

class CompactThrift {
 public:
  void put(int field, std::int32_t value);
  void put(int field, std::int64_t value);
  void put(int field, std::string_view value);

  // Until end(), fields are those of a struct.
  void begin_struct(int field);
  // A list: so many elements follow, each begin_element() ... end(), or one of the values below.
  enum class Element : std::uint8_t { kInt32 = 5, kText = 8, kStruct = 12 };
  void begin_list(int field, Element element, std::size_t count);
  void begin_element();
  void put_element(std::int32_t value);
  void put_element(std::string_view value);
  void end();

  // All of it, ended.
  std::string take();

 private:
  void head(int field, std::uint8_t type);
  void varint(std::uint64_t value);
  void zigzag(std::int64_t value);
  void text(std::string_view value);

  std::string bytes_;
  std::string last_ = std::string(1, '\0');  // the last field of every struct that is open, one inside the other
};

}  // namespace land
