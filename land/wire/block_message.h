// Features, as bytes and back. Places in a block do not cross, so none of them has to be believed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "land/blocks/feature_block.h"
#include "land/wire/message.h"

namespace land {

// Every feature with stride 1 and without the statistics of strips, whatever it had.
std::string to_message(const FeatureBlock& block);
// Throws InputError for what is damaged, is of another number of samples, or whose values are not what their headers
// say (check_feature.h). One copy of the values, and a pass over them.
FeatureBlock read_block(std::string_view message, std::int64_t samples);

// As a part of another message.
void put_block(const FeatureBlock& block, MessageWriter& writer);
FeatureBlock take_block(MessageReader& reader);

}  // namespace land
