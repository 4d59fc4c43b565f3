// Somebody else moves, removes or replaces the files of a session that is open: what is written
// from then on would be found by nobody.

#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <map>
#include <optional>

namespace fermata::io::journal_removed_test {

namespace {

namespace fs = std::filesystem;

struct deed {
  std::string what;
  std::function<void(const fs::path& folder)> done;
};

/// As with `mv` and `rm`.
std::vector<deed> those_who_take_away() {
  return {
      {"the journal is moved", [](auto& f) { fs::rename(f / "history.jsonl", f / "history.old"); }},
      {"the journal is removed", [](auto& f) { fs::remove(f / "history.jsonl"); }},
      {"the folder is moved", [](auto& f) { fs::rename(f, f.parent_path() / "elsewhere"); }},
      {"the folder is removed", [](auto& f) { fs::remove_all(f); }},
      {"all sessions are removed", [](auto& f) { fs::remove_all(f.parent_path()); }}};
}

/// As an editor saves a file, and as `cp -r` and a backup do.
std::vector<deed> those_who_replace() {
  return {{"the journal is replaced by a copy",
           [](auto& f) {
             fs::copy_file(f / "history.jsonl", f / "saved");
             fs::rename(f / "saved", f / "history.jsonl");
           }},
          {"the journal is replaced by something else",
           [](auto& f) {
             fs::rename(f / "history.jsonl", f / "history.old");
             write_content(f / "history.jsonl", "my notes\n");
           }},
          {"the folder is replaced by a copy", [](auto& f) {
             auto other = f.parent_path() / "elsewhere";
             fs::rename(f, other);
             fs::copy(other, f, fs::copy_options::recursive);
           }}};
}

/// Every file below, with what it says.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> all;
  if (!fs::exists(folder)) return all;
  for (auto& file : fs::recursive_directory_iterator{folder})
    if (file.is_regular_file()) all[file.path().string()] = content_of(file.path());
  return all;
}

transition line_of(stored_session_by_hand& s, const std::string& text) {
  return evaluated(s.state, {text, {}, {}}, s.run(text), s.now());
}

std::vector<std::string> texts_of(const history& h) {
  std::vector<std::string> texts;
  for (std::int64_t i = 1; i <= h.size(); ++i)
    texts.push_back(std::get<eval_entry>(h.at(i)->kind).text);
  return texts;
}

}  // namespace

TEST_CASE("what cannot be found again is not written, and whoever writes it is told") {
  auto all = those_who_take_away();
  for (auto& more : those_who_replace())
    all.push_back(more);
  for (auto& d : all) {
    INFO(d.what);
    temporary_folder home;
    auto folder = home.path() / "sessions" / "s";
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    REQUIRE(s.directory->checkpoint(s.state));
    s.line("(def x 1)");
    REQUIRE(s.directory->in_its_place());
    d.done(folder);
    auto before = contents(home.path());
    for (auto& refused :
         {s.directory->append({line_of(s, "(def y 2)")}), s.directory->checkpoint(s.state),
          s.directory->remember_meta(s.state), s.directory->in_its_place()}) {
      REQUIRE_FALSE(refused);
      auto& why = refused.error().first();
      CHECK(why.code == errc::unwritable_file);
      CHECK(why.message.find((folder / "history.jsonl").string()) != std::string::npos);
      CHECK(why.hint.find(":save") != std::string::npos);
    }
    CHECK(contents(home.path()) == before);
  }
}

TEST_CASE("a folder that is put back is written to as before") {
  for (auto name : {"history.jsonl", ""}) {
    INFO(name);
    temporary_folder home;
    auto folder = home.path() / "sessions" / "s";
    {
      stored_session_by_hand s{folder};
      s.line("(def x 1)");
      auto away = home.path() / "away";
      fs::rename(folder / name, away);
      CHECK_FALSE(s.directory->append({line_of(s, "(def y 2)")}));
      fs::rename(away, *name ? folder / name : folder);
      s.line("(def z 3)");
    }
    stored_session_by_hand again{folder};
    CHECK(again.remarks.empty());
    CHECK(texts_of(again.state.history) == std::vector<std::string>{"(def x 1)", "(def z 3)"});
  }
}

TEST_CASE("a session that was taken away is written again whole") {
  for (auto& d : those_who_take_away()) {
    INFO(d.what);
    temporary_folder home;
    auto folder = home.path() / "sessions" / "s";
    {
      stored_session_by_hand s{folder};
      s.line("(part :piano (measure (note c4 :w)))");
      for (int i = 0; i < 150; ++i)
        s.line("(def x " + std::to_string(i) + ")");
      REQUIRE(s.directory->checkpoint(s.state));
    }
    // What is read from the disk on demand is read there afterwards as well.
    auto opened = session_directory::open(folder, {});
    REQUIRE(opened);
    std::optional<session_directory> directory{std::move(*opened)};
    auto loaded = directory->load();
    REQUIRE(loaded);
    d.done(folder);
    REQUIRE(directory->recreate());
    REQUIRE(directory->in_its_place());
    auto state = *loaded->state;
    auto next = [&](const std::string& text) {
      evaluation_request request;
      request.text = text;
      request.env = state.env;
      request.score = state.score;
      request.next_index = state.history.next_index();
      auto t = evaluated(state, {text, {}, {}}, evaluate(request), state.meta.modified);
      REQUIRE(directory->append({t}));
      state = *apply(std::move(state), t);
    };
    next("(note d4 :w)");
    REQUIRE(directory->checkpoint(state));
    next("(def y 1)");
    for (std::int64_t index : {1, 65, 151, 152, 153}) {
      auto entry = loaded->loader->load(index);
      REQUIRE(entry);
      CHECK((*entry)->index == index);
    }
    directory.reset();
    stored_session_by_hand again{folder};
    CHECK(again.remarks.empty());
    REQUIRE(again.state.history.size() == 153);
    CHECK(std::get<eval_entry>(again.state.history.at(152)->kind).text == "(note d4 :w)");
    CHECK(*again.state.score == *state.score);
  }
}

TEST_CASE("what was put in the place of a journal is not written over") {
  for (auto& d : those_who_replace()) {
    INFO(d.what);
    temporary_folder home;
    auto folder = home.path() / "sessions" / "s";
    stored_session_by_hand s{folder};
    s.line("(def x 1)");
    d.done(folder);
    auto before = contents(home.path());
    CHECK_FALSE(s.directory->recreate());
    CHECK(contents(home.path()) == before);
    // When it is moved away, the session can be saved.
    fs::rename(folder / "history.jsonl", home.path() / "theirs");
    REQUIRE(s.directory->recreate());
    REQUIRE(s.directory->checkpoint(s.state));
    s.directory.reset();
    stored_session_by_hand again{folder};
    CHECK(texts_of(again.state.history) == std::vector<std::string>{"(def x 1)"});
  }
}

}  // namespace fermata::io::journal_removed_test
