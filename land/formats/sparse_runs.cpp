#include "land/formats/sparse_runs.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "land/base/checksum.h"
#include "land/blocks/encode_sparse.h"
#include "land/blocks/signature.h"

namespace land {
namespace {

class RunsSource final : public FeatureSource {
 public:
  RunsSource(std::shared_ptr<const ScratchFile> file, std::vector<SparseRun> runs, std::int64_t samples,
             std::int64_t columns, std::int64_t entries, std::function<void(const RepeatedEntry&)> repeated)
      : file_(std::move(file)),
        runs_(std::move(runs)),
        samples_(samples),
        columns_(columns),
        entries_(entries),
        repeated_(std::move(repeated)),
        signer_(samples),
        multipliers_(checksum_multipliers(samples)) {}

  std::int64_t features() const override { return columns_; }
  std::int64_t samples() const override { return samples_; }
  std::int64_t bytes_each() const override { return 512 + (1 + sample_number_bytes(samples_)) * entries_ / columns_; }
  bool has_signatures() const override { return true; }

  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override {
    block.clear(samples_);
    block.headers.reserve(static_cast<std::size_t>(count));
    append(first, count, block);
  }
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override {
    block.clear(samples_);
    for (const std::int64_t id : ids) append(id, 1, block);
  }

 private:
  // Some columns of a run. Read, not mapped: the system maps far more than is touched.
  struct Part {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> rows;
    std::vector<double> values;
  };

  // Items of type From.
  template <class From, class To>
  void load(std::int64_t offset, std::int64_t begin, std::int64_t end, std::vector<To>& to) const {
    std::vector<From> items(static_cast<std::size_t>(end - begin));
    file_->read_at(offset + begin * static_cast<std::int64_t>(sizeof(From)), std::as_writable_bytes(std::span(items)));
    to.assign(items.begin(), items.end());
  }

  void append(std::int64_t first, std::int64_t count, FeatureBlock& block) const {
    std::vector<Part> parts(runs_.size());
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const SparseRun& run = runs_[r];
      if (first >= run.columns) continue;
      load<std::int64_t>(run.starts, first, std::min(first + count, run.columns) + 1, parts[r].starts);
      const std::int64_t begin = parts[r].starts.front();
      const std::int64_t end = parts[r].starts.back();
      std::visit([&]<class T>(std::span<const T>) { load<T>(run.rows, begin, end, parts[r].rows); }, run.row_type);
      std::visit([&]<class T>(std::span<const T>) { load<T>(run.values, begin, end, parts[r].values); },
                 run.value_type);
    }
    std::vector<std::int32_t> rows;
    std::vector<double> values;
    for (std::int64_t k = 0; k < count; ++k) {
      rows.clear();
      values.clear();
      for (const Part& part : parts) {
        if (k + 1 >= std::ssize(part.starts)) continue;
        const std::int64_t begin = part.starts[static_cast<std::size_t>(k)] - part.starts[0];
        const std::int64_t end = part.starts[static_cast<std::size_t>(k) + 1] - part.starts[0];
        rows.insert(rows.end(), part.rows.begin() + begin, part.rows.begin() + end);
        values.insert(values.end(), part.values.begin() + begin, part.values.begin() + end);
      }
      if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) != rows.end()) {
        sort(first + k, rows, values);
      }
      encode_sparse<std::int32_t, double>(rows, values, multipliers_, first + k, block);
      block.headers.back().signature = signer_.signature(block.view(block.features() - 1));
    }
  }

  void sort(std::int64_t column, std::vector<std::int32_t>& rows, std::vector<double>& values) const {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
    const std::vector<std::int32_t> old_rows = rows;
    const std::vector<double> old_values = values;
    for (std::size_t e = 0; e < order.size(); ++e) {
      rows[e] = old_rows[order[e]];
      values[e] = old_values[order[e]];
      if (e > 0 && rows[e] == rows[e - 1]) repeated_({rows[e], column});
    }
  }

  std::shared_ptr<const ScratchFile> file_;
  std::vector<SparseRun> runs_;
  std::int64_t samples_;
  std::int64_t columns_;
  std::int64_t entries_;
  std::function<void(const RepeatedEntry&)> repeated_;
  Signer signer_;
  std::vector<std::uint32_t> multipliers_;
};

}  // namespace

template <class T>
std::int64_t SparseRuns::put(std::span<const T> items) {
  const std::int64_t offset = size_;
  const auto bytes = std::as_bytes(items);
  file_->write_at(offset, bytes);
  constexpr std::int64_t kAlignment = sizeof(double);
  size_ = (offset + static_cast<std::int64_t>(bytes.size()) + kAlignment - 1) / kAlignment * kAlignment;
  return offset;
}

std::optional<RepeatedEntry> SparseRuns::add(std::vector<Entries> pieces, std::int64_t samples, std::int64_t columns,
                                             const Context& context) {
  const CompressedColumns part = compress_columns(std::move(pieces), samples, columns, context);
  if (part.repeated) return part.repeated;
  SparseRun run;
  run.columns = columns;
  run.starts = put(part.columns.starts);
  const auto put_span = [&]<class T>(std::span<const T> items) { return put(items); };
  run.rows = std::visit(put_span, part.columns.rows);
  run.values = std::visit(put_span, part.columns.values);
  std::visit([&]<class T>(std::span<const T>) { run.row_type = std::span<const T>(); }, part.columns.rows);
  std::visit([&]<class T>(std::span<const T>) { run.value_type = std::span<const T>(); }, part.columns.values);
  runs_.push_back(run);
  entries_ += part.columns.stored();
  return std::nullopt;
}

std::shared_ptr<const FeatureSource> SparseRuns::source(std::int64_t samples, std::int64_t columns,
                                                        std::function<void(const RepeatedEntry&)> repeated) const {
  return std::make_shared<RunsSource>(file_, runs_, samples, columns, entries_, std::move(repeated));
}

}  // namespace land
