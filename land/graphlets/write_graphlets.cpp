#include "land/graphlets/write_graphlets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "land/base/worker_pool.h"
#include "land/files/atomic_file.h"
#include "land/formats/target_values.h"
#include "land/graphlets/graphlet_source.h"
#include "land/store/convert.h"

namespace land {
namespace {

// A piece of about a megabyte of text is formatted at once.
constexpr std::int64_t kEntriesPerPiece = std::int64_t{1} << 17;
constexpr std::size_t kGraphletsPerPiece = std::size_t{1} << 14;

bool is_store_name(const std::string& path) { return std::filesystem::path(path).extension() == ".h5"; }

void check_ending(const std::string& path) {
  if (is_store_name(path) || std::filesystem::path(path).extension() == ".svm") return;
  throw InputError(fmt::format("{}: the name must end in .svm or .h5, which is how the format is chosen", path));
}

std::string names_path(const std::string& path) { return path + ".names"; }

// Makes pieces of text in parallel and writes them in order: format(piece, text) for each in [0, count), and
// written(pieces) after every few. While some are formatted those before them are written.
void write_pieces(std::int64_t count, const std::function<void(std::int64_t, std::string&)>& format,
                  const std::function<void(std::int64_t)>& written, const Context& context, AtomicFile& file) {
  WorkerPool pool(context.threads);
  const std::int64_t batch = std::int64_t{4} * pool.threads();
  std::vector<std::string> fresh(static_cast<std::size_t>(batch));
  std::vector<std::string> ready(static_cast<std::size_t>(batch));
  for (std::int64_t first = 0, ready_count = 0; first < count || ready_count > 0; first += batch) {
    const std::int64_t fresh_count = std::clamp<std::int64_t>(count - first, 0, batch);
    pool.run(1 + fresh_count, [&](std::int64_t item, int) {
      context.check_stop();
      if (item == 0) {
        for (std::int64_t k = 0; k < ready_count; ++k) file.write(ready[static_cast<std::size_t>(k)]);
        return;
      }
      std::string& text = fresh[static_cast<std::size_t>(item - 1)];
      text.clear();
      format(first + item - 1, text);
    });
    written(first);
    fresh.swap(ready);
    ready_count = fresh_count;
  }
}

// Numbers below a thousand as text, to be copied.
struct ThreeDigits {
  struct Text {
    char digits[3];
    std::uint8_t size;
  };
  std::array<Text, 1000> plain;   // 7, 42, 999
  std::array<Text, 1000> padded;  // 007, 042, 999

  ThreeDigits() {
    for (unsigned number = 0; number < 1000; ++number) {
      const auto digit = [number](unsigned unit) { return static_cast<char>('0' + number / unit % 10); };
      padded[number] = {{digit(100), digit(10), digit(1)}, 3};
      plain[number].size = static_cast<std::uint8_t>(
          std::to_chars(plain[number].digits, plain[number].digits + 3, number).ptr - plain[number].digits);
    }
  }
};

const ThreeDigits& three_digits() {
  static const ThreeDigits digits;
  return digits;
}

// Copies three bytes and returns the end of the digits among them.
char* copy(const ThreeDigits::Text& number, char* at) {
  std::memcpy(at, number.digits, sizeof number.digits);
  return at + number.size;
}

void append_row(const GraphletTable& table, std::int64_t graph, std::string& text) {
  std::vector<std::uint32_t> features;
  std::vector<std::uint32_t> counts;
  table.row(graph, features, counts);
  text += table.classes[static_cast<std::size_t>(graph)];

  const ThreeDigits& digits = three_digits();
  constexpr std::size_t kMostBytes = 32;  // of an entry
  std::array<char, 8192> buffer;
  char* at = buffer.data();
  const auto flush = [&] {
    text.append(buffer.data(), at);
    at = buffer.data();
  };
  // Indices rise: what stands before their last three digits seldom changes.
  std::array<char, 8> front = {' '};
  std::size_t front_size = 1;
  std::uint32_t front_thousands = 0;
  for (std::size_t k = 0; k < features.size(); ++k) {
    if (at + kMostBytes > buffer.data() + buffer.size()) flush();
    const std::uint64_t index = features[k] + std::uint64_t{1};
    const auto thousands = static_cast<std::uint32_t>(index / 1000);
    if (thousands != front_thousands) {
      front_thousands = thousands;
      char* end = std::to_chars(front.data() + 1, front.data() + front.size(), thousands).ptr;
      front_size = static_cast<std::size_t>(end - front.data());
    }
    std::memcpy(at, front.data(), front.size());
    at = copy((thousands > 0 ? digits.padded : digits.plain)[index % 1000], at + front_size);
    *at++ = ':';
    at = counts[k] < 1000 ? copy(digits.plain[counts[k]], at) : std::to_chars(at, at + 10, counts[k]).ptr;
  }
  flush();
  text += '\n';
}

void write_rows(const GraphletTable& table, const Context& context, AtomicFile& file) {
  // Piece p is the graphs from firsts[p] up to firsts[p + 1].
  std::vector<std::int64_t> firsts;
  for (std::int64_t graph = 0; graph < table.graphs(); ++graph) {
    if (firsts.empty() ||
        table.starts[static_cast<std::size_t>(graph)] - table.starts[static_cast<std::size_t>(firsts.back())] >=
            kEntriesPerPiece) {
      firsts.push_back(graph);
    }
  }
  const auto pieces = static_cast<std::int64_t>(firsts.size());
  firsts.push_back(table.graphs());
  write_pieces(
      pieces,
      [&](std::int64_t piece, std::string& text) {
        const auto p = static_cast<std::size_t>(piece);
        for (std::int64_t graph = firsts[p]; graph < firsts[p + 1]; ++graph) append_row(table, graph, text);
      },
      [&](std::int64_t done) { context.report("writing", static_cast<double>(done), static_cast<double>(pieces)); },
      context, file);
}

void write_names(const GraphletTable& table, const Context& context, AtomicFile& file) {
  const std::size_t graphlets = table.graphlets.size();
  const auto pieces = static_cast<std::int64_t>((graphlets + kGraphletsPerPiece - 1) / kGraphletsPerPiece);
  write_pieces(
      pieces,
      [&](std::int64_t piece, std::string& text) {
        const std::size_t first = static_cast<std::size_t>(piece) * kGraphletsPerPiece;
        for (std::size_t k = first; k < std::min(first + kGraphletsPerPiece, graphlets); ++k) {
          const GraphletKey key = table.graphlets[k];
          const Rootings& rooted = rootings(key);
          for (std::size_t r = 0; r < static_cast<std::size_t>(rooted.count); ++r) {
            append_name(key, rooted.root[r], table.labels, text);
            text += '\n';
          }
        }
      },
      [](std::int64_t) {}, context, file);
}

void write_store(const GraphletTable& table, const std::string& path, const Context& context) {
  Table stored;
  stored.path = path;
  stored.encoded = std::make_shared<GraphletSource>(table);
  stored.target = target_from_text("label", table.classes, [](std::int64_t i) { return fmt::format("graph {}", i); });
  stored.feature_names.resize(static_cast<std::size_t>(table.features()));
  const auto graphlets = static_cast<std::int64_t>(table.graphlets.size());
  constexpr auto kTogether = static_cast<std::int64_t>(kGraphletsPerPiece);
  parallel_for(context, (graphlets + kTogether - 1) / kTogether, [&](std::int64_t piece, int) {
    for (std::int64_t k = piece * kTogether; k < std::min(graphlets, (piece + 1) * kTogether); ++k) {
      const auto graphlet = static_cast<std::size_t>(k);
      const GraphletKey key = table.graphlets[graphlet];
      const Rootings& rooted = rootings(key);
      for (std::size_t r = 0; r < static_cast<std::size_t>(rooted.count); ++r) {
        append_name(key, rooted.root[r], table.labels, stored.feature_names[table.rooted[graphlet].first + r]);
      }
    }
  });
  convert(stored, path, {}, context);
}

}  // namespace

std::vector<std::string> graphlets_outputs(const std::string& path) {
  check_ending(path);
  if (is_store_name(path)) return {path};
  return {path, names_path(path)};
}

std::vector<std::string> write_graphlets(const GraphletTable& table, const std::string& path, const Context& context) {
  const std::vector<std::string> files = graphlets_outputs(path);
  if (is_store_name(path)) {
    write_store(table, path, context);
    return files;
  }
  AtomicFile rows(files[0]);
  AtomicFile names(files[1]);
  write_rows(table, context, rows);
  write_names(table, context, names);
  names.commit();
  rows.commit();
  return files;
}

}  // namespace land
