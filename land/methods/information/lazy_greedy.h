// Greedy selection by a criterion that costs a table of counts for each feature and each one chosen, and of which an
// upper bound is known before all these are counted. Features are counted only as far as they may be the best; the
// result is that of counting all.
//
// A Criterion has
//   bool may_be_chosen(k)
//   double bound(k)      an upper bound of its value in this round; the value itself if it is_settled(k)
//   bool is_settled(k)   at first all are
//   void improve(k, enough, joint)   counts on until it is settled, or the bound is below `enough`; from any thread
//   void choose(k)       begins the next round
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "land/methods/information/information.h"
#include "land/methods/information/ranked.h"

namespace land {

template <class Criterion>
class LazyGreedy {
 public:
  LazyGreedy(const Setting& setting, const Information& information, Criterion& criterion)
      : setting_(setting), criterion_(criterion), joint_(static_cast<std::size_t>(setting.pool.threads())) {
    for (std::size_t k = 0; k < information.features(); ++k) open_.push_back(criterion.may_be_chosen(k) ? 1 : 0);
    left_ = std::count(open_.begin(), open_.end(), 1);
  }

  // `take(feature, value)` in the order of choice.
  template <class Take>
  void run(std::int64_t wanted, const Take& take) {
    const std::int64_t rounds = std::min(wanted, left_);
    for (std::int64_t round = 0; round < rounds; ++round) {
      setting_.context.check_stop();
      setting_.context.report("choosing", static_cast<double>(round), static_cast<double>(rounds));
      const Ranked best = find_best();
      open_[best.feature] = 0;
      take(best.feature, best.value);
      if (round + 1 < rounds) criterion_.choose(best.feature);
    }
  }

 private:
  static constexpr std::size_t kSeeds = 64;

  // Those that came first in the round before are counted first: what is below the best of them is spared.
  Ranked find_best() {
    std::vector<std::size_t> seeds;
    for (const Ranked& one : best_) {
      if (open_[one.feature] != 0) seeds.push_back(one.feature);
    }
    best_.clear();
    improve(seeds);
    const std::vector<std::size_t> unsettled = collect();
    std::size_t size = kSeeds;
    for (std::size_t first = 0; first < unsettled.size(); size = std::min(2 * size, kPiece)) {
      const std::size_t count = std::min(size, unsettled.size() - first);
      improve(std::span(unsettled).subspan(first, count));
      first += count;
    }
    return *std::min_element(best_.begin(), best_.end());
  }

  double best_value() const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Ranked& one : best_) most = std::max(most, one.value);
    return most;
  }

  // The features that are not settled and may be the best. The settled ones are offered.
  std::vector<std::size_t> collect() {
    const std::size_t pieces = (open_.size() + kPiece - 1) / kPiece;
    const double enough = best_value();
    std::vector<std::vector<std::size_t>> unsettled(pieces);
    std::vector<std::vector<Ranked>> settled(pieces);
    setting_.pool.run(static_cast<std::int64_t>(pieces), [&](std::int64_t item, int) {
      const auto piece = static_cast<std::size_t>(item);
      for (std::size_t k = piece * kPiece; k < std::min(open_.size(), (piece + 1) * kPiece); ++k) {
        if (open_[k] == 0) continue;
        const double bound = criterion_.bound(k);
        if (criterion_.is_settled(k)) {
          offer({k, bound}, settled[piece]);
        } else if (bound >= enough) {
          unsettled[piece].push_back(k);
        }
      }
    });
    std::vector<std::size_t> all;
    best_.clear();
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      all.insert(all.end(), unsettled[piece].begin(), unsettled[piece].end());
      for (const Ranked& one : settled[piece]) offer(one, best_);
    }
    return all;
  }

  void improve(std::span<const std::size_t> batch) {
    constexpr std::size_t kItem = 32;
    const double enough = best_value();
    const auto items = static_cast<std::int64_t>((batch.size() + kItem - 1) / kItem);
    setting_.pool.run(items, [&](std::int64_t item, int worker) {
      setting_.context.check_stop();
      const std::size_t first = static_cast<std::size_t>(item) * kItem;
      for (std::size_t t = first; t < std::min(batch.size(), first + kItem); ++t) {
        criterion_.improve(batch[t], enough, joint_[static_cast<std::size_t>(worker)]);
      }
    });
    for (const std::size_t k : batch) {
      if (criterion_.is_settled(k)) offer({k, criterion_.bound(k)}, best_);
    }
  }

  // `best` holds the first few, the last of them on top.
  static void offer(const Ranked& ranked, std::vector<Ranked>& best) {
    if (best.size() == kSeeds) {
      if (!(ranked < best.front())) return;
      std::pop_heap(best.begin(), best.end());
      best.pop_back();
    }
    best.push_back(ranked);
    std::push_heap(best.begin(), best.end());
  }

  static constexpr std::size_t kPiece = 8192;  // features that a thread looks at in one go

  const Setting& setting_;
  Criterion& criterion_;
  std::vector<JointCounts> joint_;  // of each worker
  std::vector<char> open_;          // whether a feature may be chosen and was not
  std::int64_t left_ = 0;
  std::vector<Ranked> best_;  // of the settled ones, in this round
};

}  // namespace land
