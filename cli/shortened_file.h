// A file that is shortened while it is read ends the program in order.
#pragma once

namespace land::cli {

// From now on: one line on standard error, no output, nothing half-written left behind, exit code 2.
void end_on_shortened_file();

}  // namespace land::cli
