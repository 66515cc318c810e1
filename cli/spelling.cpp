#include "cli/spelling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace land::cli {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || std::string_view("_.,:-+/@%").find(c) != std::string_view::npos;
}

// As a shell takes it. No name has a quote in it.
std::string quoted(const std::string& argument) {
  const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), is_plain);
  return plain ? argument : "'" + argument + "'";
}

std::string value_of(const Mention& mention) {
  switch (mention.kind) {
    case Mention::Kind::kNone:
      return "";
    case Mention::Kind::kVerbatim:
    case Mention::Kind::kWord:
      return mention.values.front();
    case Mention::Kind::kOneOf:
      return one_of(mention.values);
    case Mention::Kind::kNames:
      return quoted(fmt::format("{}", fmt::join(mention.values, ",")));
    case Mention::Kind::kBytes:
      return fmt::format("{}M", mention.bytes() >> 20U);
  }
  return "";
}

}  // namespace

std::string as_typed(const Mention& mention) {
  switch (mention.what) {
    case Mention::What::kCommand:
      return "land " + mention.key;
    case Mention::What::kAmount:
      return value_of(mention);
    case Mention::What::kOption:
      break;
  }
  std::string name = (mention.key.size() == 1 ? "-" : "--") + mention.key;
  if (mention.kind == Mention::Kind::kNone) return name;
  return fmt::format("{}{}{}", name, mention.equals ? "=" : " ", value_of(mention));
}

std::string spelled(std::string_view message) { return spell(message, as_typed); }

}  // namespace land::cli
