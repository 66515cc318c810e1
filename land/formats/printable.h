// Text of unknown origin made fit for names and messages.
#pragma once

#include <string>
#include <string_view>

namespace land {

// `text` itself when it is UTF-8; otherwise its bytes taken for Latin-1 (what spreadsheets write) and recoded.
std::string to_utf8(std::string_view text);

// 'text' in single quotes on one line: at most about 40 bytes, control characters escaped. For messages.
std::string in_quotes(std::string_view text);

// Appends the code point; U+FFFD in place of surrogates and numbers beyond Unicode.
void append_utf8(char32_t code, std::string& out);

}  // namespace land
