#include "land/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace land {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Length of the UTF-8 sequence at i; 0 when there is none.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte_at(text, i + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool out_of_range = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || out_of_range ? 0 : length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string escape(std::string_view text, bool backslashes) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = byte_at(text, i);
    if (byte == '\\' && backslashes) {
      out += "\\\\";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xC2 && i + 1 < text.size() && byte_at(text, i + 1) >= 0x80 && byte_at(text, i + 1) < 0xA0) {
      out += fmt::format("\\x{:02x}", byte_at(text, ++i));  // U+0080 to U+009F, which terminals obey, too
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

void append_utf8(char32_t code, std::string& out) {
  if ((code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) code = 0xFFFD;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) append_utf8(byte_at(text, i), out);
  return out;
}

std::string escaped(std::string_view text) { return escape(text, true); }

std::string escape_controls(std::string_view text) { return escape(text, false); }

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string_view shown = text;
  if (text.size() > kMost) {
    std::size_t cut = kMost;
    while (cut > kMost - 4 && (byte_at(text, cut) & 0xC0) == 0x80) --cut;
    shown = text.substr(0, cut);
  }
  std::string out = "'" + escaped(to_utf8(shown));
  out += shown.size() < text.size() ? "...'" : "'";
  return out;
}

}  // namespace land
