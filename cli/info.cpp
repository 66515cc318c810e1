// land info: what a table holds.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/listed_option.h"
#include "cli/progress.h"
#include "cli/quantities.h"
#include "cli/reading.h"
#include "cli/spelling.h"
#include "cli/standard_output.h"
#include "cli/stop.h"
#include "land/commands/survey.h"
#include "land/report/json.h"
#include "land/results/spelled.h"
#include "land/text/printable.h"

namespace land::cli {

namespace {

struct Arguments {
  Reading reading;
  bool json = false;
  bool quiet = false;
};

std::string missing_in_words(const Survey& survey) {
  if (survey.missing == 0) return "none";
  return fmt::format("{} not finite in {}, the first at {}", counted(survey.missing, "value"),
                     counted(survey.features_missing, "feature"), survey.first_missing);
}

std::string text_in_words(const Survey::TextSurvey& text, std::int64_t samples) {
  std::string words;
  for (const std::string& word : text.words) words += (words.empty() ? "" : ", ") + in_quotes(word);
  const bool many = text.distinct > kMostCategories;
  if (many || text.distinct > std::ssize(text.words)) words += ", ...";
  return fmt::format("{}: {}, {}{}{} ({})", in_quotes(text.name),
                     text.cells + text.missing == samples ? "words" : counted(text.cells, "cell") + " of text",
                     many ? fmt::format("more than {}", kMostCategories) : fmt::format("{}", text.distinct),
                     " distinct", text.missing == 0 ? "" : fmt::format(", {} missing", grouped(text.missing)), words);
}

std::string target_in_words(const Survey::TargetSurvey& target) {
  std::string text = fmt::format("'{}', {}: ", escaped(target.name), to_string(target.task));
  if (target.follow_up) {
    return text + fmt::format("{}, times {:.4g} .. {:.4g}, median {:.4g}", counted(target.follow_up->events, "event"),
                              target.minimum, target.maximum, target.follow_up->median_time);
  }
  if (target.classes.empty()) {
    return text + fmt::format("{:.4g} .. {:.4g}, mean {:.4g}", target.minimum, target.maximum, target.mean);
  }
  constexpr std::size_t kShown = 10;
  text += fmt::format("{} classes (", target.classes.size());
  for (std::size_t c = 0; c < target.classes.size() && c < kShown; ++c) {
    text +=
        fmt::format("{}{}: {}", c > 0 ? ", " : "", escaped(target.classes[c].first), grouped(target.classes[c].second));
  }
  return text + (target.classes.size() > kShown ? ", ...)" : ")");
}

std::string to_text(const Survey& survey) {
  const auto& distinct = survey.distinct;
  const auto& encodings = survey.encodings;
  std::string text = fmt::format("{}: {} x {}\n", escape_controls(survey.path), counted(survey.features, "feature"),
                                 counted(survey.samples, "sample"));
  const auto line = [&text](const char* title, const std::string& words) {
    text += fmt::format("  {:<12}{}\n", title, words);
  };
  line("values", fmt::format("{}, {}, {}", survey.dtype, bytes(static_cast<double>(survey.bytes_stored)),
                             survey.storage == "mapped" ? "mapped from the file" : "in memory"));
  line("missing", missing_in_words(survey));
  line("constant", counted(distinct.constant, "feature"));
  line("distinct", fmt::format("2 values: {}, 3 to 64: {}, 65 to 256: {}, more: {}", grouped(distinct.two),
                               grouped(distinct.up_to_64), grouped(distinct.up_to_256), grouped(distinct.more)));
  std::string kinds = fmt::format("codes: {}, float32: {}, float64: {}", grouped(encodings.codes),
                                  grouped(encodings.float32), grouped(encodings.float64));
  if (encodings.packed2 > 0) kinds += fmt::format(", packed2: {}", grouped(encodings.packed2));
  if (encodings.sparse_codes > 0) kinds += fmt::format(", sparse codes: {}", grouped(encodings.sparse_codes));
  if (encodings.sparse_values > 0) kinds += fmt::format(", sparse values: {}", grouped(encodings.sparse_values));
  line("encodings", kinds);
  line("memory", fmt::format("{} for the encoded features", bytes(static_cast<double>(survey.bytes_encoded))));
  if (survey.nominal > 0) line("nominal", counted(survey.nominal, "feature"));
  constexpr std::size_t kShown = 20;
  for (std::size_t k = 0; k < std::min(kShown, survey.text.size()); ++k) {
    line(k == 0 ? "text" : "", text_in_words(survey.text[k], survey.samples));
  }
  if (survey.text.size() > kShown) line("", fmt::format("and {} more", survey.text.size() - kShown));
  if (!survey.text.empty()) line("", survey.text_advice);
  if (!survey.id_column.empty()) line("sample ids", fmt::format("column {}", in_quotes(survey.id_column)));
  if (survey.target) line("target", target_in_words(*survey.target));
  for (const std::string& warning : survey.warnings) line("warning", warning);
  return text;
}

void run(const Arguments& arguments) {
  Progress progress(arguments.quiet);
  const Context context{1, std::ref(progress), &stop_requested()};
  Reading reading = arguments.reading;
  reading.options.describe_text = true;
  const Table table = read(reading, context);
  Survey result = spelled(survey(table, context), as_typed);
  if (table.target) result.target = survey(make_target(target_of(table), task_of(arguments.reading)));
  progress.clear();
  write_standard_output(arguments.json ? to_json(result) : to_text(result));
}

}  // namespace

void add_info(CLI::App& program) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *program.add_subcommand(
      "info", "Say what a table holds: shape, types, missing and constant features, text, memory needed");
  add_reading_options(command, arguments->reading);
  add_task_option(command, arguments->reading);
  add_survival_option(command, arguments->reading);
  add_listed(command, "json", arguments->json);
  add_listed(command, "quiet", arguments->quiet);
  command.footer(
      "Examples:\n"
      "  land info genes.csv\n"
      "  land info genes.csv --target disease\n"
      "      Also the task that would be chosen, and the classes with their sizes.\n"
      "  land info X.npy --rows features --json");
  command.callback([arguments] { run(*arguments); });
}

}  // namespace land::cli
