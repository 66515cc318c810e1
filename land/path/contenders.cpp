#include "land/path/contenders.h"

#include <algorithm>
#include <utility>

namespace land {
namespace {

constexpr std::size_t kKnownAtFirst = 8;  // pairs of a contender that there is room for
constexpr double kCopySuspicion = 0.97;   // V_ki above this part of R_ii: look at once whether k is a copy of i

}  // namespace

std::int64_t Contenders::add(FeatureId feature, double bound) {
  Contender& one = all_.emplace_back();
  one.feature = feature;
  one.f = bound;
  one.missing = std::ssize(active_);
  one.line = {bound, 0.0};
  one.known.reserve(kKnownAtFirst);
  stages_.resize(all_.size() * static_cast<std::size_t>(stride_), 0);
  return count() - 1;
}

bool Contenders::is_copy(std::int64_t c) const {
  const std::vector<std::int64_t>& originals = (*this)[c].copy_of;
  return std::any_of(originals.begin(), originals.end(), [&](std::int64_t slot) { return is_active(slot); });
}

// --- The active set --------------------------------------------------------------------------------------------------

void Contenders::enter(std::int64_t c, const PathState& state) {
  (*this)[c].parked = false;
  if ((*this)[c].slot < 0) add_slot(c, state);
  const std::int64_t slot = (*this)[c].slot;
  slots_[static_cast<std::size_t>(slot)].active = true;
  active_.push_back(slot);
  for (std::int64_t x = 0; x < count(); ++x) (*this)[x].missing += stage(x, slot) < last_ ? 1 : 0;
}

void Contenders::leave(std::int64_t position) {
  const std::int64_t slot = active_[static_cast<std::size_t>(position)];
  slots_[static_cast<std::size_t>(slot)].active = false;
  active_.erase(active_.begin() + position);
  for (std::int64_t x = 0; x < count(); ++x) {
    (*this)[x].missing -= stage(x, slot) < last_ ? 1 : 0;
    (*this)[x].parked = false;
  }
}

void Contenders::add_slot(std::int64_t c, const PathState& state) {
  const std::int64_t slot = std::ssize(slots_);
  if (slot == stride_) widen();
  Contender& one = (*this)[c];
  one.slot = slot;
  slots_.push_back({c, false});
  for (const auto& [other, value] : one.known) {
    set_pair(slots_[static_cast<std::size_t>(other)].holder, slot, value, stage(c, other), state);
  }
  stages_[place_of_stage(c, slot)] = static_cast<std::uint8_t>(last_);
  one.known.push_back({slot, one.diagonal});
}

void Contenders::widen() {
  std::vector<std::uint8_t> wider(2 * stages_.size(), 0);
  for (std::int64_t x = 0; x < count(); ++x) {
    std::copy_n(stages_.begin() + x * stride_, stride_, wider.begin() + x * 2 * stride_);
  }
  stages_ = std::move(wider);
  stride_ *= 2;
}

// --- Pairs -----------------------------------------------------------------------------------------------------------

// Where the pair with a slot is in the list of c, or would be.
std::ptrdiff_t Contenders::place_of(std::int64_t c, std::int64_t slot) const {
  const std::vector<Contender::Known>& known = (*this)[c].known;
  const auto before = [](const Contender::Known& one, std::int64_t wanted) { return one.slot < wanted; };
  return std::lower_bound(known.begin(), known.end(), slot, before) - known.begin();
}

double Contenders::value(std::int64_t c, std::int64_t slot) const {
  const std::vector<Contender::Known>& known = (*this)[c].known;
  const auto at = static_cast<std::size_t>(place_of(c, slot));
  return at < known.size() && known[at].slot == slot ? known[at].value : 0.0;
}

std::vector<double> Contenders::row_of(std::int64_t c) const {
  std::vector<double> row;
  for (const std::int64_t slot : active_) row.push_back(value(c, slot));
  return row;
}

void Contenders::learn(std::int64_t c, std::int64_t position, double value, int at_stage, const PathState& state) {
  const std::int64_t slot = active_[static_cast<std::size_t>(position)];
  const double gain = value - set_pair(c, slot, value, at_stage, state);
  Contender& one = (*this)[c];
  one.line.u -= state.a0()[static_cast<std::size_t>(position)] * gain;
  one.line.q += state.w()[static_cast<std::size_t>(position)] * gain;
  if (at_stage == last_) --one.missing;
  if (one.slot >= 0) set_pair(slots_[static_cast<std::size_t>(slot)].holder, one.slot, value, at_stage, state);
}

double Contenders::set_pair(std::int64_t c, std::int64_t slot, double value, int at_stage, const PathState& state) {
  std::vector<Contender::Known>& known = (*this)[c].known;
  const auto at = known.begin() + place_of(c, slot);
  double before = 0.0;
  if (stage(c, slot) > 0) {
    before = std::exchange(at->value, value);
  } else {
    known.insert(at, {slot, value});
  }
  stages_[place_of_stage(c, slot)] = static_cast<std::uint8_t>(at_stage);
  look_for_copy(c, slot, value, at_stage, state);
  return before;
}

void Contenders::look_for_copy(std::int64_t c, std::int64_t slot, double value, int at_stage, const PathState& state) {
  Contender& one = (*this)[c];
  const Contender& other = holder(slot);
  if (at_stage < last_) {
    if (state.may_be_copy(value / kCopySuspicion, other.diagonal)) one.suspected = slot;
    return;
  }
  if (one.suspected == slot) one.suspected = -1;
  if (state.is_copy(value, other.diagonal, one.diagonal, other.f, one.f)) one.copy_of.push_back(slot);
}

// --- Lines -----------------------------------------------------------------------------------------------------------

void Contenders::start_segment(const PathState& state) {
  in_order_ = std::is_sorted(active_.begin(), active_.end());
  segment_.assign(slots_.size(), {});
  for (std::size_t t = 0; t < active_.size(); ++t) {
    segment_[static_cast<std::size_t>(active_[t])] = {state.a0()[t], state.w()[t]};
  }
  constexpr std::int64_t kAhead = 8;  // lists are far apart: asked for before they are needed
  for (std::int64_t c = 0; c < count(); ++c) {
    if (c + kAhead < count()) {
      const auto* const soon = reinterpret_cast<const char*>((*this)[c + kAhead].known.data());
      for (const int line : {0, 1, 2}) __builtin_prefetch(soon + line * 64);
    }
    settle_line(c);
  }
}

// Summed in the order of A, as the plain path does it, so that a fully known contender has the same bits wherever its
// line was computed. That is the order of slots until a feature that was dropped enters again.
Line Contenders::line_of(std::int64_t c) const {
  const Contender& one = (*this)[c];
  Line line{one.f, 0.0};
  const auto add = [&](std::int64_t slot, double value) {
    const Coefficient& coefficient = segment_[static_cast<std::size_t>(slot)];
    line.u -= coefficient.a0 * value;
    line.q += coefficient.w * value;
  };
  if (in_order_) {
    for (const auto& [slot, value] : one.known) add(slot, value);
  } else {
    for (const std::int64_t slot : active_) add(slot, value(c, slot));
  }
  return line;
}

// --- What it takes, and what it leaves -------------------------------------------------------------------------------

std::int64_t Contenders::bytes() const {
  constexpr std::size_t kEach = 256;  // a contender, in a list that grows, and what is around its lists
  std::size_t sum = all_.size() * kEach + stages_.capacity();
  for (const Contender& one : all_) sum += one.known.capacity() * sizeof(Contender::Known);
  return static_cast<std::int64_t>(sum);
}

std::int64_t Contenders::bytes_to_grow() const { return std::ssize(slots_) == stride_ ? 2 * std::ssize(stages_) : 0; }

std::vector<TouchedFeature> Contenders::take_touched() {
  std::vector<TouchedFeature> list;
  list.reserve(all_.size());
  for (std::int64_t c = 0; c < count(); ++c) {
    Contender& one = (*this)[c];
    TouchedFeature touched{one.feature, one.refined, is_parked(c), {}};
    // One list in the place of the other.
    touched.pairs.reserve(std::exchange(one.known, {}).size());
    for (std::int64_t slot = 0; slot < std::ssize(slots_); ++slot) {
      if (slots_[static_cast<std::size_t>(slot)].holder != c && stage(c, slot) > 0) {
        touched.pairs.emplace_back(holder(slot).feature, stage(c, slot));
      }
    }
    list.push_back(std::move(touched));
  }
  return list;
}

}  // namespace land
