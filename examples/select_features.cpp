// Prints the names of the ten features that best explain a column of a table: select_features data.csv Y
// Compiled by CMakeLists.txt, or by: g++ -std=c++20 select_features.cpp $(pkg-config --cflags --libs land)
#include "land/commands/select.h"

#include <iostream>

#include "land/engine/local_run.h"
#include "land/formats/read_table.h"

int main(int count, char** arguments) try {
  if (count != 3) throw land::InputError("usage: select_features DATA TARGET");
  const land::Context context{.threads = 2};
  const land::Table table = land::read_table(arguments[1], {.target = arguments[2]}, context);
  const land::Target target = land::make_target(*table.target, land::Task::kAuto);
  land::LocalRun local(table, land::Missing::kError, 0, context);
  const land::Result result = land::select(local.engine, local.pool, table, target, {.features = 10}, context);
  for (const land::SelectedFeature& feature : result.selected) std::cout << feature.name << '\n';
} catch (const land::InputError& error) {
  std::cerr << "select_features: " << error.what() << '\n';
  return 2;
}
