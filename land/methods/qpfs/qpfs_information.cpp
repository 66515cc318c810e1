#include "land/methods/qpfs/qpfs_information.h"

#include <unordered_map>
#include <vector>

#include "land/methods/information/information.h"
#include "land/methods/qpfs/programme_method.h"

namespace land {
namespace {

class InformationSimilarity final : public Similarity {
 public:
  InformationSimilarity(const Information& information, WorkerPool& pool, const Context& context)
      : information_(information), pool_(pool), context_(context), joint_(static_cast<std::size_t>(pool.threads())) {
    for (std::size_t k = 0; k < information.features(); ++k) place_.emplace(information.id(k), k);
  }

  void relevance(std::span<const FeatureId> features, std::span<double> out) override {
    for (std::size_t t = 0; t < features.size(); ++t) {
      out[t] = information_.nats(information_.with_target(place_.at(features[t])));
    }
  }

  void block(std::span<const FeatureId> rows, std::span<const FeatureId> columns, std::span<double> out) override {
    pool_.run(std::ssize(columns), [&](std::int64_t item, int worker) {
      context_.check_stop();
      const auto b = static_cast<std::size_t>(item);
      const Partner partner = information_.partner(place_.at(columns[b]), Partner::With::kAlone);
      for (std::size_t a = 0; a < rows.size(); ++a) {
        const std::int64_t shared =
            information_.with(place_.at(rows[a]), partner, joint_[static_cast<std::size_t>(worker)]);
        out[a * columns.size() + b] = information_.nats(shared);
      }
    });
  }

  void diagonal(std::span<const FeatureId> features, std::span<double> out) override {
    for (std::size_t t = 0; t < features.size(); ++t) {
      out[t] = information_.nats(information_.entropy(place_.at(features[t])));
    }
  }

 private:
  const Information& information_;
  WorkerPool& pool_;
  const Context& context_;
  std::vector<JointCounts> joint_;  // of each thread
  std::unordered_map<FeatureId, std::size_t> place_;
};

class QpfsInformation final : public Method {
 public:
  void check(const Setting& setting) const override {
    check_level_memory(setting);
    check_programme(setting);
  }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    const Information information(setting);
    // A feature of one level repeats nothing, and would get weight for that.
    std::vector<double> bounds(setting.bounds.begin(), setting.bounds.end());
    for (std::size_t k = 0; k < information.features(); ++k) {
      if (information.is_constant(k)) bounds[static_cast<std::size_t>(information.id(k))] = -1.0;
    }
    Setting others = setting;
    others.bounds = bounds;
    InformationSimilarity similarity(information, setting.pool, setting.context);
    choose_by_programme(others, similarity, pairs, result);
  }
};

}  // namespace

std::unique_ptr<Method> make_qpfs_information() { return std::make_unique<QpfsInformation>(); }

}  // namespace land
