#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sample_files.h"

namespace land::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ReadOptions with(const std::string& target, Rows rows = Rows::kSamples) {
  ReadOptions options;
  options.target = target;
  options.rows = rows;
  return options;
}

// 2 x 3, in the order of the file: 0 1 2 / 3 4 5.
template <class T>
std::string counting() {
  return raw(std::vector<T>{0, 1, 2, 3, 4, 5});
}

struct NumberType {
  std::string descr;
  DType dtype;
  std::string data;
};

std::vector<NumberType> number_types() {
  return {{"f4", DType::kFloat32, counting<float>()},        {"f8", DType::kFloat64, counting<double>()},
          {"i1", DType::kInt8, counting<std::int8_t>()},     {"i2", DType::kInt16, counting<std::int16_t>()},
          {"i4", DType::kInt32, counting<std::int32_t>()},   {"i8", DType::kInt64, counting<std::int64_t>()},
          {"u1", DType::kUint8, counting<std::uint8_t>()},   {"u2", DType::kUint16, counting<std::uint16_t>()},
          {"u4", DType::kUint32, counting<std::uint32_t>()}, {"u8", DType::kUint64, counting<std::uint64_t>()}};
}

TEST(Npy, EveryTypeOrderVersionAndOrientation) {
  for (const NumberType& type : number_types()) {
    for (const int version : {1, 2, 3}) {
      for (const bool big : {false, true}) {
        for (const bool fortran : {false, true}) {
          const std::string data = big ? big_endian(type.data, size_of(type.dtype)) : type.data;
          const std::string file = npy((big ? ">" : "<") + type.descr, fortran, {2, 3}, data, version);
          SCOPED_TRACE(type.descr);
          const Table table = read(file, "x.npy");
          EXPECT_EQ(table.matrix.dtype, type.dtype);
          EXPECT_EQ(table.matrix.samples, 2);
          const Table turned = read(file, "x.npy", with("", Rows::kFeatures));
          EXPECT_EQ(turned.matrix.samples, 3);
          for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 3; ++j) {
              const double expected = fortran ? i + 2 * j : 3 * i + j;
              EXPECT_EQ(table.matrix.at(i, j), expected);
              EXPECT_EQ(turned.matrix.at(j, i), expected);
            }
          }
        }
      }
    }
  }
}

TEST(Npy, SignsAndBooleans) {
  EXPECT_THAT(feature(read(npy("|i1", false, {2, 1}, "\xFF\x80"), "x.npy"), 0), ElementsAre(-1.0, -128.0));
  EXPECT_THAT(feature(read(npy("|u1", false, {2, 1}, "\xFF\x80"), "x.npy"), 0), ElementsAre(255.0, 128.0));
  EXPECT_THAT(feature(read(npy("|b1", false, {2, 1}, std::string("\0\x07", 2)), "x.npy"), 0), ElementsAre(0.0, 1.0));
}

TEST(Npy, FilesAreMappedAndNotCopied) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.npy", npy("<f8", false, {2, 3}, counting<double>()));
  const Table table = read_table(path, {}, {});
  EXPECT_TRUE(table.matrix.mapped);
  EXPECT_EQ(table.matrix.storage(), "mapped");
  EXPECT_THAT(feature(table, 2), ElementsAre(2.0, 5.0));
}

TEST(Npy, MisalignedDataAreCopied) {
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  for (int shift = 0; shift < 8; ++shift) {
    const TemporaryFolder folder;
    const std::string path = folder.write(
        "x.npy", npy_raw(header + std::string(static_cast<std::size_t>(shift), ' '), counting<double>(), 1, false));
    const Table table = read_table(path, {}, {});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.matrix.data) % 8, 0U);
    EXPECT_THAT(feature(table, 2), ElementsAre(2.0, 5.0));
  }
}

TEST(Npy, TargetIsAColumnByNumber) {
  const std::string file = npy("<f4", false, {2, 3}, counting<float>());
  Table table = read(file, "x.npy", with("1"));
  EXPECT_EQ(table.target->name, "column 1");
  EXPECT_THAT(table.target->numbers, ElementsAre(1.0, 4.0));
  EXPECT_EQ(table.matrix.skipped_column, 1);
  EXPECT_EQ(table.matrix.features(), 2);
  EXPECT_THAT(feature(table, 1), ElementsAre(2.0, 5.0));
  EXPECT_EQ(table.cell(1, 1), "x.npy: row 1, column 2 (counted from 0)");
  table = read(file, "x.npy", with("1", Rows::kFeatures));
  EXPECT_THAT(table.target->numbers, ElementsAre(3.0, 4.0, 5.0));
  EXPECT_EQ(table.cell(2, 0), "x.npy: row 0, column 2 (counted from 0)");
  EXPECT_THAT(error_of(file, "x.npy", with("3")),
              HasSubstr("--target '3': no such column; columns are numbered 0 to 2"));
  EXPECT_THAT(error_of(file, "x.npy", with("y")), HasSubstr("give a number from 0 to 2"));
  EXPECT_THAT(error_of(npy("<f4", false, {2, 1}, raw(std::vector<float>{1, 2})), "x.npy", with("0")),
              HasSubstr("no feature is left"));
  EXPECT_THAT(error_of(npy("<f4", false, {2, 2}, raw(std::vector<float>{1, 2, 3, NAN})), "x.npy", with("1")),
              HasSubstr("row 1, column 1 (counted from 0): the target has no value here"));
}

TEST(Npy, HeadersThatLie) {
  const std::string data = counting<double>();
  EXPECT_THAT(error_of(npy("<f8", false, {2, 4}, data), "x.npy"), HasSubstr("cut short"));
  EXPECT_THAT(error_of(npy("<f8", false, {2, 2}, data), "x.npy"), HasSubstr("a file of its own"));
  EXPECT_THAT(error_of(npy("<f8", false, {std::int64_t{1} << 62, 4}, data), "x.npy"),
              HasSubstr("larger than any file"));
  EXPECT_THAT(error_of(npy("<f8", false, {std::int64_t{1} << 60, 1}, data), "x.npy"),
              HasSubstr("larger than any file"));
  EXPECT_THAT(error_of(npy("<f8", false, {0, std::int64_t{1} << 60}, ""), "x.npy"), HasSubstr("empty"));
  EXPECT_THAT(error_of(npy_raw("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1), }", data),
                       "x.npy"),
              HasSubstr("malformed"));
  EXPECT_THAT(error_of(npy_raw("{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 3), }", data), "x.npy"),
              HasSubstr("malformed"));
  EXPECT_THAT(error_of(npy_raw("{'descr': '<f8', 'shape': (2, 3), }", data), "x.npy"), HasSubstr("missing"));
  EXPECT_THAT(error_of(npy_raw("hello", data), "x.npy"), HasSubstr("malformed"));
  EXPECT_THAT(error_of(npy("<f8", false, {2, 3}, data).substr(0, 40), "x.npy"), HasSubstr("truncated"));
  EXPECT_THAT(error_of("\x93NUMPY", "x.npy"), HasSubstr("ends after 6 bytes"));
  EXPECT_THAT(error_of(std::string("\x93NUMPY\x09\0\x10\0{}                  ", 30), "x.npy"),
              HasSubstr("version 9.0"));
  EXPECT_THAT(error_of("1,2\n3,4\n", "x.npy"), HasSubstr("not a NumPy file"));
}

TEST(Npy, UnsupportedTypesAreNamed) {
  const auto error = [](const std::string& descr) { return error_of(npy(descr, false, {2, 2}, ""), "x.npy"); };
  EXPECT_THAT(error("<f2"), HasSubstr("dtype float16 is not supported; convert it with x.astype('float32')"));
  EXPECT_THAT(error("<f16"), HasSubstr("dtype float128"));
  EXPECT_THAT(error("<c16"), HasSubstr("dtype complex128"));
  EXPECT_THAT(error("|O"), HasSubstr("dtype object"));
  EXPECT_THAT(error("<M8[ns]"), HasSubstr("dtype '<M8[ns]' is not supported"));
  EXPECT_THAT(error("|V8"), HasSubstr("'|V8'"));
  EXPECT_THAT(error("<U0"), HasSubstr("'<U0'"));
  EXPECT_THAT(error(""), HasSubstr("descr is empty"));
  EXPECT_THAT(error_of(npy("<U1", false, {2, 2}, utf32({U"a", U"b", U"c", U"d"}, 1)), "x.npy"), HasSubstr("strings"));
  EXPECT_THAT(error_of(npy_raw("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", ""), "x.npy"),
              HasSubstr("structured"));
}

TEST(Npy, DimensionsOtherThanTwo) {
  EXPECT_THAT(error_of(npy("<f8", false, {6}, counting<double>()), "x.npy"), HasSubstr("shape (6,); a table has two"));
  EXPECT_THAT(error_of(npy("<f8", false, {1, 2, 3}, counting<double>()), "x.npy"), HasSubstr("shape (1, 2, 3)"));
  EXPECT_THAT(error_of(npy("<f8", false, {}, raw(std::vector<double>{1})), "x.npy"), HasSubstr("shape ()"));
}

TEST(Npy, MayBeCompressed) {
  EXPECT_EQ(read(gzip(npy("<f8", false, {2, 3}, counting<double>())), "x.npy.gz").matrix.at(1, 2), 5.0);
}

TEST(Npy, HasNoIds) {
  ReadOptions options;
  options.id_column = "0";
  EXPECT_THAT(error_of(npy("<f8", false, {2, 3}, counting<double>()), "x.npy", options), HasSubstr("leave --id out"));
}

TEST(Npz, StoredAndDeflated) {
  for (const bool deflated : {false, true}) {
    const std::string file = npz({{"X.npy", npy("<f8", true, {2, 3}, counting<double>())},
                                  {"y.npy", npy("<i8", false, {2}, raw(std::vector<std::int64_t>{7, 9}))},
                                  {"z.npy", npy("<U2", false, {2}, utf32({U"ab", U"c"}, 2))},
                                  {"readme.txt", "hello"}},
                                 deflated);
    Table table = read(file, "x.npz");
    EXPECT_EQ(table.path, "x.npz");
    EXPECT_EQ(table.matrix.at(1, 2), 5.0);
    EXPECT_EQ(table.matrix.at(0, 1), 2.0);
    EXPECT_EQ(table.target->name, "y");
    EXPECT_THAT(table.target->numbers, ElementsAre(7.0, 9.0));

    table = read(file, "x.npz", with("z"));
    EXPECT_THAT(table.target->text, ElementsAre("ab", "c"));
    EXPECT_EQ(table.matrix.features(), 3);

    table = read(file, "x.npz", with("1"));
    EXPECT_THAT(table.target->numbers, ElementsAre(2.0, 3.0));
    EXPECT_EQ(table.matrix.features(), 2);

    EXPECT_THAT(error_of(file, "x.npz", with("w")), HasSubstr("no such array; the file holds 'X', 'y', 'z'"));
    ReadOptions options;
    options.matrix_array = "Q";
    EXPECT_EQ(error_of(file, "x.npz", options), "x.npz: no array 'Q'; the file holds 'X', 'y', 'z'");
    options.matrix_array = "y";
    EXPECT_THAT(error_of(file, "x.npz", options), HasSubstr("x.npz['y']: the array has shape (2,)"));
    options.matrix_array = "X";
    options.target_array = "Q";
    EXPECT_THAT(error_of(file, "x.npz", options), HasSubstr("no array 'Q'"));
    EXPECT_THAT(
        error_of(file, "x.npz", with("", Rows::kFeatures)),
        HasSubstr("the target has 2 values, x.npz has 3 samples; they must match (or is --rows samples meant?)"));
  }
}

TEST(Npz, WithoutTarget) {
  const std::string file = npz({{"X.npy", npy("<f8", false, {2, 3}, counting<double>())}}, true);
  EXPECT_FALSE(read(file, "x.npz").target.has_value());
}

TEST(Npz, ABombIsRefusedBeforeItGoesOff) {
  // A gigabyte of zeros in a megabyte whose .npy header promises six numbers.
  std::string content = npy("<f8", false, {2, 3}, counting<double>());
  content.resize(std::size_t{64} << 20);
  EXPECT_THAT(error_of(npz({{"X.npy", content}}, true), "x.npz"),
              HasSubstr("the header says 176 bytes, the archive 67108864"));
  // A header that promises an exabyte.
  const std::string lie = npy("<f8", false, {std::int64_t{1} << 40, 1 << 17}, counting<double>());
  EXPECT_THAT(error_of(npz({{"X.npy", lie}}, true), "x.npz"), HasSubstr("the archive 176"));
}

TEST(Npz, DamageIsNoticed) {
  EXPECT_THAT(error_of(npz({{"readme.txt", "hello"}}, true), "x.npz"), HasSubstr("without .npy arrays"));
  std::string file = npz({{"X.npy", npy("<f8", false, {2, 3}, counting<double>())}}, false);
  EXPECT_THAT(error_of(file.substr(0, 100), "x.npz"), HasSubstr("damaged"));
  file[file.find("NUMPY") + 140] ^= 1;  // a value: only the checksum knows
  EXPECT_THAT(error_of(file, "x.npz"), HasSubstr("damaged"));
  EXPECT_THAT(error_of(npz({{"X.npy", "hello"}}, false), "x.npz"), HasSubstr("not an .npy array"));
}

}  // namespace
}  // namespace land::test
