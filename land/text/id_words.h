// Words above columns that tell samples, or features, apart.
#pragma once

#include <string_view>

namespace land {

// Nothing, or one of the words of docs/formats.md (id, sample, patient_id, IID, barcode, ...), case and punctuation
// ignored: a column of sample ids, if its values allow it.
bool marks_sample_ids(std::string_view name);
// Nothing, "id" or "sample": whatever the values are.
bool always_marks_sample_ids(std::string_view name);

// Words for features alone: gene, probe, Ensembl ID, ... No table of samples has them above its ids.
bool marks_features_only(std::string_view name);

// The above, or what tables with a feature in each row write above their names: gene, Gene Symbol, ID_REF, probe, ...
bool marks_feature_names(std::string_view name);

}  // namespace land
