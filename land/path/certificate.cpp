#include "land/path/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "land/path/column_index.h"

namespace land {

namespace {

constexpr double kParkedTolerance = 1e-6;  // of parked features, relative to max f
constexpr double kCopyRounding = 1e-15;    // allowed for in R_kk - R_ki^2 / R_ii, relative to R_kk
constexpr double kCopyComplement = 1e-12;  // below it, relative to R_kk, i speaks for k
constexpr std::int64_t kBlock = 1024;      // touched features whose pairs are recomputed together
constexpr std::int64_t kRun = 16;          // untouched neighbours of which f is recomputed together
constexpr std::int64_t kSampleChunk = 256;

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// `size` different numbers below `count`, or all of them, in rising order (Floyd's algorithm).
std::vector<std::int64_t> draw(std::int64_t count, std::int64_t size, std::uint64_t seed) {
  std::unordered_set<std::int64_t> chosen;
  for (std::int64_t j = std::max<std::int64_t>(0, count - size); j < count; ++j) {
    const auto t = static_cast<std::int64_t>(splitmix64(seed) % static_cast<std::uint64_t>(j + 1));
    if (!chosen.insert(t).second) chosen.insert(j);
  }
  std::vector<std::int64_t> sorted(chosen.begin(), chosen.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// Columns are the features with a coefficient at some knot; only their R_ki matter.
class Certifier {
 public:
  Certifier(const Path& path, std::span<const double> bound, PairOracle& oracle, const CertificateOptions& options)
      : path_(path), bound_(bound), oracle_(oracle), options_(options), last_(oracle.stages()) {
    result_.tolerance = options.tolerance;
    result_.max_bound_excess = -std::numeric_limits<double>::infinity();
    for (const TouchedFeature& touched : path.touched) touched_.push_back(touched.feature);
    std::sort(touched_.begin(), touched_.end());
  }

  Certificate run() {
    if (!is_well_formed()) {
      result_.max_violation = kBroken;
      return result_;
    }
    oracle_.set_aside(bytes_of(path_.touched));
    index_columns();
    recompute_relevance();
    recompute_columns();
    check_knots();
    for (std::int64_t begin = 0; begin < touched_count(); begin += kBlock) {
      check_touched(begin, std::min(begin + kBlock, touched_count()));
    }
    check_suspects();
    check_untouched();
    finish();
    return result_;
  }

 private:
  using Term = std::pair<std::int64_t, double>;  // column, coefficient or R
  struct Suspect {
    std::int64_t touched;
    std::vector<Term> pairs;  // all that the solver relied on
    std::vector<Term> last_stage_pairs;
  };

  std::int64_t columns() const { return static_cast<std::int64_t>(column_feature_.size()); }
  std::int64_t touched_count() const { return static_cast<std::int64_t>(path_.touched.size()); }
  std::int64_t column_of(FeatureId feature) const { return column_index_.of(feature); }  // -1 if it has none
  double r(std::int64_t i, std::int64_t j) const { return r_[i * columns() + j]; }
  void violate(double amount) { worst_ = std::max(worst_, std::isnan(amount) ? kBroken : amount); }

  std::vector<double> evaluate(std::span<const PairRequest> requests) {
    std::vector<double> values(requests.size());
    if (!requests.empty()) oracle_.evaluate(requests, values);
    for (const double value : values) violate(std::isfinite(value) ? 0.0 : kBroken);
    return values;
  }

  std::vector<double> relevance(std::span<const FeatureId> features) {
    std::vector<double> values(features.size());
    if (features.empty()) return values;
    oracle_.prepare(features);
    oracle_.relevance(features, values);
    for (const double value : values) violate(std::isfinite(value) ? 0.0 : kBroken);
    return values;
  }

  bool is_well_formed() const;
  void index_columns();
  void recompute_relevance();
  void recompute_columns();
  void check_knots();
  void check_touched(std::int64_t begin, std::int64_t end);
  void check_suspects();
  double excess_by_pairs(std::int64_t touched, std::span<const Term> pairs);
  double excess_by_copy(std::int64_t touched, double r_kk, std::span<const Term> last_stage_pairs) const;
  void check_untouched();
  void finish();

  static constexpr double kBroken = std::numeric_limits<double>::infinity();

  const Path& path_;
  std::span<const double> bound_;
  PairOracle& oracle_;
  const CertificateOptions& options_;
  const int last_;
  Certificate result_;

  std::vector<FeatureId> touched_;  // in rising order
  std::vector<FeatureId> column_feature_;
  ColumnIndex column_index_;
  std::vector<std::vector<Term>> terms_;  // alpha at each knot, by column
  std::vector<double> alpha_;             // the same, columns x knots
  std::vector<std::size_t> first_knot_;   // by column: where it is first there
  std::vector<double> f_;                 // of touched features: recomputed, or the bound
  std::vector<double> column_f_;
  std::vector<double> r_;         // columns x columns, the value or bound that was relied on; last stage if co-active
  std::vector<double> column_c_;  // knots x columns: f_i - sum_j R_ij alpha_j
  std::vector<double> fit_norm_;  // by knot: || sum_j alpha_j K_j ||
  double max_f_ = 0.0;
  double worst_ = 0.0;  // absolute
  double worst_parked_ = 0.0;
  std::vector<double> c_;          // of one feature, by knot
  std::vector<Suspect> suspects_;  // touched features that their own pairs do not bound well enough
};

bool Certifier::is_well_formed() const {
  const auto is_feature = [&](FeatureId k) { return k >= 0 && k < static_cast<FeatureId>(bound_.size()); };
  if (path_.knots.empty() || path_.knots.back().event != PathEvent::kEnd) return false;
  for (const TouchedFeature& touched : path_.touched) {
    if (!is_feature(touched.feature)) return false;
    for (const auto& [feature, at] : touched.pairs) {
      if (!is_feature(feature) || at < 1 || at > last_) return false;
    }
  }
  for (const Knot& knot : path_.knots) {
    for (const auto& [feature, alpha] : knot.coefficients) {
      if (!std::binary_search(touched_.begin(), touched_.end(), feature)) return false;
    }
  }
  return true;
}

void Certifier::index_columns() {
  for (const Knot& knot : path_.knots) {
    terms_.emplace_back();
    for (const auto& [feature, alpha] : knot.coefficients) {
      const std::int64_t column = column_index_.add(feature, columns());
      if (column == columns()) {
        column_feature_.push_back(feature);
        first_knot_.push_back(terms_.size() - 1);
      }
      terms_.back().emplace_back(column, alpha);
      violate(-alpha);
    }
  }
  const std::size_t knots = terms_.size();
  alpha_.assign(columns() * knots, 0.0);
  for (std::size_t t = 0; t < knots; ++t) {
    for (const auto& [i, alpha] : terms_[t]) alpha_[i * knots + t] = alpha;
  }
}

void Certifier::recompute_relevance() {
  std::vector<FeatureId> features = column_feature_;
  std::vector<std::int64_t> owner(features.size(), -1);
  f_.resize(touched_count());
  for (std::int64_t t = 0; t < touched_count(); ++t) {
    const TouchedFeature& touched = path_.touched[t];
    const std::int64_t column = column_of(touched.feature);
    if (column >= 0) {
      owner[column] = t;
    } else if (touched.refined) {
      features.push_back(touched.feature);
      owner.push_back(t);
    } else {
      f_[t] = bound_[touched.feature];
    }
  }
  const std::vector<double> values = relevance(features);
  for (std::size_t x = 0; x < features.size(); ++x) {
    if (owner[x] >= 0) f_[owner[x]] = values[x];
    max_f_ = std::max(max_f_, values[x]);
  }
  column_f_.assign(values.begin(), values.begin() + columns());
}

void Certifier::recompute_columns() {
  std::vector<int> stage(columns() * columns(), 0);
  for (const auto& terms : terms_) {
    for (const auto& [i, alpha] : terms) {
      for (const auto& [j, other] : terms) stage[i * columns() + j] = last_;
    }
  }
  for (const TouchedFeature& touched : path_.touched) {
    const std::int64_t column = column_of(touched.feature);
    if (column < 0) continue;
    for (const auto& [feature, at] : touched.pairs) {
      const std::int64_t other = column_of(feature);
      if (other < 0) continue;
      int& one = stage[column * columns() + other];
      int& two = stage[other * columns() + column];
      one = two = std::max({one, two, at});
    }
  }
  std::vector<PairRequest> requests;
  std::vector<std::int64_t> cell;
  for (std::int64_t i = 0; i < columns(); ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const int at = stage[i * columns() + j];
      if (at == 0) continue;
      requests.push_back({column_feature_[i], column_feature_[j], at});
      cell.push_back(i * columns() + j);
    }
  }
  const std::vector<double> values = evaluate(requests);
  r_.assign(columns() * columns(), 0.0);
  for (std::size_t x = 0; x < values.size(); ++x) {
    const std::int64_t i = cell[x] / columns();
    const std::int64_t j = cell[x] % columns();
    r_[i * columns() + j] = r_[j * columns() + i] = values[x];
  }
}

void Certifier::check_knots() {
  const std::vector<Knot>& knots = path_.knots;
  column_c_.resize(knots.size() * columns());
  double above = kBroken;
  for (std::size_t t = 0; t < knots.size(); ++t) {
    const double lambda = knots[t].lambda;
    violate(lambda - above);
    violate(-lambda);
    above = lambda;
    std::span<double> c = std::span(column_c_).subspan(t * columns(), columns());
    std::copy(column_f_.begin(), column_f_.end(), c.begin());
    for (const auto& [j, alpha] : terms_[t]) {
      for (std::int64_t i = 0; i < columns(); ++i) c[i] -= r(j, i) * alpha;
    }
    double square = 0.0;
    for (const auto& [j, alpha] : terms_[t]) {
      violate(std::abs(c[j] - options_.ridge * alpha - lambda));
      square += alpha * (column_f_[j] - c[j]);
    }
    fit_norm_.push_back(std::sqrt(std::max(0.0, square)));
  }
  result_.knots_checked = static_cast<std::int64_t>(knots.size());
}

void Certifier::check_touched(std::int64_t begin, std::int64_t end) {
  std::vector<FeatureId> features;
  std::vector<PairRequest> requests;
  for (std::int64_t t = begin; t < end; ++t) {
    const TouchedFeature& touched = path_.touched[t];
    if (column_of(touched.feature) >= 0) continue;
    features.push_back(touched.feature);
    for (const auto& [feature, at] : touched.pairs) {
      if (column_of(feature) >= 0) requests.push_back({touched.feature, feature, at});
    }
  }
  oracle_.prepare(features);
  const std::vector<double> values = evaluate(requests);

  std::size_t next = 0;
  std::vector<Term> pairs;
  std::vector<Term> last_stage_pairs;
  for (std::int64_t t = begin; t < end; ++t) {
    const TouchedFeature& touched = path_.touched[t];
    const std::int64_t own = column_of(touched.feature);
    pairs.clear();
    last_stage_pairs.clear();
    for (const auto& [feature, at] : touched.pairs) {
      const std::int64_t column = column_of(feature);
      if (column < 0) continue;
      const Term pair{column, own >= 0 ? r(own, column) : values[next++]};
      if (own < 0) pairs.push_back(pair);
      if (at == last_) last_stage_pairs.push_back(pair);
    }
    for (std::int64_t i = 0; own >= 0 && i < columns(); ++i) {
      pairs.emplace_back(i, r(own, i) + (i == own ? options_.ridge : 0.0));  // c_k - rho alpha_k while it is active
    }
    const double over = excess_by_pairs(t, pairs);
    if (over > options_.tolerance * max_f_) {
      suspects_.push_back({t, pairs, last_stage_pairs});
    } else if (touched.parked) {
      worst_parked_ = std::max(worst_parked_, over);
    } else {
      violate(over);
    }
  }
}

// The largest c - lambda over all knots.
double Certifier::excess_by_pairs(std::int64_t touched, std::span<const Term> pairs) {
  const std::size_t knots = terms_.size();
  c_.assign(knots, f_[touched]);
  double* const c = c_.data();
  for (const auto& [i, value] : pairs) {
    const double* const alpha = alpha_.data() + i * knots;
    for (std::size_t t = first_knot_[i]; t < knots; ++t) c[t] -= value * alpha[t];
  }
  double excess = -kBroken;
  for (std::size_t t = 0; t < knots; ++t) excess = std::max(excess, c[t] - path_.knots[t].lambda);
  return excess;
}

// A copy k of i is not asked for its pairs with others: with K_k = b K_i + e, <e, K_i> = 0 and |e|^2 = R_kk - b^2 R_ii,
//   c_k = f_k - b f_i + b c_i - <e, sum_j alpha_j K_j>  <=  f_k - b f_i + b c_i + |e| || sum_j alpha_j K_j ||,
// for every k; it is close for copies only. Returns the largest excess over lambda for the best such i.
double Certifier::excess_by_copy(std::int64_t touched, double r_kk, std::span<const Term> last_stage_pairs) const {
  double best = kBroken;
  for (const auto& [i, r_ki] : last_stage_pairs) {
    const double b = r_ki / r(i, i);
    const double remainder = std::max(0.0, r_kk - b * r_ki) + kCopyRounding * r_kk;
    if (remainder > kCopyComplement * r_kk) continue;
    double excess = -kBroken;
    for (std::size_t t = 0; t < path_.knots.size(); ++t) {
      const double c = f_[touched] - b * column_f_[i] + b * column_c_[t * columns() + i];
      excess = std::max(excess, c + std::sqrt(remainder) * fit_norm_[t] - path_.knots[t].lambda);
    }
    best = std::min(best, excess);
  }
  return best;
}

// What its own pairs do not bound is a copy of an active feature, or a violation. A copy that is bound too loosely, for
// the rounding of R_kk - b^2 R_ii, has all its pairs evaluated.
void Certifier::check_suspects() {
  std::vector<PairRequest> requests;
  for (const Suspect& suspect : suspects_) {
    const FeatureId k = path_.touched[suspect.touched].feature;
    requests.push_back({k, k, last_});
  }
  const std::vector<double> diagonal = evaluate(requests);

  std::vector<const Suspect*> loose;
  for (std::size_t x = 0; x < suspects_.size(); ++x) {
    const Suspect& suspect = suspects_[x];
    const TouchedFeature& touched = path_.touched[suspect.touched];
    const double by_copy = touched.refined && options_.ridge == 0.0
                               ? excess_by_copy(suspect.touched, diagonal[x], suspect.last_stage_pairs)
                               : kBroken;
    if (by_copy <= kParkedTolerance * max_f_) {
      worst_parked_ = std::max(worst_parked_, by_copy);
    } else if (by_copy < kBroken) {
      loose.push_back(&suspect);
    } else if (touched.parked) {
      worst_parked_ = std::max(worst_parked_, excess_by_pairs(suspect.touched, suspect.pairs));
    } else {
      violate(excess_by_pairs(suspect.touched, suspect.pairs));
    }
  }

  requests.clear();
  for (const Suspect* suspect : loose) {
    const FeatureId k = path_.touched[suspect->touched].feature;
    for (const FeatureId i : column_feature_) requests.push_back({k, i, last_});
  }
  const std::vector<double> values = evaluate(requests);
  std::vector<Term> pairs(columns());
  for (std::size_t x = 0; x < loose.size(); ++x) {
    for (std::int64_t i = 0; i < columns(); ++i) pairs[i] = {i, values[x * columns() + i]};
    worst_parked_ = std::max(worst_parked_, excess_by_pairs(loose[x]->touched, pairs));
  }
}

void Certifier::check_untouched() {
  const double end = path_.knots.back().lambda;
  // Neighbours that are all untouched and not constant: first and how many.
  std::vector<std::pair<FeatureId, std::int64_t>> stretches;
  std::int64_t count = 0;
  double highest = 0.0;
  FeatureId first = 0;
  const auto close = [&](FeatureId stop) {
    if (stop > first) stretches.emplace_back(first, stop - first);
    count += stop - first;
    first = stop + 1;
  };
  auto touched = touched_.begin();
  for (FeatureId k = 0; k < std::ssize(bound_); ++k) {
    if (touched != touched_.end() && *touched == k) {
      while (touched != touched_.end() && *touched == k) ++touched;
      close(k);
    } else if (bound_[k] < 0.0) {
      close(k);
    } else {
      highest = std::max(highest, std::isnan(bound_[k]) ? kBroken : bound_[k]);
    }
  }
  close(std::ssize(bound_));
  if (count > 0) violate(highest - end);

  // Runs of neighbours, which cost little more to fetch than one of them.
  std::vector<FeatureId> sample;
  auto stretch = stretches.begin();
  std::int64_t before = 0;  // untouched features before the stretch
  for (const std::int64_t run : draw((count + kRun - 1) / kRun, (options_.sample + kRun - 1) / kRun, options_.seed)) {
    for (std::int64_t t = run * kRun; t < std::min((run + 1) * kRun, count); ++t) {
      for (; t >= before + stretch->second; ++stretch) before += stretch->second;
      sample.push_back(stretch->first + t - before);
    }
  }
  if (std::ssize(sample) > options_.sample) sample.resize(options_.sample);
  oracle_.announce(sample);
  for (std::size_t begin = 0; begin < sample.size(); begin += kSampleChunk) {
    const auto chunk = std::span(sample).subspan(begin, std::min<std::size_t>(kSampleChunk, sample.size() - begin));
    std::vector<double> f(chunk.size());
    oracle_.spot_relevance(chunk, f);
    for (std::size_t x = 0; x < chunk.size(); ++x) {
      violate(std::isfinite(f[x]) ? 0.0 : kBroken);
      result_.max_bound_excess = std::max(result_.max_bound_excess, f[x] - bound_[chunk[x]]);
    }
  }
  result_.bounds_sampled = static_cast<std::int64_t>(sample.size());
}

void Certifier::finish() {
  const std::int64_t usable = std::count_if(bound_.begin(), bound_.end(), [](double b) { return b >= 0.0; });
  // Evaluated: at the end of the path nothing about the feature was a mere bound.
  std::vector<std::uint8_t> at_end(columns(), 0);
  for (const auto& [i, alpha] : terms_.back()) at_end[i] = 1;
  for (const TouchedFeature& touched : path_.touched) {
    const std::int64_t own = column_of(touched.feature);
    auto missing = static_cast<std::int64_t>(terms_.back().size()) - (own >= 0 && at_end[own] ? 1 : 0);
    for (const auto& [feature, at] : touched.pairs) {
      const std::int64_t column = column_of(feature);
      missing -= at == last_ && column >= 0 && at_end[column];
    }
    result_.features_evaluated += touched.refined && missing == 0;
    result_.features_parked += touched.parked;
  }
  result_.features_bounded = usable - result_.features_evaluated;
  const double scale = max_f_ > 0.0 ? max_f_ : 1.0;
  result_.max_violation = worst_ / scale;
  result_.parked_violation = worst_parked_ / scale;
  result_.valid = result_.max_violation <= result_.tolerance && result_.max_bound_excess <= 0.0 &&
                  result_.parked_violation <= kParkedTolerance;
}

}  // namespace

Certificate certify(const Path& path, std::span<const double> relevance_bound, PairOracle& oracle,
                    const CertificateOptions& options) {
  return Certifier(path, relevance_bound, oracle, options).run();
}

}  // namespace land
