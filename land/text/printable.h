// Text of unknown origin made fit for names and messages.
#pragma once

#include <string>
#include <string_view>

namespace land {

// `text` itself when it is UTF-8; otherwise its bytes taken for Latin-1 (what spreadsheets write) and recoded.
std::string to_utf8(std::string_view text);

// A name as every output for people and every TSV has it, on one line: a backslash is \\, tab, newline and carriage
// return are \t, \n and \r, any other control character (U+0000 to U+001F, U+007F to U+009F) is \x and two digits.
std::string escaped(std::string_view text);

// The same for a whole line in which names are escaped already: backslashes stay as they are.
std::string escape_controls(std::string_view text);

// 'text' in single quotes: at most about 40 bytes, escaped. For messages.
std::string in_quotes(std::string_view text);

// Appends the code point; U+FFFD in place of surrogates and numbers beyond Unicode.
void append_utf8(char32_t code, std::string& out);

}  // namespace land
