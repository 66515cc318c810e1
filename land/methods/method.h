// A way to choose features, given their scores and the pairs it asks for. Each is a file of this room and an entry of
// methods.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/data/target.h"
#include "land/engine/engine.h"
#include "land/options/options.h"
#include "land/pairs/candidates.h"
#include "land/path/path.h"
#include "land/results/result.h"

namespace land {

// What every method is given.
struct Setting {
  const SelectOptions& options;
  const Context& context;
  Engine& engine;  // for methods that need the values of features, or another measure of dependence
  WorkerPool& pool;
  const Target& target;
  std::int64_t memory;             // bytes that the method may hold
  std::span<const double> bounds;  // of every f from above; negative: the feature is left out (constant, or a copy)
  // A fresh oracle of f and R. `claims`: products that another one has kept, which it puts to the test before use.
  std::function<std::unique_ptr<Candidates>(const KeptProducts* claims)> pairs;
  std::int64_t nominal_features = 0;  // how many there are
  double least_lambda = 0.0;          // where a path ends, if it comes so far
};

// Indices in results are those of the engine here.
class Method {
 public:
  virtual ~Method() = default;

  // Throws InputError if the method is not made for what it is given, before anything is scored: `bounds` is empty.
  virtual void check(const Setting& /*setting*/) const {}

  // Whether it has a path whose lambda can be compared with relevances.
  virtual bool has_lambda() const { return false; }

  // Whether features that repeat an earlier one are left out beforehand.
  virtual bool leaves_out_copies(const SelectOptions& /*options*/) const { return false; }

  // Fills in `selected`, without names, and whatever the result has of this method: path, redundancies, work.
  virtual void choose(const Setting& setting, PairOracle& pairs, Result& result) = 0;

  // What the choice rests on: the features that were looked at, and the relevance below which no other could matter.
  // Asked for if copies were left out.
  virtual std::span<const TouchedFeature> touched() const { return {}; }
  virtual double least_relevance() const { return 0.0; }

  // Fills in the certificate, if the method has one. `products`: what the pairs of choose() have kept.
  virtual void certify(const Setting& /*setting*/, const KeptProducts* /*products*/, Result& /*result*/) {}
};

struct MethodEntry {
  std::string_view name;                    // as users write it
  std::string_view help;                    // what it selects, in a line
  std::string_view cost;                    // in d features, n samples and m selected
  std::string_view reference;               // who described it
  std::array<std::string_view, 2> options;  // keys of those that not every method uses, and this one does
  std::unique_ptr<Method> (*make)();
  void (*adjust)(SelectOptions& options) = nullptr;  // what the name says of other options
  bool by_kernels = false;  // all it asks for is f and R, so that covariates are taken out of what it sees
  // Whether fewer features are the beginning of more, as the selection has them in order or on a path.
  bool nested = true;
};

// All methods, in the order that help texts name them.
std::span<const MethodEntry> methods();

// Throws InputError that lists the methods there are. `key`: of the option that names it.
const MethodEntry& find_method(std::string_view name, std::string_view key = "method");

// Throws InputError if one of these is no method, and for an option that is not at its default but used by none of
// them. `key`: of the option that names them.
void check_methods(std::span<const std::string> names, const SelectOptions& options, std::string_view key = "method");

// Throws InputError if covariates are to be taken out for a method that would not see it.
void check_adjustable(const SelectOptions& options);

// The options with what the name of their method says of them.
SelectOptions adjusted(SelectOptions options);

}  // namespace land
