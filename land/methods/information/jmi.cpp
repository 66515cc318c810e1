#include "land/methods/information/jmi.h"

#include <optional>
#include <vector>

#include "land/methods/chosen.h"
#include "land/methods/information/information.h"

namespace land {
namespace {

constexpr std::size_t kPiece = 512;  // features that a thread takes at a time

struct Best {
  std::size_t feature = 0;
  std::int64_t sum = 0;
};

class JointMutualInformation final : public Method {
 public:
  void check(const Setting& setting) const override { check_level_memory(setting); }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Information information(setting);
    // Of I(k; y) first, then of I(k; y | s); of a feature that may not be chosen (again) below 0.
    std::vector<std::int64_t> sums(information.features());
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] = information.is_constant(k) ? -1 : information.with_target(k);
    std::int64_t of_chosen = 0;  // the sum of I(s; y)
    std::vector<Chosen> chosen;
    for (std::optional<Best> best = best_of(sums); best; best = best_of(sums)) {
      const auto [feature, sum] = *best;
      chosen.push_back({information.id(feature), information.nats(sum + of_chosen)});
      if (std::ssize(chosen) == setting.options.features) break;
      setting.context.report("choosing", static_cast<double>(chosen.size()),
                             static_cast<double>(setting.options.features));
      if (chosen.size() == 1) {
        for (std::int64_t& one : sums) one = one < 0 ? one : 0;
      }
      sums[feature] = -1;
      of_chosen += information.with_target(feature);
      add(setting, information, information.partner(feature, Partner::With::kAndTarget), sums);
    }
    record_chosen(chosen, pairs, result);
  }

 private:
  static std::optional<Best> best_of(const std::vector<std::int64_t>& sums) {
    std::optional<Best> best;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (sums[k] >= 0 && (!best || sums[k] > best->sum)) best = Best{k, sums[k]};
    }
    return best;
  }

  // sums[k] += I(k; y | s)
  static void add(const Setting& setting, const Information& information, const Partner& s,
                  std::vector<std::int64_t>& sums) {
    std::vector<JointCounts> joint(static_cast<std::size_t>(setting.pool.threads()));
    const auto pieces = static_cast<std::int64_t>((sums.size() + kPiece - 1) / kPiece);
    setting.pool.run(pieces, [&](std::int64_t piece, int worker) {
      setting.context.check_stop();
      const std::size_t first = static_cast<std::size_t>(piece) * kPiece;
      for (std::size_t k = first; k < std::min(sums.size(), first + kPiece); ++k) {
        if (sums[k] >= 0) sums[k] += information.with_target_given(k, s, joint[static_cast<std::size_t>(worker)]);
      }
    });
  }
};

}  // namespace

std::unique_ptr<Method> make_jmi() { return std::make_unique<JointMutualInformation>(); }

}  // namespace land
