// Memory for many arrays whose lengths are known only once they are written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "land/base/aligned.h"
#include "land/base/populate.h"

namespace land {

// A part of a slab, which lives as long as any of its parts.
template <class T>
struct SlabArray {
  std::span<T> view;
  std::shared_ptr<const void> owner;

  std::size_t size() const { return view.size(); }
  bool empty() const { return view.empty(); }
  T* data() const { return view.data(); }
  T& operator[](std::size_t i) const { return view[i]; }
};

// Cuts arrays one after the other from slabs. What is not kept costs memory in the last slab only.
template <class T>
class SlabWriter {
 public:
  // Room for `most` elements, unset.
  T* room(std::size_t most) {
    if (slab_ == nullptr || slab_->size() - used_ < most) {
      // The first one may be all that is needed.
      const bool first = slab_ == nullptr;
      slab_ = std::make_shared<AlignedBuffer<T>>(first ? most : std::max(most, kUsual));
      used_ = 0;
      provided_ = first ? most : 0;
    }
    if (used_ + most > provided_) {
      provided_ = std::max(provided_, used_);
      populate(slab_->data() + provided_, (used_ + most - provided_) * sizeof(T));
      provided_ = used_ + most;
    }
    return slab_->data() + used_;
  }

  // The first `size` elements of the last room; the rest goes to the next one.
  SlabArray<T> keep(std::size_t size) {
    SlabArray<T> array{{slab_->data() + used_, size}, slab_};
    used_ += size;
    return array;
  }

 private:
  static constexpr std::size_t kUsual = (std::size_t{8} << 20) / sizeof(T);

  std::shared_ptr<AlignedBuffer<T>> slab_;
  std::size_t used_ = 0;
  std::size_t provided_ = 0;  // up to here there are pages, or come when they are touched
};

}  // namespace land
