#include "land/methods/qpfs/qpfs.h"

#include <algorithm>
#include <vector>

#include "land/methods/qpfs/programme_method.h"

namespace land {
namespace {

class NhsicSimilarity final : public Similarity {
 public:
  explicit NhsicSimilarity(PairOracle& pairs) : pairs_(pairs) {}

  void relevance(std::span<const FeatureId> features, std::span<double> out) override {
    pairs_.prepare(features);
    pairs_.relevance(features, out);
  }

  void block(std::span<const FeatureId> rows, std::span<const FeatureId> columns, std::span<double> out) override {
    requests_.clear();
    for (const FeatureId row : rows) {
      for (const FeatureId column : columns) requests_.push_back({row, column, pairs_.stages()});
    }
    pairs_.evaluate(requests_, out);
    for (double& value : out) value = std::max(0.0, value);
  }

  void diagonal(std::span<const FeatureId> features, std::span<double> out) override {
    requests_.clear();
    for (const FeatureId feature : features) requests_.push_back({feature, feature, pairs_.stages()});
    pairs_.evaluate(requests_, out);
  }

 private:
  PairOracle& pairs_;
  std::vector<PairRequest> requests_;
};

class Qpfs final : public Method {
 public:
  void check(const Setting& setting) const override { check_programme(setting); }

  void choose(const Setting& setting, PairOracle& pairs, Result& result) override {
    NhsicSimilarity similarity(pairs);
    choose_by_programme(setting, similarity, pairs, result);
  }
};

}  // namespace

std::unique_ptr<Method> make_qpfs() { return std::make_unique<Qpfs>(); }

}  // namespace land
