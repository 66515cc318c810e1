#include "cli/kernel_options.h"

#include "cli/choices.h"

namespace land::cli {

void add_kernel_options(CLI::App& command, KernelArguments& arguments) {
  const char* group = "Kernels (one of --bases, --basis and --exact at most)";
  KernelOptions& kernel = arguments.options;
  add_choice(command, "--measure", arguments.measure, names(kMeasures),
             "nhsic, or hsic: the original HSIC Lasso, not normalised")
      ->group(group);
  command.add_option("--sigma", kernel.sigma, "Width of the Gaussian kernel, in standard deviations of a feature")
      ->type_name("SIGMA")
      ->capture_default_str()
      ->group(group);
  CLI::Option* bases =
      command.add_option("--bases", arguments.bases, "The paper's approximation with B points evenly on [-5, 5]")
          ->type_name("B")
          ->group(group);
  CLI::Option* basis = command.add_option("--basis", kernel.basis, "The same at points of your own")
                           ->type_name("G1,G2,...")
                           ->delimiter(',')
                           ->allow_extra_args(false)
                           ->group(group);
  CLI::Option* exact =
      command.add_flag("--exact", arguments.exact, "Full n x n kernel matrices: the slow reference")->group(group);
  bases->excludes(basis)->excludes(exact);
  basis->excludes(exact);
}

KernelOptions kernel_of(const CLI::App& command, const KernelArguments& arguments) {
  KernelOptions options = arguments.options;
  options.measure = value_of(arguments.measure, kMeasures);
  const bool even = command.count("--bases") > 0;
  if (even) options.basis = even_basis(arguments.bases);
  if (even || !options.basis.empty()) options.factor = FactorKind::kNystrom;
  if (arguments.exact) options.factor = FactorKind::kFull;
  return options;
}

}  // namespace land::cli
