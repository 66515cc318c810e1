#include "land/wire/job_message.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "land/data/target.h"
#include "land/options/options.h"
#include "land/wire/block_message.h"
#include "land/wire/message.h"

namespace land {
namespace {

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
  target.task = reader.take_enum(Task::kRegression, "a target has an unknown task");
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
  const auto* target = std::get_if<std::shared_ptr<const Target>>(&job.against);
  writer.put(static_cast<std::uint8_t>(target != nullptr));
  if (target != nullptr) {
    put_target(**target, writer);
  } else {
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
  if (reader.take_bool()) {
    job.against = std::make_shared<const Target>(take_target(reader));
  } else {
    auto block = std::make_shared<const FeatureBlock>(take_block(reader));
    reader.require(block->features() == 1 && !block->headers[0].constant,
                   "not one feature that varies is in the place of the target");
    job.against = std::move(block);
  }
  reader.finish();
  reader.require(job.subset == nullptr || std::ssize(*job.subset) == job.samples(), "its target is not of its samples");
  return job;
}

}  // namespace land
