#include "land/methods/information/cmim.h"

#include <algorithm>
#include <vector>

#include "land/methods/chosen.h"
#include "land/methods/information/lazy_greedy.h"

namespace land {
namespace {

class LeastInformation {
 public:
  explicit LeastInformation(const Information& information) : information_(information) {
    for (std::size_t k = 0; k < information.features(); ++k) least_.push_back(information.with_target(k));
    counted_.assign(information.features(), 0);
  }

  bool may_be_chosen(std::size_t k) const { return !information_.is_constant(k); }
  double bound(std::size_t k) const { return information_.nats(least_[k]); }
  bool is_settled(std::size_t k) const { return counted_[k] == chosen_.size(); }

  void improve(std::size_t k, double enough, JointCounts& joint) {
    while (!is_settled(k) && bound(k) >= enough) {
      least_[k] = std::min(least_[k], information_.with_target_given(k, chosen_[counted_[k]++], joint));
    }
  }

  void choose(std::size_t k) { chosen_.push_back(information_.partner(k, Partner::With::kAndTarget)); }

 private:
  const Information& information_;
  std::vector<Partner> chosen_;
  std::vector<std::int64_t> least_;  // over the first counted_[k] of the chosen
  std::vector<std::uint32_t> counted_;
};

class ConditionalMutualInformation final : public Method {
 public:
  void check(const Setting& setting) const override { check_level_memory(setting); }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Information information(setting);
    LeastInformation criterion(information);
    std::vector<Chosen> chosen;
    LazyGreedy(setting, information, criterion).run(setting.options.features, [&](std::size_t k, double value) {
      chosen.push_back({information.id(k), value});
    });
    record_chosen(chosen, pairs, result);
  }
};

}  // namespace

std::unique_ptr<Method> make_cmim() { return std::make_unique<ConditionalMutualInformation>(); }

}  // namespace land
