#include "land/methods/hsic_sets/hsic_sets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "land/methods/chosen.h"
#include "land/methods/hsic_sets/set_points.h"

namespace land {
namespace {

constexpr double kTie = 1e-12;
constexpr std::int64_t kTogether = 8;  // features that a thread takes at a time
constexpr double kRemoved = 0.1;       // of those left, at a time

double pairs_of(const Setting& setting) {
  const auto n = static_cast<double>(setting.engine.samples());
  return 0.5 * n * n;
}

// A set of features, by the sums of its squared distances.
class FeatureSet {
 public:
  explicit FeatureSet(const Setting& setting) : setting_(setting), points_(setting) {
    distances_.assign(points_.rows().size(), 0.0);
  }

  const SetPoints& points() const { return points_; }

  void add(std::int64_t position) {
    add_distances(points_.rows(), points_.feature(position), 1.0, {distances_.data(), distances_.size()});
    ++size_;
  }

  // From nothing, in this order.
  void assign(const std::vector<std::int64_t>& positions) {
    std::fill(distances_.begin(), distances_.end(), 0.0);
    size_ = 0;
    for (const std::int64_t position : positions) {
      setting_.context.check_stop();
      add(position);
    }
  }

  double hsic() const {
    return points_.hsic(
        sum_kernel(points_.rows(), {distances_.data(), distances_.size()}, points_.target(), rate(size_)));
  }

  // HSIC of the set with each of these features (change 1), or without it (change -1).
  std::vector<double> hsic_of_changes(const std::vector<std::int64_t>& positions, int change) const {
    std::vector<double> values(positions.size());
    const std::int64_t items = (std::ssize(positions) + kTogether - 1) / kTogether;
    setting_.pool.run(items, [&](std::int64_t item, int) {
      setting_.context.check_stop();
      const auto first = static_cast<std::size_t>(item * kTogether);
      const std::size_t last = std::min(first + kTogether, positions.size());
      for (std::size_t t = first; t < last; ++t) {
        values[t] = points_.hsic(sum_kernel(points_.rows(), {distances_.data(), distances_.size()}, points_.target(),
                                            points_.feature(positions[t]), change, rate(size_ + change)));
      }
    });
    return values;
  }

 private:
  // Of a set of so many features. That of none does not depend on it: all distances are 0.
  double rate(std::int64_t size) const {
    const double sigma = setting_.options.kernel.sigma.front();
    return 0.5 / (sigma * sigma * static_cast<double>(std::max<std::int64_t>(size, 1)));
  }

  const Setting& setting_;
  SetPoints points_;
  AlignedBuffer<double> distances_;
  std::int64_t size_ = 0;
};

std::vector<std::int64_t> all_positions(const SetPoints& points) {
  std::vector<std::int64_t> positions;
  for (std::int64_t k = 0; k < points.count(); ++k) positions.push_back(k);
  return positions;
}

class ForwardHsic final : public Method {
 public:
  void check(const Setting& setting) const override {
    const auto d = static_cast<double>(setting.engine.features());
    const double steps = std::min(static_cast<double>(setting.options.features), d);
    check_set_work(setting, steps * d * pairs_of(setting),
                   SetPoints::bytes(setting) + PairRows::bytes(setting.engine.samples()));
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    FeatureSet set(setting);
    std::vector<std::int64_t> left = all_positions(set.points());
    const std::int64_t wanted = std::min(setting.options.features, std::ssize(left));
    std::vector<Chosen> chosen;
    while (std::ssize(chosen) < wanted) {
      setting.context.report("choosing", static_cast<double>(chosen.size()), static_cast<double>(wanted));
      const std::vector<double> values = set.hsic_of_changes(left, 1);
      const double best = *std::max_element(values.begin(), values.end());
      const auto is_best = [&](double value) { return value >= best - kTie * std::abs(best); };
      const auto at = std::find_if(values.begin(), values.end(), is_best) - values.begin();
      set.add(left[static_cast<std::size_t>(at)]);
      chosen.push_back({set.points().id(left[static_cast<std::size_t>(at)]), values[static_cast<std::size_t>(at)]});
      left.erase(left.begin() + at);
    }
    record_chosen(chosen, pairs, result);
    result.work.features_touched = set.points().count();
  }
};

// Positions in `left`, those to be removed first to the front: by falling HSIC without them, ties by falling index.
std::vector<std::size_t> order_of_removal(const std::vector<double>& without) {
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < without.size(); ++t) order.push_back(t);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return without[a] != without[b] ? without[a] > without[b] : a > b; });
  for (auto first = order.begin(); first != order.end();) {
    const double least = without[*first] - kTie * std::abs(without[*first]);
    const auto last = std::find_if(first, order.end(), [&](std::size_t t) { return without[t] < least; });
    std::sort(first, last, std::greater<>());
    first = last;
  }
  return order;
}

class BackwardHsic final : public Method {
 public:
  void check(const Setting& setting) const override {
    check_set_work(setting, static_cast<double>(setting.engine.features()) / kRemoved * pairs_of(setting),
                   SetPoints::bytes(setting) + PairRows::bytes(setting.engine.samples()));
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    FeatureSet set(setting);
    std::vector<std::int64_t> left = all_positions(set.points());
    const std::int64_t count = std::ssize(left);
    std::vector<Chosen> removed;
    while (!left.empty()) {
      setting.context.report("removing", static_cast<double>(removed.size()), static_cast<double>(count));
      set.assign(left);
      const double hsic = set.hsic();
      const std::vector<std::size_t> order = order_of_removal(set.hsic_of_changes(left, -1));
      const auto tenth = static_cast<std::size_t>(kRemoved * static_cast<double>(left.size()));
      for (std::size_t t = 0; t < std::max<std::size_t>(tenth, 1); ++t) {
        std::int64_t& position = left[order[t]];
        removed.push_back({set.points().id(position), hsic});
        position = -1;
      }
      std::erase(left, -1);
    }
    std::reverse(removed.begin(), removed.end());
    removed.resize(static_cast<std::size_t>(std::min(setting.options.features, count)));
    record_chosen(removed, pairs, result);
    result.work.features_touched = count;
  }
};

}  // namespace

std::unique_ptr<Method> make_forward_hsic() { return std::make_unique<ForwardHsic>(); }

std::unique_ptr<Method> make_backward_hsic() { return std::make_unique<BackwardHsic>(); }

}  // namespace land
