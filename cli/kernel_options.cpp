#include "cli/kernel_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/choices.h"
#include "cli/listed_option.h"
#include "land/base/error.h"
#include "land/text/parse_number.h"

namespace land::cli {
namespace {

// "-1,0,2.5"
std::vector<double> points_of(const std::string& text) {
  std::vector<double> points;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::optional<double> point = parse_number(word);
    if (!point) throw InputError(fmt::format("--basis {}: '{}' is not a number; give points as -1,0,2.5", text, word));
    points.push_back(*point);
    begin = end + 1;
  }
  return points;
}

}  // namespace

void add_kernel_options(CLI::App& command, KernelArguments& arguments) {
  add_listed(command, "measure", arguments.measure);
  add_listed(command, "kernel", arguments.family);
  add_listed(command, "sigma", arguments.options.sigma);
  CLI::Option* bases = add_listed(command, "bases", arguments.bases);
  CLI::Option* basis = add_listed(command, "basis", arguments.basis);
  CLI::Option* exact = add_listed(command, "exact", arguments.exact);
  bases->excludes(basis)->excludes(exact);
  basis->excludes(exact);
}

KernelOptions kernel_of(const CLI::App& command, const KernelArguments& arguments) {
  KernelOptions options = arguments.options;
  options.measure = value_of(arguments.measure, kMeasures);
  options.family = value_of(arguments.family, kKernelFamilies);
  const bool even = command.count("--bases") > 0;
  if (even) options.basis = even_basis(arguments.bases);
  if (command.count("--basis") > 0) options.basis = points_of(arguments.basis);
  if (even || !options.basis.empty()) options.factor = FactorKind::kNystrom;
  if (arguments.exact) options.factor = FactorKind::kFull;
  return options;
}

}  // namespace land::cli
