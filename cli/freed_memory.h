// What becomes of memory that was freed.
#pragma once

namespace land::cli {

// It is used again: giving it back to the system and asking anew costs page faults.
void keep_freed_memory();

// Large pieces go back at once: for work within a limit, where they would count.
void give_back_freed_memory();

}  // namespace land::cli
