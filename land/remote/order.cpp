#include "land/remote/order.h"

#include <xxhash.h>

#include <memory>
#include <utility>
#include <variant>

#include "land/remote/data_set_message.h"
#include "land/wire/block_message.h"
#include "land/wire/job_message.h"
#include "land/wire/message.h"
#include "land/wire/scores_message.h"

namespace land {

std::string Order::target() const {
  if (jobs.empty()) return permutations ? permutations->target->name : std::string();
  const auto* target = std::get_if<std::shared_ptr<const Target>>(&jobs.front().against);
  if (target != nullptr) return (*target)->name;
  return std::holds_alternative<std::shared_ptr<const Factor>>(jobs.front().against) ? "what is left of the target"
                                                                                     : "a feature";
}

std::string to_message(const Order& order) {
  MessageWriter writer(MessageKind::kOrder);
  put_data_set(order.data, writer);
  writer.put(order.keep);
  writer.put(static_cast<std::uint64_t>(order.jobs.size()));
  for (const ScoreJob& job : order.jobs) writer.put_text(to_message(job));
  writer.put(static_cast<std::uint8_t>(order.permutations.has_value()));
  if (order.permutations) writer.put_text(to_message(*order.permutations));
  return writer.finish();
}

Order read_order(std::string_view message) {
  MessageReader reader(message, MessageKind::kOrder);
  Order order;
  order.data = take_data_set(reader);
  order.keep = reader.take<std::int64_t>();
  reader.require(order.keep >= 0, "an impossible number of features is to be kept");
  const std::size_t count = reader.take_count(sizeof(std::uint64_t));
  for (std::size_t j = 0; j < count; ++j) {
    order.jobs.push_back(read_job(reader.take_bytes(reader.take<std::uint64_t>())));
    const ScoreJob& job = order.jobs.back();
    const bool fits =
        job.subset == nullptr ? job.samples() == order.data.samples : job.subset->back() < order.data.samples;
    reader.require(fits && job.last <= order.data.features, "a job does not fit the data set");
  }
  if (reader.take_bool()) {
    order.permutations = read_permutation_job(reader.take_bytes(reader.take<std::uint64_t>()));
    reader.require(
        order.permutations->target->size() == order.data.samples && order.permutations->last <= order.data.features,
        "permutations do not fit the data set");
  }
  reader.finish();
  reader.require(!order.jobs.empty() || order.permutations, "it has no job");
  return order;
}

std::uint64_t key_of_order(std::string_view message) { return XXH3_64bits(message.data(), message.size()); }

std::string to_message(const Answer& answer) {
  MessageWriter writer(MessageKind::kAnswer);
  writer.put(answer.order);
  writer.put_text(answer.data);
  writer.put_text(answer.target);
  writer.put(static_cast<std::uint64_t>(answer.parts.size()));
  for (const Scores& part : answer.parts) writer.put_text(to_message(part));
  writer.put(static_cast<std::uint8_t>(answer.permuted.has_value()));
  if (answer.permuted) writer.put_text(to_message(*answer.permuted));
  return writer.finish();
}

Answer read_answer(std::string_view message) {
  MessageReader reader(message, MessageKind::kAnswer);
  Answer answer;
  answer.order = reader.take<std::uint64_t>();
  answer.data = reader.take_text();
  answer.target = reader.take_text();
  const std::size_t count = reader.take_count(sizeof(std::uint64_t));
  for (std::size_t j = 0; j < count; ++j) {
    answer.parts.push_back(read_scores_message(reader.take_bytes(reader.take<std::uint64_t>())));
  }
  if (reader.take_bool()) answer.permuted = read_permuted_part(reader.take_bytes(reader.take<std::uint64_t>()));
  reader.finish();
  return answer;
}

std::string to_message(const Features& features) {
  MessageWriter writer(MessageKind::kFeatures);
  put_data_set(features.data, writer);
  put_block(features.block, writer);
  writer.put(static_cast<std::uint64_t>(features.names.size()));
  for (const std::string& name : features.names) writer.put_text(name);
  return writer.finish();
}

Features read_features(std::string_view message) {
  MessageReader reader(message, MessageKind::kFeatures);
  Features features;
  features.data = take_data_set(reader);
  features.block = take_block(reader);
  features.names.resize(reader.take_count(sizeof(std::uint64_t)));
  for (std::string& name : features.names) name = reader.take_text();
  reader.finish();
  reader.require(features.block.samples == features.data.samples, "its samples are none of the data set");
  reader.require(features.names.empty() || features.names.size() == features.block.headers.size(),
                 "not every feature has a name");
  for (const FeatureHeader& header : features.block.headers) {
    reader.require(header.id < features.data.features, "a feature is none of the data set");
  }
  return features;
}

}  // namespace land
