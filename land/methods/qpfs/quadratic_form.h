// Q of a quadratic programme, held as a matrix or as a factor of few columns. Sums have a fixed order, whatever the
// number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/methods/qpfs/similarity.h"

namespace land {

// Of features by their position, 0 .. size() - 1.
class QuadraticForm {
 public:
  virtual ~QuadraticForm() = default;
  virtual std::int64_t size() const = 0;
  // The mean of all entries.
  virtual double mean() const = 0;
  // out[a * some.size() + b] = Q of some[a] and some[b].
  virtual void among(std::span<const std::int64_t> some, std::span<double> out) const = 0;
  // out = Q x, where x is weights[t] at positions[t] and 0 elsewhere.
  virtual void multiply(std::span<const std::int64_t> positions, std::span<const double> weights,
                        std::span<double> out) const = 0;
};

// Bytes that these take, for so many features.
std::int64_t full_form_bytes(std::int64_t features);
std::int64_t landmark_form_bytes(std::int64_t features, std::int64_t landmarks);

// All of Q.
std::unique_ptr<QuadraticForm> make_full_form(std::span<const FeatureId> features, Similarity& similarity,
                                              WorkerPool& pool, const Context& context);

// Nystrom's approximation C A^+ C' from some features: C has their columns of Q, A their rows of these; eigenvalues of
// A below 1e-9 of the largest are dropped. The landmarks are drawn by a hash of a fixed seed and the feature's id. The
// diagonal is that of Q itself, which is known. Without it a feature that is unlike all landmarks would not even be
// like itself, and the most relevant of these would get all the weight; with it the form is nearer to Q, and convex
// still.
std::unique_ptr<QuadraticForm> make_landmark_form(std::span<const FeatureId> features, std::int64_t landmarks,
                                                  Similarity& similarity, WorkerPool& pool, const Context& context);

}  // namespace land
