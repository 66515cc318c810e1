// Growing buffers aligned to cache lines, whose memory is not touched before it is written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "land/base/error.h"

namespace land {

inline constexpr std::size_t kCacheLine = 64;

// Like a vector of trivial T, but aligned to a cache line, and growing leaves new elements unset.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) { resize(size); }
  AlignedBuffer(const AlignedBuffer& other) { *this = other; }
  AlignedBuffer(AlignedBuffer&& other) noexcept
      : owned_(std::exchange(other.owned_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  AlignedBuffer& operator=(const AlignedBuffer& other) {
    if (this != &other) {
      clear();
      resize(other.size_);
      if (size_ > 0) std::memcpy(data_, other.data_, size_ * sizeof(T));
    }
    return *this;
  }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(owned_, other.owned_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~AlignedBuffer() { std::free(owned_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void clear() { size_ = 0; }
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void assign(std::size_t size, T value) {
    resize(size);
    for (std::size_t i = 0; i < size; ++i) data_[i] = value;
  }

 private:
  void grow(std::size_t size) {
    const std::size_t wanted = size_ == 0 ? size : std::max(size, capacity_ + capacity_ / 2);
    const std::size_t bytes = (wanted * sizeof(T) + kCacheLine - 1) / kCacheLine * kCacheLine;
    // A line more than asked for is several times quicker than aligned_alloc, which cuts what it gets into pieces.
    std::size_t room = bytes + kCacheLine;
    void* const fresh = std::malloc(room);
    if (fresh == nullptr) throw NotEnoughMemory(bytes);
    void* aligned = fresh;
    std::align(kCacheLine, bytes, aligned, room);
    if (size_ > 0) std::memcpy(aligned, data_, size_ * sizeof(T));
    std::free(owned_);
    owned_ = fresh;
    data_ = static_cast<T*>(aligned);
    capacity_ = bytes / sizeof(T);
  }

  void* owned_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

using AlignedBytes = AlignedBuffer<std::byte>;

}  // namespace land
