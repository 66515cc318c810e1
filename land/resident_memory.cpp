#include "land/resident_memory.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace land {

std::int64_t resident_memory() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), std::fclose);
  long long size = 0;
  long long resident = 0;
  if (!file || std::fscanf(file.get(), "%lld %lld", &size, &resident) != 2) return 0;
  return resident * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace land
