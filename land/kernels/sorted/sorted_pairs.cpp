// <HKH, HLH> of two kernels of sorted values: sums over all pairs of samples in O(n log n). docs/math.md, "Other
// kernels".
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "land/kernels/sorted/row_sums.h"
#include "land/kernels/sorted/sorted_kernel.h"
#include "land/kernels/sorted/windows.h"

namespace land {
namespace {

using Place = SortedKernel::Place;
constexpr std::size_t kRays = SortedKernel::kRays;

const Place& place_of(const SortedKernel& kernel, std::int32_t sample) {
  return kernel.places[static_cast<std::size_t>(sample)];
}

// --- Samples that share a ray in both kernels ------------------------------------------------------------------------

// A sample in K, and in the other kernel, L. Of a pair, what is needed of either depends on which of the two is nearer
// to the reference in K: [1] of the nearer one, [0] of the one farther out.
struct Both {
  std::array<double, 2> weight;  // what counts of it for those behind it in L: b, and a b, with its reaches a and b
  std::array<double, 2> times;   // what is multiplied by when it is behind in L: 1, and a
  std::array<double, 2> part;    // of E: down, and up
  double other_up;
  double other_down;
  std::int32_t window;
  std::int32_t other_window;
};

// Whether kernels decay, and whether they do so over more than one window.
enum class Decay : std::uint8_t { kNone, kNear, kFar };

// Over samples that came before, all from one half of a merge: sums of w, w E, w G and w E G. E is their part of that
// of K, G of that of L; whoever comes next has the other parts.
template <Decay kDecay>
struct RunningSums {
  double plain = 0.0;
  double in_first = 0.0;
  double in_other = 0.0;
  double in_both = 0.0;

  void add(double weight, double part, double other_part) {
    plain += weight;
    if constexpr (kDecay != Decay::kNone) {
      const double other = weight * other_part;
      in_first += weight * part;
      in_other += other;
      in_both += other * part;
    }
  }
  // The sum of w (1 + E)(1 + G).
  double with(double part, double other_part) const {
    if constexpr (kDecay == Decay::kNone) return 4.0 * plain;
    return (plain + part * in_first) + other_part * (in_other + part * in_both);
  }
  void shrink(double factor) {
    in_other *= factor;
    in_both *= factor;
  }
};

// The sum of K'_ij L'_ij over pairs, each once, of samples that come in the order of K: by merge sort into the order of
// L. Of two samples from the two halves of a merge, the one from the first has the smaller reach in K, and the one that
// comes first in the merged order the smaller one in L, so that running sums are enough.
template <Decay kDecay>
class PairSum {
 public:
  // `ranks`: of the samples in L.
  double of(std::span<const Both> samples, std::span<const std::int32_t> ranks) {
    samples_ = samples;
    keys_.resize(samples.size());
    merged_.resize(samples.size());
    for (std::size_t t = 0; t < samples.size(); ++t) keys_[t] = {ranks[t], static_cast<std::int32_t>(t)};
    return sort(0, samples.size());
  }

 private:
  struct Key {
    std::int32_t rank;
    std::int32_t sample;
  };
  static constexpr std::size_t kFew = 12;

  // keys_[begin] to before keys_[end] into the order of L; returns the sum over their pairs.
  double sort(std::size_t begin, std::size_t end) {
    if (end - begin <= kFew) return sort_few(begin, end);
    const std::size_t middle = begin + (end - begin) / 2;
    const double before = sort(begin, middle);
    const double behind = sort(middle, end);
    return before + behind + merge(begin, middle, end);
  }

  // Every pair by itself: quicker than to merge. Nearer in L is who has the smaller reach, and of two ratios G is the
  // one that is at most 1.
  double sort_few(std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    std::array<std::int32_t, kFew> place{};
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const Both& near = samples_[begin + i];
      const std::int32_t rank = keys_[begin + i].rank;
      double row = 0.0;
      for (std::size_t j = i + 1; j < count; ++j) {
        const Both& far = samples_[begin + j];
        const auto is_first = static_cast<std::int32_t>(rank < keys_[begin + j].rank);
        place[i] += 1 - is_first;
        place[j] += is_first;
        const double reach = std::min(near.weight[0], far.weight[0]);
        if constexpr (kDecay == Decay::kNone) {
          row += reach;
        } else {
          double e = near.part[1] * far.part[0];
          double g = 0.0;
          if constexpr (kDecay == Decay::kNear) {
            g = std::min(near.other_up * far.other_down, far.other_up * near.other_down);
          } else {
            const std::int32_t apart = far.other_window - near.other_window;
            e *= shrunk(far.window - near.window);
            g = apart == 0 ? std::min(near.other_up * far.other_down, far.other_up * near.other_down)
                           : (apart > 0 ? near.other_up * far.other_down : far.other_up * near.other_down) *
                                 shrunk(std::abs(apart));
          }
          row += reach * ((1.0 + e) * (1.0 + g));
        }
      }
      total += near.times[1] * row;
    }
    std::array<Key, kFew> sorted{};
    for (std::size_t i = 0; i < count; ++i) sorted[static_cast<std::size_t>(place[i])] = keys_[begin + i];
    std::copy_n(sorted.begin(), count, keys_.begin() + static_cast<std::ptrdiff_t>(begin));
    return kDecay == Decay::kNone ? 4.0 * total : total;
  }

  double merge(std::size_t begin, std::size_t middle, std::size_t end) {
    const std::int32_t seam = samples_[middle].window;  // between the halves: each has its part of E from there
    std::array<RunningSums<kDecay>, 2> sums;            // of the second half, and of the first
    double total = 0.0;
    std::int32_t window = 0;
    const auto take = [&](Key key, bool is_near) {
      const Both& next = samples_[static_cast<std::size_t>(key.sample)];
      const auto half = static_cast<std::size_t>(is_near);
      double part = next.part[half];
      if constexpr (kDecay == Decay::kFar) {
        part *= shrunk(is_near ? seam - next.window : next.window - seam);
        if (next.other_window != window) {
          for (RunningSums<kDecay>& sum : sums) sum.shrink(shrunk(next.other_window - window));
          window = next.other_window;
        }
      }
      total += next.times[half] * sums[1 - half].with(part, next.other_down);
      sums[half].add(next.weight[half], part, next.other_up);
    };
    std::size_t i = begin;
    std::size_t j = middle;
    std::size_t t = begin;
    while (i < middle && j < end) {
      const bool is_near = keys_[i].rank < keys_[j].rank;
      const Key key = keys_[is_near ? i : j];
      i += is_near ? 1 : 0;
      j += is_near ? 0 : 1;
      merged_[t++] = key;
      take(key, is_near);
    }
    for (; i < middle; ++i) {
      merged_[t++] = keys_[i];
      take(keys_[i], true);
    }
    for (; j < end; ++j) {
      merged_[t++] = keys_[j];
      take(keys_[j], false);
    }
    std::copy_n(merged_.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                keys_.begin() + static_cast<std::ptrdiff_t>(begin));
    return total;
  }

  std::span<const Both> samples_;
  std::vector<Key> keys_;
  std::vector<Key> merged_;
};

// Samples by their rays in both kernels, in the order of K; at the reference of either, K' L' is zero.
struct Cell {
  std::vector<Both> samples;
  std::vector<std::int32_t> ranks;  // in L
};
using Cells = std::array<std::array<Cell, kRays>, kRays>;

void fill_cells(const SortedKernel& k, const SortedKernel& l, Cells& cells) {
  for (std::size_t r = 0; r < kRays; ++r) {
    for (Cell& cell : cells[r]) {
      cell.samples.clear();
      cell.ranks.clear();
    }
    for (const std::int32_t sample : k.ray(r)) {
      const Place& b = place_of(l, sample);
      if (b.rank < 0) continue;
      const Place& a = place_of(k, sample);
      Cell& cell = cells[r][l.ray_of(b.rank)];
      cell.samples.push_back(
          {{b.reach, a.reach * b.reach}, {1.0, a.reach}, {a.down, a.up}, b.up, b.down, a.window, b.window});
      cell.ranks.push_back(b.rank);
    }
  }
}

// Whether all of the values are within a window of the reference.
bool is_near(const SortedKernel& kernel) {
  for (std::size_t r = 0; r < kRays; ++r) {
    if (!kernel.ray(r).empty() && place_of(kernel, kernel.ray(r).back()).window > 0) return false;
  }
  return true;
}

// --- Samples on two rays of one kernel, or of both -------------------------------------------------------------------

// The sum over pairs, each once, that share a ray of `along` and are on two of `across`: K'_ij of the one times the
// reaches of the other.
double sum_across(const SortedKernel& along, const SortedKernel& across) {
  double total = 0.0;
  for (std::size_t r = 0; r < kRays; ++r) {
    // Of those nearer to the reference, by their rays of `across`: sums of a b and a b up.
    std::array<double, kRays> plain{};
    std::array<double, kRays> raised{};
    std::int32_t window = 0;
    for (const std::int32_t sample : along.ray(r)) {
      const Place& b = place_of(across, sample);
      if (b.rank < 0) continue;
      const Place& a = place_of(along, sample);
      if (a.window != window) {
        for (double& sum : raised) sum *= shrunk(a.window - window);
        window = a.window;
      }
      const std::size_t own = across.ray_of(b.rank);
      double others = 0.0;
      for (std::size_t s = 0; s < kRays; ++s) others += s == own ? 0.0 : plain[s] + a.down * raised[s];
      total += b.reach * others;
      const double weight = a.reach * b.reach;
      plain[own] += weight;
      raised[own] += weight * a.up;
    }
  }
  return total;
}

// The sum over all pairs that share a ray of neither: products of four reaches.
double sum_apart(const std::array<std::array<double, kRays>, kRays>& reaches) {
  double total = 0.0;
  for (std::size_t r = 0; r < kRays; ++r) {
    for (std::size_t s = 0; s < kRays; ++s) {
      double others = 0.0;
      for (std::size_t q = 0; q < kRays; ++q) {
        for (std::size_t p = 0; p < kRays; ++p) others += q == r || p == s ? 0.0 : reaches[q][p];
      }
      total += reaches[r][s] * others;
    }
  }
  return total;
}

// --- All of them -----------------------------------------------------------------------------------------------------

// The sum of K'_ij L'_ij over all i and j.
double sum_of_products(const SortedKernel& k, const SortedKernel& l) {
  static thread_local Cells cells;
  static thread_local PairSum<Decay::kNone> straight;
  static thread_local PairSum<Decay::kNear> near;
  static thread_local PairSum<Decay::kFar> far;
  fill_cells(k, l, cells);
  const bool all_near = is_near(k) && is_near(l);
  std::array<std::array<double, kRays>, kRays> reaches{};
  double pairs = 0.0;
  double own = 0.0;
  for (std::size_t r = 0; r < kRays; ++r) {
    for (std::size_t s = 0; s < kRays; ++s) {
      const auto& [samples, ranks] = cells[r][s];
      for (const Both& sample : samples) reaches[r][s] += sample.weight[1];
      own += 4.0 * reaches[r][s];
      pairs += !k.decays ? straight.of(samples, ranks) : all_near ? near.of(samples, ranks) : far.of(samples, ranks);
    }
  }
  if (!k.decays) return own + 2.0 * pairs;
  return own + 2.0 * (pairs + sum_across(k, l) + sum_across(l, k)) + sum_apart(reaches);
}

// What centring takes from the rows of K': (HK'H)_ij = K'_ij - g_i - g_j. Zero where a sample is left out.
std::vector<double> centring(const SortedKernel& kernel) {
  const auto members = static_cast<double>(kernel.members);
  const double half_mean = 0.5 * kernel.total / members / members;
  std::vector<double> g(kernel.rows.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    g[i] = !kernel.left_out.empty() && kernel.left_out[i] != 0 ? 0.0 : kernel.rows[i] / members - half_mean;
  }
  return g;
}

// What is left out of either is left out of both.
double centred_with_gaps(const SortedKernel& k, const SortedKernel& l) {
  const std::size_t n = k.rows.size();
  std::vector<std::uint8_t> left_out(n, 0);
  double both = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    left_out[i] = (!k.left_out.empty() && k.left_out[i] != 0) || (!l.left_out.empty() && l.left_out[i] != 0) ? 1 : 0;
    both += left_out[i] != 0 ? 0.0 : 1.0;
  }
  std::vector<double> rows(n);
  std::vector<double> other_rows(n);
  row_sums(k, left_out, rows);
  row_sums(l, left_out, other_rows);
  const std::vector<double> g = centring(k);
  const std::vector<double> h = centring(l);
  double mixed = 0.0;
  double products = 0.0;
  double sum = 0.0;
  double other_sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (left_out[i] != 0) continue;
    mixed += rows[i] * h[i] + other_rows[i] * g[i];
    products += g[i] * h[i];
    sum += g[i];
    other_sum += h[i];
  }
  return sum_of_products(k, l) - 2.0 * mixed + 2.0 * both * products + 2.0 * sum * other_sum;
}

double centred(const SortedKernel& k, const SortedKernel& l) {
  if (!k.left_out.empty() || !l.left_out.empty()) return centred_with_gaps(k, l);
  const auto n = static_cast<double>(k.samples);
  const double rows = std::inner_product(k.rows.begin(), k.rows.end(), l.rows.begin(), 0.0);
  return sum_of_products(k, l) - 2.0 * rows / n + k.total / n * (l.total / n);
}

// --- Classes ---------------------------------------------------------------------------------------------------------

// 1_c' K' 1_c of every class c: sums over pairs of its samples. `codes`: of every sample its class.
class ClassSums {
 public:
  explicit ClassSums(std::size_t classes) : sums_(classes), reaches_(classes) {}

  // Of samples whose class is `classes` or more none is counted.
  std::vector<double> of(const SortedKernel& kernel, std::span<const std::uint16_t> codes) {
    std::vector<double> found(sums_.size(), 0.0);
    for (std::size_t r = 0; r < kRays; ++r) {
      std::fill(sums_.begin(), sums_.end(), Sum{});
      for (const std::int32_t sample : kernel.ray(r)) {
        const std::uint16_t c = codes[static_cast<std::size_t>(sample)];
        if (c >= sums_.size()) continue;
        const Place& place = place_of(kernel, sample);
        Sum& sum = sums_[c];
        if (place.window != sum.window) {
          sum.raised *= shrunk(place.window - sum.window);
          sum.window = place.window;
        }
        const double nearer = sum.plain + (kernel.decays ? place.down * sum.raised : sum.plain);
        found[c] += 2.0 * (place.reach + nearer);
        sum.plain += place.reach;
        sum.raised += place.reach * place.up;
      }
      for (std::size_t c = 0; c < sums_.size() && kernel.decays; ++c) {
        found[c] += 2.0 * reaches_[c] * sums_[c].plain;
        reaches_[c] += sums_[c].plain;
      }
    }
    return found;
  }

 private:
  struct Sum {
    double plain = 0.0;   // of the reaches of those nearer to the reference
    double raised = 0.0;  // of a up
    std::int32_t window = 0;
  };
  std::vector<Sum> sums_;
  std::vector<double> reaches_;  // on the rays before
};

double redundancy_with_classes(const SortedKernel& a, const Factor& classes) {
  const auto count = static_cast<std::size_t>(classes.columns);
  const std::vector<double> sums = ClassSums(count).of(a, classes.codes);
  const std::vector<double> g = centring(a);
  // Of the class, and of it without those left out: how many, and the sum of g.
  std::vector<double> there(count, 0.0);
  std::vector<double> centrings(count, 0.0);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const std::uint16_t c = classes.codes[i];
    if (c >= count || (!a.left_out.empty() && a.left_out[i] != 0)) continue;
    there[c] += 1.0;
    centrings[c] += g[i];
  }
  double between = 0.0;
  double members = 0.0;
  for (std::size_t c = 0; c < count; ++c) {
    const auto size = static_cast<double>(classes.level_counts[c]);
    between += (sums[c] - 2.0 * there[c] * centrings[c]) / size;
    members += size;
  }
  // All classes together: nothing, unless samples are missing from either side.
  if (members < static_cast<double>(a.samples) || !a.left_out.empty()) {
    std::vector<std::uint16_t> together(classes.codes.size());
    for (std::size_t i = 0; i < together.size(); ++i) together[i] = classes.codes[i] < count ? 0 : 1;
    const double all = std::accumulate(there.begin(), there.end(), 0.0);
    const double all_centrings = std::accumulate(centrings.begin(), centrings.end(), 0.0);
    between -= (ClassSums(1).of(a, together)[0] - 2.0 * all * all_centrings) / members;
  }
  return a.scale * classes.scale * std::max(between, 0.0);
}

// --- A column of numbers ---------------------------------------------------------------------------------------------

// v' HKH v. The v of samples that are left out count as zero.
double form_of_column(const SortedKernel& kernel, std::span<const double> g, const std::vector<double>& v) {
  double form = 0.0;
  double on_rays_before = 0.0;  // sums of v a
  for (std::size_t r = 0; r < kRays; ++r) {
    double plain = 0.0;   // of v a of those nearer to the reference
    double raised = 0.0;  // of v a up
    std::int32_t window = 0;
    for (const std::int32_t sample : kernel.ray(r)) {
      const Place& place = place_of(kernel, sample);
      if (place.window != window) {
        raised *= shrunk(place.window - window);
        window = place.window;
      }
      const double own = v[static_cast<std::size_t>(sample)];
      const double nearer = plain + (kernel.decays ? place.down * raised : plain);
      form += 2.0 * own * (own * place.reach + nearer);
      plain += own * place.reach;
      raised += own * place.reach * place.up;
    }
    if (!kernel.decays) continue;
    form += 2.0 * on_rays_before * plain;
    on_rays_before += plain;
  }
  double sum = 0.0;
  double centrings = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!kernel.left_out.empty() && kernel.left_out[i] != 0) continue;
    sum += v[i];
    centrings += v[i] * g[i];
  }
  return form - 2.0 * sum * centrings;
}

double redundancy_with_columns(const SortedKernel& a, const Factor& numbers) {
  const std::vector<double> g = centring(a);
  std::vector<double> column(static_cast<std::size_t>(numbers.samples));
  double forms = 0.0;
  for (std::int64_t j = 0; j < numbers.columns; ++j) {
    for (std::int64_t i = 0; i < numbers.samples; ++i) column[static_cast<std::size_t>(i)] = numbers.stored.at(i, j);
    forms += form_of_column(a, g, column);
  }
  return a.scale * numbers.scale * std::max(forms, 0.0);
}

}  // namespace

double redundancy(const SortedKernel& a, const SortedKernel& b) {
  return a.scale * b.scale * std::max(centred(a, b), 0.0);
}

double redundancy(const SortedKernel& a, const Factor& other) {
  return other.coded() ? redundancy_with_classes(a, other) : redundancy_with_columns(a, other);
}

}  // namespace land
