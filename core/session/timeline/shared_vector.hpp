#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace fermata {

/// A sequence whose copies cost two pointers and share everything: a copy never changes, on any
/// thread, while others append. Elements are in immutable chunks of 64; appending copies only the
/// last chunk, and every 64th time the list of chunks.
template <class T>
class shared_vector {
public:
  static constexpr std::size_t chunk_size = 64;

  shared_vector() = default;

  /// `n` equal elements that all share one chunk.
  static shared_vector filled(std::size_t n, const T& element) {
    shared_vector result;
    auto chunk = std::make_shared<const std::vector<T>>(chunk_size, element);
    result.full_ = std::make_shared<const spine>(n / chunk_size, chunk);
    if (auto left = n % chunk_size)
      result.tail_ = std::make_shared<const std::vector<T>>(left, element);
    return result;
  }

  std::size_t size() const { return full_size() + (tail_ ? tail_->size() : 0); }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const {
    auto full = full_size();
    return i < full ? (*(*full_)[i / chunk_size])[i % chunk_size] : (*tail_)[i - full];
  }
  const T& back() const { return (*this)[size() - 1]; }

  void push_back(T element) {
    std::vector<T> tail;
    if (tail_) {
      tail.reserve(tail_->size() + 1);
      tail = *tail_;
    }
    tail.push_back(std::move(element));
    auto shared = std::make_shared<const std::vector<T>>(std::move(tail));
    if (shared->size() < chunk_size) {
      tail_ = std::move(shared);
      return;
    }
    spine chunks = full_ ? *full_ : spine{};
    chunks.push_back(std::move(shared));
    full_ = std::make_shared<const spine>(std::move(chunks));
    tail_.reset();
  }

  /// Precondition: not empty.
  void pop_back() {
    if (!tail_) {
      spine chunks = *full_;
      tail_ = chunks.back();
      chunks.pop_back();
      full_ = std::make_shared<const spine>(std::move(chunks));
    }
    if (tail_->size() == 1)
      tail_.reset();
    else
      tail_ = std::make_shared<const std::vector<T>>(tail_->begin(), tail_->end() - 1);
  }

  /// Replaces whole chunks at the front, within the first `n` elements, by chunks that hold only
  /// `element`. Returns how many elements were replaced.
  std::size_t blank_front(std::size_t n, const T& element) {
    auto count = std::min(n, full_size()) / chunk_size;
    if (count == 0) return 0;
    auto blank = std::make_shared<const std::vector<T>>(chunk_size, element);
    spine chunks = *full_;
    for (std::size_t i = 0; i < count; ++i)
      chunks[i] = blank;
    full_ = std::make_shared<const spine>(std::move(chunks));
    return count * chunk_size;
  }

private:
  using spine = std::vector<std::shared_ptr<const std::vector<T>>>;
  std::size_t full_size() const { return full_ ? full_->size() * chunk_size : 0; }

  std::shared_ptr<const spine> full_;
  std::shared_ptr<const std::vector<T>> tail_;  ///< null or 1 to chunk_size - 1 elements
};

}  // namespace fermata
