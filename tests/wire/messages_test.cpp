// What crosses comes out as it went in; what was damaged, cut or forged is refused in one line.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "land/base/error.h"
#include "land/remote/block_table.h"
#include "land/remote/order.h"
#include "land/wire/block_message.h"
#include "land/wire/job_message.h"
#include "land/wire/request_messages.h"
#include "land/wire/scores_message.h"
#include "tests/support/covariates.h"
#include "tests/support/engine_tables.h"

namespace land {
namespace {

constexpr std::int64_t kSamples = test::kEngineSamples;
constexpr std::int64_t kFeatures = 1000;

// A message, and what reads it and uses all of what it found.
struct Sample {
  std::string name;
  std::string message;
  std::function<std::string(std::string_view)> read;  // gives the message of what it read
};

FeatureBlock block_of_all_encodings() {
  FeatureBlock all;
  all.clear(kSamples);
  const test::Columns columns = test::sample_columns(kSamples, 3);
  std::int64_t id = 0;
  const auto add = [&](const std::vector<double>& column, Encoding encoding) {
    all.append_feature(test::block_of(column, encoding, id++).view(0));
  };
  add(columns.at("normal"), Encoding::kFloat64);
  add(columns.at("uniform"), Encoding::kFloat32);
  add(columns.at("rounded"), Encoding::kCodes);
  add(columns.at("rare"), Encoding::kSparseCodes);
  add(columns.at("rare"), Encoding::kSparseValues);
  std::vector<double> calls;
  for (std::int64_t i = 0; i < kSamples; ++i) calls.push_back(i % 7 == 3 ? std::nan("") : static_cast<double>(i % 3));
  add(calls, Encoding::kPacked2);
  add(calls, Encoding::kCodes);
  all.headers.back().nominal = true;
  return all;
}

// Uses all values, so that a place that is not there is noticed.
double sum_of(const FeatureBlock& block) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < block.features(); ++k) {
    std::vector<double> values(static_cast<std::size_t>(block.samples));
    block.view(k).copy_values(values);
    for (const double x : values) sum += x;
  }
  return sum;
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  const auto read_one_block = [](std::string_view message) {
    const FeatureBlock block = read_block(message, kSamples);
    volatile double sum = sum_of(block);
    (void)sum;
    return to_message(block);
  };
  all.push_back({"block", to_message(block_of_all_encodings()), read_one_block});
  for (const test::EngineTable& one : test::engine_tables()) {
    FeatureBlock block;
    const auto source = one.table.source(one.missing);
    source->read(0, std::min<std::int64_t>(20, source->features()), block);
    all.push_back({"block of " + one.name, to_message(block), read_one_block});
  }
  const auto read_one_job = [](std::string_view message) {
    const ScoreJob job = read_job(message);
    if (job.samples() <= 10 * kSamples && job.kernel.basis.size() < 100) with_scorer(job);
    return to_message(job);
  };
  ScoreJob job;
  job.against = std::make_shared<Target>(test::engine_classes());
  job.last = 160;
  all.push_back({"job for classes", to_message(job), read_one_job});
  job.against = std::make_shared<Target>(test::class_target({0, 1, 0, 1, 1}, 2));
  job.subset = std::make_shared<const SampleNumbers>(SampleNumbers{0, 3, 4, 5, 69});
  all.push_back({"job for some samples", to_message(job), read_one_job});
  job.subset = nullptr;
  job.against = std::make_shared<Target>(test::engine_numbers());
  job.first = 32;
  job.refine = true;
  job.wanted = 10;
  job.kernel.sigma = {0.7};
  job.kernel.measure = Measure::kHsic;
  job.kernel.factor = FactorKind::kNystrom;
  job.kernel.basis = {-1.0, 0.0, 1.5};
  job.kernel.missing = Missing::kIgnore;
  all.push_back({"job for numbers", to_message(job), read_one_job});
  job.against = std::make_shared<Target>(test::engine_survival());
  job.kernel = {};
  all.push_back({"job for survival", to_message(job), read_one_job});
  job.against = std::make_shared<Target>(test::engine_numbers());
  job.kernel.family = KernelFamily::kDistance;
  job.kernel.transform = Transform::kRank;
  all.push_back({"job for distances", to_message(job), read_one_job});
  job.kernel = {};
  job.kernel.sigma = kMixedWidths;
  job.kernel.missing = Missing::kLevel;
  job.bounds_only = true;
  const FeatureBlock features = block_of_all_encodings();
  for (const std::int64_t k : {0, 2, 4, 5}) {
    job.against = std::make_shared<FeatureBlock>(features.extract(k));
    all.push_back({"job for feature " + std::to_string(k), to_message(job), read_one_job});
  }
  Factor left = stored_by_sample(Kernels(job.kernel).factor(test::engine_numbers()));
  left.residual = 1e-7;
  job.against = std::make_shared<const Factor>(std::move(left));
  all.push_back({"job for a factor", to_message(job), read_one_job});
  job.against = std::make_shared<Target>(test::engine_classes());
  job.bounds_only = false;
  job.kernel = {};
  job.kernel.adjustment = test::adjustment_of({test::nominal_covariate("batch", test::sample_labels(kSamples, 3, 1)),
                                               test::nominal_covariate("sex", test::sample_labels(kSamples, 2, 2))});
  all.push_back({"job beside batches", to_message(job), read_one_job});
  job.kernel.measure = Measure::kHsic;
  job.kernel.adjustment =
      test::adjustment_of({test::numeric_covariate("age", test::sample_columns(kSamples, 3).at("normal"))});
  all.push_back({"job beside ages", to_message(job), read_one_job});
  const auto read_one_part = [](std::string_view message) { return to_message(read_scores_message(message)); };
  Scores scores;
  scores.first = 48;
  scores.resize(21);
  for (std::size_t k = 0; k < 21; ++k) {
    scores.set(k, k == 4 ? Score{} : k == 6 ? Score{kExplained} : Score{0.01 * static_cast<double>(k), 1.0, 1e-3});
    scores.checksums[k] = static_cast<std::uint32_t>(k) * 77777U;
    scores.signatures.push_back(k * 0x9E3779B97F4A7C15U);
  }
  scores.missing = 5;
  scores.first_missing = 50;
  all.push_back({"scores with signatures", to_message(scores), read_one_part});
  scores.signatures.clear();
  scores.copy_keys.assign(21, 9);
  all.push_back({"scores with keys", to_message(scores), read_one_part});
  scores.copy_keys.clear();
  scores.checksums.clear();
  all.push_back({"scores, bounds only", to_message(scores), read_one_part});
  all.push_back({"ids", to_message(std::vector<FeatureId>{0, 5, 999}),
                 [](std::string_view message) { return to_message(read_ids(message, kFeatures)); }});
  for (const test::EngineTable& one : test::engine_tables()) {
    ConvertOptions options;
    options.missing = one.missing;
    options.block_bytes = 1 << 14;
    const CellCutter cutter(one.table, options);
    Cell cell = cutter.cut(0);
    cell.names.assign(cell.block.headers.size(), "a name");
    all.push_back({"cell of " + one.name, to_message(cell), [](std::string_view message) {
                     const Cell read = read_cell(message, "here");
                     volatile double sum = sum_of(read.block);
                     (void)sum;
                     return to_message(read);
                   }});
  }
  const DataSet data{"data.npy", 77, kFeatures, kSamples, true};
  const auto read_table = [](std::string_view message) { return to_message(read_block_table(message)); };
  BlockTable table{data, 280, Missing::kIgnore, {2, 5}, {}, {}};
  all.push_back({"block table", to_message(table), read_table});
  table.target = TargetColumn{"grade", {}, std::vector<double>(kSamples, 1.5)};
  all.push_back({"block table with numbers", to_message(table), read_table});
  table.target = TargetColumn{"grade", std::vector<std::string>(kSamples, "high"), {}};
  all.push_back({"block table with classes", to_message(table), read_table});
  job = {};
  job.against = std::make_shared<Target>(test::engine_classes());
  job.last = 160;
  ScoreJob of_some = job;
  of_some.against = std::make_shared<Target>(test::class_target({0, 1, 0, 1, 1}, 2));
  of_some.subset = std::make_shared<const SampleNumbers>(SampleNumbers{0, 3, 4, 5, 69});
  all.push_back({"order", to_message(Order{data, {job, of_some}, 40}),
                 [](std::string_view message) { return to_message(read_order(message)); }});
  all.push_back({"answer", to_message(Answer{123, "data.npy", "y", {scores, scores}}),
                 [](std::string_view message) { return to_message(read_answer(message)); }});
  const PermutationJob permutations{.target = std::make_shared<const Target>(test::engine_classes()),
                                    .seed = 7,
                                    .asked = 20,
                                    .begin = 3,
                                    .end = 21,
                                    .floor = 0.25,
                                    .last = 160};
  all.push_back({"permutations", to_message(permutations),
                 [](std::string_view message) { return to_message(read_permutation_job(message)); }});
  const PermutedPart part{16, 32, {3, {0.5, 0.75}, {{0.5, 3, 17}, {0.25, 4, 31}}, 9}};
  all.push_back({"permuted relevances", to_message(part),
                 [](std::string_view message) { return to_message(read_permuted_part(message)); }});
  all.push_back({"order of permutations", to_message(Order{data, {}, 0, permutations}),
                 [](std::string_view message) { return to_message(read_order(message)); }});
  all.push_back({"answer of permutations", to_message(Answer{123, "data.npy", "y", {}, part}),
                 [](std::string_view message) { return to_message(read_answer(message)); }});
  all.push_back({"features", to_message(Features{data, block_of_all_encodings(), {}}), [](std::string_view message) {
                   const Features read = read_features(message);
                   volatile double sum = sum_of(read.block);
                   (void)sum;
                   return to_message(read);
                 }});
  all.push_back({"shape", to_message(Shape{kFeatures, kSamples, 280, 1 << 20}),
                 [](std::string_view message) { return to_message(read_shape(message)); }});
  return all;
}

void sign(std::string& message) {
  const std::uint64_t length = message.size();
  std::memcpy(message.data() + 16, &length, sizeof(length));
  const std::uint64_t checksum = XXH3_64bits(message.data(), message.size() - sizeof(checksum));
  std::memcpy(message.data() + message.size() - sizeof(checksum), &checksum, sizeof(checksum));
}

// Refused, in one line that says what was to be read.
void expect_refused(const Sample& sample, const std::string& message) {
  // From memory of just that size: a sanitizer sees what is read behind it.
  const std::vector<char> exact(message.begin(), message.end());
  try {
    sample.read({exact.data(), exact.size()});
    FAIL() << sample.name << ": accepted";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_GT(text.size(), 10U);
  }
}

TEST(Messages, ComeOutAsTheyWentIn) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(sample.read(sample.message), sample.message);
  }
}

TEST(Messages, KeepEveryValueOfABlock) {
  const FeatureBlock block = block_of_all_encodings();
  const FeatureBlock read = read_block(to_message(block), kSamples);
  ASSERT_EQ(read.features(), block.features());
  for (std::int64_t k = 0; k < block.features(); ++k) {
    const FeatureView a = block.view(k);
    const FeatureView b = read.view(k);
    EXPECT_EQ(b.header->encoding, a.header->encoding);
    EXPECT_EQ(b.header->id, a.header->id);
    EXPECT_EQ(b.header->nominal, a.header->nominal);
    EXPECT_EQ(b.header->missing, a.header->missing);
    for (std::int64_t i = 0; i < kSamples; ++i) {
      EXPECT_TRUE(a.value(i) == b.value(i) || (std::isnan(a.value(i)) && std::isnan(b.value(i))));
    }
  }
}

TEST(Messages, AreRefusedCutAtEveryLength) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    for (std::size_t size = 0; size < sample.message.size(); size += size < 400 ? 1 : 37) {
      expect_refused(sample, sample.message.substr(0, size));
    }
    expect_refused(sample, sample.message + '\0');
  }
}

TEST(Messages, AreRefusedWithAnyByteChanged) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const std::size_t step = 1 + sample.message.size() / 3000;
    for (std::size_t at = 0; at < sample.message.size(); at += at < 400 ? 1 : step) {
      for (const int bits : {1, 0x80, 0xFF}) {
        std::string damaged = sample.message;
        damaged[at] = static_cast<char>(damaged[at] ^ bits);
        expect_refused(sample, damaged);
      }
    }
  }
}

TEST(Messages, AreRefusedInPlaceOfAnother) {
  const std::vector<Sample> all = samples();
  for (const Sample& sample : all) {
    for (const Sample& other : all) {
      if (sample.name.substr(0, 3) != other.name.substr(0, 3)) expect_refused(sample, other.message);
    }
  }
}

// With a checksum that is right: the lengths and values themselves are looked at.
TEST(Messages, AreRefusedOrUsableIfForged) {
  const char* given = std::getenv("LAND_MUTATIONS");
  const int mutations = given != nullptr ? std::stoi(given) / 10 : 2000;
  std::mt19937_64 random(5);
  constexpr std::size_t kBody = 24;
  const std::vector<std::uint64_t> extremes = {
      0,           1,           255,           256,           257,
      0xFFFF,      0x7FFFFFFF,  0x80000000,    0xFFFFFFFF,    1ULL << 32U,
      1ULL << 40U, 1ULL << 60U, 1ULL << 61U,   1ULL << 62U,   (1ULL << 63U) - 1,
      1ULL << 63U, ~0ULL,       ~0ULL / 8 + 1, ~0ULL / 43 + 1};
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    int accepted = 0;
    for (int m = 0; m < mutations; ++m) {
      std::string forged = sample.message;
      for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
        // Most of what is believed stands near the front.
        const std::size_t most = forged.size() - sizeof(std::uint64_t) - kBody;
        if (most == 0) break;
        const std::size_t at = kBody + random() % (random() % 2 == 0 ? std::min<std::size_t>(most, 160) : most);
        switch (random() % 4) {
          case 0:
            forged[at] = static_cast<char>(random());
            break;
          case 1: {
            const std::uint64_t word = extremes[random() % extremes.size()];
            const std::size_t bytes = std::min<std::size_t>(sizeof(word), forged.size() - sizeof(word) - at);
            std::memcpy(forged.data() + at, &word, bytes);
            break;
          }
          case 2:
            forged.erase(at, 1 + random() % std::min<std::size_t>(9, forged.size() - sizeof(std::uint64_t) - at));
            break;
          default:
            forged.insert(at, 1 + random() % 9, static_cast<char>(random()));
            break;
        }
      }
      sign(forged);
      try {
        sample.read(forged);
        ++accepted;
      } catch (const InputError&) {
      }
    }
    EXPECT_LT(accepted, mutations) << "nothing was refused";
  }
}

TEST(Messages, NameWhatIsWrong) {
  const auto complaint = [](const std::function<void()>& act) {
    try {
      act();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string block = to_message(block_of_all_encodings());
  EXPECT_EQ(complaint([&] { read_block(block, 71); }),
            "a block of features: of 70 samples, and those of the table are 71");
  EXPECT_EQ(complaint([&] { read_block(block.substr(0, 40), kSamples); }),
            "a block of features: cut short, 40 bytes of " + std::to_string(block.size()) + "; send it again");
  EXPECT_EQ(complaint([&] { read_scores_message(block); }), "scores: a block of features came instead");
  EXPECT_EQ(complaint([&] { read_ids(to_message(std::vector<FeatureId>{7}), 7); }),
            "a list of features: not what land sends: there is no feature of this number");
  // Covariates whose columns are not orthonormal, or of other samples.
  ScoreJob adjusted;
  adjusted.against = std::make_shared<Target>(test::engine_classes());
  adjusted.last = 16;
  Adjustment forged = *test::adjustment_of({test::nominal_covariate("batch", test::sample_labels(kSamples, 3, 1))});
  auto basis = std::make_shared<DenseColumns>(*forged.basis);
  basis->at(5, 1) += 1e-6;
  forged.basis = basis;
  adjusted.kernel.adjustment = std::make_shared<Adjustment>(forged);
  EXPECT_EQ(complaint([&] { read_job(to_message(adjusted)); }),
            "a job: not what land sends: the columns of covariates are not orthonormal");
  adjusted.kernel.adjustment =
      test::adjustment_of({test::nominal_covariate("batch", test::sample_labels(kSamples + 1, 3, 1))});
  EXPECT_EQ(complaint([&] { read_job(to_message(adjusted)); }),
            "a job: not what land sends: covariates are not those of the target's samples");
  // Another version of the program computes other scores.
  ScoreJob job;
  job.against = std::make_shared<Target>(test::engine_classes());
  job.last = 16;
  std::string message = to_message(job);
  message[32] = '9';
  sign(message);
  EXPECT_NE(complaint([&] { read_job(message); }).find("a job: made by land 9"), std::string::npos);
}

}  // namespace
}  // namespace land
