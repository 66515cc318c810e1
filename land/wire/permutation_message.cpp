#include "land/wire/permutation_message.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

#include "land/options/option_table.h"
#include "land/wire/job_message.h"
#include "land/wire/message.h"

namespace land {

// Target, kernel and range are those of a job of scores.
std::string to_message(const PermutationJob& job) {
  MessageWriter writer(MessageKind::kPermutations);
  writer.put_text(
      to_message(ScoreJob{.against = job.target, .kernel = job.kernel, .first = job.first, .last = job.last}));
  writer.put(job.seed);
  writer.put(job.asked);
  writer.put(job.begin);
  writer.put(job.end);
  writer.put(job.floor);
  return writer.finish();
}

PermutationJob read_permutation_job(std::string_view message) {
  MessageReader reader(message, MessageKind::kPermutations);
  const ScoreJob scored = read_job(reader.take_bytes(reader.take<std::uint64_t>()));
  const auto* target = std::get_if<std::shared_ptr<const Target>>(&scored.against);
  reader.require(target != nullptr, "what is to be permuted is no target");
  PermutationJob job{.target = *target, .kernel = scored.kernel, .first = scored.first, .last = scored.last};
  job.seed = reader.take<std::int64_t>();
  job.asked = reader.take<std::int64_t>();
  job.begin = reader.take<std::int64_t>();
  job.end = reader.take<std::int64_t>();
  job.floor = reader.take<double>();
  reader.finish();
  check_range("seed", job.seed);
  check_range("permutations", job.asked);
  reader.require(job.begin >= 0 && job.begin < job.end && job.end <= job.asked + 1,
                 "an impossible range of permutations");
  reader.require(job.floor >= 0.0, "an impossible floor");
  return job;
}

std::string to_message(const PermutedPart& part) {
  const PermutedScores& scores = part.scores;
  MessageWriter writer(MessageKind::kPermuted);
  writer.put(part.first);
  writer.put(part.last);
  writer.put(scores.first);
  writer.put(scores.evaluated);
  writer.put(static_cast<std::uint64_t>(scores.largest.size()));
  writer.put_all(std::span(scores.largest));
  writer.put(static_cast<std::uint64_t>(scores.values.size()));
  for (const auto& [relevance, permutation, feature] : scores.values) {
    writer.put(relevance);
    writer.put(permutation);
    writer.put(feature);
  }
  return writer.finish();
}

PermutedPart read_permuted_part(std::string_view message) {
  MessageReader reader(message, MessageKind::kPermuted);
  PermutedPart part;
  PermutedScores& scores = part.scores;
  part.first = reader.take<std::int64_t>();
  part.last = reader.take<std::int64_t>();
  reader.require(part.first >= 0 && part.first <= part.last, "an impossible range of features");
  scores.first = reader.take<std::int64_t>();
  reader.require(scores.first >= 0, "an impossible number of a permutation");
  scores.evaluated = reader.take<std::int64_t>();
  scores.largest.resize(reader.take_count(sizeof(double)));
  reader.take_all(std::span(scores.largest));
  const auto is_relevance = [](double f) { return f >= 0.0 && std::isfinite(f); };
  reader.require(std::all_of(scores.largest.begin(), scores.largest.end(), is_relevance), "a relevance is impossible");
  const auto count = std::ssize(scores.largest);
  scores.values.resize(reader.take_count(sizeof(double) + 2 * sizeof(std::int64_t)));
  for (auto& [relevance, permutation, feature] : scores.values) {
    relevance = reader.take<double>();
    permutation = reader.take<std::int64_t>();
    feature = reader.take<std::int64_t>();
    reader.require(permutation >= scores.first && permutation - scores.first < count && feature >= part.first &&
                       feature < part.last && is_relevance(relevance),
                   "a permuted relevance is of no permutation or feature, or impossible");
    reader.require(relevance <= scores.largest[static_cast<std::size_t>(permutation - scores.first)],
                   "a permuted relevance is above the largest");
  }
  reader.finish();
  return part;
}

}  // namespace land
