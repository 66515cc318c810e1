#include "land/methods/information/fcbf.h"

#include <algorithm>
#include <vector>

#include "land/methods/chosen.h"
#include "land/methods/information/information.h"
#include "land/methods/information/ranked.h"

namespace land {
namespace {

constexpr std::size_t kBatch = 256;  // features compared with those kept before, at the same time
constexpr std::size_t kItem = 8;     // of which a thread takes so many

double uncertainty(std::int64_t information, std::int64_t entropy, std::int64_t other) {
  return 2.0 * quotient(information, entropy + other);
}

class Correlated {
 public:
  Correlated(const Setting& setting, const Information& information)
      : setting_(setting), information_(information), joint_(static_cast<std::size_t>(setting.pool.threads())) {}

  // Those of `ranked` that are kept, until there are `wanted`.
  std::vector<Ranked> keep(std::span<const Ranked> ranked, std::size_t wanted) {
    for (std::size_t begin = 0; begin < ranked.size() && kept_.size() < wanted; begin += kBatch) {
      const auto batch = ranked.subspan(begin, std::min(kBatch, ranked.size() - begin));
      setting_.context.report("choosing", static_cast<double>(begin), static_cast<double>(ranked.size()));
      const std::size_t before = kept_.size();
      std::vector<char> stays(batch.size());
      const auto items = static_cast<std::int64_t>((batch.size() + kItem - 1) / kItem);
      setting_.pool.run(items, [&](std::int64_t item, int worker) {
        setting_.context.check_stop();
        const std::size_t first = static_cast<std::size_t>(item) * kItem;
        for (std::size_t t = first; t < std::min(batch.size(), first + kItem); ++t) {
          stays[t] = is_kept(batch[t], 0, before, joint_[static_cast<std::size_t>(worker)]) ? 1 : 0;
        }
      });
      for (std::size_t t = 0; t < batch.size() && kept_.size() < wanted; ++t) {
        if (stays[t] == 0 || !is_kept(batch[t], before, kept_.size(), joint_[0])) continue;
        kept_.push_back(batch[t]);
        partners_.push_back(information_.partner(batch[t].feature, Partner::With::kAlone));
      }
    }
    return kept_;
  }

 private:
  // Whether none of the kept ones from `first` to `last` is as close to the feature as the target is.
  bool is_kept(const Ranked& ranked, std::size_t first, std::size_t last, JointCounts& joint) const {
    for (std::size_t p = first; p < last; ++p) {
      const double closeness =
          uncertainty(information_.with(ranked.feature, partners_[p], joint), information_.entropy(ranked.feature),
                      information_.entropy(kept_[p].feature));
      if (closeness >= ranked.value) return false;
    }
    return true;
  }

  const Setting& setting_;
  const Information& information_;
  std::vector<JointCounts> joint_;  // of each worker
  std::vector<Ranked> kept_;
  std::vector<Partner> partners_;
};

class FastCorrelationBasedFilter final : public Method {
 public:
  void check(const Setting& setting) const override { check_level_memory(setting); }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Information information(setting);
    std::vector<Ranked> ranked;
    for (std::size_t k = 0; k < information.features(); ++k) {
      if (information.with_target(k) == 0) continue;
      ranked.push_back(
          {k, uncertainty(information.with_target(k), information.entropy(k), information.target_entropy())});
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<Chosen> chosen;
    for (const auto& [k, value] :
         Correlated(setting, information).keep(ranked, static_cast<std::size_t>(setting.options.features))) {
      chosen.push_back({information.id(k), value});
    }
    record_chosen(chosen, pairs, result);
  }
};

}  // namespace

std::unique_ptr<Method> make_fcbf() { return std::make_unique<FastCorrelationBasedFilter>(); }

}  // namespace land
