#include "cli/method_option.h"

#include <vector>

#include "cli/listed_option.h"
#include "land/methods/method.h"

namespace land::cli {

void add_method(CLI::App& command, std::string& method) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) names.emplace_back(entry.name);
  CLI::Option* option = add_listed(command, "method", method);
  take_one_of(*option, names);
  option->type_name("NAME");  // they would not fit a line
}

}  // namespace land::cli
