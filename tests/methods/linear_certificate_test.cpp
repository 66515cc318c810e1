// The certificate of a linear path: paths that are not optimal do not pass, whatever is wrong with them.
#include <gtest/gtest.h>

#include <functional>

#include "land/methods/linear/linear_certificate.h"
#include "tests/support/commands.h"
#include "tests/support/engine_tables.h"
#include "tests/support/memory_columns.h"
#include "tests/support/samples.h"

namespace land {
namespace {

class LinearCertificate : public testing::TestWithParam<int> {  // the number of classes
 protected:
  // Certifies a path of five features after a change.
  CertificateSummary after(const std::function<void(LinearPath&)>& change) {
    const Setting setting{options_, context_, local_.engine, local_.pool, target_, std::int64_t{1} << 30U, bounds_, {}};
    const Responses responses = make_responses(target_);
    LinearPath path =
        responses.columns == 1 ? solve_lasso_path(setting, responses) : solve_group_path(setting, responses);
    change(path);
    return certify_linear(path, setting, responses);
  }

 private:
  static SelectOptions five() {
    SelectOptions options;
    options.method = "lasso";
    options.features = 5;
    return options;
  }

  const SelectOptions options_ = five();
  const Context context_ = test::threads(1);
  const Table table_ = test::table_of_columns(test::engine_columns(9, 0.0));
  const Target target_ = test::class_target(test::sample_labels(test::kEngineSamples, GetParam(), 23), GetParam());
  LocalRun local_{table_, Missing::kError, 0, context_};
  const std::vector<double> bounds_ = std::vector<double>(9, 1.0);
};

TEST_P(LinearCertificate, PassesWhatIsOptimal) {
  EXPECT_TRUE(after([](LinearPath&) {}).valid);
}

TEST_P(LinearCertificate, SeesCoefficientsThatAreNotOptimal) {
  EXPECT_FALSE(after([](LinearPath& path) {
                 for (double& weight : path.rows.back()) weight *= 1.0 + 1e-6;
                 for (auto& [feature, coefficient] : path.path.knots.back().coefficients) coefficient *= 1.0 + 1e-6;
               }).valid);
}

TEST_P(LinearCertificate, SeesCoefficientsThatAreNotThoseOfTheRows) {
  EXPECT_FALSE(after([](LinearPath& path) { path.path.knots.back().coefficients.front().second *= 1.1; }).valid);
}

TEST_P(LinearCertificate, SeesAFeatureThatShouldHaveEntered) {
  EXPECT_FALSE(after([](LinearPath& path) {
                 // Nobody is in at half of lambda_max, and there is nobody whose coefficients could tell.
                 path.path.knots.resize(1);
                 path.path.knots.emplace_back();
                 path.path.knots.back().lambda = path.path.knots.front().lambda / 2.0;
                 path.rows.assign(2, {});
                 path.path.knots.front().coefficients.clear();
               }).valid);
}

TEST_P(LinearCertificate, SeesALambdaThatRises) {
  EXPECT_FALSE(after([](LinearPath& path) {
                 path.path.knots.push_back(path.path.knots[1]);
                 path.rows.push_back(path.rows[1]);
               }).valid);
}

INSTANTIATE_TEST_SUITE_P(Classes, LinearCertificate, testing::Values(2, 3));

}  // namespace
}  // namespace land
