#include "land/graphlets/graphlet_counter.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "land/base/error.h"

namespace land {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
constexpr int kFirstBits = 12;
constexpr std::size_t kAhead = 16;

}  // namespace

GraphletCounter::GraphletCounter() : slots_(std::size_t{1} << kFirstBits, {0, kNobody, 0}), shift_(64 - kFirstBits) {}

std::vector<GraphletCounter::Count> GraphletCounter::take() {
  count_waiting();
  std::vector<Count> counts(counts_);
  counts_.clear();
  return counts;
}

void GraphletCounter::count_waiting() {
  // Growing in between would make what was fetched ahead useless.
  while (2 * (keys_.size() + waiting_count_) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < waiting_count_; ++i) {
    if (i + kAhead < waiting_count_) __builtin_prefetch(&slots_[slot_of(waiting_[i + kAhead])], 1);
    const GraphletKey key = waiting_[i];
    std::size_t at = slot_of(key);
    while (slots_[at].number != kNobody && slots_[at].key != key) at = (at + 1) & mask;
    Slot& slot = slots_[at];
    if (slot.number == kNobody) {
      slot = {key, static_cast<std::uint32_t>(keys_.size()), kNobody};
      keys_.push_back(key);
    }
    // A place left over from another graph belongs to somebody else, or to nobody: so nothing needs to be cleared.
    if (slot.place < counts_.size() && counts_[slot.place].graphlet == slot.number) {
      std::uint32_t& times = counts_[slot.place].times;
      times += times <= kMostTimes ? 1 : 0;
    } else {
      slot.place = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back({slot.number, 1});
    }
  }
  waiting_count_ = 0;
}

void GraphletCounter::grow() {
  if (slots_.size() > kNobody / 2) {
    throw InputError(
        fmt::format("there are more than {} different graphlets; count fewer graphs at once", keys_.size()));
  }
  const auto old = std::exchange(slots_, Slots(2 * slots_.size(), {0, kNobody, 0}));
  --shift_;
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == kNobody) continue;
    std::size_t at = slot_of(slot.key);
    while (slots_[at].number != kNobody) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace land
