#include "land/graphlets/read_contact_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "land/base/worker_pool.h"
#include "land/files/files_in_use.h"
#include "land/files/gzip.h"
#include "land/files/mapped_file.h"
#include "land/graphlets/graphlet_key.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

namespace land {
namespace {

constexpr std::int64_t kMostGraphVertices = std::numeric_limits<std::uint32_t>::max();

// Text, line by line, and a line field by field.
class Fields {
 public:
  Fields(std::string_view text, const std::string& name)
      : name_(name), begin_(text.data()), at_(begin_), line_end_(begin_), end_(begin_ + text.size()) {}

  // Goes to the next line that has fields; false when there is none.
  bool next_line() {
    while (true) {
      if (line_ > 0 && line_end_ == end_) return false;
      at_ = line_ > 0 ? line_end_ + 1 : begin_;
      ++line_;
      const void* newline = at_ < end_ ? std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)) : nullptr;
      line_end_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
      skip_blanks();
      if (at_ < line_end_) return true;
    }
  }

  // The next field of the line; empty when there is none.
  std::string_view next() {
    const char* first = at_;
    while (at_ < line_end_ && !is_blank(*at_)) ++at_;
    const std::string_view field(first, static_cast<std::size_t>(at_ - first));
    skip_blanks();
    return field;
  }

  // The next field as a whole number from 0; `what` it is, for messages.
  std::int64_t number(const char* what) {
    const std::string_view field = next();
    if (field.empty()) fail(fmt::format("the {} is missing", what));
    const auto value = parse_index(field);
    if (!value) fail(fmt::format("the {} must be a whole number from 0, not {}", what, in_quotes(field)));
    return *value;
  }

  bool line_is_done() const { return at_ == line_end_; }
  std::size_t bytes_read() const { return static_cast<std::size_t>(line_end_ - begin_); }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(fmt::format("{}: line {}: {}", name_, line_, reason));
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (at_ < line_end_ && is_blank(*at_)) ++at_;
  }

  const std::string& name_;
  const char* begin_;
  const char* at_;
  const char* line_end_;
  const char* end_;
  std::int64_t line_ = 0;
};

// Numbers labels in the order in which they are met.
class LabelNumbers {
 public:
  std::uint16_t number(std::int64_t label, const Fields& fields) {
    const auto [place, fresh] = numbers_.try_emplace(label, static_cast<std::uint16_t>(labels_.size()));
    if (fresh) {
      if (labels_.size() == kMostLabels) {
        fields.fail(fmt::format("label {} is one too many: at most {} different labels are possible", label,
                                std::size_t{kMostLabels}));
      }
      labels_.push_back(label);
    }
    return place->second;
  }

  // Numbers them anew, in rising order.
  void sort(std::vector<ContactGraph>& graphs, std::vector<std::int64_t>& sorted_labels) const {
    std::vector<std::uint16_t> order(labels_.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::sort(order.begin(), order.end(), [this](auto a, auto b) { return labels_[a] < labels_[b]; });
    std::vector<std::uint16_t> ranks(labels_.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      sorted_labels.push_back(labels_[order[rank]]);
      ranks[order[rank]] = static_cast<std::uint16_t>(rank);
    }
    for (ContactGraph& graph : graphs) {
      for (std::uint16_t& label : graph.labels) label = ranks[label];
    }
  }

 private:
  std::unordered_map<std::int64_t, std::uint16_t> numbers_;
  std::vector<std::int64_t> labels_;
};

void read_vertex(Fields& fields, std::int64_t vertices, LabelNumbers& label_numbers, ContactGraph& graph) {
  graph.labels.push_back(label_numbers.number(fields.number("label of the vertex"), fields));
  const std::int64_t degree = fields.number("number of neighbours");
  for (std::int64_t k = 0; k < degree; ++k) {
    if (fields.line_is_done()) {
      fields.fail(fmt::format("{} neighbours are announced, but {} follow; a vertex is `label degree neighbour...`",
                              degree, k));
    }
    const std::int64_t neighbour = fields.number("neighbour");
    if (neighbour >= vertices) {
      fields.fail(fmt::format("there is no neighbour {}: the {} vertices of this graph are numbered from 0 to {}",
                              neighbour, vertices, vertices - 1));
    }
    graph.neighbours.push_back(static_cast<std::uint32_t>(neighbour));
  }
  graph.starts.push_back(graph.neighbours.size());
}

// A graph as written: edges may be missing in one direction.
ContactGraph read_graph(Fields& fields, LabelNumbers& label_numbers) {
  const std::int64_t vertices = fields.number("number of vertices");
  if (vertices > kMostGraphVertices) {
    fields.fail(fmt::format("a graph of {} vertices is too large; at most {} are possible", vertices,
                            std::int64_t{kMostGraphVertices}));
  }
  ContactGraph graph;
  const std::string_view class_value = fields.next();
  if (class_value.empty()) fields.fail("the class is missing; a graph begins with a line `vertices class`");
  if (!parse_number(class_value)) {
    fields.fail(fmt::format("the class must be a number, not {}", in_quotes(class_value)));
  }
  graph.class_value = class_value;
  if (!fields.line_is_done()) {
    fields.fail(
        fmt::format("a graph should begin here with a line `vertices class`, but {} follows; "
                    "does the graph above have more vertices than it announces?",
                    in_quotes(fields.next())));
  }
  for (std::int64_t v = 0; v < vertices; ++v) {
    if (!fields.next_line()) {
      fields.fail(fmt::format("the text ends after {} of the {} vertices of a graph", v, vertices));
    }
    read_vertex(fields, vertices, label_numbers, graph);
  }
  return graph;
}

}  // namespace

ContactGraphs read_contact_graphs(const Bytes& bytes, const std::string& name, const Context& context) {
  const Bytes plain = is_gzip(bytes.view) ? gunzip(bytes, name, context) : bytes;
  Fields fields({reinterpret_cast<const char*>(plain.view.data()), plain.view.size()}, name);
  if (!fields.next_line()) {
    throw InputError(fmt::format("{}: the file is empty; it should begin with the number of graphs", name));
  }
  const std::int64_t announced = fields.number("number of graphs");
  if (!fields.line_is_done()) {
    fields.fail(
        fmt::format("the first line should hold the number of graphs only, but {} follows", in_quotes(fields.next())));
  }
  if (announced == 0) fields.fail("the number of graphs is 0: there is nothing to count");

  ContactGraphs result;
  LabelNumbers label_numbers;
  for (std::int64_t k = 0; k < announced; ++k) {
    context.check_stop();
    context.report("reading", static_cast<double>(fields.bytes_read()), static_cast<double>(plain.view.size()));
    if (!fields.next_line()) fields.fail(fmt::format("the text ends after {} of the {} graphs", k, announced));
    result.graphs.push_back(read_graph(fields, label_numbers));
  }
  if (fields.next_line()) {
    fields.fail(fmt::format("{} follows the last of the {} graphs; are there more graphs or vertices than announced?",
                            in_quotes(fields.next()), announced));
  }
  label_numbers.sort(result.graphs, result.labels);
  parallel_for(context, announced, [&](std::int64_t k, int) {
    context.check_stop();
    make_undirected(result.graphs[static_cast<std::size_t>(k)]);
  });
  return result;
}

ContactGraphs read_contact_graphs(const std::string& path, const Context& context) {
  return if_unchanged(context.files, [&] { return read_contact_graphs(open_bytes(path, context), path, context); });
}

}  // namespace land
