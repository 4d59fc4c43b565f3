#pragma once

#include "core/session/timeline/branch_merging.hpp"
#include "core/session/timeline/branches.hpp"
#include "io/store/session_directory.hpp"
#include "tests/core/session/session_values.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace fermata::io {

/// A session whose journal is written to a folder as things happen, as the program does it.
struct stored_session_by_hand : session_by_hand {
  std::optional<session_directory> directory;

  explicit stored_session_by_hand(const std::filesystem::path& folder) {
    auto opened = is_session(folder) ? session_directory::open(folder, state.meta)
                                     : session_directory::make(folder, state.meta);
    REQUIRE(opened);
    directory.emplace(std::move(*opened));
    auto loaded = directory->load();
    REQUIRE(loaded);
    remarks = loaded->remarks;
    for (auto& remark : remarks)
      UNSCOPED_INFO(remark);
    state = *loaded->state;
  }

  void keep(const transition& t) {
    REQUIRE(directory->append({t}));
    happen(t);
  }
  entry_ptr line(const std::string& text) {
    auto t = evaluated(state, {text, {}, {}}, run(text), now());
    keep(t);
    return entry_of(t);
  }
  void undo(std::int64_t n = 1) {
    auto change = undo_change(state, n);
    REQUIRE(change);
    command_entry entry;
    entry.text = ":undo";
    entry.delta = change->delta;
    entry.env_change = change->env_change;
    entry.revision_before = state.revision;
    entry.revision_after = state.revision + (change->delta.empty() ? 0 : 1);
    auto t = committed(state, entry, {}, now());
    t.events.insert(t.events.end(), change->steps.begin(), change->steps.end());
    keep(t);
  }

  std::vector<std::string> remarks;
};

/// Some of everything: music, definitions, errors, undo, words, a proposal, settings.
inline void make_music(stored_session_by_hand& s) {
  s.line("(part :piano (measure (key d :major) (note c#5 :q) (chord (d4 f#4 a4) :h.)))");
  s.line("(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)))");
  s.line("(def twice (fn [m] (seq m m)))");
  s.line("(def adder (let [k 10] (fn [n] (+ k n))))");
  s.line("(add (twice motif))");
  s.line("(nonsense)");
  s.line("(list 1/3 \"two\" :q 'x [1 2] nil true)");
  s.undo(1);
  s.line("(note a4 :q :staccato)");
  s.keep(queued(s.state, "shall we?", {"claude", "mcp"}, s.now()));
  for (auto& t : all_pending(s.state, s.now()))
    s.keep(t);
  s.keep(queued(s.state, "not yet read", {"claude", "mcp"}, s.now()));
  auto e = s.run("(note b4 :q)");
  REQUIRE(e);
  s.keep(proposed(s.state, 1, "(note b4 :q)", {"claude", "mcp"}, 1, *e, s.now()));
  s.keep({{setting_changed{"display", "summary"}}});
  s.keep({{answer_given{{"claude", "key-1", 1, std::nullopt, "x", "no change", 1, false,
                         "(note b4 :q)", "propose", 3, 12, 2}}}});
  // Two branches beside this one, one of them entered and left again.
  auto past = state_after(s.state, 1);
  REQUIRE(past);
  auto command = [&](std::vector<journal_event> events, score_delta delta = {},
                     environment_delta env_change = {}) {
    command_entry entry;
    entry.text = ":branch";
    entry.delta = std::move(delta);
    entry.env_change = std::move(env_change);
    entry.revision_before = s.state.revision;
    entry.revision_after = s.state.revision + (entry.delta.empty() ? 0 : 1);
    auto t = committed(s.state, entry, {}, s.now());
    t.events.insert(t.events.end(), events.begin(), events.end());
    s.keep(t);
  };
  command({branch_made{"early", 1, s.now(), diff_snapshots(s.state.score, past->score),
                       difference(*s.state.env, *past->env)}});
  command({branch_made{"here", s.state.history.size(), s.now(), {}, {}}});
  auto go_to = [&](const std::string& name) {
    auto b = find_branch(s.state, name);
    command({branch_switched{name}}, diff_snapshots(s.state.score, b->score),
            difference(*s.state.env, *b->env));
  };
  go_to("early");
  s.line("(note e5 :h)");
  go_to("main");
  merge_request theirs_win;
  theirs_win.theirs_wins = true;
  auto merge = merged(s.state, *find_branch(s.state, "early"), theirs_win);
  REQUIRE(merge);
  command({step_made{}, branch_merged{"early", 1, branch_merged::all_measures}},
          diff_snapshots(s.state.score, merge->score));
  go_to("here");
  go_to("main");
  s.keep({{policy_changed{"other", remote_policy::preview, false}}});
  s.keep({{policy_changed{{}, remote_policy::deny, true}}});
  s.keep({{policy_changed{"claude", remote_policy::allow, false}}});
  s.keep({{meta_changed{"Another name", std::vector<std::string>{"sketch"}}}});
}

inline std::string content_of(const std::filesystem::path& path) {
  auto text = read_file(path);
  REQUIRE(text);
  return *text;
}

inline void write_content(const std::filesystem::path& path, std::string_view text) {
  std::ofstream{path, std::ios::binary} << text;
}

/// Everything that a musician could notice.
inline void check_same(const session_state& a, const session_state& b) {
  CHECK(content_hash(*a.score) == content_hash(*b.score));
  CHECK(*a.score == *b.score);
  CHECK(a.revision == b.revision);
  CHECK(a.env->cursor == b.env->cursor);
  CHECK(a.env->defaults == b.env->defaults);
  REQUIRE(a.env->bindings.size() == b.env->bindings.size());
  for (auto& [name, bound] : a.env->bindings) {
    INFO(name);
    REQUIRE(b.env->bindings.contains(name));
    auto& other = b.env->bindings.find(name)->second;
    CHECK(bound.source == other.source);
    // Functions compare by identity; what they print is their text.
    CHECK(print(bound.bound) == print(other.bound));
  }
  REQUIRE(a.history.size() == b.history.size());
  for (std::int64_t i = 1; i <= a.history.size(); ++i) {
    auto x = a.history.at(i), y = b.history.at(i);
    INFO("entry " << i);
    CHECK(x->index == y->index);
    CHECK(x->time == y->time);
    CHECK(x->source == y->source);
    CHECK(kind_name(x->kind) == kind_name(y->kind));
    if (auto eval = std::get_if<eval_entry>(&x->kind)) {
      auto& other = std::get<eval_entry>(y->kind);
      CHECK(eval->text == other.text);
      CHECK(eval->output_text == other.output_text);
      INFO((eval->failure ? render(*eval->failure, eval->text, "a") : "no failure"));
      INFO((other.failure ? render(*other.failure, eval->text, "b") : "no failure"));
      CHECK(eval->failure == other.failure);
      CHECK(eval->delta == other.delta);
      REQUIRE(eval->output.has_value() == other.output.has_value());
      if (eval->output) CHECK(print(*eval->output) == print(*other.output));
    }
  }
  CHECK(a.undo.size() == b.undo.size());
  CHECK(a.redo.size() == b.redo.size());
  REQUIRE(a.queue.size() == b.queue.size());
  for (std::size_t i = 0; i < a.queue.size(); ++i)
    CHECK(a.queue[i].content == b.queue[i].content);
  CHECK(a.next_ticket == b.next_ticket);
  CHECK(a.proposals.size() == b.proposals.size());
  CHECK(a.branch == b.branch);
  CHECK(a.branch_moves == b.branch_moves);
  REQUIRE(a.branches.size() == b.branches.size());
  for (std::size_t i = 0; i < a.branches.size(); ++i) {
    auto &x = a.branches[i], &y = b.branches[i];
    INFO("branch " << x.name);
    CHECK(x.name == y.name);
    CHECK(x.parent == y.parent);
    CHECK(x.from == y.from);
    CHECK(x.made_by == y.made_by);
    CHECK(x.made == y.made);
    CHECK(*x.base == *y.base);
    REQUIRE(static_cast<bool>(x.score) == static_cast<bool>(y.score));
    if (!x.score) continue;
    CHECK(content_hash(*x.score) == content_hash(*y.score));
    CHECK(x.env->bindings.size() == y.env->bindings.size());
    CHECK(x.env->cursor == y.env->cursor);
    CHECK(x.undo.size() == y.undo.size());
    CHECK(x.redo.size() == y.redo.size());
  }
  REQUIRE(a.merges.size() == b.merges.size());
  for (std::size_t i = 0; i < a.merges.size(); ++i) {
    auto &x = a.merges[i], &y = b.merges[i];
    CHECK(x.entry == y.entry);
    CHECK(x.into == y.into);
    CHECK(x.from == y.from);
    CHECK(x.taken_back == y.taken_back);
    CHECK(*x.head == *y.head);
    CHECK(*x.common == *y.common);
  }
  CHECK(a.answers == b.answers);
  CHECK(a.settings == b.settings);
  CHECK(a.policy == b.policy);
  CHECK(a.client_policies == b.client_policies);
  CHECK(a.policies_before_off == b.policies_before_off);
}

}  // namespace fermata::io
