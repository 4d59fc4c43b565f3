// Commands that look at entries on disk: read by a worker, beside the turns or within one.

#include "actors/session/interruptible_entries.hpp"
#include "actors/session/session.hpp"
#include "actors/work/history_search.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

void session_actor_state::history_search(const line_turn& t, const std::string& text,
                                         fermata::searches_history how) {
  auto interrupted = t.line.cancelled ? t.line.cancelled : std::make_shared<std::atomic<bool>>();
  if (!reader_) reader_ = self_->spawn(actors::history_search, workers_);
  auto number = next_aside_++;
  history_search_job job{text,
                         read_until(*writer_->planned(), interrupted),
                         t.line.source,
                         now_(),
                         {clock_, t.line.in_words}};
  self_->request(reader_, caf::infinite, atom::history_search_v, std::move(job))
      .then([this, number](command_outcome& outcome) { looked_back(number, std::move(outcome)); },
            [this, number](caf::error& reason) { looked_back(number, std::move(reason)); });
  running_->searches_history = number;
  running_->interrupted = std::move(interrupted);
  if (how == fermata::searches_history::in_turn) return;
  aside_.emplace(number, std::move(running_));
  next_turn();
}

void session_actor_state::looked_back(std::uint64_t number, caf::expected<command_outcome> found) {
  auto outcome = found ? std::move(*found) : refused(detail_of(found.error()).message);
  auto said_in = [&](const running_turn& t) {
    return t.interrupted->load(std::memory_order_relaxed)
               ? refused("interrupted; the search is incomplete")
               : std::move(outcome);
  };
  if (running_ && running_->searches_history == number)
    return finish_history_search(said_in(*running_));
  auto it = aside_.find(number);
  if (it == aside_.end()) return;
  auto said = said_in(*it->second);
  resuming_.push_back({std::move(it->second), std::move(said)});
  aside_.erase(it);
  next_turn();
}

void session_actor_state::finish_history_search(command_outcome outcome) {
  try {
    apply_command(std::get<line_turn>(running_->kind), std::move(outcome), {});
  } catch (const std::exception& e) {
    answer(unexpected(e));
  }
}

}  // namespace fermata::actors
