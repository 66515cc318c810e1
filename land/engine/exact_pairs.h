// R itself of pairs: multiplied, a few candidates with all their partners at a time, or claimed and put to the test.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "land/engine/candidate.h"
#include "land/engine/holdings.h"
#include "land/engine/kept_products.h"

namespace land {

class ExactPairs {
 public:
  // Keeps up to `most_bytes` of products, for another to claim; or, given `claims`, none.
  ExactPairs(Holdings& holdings, std::int64_t most_bytes, const KeptProducts* claims);
  ExactPairs(const ExactPairs&) = delete;
  ExactPairs& operator=(const ExactPairs&) = delete;

  // out[pair.request] for fetched pairs.
  void evaluate(std::span<const CandidatePair> pairs, std::span<double> out);

  std::unique_ptr<const KeptProducts> take_products();

 private:
  struct Partner {  // one side of pairs, and the pairs that have it
    Candidate* candidate = nullptr;
    std::span<const CandidatePair> pairs;
  };
  void multiply(std::vector<CandidatePair> pairs, std::span<double> out);
  // All pairs of these partners; the factors of all are held together.
  void multiply_together(std::span<Candidate* const> lefts, std::span<const Partner> partners, std::span<double> out);
  // Those of them with some of the candidates.
  void multiply_share(std::span<Candidate* const> lefts, std::span<const Partner> partners, int worker,
                      std::span<double> out);
  // Answers those that are claimed and pass the test; returns the others.
  std::vector<CandidatePair> claim(std::span<const CandidatePair> pairs, std::span<double> out);

  Holdings& holdings_;
  const KeptProducts* claims_;
  std::unique_ptr<KeptProducts> products_;
};

}  // namespace land
