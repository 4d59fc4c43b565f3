#include "actors/session/repeated_requests.hpp"

#include "actors/session/session_answers.hpp"

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace {

/// What the session has kept under this key; null: nothing.
const kept_answer* kept_under_key(const session_state& s, const keyed_request& what) {
  if (what.key.empty()) return nullptr;
  auto is_same = [&](auto& a) { return a.author == what.source.author && a.key == what.key; };
  auto found = std::find_if(s.answers.begin(), s.answers.end(), is_same);
  return found == s.answers.end() ? nullptr : &*found;
}

caf::error done_but_unreadable(const kept_answer& before) {
  return make_problem(problem::failed,
                      "this was already done, as entry " + std::to_string(*before.entry) +
                          ", which can no longer be read",
                      "It is not repeated. See get_score for the current score.");
}

}  // namespace

bool repeated_requests::was_answered(const keyed_request& what) const {
  return answers_.knows(what.whole_key()) || kept_under_key(core_.planned(), what);
}

void repeated_requests::answer_all(const caf::error& reason) {
  for (auto& [number, answer] : std::exchange(reading_, {}))
    answer(reason);
}

std::optional<answer_any> repeated_requests::admit(const keyed_request& what, answer_any to) {
  auto key = what.whole_key();
  if (key.empty()) return to;
  // What is under way here is answered when it is written, not before.
  if (!answers_.knows(key)) {
    if (auto before = kept_under_key(core_.planned(), what)) {
      answer_again(*before, what, std::move(to));
      return std::nullopt;
    }
    // A request that names no session goes where the active one is by now.
    if (core_.open_sessions)
      for (auto& other : core_.open_sessions())
        if (kept_under_key(*other, what)) {
          to(key_of_another_request(other->meta.slug));
          return std::nullopt;
        }
  }
  return answers_.admit(key, what.as_text(), std::move(to));
}

/// The same answer once more. `entry`: what it made in the timeline, or null.
caf::expected<remote_answer> repeated_requests::same_answer(const kept_answer& before,
                                                            const entry_ptr& entry) const {
  if (before.ticket) return message_receipt{*before.ticket, before.waiting};
  if (before.method == "undo") {
    if (!entry || !std::holds_alternative<command_entry>(entry->kind))
      return done_but_unreadable(before);
    auto then = *core_.shown();
    then.revision = before.revision;
    return turn{{entry}, std::make_shared<const session_state>(std::move(then)), {}};
  }
  if (entry) {
    auto eval = std::get_if<eval_entry>(&entry->kind);
    if (!eval) return done_but_unreadable(before);
    if (eval->failure) return to_problem(*eval->failure, eval->text);
  }
  remote_outcome outcome;
  if (auto eval = entry ? std::get_if<eval_entry>(&entry->kind) : nullptr)
    outcome.remarks = eval->remarks;
  outcome.entry = entry;
  outcome.proposal = before.proposal;
  outcome.output_text = before.output_text;
  outcome.delta_summary = before.delta_summary;
  outcome.revision = before.revision;
  outcome.changed = before.changed;
  return outcome;
}

void repeated_requests::answer_again(const kept_answer& before, const keyed_request& what,
                                     answer_any to) {
  if (!what.is_of(before)) return to(key_of_another_request());
  auto& timeline = core_.planned().history;
  if (before.entry && timeline.is_on_disk(*before.entry))
    read_entry(before, what, std::move(to));
  else
    to(same_answer(before, before.entry ? timeline.at(*before.entry) : nullptr));
}

/// Reading blocks, so a worker does it, once for all that ask meanwhile with the same key.
void repeated_requests::read_entry(const kept_answer& before, const keyed_request& what,
                                   answer_any to) {
  if (reading_.size() >= core_.limits.previews_waiting)
    return to(busy("too many lookups on disk are pending"));
  auto answer = answers_.admit(what.whole_key(), what.as_text(), std::move(to));
  if (!answer) return;
  auto number = next_number_++;
  reading_.emplace(number, std::move(*answer));
  if (!worker_) worker_ = core_.self->spawn(file_worker, core_.workers, work_kind::search);
  auto found = std::make_shared<entry_ptr>();
  file_job reading{[found, timeline = core_.planned().history, index = *before.entry] {
    *found = timeline.at(index);
    return result<void>{};
  }};
  core_.self->request(worker_, caf::infinite, std::move(reading))
      .then([this, number, before, found] { entry_read(number, before, *found); },
            [this, number, before](caf::error& reason) {
              entry_read(number, before, std::move(reason));
            });
}

void repeated_requests::entry_read(std::uint64_t number, const kept_answer& before,
                                   caf::expected<entry_ptr> entry) {
  auto waiting = reading_.extract(number);
  if (reading_.empty()) worker_ = nullptr;
  if (waiting.empty()) return;  // the session ends, and has said so
  waiting.mapped()(entry ? same_answer(before, *entry)
                         : caf::expected<remote_answer>{std::move(entry.error())});
}

}  // namespace fermata::actors
