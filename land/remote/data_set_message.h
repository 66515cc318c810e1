// Which data set a message is of, as a part of it.
#pragma once

#include "land/remote/block_table.h"
#include "land/wire/message.h"

namespace land {

void put_data_set(const DataSet& data, MessageWriter& writer);
// Throws InputError for what is impossible.
DataSet take_data_set(MessageReader& reader);

}  // namespace land
