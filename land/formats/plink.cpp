#include "land/formats/plink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "land/blocks/genotype_source.h"
#include "land/error.h"
#include "land/formats/mapped_file.h"
#include "land/formats/parse_number.h"
#include "land/formats/printable.h"
#include "land/formats/target_column.h"
#include "land/formats/target_file.h"

namespace land {
namespace {

constexpr std::array<std::byte, 2> kMagic = {std::byte{0x6C}, std::byte{0x1B}};
constexpr std::int64_t kHeader = 3;

// Fields between blanks, line by line.
class Lines {
 public:
  Lines(const Bytes& bytes, std::string name)
      : text_(reinterpret_cast<const char*>(bytes.view.data()), bytes.view.size()), name_(std::move(name)) {}

  // The fields of the next line that is not blank; false at the end.
  bool next(std::vector<std::string_view>& fields) {
    fields.clear();
    while (fields.empty() && at_ < text_.size()) {
      ++line_;
      while (at_ < text_.size() && text_[at_] != '\n') {
        const std::size_t from = at_;
        while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
        if (at_ > from) fields.push_back(text_.substr(from, at_ - from));
        while (at_ < text_.size() && text_[at_] != '\n' && is_blank(text_[at_])) ++at_;
      }
      ++at_;
    }
    return !fields.empty();
  }
  void need(std::size_t found, std::size_t wanted, const char* which) const {
    if (found >= wanted) return;
    throw InputError(fmt::format("{}: line {}: found {} field{}, expected {}: {}", name_, line_, found,
                                 found == 1 ? "" : "s", wanted, which));
  }
  std::string place() const { return fmt::format("{}: line {}", name_, line_); }
  std::int64_t line() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::int64_t line_ = 0;
};

using SampleKey = std::pair<std::string, std::string>;  // FID and IID

struct Samples {
  std::vector<SampleKey> keys;
  std::vector<std::string> phenotypes;
  std::vector<std::string> places;
};

Samples read_fam(const Bytes& bytes, const std::string& name) {
  Samples samples;
  Lines lines(bytes, name);
  for (std::vector<std::string_view> fields; lines.next(fields);) {
    lines.need(fields.size(), 6, "family, individual, father, mother, sex, phenotype");
    samples.keys.emplace_back(to_utf8(fields[0]), to_utf8(fields[1]));
    samples.phenotypes.emplace_back(to_utf8(fields[5]));
    samples.places.push_back(lines.place());
  }
  return samples;
}

std::vector<std::string> read_bim(const Bytes& bytes, const std::string& name) {
  std::vector<std::string> names;
  Lines lines(bytes, name);
  for (std::vector<std::string_view> fields; lines.next(fields);) {
    lines.need(fields.size(), 4, "chromosome, SNP, (distance,) position, two alleles");
    names.push_back(to_utf8(fields[1]));
  }
  return names;
}

bool is_missing_phenotype(const std::string& value) { return is_missing(value) || value == "-9" || value == "."; }

// 0 means unknown where everything else is 1 (a control) or 2 (a case).
void settle_case_control(std::vector<std::string>& values) {
  bool has_one_or_two = false;
  for (const std::string& value : values) {
    if (value == "1" || value == "2") has_one_or_two = true;
    if (value != "0" && value != "1" && value != "2" && !is_missing_phenotype(value)) return;
  }
  const bool both = std::find(values.begin(), values.end(), "1") != values.end() &&
                    std::find(values.begin(), values.end(), "2") != values.end();
  if (!has_one_or_two || !both) return;
  std::replace(values.begin(), values.end(), std::string("0"), std::string("-9"));
}

bool has_three_columns(const Bytes& bytes, const std::string& name) {
  Lines lines(bytes, name);
  std::vector<std::string_view> fields;
  return lines.next(fields) && fields.size() == 3 && fields[0].find_first_of(",;") == std::string_view::npos;
}

// FID, IID and value: the values of the samples, "-9" for those that the file does not have.
std::string join_phenotypes(const Bytes& bytes, const std::string& name, Samples& samples) {
  std::map<SampleKey, std::size_t> row_of;
  for (std::size_t i = 0; i < samples.keys.size(); ++i) row_of.emplace(samples.keys[i], i);
  std::vector<std::string> values(samples.keys.size(), "-9");
  std::string target_name = name.substr(name.find_last_of('/') + 1);
  std::size_t found = 0;
  Lines lines(bytes, name);
  for (std::vector<std::string_view> fields; lines.next(fields);) {
    lines.need(fields.size(), 3, "family, individual, phenotype");
    if (lines.line() == 1 && fields[0] == "FID") {
      target_name = to_utf8(fields[2]);
      continue;
    }
    const auto row = row_of.find({to_utf8(fields[0]), to_utf8(fields[1])});
    if (row == row_of.end()) continue;
    values[row->second] = to_utf8(fields[2]);
    samples.places[row->second] = lines.place();
    ++found;
  }
  if (found == 0) {
    throw InputError(fmt::format("{}: none of its samples (FID and IID) is in the .fam file, whose first is {} {}",
                                 name, samples.keys[0].first, samples.keys[0].second));
  }
  samples.phenotypes = std::move(values);
  return target_name;
}

class PlinkReader {
 public:
  PlinkReader(const PlinkBytes& bytes, const ReadRequest& request)
      : bytes_(bytes), request_(request), stem_(request.name.substr(0, request.name.rfind('.'))) {}

  Table read() {
    samples_ = read_fam(bytes_.fam, stem_ + ".fam");
    table_.path = request_.name;
    table_.feature_names = read_bim(bytes_.bim, stem_ + ".bim");
    table_.default_missing = Missing::kIgnore;
    check_size();
    check_keys();
    read_target();
    const std::int64_t recorded = std::ssize(samples_.keys);
    table_.encoded =
        std::make_shared<GenotypeSource>(bytes_.bed.view.subspan(kHeader), bytes_.bed.owner, bytes_.bed.mapped,
                                         std::ssize(table_.feature_names), recorded, std::move(kept_));
    return std::move(table_);
  }

 private:
  void check_size() const {
    const auto size = static_cast<std::int64_t>(bytes_.bed.view.size());
    if (size >= kHeader && bytes_.bed.view[2] == std::byte{0}) {
      throw InputError(
          fmt::format("{}: calls stand by individual, an old layout; rewrite it with plink --make-bed", request_.name));
    }
    const std::int64_t snps = std::ssize(table_.feature_names);
    const std::int64_t people = std::ssize(samples_.keys);
    if (snps == 0 || people == 0) {
      throw InputError(fmt::format("{}: the file is empty", stem_ + (snps == 0 ? ".bim" : ".fam")));
    }
    const std::int64_t wanted = kHeader + snps * packed_bytes(people);
    if (size == wanted) return;
    throw InputError(fmt::format(
        "{}: {} bytes, but {} SNPs (.bim) of {} samples (.fam) take {}; the three files do not belong together, or the "
        "copy is incomplete",
        request_.name, size, snps, people, wanted));
  }

  void check_keys() {
    std::map<SampleKey, std::size_t> seen;
    for (std::size_t i = 0; i < samples_.keys.size(); ++i) {
      if (!seen.emplace(samples_.keys[i], i).second) {
        throw InputError(fmt::format("{}: sample {} {} occurs twice", samples_.places[i], samples_.keys[i].first,
                                     samples_.keys[i].second));
      }
    }
  }

  // By the individual's id if those are unique, else by both.
  std::vector<std::string> sample_ids() const {
    std::vector<std::string> ids;
    for (const auto& [family, individual] : samples_.keys) ids.push_back(individual);
    std::vector<std::string> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return ids;
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = samples_.keys[i].first + " " + samples_.keys[i].second;
    return ids;
  }

  void read_target() {
    table_.sample_ids = sample_ids();
    std::string name = "phenotype";
    const std::string& asked = request_.options.target;
    if (!asked.empty()) {
      if (!request_.target_is_file) {
        throw InputError(fmt::format(
            "--target {}: no such file; the target of genotypes is the phenotype in the .fam file, or a file", asked));
      }
      const Bytes file = open_bytes(asked, request_.context);
      if (!has_three_columns(file, asked)) return read_plain_target(file);
      name = join_phenotypes(file, asked, samples_);
    } else {
      settle_case_control(samples_.phenotypes);
      const auto& values = samples_.phenotypes;
      if (std::all_of(values.begin(), values.end(), is_missing_phenotype)) return;  // no target: select says so
    }
    leave_out_missing();
    table_.target = target_from_text(name, samples_.phenotypes,
                                     [&](std::int64_t i) { return samples_.places[static_cast<std::size_t>(i)]; });
  }

  // A file like those of other tables: all samples must be in it.
  void read_plain_target(const Bytes& file) {
    table_.encoded = std::make_shared<GenotypeSource>(bytes_.bed.view.subspan(kHeader), bytes_.bed.owner,
                                                      bytes_.bed.mapped, std::ssize(table_.feature_names),
                                                      std::ssize(samples_.keys), std::vector<std::int32_t>());
    table_.target = read_target_bytes(file, request_.options.target, table_, request_.options, request_.context);
  }

  void leave_out_missing() {
    std::vector<std::string> values;
    std::vector<std::string> places;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < samples_.phenotypes.size(); ++i) {
      if (is_missing_phenotype(samples_.phenotypes[i])) continue;
      kept_.push_back(static_cast<std::int32_t>(i));
      values.push_back(samples_.phenotypes[i]);
      places.push_back(samples_.places[i]);
      ids.push_back(table_.sample_ids[i]);
    }
    const auto left_out = static_cast<std::int64_t>(samples_.phenotypes.size() - values.size());
    if (values.empty()) throw InputError(fmt::format("{}: no sample has a phenotype", request_.name));
    if (left_out == 0) {
      kept_.clear();
    } else {
      table_.warnings.push_back(fmt::format("{} without a phenotype {} left out",
                                            left_out == 1 ? "1 sample" : fmt::format("{} samples", left_out),
                                            left_out == 1 ? "was" : "were"));
    }
    samples_.phenotypes = std::move(values);
    samples_.places = std::move(places);
    table_.sample_ids = std::move(ids);
  }

  const PlinkBytes& bytes_;
  const ReadRequest& request_;
  std::string stem_;
  Samples samples_;
  std::vector<std::int32_t> kept_;  // empty: all
  Table table_;
};

}  // namespace

bool is_bed(std::span<const std::byte> bytes) {
  return bytes.size() >= kHeader && std::equal(kMagic.begin(), kMagic.end(), bytes.begin()) && bytes[2] <= std::byte{1};
}

Table read_plink(const PlinkBytes& bytes, const ReadRequest& request) { return PlinkReader(bytes, request).read(); }

Table read_plink(const Bytes& bed, const ReadRequest& request) {
  const std::string stem = request.name.substr(0, request.name.rfind('.'));
  if (!request.from_file) throw InputError(request.name + ": needs the .bim and .fam files beside it");
  for (const char* ending : {".bim", ".fam"}) {
    if (!file_exists(stem + ending)) {
      throw InputError(fmt::format("{}: {} is not beside it; PLINK's genotypes are three files", request.name,
                                   stem.substr(stem.find_last_of('/') + 1) + ending));
    }
  }
  return read_plink({bed, open_bytes(stem + ".bim", request.context), open_bytes(stem + ".fam", request.context)},
                    request);
}

}  // namespace land
