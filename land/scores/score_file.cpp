#include "land/scores/score_file.h"

#include <fmt/format.h>

#include <zlib.h>
#include <cmath>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/files/atomic_file.h"
#include "land/files/mapped_file.h"
#include "land/text/printable.h"

namespace land {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "LANDSCOR";
constexpr int kFormat = 2;

std::uint32_t crc_of(std::string_view bytes) {
  uLong crc = crc32(0, nullptr, 0);
  constexpr std::size_t kPiece = std::size_t{1} << 30U;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const std::string_view piece = bytes.substr(at, kPiece);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
  }
  return static_cast<std::uint32_t>(crc);
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Takes values off the front.
class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size())
      throw InputError(fmt::format("{}: the file is cut short; make it again with {}", path_, command("score")));
    const std::string_view front = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return front;
  }
  template <class T>
  T value() {
    T result;
    std::memcpy(&result, take(sizeof(T)).data(), sizeof(T));
    return result;
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& path_;
};

constexpr std::size_t kBytesEach = sizeof(double) + 2 * sizeof(float) + sizeof(std::uint64_t) + sizeof(std::uint32_t);

}  // namespace

std::string to_bytes(const ScoredPart& part) {
  const Scores& scores = part.scores;
  const Json header = {{"format", kFormat},
                       {"version", part.version},
                       {"settings", part.settings},
                       {"target", part.target},
                       {"target_key", part.target_key},
                       {"features", part.features},
                       {"samples", part.samples},
                       {"first", scores.first},
                       {"count", scores.size()},
                       {"refined", part.refined},
                       {"signatures", !scores.signatures.empty()},
                       {"missing", scores.missing},
                       {"first_missing", scores.first_missing}};
  const std::string words = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string bytes(kMagic);
  append(bytes, static_cast<std::uint64_t>(words.size()));
  bytes += words;
  bytes.reserve(bytes.size() + kBytesEach * scores.relevance.size() + sizeof(std::uint32_t));
  for (const double relevance : scores.relevance) append(bytes, relevance);
  for (const float error : scores.error) append(bytes, error);
  for (const float norm : scores.norm) append(bytes, norm);
  for (const std::uint64_t signature : scores.signatures) append(bytes, signature);
  for (const std::uint32_t checksum : scores.checksums) append(bytes, checksum);
  append(bytes, crc_of(bytes));
  return bytes;
}

void write_scores(const ScoredPart& part, const std::string& path) { write_atomically(path, to_bytes(part)); }

ScoredPart read_scores(const std::string& path, const Context& context) {
  const Bytes file = open_bytes(path, context);
  const std::string bytes(reinterpret_cast<const char*>(file.view.data()), file.view.size());
  if (!bytes.starts_with(kMagic)) {
    throw InputError(fmt::format("{}: not a file of scores; make one with {}", path, command("score")));
  }
  if (bytes.size() < kMagic.size() + sizeof(std::uint32_t)) Cursor("", path).take(1);
  const std::string_view all = bytes;
  const std::string_view checked = all.substr(0, all.size() - sizeof(std::uint32_t));
  if (Cursor(all.substr(checked.size()), path).value<std::uint32_t>() != crc_of(checked)) {
    throw InputError(
        fmt::format("{}: the file is damaged or cut short: its checksum does not match; make it again "
                    "with {}",
                    path, command("score")));
  }
  Cursor cursor(checked.substr(kMagic.size()), path);
  const Json header = Json::parse(cursor.take(cursor.value<std::uint64_t>()), nullptr, false);
  ScoredPart part;
  part.path = path;
  std::uint64_t count = 0;
  bool signatures = false;
  try {
    if (header.at("format") != kFormat) {
      throw InputError(
          fmt::format("{}: its layout is that of another version; make it again with {}", path, command("score")));
    }
    part.version = header.at("version");
    part.settings = header.at("settings");
    part.target = header.at("target");
    part.target_key = header.at("target_key");
    part.features = header.at("features");
    part.samples = header.at("samples");
    part.scores.first = header.at("first");
    count = header.at("count");
    part.refined = header.at("refined");
    signatures = header.at("signatures");
    part.scores.missing = header.at("missing");
    part.scores.first_missing = header.at("first_missing");
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: its header is damaged; make it again with {}", path, command("score")));
  }
  const std::size_t each = kBytesEach - (signatures ? 0 : sizeof(std::uint64_t));
  if (count > cursor.left() / each || count * each != cursor.left() || part.scores.first < 0 ||
      part.scores.first > part.features - static_cast<std::int64_t>(count)) {
    throw InputError(fmt::format("{}: its header is damaged; make it again with {}", path, command("score")));
  }
  part.scores.resize(static_cast<std::int64_t>(count));
  for (double& relevance : part.scores.relevance) relevance = cursor.value<double>();
  for (float& error : part.scores.error) error = cursor.value<float>();
  for (float& norm : part.scores.norm) norm = cursor.value<float>();
  if (signatures) part.scores.signatures.resize(count);
  for (std::uint64_t& signature : part.scores.signatures) signature = cursor.value<std::uint64_t>();
  for (std::uint32_t& checksum : part.scores.checksums) checksum = cursor.value<std::uint32_t>();
  return part;
}

std::string to_tsv(const ScoredPart& part, const Table& table, const FeatureChance* chance) {
  std::string text = "index\tname\trelevance\terror\tconstant";
  text += chance != nullptr ? "\tp_fwer\texpected_by_chance\tq\n" : "\n";
  const auto cell = [](double value) { return std::isnan(value) ? std::string("\t") : fmt::format("\t{}", value); };
  for (std::int64_t k = 0; k < part.scores.size(); ++k) {
    const double relevance = part.scores.relevance[static_cast<std::size_t>(k)];
    const FeatureId id = part.scores.first + k;
    const std::string name = escaped(table.feature_name(id));
    if (relevance < 0.0) {
      text += fmt::format("{}\t{}\t\t\t{}", table.feature_numbers[id], name, relevance == kConstant ? 1 : 0);
    } else {
      text += fmt::format("{}\t{}\t{}\t{}\t0", table.feature_numbers[id], name, relevance,
                          part.scores.error[static_cast<std::size_t>(k)]);
    }
    if (chance != nullptr) {
      const auto at = static_cast<std::size_t>(k);
      text += cell(chance->p_fwer[at]) + cell(chance->expected[at]) + cell(chance->q[at]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace land
