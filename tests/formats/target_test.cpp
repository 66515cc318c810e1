#include "land/data/target.h"

#include <gmock/gmock.h>

#include <cmath>

#include "cli/spelling.h"
#include "land/base/error.h"
#include "land/results/spelled.h"

namespace land {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TargetColumn numbers(std::vector<double> values) { return {"y", {}, std::move(values)}; }
TargetColumn texts(std::vector<std::string> values) { return {"y", std::move(values), {}}; }

std::string error_of(const TargetColumn& column, Task task = Task::kAuto) {
  try {
    make_target(column, task);
  } catch (const InputError& error) {
    return cli::spelled(error.what());
  }
  return "";
}

TEST(MakeTarget, AutoChoosesByTheRule) {
  EXPECT_EQ(make_target(numbers({0, 1, 2, 1, 2, 0}), Task::kAuto).task, Task::kClassification);
  EXPECT_EQ(make_target(numbers({0.5, 1.5, 0.5, 1.5}), Task::kAuto).task, Task::kClassification);  // two values
  EXPECT_EQ(make_target(numbers({0.5, 1, 2, 3}), Task::kAuto).task, Task::kRegression);
  EXPECT_EQ(make_target(numbers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), Task::kAuto).task,
            Task::kClassification);
  // Hardly any repeats: amounts.
  EXPECT_EQ(make_target(numbers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10}), Task::kAuto).task, Task::kRegression);
  EXPECT_EQ(make_target(numbers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), Task::kAuto).task, Task::kRegression);
  EXPECT_EQ(make_target(texts({"true", "false", "true", "true"}), Task::kAuto).task, Task::kClassification);
}

TEST(MakeTarget, ClassesAreSortedAndNamed) {
  const Target whole = make_target(numbers({10, 2, -1, 2}), Task::kClassification);
  EXPECT_THAT(whole.class_names, ElementsAre("-1", "2", "10"));
  EXPECT_THAT(whole.labels, ElementsAre(2, 1, 0, 1));
  EXPECT_EQ(whole.size(), 4);
  const Target text = make_target(texts({"b", "a", "c10", "c2"}), Task::kAuto);
  EXPECT_THAT(text.class_names, ElementsAre("a", "b", "c10", "c2"));
  const Target numeric_text = make_target(texts({"10", "9", "10", "9"}), Task::kClassification);
  EXPECT_THAT(numeric_text.class_names, ElementsAre("9", "10"));
  EXPECT_THAT(make_target(numbers({0.5, -0.0, 0.0, 0.5}), Task::kAuto).class_names, ElementsAre("0", "0.5"));
}

TEST(MakeTarget, TaskCanBeForced) {
  EXPECT_THAT(make_target(numbers({0, 1, 0, 1}), Task::kRegression).values, ElementsAre(0.0, 1.0, 0.0, 1.0));
  EXPECT_EQ(make_target(numbers({0.1, 0.2, 0.3, 0.1}), Task::kClassification).class_names.size(), 3U);
  EXPECT_THAT(error_of(texts({"a", "b", "a", "b"}), Task::kRegression),
              HasSubstr("'a' (sample 1, counted from 1) is text"));
}

TEST(MakeTarget, Errors) {
  EXPECT_EQ(error_of(numbers({0, 1, 0})), "target 'y' needs at least 4 samples, found 3: add samples");
  EXPECT_EQ(error_of({}), "target '' needs at least 4 samples, found 0: add samples");
  EXPECT_THAT(error_of(numbers({1, 1, 1, 1})), HasSubstr("one class only: all 4 samples are '1'"));
  EXPECT_THAT(error_of(numbers({1.5, 1.5, 1.5, 1.5})), HasSubstr("is constant: all 4 values are 1.5"));
  EXPECT_THAT(error_of(texts({"a", "a", "a", "a"})), HasSubstr("one class only"));
  EXPECT_THAT(error_of(numbers({1, NAN, 1, 0})), HasSubstr("sample 2 (counted from 1) is nan"));
  EXPECT_THAT(error_of(numbers({1, 0, INFINITY, 0})), HasSubstr("sample 3 (counted from 1) is inf"));
  EXPECT_THAT(error_of(texts({"a", "", "b", "a"})), HasSubstr("sample 2 (counted from 1) has no value"));
}

TEST(MakeTarget, ErrorsNameTheFileAndThePlace) {
  TargetColumn column = numbers({1, 1, 1, 1});
  column.path = "data.csv";
  EXPECT_THAT(error_of(column), StartsWith("data.csv: target 'y' has one class only"));
  column = texts({"1.5", "2.5", "oops", "text"});
  column.first_text = "data.csv: row 4, column 2";
  EXPECT_THAT(error_of(column, Task::kRegression), StartsWith("data.csv: row 4, column 2: target 'y': 'oops' is text"));
}

TEST(MakeTarget, WhatIsCategoricalIsClassesWhateverItLooksLike) {
  std::vector<std::string> clusters;
  for (int i = 0; i < 60; ++i) clusters.push_back(std::to_string(i % 12));
  EXPECT_THAT(error_of(texts(clusters)), HasSubstr("is not a number, but 60 of 60 values are"));
  TargetColumn column = texts(clusters);
  column.categorical = true;
  EXPECT_EQ(make_target(column, Task::kAuto).class_names.size(), 12U);
  column = numbers({0.5, 1.5, 2.5, 0.5});
  column.categorical = true;
  EXPECT_THAT(make_target(column, Task::kAuto).class_names, ElementsAre("0.5", "1.5", "2.5"));
}

TEST(MakeTarget, WarnsOfNumbersThatLookLikeLabels) {
  const auto warnings = [](int distinct, int samples, double step, Task task = Task::kAuto) {
    std::vector<double> values;
    for (int i = 0; i < samples; ++i) values.push_back(step * (i % distinct));
    return spelled(make_target(numbers(std::move(values)), task).warnings, cli::as_typed);
  };
  EXPECT_THAT(warnings(15, 150, 1.0), ElementsAre(HasSubstr("its 15 distinct whole numbers look like labels: say "
                                                            "--task=classification")));
  EXPECT_THAT(warnings(15, 150, 1.0, Task::kRegression), IsEmpty());
  EXPECT_THAT(warnings(15, 150, 1.0, Task::kClassification), IsEmpty());
  EXPECT_THAT(warnings(10, 150, 1.0), IsEmpty());  // classes
  EXPECT_THAT(warnings(40, 150, 1.0), IsEmpty());  // few samples of each
  EXPECT_THAT(warnings(15, 150, 7.0), IsEmpty());  // gaps
  EXPECT_THAT(warnings(15, 150, 0.5), IsEmpty());  // fractions
  std::vector<double> tail(200, 1.0);              // most of the values stand once
  for (int i = 0; i < 20; ++i) tail[static_cast<std::size_t>(i)] = i;
  EXPECT_THAT(make_target(numbers(tail), Task::kAuto).warnings, IsEmpty());
}

TEST(MakeTarget, CountsSamplesAsItIsTold) {
  TargetColumn column = numbers({1, NAN, 1, 0});
  column.first_sample = 0;
  EXPECT_THAT(error_of(column), HasSubstr("sample 1 (counted from 0) is nan"));
  column = texts({"a", "", "b", "a"});
  column.first_sample = 0;
  EXPECT_THAT(error_of(column), HasSubstr("sample 1 (counted from 0) has no value"));
  column = texts({"a", "b", "a", "b"});
  column.first_sample = 0;
  EXPECT_THAT(error_of(column, Task::kRegression), HasSubstr("'a' (sample 0, counted from 0) is text"));
}

TEST(MakeTarget, ASlipInAColumnOfNumbersIsNotManyClasses) {
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) values.push_back(std::to_string(i) + ".5");
  values[6] = "6,5";
  EXPECT_THAT(error_of(texts(values)),
              HasSubstr("'6,5' (sample 7, counted from 1) is not a number, but 19 of 20 values are"));
  EXPECT_EQ(make_target(texts(values), Task::kClassification).class_names.size(), 20U);
}

}  // namespace
}  // namespace land
