#include "land/report/json.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "land/options/option_table.h"

namespace land {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A list with its elements, which append() writes, between commas.
template <class List, class Append>
void append_list(std::string& text, const List& list, std::string_view begin, std::string_view comma,
                 std::string_view end, const Append& append) {
  text += begin;
  bool is_first = true;
  for (const auto& element : list) {
    if (!is_first) text += comma;
    is_first = false;
    append(text, element);
  }
  text += end;
}

// One element a line.
template <class List, class Append>
std::string lines_of(const List& list, const Append& append) {
  if (list.empty()) return "[]";
  std::string text;
  append_list(text, list, "[\n    ", ",\n    ", "\n  ]", append);
  return text;
}

void append_number(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";  // JSON has no other
    return;
  }
  fmt::format_to(std::back_inserter(text), "{}", value);
  if (value == std::trunc(value) && std::abs(value) < 1e16) text += ".0";
}

// One line per field, and one per element of an array of objects or arrays: short enough to read, and to diff. `given`:
// what stands for fields that hold thousands of numbers, which would take long as a document.
std::string pretty(const Json& document, const std::map<std::string, std::string, std::less<>>& given = {}) {
  std::string text;
  append_list(text, document.items(), "{\n  ", ",\n  ", "\n}\n", [&](std::string& to, const auto& field) {
    const Json& value = field.value();
    to += compact(field.key()) + ": ";
    if (const auto found = given.find(field.key()); found != given.end()) {
      to += found->second;
    } else if (value.is_array() && !value.empty() && !value.front().is_primitive()) {
      to += lines_of(value, [](std::string& line, const Json& element) { line += compact(element); });
    } else {
      to += compact(value);
    }
  });
  return text;
}

Json json_of(const OptionValue& value) {
  return std::visit(
      [](const auto& one) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>)
          return nullptr;
        else
          return one;
      },
      value);
}

Json options_json(const SelectOptions& options) {
  Json document = Json::object();
  for (const OptionInfo& info : option_table()) {
    if (!info.json.empty()) document[std::string(info.json)] = json_of(info.value_of(options));
  }
  return document;
}

Json matching_json(const Matching& matching) {
  const bool joined = matching.how == Matching::How::kIds;
  return {{"how", to_string(matching.how)},
          {"samples", matching.samples},
          {"target_values", matching.values},
          {"common", matching.common},
          {"id_column", joined && !matching.id_column.empty() ? Json(matching.id_column) : Json()}};
}

Json left_out_json(const std::vector<LeftOut>& left_out) {
  Json list = Json::array();
  for (const LeftOut& one : left_out) {
    list.push_back({{"what", one.what == LeftOut::What::kSamples ? "samples" : "features"},
                    {"reason", one.reason},
                    {"count", one.count}});
  }
  return list;
}

// null without covariates.
Json adjustment_json(const std::optional<Result::AdjustmentSummary>& adjustment) {
  if (!adjustment) return nullptr;
  Json covariates = Json::array();
  for (const auto& covariate : adjustment->covariates) {
    const bool nominal = covariate.levels > 0;
    covariates.push_back({{"name", covariate.name},
                          {"kind", nominal ? "nominal" : "numeric"},
                          {"levels", nominal ? Json(covariate.levels) : Json()}});
  }
  Json explained = Json::array();
  for (const auto& feature : adjustment->explained) {
    explained.push_back({{"index", feature.index}, {"name", feature.name}});
  }
  return {{"covariates", std::move(covariates)},
          {"columns", adjustment->columns},
          {"strata", or_null(adjustment->strata)},
          {"target_left", adjustment->target_left},
          {"matched", matching_json(adjustment->matching)},
          {"explained", std::move(explained)}};
}

// What applies to features that are active at some knot only: their R with the others stands with each.
Json dropped_json(const Result& result) {
  Json list = Json::array();
  for (std::size_t t = 0; t < result.dropped.size(); ++t) {
    const SelectedFeature& feature = result.dropped[t];
    list.push_back({{"index", feature.index},
                    {"name", feature.name},
                    {"relevance", feature.relevance},
                    {"identical", feature.identical},
                    {"identical_names", feature.identical_names},
                    {"redundancy", result.dropped_redundancy[t]}});
  }
  return list;
}

// null unless they were asked for.
Json neighbors_json(const Result& result, const SelectedFeature& feature) {
  if (result.options.neighbors == 0) return nullptr;
  Json list = Json::array();
  for (const SelectedFeature::Neighbor& neighbor : feature.neighbors) {
    list.push_back({{"index", neighbor.index}, {"name", neighbor.name}, {"redundancy", neighbor.redundancy}});
  }
  return list;
}

Json selected_json(const Result& result) {
  const bool has_path = !result.path.empty();  // along which copies are found
  Json list = Json::array();
  for (const SelectedFeature& feature : result.selected) {
    list.push_back({{"rank", list.size() + 1},
                    {"index", feature.index},
                    {"name", feature.name},
                    {"relevance", feature.relevance},
                    {"coefficient", or_null(feature.coefficient)},
                    {"lambda_entered", or_null(feature.lambda_entered)},
                    {"score", or_null(feature.score)},
                    {"p_fwer", or_null(feature.p_fwer)},
                    {"expected_by_chance", or_null(feature.expected_by_chance)},
                    {"q", or_null(feature.q)},
                    {"identical", has_path ? Json(feature.identical) : Json()},
                    {"identical_names", has_path ? Json(feature.identical_names) : Json()},
                    {"neighbors", neighbors_json(result, feature)}});
  }
  return list;
}

const char* event_name(PathStep::Event event) {
  switch (event) {
    case PathStep::Event::kEnter:
      return "enter";
    case PathStep::Event::kDrop:
      return "drop";
    case PathStep::Event::kEnd:
      return "end";
  }
  return "";
}

std::string path_text(const std::vector<PathStep>& path) {
  return lines_of(path, [](std::string& text, const PathStep& step) {
    text += "{\"lambda\":";
    append_number(text, step.lambda);
    text += fmt::format(R"(,"event":"{}","index":{},"coefficients":)", event_name(step.event),
                        step.index ? std::to_string(*step.index) : "null");
    append_list(text, step.coefficients, "[", ",", "]", [](std::string& to, const auto& coefficient) {
      to += fmt::format("[{},", coefficient.first);
      append_number(to, coefficient.second);
      to += ']';
    });
    text += '}';
  });
}

std::string matrix_text(const std::vector<std::vector<double>>& matrix) {
  return lines_of(matrix, [](std::string& text, const std::vector<double>& row) {
    append_list(text, row, "[", ",", "]", append_number);
  });
}

Json certificate_json(const std::optional<CertificateSummary>& certificate) {
  if (!certificate) return nullptr;
  return {{"valid", certificate->valid},
          {"max_violation", certificate->max_violation},
          {"tolerance", certificate->tolerance},
          {"knots_checked", certificate->knots_checked},
          {"features_evaluated", certificate->features_evaluated},
          {"features_bounded", certificate->features_bounded},
          {"features_parked", certificate->features_parked},
          {"parked_violation", certificate->parked_violation},
          {"bounds_sampled", certificate->bounds_sampled},
          {"max_bound_excess", certificate->max_bound_excess}};
}

Json permutations_json(const std::optional<PermutationSummary>& permutations) {
  if (!permutations) return nullptr;
  return {{"made", permutations->made},
          {"distinct", permutations->distinct},
          {"are_all", permutations->are_all},
          {"within_strata", permutations->within_strata},
          {"approximate", permutations->approximate},
          {"ended_early", permutations->ended_early},
          {"p_of_largest", permutations->p_of_largest},
          {"least_lambda", or_null(permutations->least_lambda)},
          {"largest", permutations->largest}};
}

// Of survival; null for others.
void add_follow_up(const std::optional<TargetSummary::FollowUp>& follow_up, Json& target) {
  target["events"] = follow_up ? Json(follow_up->events) : Json(nullptr);
  target["median_time"] = follow_up ? Json(follow_up->median_time) : Json(nullptr);
}

Json target_json(const TargetSummary& target) {
  Json document = {{"name", target.name},
                   {"task", to_string(target.task)},
                   {"classes", target.classes.empty() ? Json(nullptr) : Json(target.classes)}};
  add_follow_up(target.follow_up, document);
  return document;
}

Json target_json(const Survey::TargetSurvey& target) {
  const bool numeric = target.classes.empty();
  Json classes = Json::object();
  for (const auto& [name, samples] : target.classes) classes[name] = samples;
  Json document = {{"name", target.name},
                   {"task", to_string(target.task)},
                   {"classes", numeric ? Json(nullptr) : classes},
                   {"minimum", numeric ? Json(target.minimum) : Json(nullptr)},
                   {"mean", numeric ? Json(target.mean) : Json(nullptr)},
                   {"maximum", numeric ? Json(target.maximum) : Json(nullptr)}};
  add_follow_up(target.follow_up, document);
  return document;
}

Json evaluate_options_json(const Evaluation& evaluation) {
  const EvaluateOptions& options = evaluation.options;
  Json document = options_json(options.select);
  document["adjust"] = evaluation.covariates;
  // What a selection has one of.
  document.erase("method");
  document.erase("features");
  if (!evaluation.over_folds) return document;
  document["methods"] = options.methods;
  document["n_features"] = options.features;
  document["folds"] = options.folds.folds;
  document["repeats"] = options.folds.repeats;
  document["seed"] = options.folds.seed;
  return document;
}

Json judged_json(const std::vector<JudgedSelection>& selections) {
  Json list = Json::array();
  for (const JudgedSelection& one : selections) {
    list.push_back({{"source", one.source},
                    {"method", one.method},
                    {"same_table", one.same_table},
                    {"selected", one.indices.size()},
                    {"reduction", one.metrics.reduction},
                    {"independence", one.metrics.independence},
                    {"nhsic", or_null(one.metrics.dependence)},
                    {"indices", one.indices}});
  }
  return list;
}

Json mean_json(const MeanOverSplits& mean) { return {{"mean", or_null(mean.mean)}, {"error", or_null(mean.error)}}; }

Json summary_json(const std::vector<MethodSummary>& summary) {
  Json list = Json::array();
  for (const MethodSummary& one : summary) {
    list.push_back({{"method", one.method},
                    {"m", one.m},
                    {"selected", one.selected},
                    {"reduction", one.reduction},
                    {"independence", mean_json(one.independence)},
                    {"nhsic", mean_json(one.dependence)},
                    {"stability", one.stability},
                    {"seconds", one.seconds}});
  }
  return list;
}

Json runs_json(const std::vector<MethodRun>& runs) {
  Json list = Json::array();
  for (const MethodRun& run : runs) {
    Json sets = Json::array();
    for (const ChosenSet& set : run.sets) {
      sets.push_back({{"m", set.m},
                      {"indices", set.indices},
                      {"independence", set.independence},
                      {"nhsic", or_null(set.dependence)}});
    }
    list.push_back({{"method", run.method}, {"seconds", run.seconds}, {"sets", std::move(sets)}});
  }
  return list;
}

Json folds_json(const std::vector<SplitRuns>& splits) {
  Json list = Json::array();
  for (const SplitRuns& split : splits) {
    list.push_back({{"repeat", split.repeat},
                    {"fold", split.fold},
                    {"held_out", split.held_out},
                    {"methods", runs_json(split.runs)}});
  }
  return list;
}

Json stability_options_json(const Stability& stability) {
  const StabilityOptions& options = stability.options;
  Json document = options_json(options.select);
  document["adjust"] = stability.covariates;
  document.erase("features");
  document["n_features"] = options.features ? Json(*options.features) : Json(nullptr);
  document["pairs"] = options.pairs;
  document["max_false"] = options.max_false;
  document["seed"] = options.seed;
  return document;
}

Json frequencies_json(const std::vector<FeatureFrequency>& features) {
  Json list = Json::array();
  for (const FeatureFrequency& feature : features) {
    list.push_back({{"rank", list.size() + 1},
                    {"index", feature.index},
                    {"name", feature.name},
                    {"count", feature.count},
                    {"frequency", feature.frequency},
                    {"group_frequency", feature.group_frequency},
                    {"group", feature.group},
                    {"group_names", feature.group_names},
                    {"stable", feature.stable}});
  }
  return list;
}

}  // namespace

std::string to_json(const Result& result) {
  const bool has_path = !result.path.empty();
  const auto if_path = [has_path](Json value) { return has_path ? std::move(value) : Json(nullptr); };

  Json document;
  document["schema_version"] = kSchemaVersion;
  document["version"] = result.version;
  document["command"] = result.command;
  document["options"] = options_json(result.options);
  document["data"] = {
      {"path", result.data.path},
      {"features", result.data.features},
      {"samples", result.data.samples},
      {"constant_features", result.data.constant_features},
      {"explained_features", result.adjustment ? std::ssize(result.adjustment->explained) : 0},
      {"nominal_features", result.data.nominal_features},
      {"distinct_features", result.data.distinct_features ? Json(*result.data.distinct_features) : Json()},
      {"missing_values", result.data.missing_values},
      {"fingerprint", result.data.fingerprint},
      {"id_column", result.data.id_column.empty() ? Json() : Json(result.data.id_column)},
      {"matched", matching_json(result.data.matching)},
      {"left_out", left_out_json(result.data.left_out)}};
  document["target"] = target_json(result.target);
  document["adjustment"] = adjustment_json(result.adjustment);
  document["method"] = result.options.method;
  document["measure"] = to_string(result.options.kernel.measure);
  document["factor"] = {{"kind", form_name(result.options.kernel)},
                        {"residual_bound", result.factor.residual_bound},
                        {"mean_columns", result.factor.mean_columns}};
  document["selected"] = selected_json(result);
  document["redundancy"] = nullptr;
  document["dropped"] = if_path(dropped_json(result));
  document["lambda"] = or_null(result.lambda);
  document["path"] = nullptr;
  document["stopped"] = if_path(result.stopped);
  document["permutations"] = permutations_json(result.permutations);
  document["figures"] = Json::object();
  for (const auto& [name, value] : result.figures) document["figures"][name] = value;
  document["certificate"] = certificate_json(result.certificate);
  document["work"] = {{"features_scored", result.work.features_scored},
                      {"features_copied", result.work.features_copied},
                      {"features_touched", result.work.features_touched},
                      {"pairs_by_stage", if_path(result.work.pairs_by_stage)},
                      {"pairs_full_algorithm", if_path(result.work.pairs_full_algorithm)}};
  document["engine"] = {{"name", result.engine.name},
                        {"workers", result.engine.workers},
                        {"jobs", result.engine.jobs},
                        {"bytes_moved", result.engine.bytes_moved},
                        {"seconds", result.engine.seconds}};
  document["seconds"] = {{"read", result.seconds.read},       {"score", result.seconds.score},
                         {"permute", result.seconds.permute}, {"path", result.seconds.path},
                         {"certify", result.seconds.certify}, {"total", result.seconds.total}};
  document["warnings"] = result.warnings;
  if (!has_path) return pretty(document);
  return pretty(document, {{"redundancy", matrix_text(result.redundancy)}, {"path", path_text(result.path)}});
}

std::string to_json(std::span<const Result> results) {
  std::string text = fmt::format("{{\n\"schema_version\": {},\n\"results\": ", kSchemaVersion);
  append_list(text, results, "[\n", ",\n", "]\n}\n",
              [](std::string& to, const Result& result) { to += to_json(result); });
  return text;
}

std::string to_json(const Evaluation& evaluation) {
  const bool over_folds = evaluation.over_folds;
  Json document;
  document["schema_version"] = kSchemaVersion;
  document["version"] = evaluation.version;
  document["command"] = evaluation.command;
  document["kind"] = over_folds ? "folds" : "selections";
  document["options"] = evaluate_options_json(evaluation);
  document["data"] = {
      {"path", evaluation.data.path}, {"features", evaluation.data.features}, {"samples", evaluation.data.samples}};
  document["target"] = target_json(evaluation.target);
  document["selections"] = over_folds ? Json(nullptr) : judged_json(evaluation.selections);
  document["summary"] = over_folds ? summary_json(evaluation.summary) : Json(nullptr);
  document["folds"] = over_folds ? folds_json(evaluation.splits) : Json(nullptr);
  document["seconds"] = {{"read", evaluation.seconds.read}, {"total", evaluation.seconds.total}};
  document["warnings"] = evaluation.warnings;
  return pretty(document);
}

std::string to_json(const Stability& stability) {
  Json document;
  document["schema_version"] = kSchemaVersion;
  document["version"] = stability.version;
  document["command"] = stability.command;
  document["kind"] = "stability";
  document["options"] = stability_options_json(stability);
  document["data"] = {
      {"path", stability.data.path}, {"features", stability.data.features}, {"samples", stability.data.samples}};
  document["target"] = {{"name", stability.target.name},
                        {"task", to_string(stability.target.task)},
                        {"classes", stability.target.classes.empty() ? Json(nullptr) : Json(stability.target.classes)}};
  document["method"] = stability.options.select.method;
  document["selections"] = stability.selections;
  document["asked"] = stability.asked;
  document["mean_selected"] = stability.mean_selected;
  document["threshold"] = or_null(stability.threshold);
  document["bound"] = or_null(stability.bound);
  document["features"] = frequencies_json(stability.features);
  document["seconds"] = {{"read", stability.seconds.read}, {"total", stability.seconds.total}};
  document["warnings"] = stability.warnings;
  return pretty(document);
}

std::string to_json(const Survey& survey) {
  Json document;
  document["schema_version"] = kSchemaVersion;
  document["path"] = survey.path;
  document["features"] = survey.features;
  document["samples"] = survey.samples;
  document["dtype"] = survey.dtype;
  document["storage"] = survey.storage;
  document["bytes_stored"] = survey.bytes_stored;
  document["missing"] = {{"values", survey.missing},
                         {"features", survey.features_missing},
                         {"first", survey.first_missing.empty() ? Json(nullptr) : Json(survey.first_missing)}};
  document["distinct_values"] = {{"constant", survey.distinct.constant},
                                 {"two", survey.distinct.two},
                                 {"3_to_64", survey.distinct.up_to_64},
                                 {"65_to_256", survey.distinct.up_to_256},
                                 {"more", survey.distinct.more}};
  document["encodings"] = {{"codes", survey.encodings.codes},
                           {"float32", survey.encodings.float32},
                           {"float64", survey.encodings.float64},
                           {"packed2", survey.encodings.packed2},
                           {"sparse_codes", survey.encodings.sparse_codes},
                           {"sparse_values", survey.encodings.sparse_values}};
  document["bytes_encoded"] = survey.bytes_encoded;
  Json text = Json::array();
  for (const Survey::TextSurvey& feature : survey.text) {
    text.push_back({{"name", feature.name},
                    {"cells", feature.cells},
                    {"missing", feature.missing},
                    {"distinct", feature.distinct > kMostCategories ? Json(nullptr) : Json(feature.distinct)},
                    {"words", feature.words}});
  }
  document["text"] = std::move(text);
  document["text_advice"] = survey.text.empty() ? Json(nullptr) : Json(survey.text_advice);
  document["id_column"] = survey.id_column.empty() ? Json(nullptr) : Json(survey.id_column);
  document["nominal_features"] = survey.nominal;
  document["warnings"] = survey.warnings;
  document["target"] = survey.target ? target_json(*survey.target) : Json(nullptr);
  return pretty(document);
}

}  // namespace land
