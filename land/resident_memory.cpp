#include "land/resident_memory.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace land {

ResidentMemory resident_memory() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), std::fclose);
  long long size = 0;
  long long resident = 0;
  long long shared = 0;
  if (!file || std::fscanf(file.get(), "%lld %lld %lld", &size, &resident, &shared) != 3) return {};
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  return {resident * page, shared * page};
}

}  // namespace land
