// Text cut at line ends into pieces that are read in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "land/base/context.h"

namespace land {

// Whole lines, about a megabyte a piece; a longer line is one piece. No piece is empty. `release`: the text is mapped,
// and pages are let go behind.
std::vector<std::string_view> cut_at_lines(std::string_view text, bool release = false);

// Runs work(piece, worker) for every piece, and reports progress. When some throw InputError, that of the first such
// piece is thrown here, whatever the number of threads.
void read_pieces(std::span<const std::string_view> pieces, const Context& context,
                 const std::function<void(std::int64_t piece, int worker)>& work);

// Calls work(pieces, context) for one stretch of pieces after the other, each of about `bytes` or one piece; the
// context is the one given, but for progress, which is that of the whole. `release` as above.
void read_stretches(std::span<const std::string_view> pieces, std::size_t bytes, bool release, const Context& context,
                    const std::function<void(std::span<const std::string_view>, const Context&)>& work);

// The line, from 1, on which `at` stands.
std::int64_t line_of(std::string_view text, const char* at);

}  // namespace land
