#include "land/wire/job_message.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "land/data/target.h"
#include "land/kernels/adjustment/adjustment.h"
#include "land/kernels/factors/column_products.h"
#include "land/kernels/factors/factor.h"
#include "land/kernels/families/kernels.h"
#include "land/options/options.h"
#include "land/wire/block_message.h"
#include "land/wire/message.h"

namespace land {
namespace {

// What is in the place of the target.
enum class Against : std::uint8_t { kFeature, kTarget, kFactor };

void put_target(const Target& target, MessageWriter& writer) {
  writer.put_text(target.name);
  writer.put(target.task);
  writer.put(static_cast<std::uint64_t>(target.values.size()));
  writer.put_all(std::span(target.values));
  writer.put(static_cast<std::uint64_t>(target.labels.size()));
  writer.put_all(std::span(target.labels));
  writer.put(static_cast<std::uint64_t>(target.class_names.size()));
  for (const std::string& name : target.class_names) writer.put_text(name);
}

// What make_target sees to, and kernels rely on.
void check_target(const Target& target, const MessageReader& reader) {
  constexpr std::int64_t kFewest = 4;
  reader.require(target.size() >= kFewest, "a target has too few samples");
  reader.require(target.values.empty() != target.labels.empty() && target.labels.empty() != target.has_classes(),
                 "a target is neither classes nor numbers");
  reader.require(!target.is_linear() || !target.has_classes(), "survival has classes");
  if (!target.has_classes()) {
    const auto [least, most] = std::minmax_element(target.values.begin(), target.values.end());
    reader.require(std::all_of(target.values.begin(), target.values.end(), [](double x) { return std::isfinite(x); }) &&
                       *least < *most,
                   "a target is constant or not finite");
    return;
  }
  const auto classes = std::ssize(target.class_names);
  std::vector<bool> occurs(target.class_names.size());
  for (const std::int32_t label : target.labels) {
    reader.require(label >= 0 && label < classes, "a target has a class without a name");
    occurs[static_cast<std::size_t>(label)] = true;
  }
  constexpr std::int64_t kMostClasses = 1000;
  reader.require(classes >= 2 && classes <= kMostClasses, "a target has an impossible number of classes");
  reader.require(std::all_of(occurs.begin(), occurs.end(), [](bool does) { return does; }),
                 "a target has a class without samples");
}

Target take_target(MessageReader& reader) {
  Target target;
  target.name = reader.take_text();
  target.task = reader.take_enum(Task::kSurvival, "a target has an unknown task");
  reader.require(target.task != Task::kAuto, "a target has an unknown task");
  target.values.resize(reader.take_count(sizeof(double)));
  reader.take_all(std::span(target.values));
  target.labels.resize(reader.take_count(sizeof(std::int32_t)));
  reader.take_all(std::span(target.labels));
  target.class_names.resize(reader.take_count(sizeof(std::uint64_t)));
  for (std::string& name : target.class_names) name = reader.take_text();
  check_target(target, reader);
  return target;
}

void put_columns(const DenseColumns& columns, MessageWriter& writer) {
  writer.put(static_cast<std::uint64_t>(columns.columns));
  writer.put(static_cast<std::uint64_t>(columns.samples));
  std::vector<double> row(static_cast<std::size_t>(columns.columns));
  for (std::int64_t i = 0; i < columns.samples; ++i) {
    for (std::int64_t a = 0; a < columns.columns; ++a) row[static_cast<std::size_t>(a)] = columns.at(i, a);
    writer.put_all(std::span<const double>(row));
  }
}

DenseColumns take_columns(MessageReader& reader, const char* wrong_number) {
  const auto columns = reader.take<std::uint64_t>();
  const auto samples = reader.take<std::uint64_t>();
  reader.require(columns >= 1 && columns <= samples && samples <= reader.left() / sizeof(double) / columns,
                 wrong_number);
  DenseColumns taken(static_cast<std::int64_t>(samples), static_cast<std::int64_t>(columns));
  std::fill(taken.values.begin(), taken.values.end(), 0.0);
  std::vector<double> row(columns);
  for (std::int64_t i = 0; i < taken.samples; ++i) {
    reader.take_all(std::span(row));
    for (std::int64_t a = 0; a < taken.columns; ++a) taken.at(i, a) = row[static_cast<std::size_t>(a)];
  }
  return taken;
}

// The norm of F F^T.
double norm_of(const DenseColumns& columns) {
  std::vector<double> products(static_cast<std::size_t>(columns.columns * columns.columns));
  column_products(columns, columns, products.data());
  return std::sqrt(sum_of_squares(products, columns.columns, columns.columns));
}

void put_factor(const Factor& factor, MessageWriter& writer) {
  writer.put(factor.scale);
  writer.put(factor.norm);
  writer.put(factor.residual);
  put_columns(factor.stored, writer);
}

Factor take_factor(MessageReader& reader) {
  Factor factor;
  factor.scale = reader.take<double>();
  factor.norm = reader.take<double>();
  factor.residual = reader.take<double>();
  factor.stored = take_columns(reader, "a factor has an impossible number of columns");
  factor.samples = factor.stored.samples;
  factor.columns = factor.stored.columns;
  constexpr std::int64_t kFewest = 4;
  reader.require(factor.samples >= kFewest, "a target has too few samples");
  reader.require(factor.scale > 0.0 && std::isfinite(factor.scale) && factor.residual >= 0.0 && factor.residual <= 1.0,
                 "a factor has an impossible scale or residual");
  constexpr double kRounding = 1e-9;
  const double norm = norm_of(factor.stored);
  reader.require(norm > 0.0 && std::abs(factor.norm - norm) <= kRounding * norm, "a factor has another norm");
  return factor;
}

void put_adjustment(const Adjustment& adjustment, MessageWriter& writer) {
  writer.put(static_cast<std::uint64_t>(adjustment.covariates.size()));
  for (const Adjustment::Covariate& covariate : adjustment.covariates) {
    writer.put_text(covariate.name);
    writer.put(covariate.levels);
  }
  writer.put(static_cast<std::uint64_t>(adjustment.stratum_names.size()));
  for (const std::string& name : adjustment.stratum_names) writer.put_text(name);
  writer.put(static_cast<std::uint64_t>(adjustment.strata.size()));
  writer.put_all(std::span(adjustment.strata));
  put_columns(*adjustment.basis, writer);
}

// What kernels rely on: projecting off another basis would not leave what they say.
bool is_orthonormal(const DenseColumns& basis) {
  constexpr double kRounding = 1e-9;
  std::vector<double> products(static_cast<std::size_t>(basis.columns * basis.columns));
  column_products(basis, basis, products.data());
  for (std::int64_t a = 0; a < basis.columns; ++a) {
    for (std::int64_t b = 0; b < basis.columns; ++b) {
      const double off = products[static_cast<std::size_t>(a * basis.columns + b)] - (a == b ? 1.0 : 0.0);
      if (!(std::abs(off) <= kRounding)) return false;
    }
  }
  return true;
}

std::shared_ptr<const DenseColumns> take_basis(MessageReader& reader) {
  auto basis = std::make_shared<DenseColumns>(take_columns(reader, "covariates have an impossible number of columns"));
  reader.require(is_orthonormal(*basis), "the columns of covariates are not orthonormal");
  return basis;
}

std::shared_ptr<const Adjustment> take_adjustment(MessageReader& reader) {
  auto adjustment = std::make_shared<Adjustment>();
  adjustment->covariates.resize(reader.take_count(sizeof(std::uint64_t) + sizeof(std::int64_t)));
  reader.require(!adjustment->covariates.empty(), "an adjustment has no covariates");
  for (Adjustment::Covariate& covariate : adjustment->covariates) {
    covariate.name = reader.take_text();
    covariate.levels = reader.take<std::int64_t>();
    reader.require(covariate.levels >= 0, "a covariate has an impossible number of levels");
  }
  adjustment->stratum_names.resize(reader.take_count(sizeof(std::uint64_t)));
  for (std::string& name : adjustment->stratum_names) name = reader.take_text();
  adjustment->strata.resize(reader.take_count(sizeof(std::int32_t)));
  reader.take_all(std::span(adjustment->strata));
  adjustment->basis = take_basis(reader);
  const auto strata = std::ssize(adjustment->stratum_names);
  reader.require(adjustment->strata.empty() ? strata == 0 : std::ssize(adjustment->strata) == adjustment->samples(),
                 "not every sample has a stratum");
  reader.require(std::all_of(adjustment->strata.begin(), adjustment->strata.end(),
                             [&](std::int32_t stratum) { return stratum >= 0 && stratum < strata; }),
                 "a sample is in a stratum that is not there");
  return adjustment;
}

void put_kernel(const KernelOptions& kernel, MessageWriter& writer) {
  writer.put(kernel.family);
  writer.put(static_cast<std::uint64_t>(kernel.sigma.size()));
  writer.put_all(std::span(kernel.sigma));
  writer.put(kernel.measure);
  writer.put(kernel.factor);
  writer.put(kernel.transform);
  writer.put(kernel.missing);
  writer.put(static_cast<std::uint64_t>(kernel.basis.size()));
  writer.put_all(std::span(kernel.basis));
  writer.put(static_cast<std::uint8_t>(kernel.adjustment != nullptr));
  if (kernel.adjustment) put_adjustment(*kernel.adjustment, writer);
}

KernelOptions take_kernel(MessageReader& reader) {
  SelectOptions options;
  KernelOptions& kernel = options.kernel;
  kernel.family = reader.take_enum(KernelFamily::kLinear, "an unknown kernel");
  kernel.sigma.resize(reader.take_count(sizeof(double)));
  reader.take_all(std::span(kernel.sigma));
  kernel.measure = reader.take_enum(Measure::kHsic, "an unknown measure");
  kernel.factor = reader.take_enum(FactorKind::kFull, "an unknown kind of factor");
  kernel.transform = reader.take_enum(Transform::kRank, "an unknown transform");
  kernel.missing = reader.take_enum(Missing::kDropFeature, "an unknown rule for missing values");
  kernel.basis.resize(reader.take_count(sizeof(double)));
  reader.take_all(std::span(kernel.basis));
  if (reader.take_bool()) kernel.adjustment = take_adjustment(reader);
  validate(options);
  return std::move(kernel);
}

std::shared_ptr<const SampleNumbers> take_subset(MessageReader& reader) {
  auto subset = std::make_shared<SampleNumbers>(reader.take_count(sizeof(std::int64_t)));
  reader.take_all(std::span(*subset));
  const bool rises = std::adjacent_find(subset->begin(), subset->end(), std::greater_equal<>()) == subset->end();
  reader.require(!subset->empty() && subset->front() >= 0 && rises, "its samples do not rise");
  return subset;
}

}  // namespace

std::string to_message(const ScoreJob& job) {
  MessageWriter writer(MessageKind::kJob);
  writer.put_version();
  put_kernel(job.kernel, writer);
  writer.put(job.first);
  writer.put(job.last);
  writer.put(static_cast<std::uint8_t>(job.refine));
  writer.put(static_cast<std::uint8_t>(job.bounds_only));
  writer.put(job.wanted);
  writer.put(static_cast<std::uint8_t>(job.subset != nullptr));
  if (job.subset != nullptr) {
    writer.put(static_cast<std::uint64_t>(job.subset->size()));
    writer.put_all(std::span(*job.subset));
  }
  if (const auto* target = std::get_if<std::shared_ptr<const Target>>(&job.against)) {
    writer.put(Against::kTarget);
    put_target(**target, writer);
  } else if (const auto* factor = std::get_if<std::shared_ptr<const Factor>>(&job.against)) {
    writer.put(Against::kFactor);
    put_factor(**factor, writer);
  } else {
    writer.put(Against::kFeature);
    put_block(*std::get<std::shared_ptr<const FeatureBlock>>(job.against), writer);
  }
  return writer.finish();
}

ScoreJob read_job(std::string_view message) {
  MessageReader reader(message, MessageKind::kJob);
  reader.take_version();
  ScoreJob job;
  job.kernel = take_kernel(reader);
  job.first = reader.take<std::int64_t>();
  job.last = reader.take<std::int64_t>();
  reader.require(job.first >= 0 && job.first <= job.last, "an impossible range of features");
  job.refine = reader.take_bool();
  job.bounds_only = reader.take_bool();
  job.wanted = reader.take<std::int64_t>();
  reader.require(job.wanted >= 0, "an impossible number of features is wanted");
  if (reader.take_bool()) job.subset = take_subset(reader);
  const auto against = reader.take_enum(Against::kFactor, "something unknown is in the place of the target");
  if (against == Against::kTarget) {
    job.against = std::make_shared<const Target>(take_target(reader));
  } else if (against == Against::kFactor) {
    job.against = std::make_shared<const Factor>(take_factor(reader));
    reader.require(Kernels(job.kernel).have_factors(), "a factor is in the place of the target of a kernel without");
  } else {
    auto block = std::make_shared<const FeatureBlock>(take_block(reader));
    reader.require(block->features() == 1 && !block->headers[0].constant,
                   "not one feature that varies is in the place of the target");
    job.against = std::move(block);
  }
  reader.finish();
  reader.require(!job.kernel.adjustment || job.kernel.adjustment->samples() == job.samples(),
                 "covariates are not those of the target's samples");
  reader.require(job.subset == nullptr || std::ssize(*job.subset) == job.samples(), "its target is not of its samples");
  return job;
}

}  // namespace land
