// Whole numbers found and read many at a time, against a loop over characters.
#include "land/formats/number_ends.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

#include "land/base/simd_target.h"

namespace land::test {
namespace {

TEST(NumberEnds, AreFoundOnEveryInstructionSet) {
  std::mt19937_64 random(1);
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    for (std::size_t size = 0; size < 400; ++size) {
      std::string text(size, '\0');
      const bool any = size % 3 == 0;
      for (char& c : text) c = any ? static_cast<char>(random()) : "0123456789 :\n./;"[random() % 16];
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < size; ++i) {
        if (text[i] < '0' || text[i] > '9') expected.push_back(static_cast<std::uint32_t>(i));
      }
      std::vector<std::uint32_t> offsets(size + 64);
      offsets.resize(find_non_digits(text, offsets));
      ASSERT_EQ(offsets, expected);
    }
  }
  use_simd_target("");
}

TEST(NumberEnds, EveryLengthIsRead) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t digits = 1 + random() % 8;
    std::string text = "z:9.8/77";  // what stands before must not matter
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const auto digit = static_cast<std::uint32_t>(random() % 10);
      text += static_cast<char>('0' + digit);
      expected = 10 * expected + digit;
    }
    const char* const end = text.data() + text.size();
    ASSERT_EQ(number_before(end, digits), expected);
    if (digits > 4) continue;
    ASSERT_EQ(small_number_before(end, digits), expected);
  }
}

TEST(NumberEnds, WindowsFollowTheReader) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + (i % 7 == 0 ? "  " : " ");
  text += std::string(3 * NumberEnds::kWindow, '1') + " 2 3";
  NumberEnds ends(text);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const char* expected = std::find_if(at, end, [](char c) { return c < '0' || c > '9'; });
    if (ends.seek(at, 1)) {
      ASSERT_EQ(ends.window() + ends.first()[0], expected);
    } else {
      ASSERT_TRUE(expected == end || expected - at >= static_cast<std::ptrdiff_t>(NumberEnds::kWindow));
    }
    at = expected == end ? end : expected + 1;
  }
}

}  // namespace
}  // namespace land::test
