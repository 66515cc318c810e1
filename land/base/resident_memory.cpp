#include "land/base/resident_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace land {

ResidentMemory resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  std::int64_t shared = 0;
  if (!(file >> size >> resident >> shared)) return {};
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  return {resident * page, shared * page};
}

std::int64_t available_memory() {
  std::int64_t most = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  struct rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && std::cmp_less(limit.rlim_cur, most)) {
    most = static_cast<std::int64_t>(limit.rlim_cur);
  }
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::int64_t container = 0;
  if (file >> container) most = std::min(most, container);
  return most;
}

}  // namespace land
