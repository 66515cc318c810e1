#include "land/text/id_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace land {
namespace {

// Lower case, letters and digits only: "Gene Symbol", "gene_symbol" and "#GeneSymbol" are the same word.
std::string word_of(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0) word += static_cast<char>(std::tolower(byte));
  }
  return word;
}

}  // namespace

bool always_marks_sample_ids(std::string_view name) {
  const std::string word = word_of(name);
  return name.empty() || word == "id" || word == "sample";
}

bool marks_sample_ids(std::string_view name) {
  constexpr std::array kWords = {"ids",
                                 "samples",
                                 "sampleid",
                                 "sampleids",
                                 "samplename",
                                 "samplenames",
                                 "samplebarcode",
                                 "patient",
                                 "patientid",
                                 "patientno",
                                 "patientnumber",
                                 "patientcode",
                                 "patients",
                                 "patientbarcode",
                                 "subject",
                                 "subjectid",
                                 "subjectno",
                                 "subjects",
                                 "usubjid",
                                 "iid",
                                 "fid",
                                 "barcode",
                                 "barcodes",
                                 "cellbarcode",
                                 "caseid",
                                 "donor",
                                 "donorid",
                                 "cell",
                                 "cellid",
                                 "cells",
                                 "individual",
                                 "individualid",
                                 "individuals",
                                 "participant",
                                 "participantid",
                                 "person",
                                 "personid",
                                 "specimen",
                                 "specimenid",
                                 "eid",
                                 "recordid",
                                 "studyid",
                                 "submitterid",
                                 "animal",
                                 "animalid",
                                 "uuid",
                                 "mrn",
                                 "geoaccession",
                                 "runid",
                                 "bcrpatientbarcode",
                                 "bcrsamplebarcode",
                                 "casesubmitterid"};
  const std::string word = word_of(name);
  return always_marks_sample_ids(name) || std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool marks_features_only(std::string_view name) {
  constexpr std::array kWords = {
      "gene",      "genes",     "geneid",   "genename",   "genesymbol",   "symbol",        "hugosymbol", "feature",
      "features",  "featureid", "probe",    "probeid",    "probeset",     "probesetid",    "idref",      "ensembl",
      "ensemblid", "entrez",    "entrezid", "entrezgene", "entrezgeneid", "ensemblgeneid", "transcript", "transcriptid",
      "marker",    "snp",       "rsid",     "otu",        "otuid",        "protein",       "proteinid"};
  const std::string word = word_of(name);
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool marks_feature_names(std::string_view name) {
  constexpr std::array kWords = {"name", "names", "rowname", "rownames", "variable", "samples", "sampleid", "ids"};
  const std::string word = word_of(name);
  return always_marks_sample_ids(name) || marks_features_only(name) ||
         std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace land
