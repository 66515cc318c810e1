#include "land/remote/block_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "land/base/checksum.h"
#include "land/base/error.h"
#include "land/blocks/check_feature.h"
#include "land/remote/data_set_message.h"
#include "land/store/encode_blocks.h"
#include "land/store/pack_block.h"
#include "land/store/store_headers.h"
#include "land/wire/message.h"

namespace land {
namespace {

void put_texts(const std::vector<std::string>& texts, MessageWriter& writer) {
  writer.put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) writer.put_text(text);
}

std::vector<std::string> take_texts(MessageReader& reader) {
  std::vector<std::string> texts(reader.take_count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = reader.take_text();
  return texts;
}

std::uint64_t mixed(std::uint64_t key, std::string_view text) {
  for (const char c : text) key = mix(key ^ static_cast<unsigned char>(c));
  return mix(key ^ text.size());
}

void put_target(const TargetColumn& target, MessageWriter& writer) {
  writer.put_text(target.name);
  writer.put(static_cast<std::uint8_t>(target.categorical));
  put_texts(target.text, writer);
  writer.put(static_cast<std::uint64_t>(target.numbers.size()));
  writer.put_all(std::span<const double>(target.numbers));
}

TargetColumn take_target(MessageReader& reader) {
  TargetColumn target;
  target.name = reader.take_text();
  target.categorical = reader.take_bool();
  target.text = take_texts(reader);
  target.numbers.resize(reader.take_count(sizeof(double)));
  reader.take_all(std::span(target.numbers));
  reader.require(target.text.empty() || target.numbers.empty(), "its target is both text and numbers");
  for (std::int64_t i = 0; i < target.size(); ++i) target.missing += target.is_missing(i) ? 1 : 0;
  return target;
}

// The headers of a block, field by field as in a store.
void put_headers(const FeatureBlock& block, MessageWriter& writer) {
  for_each_field([&](const char*, auto member, Presence) {
    for (const FeatureHeader& header : block.headers) {
      writer.put(static_cast<StoredField<decltype(member)>>(member(header)));
    }
  });
  for (const FeatureHeader& header : block.headers) writer.put(static_cast<std::uint8_t>(header.nominal));
}

void take_headers(FeatureId first, MessageReader& reader, FeatureBlock& block) {
  for_each_field([&](const char*, auto member, Presence) {
    for (FeatureHeader& header : block.headers) {
      using Field = std::remove_cvref_t<decltype(member(header))>;
      member(header) = static_cast<Field>(reader.take<StoredField<decltype(member)>>());
    }
  });
  for (FeatureHeader& header : block.headers) {
    header.id = first++;
    header.nominal = reader.take_bool();
    reader.require(!header.nominal || header.encoding == Encoding::kCodes, "a nominal feature is not coded");
  }
}

void check_cell(const Cell& cell) {
  const FeatureBlock& block = cell.block;
  const StoreHeaders limits(cell.data.features, cell.data.samples);
  const StoreBlock place{0, 0, static_cast<std::int64_t>(block.payload.size()), 0};
  FeatureCheck check;
  for (std::int64_t k = 0; k < block.features(); ++k) {
    const FeatureHeader& header = block.headers[static_cast<std::size_t>(k)];
    const char* fault = limits.fault(header, place);
    if (fault == nullptr && !check.holds(block.view(k))) fault = "its values are not what its header says";
    if (fault != nullptr) {
      throw InputError(fmt::format("a cell of a block table: feature {} is damaged: {}", header.id, fault));
    }
  }
}

Cell read_cell_message(std::string_view message) {
  MessageReader reader(message, MessageKind::kCell);
  Cell cell;
  cell.data = take_data_set(reader);
  const auto first = reader.take<std::int64_t>();
  const std::size_t count = reader.take_count(1);
  reader.require(first >= 0 && first <= cell.data.features &&
                     static_cast<std::int64_t>(count) <= cell.data.features - first && count > 0,
                 "its features are none of the data set");
  cell.block.samples = cell.data.samples;
  cell.block.headers.resize(count);
  take_headers(first, reader, cell.block);
  const std::string_view payload = reader.take_bytes(reader.take<std::uint64_t>());
  cell.names = take_texts(reader);
  reader.finish();
  reader.require(cell.names.empty() || cell.names.size() == count, "not every feature has a name");
  cell.block.payload.resize(payload.size());
  if (!payload.empty()) std::memcpy(cell.block.payload.data(), payload.data(), payload.size());
  check_cell(cell);
  return cell;
}

// What a damaged cell says that it holds; nothing if even that is lost.
std::string claimed_features(std::string_view message) {
  try {
    MessageReader reader = MessageReader::unchecked(message, MessageKind::kCell);
    const DataSet data = take_data_set(reader);
    const auto first = reader.take<std::int64_t>();
    const auto count = reader.take<std::int64_t>();
    if (first < 0 || count < 1 || count > data.features || first > data.features - count) return "";
    return fmt::format(" (features {} to {})", first, first + count - 1);
  } catch (const InputError&) {
    return "";
  }
}

FeatureBlock read_packed(const FeatureSource& source, std::int64_t first, std::int64_t count) {
  FeatureBlock block;
  FeatureBlock packed;
  source.read(first, count, block);
  pack_block(block, packed);
  return packed;
}

// `block`: features of `table`, by their numbers there.
Cell make_cell(const DataSet& data, const Table& table, Missing missing, FeatureBlock block) {
  Cell cell;
  cell.data = data;
  cell.block = std::move(block);
  for (const FeatureHeader& header : cell.block.headers) {
    if (header.missing > 0) table.check_missing(missing, header.missing, header.id);
  }
  if (!table.feature_names.empty() || table.names) {
    for (const FeatureHeader& header : cell.block.headers) cell.names.push_back(table.feature_name(header.id));
  }
  return cell;
}

}  // namespace

std::string to_message(const BlockTable& table) {
  MessageWriter writer(MessageKind::kTable);
  put_data_set(table.data, writer);
  writer.put(table.bytes_each);
  writer.put(table.default_missing);
  writer.put(static_cast<std::uint64_t>(table.nominal.size()));
  writer.put_all(std::span(table.nominal));
  put_texts(table.sample_ids, writer);
  writer.put(static_cast<std::uint8_t>(table.target.has_value()));
  if (table.target) put_target(*table.target, writer);
  return writer.finish();
}

BlockTable read_block_table(std::string_view message) {
  MessageReader reader(message, MessageKind::kTable);
  BlockTable table;
  table.data = take_data_set(reader);
  table.bytes_each = reader.take<std::int64_t>();
  reader.require(table.bytes_each > 0, "its features take nothing");
  table.default_missing = reader.take_enum(Missing::kDropFeature, "an unknown rule for missing values");
  table.nominal.resize(reader.take_count(sizeof(std::int64_t)));
  reader.take_all(std::span(table.nominal));
  table.sample_ids = take_texts(reader);
  if (reader.take_bool()) table.target = take_target(reader);
  reader.finish();
  reader.require(
      std::is_sorted(table.nominal.begin(), table.nominal.end()) &&
          (table.nominal.empty() || (table.nominal.front() >= 0 && table.nominal.back() < table.data.features)),
      "a nominal feature is none of the data set");
  reader.require(table.sample_ids.empty() || std::ssize(table.sample_ids) == table.data.samples,
                 "not every sample has an id");
  reader.require(!table.target || table.target->size() == table.data.samples, "not every sample has a target");
  return table;
}

std::string to_message(const Cell& cell) {
  MessageWriter writer(MessageKind::kCell);
  put_data_set(cell.data, writer);
  writer.put(cell.block.headers.front().id);
  writer.put(static_cast<std::uint64_t>(cell.block.headers.size()));
  put_headers(cell.block, writer);
  writer.put(static_cast<std::uint64_t>(cell.block.payload.size()));
  writer.put_all(std::span<const std::byte>(cell.block.payload.data(), cell.block.payload.size()));
  put_texts(cell.names, writer);
  return writer.finish();
}

Cell read_cell(std::string_view message, const std::string& where) {
  try {
    return read_cell_message(message);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}{}: {}", where, claimed_features(message), error.what()));
  }
}

std::int64_t encoded_bytes(const FeatureSource& source) {
  constexpr std::int64_t kStrips = 64;
  const std::int64_t step = std::max(source.features() / kStrips, kStripWidth);
  std::int64_t bytes = 0;
  std::int64_t features = 0;
  for (std::int64_t at = 0; at < source.features(); at += step) {
    const std::int64_t first = source.strip_start(at);
    const FeatureBlock block = read_packed(source, first, std::min(kStripWidth, source.features() - first));
    bytes += std::ssize(block.payload);
    features += block.features();
  }
  constexpr std::int64_t kHeader = 128;  // with a name
  return kHeader + bytes / features;
}

CellCutter::CellCutter(const Table& table, const ConvertOptions& options, std::int64_t bytes_each)
    : table_(table), missing_(options.missing), source_(table.source(options.missing)) {
  table.check_has_features();
  const std::int64_t largest =
      features_of_block(bytes_each > 0 ? bytes_each : bytes_of_feature(table, *source_), options);
  head_.data = {table.path, 0, source_->features(), source_->samples(), source_->has_signatures()};
  head_.bytes_each = std::max<std::int64_t>(source_->bytes_each(), 1);
  head_.default_missing = table.default_missing;
  head_.nominal = table.nominal.features;
  head_.sample_ids = table.sample_ids;
  head_.target = table.target;
  firsts_ = {0};
  while (firsts_.back() < head_.data.features) {
    const std::int64_t far = firsts_.back() + largest;
    firsts_.push_back(far >= head_.data.features ? head_.data.features
                                                 : std::max(source_->strip_start(far), firsts_.back() + 1));
  }
  // The first values, and all names of samples and of some features, tell data sets apart.
  FeatureBlock block;
  source_->read(0, std::min(firsts_[1], source_->strip_start(kStripWidth - 1) + kStripWidth), block);
  std::uint64_t id =
      mix(static_cast<std::uint64_t>(head_.data.features)) ^ static_cast<std::uint64_t>(head_.data.samples);
  for (const FeatureHeader& header : block.headers) id = mix(id ^ header.checksum);
  for (std::int64_t k = 0; k < block.features(); ++k) id = mixed(id, table.feature_name(k));
  for (const std::string& sample : table.sample_ids) id = mixed(id, sample);
  head_.data.id = id;
}

Cell CellCutter::cut(std::int64_t number) const {
  const auto at = static_cast<std::size_t>(number);
  return cell_of(read_packed(*source_, firsts_[at], firsts_[at + 1] - firsts_[at]));
}

Cell CellCutter::cell_of(FeatureBlock block) const { return make_cell(head_.data, table_, missing_, std::move(block)); }

Cell cut_part(Table part, Missing missing, const DataSet& data, FeatureId first) {
  const std::int64_t count = part.features();
  if (part.samples() != data.samples || first < 0 || first % kStripWidth != 0 || first + count > data.features) {
    throw InputError(fmt::format("{}: {} features of {} samples from feature {} on are no part of {} features of {}",
                                 part.path, count, part.samples(), first, data.features, data.samples));
  }
  part.check_has_features();
  part.feature_numbers.kept.resize(static_cast<std::size_t>(count));  // for messages
  std::iota(part.feature_numbers.kept.begin(), part.feature_numbers.kept.end(), first);
  Cell cell = make_cell(data, part, missing, read_packed(*part.source(missing), 0, count));
  for (FeatureHeader& header : cell.block.headers) header.id += first;
  return cell;
}

}  // namespace land
