#include "land/formats/text_chunks.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <string>

#include "land/base/worker_pool.h"
#include "land/files/mapped_pages.h"

namespace land {

std::vector<std::string_view> cut_at_lines(std::string_view text, bool release) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  std::vector<std::string_view> pieces;
  const char* const begin = text.data();
  PagesBehind pages(std::as_bytes(std::span(text)), release);
  while (!text.empty()) {
    pages.passed(static_cast<std::size_t>(text.data() - begin));
    const std::size_t last = text.size() <= kBytes ? std::string_view::npos : text.find('\n', kBytes - 1);
    const std::size_t size = last == std::string_view::npos ? text.size() : last + 1;
    pieces.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return pieces;
}

void read_pieces(std::span<const std::string_view> pieces, const Context& context,
                 const std::function<void(std::int64_t piece, int worker)>& work) {
  std::size_t total = 0;
  for (const std::string_view piece : pieces) total += piece.size();
  std::atomic<std::int64_t> first_bad{std::numeric_limits<std::int64_t>::max()};
  std::mutex mutex;
  std::string message;
  std::size_t done = 0;
  parallel_for(context, static_cast<std::int64_t>(pieces.size()), [&](std::int64_t piece, int worker) {
    if (piece > first_bad.load()) return;
    context.check_stop();
    try {
      work(piece, worker);
    } catch (const InputError& error) {
      const std::scoped_lock lock(mutex);
      if (piece < first_bad.load()) {
        first_bad = piece;
        message = error.what();
      }
      return;
    }
    const std::scoped_lock lock(mutex);
    done += pieces[static_cast<std::size_t>(piece)].size();
    context.report("reading", static_cast<double>(done), static_cast<double>(total));
  });
  if (!message.empty()) throw InputError(message);
}

void read_stretches(std::span<const std::string_view> pieces, std::size_t bytes, bool release, const Context& context,
                    const std::function<void(std::span<const std::string_view>, const Context&)>& work) {
  if (pieces.empty()) return;
  const std::string_view text(pieces[0].data(),
                              static_cast<std::size_t>(pieces.back().data() + pieces.back().size() - pieces[0].data()));
  double total = 0.0;
  for (const std::string_view piece : pieces) total += static_cast<double>(piece.size());
  double before = 0.0;
  Context part = context;
  part.progress = [&](std::string_view stage, double done, double) { context.report(stage, before + done, total); };
  while (!pieces.empty()) {
    std::size_t count = 1;
    std::size_t size = pieces[0].size();
    while (count < pieces.size() && size + pieces[count].size() <= bytes) size += pieces[count++].size();
    work(pieces.first(count), part);
    if (release) release_pages(std::as_bytes(std::span(pieces[0].data(), size)), std::as_bytes(std::span(text)));
    before += static_cast<double>(size);
    pieces = pieces.subspan(count);
  }
}

std::int64_t line_of(std::string_view text, const char* at) { return 1 + std::count(text.data(), at, '\n'); }

}  // namespace land
