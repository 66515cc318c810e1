// Values, centred kernels, f and R of all features of a table by their definitions: what methods are compared with.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "land/data/table.h"
#include "land/data/target.h"
#include "tests/support/oracle.h"

namespace land::test {

struct TableColumn {
  std::vector<double> values;
  bool nominal = false;
  bool constant = false;
};

inline std::vector<TableColumn> columns_of_table(const Table& table, Missing missing) {
  std::vector<TableColumn> columns;
  const auto source = table.source(missing);
  for (std::int64_t k = 0; k < table.features(); ++k) {
    FeatureBlock block;
    source->gather({&k, 1}, block);
    const FeatureView view = block.view(0);
    TableColumn& column = columns.emplace_back();
    for (std::int64_t i = 0; i < view.samples; ++i) column.values.push_back(view.value(i));
    column.nominal = view.header->nominal;
    column.constant = view.header->constant;
  }
  return columns;
}

// The class kernel of categories, none of them missing.
inline Eigen::MatrixXd category_kernel(const std::vector<double>& values) {
  std::map<double, int> numbers;
  std::vector<int> labels;
  for (const double value : values) {
    labels.push_back(numbers.try_emplace(value, static_cast<int>(numbers.size())).first->second);
  }
  return classes(labels);
}

inline Eigen::MatrixXd kernel_of_target(const Target& target) {
  if (!target.has_classes()) return gaussian(target.values);
  return classes({target.labels.begin(), target.labels.end()});
}

// Of all features, of norm 1; empty of those that are constant.
inline std::vector<Eigen::MatrixXd> kernels_of_table(const Table& table, Missing missing) {
  std::vector<Eigen::MatrixXd> kernels;
  for (const TableColumn& column : columns_of_table(table, missing)) {
    Eigen::MatrixXd& kernel = kernels.emplace_back();
    if (column.constant) continue;
    kernel = column.nominal ? category_kernel(column.values) : gaussian(column.values, missing);
    kernel /= kernel.norm();
  }
  return kernels;
}

// NHSIC of all features, constant ones with f = -1.
struct TableNhsic {
  Eigen::VectorXd f;
  Eigen::MatrixXd r;
};

inline TableNhsic nhsic_of_table(const Table& table, const Target& target, Missing missing) {
  const std::vector<Eigen::MatrixXd> kernels = kernels_of_table(table, missing);
  const Eigen::MatrixXd y = kernel_of_target(target);
  const auto d = static_cast<Eigen::Index>(kernels.size());
  const Eigen::Index n = y.rows();
  Eigen::MatrixXd flat = Eigen::MatrixXd::Zero(n * n, d);
  TableNhsic result{Eigen::VectorXd::Constant(d, -1.0), {}};
  for (Eigen::Index k = 0; k < d; ++k) {
    const Eigen::MatrixXd& kernel = kernels[static_cast<std::size_t>(k)];
    if (kernel.size() == 0) continue;
    flat.col(k) = kernel.reshaped();
    result.f[k] = flat.col(k).dot(y.reshaped()) / y.norm();
  }
  result.r = flat.transpose() * flat;
  return result;
}

}  // namespace land::test
