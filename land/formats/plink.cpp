#include "land/formats/plink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "land/base/error.h"
#include "land/base/option.h"
#include "land/blocks/genotype_source.h"
#include "land/files/mapped_file.h"
#include "land/formats/find_targets.h"
#include "land/formats/target_values.h"
#include "land/text/parse_number.h"
#include "land/text/printable.h"

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
  std::vector<bool> founders;
  std::vector<std::string> phenotypes;
  std::vector<std::string> places;
};

Samples read_fam(const Bytes& bytes, const std::string& name) {
  Samples samples;
  Lines lines(bytes, name);
  for (std::vector<std::string_view> fields; lines.next(fields);) {
    lines.need(fields.size(), 6, "family, individual, father, mother, sex, phenotype");
    samples.keys.emplace_back(to_utf8(fields[0]), to_utf8(fields[1]));
    samples.founders.push_back(fields[2] == "0" && fields[3] == "0");
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

}  // namespace

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

namespace {

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
    table_.sample_ids = sample_ids();
    table_.samples_may_lack_target = true;
    table_.encoded =
        std::make_shared<GenotypeSource>(bytes_.bed.view.subspan(kHeader), bytes_.bed.owner, bytes_.bed.mapped,
                                         std::ssize(table_.feature_names), std::ssize(samples_.keys));
    table_.pedigree.emplace();
    for (const SampleKey& key : samples_.keys) table_.pedigree->families.push_back(key.first);
    table_.pedigree->founders = std::move(samples_.founders);
    read_target();
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

  // The phenotype in the .fam file, unless there is another.
  void read_target() {
    const std::string& asked = request_.options.target;
    if (!asked.empty()) {
      if (request_.target_is_file) return;
      throw InputError(
          fmt::format("{}: no such file; the target of genotypes is the phenotype in the .fam file, or a file",
                      option(target_key(request_.options), asked)));
    }
    std::vector<std::string>& values = samples_.phenotypes;
    settle_case_control(values);
    if (std::all_of(values.begin(), values.end(), is_missing_phenotype)) return;  // no target: select says so
    for (std::string& value : values) {
      if (is_missing_phenotype(value)) value.clear();
    }
    table_.target = target_from_text("phenotype", values,
                                     [&](std::int64_t i) { return samples_.places[static_cast<std::size_t>(i)]; });
  }

  const PlinkBytes& bytes_;
  const ReadRequest& request_;
  std::string stem_;
  Samples samples_;
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
