#include "land/base/resident_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
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

std::int64_t available_memory() {
  std::int64_t most = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  struct rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(most)) {
    most = static_cast<std::int64_t>(limit.rlim_cur);
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/sys/fs/cgroup/memory.max", "re"),
                                                             std::fclose);
  long long container = 0;
  if (file && std::fscanf(file.get(), "%lld", &container) == 1) most = std::min<std::int64_t>(most, container);
  return most;
}

}  // namespace land
