#include "core/score/model/content_hash.hpp"
#include "io/store/session_directory.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

#include <set>

// Lines that are missing in a journal, as when an editor or a disk lost them, and journals that are
// none any more. By hand: which entries change the score, and what is left without each.

namespace fermata::io::journal_gaps_test {

namespace {

/// Entries 1, 4, 5, 6 and 7 change the score, 3 a definition.
struct lost_lines {
  temporary_folder home;
  std::filesystem::path folder = home.path() / "s";
  std::vector<std::string> lines;  ///< the first is the head, then one an entry
  session_state last;
  std::set<std::uint64_t> seen;

  explicit lost_lines(bool checkpoint) {
    stored_session_by_hand s{folder};
    auto look = [&] { seen.insert(content_hash(*s.state.score)); };
    look();
    s.line("(part :violin (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w)))");
    look();
    s.line("(+ 1 1)");
    s.line("(def x 1)");
    s.line("(replace (measures 2) (measure (note g5 :w)))");
    look();
    s.line("(part :flute (measure (note a5 :w)))");
    look();
    s.undo();
    s.line("(part :cello (measure (note c3 :w)))");
    look();
    s.line("(+ 2 2)");
    last = s.state;
    if (checkpoint) REQUIRE(s.directory->checkpoint(s.state));
    auto text = content_of(folder / "history.jsonl");
    for (std::size_t at = 0; at < text.size();) {
      auto end = text.find('\n', at) + 1;
      lines.push_back(text.substr(at, end - at));
      at = end;
    }
    REQUIRE(lines.size() == 9);
  }

  std::filesystem::path without(const std::set<std::size_t>& entries) const {
    auto copy = home.path() / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(folder, copy);
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (!entries.contains(i)) text += lines[i];
    write_content(copy / "history.jsonl", text);
    return copy;
  }
};

bool is_unreadable(const session_state& s, std::int64_t index) {
  auto entry = s.history.at(index);
  auto system = std::get_if<system_entry>(&entry->kind);
  return system && system->event == "unreadable";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (auto& t : texts)
    all += t + '\n';
  return all;
}

}  // namespace

TEST_CASE("what was saved stands whichever line of the journal before it is missing") {
  lost_lines was{true};
  for (std::set<std::size_t> missing : {std::set<std::size_t>{1},
                                        {2},
                                        {3},
                                        {4},
                                        {5},
                                        {6},
                                        {7},
                                        {2, 3},
                                        {2, 5},
                                        {1, 4, 7},
                                        {4, 5, 6, 7}}) {
    auto folder = was.without(missing);
    INFO("first missing: " << *missing.begin() << ", in all " << missing.size());
    std::uint64_t hash = 0;
    {
      stored_session_by_hand again{folder};
      CHECK(content_hash(*again.state.score) == content_hash(*was.last.score));
      CHECK(again.state.env->bindings.size() == 1);
      CHECK(again.state.undo.size() == was.last.undo.size());
      REQUIRE(again.state.history.size() == 8);
      for (std::size_t i = 1; i <= 8; ++i)
        CHECK(is_unreadable(again.state, static_cast<std::int64_t>(i)) == missing.contains(i));
      REQUIRE(again.remarks.size() == 1);
      CHECK(again.remarks[0].find("missing") != std::string::npos);
      CHECK_FALSE(std::filesystem::exists(folder / "history.jsonl.damaged-1"));
      again.line("(note f5 :w)");
      hash = content_hash(*again.state.score);
    }
    // Killed before it was saved: the same again, and then no more.
    for (std::size_t remarks : {1, 0}) {
      stored_session_by_hand again{folder};
      CHECK(again.remarks.size() == remarks);
      CHECK(content_hash(*again.state.score) == hash);
      CHECK(again.state.history.size() == 9);
      REQUIRE(again.directory->checkpoint(again.state));
    }
  }
}

TEST_CASE("without anything saved a missing line that left the score alone costs itself alone") {
  lost_lines was{false};
  struct row {
    std::set<std::size_t> missing;
    std::string says;
    std::size_t definitions;
  };
  for (auto& [missing, says, definitions] :
       {row{{2}, "entry 2 is lost", 1}, row{{3}, "entry 3 is lost", 0},
        row{{2, 3}, "entries 2 to 3 are lost", 0}}) {
    auto folder = was.without(missing);
    INFO(says);
    stored_session_by_hand again{folder};
    CHECK(content_hash(*again.state.score) == content_hash(*was.last.score));
    CHECK(again.state.env->bindings.size() == definitions);
    REQUIRE(again.state.history.size() == 8);
    for (std::size_t i = 1; i <= 8; ++i)
      CHECK(is_unreadable(again.state, static_cast<std::int64_t>(i)) == missing.contains(i));
    REQUIRE(again.remarks.size() == 1);
    CHECK(again.remarks[0].find(says) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "history.jsonl.damaged-1"));
    auto next = again.line("(note f5 :w)");
    CHECK(next->index == 9);
  }
}

TEST_CASE("where a change of the score is missing, what stands without it is there to be taken") {
  lost_lines was{false};
  for (std::size_t missing : {1, 4, 5, 6, 7}) {
    auto folder = was.without({missing});
    INFO("entry " << missing);
    stored_session_by_hand again{folder};
    CHECK(was.seen.contains(content_hash(*again.state.score)));
    CHECK(again.state.history.size() == static_cast<std::int64_t>(missing) - 1);
    CHECK(std::filesystem::exists(folder / "history.jsonl.damaged-1"));
    auto told = joined(again.remarks);
    CHECK(told.find("entry " + std::to_string(missing) + " is missing") != std::string::npos);
    // By hand: without the piece nothing fits; without the flute it cannot be taken away again, but
    // the cello comes; beside the flute it would be the third part; behind the cello is nothing.
    auto rest = again.directory->edited_score();
    REQUIRE(rest.has_value() == (missing == 4 || missing == 5));
    if (!rest) continue;
    CHECK(told.find("`:reload`") != std::string::npos);
    CHECK(rest->text.find(":cello") != std::string::npos);
    CHECK((rest->text.find("g5") != std::string::npos) == (missing != 4));
  }
}

TEST_CASE("the words and proposals of clients stay where the line that brought them is missing") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::uint64_t hash = 0;
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    s.keep(queued(s.state, "shall we?", {"claude", "mcp"}, s.now()));
    for (auto& t : all_pending(s.state, s.now()))
      s.keep(t);
    auto e = s.run("(note b4 :q)");
    REQUIRE(e);
    s.keep(proposed(s.state, 1, "(note b4 :q)", {"claude", "mcp"}, 1, *e, s.now()));
    auto t =
        evaluated(s.state, {"(note b4 :q)", {"claude", "mcp"}, 1}, s.run("(note b4 :q)"), s.now());
    t.events.push_back(proposal_resolved{1, true, {}});
    s.keep(t);
    hash = content_hash(*s.state.score);
  }
  auto text = content_of(folder / "history.jsonl");
  for (std::string event : {"message-queued", "proposal-made"}) {
    auto copy = home.path() / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(folder, copy);
    auto at = text.find(event);
    REQUIRE(at != std::string::npos);
    auto begin = text.rfind('\n', at) + 1, end = text.find('\n', at) + 1;
    write_content(copy / "history.jsonl", text.substr(0, begin) + text.substr(end));
    INFO(event);
    stored_session_by_hand again{copy};
    CHECK(content_hash(*again.state.score) == hash);
    REQUIRE(again.state.history.size() == 3);
    CHECK(std::get<ai_message_entry>(again.state.history.at(2)->kind).content == "shall we?");
    CHECK(again.remarks.size() == 1);
    CHECK_FALSE(std::filesystem::exists(copy / "history.jsonl.damaged-1"));
  }
}

TEST_CASE("a journal that is none any more is put aside, and what was saved is offered") {
  std::string noise;
  for (int i = 0; i < 900; ++i)
    noise += static_cast<char>(1 + (i * 37 + i * i) % 255);
  noise[100] = '\n';
  for (bool checkpoint : {true, false})
    for (std::string content : {std::string{"hello\nworld\n"}, noise, noise + '\n' + noise + '\n',
                                std::string{"\n\n\n"}, std::string{}}) {
      lost_lines was{true};
      auto& folder = was.folder;
      auto saved = content_of(folder / "score.ferm");
      if (!checkpoint) std::filesystem::remove(folder / "checkpoint.json");
      auto is_folder = content.empty();
      std::filesystem::remove(folder / "history.jsonl");
      if (is_folder)
        std::filesystem::create_directory(folder / "history.jsonl");
      else
        write_content(folder / "history.jsonl", content);
      INFO(content.size() << " bytes, checkpoint " << checkpoint);
      {
        stored_session_by_hand again{folder};
        auto told = joined(again.remarks);
        CHECK(told.find("timeline of this session is lost") != std::string::npos);
        CHECK(told.find("history.jsonl.damaged-1") != std::string::npos);
        CHECK(told.find("`:reload`") != std::string::npos);
        CHECK(again.directory->edited_score()->text == saved);
        again.line("(def y 2)");
      }
      auto kept = folder / "history.jsonl.damaged-1";
      CHECK(std::filesystem::is_directory(kept) == is_folder);
      if (!is_folder) CHECK(content_of(kept) == content);
      CHECK(std::filesystem::exists(folder / "history.jsonl.damaged-1.reason"));
      stored_session_by_hand again{folder};
      CHECK(again.state.history.size() == 1);
      CHECK_FALSE(std::filesystem::exists(folder / "history.jsonl.damaged-2"));
    }
}

TEST_CASE("a file of somebody else, or of a newer Fermata, is left as it is") {
  temporary_folder home;
  session_meta meta;
  meta.slug = meta.name = "s";
  std::filesystem::create_directory(home.path() / "s");
  write_content(home.path() / "s" / "history.jsonl", "hello\nworld\n");
  CHECK_FALSE(session_directory::open(home.path() / "s", meta));
  CHECK(content_of(home.path() / "s" / "history.jsonl") == "hello\nworld\n");

  lost_lines was{true};
  auto text = content_of(was.folder / "history.jsonl");
  auto version = text.find("\"version\":2");
  REQUIRE(version != std::string::npos);
  text[version + 10] = '9';
  write_content(was.folder / "history.jsonl", text);
  CHECK_FALSE(session_directory::open(was.folder, meta));
  CHECK(content_of(was.folder / "history.jsonl") == text);
}

}  // namespace fermata::io::journal_gaps_test
