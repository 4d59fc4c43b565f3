#pragma once

#include "core/error.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>

namespace fermata {

/// How much memory evaluations take, and what stops one that takes too much.
///
/// Every allocation of the program passes through the `operator new` of memory_meter.cpp, which
/// charges the meter of its thread, if there is one. So whatever an evaluation does is counted in
/// bytes as the allocator gives them out: reading, running, putting music into the score, comparing
/// scores, printing. Nothing has to be estimated, and no new form can forget to count.
///
/// The same place asks, every 64 KiB, whether the evaluation is to go on. If not, the allocation
/// fails with `evaluation_stopped`, and the evaluation ends as it would on any exception: all that
/// it has made is dropped. `evaluate` turns it into an error. What takes long without allocating
/// asks as before, through `evaluation_request::interrupted`.

/// The memory that the evaluations of a process share. The limit holds for all of them together:
/// when it is reached, those go on that hold no more than an equal share of it.
class memory_pool {
public:
  static constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;

  explicit memory_pool(std::uint64_t limit = default_limit)
    : limit_(static_cast<std::int64_t>(limit)) {}
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;

  std::uint64_t limit() const { return static_cast<std::uint64_t>(limit_); }
  /// What is known of: meters report every 64 KiB.
  std::uint64_t in_use() const {
    auto bytes = in_use_.load(std::memory_order_relaxed);
    return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  }

private:
  friend class memory_meter;
  const std::int64_t limit_;
  std::atomic<std::int64_t> in_use_{0};
  std::atomic<std::int64_t> meters_{0};
};

/// Why an evaluation was stopped at an allocation.
enum class stop_cause : std::uint8_t { cancelled, out_of_time, out_of_memory };

/// Thrown by `operator new`, which may throw nothing else than a kind of std::bad_alloc.
class evaluation_stopped : public std::bad_alloc {
public:
  evaluation_stopped(stop_cause why, std::uint64_t limit) : why_(why), limit_(limit) {}
  stop_cause why() const { return why_; }
  std::uint64_t limit() const { return limit_; }  ///< of the memory, in bytes
  const char* what() const noexcept override { return "the evaluation was stopped"; }

private:
  stop_cause why_;
  std::uint64_t limit_;
};

/// The error for the requester of the evaluation.
error error_of(const evaluation_stopped& stop);

/// Counts what its thread allocates and frees while it exists, against a pool. Memory that another
/// thread had allocated is subtracted when it is freed here, so that the count may be too low by
/// that, never too high. One inside another takes its place for that time.
class memory_meter {
public:
  /// As `evaluation_request::interrupted`.
  using stop_check = std::function<std::optional<errc>()>;
  static constexpr std::size_t bytes_between_questions = std::size_t{64} << 10;

  explicit memory_meter(std::shared_ptr<memory_pool> pool, stop_check interrupted = nullptr,
                        std::size_t between_questions = bytes_between_questions);
  ~memory_meter();
  memory_meter(const memory_meter&) = delete;
  memory_meter& operator=(const memory_meter&) = delete;

  /// The one that this thread is charged to; null: none.
  static memory_meter* current();

  std::uint64_t in_use() const { return in_use_ < 0 ? 0 : static_cast<std::uint64_t>(in_use_); }
  std::uint64_t peak() const { return static_cast<std::uint64_t>(peak_); }
  const memory_pool& pool() const { return *pool_; }
  /// Whether the pool is used up and this one holds more than its share.
  bool is_over();

  /// While one exists, an allocation may end with `evaluation_stopped`. In code that lets go of all
  /// that it made when an exception passes through it.
  class stoppable {
  public:
    stoppable();
    ~stoppable();
    stoppable(const stoppable&) = delete;
    stoppable& operator=(const stoppable&) = delete;

  private:
    memory_meter* meter_;
  };
  /// While one exists, none does: for destructors that allocate.
  class unstoppable {
  public:
    unstoppable();
    ~unstoppable();
    unstoppable(const unstoppable&) = delete;
    unstoppable& operator=(const unstoppable&) = delete;

  private:
    memory_meter* meter_;
  };

  // For `operator new` and `operator delete`.
  void charge(std::size_t bytes) {
    in_use_ += static_cast<std::int64_t>(bytes);
    if ((unasked_ += bytes) >= between_questions_) [[unlikely]]
      ask(bytes);
  }
  void credit(std::size_t bytes) noexcept { in_use_ -= static_cast<std::int64_t>(bytes); }

private:
  void ask(std::size_t bytes);
  void report();

  std::shared_ptr<memory_pool> pool_;
  stop_check interrupted_;
  std::size_t between_questions_;
  memory_meter* outer_;
  std::int64_t in_use_ = 0, reported_ = 0, peak_ = 0;
  std::size_t unasked_ = 0;
  int stoppable_ = 0, unstoppable_ = 0;
  bool asking_ = false;
};

}  // namespace fermata
