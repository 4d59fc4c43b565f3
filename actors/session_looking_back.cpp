// Commands that look at entries on disk: read by a worker, beside the turns or within one.

#include "actors/interruptible_entries.hpp"
#include "actors/look_back.hpp"
#include "actors/session.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

void session_actor_state::look_back(const line_turn& t, const std::string& text,
                                    fermata::looks_back how) {
  auto interrupted = t.line.cancelled ? t.line.cancelled : std::make_shared<std::atomic<bool>>();
  if (!reader_) reader_ = self_->spawn(actors::look_back, workers_);
  auto number = next_aside_++;
  look_back_job job{text,
                    read_until(*writer_->planned(), interrupted),
                    t.line.source,
                    now_(),
                    {clock_, t.line.in_words}};
  self_->request(reader_, caf::infinite, atom::look_back_v, std::move(job))
      .then([this, number](command_outcome& outcome) { looked_back(number, std::move(outcome)); },
            [this, number](caf::error& reason) { looked_back(number, std::move(reason)); });
  running_->looks_back = number;
  running_->interrupted = std::move(interrupted);
  if (how == fermata::looks_back::in_turn) return;
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
  if (running_ && running_->looks_back == number) return finish_looking_back(said_in(*running_));
  auto it = aside_.find(number);
  if (it == aside_.end()) return;
  auto said = said_in(*it->second);
  resuming_.push_back({std::move(it->second), std::move(said)});
  aside_.erase(it);
  next_turn();
}

void session_actor_state::finish_looking_back(command_outcome outcome) {
  try {
    apply_command(std::get<line_turn>(running_->kind), std::move(outcome), {});
  } catch (const std::exception& e) {
    answer(unexpected(e));
  }
}

}  // namespace fermata::actors
