#include "land/methods/land_path.h"

#include <algorithm>

#include "land/methods/record_path.h"
#include "land/path/certificate.h"

namespace land {
namespace {

void record_work(const Path& path, Result& result) {
  result.work.features_touched = static_cast<std::int64_t>(path.touched.size());
  result.work.pairs_by_stage = path.pairs_by_stage;
  const auto entries = std::count_if(path.knots.begin(), path.knots.end(),
                                     [](const Knot& knot) { return knot.event == PathEvent::kEnter; });
  result.work.pairs_full_algorithm = entries * (result.data.features - result.data.constant_features);
}

CertificateSummary summary(const Certificate& certificate) {
  return {certificate.max_violation,   certificate.tolerance,          certificate.valid,
          certificate.knots_checked,   certificate.features_evaluated, certificate.features_bounded,
          certificate.features_parked, certificate.parked_violation,   certificate.bounds_sampled,
          certificate.max_bound_excess};
}

class LandPath final : public Method {
 public:
  // They would be touched, found to be copies, and parked one by one. With a ridge they share instead.
  bool leaves_out_copies(const SelectOptions& options) const override {
    return options.ridge == 0.0 && !options.plain_path;
  }

  bool has_lambda() const override { return true; }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const SelectOptions& options = setting.options;
    const Context& context = setting.context;
    const auto wanted = static_cast<double>(options.features);
    PathOptions path_options{options.features, options.ridge, [&](std::int64_t active) {
                               context.check_stop();
                               context.report("path", static_cast<double>(active), wanted);
                             }};
    path_options.least_lambda = setting.least_lambda;
    context.report("path", 0.0, wanted);
    path_ = options.plain_path ? solve_plain_path(setting.bounds, pairs, path_options)
                               : solve_lazy_path(setting.bounds, pairs, path_options);
    record_path(path_, pairs, result);
    record_work(path_, result);
  }

  std::span<const TouchedFeature> touched() const override { return path_.touched; }

  double least_relevance() const override {
    return path_.knots.back().lambda + CertificateOptions{}.tolerance * path_.knots.front().lambda;
  }

  void certify(const Setting& setting, const KeptProducts* products, Result& result) override {
    setting.context.report("certifying", 0.0, 0.0);
    const std::unique_ptr<PairOracle> fresh = setting.pairs(products);
    CertificateOptions options;
    options.ridge = setting.options.ridge;
    // Recomputing f costs in proportion to the samples: fewer features are drawn when there are very many.
    constexpr std::int64_t kValues = 200'000;
    options.sample = std::clamp<std::int64_t>(kValues / result.data.samples, 100, options.sample);
    result.certificate = summary(land::certify(path_, setting.bounds, *fresh, options));
  }

 private:
  Path path_;
};

}  // namespace

std::unique_ptr<Method> make_land_path() { return std::make_unique<LandPath>(); }

}  // namespace land
