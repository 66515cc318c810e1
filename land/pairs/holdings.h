// Values, sketches and exact forms of the candidates, within limits of memory: what exceeds them is dropped, the least
// recently used first, to be made again when asked for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "land/base/context.h"
#include "land/base/worker_pool.h"
#include "land/engine/engine.h"
#include "land/kernels/families/kernels.h"
#include "land/pairs/candidate.h"
#include "land/pairs/memory_plan.h"

namespace land {

// How the exact form of a feature is made, and what it takes, about.
struct ExactForms {
  std::function<std::unique_ptr<const ExactForm>(const FeatureView& feature, const Kernels& kernels)> make;
  std::int64_t bytes_each = 0;
};

class Holdings {
 public:
  Holdings(Engine& engine, WorkerPool& pool, const Context& context, const Scores& scores, const KernelOptions& options,
           const MemoryPlan& limits, ExactForms forms);

  const Kernels& kernels() const { return kernels_; }
  std::int64_t samples() const { return engine_.samples(); }
  int threads() const { return pool_.threads(); }

  // Leaves so many bytes of the limits to others, from now on. Throws InputError where too little is left.
  void set_aside(std::int64_t bytes);

  // How many features may have their values and sketches, or their exact forms, in memory.
  std::size_t fetched_together() const;
  std::size_t exact_together() const;

  // Has the values of these features in memory, all of which stay until the next call; returns them in this order.
  std::vector<Candidate*> fetch(std::span<const FeatureId> features);
  void announce(std::span<const FeatureId> features) { engine_.announce(features); }
  // Values that are not held here.
  std::vector<std::shared_ptr<const FeatureBlock>> fetch_once(std::span<const FeatureId> features);

  // Makes the exact forms of fetched features, all of which stay until the next call; and along with them sketches of
  // as many columns as are wanted.
  void make(std::span<Candidate* const> exact, std::span<Candidate* const> sketched = {});

  // Makes room for exact forms that are not held here.
  void drop_exact();

  // Over the threads when there is enough to do, else here: waking a thread takes longer than a small batch. Stops
  // between items when asked to.
  void run(std::int64_t count, double nanoseconds_each,
           const std::function<void(std::int64_t item, int worker)>& work) const;

  // Over the exact forms of all features made so far, each counted once.
  double largest_residual() const { return largest_residual_; }
  double mean_columns() const { return forms_made_ > 0.0 ? columns_made_ / forms_made_ : 0.0; }

 private:
  // Features that fit into `bytes` together, but at least two.
  static std::size_t fitting(std::int64_t bytes, std::int64_t each);
  // The candidate of a feature, made if it is not there.
  Candidate& enlist(FeatureId feature);
  // Drops values and sketches until `bytes` more fit, if there are enough that are not in use.
  void make_room(std::int64_t bytes);
  std::int64_t fetched_size() const;
  void make_sketch_of(Candidate& one) const;
  // Drops exact forms until so many more fit, if there are enough that are not in use.
  void make_room_for_exact(std::int64_t count);

  Engine& engine_;
  WorkerPool& pool_;
  const Context& context_;
  const Scores& scores_;
  Kernels kernels_;
  MemoryPlan plan_;
  MemoryPlan limits_;  // the plan, less what is set aside
  ExactForms forms_;
  std::int64_t fetched_bytes_ = 0;  // of values and of the sketches that may follow
  std::int64_t exact_bytes_ = 0;
  std::uint64_t clock_ = 0;    // of exact forms
  std::uint64_t fetches_ = 0;  // the clock of values
  std::unordered_map<FeatureId, std::unique_ptr<Candidate>> candidates_;
  std::array<Candidate*, 1024> recent_{};  // by the last bits of their ids: asked for over and over
  std::list<Candidate*> exact_;            // those that have an exact form, the last used first
  double largest_residual_ = 0.0;
  double columns_made_ = 0.0;
  double forms_made_ = 0.0;
};

}  // namespace land
