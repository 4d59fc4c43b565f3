// A session that another process writes to: here it is looked at, and nothing of it is changed.

#include "actors/session/session.hpp"
#include "messages/errors.hpp"

#include <utility>

namespace fermata::actors {

namespace {

/// Whether an entry only tells what there is.
struct tells_only {
  bool operator()(const eval_entry& e) const { return e.delta.empty() && e.env_change.empty(); }
  bool operator()(const command_entry& e) const { return e.delta.empty() && e.env_change.empty(); }
  bool operator()(const ai_message_entry&) const { return false; }
  bool operator()(const user_message_entry&) const { return false; }
  bool operator()(const system_entry&) const { return false; }
};

entry_ptr without_number(history_entry e) {
  e.index = 0;
  return std::make_shared<const history_entry>(std::move(e));
}

}  // namespace

caf::error session_actor_state::only_read() const {
  auto& s = *writer_->shown();
  return make_problem(problem::invalid_state,
                      "nothing can be changed here: " + s.written_by + " is writing to session " +
                          s.meta.slug,
                      "`:session switch " + s.meta.slug +
                          "` reopens it for writing once it is closed there; `:session clone` "
                          "makes your own copy.");
}

void session_actor_state::say_beside(const note_turn& t) {
  constexpr std::size_t most = 32;
  if (said_beside_.size() == most) said_beside_.erase(said_beside_.begin());
  history_entry said;
  said.time = now_();
  said.source = {"fermata", "system"};
  said.kind = system_entry{t.what, t.text};
  said_beside_.push_back(without_number(std::move(said)));
  end_turn();
}

/// What only tells is shown, and is in no timeline; everything else is refused as a whole.
void session_actor_state::answer_beside(const std::vector<transition>& batch) {
  auto& entries = running_->entries;
  for (auto& t : batch) {
    auto entry = entry_of(t);
    if (!entry || t.events.size() != 1 || !std::visit(tells_only{}, entry->kind))
      return answer(only_read());
    entries.push_back(without_number(*entry));
  }
  auto said = std::exchange(said_beside_, {});
  entries.insert(entries.begin(), said.begin(), said.end());
  do_afterwards(true);
  if (auto line = std::get_if<line_turn>(&running_->kind))
    line->answer(turn{entries, writer_->shown(), running_->effect,
                      running_->command ? running_->command->listing : nullptr});
  else if (auto remote = std::get_if<remote_turn>(&running_->kind))
    remote->answer(only_read());
  end_turn();
}

void session_actor_state::open_again(opened_again what) {
  read_again_ = std::move(what);
  go_on_with_what_was_read();
}

/// What was decided on the state before must not be done on the one that was read: only a turn that
/// waits for the manager, who sends this, has not decided anything.
void session_actor_state::go_on_with_what_was_read() {
  if (!read_again_ || stopping_) return;
  auto waits_for_manager = [](const running_turn& t) {
    return t.command && std::holds_alternative<manager_effect>(t.command->wish);
  };
  if (running_ && !waits_for_manager(*running_)) return;
  auto what = std::move(*std::exchange(read_again_, std::nullopt));
  said_beside_.clear();
  unkept_ = std::move(what.unkept);
  checkpointed_ = what.state->history.size();
  writer_.emplace(self_, what.state, what.store, [this](auto& batch) { shown(batch); });
  if (!unkept_.empty()) writer_->keep_unwritten();
  if (what.store && what.loader) writer_->keep_in_memory(limits_.entries_in_memory, what.loader);
  if (publish_) publish_(what.state);
  session_event e;
  e.session = what.state->meta.slug;
  e.what = "entries queued proposal score settings";
  e.after = what.state;
  observers_->tell(std::move(e));
}

}  // namespace fermata::actors
