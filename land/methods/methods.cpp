#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/methods/additive/sparse_additive.h"
#include "land/methods/conditional/conditional.h"
#include "land/methods/greedy_nhsic.h"
#include "land/methods/hsfs/hsfs.h"
#include "land/methods/hsic_sets/hsic_sets.h"
#include "land/methods/information/cmim.h"
#include "land/methods/information/fcbf.h"
#include "land/methods/information/jmi.h"
#include "land/methods/information/mrmr.h"
#include "land/methods/information/spec_cmi.h"
#include "land/methods/land_path.h"
#include "land/methods/linear/lasso.h"
#include "land/methods/maximum_relevance.h"
#include "land/methods/method.h"
#include "land/methods/qpfs/qpfs.h"
#include "land/methods/qpfs/qpfs_information.h"
#include "land/options/option_table.h"

namespace land {

std::span<const MethodEntry> methods() {
  static constexpr auto kAll = std::to_array<MethodEntry>({
      {"land",
       "the path of NHSIC Lasso: relevant features that do not repeat each other",
       "d n, and m n for each touched",
       "Yamada et al., Ultra High-Dimensional Nonlinear Feature Selection for Big Biological Data, 2018",
       {"ridge", "plain-path"},
       make_land_path,
       nullptr,
       true},
      {"hsic-lasso",
       "the original HSIC Lasso: land with HSIC, which is not normalised",
       "as land",
       "Yamada et al., High-Dimensional Feature Selection by Feature-Wise Kernelized Lasso, 2014",
       {"ridge", "plain-path"},
       make_land_path,
       [](SelectOptions& options) { options.kernel.measure = Measure::kHsic; },
       true},
      {"mr-nhsic",
       "the M most relevant by NHSIC, repeated or not",
       "d n",
       "Song et al., Feature Selection via Dependence Maximization, 2012",
       {},
       make_maximum_relevance,
       nullptr,
       true},
      {"mrmr-nhsic",
       "greedily, the largest relevance less the mean redundancy with those chosen before",
       "d n, and m n for each touched",
       "Peng, Long, Ding, Feature Selection Based on Mutual Information, 2005; with NHSIC",
       {},
       make_greedy_nhsic,
       nullptr,
       true},
      {"conditional",
       "greedily, the most relevant for what those chosen before leave of the target",
       "m d n",
       "what kernel ridge regression leaves of the target: docs/methods/conditional.md",
       {},
       make_conditional,
       nullptr,
       true},
      {"qpfs",
       "the largest weights of a quadratic programme of relevance and redundancy",
       "d^2 n; with P landmarks d P n",
       "Rodriguez-Lujan et al., Quadratic Programming Feature Selection, 2010",
       {"landmarks"},
       make_qpfs,
       nullptr,
       true},
      {"qpfs-mi",
       "the same of mutual information",
       "d^2 n; with P landmarks d P n",
       "as qpfs",
       {"landmarks", "bins"},
       make_qpfs_information},
      {"mrmr",
       "mutual information with the target, less the mean of that with the selected (MID)",
       "d n, and m n for each feature that comes close",
       "Peng et al., Feature Selection Based on Mutual Information: Max-Dependency, Max-Relevance, Min-Redundancy, "
       "2005",
       {"bins"},
       make_mrmr},
      {"mrmr-miq",
       "the same as a quotient (MIQ)",
       "d m n, of which most is spared",
       "as mrmr",
       {"bins"},
       make_mrmr_quotient},
      {"jmi",
       "joint mutual information: what a feature and each of the selected tell together",
       "d m n",
       "Yang and Moody, Data Visualization and Feature Selection, 1999; Brown et al., 2012",
       {"bins"},
       make_jmi},
      {"cmim",
       "what a feature tells of the target beyond any one of the selected",
       "d n, and m n for each feature that comes close",
       "Fleuret, Fast Binary Feature Selection with Conditional Mutual Information, 2004",
       {"bins"},
       make_cmim},
      {"fcbf",
       "relevant features to which no more relevant one is closer than the target",
       "d n, and m n for each looked at",
       "Yu and Liu, Efficient Feature Selection via Analysis of Relevance and Redundancy, 2004",
       {"bins"},
       make_fcbf},
      {"spec-cmi",
       "all pairs at once: the largest entries of an eigenvector; up to 20,000 features",
       "d^2 n",
       "Nguyen et al., Effective Global Approaches for Mutual Information Based Feature Selection, 2014",
       {"bins"},
       make_spec_cmi},
      {"lasso",
       "the path of the linear lasso, for effects along a line",
       "d n for a few of the m steps",
       "Tibshirani, Regression Shrinkage and Selection via the Lasso, 1996; Efron et al., Least Angle Regression, 2004",
       {},
       make_lasso},
      {"spam",
       "a sparse additive model: smooth effects that add up",
       "d n for a few of the m steps, 100 times a lasso's",
       "Ravikumar et al., Sparse Additive Models, 2009",
       {},
       make_sparse_additive,
       nullptr,
       false,
       false},
      {"fohsic",
       "greedily, the feature with which HSIC of the set is largest",
       "m d n^2",
       "Song et al., Feature Selection via Dependence Maximization, 2012",
       {},
       make_forward_hsic},
      {"bahsic",
       "from all features, the tenth without which HSIC of the set is largest is removed, again and again",
       "10 d n^2",
       "Song et al., Feature Selection via Dependence Maximization, 2012",
       {},
       make_backward_hsic},
      {"hsfs",
       "the largest weights of features that together maximise HSIC",
       "400 d n^2",
       "Masaeli, Fung, Dy, From Transformation-Based Dimensionality Reduction to Feature Selection, 2010",
       {},
       make_hsfs,
       nullptr,
       false,
       false},
  });
  return kAll;
}

const MethodEntry& find_method(std::string_view name, std::string_view key) {
  std::string names;
  for (const MethodEntry& entry : methods()) {
    if (entry.name == name) return entry;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  throw InputError(fmt::format("{}: choose one of {}", option(key, name), names));
}

namespace {

bool uses(const MethodEntry& entry, std::string_view key) {
  return std::find(entry.options.begin(), entry.options.end(), key) != entry.options.end();
}

}  // namespace

void check_methods(std::span<const std::string> names, const SelectOptions& options, std::string_view key) {
  for (const std::string& name : names) find_method(name, key);
  for (const std::string_view special : {"ridge", "plain-path", "landmarks", "bins"}) {
    const auto value_of = find_option(special)->value_of;
    if (value_of(options) == value_of(SelectOptions{})) continue;
    if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return uses(find_method(name), special); })) {
      continue;
    }
    std::string users;
    for (const MethodEntry& entry : methods()) {
      if (uses(entry, special)) users += fmt::format("{}{}", users.empty() ? "" : ", ", entry.name);
    }
    throw InputError(fmt::format("{}: {} does not use it: leave it out, or choose one of {}", option(special),
                                 names.size() == 1 ? option(key, names[0]) : option(key, names), users));
  }
}

void check_adjustable(const SelectOptions& options) {
  if (!options.kernel.adjustment || find_method(options.method).by_kernels) return;
  std::string names;
  for (const MethodEntry& entry : methods()) {
    if (entry.by_kernels) names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  throw InputError(
      fmt::format("{}: {} goes by the values of features, of which covariates are not taken out: choose {}",
                  option("adjust"), option("method", options.method), names));
}

SelectOptions adjusted(SelectOptions options) {
  const MethodEntry& entry = find_method(options.method);
  if (entry.adjust != nullptr) entry.adjust(options);
  if (options.automatic) options.features = kMostAutomatic;
  if (options.automatic && options.permutations == 0) options.permutations = kUsualPermutations;
  return options;
}

}  // namespace land
