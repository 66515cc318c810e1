// Numbers, names and messages from text.
#include <gmock/gmock.h>

#include "land/text/nearest_names.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParseNumber, WholeCellOrNothing) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("+1.5e3"), 1500.0);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("1e-999"), 0.0);
  for (const char* text : {"", "+", "-", "1.5x", "+-1", "++1", "inf", "nan", "1e999", "-1e999", "1,5", " 1"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, Missing) {
  for (const char* text : {"", "NA", "na", "N/A", "#N/A", "NaN", "nan", "NULL", "?"})
    EXPECT_TRUE(is_missing(text)) << text;
  for (const char* text : {"none", "0", "nano", "-", "inf"}) EXPECT_FALSE(is_missing(text)) << text;
  EXPECT_TRUE(is_numeric("-inf"));
  EXPECT_FALSE(is_numeric("info"));
}

TEST(ParseNumber, Index) {
  EXPECT_EQ(parse_index("0"), 0);
  EXPECT_EQ(parse_index("17"), 17);
  for (const char* text : {"", "-1", "+1", "1.0", "x", "99999999999999999999"})
    EXPECT_EQ(parse_index(text), std::nullopt);
}

TEST(NearestNames, ByEditDistance) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("ABC", "abc"), 0U);
  const std::vector<std::string> names = {"outcome", "out", "Outcome2", "outcome", "age", "income"};
  EXPECT_THAT(nearest_names("outcom", names), ElementsAre("outcome", "Outcome2"));
  EXPECT_THAT(nearest_names("zzz", names), IsEmpty());
  EXPECT_THAT(nearest_names("x1", std::vector<std::string>{"X1", "X2", "X3", "X4"}), ElementsAre("X1", "X2", "X3"));
}

TEST(Printable, Utf8OrLatin1) {
  EXPECT_EQ(to_utf8("größe"), "größe");
  EXPECT_EQ(to_utf8("gr\xF6\xDF"), "größ");
  for (const char* bad : {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
    EXPECT_NE(to_utf8(bad), bad);
  }
}

TEST(Printable, QuotedIsOneShortLine) {
  EXPECT_EQ(in_quotes("a"), "'a'");
  EXPECT_EQ(in_quotes("a\nb\x01"), "'a\\nb\\x01'");
  EXPECT_LE(in_quotes(std::string(1'000'000, 'x')).size(), 50U);
  EXPECT_EQ(in_quotes(std::string(39, 'x') + "ö"), "'" + std::string(39, 'x') + "...'");
}

}  // namespace
}  // namespace land
