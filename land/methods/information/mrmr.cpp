#include "land/methods/information/mrmr.h"

#include <vector>

#include "land/methods/chosen.h"
#include "land/methods/information/lazy_greedy.h"

namespace land {
namespace {

enum class Form : std::uint8_t { kDifference, kQuotient };

constexpr double kLeastMean = 1e-9;  // nats

template <Form kForm>
class Redundancy {
 public:
  explicit Redundancy(const Information& information)
      : information_(information), sums_(information.features(), 0), counted_(information.features(), 0) {}

  bool may_be_chosen(std::size_t k) const { return !information_.is_constant(k); }

  double bound(std::size_t k) const {
    const std::int64_t relevance = information_.with_target(k);
    if (chosen_.empty()) return information_.nats(relevance);
    const auto count = std::ssize(chosen_);
    const auto many = static_cast<double>(count);
    if constexpr (kForm == Form::kDifference) {
      return information_.nats(relevance * count - sums_[k]) / many;
    } else {
      if (information_.nats(sums_[k]) / many <= kLeastMean) return information_.nats(relevance) / kLeastMean;
      return quotient(relevance * count, sums_[k]);
    }
  }

  bool is_settled(std::size_t k) const { return counted_[k] == chosen_.size(); }

  void improve(std::size_t k, double enough, JointCounts& joint) {
    constexpr std::uint32_t kAtOnce = 8;  // since the feature is at hand now, and likely to be wanted again
    while (!is_settled(k) && bound(k) >= enough) {
      const auto end = std::min(counted_[k] + kAtOnce, static_cast<std::uint32_t>(chosen_.size()));
      for (; counted_[k] < end; ++counted_[k]) sums_[k] += information_.with(k, chosen_[counted_[k]], joint);
    }
  }

  void choose(std::size_t k) { chosen_.push_back(information_.partner(k, Partner::With::kAlone)); }

 private:
  const Information& information_;
  std::vector<Partner> chosen_;
  std::vector<std::int64_t> sums_;  // of I(k; s) over the first counted_[k] of the chosen
  std::vector<std::uint32_t> counted_;
};

template <Form kForm>
class MinimumRedundancy final : public Method {
 public:
  void check(const Setting& setting) const override { check_level_memory(setting); }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Information information(setting);
    Redundancy<kForm> criterion(information);
    std::vector<Chosen> chosen;
    LazyGreedy(setting, information, criterion).run(setting.options.features, [&](std::size_t k, double value) {
      chosen.push_back({information.id(k), value});
    });
    record_chosen(chosen, pairs, result);
  }
};

}  // namespace

std::unique_ptr<Method> make_mrmr() { return std::make_unique<MinimumRedundancy<Form::kDifference>>(); }
std::unique_ptr<Method> make_mrmr_quotient() { return std::make_unique<MinimumRedundancy<Form::kQuotient>>(); }

}  // namespace land
