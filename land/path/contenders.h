// The features that the lazy path has touched, and all that it knows of them: relevances, and pairs with those that
// were ever active.
//
// Contenders are numbered as they were touched. One that enters gets a slot, numbered as they first entered, which it
// keeps when it drops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "land/path/path.h"
#include "land/path/path_state.h"

namespace land {

struct Contender {
  struct Known {
    std::int64_t slot;
    double value;  // V_ki
  };

  FeatureId feature = 0;
  double f = 0.0;  // the bound until refined
  bool refined = false;
  bool parked = false;
  double diagonal = -1.0;             // R_kk, negative while unknown
  std::int64_t slot = -1;             // negative if it was never active
  std::int64_t missing = 0;           // active slots with which its pair is not at the last stage
  Line line;                          // bounds c_k on this segment; c_k itself if it is fully known
  std::int64_t suspected = -1;        // the slot whose pair, at a low stage, suggests that it is a copy; or -1
  std::vector<std::int64_t> copy_of;  // slots, active or not
  std::vector<Known> known;           // in the order of slots: a tenth of all pairs, or less

  bool is_known() const { return refined && missing == 0; }
};

class Contenders {
 public:
  explicit Contenders(int last_stage) : last_(last_stage) {}

  std::int64_t count() const { return std::ssize(all_); }
  Contender& operator[](std::int64_t c) { return all_[static_cast<std::size_t>(c)]; }
  const Contender& operator[](std::int64_t c) const { return all_[static_cast<std::size_t>(c)]; }
  // A feature that is touched now.
  std::int64_t add(FeatureId feature, double bound);

  // Slots of the active set, in order of entry; and who has a slot.
  std::span<const std::int64_t> active() const { return active_; }
  const Contender& holder(std::int64_t slot) const { return (*this)[slots_[static_cast<std::size_t>(slot)].holder]; }
  bool is_active(std::int64_t slot) const { return slots_[static_cast<std::size_t>(slot)].active; }
  bool has_entered(std::int64_t c) const { return (*this)[c].slot >= 0 && is_active((*this)[c].slot); }
  bool is_copy(std::int64_t c) const;
  // Neither active nor able to enter.
  bool is_parked(std::int64_t c) const { return !has_entered(c) && ((*this)[c].parked || is_copy(c)); }

  // The last one of the active set now is c; the one at `position` is out.
  void enter(std::int64_t c, const PathState& state);
  void leave(std::int64_t position);

  // What is known of the pair with a slot: 0 if nothing, or the stage; its V_ki.
  int stage(std::int64_t c, std::int64_t slot) const { return stages_[place_of_stage(c, slot)]; }
  double value(std::int64_t c, std::int64_t slot) const;
  // R_ki in order of the active set.
  std::vector<double> row_of(std::int64_t c) const;
  // Notes V_ki, on the other side too if c has a slot, and moves its line.
  void learn(std::int64_t c, std::int64_t position, double value, int at_stage, const PathState& state);

  // Every line from its definition, so that none drifts from segment to segment.
  void start_segment(const PathState& state);
  // The line of one that is fully known now.
  void settle_line(std::int64_t c) { (*this)[c].line = line_of(c); }

  // What all of this takes; and what the next entry takes besides, for a while.
  std::int64_t bytes() const;
  std::int64_t bytes_to_grow() const;

  // What the path relied on.
  std::vector<TouchedFeature> take_touched();

 private:
  struct Slot {
    std::int64_t holder;
    bool active;
  };
  struct Coefficient {  // alpha(lambda) = a0 - lambda w
    double a0 = 0.0;
    double w = 0.0;
  };

  std::size_t place_of_stage(std::int64_t c, std::int64_t slot) const {
    return static_cast<std::size_t>(c * stride_ + slot);
  }
  std::ptrdiff_t place_of(std::int64_t c, std::int64_t slot) const;
  Line line_of(std::int64_t c) const;
  void add_slot(std::int64_t c, const PathState& state);
  void widen();
  // Returns what was known before.
  double set_pair(std::int64_t c, std::int64_t slot, double value, int at_stage, const PathState& state);
  void look_for_copy(std::int64_t c, std::int64_t slot, double value, int at_stage, const PathState& state);

  int last_;
  std::vector<Contender> all_;
  std::vector<std::uint8_t> stages_;  // by contender, then slot
  std::int64_t stride_ = 64;          // slots that there is room for
  std::vector<Slot> slots_;
  std::vector<std::int64_t> active_;
  bool in_order_ = true;              // its slots rise
  std::vector<Coefficient> segment_;  // by slot, zero where it is not active
};

}  // namespace land
