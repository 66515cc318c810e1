#include "land/methods/information/information.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "land/base/option.h"

namespace land {
namespace {

constexpr std::int64_t kMegabyte = 1 << 20;
constexpr std::int64_t kEachFeature = 3 * sizeof(std::int64_t) + sizeof(FeatureId) + sizeof(FeatureLevels);

[[noreturn]] void refuse(const Setting& setting, std::int64_t bytes) {
  throw InputError(
      fmt::format("{}: the levels of {} features x {} samples take about {}M, and there are {}M; raise {}, or "
                  "leave features out",
                  option("method", setting.options.method), setting.engine.features(), setting.engine.samples(),
                  bytes / kMegabyte + 1, setting.memory / kMegabyte, option("memory")));
}

std::vector<FeatureId> that_differ(std::span<const double> bounds) {
  std::vector<FeatureId> ids;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    if (bounds[k] >= 0.0) ids.push_back(static_cast<FeatureId>(k));
  }
  return ids;
}

std::int64_t sum_of(const CountLogs& logs, std::span<const std::uint32_t> counts) {
  std::int64_t sum = 0;
  for (const std::uint32_t count : counts) sum += logs[count];
  return sum;
}

}  // namespace

void check_level_memory(const Setting& setting) {
  const std::int64_t least =
      setting.engine.features() * (LevelStore::least_bytes(setting.engine.samples()) + kEachFeature);
  if (least > setting.memory) refuse(setting, least);
}

Information::Information(const Setting& setting)
    : ids_(that_differ(setting.bounds)),
      table_(setting.engine.samples(), ids_.size()),
      logs_(setting.engine.samples(), std::min(setting.options.features, setting.engine.features())),
      own_(ids_.size()),
      with_both_(ids_.size()),
      relevance_(ids_.size()) {
  const Discretiser discretiser(setting.options.bins, setting.options.kernel.missing);
  std::vector<std::uint32_t> levels;
  const std::uint32_t count = discretiser.levels_of(setting.target, levels);
  target_ = std::make_unique<Counted>(std::move(levels), count);
  target_own_ = sum_of(logs_, target_->totals());

  constexpr std::size_t kTogether = 2048;  // features between two looks at the memory
  std::mutex mutex;
  std::size_t done = 0;
  setting.engine.visit(ids_, [&](std::size_t k, const FeatureView& feature) {
    look(k, feature, discretiser);
    if (k % kTogether != 0) return;
    const std::scoped_lock lock(mutex);
    setting.context.check_stop();
    done += kTogether;
    setting.context.report("discretising", static_cast<double>(std::min(done, ids_.size())),
                           static_cast<double>(ids_.size()));
    const std::int64_t held = table_.bytes() + kEachFeature * std::ssize(ids_);
    if (held <= setting.memory) return;
    const double share = static_cast<double>(std::min(done, ids_.size())) / static_cast<double>(ids_.size());
    refuse(setting, static_cast<std::int64_t>(static_cast<double>(table_.bytes()) / share) + held - table_.bytes());
  });
  memory_left_ = setting.memory - table_.bytes() - kEachFeature * std::ssize(ids_);
  if (memory_left_ < 0) refuse(setting, setting.memory - memory_left_);
}

void Information::look(std::size_t k, const FeatureView& feature, const Discretiser& discretiser) {
  static thread_local std::vector<std::uint8_t> levels;
  static thread_local JointCounts joint;
  const auto n = static_cast<std::size_t>(feature.samples);
  levels.resize((n + 63) / 64 * 64);
  const int count = discretiser.levels_of(feature, std::span(levels).first(n));
  const FeatureLevels held = table_.put(k, levels, count);
  if (count < 2) return;
  target_->count(held, joint);
  for (std::size_t l = 0; l < joint.levels; ++l) {
    std::uint32_t total = 0;
    for (std::size_t y = 0; y < target_->levels(); ++y) {
      const std::uint32_t cell = joint.row(y)[l];
      with_both_[k] += logs_[cell];
      total += cell;
    }
    own_[k] += logs_[total];
  }
  relevance_[k] = std::max<std::int64_t>(with_both_[k] - own_[k] - target_own_ + logs_.of_all(), 0);
}

Partner Information::partner(std::size_t s, Partner::With with) const {
  const auto n = static_cast<std::size_t>(table_.samples());
  std::vector<std::uint8_t> bytes(n);
  table_.copy_levels(s, bytes);
  std::vector<std::uint32_t> levels(bytes.begin(), bytes.end());
  auto count = static_cast<std::uint32_t>(table_[s].levels);
  std::vector<std::uint32_t> ends;
  if (with == Partner::With::kAndTarget) {
    // Pairs of levels that occur, numbered by feature, then by target.
    const std::uint32_t classes = target_->levels();
    std::vector<std::uint32_t> number(std::size_t{count} * classes, 0);
    for (std::size_t i = 0; i < n; ++i) number[levels[i] * classes + target_->of_samples()[i]] = 1;
    std::uint32_t next = 0;
    for (std::size_t pair = 0; pair < number.size(); ++pair) {
      if (number[pair] != 0) number[pair] = next++;
      if (pair % classes == classes - 1) ends.push_back(next);
    }
    for (std::size_t i = 0; i < n; ++i) levels[i] = number[levels[i] * classes + target_->of_samples()[i]];
    count = next;
  }
  Partner partner(Counted(std::move(levels), count, table_.planes()), std::move(ends));
  partner.own_ = own_[s];
  partner.both_ = with_both_[s];
  return partner;
}

Information::Sums Information::sums(std::size_t k, const Partner& s, JointCounts& joint) const {
  s.counted_.count(table_[k], joint);
  const std::size_t levels = joint.levels;
  Sums sums;
  if (s.ends_.empty()) {
    for (std::size_t level = 0; level < s.counted_.levels(); ++level) {
      const std::uint32_t* const row = joint.row(level);
      for (std::size_t l = 0; l < levels; ++l) sums.joint += logs_[row[l]];
    }
    return sums;
  }
  std::size_t level = 0;
  for (const std::uint32_t end : s.ends_) {
    std::uint32_t* const first = joint.cells.data() + level * joint.stride;
    for (std::size_t l = 0; l < levels; ++l) sums.joint += logs_[first[l]];
    while (++level < end) {
      const std::uint32_t* const row = joint.row(level);
      for (std::size_t l = 0; l < levels; ++l) {
        sums.joint += logs_[row[l]];
        first[l] += row[l];
      }
    }
    for (std::size_t l = 0; l < levels; ++l) sums.grouped += logs_[first[l]];
  }
  return sums;
}

std::int64_t Information::with(std::size_t k, const Partner& s, JointCounts& joint) const {
  return std::max<std::int64_t>(sums(k, s, joint).joint - own_[k] - s.own_ + logs_.of_all(), 0);
}

std::int64_t Information::with_target_given(std::size_t k, const Partner& s, JointCounts& joint) const {
  const auto [all, grouped] = sums(k, s, joint);
  return std::max<std::int64_t>(all - grouped - s.both_ + s.own_, 0);
}

std::int64_t Information::with_target_given_each_other(std::size_t k, const Partner& s, JointCounts& joint) const {
  const auto [all, grouped] = sums(k, s, joint);
  const std::int64_t of_k = std::max<std::int64_t>(all - grouped - s.both_ + s.own_, 0);
  const std::int64_t of_s = std::max<std::int64_t>(all - grouped - with_both_[k] + own_[k], 0);
  return of_k + of_s;
}

}  // namespace land
