#pragma once

#include "core/session/timeline/history.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace fermata::actors {

/// Old entries that are words with a number. It counts how often it is asked, and can be made to
/// wait like a slow disk.
class old_entries final : public entry_source_on_disk {
public:
  result<entry_ptr> load(std::int64_t index) const override {
    std::unique_lock lock{mutex_};
    ++asked_;
    askers_.insert(std::this_thread::get_id());
    changed_.notify_all();
    if (broken_) throw std::runtime_error{"the disk has come off"};
    changed_.wait(lock, [this] { return !slow_ || let_go_ > 0; });
    if (slow_) --let_go_;
    auto entry = std::make_shared<history_entry>();
    entry->index = index;
    entry->kind = user_message_entry{"words " + std::to_string(index)};
    if (auto it = evaluations_.find(index); it != evaluations_.end()) entry->kind = it->second;
    return entry_ptr{std::move(entry)};
  }
  /// At this index there is no word, but an evaluation.
  void put(std::int64_t index, eval_entry what) { evaluations_[index] = std::move(what); }
  void be_slow(bool slow) {
    std::lock_guard lock{mutex_};
    slow_ = slow;
    changed_.notify_all();
  }
  /// Whoever asks meets with what nobody reckons with.
  void be_broken(bool broken) {
    std::lock_guard lock{mutex_};
    broken_ = broken;
  }
  std::set<std::thread::id> askers() const {
    std::lock_guard lock{mutex_};
    return askers_;
  }
  /// One more entry is read, however slow it is.
  void let_one_go() {
    std::lock_guard lock{mutex_};
    ++let_go_;
    changed_.notify_all();
  }
  std::int64_t asked() const {
    std::lock_guard lock{mutex_};
    return asked_;
  }
  /// However long that takes: on a machine with much else to do the searches begin late.
  void wait_until_asked(std::int64_t times) const {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return asked_ >= times; });
  }

private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::int64_t asked_ = 0;
  mutable std::int64_t let_go_ = 0;
  mutable std::set<std::thread::id> askers_;
  bool slow_ = false, broken_ = false;
  std::map<std::int64_t, eval_entry> evaluations_;
};

/// The disk is slow as long as this lives: also when a check fails meanwhile, since nobody who
/// waits for the disk could end.
class slow_while {
public:
  explicit slow_while(old_entries& disk) : disk_(disk) { disk_.be_slow(true); }
  ~slow_while() { disk_.be_slow(false); }
  slow_while(const slow_while&) = delete;
  slow_while& operator=(const slow_while&) = delete;

private:
  old_entries& disk_;
};

inline constexpr std::int64_t many = 250'000;

}  // namespace fermata::actors
