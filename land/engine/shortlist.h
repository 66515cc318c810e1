// The best features that one worker has seen, with their values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "land/base/feature_id.h"
#include "land/blocks/feature_block.h"
#include "land/kernels/scoring/score.h"

namespace land {

class Shortlist {
 public:
  struct Entry {
    double relevance;
    std::unique_ptr<FeatureBlock> block;
    bool operator<(const Entry& other) const { return relevance > other.relevance; }  // the worst on top
  };

  explicit Shortlist(std::size_t most) : most_(most) {}

  // Whether a feature so relevant would be among them.
  bool takes(double relevance) const {
    return relevance > 0.0 && most_ > 0 && (heap_.size() < most_ || relevance > heap_.front().relevance);
  }
  // Keeps copies of those features of a block that are among the best so far.
  void offer(const FeatureBlock& block, std::span<const Score> scores) {
    features_.clear();
    places_.clear();
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const double relevance = scores[k].relevance;
      if (!takes(relevance)) continue;
      FeatureBlock* const place = take_place(relevance);
      const auto taken = std::find(places_.begin(), places_.end(), place) - places_.begin();
      if (taken == std::ssize(places_)) {
        places_.push_back(place);
        features_.emplace_back();
      }
      features_[static_cast<std::size_t>(taken)] = block.view(static_cast<std::int64_t>(k));
    }
    for (FeatureBlock* const place : places_) place->clear(block.samples);
    append_features(features_, places_);
  }
  // Those that are of a range, in no order.
  std::vector<FeatureId> among(FeatureId first, FeatureId last) const {
    std::vector<FeatureId> ids;
    for (const Entry& entry : heap_) {
      const FeatureId id = entry.block->headers[0].id;
      if (id >= first && id < last) ids.push_back(id);
    }
    return ids;
  }
  // All of them; none is left.
  void move_to(std::vector<Entry>& all) {
    std::move(heap_.begin(), heap_.end(), std::back_inserter(all));
    heap_.clear();
  }

 private:
  // A new one, or that of the worst, whose memory is used again.
  FeatureBlock* take_place(double relevance) {
    if (heap_.size() < most_) {
      heap_.push_back({0.0, std::make_unique<FeatureBlock>()});
    } else {
      std::pop_heap(heap_.begin(), heap_.end());
    }
    heap_.back().relevance = relevance;
    FeatureBlock* const place = heap_.back().block.get();
    std::push_heap(heap_.begin(), heap_.end());
    return place;
  }

  std::size_t most_;
  std::vector<Entry> heap_;
  std::vector<FeatureView> features_;  // of this block, that are kept
  std::vector<FeatureBlock*> places_;  // and where
};

}  // namespace land
