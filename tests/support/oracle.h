// The slow, readable oracle: NHSIC and HSIC from their definitions, with full kernel matrices. Compiled once: what
// Eigen makes of it takes seconds.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "land/options/options.h"

namespace land::test {

Eigen::VectorXd standardised(const std::vector<double>& x);

Eigen::MatrixXd centred(const Eigen::MatrixXd& kernel);

Eigen::MatrixXd gaussian(const std::vector<double>& x, double sigma = 1.0);

// A column with NaN where values are missing, under the policies of docs/math.md: the mean stands in; ignored, so the
// kernel of the observed samples is centred by itself and zero elsewhere; or a level of its own.
Eigen::MatrixXd gaussian(const std::vector<double>& x, Missing missing, double sigma = 1.0);

// The sum of kernels of several widths, each normalised.
Eigen::MatrixXd mixed(const std::vector<double>& x, Missing missing, const std::vector<double>& sigma);

// Normal scores of ranks, ties averaged, by counting; quantiles by bisection. NaN stays NaN.
std::vector<double> normal_scores(const std::vector<double>& x);

Eigen::MatrixXd classes(const std::vector<int>& labels);

// The paper's Nystrom approximation: K_ub K_bb^-1 K_bu, centred.
Eigen::MatrixXd nystrom(const std::vector<double>& x, const std::vector<double>& basis, double sigma = 1.0);

// Of the indicators of classes beside a constant column.
Eigen::MatrixXd indicators(const std::vector<int>& labels, int count);

// The leading eigenvectors of a kernel beside a constant column.
Eigen::MatrixXd leading(const Eigen::MatrixXd& kernel, int count);

// (I - QQ^T) K (I - QQ^T), Q spanning the columns, over the samples for which the kernel is not zero.
Eigen::MatrixXd adjusted(const Eigen::MatrixXd& kernel, Eigen::MatrixXd columns);

double nhsic(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

double hsic(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace land::test
