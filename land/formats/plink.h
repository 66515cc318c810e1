// PLINK's binary genotypes: .bed (calls, one SNP after the other), with .bim (SNPs) and .fam (samples) beside it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "land/data/table.h"
#include "land/formats/read_request.h"

namespace land {

bool is_bed(std::span<const std::byte> bytes);

// The three files as they stand. The calls stay packed in `bed`.
struct PlinkBytes {
  Bytes bed;
  Bytes bim;
  Bytes fam;
};

// The target is the phenotype of the .fam (-9 and NA are missing, and 0 where all others are 1 and 2), or a file: FID,
// IID and value in three columns, joined on both, or whatever other tables have. Samples without a phenotype are left
// out, and counted in Table::warnings. Missing calls are ignored unless told otherwise.
Table read_plink(const PlinkBytes& bytes, const ReadRequest& request);

// x.bed with x.bim and x.fam beside it.
Table read_plink(const Bytes& bed, const ReadRequest& request);

// Phenotypes of cases (2) and controls (1): 0 means unknown where everything else is 1 or 2, and becomes -9.
void settle_case_control(std::vector<std::string>& values);

}  // namespace land
