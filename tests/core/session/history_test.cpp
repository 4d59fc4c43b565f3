#include "core/session/timeline/history.hpp"

#include <catch2/catch.hpp>

namespace fermata::history_test {

namespace {

entry_ptr said(std::int64_t index) {
  auto e = std::make_shared<history_entry>();
  e->index = index;
  e->kind = user_message_entry{"message " + std::to_string(index)};
  return e;
}

/// Entries as a file would give them, counting how often it is asked.
struct counted : entry_source_on_disk {
  mutable int asked = 0;
  std::int64_t readable = 1'000;
  result<entry_ptr> load(std::int64_t index) const override {
    ++asked;
    if (index > readable) return fail({errc::internal, "the disk is gone"});
    return said(index);
  }
};

}  // namespace

TEST_CASE("entries are counted from one and found by number") {
  history h;
  CHECK(h.next_index() == 1);
  for (int i = 1; i <= 100; ++i)
    h.append(said(i));
  CHECK(h.next_index() == 101);
  CHECK(h.at(1)->index == 1);
  CHECK(h.last()->index == 100);
  CHECK(h.at(0) == nullptr);
  CHECK(h.at(101) == nullptr);
}

TEST_CASE("old entries are read from disk when they are asked for, and only then") {
  auto disk = std::make_shared<counted>();
  history h;
  for (int i = 1; i <= 1'000; ++i)
    h.append(said(i));
  h.leave_on_disk(100, disk);
  CHECK(h.size() == 1'000);
  CHECK(h.resident() < 200);
  CHECK(disk->asked == 0);
  CHECK(std::get<user_message_entry>(h.at(3)->kind).content == "message 3");
  CHECK(disk->asked == 1);
  CHECK(h.at(1'000)->index == 1'000);
  CHECK(disk->asked == 1);
}

TEST_CASE("a timeline that was just opened grows behind what lies on disk") {
  auto disk = std::make_shared<counted>();
  auto h = history::on_disk(70, disk);
  CHECK(h.next_index() == 71);
  h.append(said(71));
  CHECK(h.at(70)->index == 70);
  CHECK(h.at(71)->index == 71);
  CHECK(disk->asked == 1);
}

TEST_CASE("an entry that cannot be read says why in its place") {
  auto disk = std::make_shared<counted>();
  disk->readable = 1;
  auto h = history::on_disk(2, disk);
  auto entry = h.at(2);
  auto& system = std::get<system_entry>(entry->kind);
  CHECK(system.event == "unreadable");
  CHECK(system.text.find("the disk is gone") != std::string::npos);
}

}  // namespace fermata::history_test
