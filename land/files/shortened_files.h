// A file that another program shortens while it is mapped: touching what is gone raises SIGBUS.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace land {

// Owns a mapping that was just made, and unmaps it; until then a handler of SIGBUS knows whose it is.
std::shared_ptr<const void> own_mapping(void* address, std::size_t size, const std::string& path);

// For front ends, once, since handlers belong to the whole process. From now on a fault in a mapping of own_mapping
// calls `end` with the name of the file, fit to be printed, in the signal handler: it may only do what is safe there,
// and must end the process. Without `end` what is gone reads as zeros, and FilesInUse::check_unchanged finds the file
// changed when the stage of work is done. All other faults go to the handler that was there before.
void catch_shortened_files(void (*end)(const char* path) = nullptr);

}  // namespace land
