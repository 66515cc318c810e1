// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace land::cli {

std::string grouped(std::int64_t number);                    // 1,132,007
std::string counted(std::int64_t number, const char* noun);  // "1 feature", "1,200 features"
std::string bytes(double number);                            // 3.4 MB (powers of ten)
// "512M", "2G", "1.5g", "4096": bytes, in powers of 1024. Throws InputError naming `option` for anything else.
std::int64_t parse_bytes(const std::string& text, const char* option);
std::string duration(double seconds);     // 0.12 s, 42 s, 3 min 20 s, 2 h 5 min
std::string short_number(double number);  // 950, 12.3 k, 4.1 M

}  // namespace land::cli
