#include "bindings/spelling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "land/options/option_table.h"

namespace land::python {
namespace {

thread_local Keywords own_keywords;

std::string keyword(const std::string& key, const Keywords& own) {
  if (const auto found = own.find(key); found != own.end()) return found->second;
  const OptionInfo* info = find_option(key);
  if (info != nullptr && !info->python.empty()) return std::string(info->python);
  std::string name = key;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) made += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return made + '"';
}

std::string value_of(const Mention& mention) {
  std::vector<std::string> texts;
  for (const std::string& value : mention.values) texts.push_back(quoted(value));
  switch (mention.kind) {
    case Mention::Kind::kNone:
      return "True";
    case Mention::Kind::kVerbatim:
    case Mention::Kind::kBytes:
      return mention.values.front();
    case Mention::Kind::kWord:
      return texts.front();
    case Mention::Kind::kOneOf:
      return one_of(texts);
    case Mention::Kind::kNames:
      return texts.size() == 1 ? texts.front() : fmt::format("[{}]", fmt::join(texts, ", "));
  }
  return "";
}

std::string written(const Mention& mention, const Keywords& own) {
  switch (mention.what) {
    case Mention::What::kCommand:
      return "land." + mention.key;
    case Mention::What::kAmount:
      return value_of(mention);
    case Mention::What::kOption:
      break;
  }
  const OptionInfo* info = find_option(mention.key);
  const bool is_switch = info != nullptr && info->kind == OptionKind::kSwitch;
  const std::string name = keyword(mention.key, own);
  return mention.kind == Mention::Kind::kNone && !is_switch ? name : fmt::format("{}={}", name, value_of(mention));
}

}  // namespace

Spelling as_written() {
  return [own = own_keywords](const Mention& mention) { return written(mention, own); };
}

std::string spelled(std::string_view message) { return spell(message, as_written()); }

Keywords set_keywords(Keywords keywords) { return std::exchange(own_keywords, std::move(keywords)); }

}  // namespace land::python
