#include "bindings/remote.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/commands.h"
#include "bindings/interruptible.h"
#include "bindings/options.h"
#include "bindings/spelling.h"
#include "land/base/worker_pool.h"
#include "land/commands/select.h"
#include "land/formats/target_file.h"
#include "land/remote/block_table.h"
#include "land/remote/remote_engine.h"
#include "land/remote/worker.h"
#include "land/subset/apply_subset.h"

namespace nb = nanobind;

namespace land::python {
namespace {

// The bytes of whatever has a buffer: bytes, memoryview, pyarrow.Buffer.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  ~Buffer() { PyBuffer_Release(&buffer_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::string_view view() const {
    return {static_cast<const char*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_{};
};

nb::bytes to_bytes(std::string_view message) { return nb::bytes(message.data(), message.size()); }

// What work() gives, without the GIL while it is made.
template <class Work>
nb::bytes bytes_of(const Work& work) {
  std::string message;
  {
    const nb::gil_scoped_release release;
    message = work();
  }
  return to_bytes(message);
}

// A table's features as cells; the table is kept as long as these are.
class Cells {
 public:
  Cells(Table table, const nb::dict& options, std::int64_t bytes)
      : table_(std::make_unique<Table>(std::move(table))), cutter_(*table_, with_bytes(options, bytes)) {}

  const CellCutter& cutter() const { return cutter_; }

 private:
  ConvertOptions with_bytes(const nb::dict& given, std::int64_t bytes) const {
    ConvertOptions options = convert_options(given, *table_);
    options.block_bytes = bytes;
    return options;
  }

  std::unique_ptr<const Table> table_;
  CellCutter cutter_;
};

std::vector<std::int64_t> firsts(const Cells& cells) {
  const auto all = cells.cutter().firsts();
  return {all.begin(), all.end()};
}

// What a driver has to know of a table that is made in parts.
nb::bytes block_table(const std::string& name, std::uint64_t id, std::int64_t features, std::int64_t samples,
                      std::vector<std::int64_t> nominal, std::vector<std::string> sample_ids) {
  BlockTable table;
  table.data = {name, id, features, samples, false};
  table.bytes_each = std::max<std::int64_t>(samples * static_cast<std::int64_t>(sizeof(float)), 1);
  table.nominal = std::move(nominal);
  table.sample_ids = std::move(sample_ids);
  const std::string head = to_message(table);
  read_block_table(head);  // refuses what is impossible
  return to_bytes(head);
}

nb::bytes with_target(const nb::bytes& head, const Table& labelled) {
  BlockTable table = read_block_table({head.c_str(), head.size()});
  table.target = target_of(labelled);
  return to_bytes(to_message(table));
}

nb::bytes part_as_cell(Table part, const nb::dict& options, const nb::bytes& head, FeatureId first) {
  const BlockTable table = read_block_table({head.c_str(), head.size()});
  const Missing missing = convert_options(options, part).missing;
  return bytes_of([&] { return to_message(cut_part(std::move(part), missing, table.data, first)); });
}

// What a driver has of a block table, but for the names of features.
Table table_of_blocks(const nb::bytes& head) {
  const BlockTable blocks = read_block_table({head.c_str(), head.size()});
  return table_of(blocks);
}

// A target in a file, as --target has it.
void read_target(Table& table, const std::string& target, const nb::dict& given, int threads,
                 const nb::object& progress) {
  const std::optional<TargetFile> file = find_target_file(target);
  if (!file) throw InputError(target + ": no such file; the target is an array, or FILE, or FILE:COLUMN");
  const ReadOptions options = read_options(given);
  run_interruptible(threads, 0, progress, [&](const Context& context) {
    read_target_file(*file, options, context, table);
    apply_subset(table, options, context);
  });
}

// Hands every answer of a verb over. With the GIL.
void take_all(const nb::object& answers, const Cluster::Take& take) {
  for (const nb::handle answer : answers) take(Buffer(answer).view());
}

// The verbs of a cluster in Python: score(order) and fetch(ids) each give an iterable of bytes.
Cluster cluster_of(const nb::object& cluster, const CallPython& call) {
  Cluster verbs;
  verbs.score = [cluster, &call](std::string_view order, const Cluster::Take& take) {
    call([&] { take_all(cluster.attr("score")(to_bytes(order)), take); });
  };
  verbs.fetch = [cluster, &call](std::span<const FeatureId> ids, const Cluster::Take& take) {
    call([&] { take_all(cluster.attr("fetch")(std::vector<FeatureId>(ids.begin(), ids.end())), take); });
  };
  return verbs;
}

std::string select_on_cluster(const Table& given_table, const nb::object& cluster, const nb::dict& given, int threads,
                              const nb::object& progress) {
  const SelectOptions options = select_options(given, given_table);
  const TargetColumn& column = target_of(given_table);
  const Spelling spelling = as_written();
  const auto head = nb::cast<nb::bytes>(cluster.attr("table"));
  const BlockTable blocks = read_block_table({head.c_str(), head.size()});
  const auto name = nb::cast<std::string>(cluster.attr("name"));
  const auto workers = nb::cast<int>(cluster.attr("workers"));
  std::string json;
  run_with_python(threads, memory_limit(given), progress, [&](const Context& context, const CallPython& call) {
    Cluster verbs = cluster_of(cluster, call);
    verbs.name = name;
    verbs.workers = workers;
    RemoteEngine engine(blocks, std::move(verbs), context);
    Table table = given_table;
    table.names = std::make_shared<const RemoteNames>(engine);
    WorkerPool pool(context.threads);
    const Target target = make_target(column, options.task);
    json = certified_json(select(engine, pool, table, target, options, context), spelling);
  });
  return json;
}

}  // namespace

void add_remote(nb::module_& module) {
  nb::class_<Cells>(module, "Cells", "The features of a table as the rows of a block table.")
      .def(nb::init<Table, const nb::dict&, std::int64_t>(), nb::arg("table"), nb::arg("options"), nb::arg("bytes"))
      .def_prop_ro(
          "head", [](const Cells& cells) { return to_bytes(to_message(cells.cutter().table())); },
          "What a driver has to know of the table.")
      .def_prop_ro("firsts", &firsts, "The first feature of every cell, and of the one behind the last.")
      .def("__len__", [](const Cells& cells) { return cells.cutter().cells(); })
      .def(
          "cut",
          [](const Cells& cells, std::int64_t number) {
            return bytes_of([&] { return to_message(cells.cutter().cut(number)); });
          },
          nb::arg("number"), "A cell as bytes.");
  module.def("block_table", &block_table, nb::arg("name"), nb::arg("id"), nb::arg("features"), nb::arg("samples"),
             nb::arg("nominal"), nb::arg("sample_ids"), "What a driver has to know of a table that is made in parts.");
  module.def("with_target", &with_target, nb::arg("head"), nb::arg("labelled"), "The same with a table's target.");
  module.def("part_as_cell", &part_as_cell, nb::arg("part"), nb::arg("options"), nb::arg("head"), nb::arg("first"),
             "A table of the features from `first` on, as a cell of the block table.");
  nb::class_<Worker>(module, "Worker", "Scores cells as an order says; one for every process and order.")
      .def(
          "__init__", [](Worker* self, nb::handle order) { new (self) Worker(Buffer(order).view()); }, nb::arg("order"))
      .def(
          "score",
          [](Worker& worker, nb::handle cell, const std::string& where) {
            const Buffer buffer(cell);
            return bytes_of([&] { return worker.score(buffer.view(), where); });
          },
          nb::arg("cell"), nb::arg("where"), "The answer of a cell, which errors call `where`.")
      .def(
          "likeliest", [](Worker& worker) { return to_bytes(worker.likeliest()); },
          "The likeliest features of all cells so far, as bytes, once; b'' if there are none.");
  module.def(
      "pick",
      [](nb::handle cell, const std::string& where, const std::vector<FeatureId>& ids) {
        const Buffer buffer(cell);
        return bytes_of([&] { return pick(buffer.view(), where, ids); });
      },
      nb::arg("cell"), nb::arg("where"), nb::arg("ids"), "Some features of a cell, as bytes.");
  module.def("table_of_blocks", &table_of_blocks, nb::arg("head"), "A table whose values are on a cluster.");
  module.def("read_target", &read_target, nb::arg("table"), nb::arg("target"), nb::arg("options"), nb::arg("threads"),
             nb::arg("progress").none(), "Joins a target in a file, FILE or FILE:COLUMN.");
  module.def("select_on_cluster", &select_on_cluster, nb::arg("table"), nb::arg("cluster"), nb::arg("options"),
             nb::arg("threads"), nb::arg("progress").none(), "The selection as the JSON of `land select`.");
}

}  // namespace land::python
