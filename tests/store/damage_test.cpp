// Stores that are cut, damaged or made up: a clean refusal or the right answer, nothing else.
#include <gmock/gmock.h>
#include <xxhash.h>

#include <cstring>
#include <random>
#include <string>

#include "land/blocks/sparse_source.h"
#include "land/commands/select.h"
#include "land/data/target.h"
#include "land/store/store_writer.h"
#include "tests/cli/run_program.h"
#include "tests/formats/sample_files.h"
#include "tests/store/stored.h"
#include "tests/support/commands.h"
#include "tests/support/samples.h"

namespace land::test {
namespace {

using test::local::select;

using testing::HasSubstr;

constexpr int kSamples = 40;

// All encodings, names, ids and a target of text; strips among them.
std::string small_store() {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  auto values = std::make_shared<std::vector<float>>();
  for (int i = 0; i < kSamples * 20; ++i) {
    values->push_back(static_cast<float>(i % 20 == 7 ? i % 3 : normal(random)));
  }
  Table table;
  table.matrix = {
      reinterpret_cast<const std::byte*>(values->data()), DType::kFloat32, kSamples, 20, 20, 1, -1, values, false};
  FeatureBlock strips;
  table.source(Missing::kError)->read(0, 20, strips);
  StoreWriter writer(folder / "x.h5", kSamples, 0);
  writer.append(strips);
  std::vector<double> column(kSamples);
  std::vector<double> rare(kSamples, 0.0);
  for (std::size_t i = 0; i < kSamples; ++i) {
    column[i] = static_cast<double>(i % 3);
    if (i % 7 == 2) rare[i] = static_cast<double>(i % 4) + 1.0;
  }
  std::int64_t id = 20;
  for (const Encoding encoding : {Encoding::kFloat32, Encoding::kFloat64, Encoding::kCodes, Encoding::kPacked2}) {
    writer.append(block_of(column, encoding, id++));
  }
  for (const Encoding encoding : {Encoding::kSparseCodes, Encoding::kSparseValues}) {
    writer.append(block_of(rare, encoding, id++));
  }
  std::vector<std::string> names;
  for (int k = 0; k < id; ++k) names.push_back("gene" + std::to_string(k));
  std::vector<std::string> ids;
  TargetColumn target{"y", {}, {}};
  for (int i = 0; i < kSamples; ++i) {
    ids.push_back("s" + std::to_string(i));
    target.text.emplace_back(i % 2 == 0 ? "a" : "b");
  }
  writer.commit({names, ids, &target, Missing::kError});
  return read_text(folder / "x.h5");
}

// Everything a selection gives; throws InputError as that does.
std::string outcome(const Table& table) {
  if (!table.target) throw InputError("no target");
  SelectOptions options;
  options.features = 5;
  const Result result = select(table, make_target(*table.target, Task::kAuto), options, {});
  std::string text = result.data.fingerprint;
  for (const SelectedFeature& feature : result.selected) {
    text += " " + feature.name + " " + std::to_string(feature.relevance) + " " + std::to_string(*feature.coefficient);
  }
  return text;
}

TEST(DamagedStore, NoFlippedByteGoesUnnoticed) {
  const std::string good = small_store();
  const std::string expected = outcome(read(good, "x.h5"));
  std::mt19937_64 random(4);
  // The index byte by byte, the rest (zeros for the most part) at random.
  std::vector<std::size_t> places;
  for (std::size_t at = good.size() - 1400; at < good.size(); ++at) places.push_back(at);
  for (int i = 0; i < 1000; ++i) places.push_back(random() % good.size());
  for (std::size_t at = 0; at < good.size(); ++at) {
    if (good[at] != 0 && random() % 12 == 0) places.push_back(at);
  }
  int refused = 0;
  for (const std::size_t at : places) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1U << (random() % 8)));
    const std::string message = refusal([&] { EXPECT_EQ(outcome(read(bad, "x.h5")), expected) << at; });
    refused += message.empty() ? 0 : 1;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_GT(refused, 1400);
}

TEST(DamagedStore, CutFilesAreRefused) {
  const std::string good = small_store();
  for (std::size_t size = 1; size < good.size(); size += size < 300 || size + 3000 > good.size() ? 1 : 997) {
    EXPECT_NE(refusal([&] { read(good.substr(0, size), "x.h5"); }), "") << size;
  }
  EXPECT_THAT(refusal([&] { read(good.substr(0, good.size() - 1), "x.h5"); }),
              HasSubstr("x.h5: a store that is cut short or was changed by another program"));
  EXPECT_THAT(refusal([&] { read(good + "x", "x.h5"); }), HasSubstr("was changed"));
}

TEST(DamagedStore, SaysWhichBlock) {
  const std::string good = small_store();
  const Table table = read(good, "x.h5");
  FeatureBlock block;
  table.encoded->read(22, 1, block);
  const std::size_t at = static_cast<std::size_t>(block.headers[0].offset);
  std::string bad = good;
  bad[at] = static_cast<char>(bad[at] ^ 1);
  const Table damaged = read(bad, "x.h5");
  damaged.encoded->read(0, 22, block);
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(
        refusal([&] { damaged.encoded->read(20, 3, block); }),
        testing::MatchesRegex("x.h5: block 3 \\(features 22 to 22\\) is damaged: its checksum is [0-9a-f]+, not "
                              "[0-9a-f]+; convert the data again"));
  }
}

// A store whose checksums are all right, whatever else is in it.
class Forger {
 public:
  explicit Forger(std::string file) : file_(std::move(file)) {
    std::memcpy(&footer_, file_.data() + file_.size() - sizeof(StoreFooter), sizeof(footer_));
    entries_.resize(static_cast<std::size_t>(footer_.entries));
    std::memcpy(entries_.data(), index(), entries_.size() * sizeof(StoreEntry));
    places_ = entries_;
  }
  StoreFooter& footer() { return footer_; }
  std::vector<StoreEntry>& entries() { return entries_; }
  char* data(const std::string& name) {
    for (const StoreEntry& place : places_) {
      if (name == std::string_view(place.name, strnlen(place.name, sizeof(place.name)))) {
        return file_.data() + place.offset;
      }
    }
    throw std::logic_error(name);
  }
  char* payload() { return file_.data(); }
  template <class T>
  T get(const std::string& name, std::size_t at) {
    T value{};
    std::memcpy(&value, data(name) + at * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  void set(const std::string& name, std::size_t at, T value) {
    std::memcpy(data(name) + at * sizeof(T), &value, sizeof(T));
  }
  std::string sealed() {
    const auto size = static_cast<std::int64_t>(file_.size());
    const auto within = [size](std::int64_t offset, std::int64_t bytes) {
      return offset >= 0 && bytes >= 0 && offset <= size && bytes <= size - offset;
    };
    for (std::int64_t b = 0; b < 7; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const auto offset = get<std::int64_t>("block/offset", at);
      const auto bytes = get<std::int64_t>("block/bytes", at);
      if (within(offset, bytes)) {
        set<std::uint64_t>("block/checksum", at, XXH3_64bits(file_.data() + offset, static_cast<std::size_t>(bytes)));
      }
    }
    for (StoreEntry& entry : entries_) {
      if (!within(entry.offset, entry.bytes)) continue;
      entry.checksum = XXH3_64bits(file_.data() + entry.offset, static_cast<std::size_t>(entry.bytes));
    }
    std::string sealed = file_;
    char* at = sealed.data() + (index() - file_.data());
    std::memcpy(at, entries_.data(), entries_.size() * sizeof(StoreEntry));
    char* end = at + entries_.size() * sizeof(StoreEntry);
    std::memcpy(end, &footer_, sizeof(footer_));
    footer_.checksum = XXH3_64bits(at, entries_.size() * sizeof(StoreEntry) + offsetof(StoreFooter, checksum));
    std::memcpy(end, &footer_, sizeof(footer_));
    return sealed;
  }

 private:
  char* index() { return file_.data() + file_.size() - sizeof(StoreFooter) - entries_.size() * sizeof(StoreEntry); }
  std::string file_;
  StoreFooter footer_{};
  std::vector<StoreEntry> entries_;
  std::vector<StoreEntry> places_;  // as they were
};

TEST(DamagedStore, ForgedFilesDoNoHarm) {
  const std::string good = small_store();
  EXPECT_EQ(outcome(read(Forger(good).sealed(), "x.h5")), outcome(read(good, "x.h5")));
  std::mt19937_64 random(6);
  const auto odd = [&random]() -> std::int64_t {
    const std::int64_t numbers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    5,
                                    16,
                                    40,
                                    64,
                                    255,
                                    256,
                                    257,
                                    4096,
                                    65536,
                                    std::int64_t{1} << 31U,
                                    std::int64_t{1} << 40U,
                                    std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::min()};
    return random() % 3 == 0 ? static_cast<std::int64_t>(random()) : numbers[random() % std::size(numbers)];
  };
  // For a longer hunt: LAND_MUTATIONS=1000000.
  const char* asked = std::getenv("LAND_MUTATIONS");
  const int rounds = asked == nullptr ? 4000 : std::stoi(asked);
  int taken = 0;
  for (int round = 0; round < rounds; ++round) {
    Forger forger(good);
    switch (random() % 8) {
      case 0: {
        std::int64_t* numbers = &forger.footer().version;
        numbers[random() % 7] = odd();
        break;
      }
      case 1: {
        StoreEntry& entry = forger.entries()[random() % forger.entries().size()];
        if (random() % 3 == 0) {
          // Some may be absent, or another one's numbers stand under their name.
          const char* names[] = {"features/missing", "features/signature", "features/levels", "features/minimum", "x"};
          std::memset(entry.name, 0, sizeof(entry.name));
          std::strncpy(entry.name, names[random() % 5], sizeof(entry.name) - 1);
        } else {
          (random() % 2 == 0 ? entry.offset : entry.bytes) = odd();
        }
        break;
      }
      case 2: {
        // Payloads: codes, rows, levels, values.
        const auto block = static_cast<std::size_t>(random() % 7);
        char* payload = forger.payload() + forger.get<std::int64_t>("block/offset", block);
        const auto bytes = static_cast<std::uint64_t>(forger.get<std::int64_t>("block/bytes", block));
        for (std::uint64_t n = 1 + random() % 8; n > 0; --n) payload[random() % bytes] = static_cast<char>(random());
        break;
      }
      case 3: {
        const char* kinds[] = {"block/first", "block/offset", "block/bytes"};
        forger.set<std::int64_t>(kinds[random() % 3], random() % 7, odd());
        break;
      }
      default: {
        const std::size_t k = random() % 26;
        const char* wide[] = {"features/offset", "features/levels_offset", "features/stored", "features/entries_offset",
                              "features/block"};
        const char* narrow[] = {"features/stride", "features/levels"};
        const char* bytes[] = {"features/encoding", "features/constant"};
        const char* reals[] = {"features/minimum", "features/maximum", "features/deviation",
                               "features/deviation_error"};
        const double numbers[] = {0.0, -1.0, 1e300, 1e-300, std::nan(""), HUGE_VAL, 1.0};
        switch (random() % 4) {
          case 0:
            forger.set<std::int64_t>(wide[random() % 5], k, odd());
            break;
          case 1:
            forger.set<std::int32_t>(narrow[random() % 2], k, static_cast<std::int32_t>(odd()));
            break;
          case 2:
            forger.set<std::uint8_t>(bytes[random() % 2], k, static_cast<std::uint8_t>(random() % 7));
            break;
          default:
            forger.set<double>(reals[random() % 4], k, numbers[random() % 7]);
        }
      }
    }
    const std::string file = forger.sealed();
    const std::string message = refusal([&] { outcome(read(file, "x.h5")); });
    taken += message.empty() ? 1 : 0;
  }
  EXPECT_GT(taken, 100);
}

TEST(DamagedStore, OtherHdf5FilesAreNotRead) {
  const std::string message = refusal([] { read("\x89HDF\r\n\x1a\n" + std::string(500, '\0'), "x.h5"); });
  EXPECT_THAT(message, HasSubstr("an HDF5 file, which is not read here"));
}

}  // namespace
}  // namespace land::test
