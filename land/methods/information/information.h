// Features as levels, and what they tell of the target and of each other: mutual informations from tables of counts.
// They are whole numbers here, sums of c ln c (count_logs.h), n times the information.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "land/base/feature_id.h"
#include "land/methods/information/count_logs.h"
#include "land/methods/information/discretise.h"
#include "land/methods/information/joint_counts.h"
#include "land/methods/information/level_store.h"
#include "land/methods/method.h"

namespace land {

// Throws InputError if the levels cannot fit the memory, whatever they are.
void check_level_memory(const Setting& setting);

// A chosen feature, alone or together with the target, that others are counted against.
class Partner {
 public:
  enum class With : std::uint8_t { kAlone, kAndTarget };

  const Counted& counted() const { return counted_; }

 private:
  friend class Information;
  Partner(Counted counted, std::vector<std::uint32_t> ends) : counted_(std::move(counted)), ends_(std::move(ends)) {}

  Counted counted_;
  std::vector<std::uint32_t> ends_;  // with the target: where the levels of each level of the feature end
  std::int64_t own_ = 0;             // the sum of the feature
  std::int64_t both_ = 0;            // the sum with the target
};

// Features are counted from 0 here, those that are left out not included.
class Information {
 public:
  // Sees all features once. Throws InputError if their levels do not fit the memory.
  explicit Information(const Setting& setting);

  std::size_t features() const { return ids_.size(); }
  FeatureId id(std::size_t k) const { return ids_[k]; }
  // Of a feature with a single level: nothing is to be known from it, and it is not to be chosen.
  bool is_constant(std::size_t k) const { return table_[k].levels < 2; }

  Partner partner(std::size_t s, Partner::With with) const;

  // From any thread; `joint` is the thread's own.
  std::int64_t with_target(std::size_t k) const { return relevance_[k]; }                                // I(k; y)
  std::int64_t with(std::size_t k, const Partner& s, JointCounts& joint) const;                          // I(k; s)
  std::int64_t with_target_given(std::size_t k, const Partner& s, JointCounts& joint) const;             // I(k; y | s)
  std::int64_t with_target_given_each_other(std::size_t k, const Partner& s, JointCounts& joint) const;  // see spec_cmi

  std::int64_t entropy(std::size_t k) const { return logs_.of_all() - own_[k]; }
  std::int64_t target_entropy() const { return logs_.of_all() - target_own_; }

  double nats(std::int64_t sum) const { return logs_.nats(sum); }

  // Bytes that are left for the method, now that the levels are held.
  std::int64_t memory_left() const { return memory_left_; }

 private:
  struct Sums {
    std::int64_t joint = 0;    // of all cells
    std::int64_t grouped = 0;  // with the levels of the target together
  };
  Sums sums(std::size_t k, const Partner& s, JointCounts& joint) const;
  void look(std::size_t k, const FeatureView& feature, const Discretiser& discretiser);

  std::vector<FeatureId> ids_;
  LevelStore table_;
  CountLogs logs_;
  std::unique_ptr<const Counted> target_;
  std::int64_t target_own_ = 0;
  std::vector<std::int64_t> own_;        // sum of each feature
  std::vector<std::int64_t> with_both_;  // of each with the target
  std::vector<std::int64_t> relevance_;
  std::int64_t memory_left_ = 0;
};

}  // namespace land
