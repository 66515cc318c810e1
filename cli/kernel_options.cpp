#include "cli/kernel_options.h"

#include "cli/choices.h"
#include "cli/listed_option.h"
#include "cli/numbers.h"

namespace land::cli {

void add_kernel_options(CLI::App& command, KernelArguments& arguments) {
  add_listed(command, "measure", arguments.measure);
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
  const bool even = command.count("--bases") > 0;
  if (even) options.basis = even_basis(arguments.bases);
  if (command.count("--basis") > 0) options.basis = numbers_of("basis", arguments.basis);
  if (even || !options.basis.empty()) options.factor = FactorKind::kNystrom;
  if (arguments.exact) options.factor = FactorKind::kFull;
  return options;
}

}  // namespace land::cli
