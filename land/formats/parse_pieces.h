// Pieces of sparse text, parsed in parallel: as 16-bit counts as long as every value is one, in float32 as long as that
// holds every value exactly, in double after that.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "land/formats/compress_columns.h"
#include "land/formats/text_chunks.h"

namespace land {

// A Parser<Value> is made of the source, a piece's text and a worker's Parser<Value>::Room; parse(piece) is false if
// Value is too narrow.
template <template <class> class Parser, class Piece, class Source>
std::vector<Piece> parse_pieces(const Source& source, std::span<const std::string_view> texts, const Context& context) {
  std::vector<Piece> pieces(texts.size());
  const auto workers = static_cast<std::size_t>(std::max(context.threads, 1));
  std::vector<typename Parser<std::uint16_t>::Room> room16(workers);
  std::vector<typename Parser<float>::Room> room32(workers);
  std::vector<typename Parser<double>::Room> room64(workers);
  std::atomic<int> width{16};  // that is worth a try
  read_pieces(texts, context, [&](std::int64_t p, int w) {
    const auto at = static_cast<std::size_t>(p);
    const auto worker = static_cast<std::size_t>(w);
    const auto parse = [&](auto value, auto& rooms, int next) {
      pieces[at] = Piece();
      if (Parser<decltype(value)>(source, texts[at], rooms[worker]).parse(pieces[at])) return true;
      for (int now = width; now < next && !width.compare_exchange_weak(now, next);) continue;
      return false;
    };
    if (width <= 16 && parse(std::uint16_t{}, room16, 32)) return;
    if (width <= 32 && parse(float{}, room32, 64)) return;
    parse(double{}, room64, 64);
  });
  return pieces;
}

template <class Piece>
std::vector<Entries> entries_of(std::vector<Piece> pieces) {
  std::vector<Entries> all;
  all.reserve(pieces.size());
  for (Piece& piece : pieces) all.push_back(std::move(piece.entries));
  return all;
}

}  // namespace land
