#include "land/wire/message.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

#include "land/base/error.h"
#include "land/base/version.h"

namespace land {
namespace {

constexpr std::string_view kMagic = "LANDWIRE";
constexpr std::size_t kLengthAt = 16;
constexpr std::size_t kBodyAt = 24;

template <class T>
T read_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

}  // namespace

std::string_view to_string(MessageKind kind) {
  switch (kind) {
    case MessageKind::kJob:
      return "a job";
    case MessageKind::kScores:
      return "scores";
    case MessageKind::kBlock:
      return "a block of features";
    case MessageKind::kIds:
      return "a list of features";
    case MessageKind::kShape:
      return "a shape";
    case MessageKind::kTable:
      return "a block table";
    case MessageKind::kCell:
      return "a cell of a block table";
    case MessageKind::kOrder:
      return "an order";
    case MessageKind::kAnswer:
      return "an answer";
    case MessageKind::kFeatures:
      return "features";
    case MessageKind::kPermutations:
      return "permutations";
    case MessageKind::kPermuted:
      return "permuted relevances";
  }
  return "something unknown";
}

MessageWriter::MessageWriter(MessageKind kind) {
  bytes_ = kMagic;
  put(kWireFormat);
  put(kind);
  put(std::uint64_t{0});  // the length, when it is known
}

void MessageWriter::put_text(std::string_view text) {
  put(static_cast<std::uint64_t>(text.size()));
  bytes_ += text;
}

void MessageWriter::put_version() { put_text(version()); }

std::string MessageWriter::finish() {
  const std::uint64_t length = bytes_.size() + sizeof(std::uint64_t);
  std::memcpy(bytes_.data() + kLengthAt, &length, sizeof(length));
  put(static_cast<std::uint64_t>(XXH3_64bits(bytes_.data(), bytes_.size())));
  return std::move(bytes_);
}

MessageReader::MessageReader(std::string_view message, MessageKind kind) : kind_(kind) {
  if (message.size() < kEnvelopeBytes) {
    throw InputError(fmt::format("{}: cut short, {} bytes of at least {}; send it again", to_string(kind),
                                 message.size(), kEnvelopeBytes));
  }
  if (!message.starts_with(kMagic)) {
    throw InputError(fmt::format("{}: these are no bytes that land has sent", to_string(kind)));
  }
  if (const auto format = read_at<std::uint32_t>(message, kMagic.size()); format != kWireFormat) {
    throw InputError(fmt::format("{}: in layout {}, and this is {}; run the same version of land at both ends",
                                 to_string(kind), format, kWireFormat));
  }
  if (const auto length = read_at<std::uint64_t>(message, kLengthAt); length != message.size()) {
    throw InputError(fmt::format("{}: {}, {} bytes of {}; send it again", to_string(kind),
                                 length > message.size() ? "cut short" : "too long", message.size(), length));
  }
  const std::size_t checked = message.size() - sizeof(std::uint64_t);
  if (read_at<std::uint64_t>(message, checked) != XXH3_64bits(message.data(), checked)) {
    throw InputError(
        fmt::format("{}: damaged on the way: its checksum does not match; send it again", to_string(kind)));
  }
  const auto found = static_cast<MessageKind>(read_at<std::uint32_t>(message, kMagic.size() + sizeof(kWireFormat)));
  if (found != kind) throw InputError(fmt::format("{}: {} came instead", to_string(kind), to_string(found)));
  rest_ = message.substr(kBodyAt, checked - kBodyAt);
}

MessageReader MessageReader::unchecked(std::string_view message, MessageKind kind) {
  MessageReader reader(kind);
  if (message.size() > kBodyAt) reader.rest_ = message.substr(kBodyAt);
  return reader;
}

bool MessageReader::is(MessageKind kind, std::string_view message) {
  return message.size() >= kEnvelopeBytes &&
         read_at<std::uint32_t>(message, kMagic.size() + sizeof(kWireFormat)) == static_cast<std::uint32_t>(kind);
}

std::string_view MessageReader::take_bytes(std::uint64_t count) {
  require(count <= rest_.size(), "it ends before all that it should hold");
  const std::string_view front = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return front;
}

bool MessageReader::take_bool() {
  const auto value = take<std::uint8_t>();
  require(value <= 1, "a mark is neither set nor unset");
  return value == 1;
}

std::size_t MessageReader::take_count(std::size_t bytes_each) {
  const auto count = take<std::uint64_t>();
  require(count <= rest_.size() / bytes_each, "it ends before all that it should hold");
  return count;
}

std::string MessageReader::take_text() { return std::string(take_bytes(take<std::uint64_t>())); }

void MessageReader::take_version() {
  const std::string made_by = take_text();
  if (made_by != version()) {
    throw InputError(fmt::format("{}: made by land {}, and this is {}; run the same version at both ends",
                                 to_string(kind_), made_by, version()));
  }
}

void MessageReader::refuse(const char* what) const {
  throw InputError(fmt::format("{}: not what land sends: {}", to_string(kind_), what));
}

}  // namespace land
