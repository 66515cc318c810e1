#include "cli/kernel_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/choices.h"
#include "land/error.h"
#include "land/formats/parse_number.h"

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
  CLI::Option* basis = command.add_option("--basis", arguments.basis, "The same at points of your own")
                           ->type_name("G1,G2,...")
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
  if (command.count("--basis") > 0) options.basis = points_of(arguments.basis);
  if (even || !options.basis.empty()) options.factor = FactorKind::kNystrom;
  if (arguments.exact) options.factor = FactorKind::kFull;
  return options;
}

}  // namespace land::cli
