#include "core/memory_meter.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace fermata {

namespace {

constinit thread_local memory_meter* meter_of_thread = nullptr;

/// What the allocator keeps for it: the block and the word in front of it.
std::size_t bytes_of(void* block) { return ::malloc_usable_size(block) + sizeof(std::size_t); }

std::string in_words(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  if (bytes >= mebibyte << 10 && bytes % (mebibyte << 10) == 0)
    return std::to_string(bytes / (mebibyte << 10)) + " GiB";
  return std::to_string(bytes / mebibyte) + " MiB";
}

}  // namespace

error error_of(const evaluation_stopped& stop) {
  switch (stop.why()) {
    case stop_cause::cancelled:
      return {errc::cancelled, "the evaluation was interrupted; nothing was changed"};
    case stop_cause::out_of_time:
      return {errc::budget_exceeded, "the evaluation took too long; nothing was changed",
              std::nullopt, "look for endless loops or recursion, or produce less at once"};
    case stop_cause::out_of_memory: break;
  }
  return {errc::budget_exceeded,
          "the evaluation exceeded the memory limit (" + in_words(stop.limit()) +
              "); nothing was changed",
          std::nullopt,
          "produce less at once, or raise the limit: `fermata config set evaluation-memory MIB`"};
}

memory_meter::memory_meter(std::shared_ptr<memory_pool> pool, stop_check interrupted,
                           std::size_t between_questions)
  : pool_(std::move(pool)),
    interrupted_(std::move(interrupted)),
    between_questions_(between_questions),
    outer_(std::exchange(meter_of_thread, this)) {
  pool_->meters_.fetch_add(1, std::memory_order_relaxed);
}

memory_meter::~memory_meter() {
  meter_of_thread = outer_;
  pool_->meters_.fetch_sub(1, std::memory_order_relaxed);
  pool_->in_use_.fetch_sub(reported_, std::memory_order_relaxed);
}

memory_meter* memory_meter::current() { return meter_of_thread; }

void memory_meter::report() {
  auto now = std::max<std::int64_t>(in_use_, 0);
  peak_ = std::max(peak_, now);
  pool_->in_use_.fetch_add(now - std::exchange(reported_, now), std::memory_order_relaxed);
}

bool memory_meter::is_over() {
  report();
  if (pool_->in_use_.load(std::memory_order_relaxed) <= pool_->limit_) return false;
  auto meters = std::max<std::int64_t>(pool_->meters_.load(std::memory_order_relaxed), 1);
  return reported_ > pool_->limit_ / meters;
}

void memory_meter::ask(std::size_t bytes) {
  if (asking_) return;  // the question itself allocates
  unasked_ = 0;
  auto may_stop = stoppable_ > 0 && unstoppable_ == 0 && std::uncaught_exceptions() == 0;
  std::optional<stop_cause> why;
  asking_ = true;
  if (is_over())
    why = stop_cause::out_of_memory;
  else if (auto cause = may_stop && interrupted_ ? interrupted_() : std::nullopt)
    why = *cause == errc::cancelled ? stop_cause::cancelled : stop_cause::out_of_time;
  asking_ = false;
  if (!why || !may_stop) return;
  credit(bytes);
  throw evaluation_stopped{*why, pool_->limit()};
}

memory_meter::stoppable::stoppable() : meter_(current()) {
  if (meter_ != nullptr) ++meter_->stoppable_;
}
memory_meter::stoppable::~stoppable() {
  if (meter_ != nullptr) --meter_->stoppable_;
}
memory_meter::unstoppable::unstoppable() : meter_(current()) {
  if (meter_ != nullptr) ++meter_->unstoppable_;
}
memory_meter::unstoppable::~unstoppable() {
  if (meter_ != nullptr) --meter_->unstoppable_;
}

}  // namespace fermata

// --- the allocator of the program ----------------------------------------------------------------

// All forms but those with an alignment. The standard library's own forms call the first and the
// last of these; AddressSanitizer's do not, so that memory would come from one allocator and go to
// another.

void* operator new(std::size_t size) {
  for (;;) {
    if (auto* block = std::malloc(size == 0 ? 1 : size)) {
      if (auto* meter = fermata::meter_of_thread) {
        try {
          meter->charge(fermata::bytes_of(block));
        } catch (...) {
          std::free(block);
          throw;
        }
      }
      return block;
    }
    auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc{};
    handler();
  }
}

void operator delete(void* block) noexcept {
  if (auto* meter = fermata::meter_of_thread; meter != nullptr && block != nullptr)
    meter->credit(fermata::bytes_of(block));
  std::free(block);
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return ::operator new(size);
  } catch (...) {
    return nullptr;
  }
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& how) noexcept {
  return ::operator new(size, how);
}

void operator delete(void* block, std::size_t) noexcept { ::operator delete(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { ::operator delete(block); }
void operator delete[](void* block) noexcept { ::operator delete(block); }
void operator delete[](void* block, std::size_t) noexcept { ::operator delete(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { ::operator delete(block); }
