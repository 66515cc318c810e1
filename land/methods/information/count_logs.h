// c ln c of every count that a table over n samples can hold, in fixed point. Sums of these are whole numbers: the same
// to the bit in any order, on any machine. ln of a product is the sum of the ln of its primes, to the last bit, so that
// tables whose informations are equal on paper have equal sums, and a tie is a tie.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace land {

// a / b, of sums. Rounded once, from whole numbers: quotients that are equal on paper are equal, too.
inline double quotient(std::int64_t a, std::int64_t b) {
  static_assert(std::numeric_limits<long double>::digits >= std::numeric_limits<std::int64_t>::digits);
  return static_cast<double>(static_cast<long double>(a) / static_cast<long double>(b));
}

class CountLogs {
 public:
  // `terms`: how many mutual informations may be added up before the sum overflows.
  CountLogs(std::int64_t samples, std::int64_t terms);

  std::int64_t operator[](std::uint32_t count) const { return all_[count]; }
  const std::int64_t* data() const { return all_.data(); }
  std::int64_t of_all() const { return all_.back(); }  // n ln n

  // A sum of c ln c as a mean over the samples, in nats.
  double nats(std::int64_t sum) const { return static_cast<double>(sum) * unit_; }
  double unit() const { return unit_; }

 private:
  std::vector<std::int64_t> all_;
  double unit_ = 0.0;
};

}  // namespace land
