// The envelope of everything that is sent: what it is, its layout, its length, and a checksum over all of it. Numbers
// are little-endian. A reader believes no length before it has compared it with what is there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace land {

static_assert(std::endian::native == std::endian::little);

// Of messages; it changes when what any of them holds does.
inline constexpr std::uint32_t kWireFormat = 2;

enum class MessageKind : std::uint32_t {
  kJob = 1,
  kScores = 2,
  kBlock = 3,
  kIds = 4,
  kShape = 5,
  kTable = 6,
  kCell = 7,
  kOrder = 8,
  kAnswer = 9,
  kFeatures = 10,
  kPermutations = 11,
  kPermuted = 12
};
std::string_view to_string(MessageKind kind);  // "a job", ...

// The least that a message takes: envelope and checksum.
inline constexpr std::size_t kEnvelopeBytes = 32;

class MessageWriter {
 public:
  explicit MessageWriter(MessageKind kind);

  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  // Values alone: the reader knows how many there are.
  template <class T>
  void put_all(std::span<const T> values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void put_text(std::string_view text);  // with its length
  // The version of the program, for what another version may compute otherwise.
  void put_version();

  // The whole message, once.
  std::string finish();

 private:
  std::string bytes_;
};

class MessageReader {
 public:
  // Throws InputError for what is not a whole message of this kind.
  MessageReader(std::string_view message, MessageKind kind);
  // Of a message that may be damaged, to say what it claims to be. Empty if it is too short for that.
  static MessageReader unchecked(std::string_view message, MessageKind kind);
  // Whether a message says that it is of this kind; nothing else of it is believed yet.
  static bool is(MessageKind kind, std::string_view message);

  // All throw InputError if so much is not left.
  template <class T>
  T take() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take_bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class T>
  void take_all(std::span<T> values) {
    const std::string_view bytes = take_bytes(values.size_bytes());
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  std::string_view take_bytes(std::uint64_t count);
  bool take_bool();
  // One of the enumerators up to `last`, which count from 0.
  template <class Enum>
  Enum take_enum(Enum last, const char* what) {
    const auto value = take<std::underlying_type_t<Enum>>();
    if (value > static_cast<std::underlying_type_t<Enum>>(last)) refuse(what);
    return static_cast<Enum>(value);
  }
  // How many follow of what takes at least `bytes_each`.
  std::size_t take_count(std::size_t bytes_each);
  std::string take_text();
  // Throws InputError if the message is of another version of the program.
  void take_version();
  std::size_t left() const { return rest_.size(); }
  // Throws InputError if anything is left.
  void finish() const { require(rest_.empty(), "more follows than it should hold"); }

  // Throw InputError with what is wrong, the first unless it holds.
  void require(bool holds, const char* what) const {
    if (!holds) refuse(what);
  }
  [[noreturn]] void refuse(const char* what) const;

 private:
  explicit MessageReader(MessageKind kind) : kind_(kind) {}

  MessageKind kind_;
  std::string_view rest_;
};

}  // namespace land
