#include "land/remote/compact_thrift.h"

#include <utility>

namespace land {
namespace {

constexpr std::uint8_t kInt32 = 5;
constexpr std::uint8_t kInt64 = 6;
constexpr std::uint8_t kText = 8;
constexpr std::uint8_t kList = 9;
constexpr std::uint8_t kStruct = 12;

}  // namespace

void CompactThrift::varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7U;
  }
  bytes_.push_back(static_cast<char>(value));
}

void CompactThrift::zigzag(std::int64_t value) {
  varint((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
}

void CompactThrift::text(std::string_view value) {
  varint(value.size());
  bytes_.append(value);
}

// Fields rise by less than 16 in what is written here.
void CompactThrift::head(int field, std::uint8_t type) {
  const int delta = field - last_.back();
  bytes_.push_back(static_cast<char>((static_cast<unsigned>(delta) << 4U) | type));
  last_.back() = static_cast<char>(field);
}

void CompactThrift::put(int field, std::int32_t value) {
  head(field, kInt32);
  zigzag(value);
}

void CompactThrift::put(int field, std::int64_t value) {
  head(field, kInt64);
  zigzag(value);
}

void CompactThrift::put(int field, std::string_view value) {
  head(field, kText);
  text(value);
}

void CompactThrift::begin_struct(int field) {
  head(field, kStruct);
  begin_element();
}

void CompactThrift::begin_list(int field, Element element, std::size_t count) {
  head(field, kList);
  const auto type = static_cast<std::uint8_t>(element);
  constexpr std::size_t kLong = 15;
  if (count < kLong) {
    bytes_.push_back(static_cast<char>((count << 4U) | type));
  } else {
    bytes_.push_back(static_cast<char>(0xF0U | type));
    varint(count);
  }
}

void CompactThrift::begin_element() { last_.push_back('\0'); }

void CompactThrift::put_element(std::int32_t value) { zigzag(value); }

void CompactThrift::put_element(std::string_view value) { text(value); }

void CompactThrift::end() {
  bytes_.push_back('\0');
  last_.pop_back();
}

std::string CompactThrift::take() {
  end();
  last_ = std::string(1, '\0');
  return std::exchange(bytes_, {});
}

}  // namespace land
