#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "land/engine/engine.h"

namespace land {
namespace {

// They are bounds: float32 may hold more, never less.
TEST(Scores, NormAndErrorAreRoundedUp) {
  Scores scores;
  scores.resize(1);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-310.0, 38.0);
  for (int i = 0; i < 10'000; ++i) {
    const double norm = std::pow(10.0, exponent(random));
    const double error = i == 0 ? 0.0 : std::pow(10.0, exponent(random));
    scores.set(0, {0.25, norm, error});
    EXPECT_EQ(scores.relevance[0], 0.25);
    for (const auto& [kept, given] : {std::pair(scores.norm[0], norm), std::pair(scores.error[0], error)}) {
      ASSERT_GE(static_cast<double>(kept), given);
      ASSERT_LE(static_cast<double>(kept), given * (1.0 + 3e-7) + 2e-45);
    }
  }
}

}  // namespace
}  // namespace land
