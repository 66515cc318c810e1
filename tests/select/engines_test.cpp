// Commands give the same on both engines, to the bit, whatever table, target, method and factor: see test::both.
#include <gtest/gtest.h>

#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

SelectOptions few(Missing missing) {
  SelectOptions options;
  options.features = 6;
  options.kernel.missing = missing;
  return options;
}

TEST(Engines, SelectTheSameFeatures) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    for (const Target& target : {test::engine_classes(), test::engine_numbers(), test::engine_survival()}) {
      SelectOptions options = few(one.missing);
      options.neighbors = 3;
      test::both::select(one.table, target, options, test::threads(2));
      options.neighbors = 0;
      options.method = "mr-nhsic";
      test::both::select(one.table, target, options, test::threads(2));
      options = few(one.missing);
      options.kernel.factor = FactorKind::kFull;
      test::both::select(one.table, target, options, test::threads(2));
      options.kernel.factor = FactorKind::kNystrom;
      options.kernel.basis = even_basis(12);
      test::both::select(one.table, target, options, test::threads(2));
      options = few(one.missing);
      options.ridge = 0.1;
      options.kernel.measure = Measure::kHsic;
      test::both::select(one.table, target, options, test::threads(2));
    }
  }
}

TEST(Engines, ScoreAlikeInParts) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    const Target target = test::engine_numbers();
    std::vector<ScoredPart> parts;
    ScoreOptions options;
    options.kernel.missing = one.missing;
    options.parts = 3;
    for (options.part = 1; options.part <= options.parts; ++options.part) {
      parts.push_back(test::both::score(one.table, target, options, test::threads(2)));
    }
    const Scores joined = test::both::join_parts(parts, one.table, target, options.kernel);
    test::both::select(one.table, target, few(one.missing), test::threads(2), &joined);
  }
}

TEST(Engines, FindTheSameNeighbors) {
  for (const test::EngineTable& one : test::engine_tables()) {
    SCOPED_TRACE(one.name);
    NeighborOptions options;
    options.count = 4;
    options.kernel.missing = one.missing;
    for (const std::int64_t feature : {0, 3, 10}) {
      if (feature < one.table.features()) test::both::neighbors(one.table, feature, options, test::threads(2));
    }
  }
}

}  // namespace
}  // namespace land
