// Greedy selection by a criterion that costs a table of counts for each feature and each one chosen, and of which an
// upper bound is known before all these are counted. Features are counted only as far as they may be the best; the
// result is that of counting all.
//
// A Criterion has
//   bool may_be_chosen(k)
//   double ceiling(k)    an upper bound of its value in any round
//   double bound(k)      an upper bound of its value in this round; the value itself if it is_settled(k)
//   void improve(k, enough, joint)   counts on until it is settled, or the bound is below `enough`; from any thread
//   void choose(k)       begins the next round
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "land/methods/information/information.h"
#include "land/methods/information/ranked.h"

namespace land {

template <class Criterion>
class LazyGreedy {
 public:
  LazyGreedy(const Setting& setting, const Information& information, Criterion& criterion)
      : setting_(setting), criterion_(criterion), joint_(static_cast<std::size_t>(setting.pool.threads())) {
    for (std::size_t k = 0; k < information.features(); ++k) {
      if (criterion.may_be_chosen(k)) by_ceiling_.push_back({k, criterion.ceiling(k)});
    }
    std::sort(by_ceiling_.begin(), by_ceiling_.end());
    chosen_.assign(information.features(), false);
  }

  // `take(feature, value)` in the order of choice.
  template <class Take>
  void run(std::int64_t wanted, const Take& take) {
    for (std::int64_t round = 0; round < std::min(wanted, std::ssize(by_ceiling_)); ++round) {
      setting_.context.check_stop();
      setting_.context.report("choosing", static_cast<double>(round), static_cast<double>(wanted));
      const Ranked best = find_best();
      chosen_[best.feature] = true;
      take(best.feature, best.value);
      criterion_.choose(best.feature);
    }
  }

 private:
  // Goes down the ceilings, by more and more at a time, until none can be above the best.
  Ranked find_best() {
    constexpr std::size_t kFirst = 512;
    best_.reset();
    std::size_t begin = 0;
    for (std::size_t size = kFirst; begin < by_ceiling_.size(); size *= 2) {
      if (best_ && by_ceiling_[begin].value < best_->value) break;
      const std::size_t end = std::min(by_ceiling_.size(), begin + size);
      look_at(begin, end);
      begin = end;
    }
    return *best_;
  }

  void look_at(std::size_t begin, std::size_t end) {
    collect(begin, end);
    std::sort(open_.begin(), open_.end());
    constexpr std::size_t kBatch = 64;
    std::size_t size = kBatch;
    for (std::size_t first = 0; first < open_.size(); size *= 2) {
      if (best_ && open_[first].value < best_->value) break;
      const std::size_t last = std::min(open_.size(), first + size);
      improve(std::span(open_).subspan(first, last - first));
      first = last;
    }
  }

  // The unsettled among these whose bound may be the best; the best of the settled.
  void collect(std::size_t begin, std::size_t end) {
    constexpr std::size_t kPiece = 8192;
    const std::size_t pieces = (end - begin + kPiece - 1) / kPiece;
    std::vector<std::vector<Ranked>> open(pieces);
    std::vector<std::optional<Ranked>> settled(pieces);
    const double enough = best_ ? best_->value : -std::numeric_limits<double>::infinity();
    setting_.pool.run(static_cast<std::int64_t>(pieces), [&](std::int64_t item, int) {
      const auto piece = static_cast<std::size_t>(item);
      for (std::size_t t = begin + piece * kPiece; t < std::min(end, begin + (piece + 1) * kPiece); ++t) {
        const std::size_t k = by_ceiling_[t].feature;
        if (chosen_[k]) continue;
        const Ranked ranked{k, criterion_.bound(k)};
        if (ranked.value < enough) continue;
        if (!criterion_.is_settled(k)) {
          open[piece].push_back(ranked);
        } else if (!settled[piece] || ranked < *settled[piece]) {
          settled[piece] = ranked;
        }
      }
    });
    open_.clear();
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      open_.insert(open_.end(), open[piece].begin(), open[piece].end());
      if (settled[piece]) offer(*settled[piece]);
    }
  }

  void improve(std::span<Ranked> batch) {
    constexpr std::size_t kItem = 32;
    const double enough = best_ ? best_->value : -std::numeric_limits<double>::infinity();
    const auto items = static_cast<std::int64_t>((batch.size() + kItem - 1) / kItem);
    setting_.pool.run(items, [&](std::int64_t item, int worker) {
      setting_.context.check_stop();
      const std::size_t first = static_cast<std::size_t>(item) * kItem;
      for (std::size_t t = first; t < std::min(batch.size(), first + kItem); ++t) {
        criterion_.improve(batch[t].feature, enough, joint_[static_cast<std::size_t>(worker)]);
      }
    });
    for (const Ranked& one : batch) {
      if (criterion_.is_settled(one.feature)) offer({one.feature, criterion_.bound(one.feature)});
    }
  }

  void offer(const Ranked& ranked) {
    if (!best_ || ranked < *best_) best_ = ranked;
  }

  const Setting& setting_;
  Criterion& criterion_;
  std::vector<JointCounts> joint_;  // of each worker
  std::vector<Ranked> by_ceiling_;
  std::vector<bool> chosen_;
  std::vector<Ranked> open_;
  std::optional<Ranked> best_;
};

}  // namespace land
