// Pieces of sparse text, parsed in parallel: in float32 as long as that holds every value exactly, in double after
// that.
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
  std::vector<typename Parser<float>::Room> room32(workers);
  std::vector<typename Parser<double>::Room> room64(workers);
  std::atomic<bool> wide{false};
  read_pieces(texts, context, [&](std::int64_t p, int w) {
    const auto at = static_cast<std::size_t>(p);
    const auto worker = static_cast<std::size_t>(w);
    if (!wide && Parser<float>(source, texts[at], room32[worker]).parse(pieces[at])) return;
    wide = true;
    pieces[at] = Piece();
    Parser<double>(source, texts[at], room64[worker]).parse(pieces[at]);
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
