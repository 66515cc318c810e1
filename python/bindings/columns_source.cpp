#include "bindings/columns_source.h"

#include <fmt/format.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>

#include "land/base/error.h"
#include "land/blocks/matrix_source.h"

namespace nb = nanobind;

namespace land::python {
namespace {

class ColumnsSource final : public FeatureSource {
 public:
  ColumnsSource(nb::object read, std::int64_t features, std::int64_t samples, std::string name)
      : read_(std::move(read)), features_(features), samples_(samples), name_(std::move(name)) {}
  ~ColumnsSource() override {
    const nb::gil_scoped_acquire acquire;
    read_.reset();
  }

  std::int64_t features() const override { return features_; }
  std::int64_t samples() const override { return samples_; }

  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override {
    const nb::gil_scoped_acquire acquire;
    const auto array = nb::cast<nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(read_(first, count));
    if (static_cast<std::int64_t>(array.shape(0)) != count || static_cast<std::int64_t>(array.shape(1)) != samples_) {
      throw InputError(fmt::format("{}: {} x {} values came where {} features x {} samples were asked for", name_,
                                   array.shape(0), array.shape(1), count, samples_));
    }
    Matrix matrix;
    matrix.data = static_cast<const std::byte*>(array.data());
    matrix.dtype = array.dtype() == nb::dtype<float>() ? DType::kFloat32 : DType::kFloat64;
    matrix.samples = samples_;
    matrix.columns = count;
    matrix.sample_stride = 1;
    matrix.column_stride = samples_;
    // Missing values are counted, and refused by whoever asked if they are not wanted.
    const MatrixSource window(
        matrix,
        [&](std::int64_t sample, std::int64_t feature) {
          return fmt::format("{}: feature {}, sample {} (counted from 0)", name_, first + feature, sample);
        },
        Missing::kIgnore);
    {
      const nb::gil_scoped_release release;
      window.read(0, count, block);
    }
    for (FeatureHeader& header : block.headers) header.id += first;
  }

  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override {
    block.clear(samples_);
    FeatureBlock one;
    for (const std::int64_t id : ids) {
      read(id, 1, one);
      block.append_feature(one.view(0));
    }
  }

 private:
  nb::object read_;
  std::int64_t features_;
  std::int64_t samples_;
  std::string name_;
};

}  // namespace

Table table_of_columns(nb::object read, std::vector<std::string> names, std::int64_t samples, const std::string& name) {
  Table table;
  table.path = name;
  table.encoded = std::make_shared<ColumnsSource>(std::move(read), std::ssize(names), samples, name);
  table.feature_names = std::move(names);
  return table;
}

}  // namespace land::python
