// Names, each with a range of addresses if need be, that a signal handler can look through.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>

namespace land {

// Entries are reused, never freed, so a handler that walks over them in any thread meets no memory that is gone. One
// object lives as long as the program.
class SignalSafeNames {
 public:
  static constexpr std::size_t kMostBytes = 4096;  // of a name and the zero behind it; what is longer is cut

  class Entry {
   private:
    friend class SignalSafeNames;
    std::atomic<std::uint64_t> version_{0};  // odd: in use
    std::uintptr_t begin_ = 0;
    std::uintptr_t end_ = 0;
    char name_[kMostBytes] = {};
    Entry* next_ = nullptr;
  };

  Entry* add(std::string_view name, const void* begin = nullptr, std::size_t size = 0) {
    const std::scoped_lock lock(mutex_);
    Entry* entry = head_.load();
    while (entry != nullptr && entry->version_.load() % 2 == 1) entry = entry->next_;
    const bool fresh = entry == nullptr;
    if (fresh) entry = new Entry;
    entry->begin_ = reinterpret_cast<std::uintptr_t>(begin);
    entry->end_ = entry->begin_ + size;
    const std::size_t length = name.copy(entry->name_, kMostBytes - 1);
    entry->name_[length] = '\0';
    if (fresh) {
      entry->next_ = head_.load();
      head_.store(entry);
    }
    ++entry->version_;
    return entry;
  }

  void remove(Entry* entry) {
    const std::scoped_lock lock(mutex_);
    ++entry->version_;
  }

  // Calls visit(name, begin, end) for every entry that stays as it is while it is copied. Safe in a signal handler if
  // `visit` is.
  template <class Visit>
  void visit(const Visit& visit) const {
    char name[kMostBytes];
    for (const Entry* entry = head_.load(); entry != nullptr; entry = entry->next_) {
      const std::uint64_t version = entry->version_.load();
      if (version % 2 == 0) continue;
      std::memcpy(name, entry->name_, kMostBytes);
      const std::uintptr_t begin = entry->begin_;
      const std::uintptr_t end = entry->end_;
      if (entry->version_.load() == version) visit(static_cast<const char*>(name), begin, end);
    }
  }

 private:
  std::mutex mutex_;  // of those who add and remove
  std::atomic<Entry*> head_{nullptr};
};

}  // namespace land
