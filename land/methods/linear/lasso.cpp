#include "land/methods/linear/lasso.h"

#include <fmt/format.h>

#include <algorithm>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/methods/linear/linear_certificate.h"
#include "land/methods/linear/linear_path.h"
#include "land/methods/record_path.h"

namespace land {
namespace {

class Lasso final : public Method {
 public:
  void check(const Setting& setting) const override {
    if (setting.nominal_features == 0) return;
    throw InputError(
        fmt::format("{}: nominal features have no linear effect, and there {} {}; leave them out with {}, "
                    "or use {}",
                    option("method", "lasso"), setting.nominal_features == 1 ? "is" : "are", setting.nominal_features,
                    option("exclude"), option("method", "land")));
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    setting.context.report("path", 0.0, static_cast<double>(setting.options.features));
    const Responses responses = make_responses(setting.target);
    path_ = responses.columns == 1 ? solve_lasso_path(setting, responses) : solve_group_path(setting, responses);
    // The copies that were found are worth a pair each, by which reports name them.
    for (TouchedFeature& touched : path_.path.touched) {
      for (auto& [feature, stage] : touched.pairs) stage = pairs.stages();
    }
    record_path(path_.path, pairs, result);
    result.work.features_touched = std::ssize(path_.path.touched);
  }

  std::span<const TouchedFeature> touched() const override { return path_.path.touched; }

  void certify(const Setting& setting, const KeptProducts* /*products*/, Result& result) override {
    setting.context.report("certifying", 0.0, 0.0);
    result.certificate = certify_linear(path_, setting, make_responses(setting.target));
  }

 private:
  LinearPath path_;
};

}  // namespace

std::unique_ptr<Method> make_lasso() { return std::make_unique<Lasso>(); }

}  // namespace land
