#include "land/remote/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/simd_target.h"

namespace land {

namespace {

Order with_scorers(Order order) {
  use_simd_target_of_environment();
  for (ScoreJob& job : order.jobs) job = with_scorer(std::move(job));
  if (order.permutations) order.permutations->scorer = make_permuted_scorer(*order.permutations);
  return order;
}

// The features of a block that the job asks for.
PermutedPart permute(const FeatureBlock& block, const PermutationJob& job) {
  const FeatureId first = std::max(block.headers.front().id, job.first);
  PermutedPart part{first, std::max(first, std::min(block.headers.front().id + block.features(), job.last)),
                    empty_scores(job)};
  job.scorer->score(block, part.first, part.last, {}, part.scores);
  return part;
}

}  // namespace

Worker::Worker(std::string_view order)
    : order_(with_scorers(read_order(order))),
      key_(key_of_order(order)),
      groups_(order_.jobs, order_.data.samples, order_.data.has_signatures),
      scores_(groups_, {}),
      shortlist_(static_cast<std::size_t>(order_.keep)) {}

std::string Worker::score(std::string_view message, const std::string& where) {
  const Cell cell = read_cell(message, where);
  if (cell.data != order_.data) {
    throw InputError(fmt::format("{}: a cell of another data set: of {}, and the order is for {}", where,
                                 cell.data.name, order_.data.name));
  }
  const FeatureBlock& block = cell.block;
  Answer answer{key_, order_.data.name, order_.target(), {}, {}};
  answer.parts.resize(order_.jobs.size());
  if (order_.permutations) answer.permuted = permute(block, *order_.permutations);
  if (order_.jobs.empty()) return to_message(answer);
  scores_.score(block, [&](std::size_t job, const Scores& part, std::span<const Score> all) {
    answer.parts[job] = part;
    if (job == 0) offer(block, part, all);
  });
  const FeatureId first = block.headers.front().id;
  const FeatureId last = first + block.features();
  if (!cell.names.empty()) {
    for (const FeatureId id : shortlist_.among(first, last)) {
      names_[id] = cell.names[static_cast<std::size_t>(id - first)];
    }
  }
  return to_message(answer);
}

void Worker::offer(const FeatureBlock& block, const Scores& part, std::span<const Score> all) {
  distinct_.assign(all.begin(), all.end());
  const auto key_of = [&](std::size_t k) -> std::uint64_t {
    if (!part.signatures.empty()) return part.signatures[k];
    return part.copy_keys.empty() ? 0 : part.copy_keys[k];
  };
  const auto skipped = static_cast<std::size_t>(part.first - block.headers.front().id);
  for (std::size_t k = 0; k < part.relevance.size(); ++k) {
    Score& score = distinct_[skipped + k];
    const std::uint64_t key = key_of(k);
    if (key != 0 && shortlist_.takes(score.relevance) && !offered_.insert(key).second) score.relevance = -1.0;
  }
  shortlist_.offer(block, distinct_);
}

std::string Worker::likeliest() {
  std::vector<Shortlist::Entry> best;
  shortlist_.move_to(best);
  if (best.empty()) return {};
  Features features;
  features.data = order_.data;
  features.block.clear(order_.data.samples);
  for (const Shortlist::Entry& entry : best) {
    features.block.append_feature(entry.block->view(0));
    if (!names_.empty()) features.names.push_back(names_.at(entry.block->headers[0].id));
  }
  names_.clear();
  offered_.clear();
  return to_message(features);
}

std::string pick(std::string_view message, const std::string& where, std::span<const FeatureId> ids) {
  const Cell cell = read_cell(message, where);
  Features features;
  features.data = cell.data;
  features.block.clear(cell.data.samples);
  const FeatureId first = cell.block.headers.front().id;
  for (const FeatureId id : ids) {
    if (id < first || id >= first + cell.block.features()) {
      throw InputError(fmt::format("{}: feature {} is not in this cell, which has {} to {}", where, id, first,
                                   first + cell.block.features() - 1));
    }
    features.block.append_feature(cell.block.view(id - first));
    if (!cell.names.empty()) features.names.push_back(cell.names[static_cast<std::size_t>(id - first)]);
  }
  return to_message(features);
}

}  // namespace land
