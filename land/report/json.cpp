#include "land/report/json.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace land {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// One line per field, and one per element of an array of objects or arrays: short enough to read, and to diff.
std::string pretty(const Json& document) {
  std::string text = "{\n";
  bool first_field = true;
  for (const auto& [key, value] : document.items()) {
    if (!first_field) text += ",\n";
    first_field = false;
    text += "  " + compact(key) + ": ";
    if (!value.is_array() || value.empty() || value.front().is_primitive()) {
      text += compact(value);
      continue;
    }
    text += "[\n";
    bool first_element = true;
    for (const Json& element : value) {
      if (!first_element) text += ",\n";
      first_element = false;
      text += "    " + compact(element);
    }
    text += "\n  ]";
  }
  return text + "\n}\n";
}

Json options_json(const SelectOptions& options) {
  return {{"features", options.features},
          {"task", to_string(options.task)},
          {"method", to_string(options.method)},
          {"measure", to_string(options.kernel.measure)},
          {"sigma", options.kernel.sigma},
          {"factor", to_string(options.kernel.factor)},
          {"basis", options.kernel.basis},
          {"ridge", options.ridge},
          {"plain_path", options.plain_path},
          {"block_size", options.block_size},
          {"missing", to_string(options.kernel.missing)}};
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
                    {"redundancy", result.dropped_redundancy[t]}});
  }
  return list;
}

Json selected_json(const Result& result) {
  const bool has_path = result.options.method == Method::kLand;  // along which copies are found
  Json list = Json::array();
  for (const SelectedFeature& feature : result.selected) {
    list.push_back({{"rank", list.size() + 1},
                    {"index", feature.index},
                    {"name", feature.name},
                    {"relevance", feature.relevance},
                    {"coefficient", or_null(feature.coefficient)},
                    {"lambda_entered", or_null(feature.lambda_entered)},
                    {"identical", has_path ? Json(feature.identical) : Json()}});
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

Json path_json(const Result& result) {
  Json list = Json::array();
  for (const PathStep& step : result.path) {
    Json coefficients = Json::array();
    for (const auto& [index, alpha] : step.coefficients) coefficients.push_back(Json::array({index, alpha}));
    list.push_back({{"lambda", step.lambda},
                    {"event", event_name(step.event)},
                    {"index", or_null(step.index)},
                    {"coefficients", std::move(coefficients)}});
  }
  return list;
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

Json target_json(const Survey::TargetSurvey& target) {
  const bool numeric = target.task == Task::kRegression;
  Json classes = Json::object();
  for (const auto& [name, samples] : target.classes) classes[name] = samples;
  return {{"name", target.name},
          {"task", to_string(target.task)},
          {"classes", numeric ? Json(nullptr) : classes},
          {"minimum", numeric ? Json(target.minimum) : Json(nullptr)},
          {"mean", numeric ? Json(target.mean) : Json(nullptr)},
          {"maximum", numeric ? Json(target.maximum) : Json(nullptr)}};
}

}  // namespace

std::string to_json(const Result& result) {
  const bool has_path = result.options.method == Method::kLand;
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
      {"nominal_features", result.data.nominal_features},
      {"distinct_features", result.data.distinct_features ? Json(*result.data.distinct_features) : Json()},
      {"missing_values", result.data.missing_values},
      {"fingerprint", result.data.fingerprint}};
  document["target"] = {
      {"name", result.target.name},
      {"task", to_string(result.target.task)},
      {"classes", result.target.task == Task::kClassification ? Json(result.target.classes) : Json(nullptr)}};
  document["method"] = to_string(result.options.method);
  document["measure"] = to_string(result.options.kernel.measure);
  document["factor"] = {{"kind", to_string(result.options.kernel.factor)},
                        {"residual_bound", result.factor.residual_bound},
                        {"mean_columns", result.factor.mean_columns}};
  document["selected"] = selected_json(result);
  document["redundancy"] = if_path(result.redundancy);
  document["dropped"] = if_path(dropped_json(result));
  document["lambda"] = or_null(result.lambda);
  document["path"] = if_path(path_json(result));
  document["stopped"] = if_path(result.stopped);
  document["certificate"] = certificate_json(result.certificate);
  document["work"] = {{"features_scored", result.work.features_scored},
                      {"features_copied", result.work.features_copied},
                      {"features_touched", result.work.features_touched},
                      {"pairs_by_stage", if_path(result.work.pairs_by_stage)},
                      {"pairs_full_algorithm", if_path(result.work.pairs_full_algorithm)}};
  document["seconds"] = {{"read", result.seconds.read},
                         {"score", result.seconds.score},
                         {"path", result.seconds.path},
                         {"certify", result.seconds.certify},
                         {"total", result.seconds.total}};
  document["warnings"] = result.warnings;
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
  document["target"] = survey.target ? target_json(*survey.target) : Json(nullptr);
  return pretty(document);
}

}  // namespace land
