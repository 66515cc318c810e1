// Features of a store, where they lie: nothing is copied or encoded.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "land/blocks/feature_source.h"
#include "land/files/bytes.h"
#include "land/store/store_index.h"

namespace land {

class StoreSource final : public FeatureSource, private Paging {
 public:
  // `file` is aligned to a cache line, `contents` are its. One feature may be left out, as a target.
  StoreSource(Bytes file, std::string name, StoreContents contents);
  void leave_out(std::int64_t feature) { left_out_ = feature; }

  std::int64_t features() const override { return contents_.headers.size() - (left_out_ >= 0 ? 1 : 0); }
  std::int64_t samples() const override { return contents_.samples; }
  std::string_view storage() const override { return file_.mapped ? "mapped" : "memory"; }
  bool has_signatures() const override { return contents_.has_signatures; }
  // A block of the store is verified when it is first touched: InputError if it is damaged.
  void read(std::int64_t first, std::int64_t count, FeatureBlock& block) const override;
  std::int64_t strip_start(std::int64_t feature) const override {
    return feature_of(number_of(feature) / kStripWidth * kStripWidth);
  }
  // A block.
  std::int64_t end_of_run(std::int64_t first) const override { return feature_of(end_of(block_of(number_of(first)))); }
  void gather(std::span<const std::int64_t> ids, FeatureBlock& block) const override;
  const Paging& paging() const override;
  void gather_sparingly(std::span<const std::int64_t> ids, FeatureBlock& block) const override;

 private:
  void gather_copies(std::span<const std::int64_t> ids, FeatureBlock& block) const;
  std::int64_t number_of(std::int64_t feature) const {
    return feature + (left_out_ >= 0 && feature >= left_out_ ? 1 : 0);
  }
  // The first feature that is not before `number`.
  std::int64_t feature_of(std::int64_t number) const { return number - (left_out_ >= 0 && number > left_out_ ? 1 : 0); }
  std::size_t block_of(std::int64_t number) const;
  std::int64_t end_of(std::size_t block) const {  // its last feature's number, and one
    return block + 1 < contents_.blocks.size() ? contents_.blocks[block + 1].first : contents_.headers.size();
  }
  std::span<const std::byte> payload(std::size_t block) const;
  std::span<const std::byte> file() const override { return file_.view; }
  // From where the first of these features begins to where the last one ends.
  std::span<const std::byte> bytes_of(std::int64_t first, std::int64_t count) const override;
  void verify(std::size_t block) const;
  void check_block(std::size_t block) const;

  // A once_flag would do, if thread sanitizers did not wait for ever where what is called has thrown.
  struct BlockState {
    std::mutex mutex;
    std::atomic<bool> verified = false;
  };

  Bytes file_;
  std::string name_;
  StoreContents contents_;
  std::int64_t left_out_ = -1;
  std::unique_ptr<BlockState[]> states_;  // one per block
};

}  // namespace land
