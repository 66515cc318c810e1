#include "land/remote/remote_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "land/base/error.h"
#include "land/base/stopwatch.h"
#include "land/engine/feature_ranges.h"
#include "land/wire/message.h"

namespace land {
namespace {

// What a block of one feature takes, with all that comes with it.
std::int64_t bytes_of(const FeatureBlock& block) {
  constexpr std::int64_t kAround = 128;
  return static_cast<std::int64_t>(block.payload.capacity() + sizeof(FeatureBlock) + sizeof(FeatureHeader)) + kAround;
}

// Of scores that came in part before: those that are new.
Scores slice_of(const Scores& part, FeatureId first, FeatureId last) {
  if (part.missing > 0) {
    throw InputError(fmt::format("scores: features {} to {} came twice, in other pieces, and some lack values",
                                 part.first, part.first + part.size() - 1));
  }
  const auto begin = first - part.first;
  const auto count = last - first;
  Scores slice;
  slice.first = first;
  slice.resize(count);
  const auto copy = [&](const auto& from, auto& to) {
    to.resize(from.empty() ? 0 : static_cast<std::size_t>(count));
    if (!from.empty()) std::copy_n(from.begin() + begin, count, to.begin());
  };
  copy(part.relevance, slice.relevance);
  copy(part.norm, slice.norm);
  copy(part.error, slice.error);
  copy(part.checksums, slice.checksums);
  copy(part.signatures, slice.signatures);
  copy(part.copy_keys, slice.copy_keys);
  return slice;
}

}  // namespace

RemoteEngine::RemoteEngine(BlockTable table, Cluster cluster, const Context& context)
    : table_(std::move(table)),
      cluster_(std::move(cluster)),
      context_(context),
      work_{cluster_.name, std::max(cluster_.workers, 1)} {}

Shape RemoteEngine::shape() const { return {table_.data.features, table_.data.samples, table_.bytes_each, 0}; }

void RemoteEngine::run(const std::function<void(const Cluster::Take& take)>& job, const Cluster::Take& take) {
  ++work_.jobs;
  Stopwatch watch;
  job([&](std::string_view answer) {
    context_.check_stop();
    work_.bytes_moved += std::ssize(answer);
    take(answer);
  });
  work_.seconds += watch.lap();
}

Features RemoteEngine::read(std::string_view message) {
  Features features = read_features(message);
  if (features.data != table_.data) {
    throw InputError(
        fmt::format("features: of another data set: {}, and this is {}", features.data.name, table_.data.name));
  }
  nameless_ = features.names.empty();
  for (std::size_t k = 0; k < features.names.size(); ++k) names_[features.block.headers[k].id] = features.names[k];
  return features;
}

void RemoteEngine::keep(std::shared_ptr<const FeatureBlock> block) {
  const std::int64_t bytes = bytes_of(*block);
  if (kept_bytes_ + bytes > memory_.kept) return;
  const FeatureId id = block->headers[0].id;
  if (kept_.emplace(id, std::move(block)).second) kept_bytes_ += bytes;
}

void RemoteEngine::keep(const Features& features) {
  for (std::int64_t k = 0; k < features.block.features(); ++k) {
    keep(std::make_shared<const FeatureBlock>(features.block.extract(k)));
  }
}

std::int64_t RemoteEngine::kept_by_worker(std::int64_t wanted) const {
  constexpr std::int64_t kForEach = 20;  // as LocalEngine does
  constexpr std::int64_t kMost = 4000;
  const std::int64_t workers = work_.workers;
  std::int64_t share = (std::min(kForEach * std::min(wanted, kMost), kMost) + workers - 1) / workers;
  if (workers > 1) share *= 2;  // the best are not spread evenly
  return std::min(share, memory_.kept / table_.bytes_each / workers);
}

void RemoteEngine::score(std::span<const ScoreJob> jobs, const TakeScores& take) {
  if (jobs.empty()) return;
  for (const ScoreJob& job : jobs) check_job(job, *this);
  const Order order{table_.data, {jobs.begin(), jobs.end()}, kept_by_worker(jobs[0].wanted), {}};
  const std::string message = to_message(order);
  const std::uint64_t key = key_of_order(message);
  std::vector<FeatureRanges> there(jobs.size());
  run([&](const Cluster::Take& each) { cluster_.score(message, each); },
      [&](std::string_view bytes) {
        if (MessageReader::is(MessageKind::kFeatures, bytes)) {
          keep(read(bytes));
          return;
        }
        const Answer answer = read_answer(bytes);
        if (answer.order != key || answer.parts.size() != jobs.size()) {
          throw_other_order(answer, order);
        }
        for (std::size_t j = 0; j < jobs.size(); ++j) {
          const Scores& part = answer.parts[j];
          const FeatureId last = part.first + part.size();
          for (const auto& [from, to] : there[j].add(part.first, last)) {
            if (from == part.first && to == last) {
              take(j, part, 0);
            } else {
              take(j, slice_of(part, from, to), 0);
            }
          }
        }
      });
  for (std::size_t j = 0; j < jobs.size(); ++j) check_complete(there[j], jobs[j].first, jobs[j].last);
}

PermutedScores RemoteEngine::permute(const PermutationJob& job) {
  check_job(job, *this);
  const Order order{table_.data, {}, 0, job};
  const std::string message = to_message(order);
  const std::uint64_t key = key_of_order(message);
  FeatureRanges there;
  PermutedScores all = empty_scores(job);
  run([&](const Cluster::Take& each) { cluster_.score(message, each); },
      [&](std::string_view bytes) {
        const Answer answer = read_answer(bytes);
        if (answer.order != key || !answer.permuted || answer.permuted->scores.largest.size() != all.largest.size()) {
          throw_other_order(answer, order);
        }
        const PermutedScores& scores = answer.permuted->scores;
        for (std::size_t b = 0; b < all.largest.size(); ++b) {
          all.largest[b] = std::max(all.largest[b], scores.largest[b]);
        }
        // A cell may come twice, and its values count once.
        const auto added = there.add(answer.permuted->first, answer.permuted->last);
        for (const PermutedScores::Value& value : scores.values) {
          const auto is_new = [&](const FeatureRanges::Range& range) {
            return value.feature >= range.first && value.feature < range.second;
          };
          if (std::any_of(added.begin(), added.end(), is_new)) all.values.push_back(value);
        }
        if (!added.empty()) all.evaluated += scores.evaluated;
      });
  check_complete(there, job.first, job.last);
  return all;
}

void RemoteEngine::throw_other_order(const Answer& answer, const Order& order) const {
  throw InputError(fmt::format("an answer: to another order: data set {}, target {}; asked for {}, {}", answer.data,
                               answer.target, table_.data.name, order.target()));
}

void RemoteEngine::check_complete(const FeatureRanges& there, FeatureId first, FeatureId last) const {
  const auto gaps = there.gaps(first, last);
  if (gaps.empty()) return;
  std::vector<std::string> ranges;
  constexpr std::size_t kShown = 5;
  for (const auto& [from, to] : gaps) {
    if (ranges.size() < kShown) ranges.push_back(fmt::format("{} to {}", from, to - 1));
  }
  throw InputError(fmt::format("{}: the scores of features {}{} never came; are all cells of the table there?",
                               table_.data.name, fmt::join(ranges, ", "), gaps.size() > kShown ? ", ..." : ""));
}

void RemoteEngine::fetch_each(std::span<const FeatureId> ids,
                              const std::function<void(const FeatureView& feature)>& act) {
  if (ids.empty()) return;
  std::unordered_set<FeatureId> lacking(ids.begin(), ids.end());
  run([&](const Cluster::Take& each) { cluster_.fetch(ids, each); },
      [&](std::string_view bytes) {
        const Features features = read(bytes);
        for (std::int64_t k = 0; k < features.block.features(); ++k) {
          const FeatureView view = features.block.view(k);
          if (lacking.erase(view.header->id) > 0) act(view);
        }
      });
  if (!lacking.empty()) {
    throw InputError(fmt::format("{}: {} of {} features that were asked for never came, feature {} among them",
                                 table_.data.name, lacking.size(), ids.size(),
                                 *std::min_element(lacking.begin(), lacking.end())));
  }
}

std::vector<std::shared_ptr<const FeatureBlock>> RemoteEngine::fetch(std::span<const FeatureId> ids) {
  Fetched now;
  std::set<FeatureId> missing;
  for (const FeatureId id : ids) {
    if (const auto found = kept_.find(id); found != kept_.end()) {
      now.emplace(id, found->second);
    } else {
      missing.insert(id);
    }
  }
  const std::set<FeatureId> asked = missing;
  // If they go on with what was announced, that comes along: as many bytes as have come so far.
  if (!asked.empty() &&
      std::any_of(announced_.begin(), announced_.end(), [&](FeatureId id) { return asked.contains(id); })) {
    constexpr std::int64_t kLeast = std::int64_t{64} << 20U;
    const std::int64_t room = std::min(memory_.kept - kept_bytes_, std::max(kLeast, kept_bytes_)) / table_.bytes_each;
    for (const FeatureId id : announced_) {
      if (std::ssize(missing) >= room) break;
      if (!kept_.contains(id)) missing.insert(id);
    }
  }
  const std::vector<FeatureId> wanted(missing.begin(), missing.end());
  fetch_each(wanted, [&](const FeatureView& feature) {
    auto block = std::make_shared<FeatureBlock>();
    block->clear(feature.samples);
    block->append_feature(feature);
    if (asked.contains(feature.header->id)) now.emplace(feature.header->id, block);
    keep(std::move(block));
  });
  std::vector<std::shared_ptr<const FeatureBlock>> blocks;
  for (const FeatureId id : ids) blocks.push_back(now.at(id));
  return blocks;
}

void RemoteEngine::visit(std::span<const FeatureId> ids, const Look& look) {
  std::vector<FeatureId> missing;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (const auto found = kept_.find(ids[t]); found != kept_.end()) {
      look(t, found->second->view(0));
    } else {
      missing.push_back(ids[t]);
    }
  }
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  fetch_each(missing, [&](const FeatureView& feature) {
    const auto [first, last] = std::equal_range(ids.begin(), ids.end(), feature.header->id);
    for (auto at = first; at != last; ++at) look(static_cast<std::size_t>(at - ids.begin()), feature);
  });
}

void RemoteEngine::fetch_names(std::span<const FeatureId> features) {
  if (nameless_) return;
  std::set<FeatureId> missing;
  for (const FeatureId id : features) {
    if (!names_.contains(id)) missing.insert(id);
  }
  fetch_each(std::vector<FeatureId>(missing.begin(), missing.end()), [](const FeatureView&) {});
}

std::string RemoteEngine::name_of(FeatureId feature) {
  fetch_names({&feature, 1});
  const auto found = names_.find(feature);
  return found != names_.end() ? found->second : fmt::format("f{}", feature);
}

Table table_of(const BlockTable& blocks) {
  Table table;
  table.path = blocks.data.name;
  table.elsewhere = {blocks.data.features, blocks.data.samples};
  table.default_missing = blocks.default_missing;
  table.nominal.features = blocks.nominal;
  table.sample_ids = blocks.sample_ids;
  table.target = blocks.target;
  if (table.target) table.matching = {Matching::How::kSameTable, table.samples(), table.samples(), table.samples()};
  return table;
}

}  // namespace land
