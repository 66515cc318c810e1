// Several numbers as the value of an option.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "land/options/options.h"

namespace land::cli {

// "-1,0,2.5". Throws InputError that names the option.
std::vector<double> numbers_of(std::string_view key, const std::string& text);

// "50", or "auto". Throws InputError that names the option.
void set_features(const std::string& text, SelectOptions& options);

// "5": a number of bins. With a comma: cut points, "-1,1"; a single one is "0,".
Bins bins_of(const std::string& text);

}  // namespace land::cli
