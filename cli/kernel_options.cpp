#include "cli/kernel_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/choices.h"
#include "cli/listed_option.h"
#include "cli/numbers.h"

namespace land::cli {

void add_kernel_options(CLI::App& command, KernelArguments& arguments) {
  add_listed(command, "measure", arguments.measure);
  add_listed(command, "kernel", arguments.family);
  add_listed(command, "sigma", arguments.sigma)->default_str(fmt::format("{}", fmt::join(KernelOptions{}.sigma, ",")));
  add_listed(command, "transform", arguments.transform);
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
  options.transform = value_of(arguments.transform, kTransforms);
  if (arguments.sigma == "mix") {
    options.sigma = kMixedWidths;
  } else if (!arguments.sigma.empty()) {
    options.sigma = in_rising_order(numbers_of("sigma", arguments.sigma));
  }
  const bool even = command.count("--bases") > 0;
  if (even) options.basis = even_basis(arguments.bases);
  if (command.count("--basis") > 0) options.basis = numbers_of("basis", arguments.basis);
  if (even || !options.basis.empty()) options.factor = FactorKind::kNystrom;
  if (arguments.exact) options.factor = FactorKind::kFull;
  return options;
}

}  // namespace land::cli
