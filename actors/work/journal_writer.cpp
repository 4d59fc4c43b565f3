#include "actors/work/journal_writer.hpp"

#include "messages/errors.hpp"

#include <iterator>
#include <utility>

namespace fermata::actors {

journal_writer::journal_writer(session_actor::pointer self, session_snapshot start,
                               store_actor store, on_shown shown)
  : self_(self),
    planned_(start),
    shown_(std::move(start)),
    store_(std::move(store)),
    on_shown_(std::move(shown)) {}

void journal_writer::keep_in_memory(std::int64_t entries, entry_loader_ptr loader) {
  entries_in_memory_ = entries;
  loader_ = std::move(loader);
}

void journal_writer::write(std::vector<transition> transitions, done then, lines made) {
  made.resize(transitions.size());
  auto next = *planned_;
  for (auto& t : transitions) {
    auto applied = apply(std::move(next), t);
    if (!applied) {
      then(to_problem(applied.error()));
      return;
    }
    next = std::move(*applied);
  }
  // Not one by one: a thousand at a time. What is let go of was written long ago.
  if (loader_ && next.history.resident() > entries_in_memory_ + 1'000)
    next.history.leave_on_disk(entries_in_memory_, loader_);
  planned_ = std::make_shared<const session_state>(std::move(next));
  waiting_.push_back({{std::move(transitions), planned_, std::move(made)}, std::move(then)});
  send_next();
}

void journal_writer::send_next() {
  if (in_flight_ > 0) return;
  while (!store_ && !waiting_.empty()) {
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    auto& done = next.batch.transitions;
    if (keeps_unwritten_) unwritten_.insert(unwritten_.end(), done.begin(), done.end());
    show(std::move(next));
  }
  // Here what is shown is exactly what was appended.
  send_checkpoints();
  if (waiting_.empty()) return;
  journal_batch together;
  for (auto& next : waiting_) {
    auto& own = next.batch.transitions;
    together.transitions.insert(together.transitions.end(), own.begin(), own.end());
    auto& made = next.batch.lines;
    together.lines.insert(together.lines.end(), made.begin(), made.end());
  }
  together.after = waiting_.back().batch.after;
  in_flight_ = waiting_.size();
  self_->request(store_, caf::infinite, atom::append_v, std::move(together))
      .then([this] { written(); }, [this](caf::error& reason) { failed(reason); });
}

void journal_writer::show(write_in_line next) {
  next.batch.lines.clear();  // they are in the journal
  shown_ = next.batch.after;
  on_shown_(next.batch);
  next.then(shown_);
}

void journal_writer::written() {
  std::list<write_in_line> done;
  done.splice(done.end(), waiting_, waiting_.begin(),
              std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(in_flight_)));
  // Nothing goes to the store in between: a checkpoint is of all that is appended.
  for (auto& next : done)
    show(std::move(next));
  in_flight_ = 0;
  send_next();
}

void journal_writer::failed(const caf::error& reason) {
  in_flight_ = 0;
  auto dropped = std::move(waiting_);
  waiting_.clear();
  planned_ = shown_;
  for (auto& write : dropped)
    write.then(reason);
  send_next();
}

void journal_writer::flush(std::function<void(caf::error)> then) {
  if (!store_) return then(caf::none);
  self_->request(store_, caf::infinite, atom::flush_v)
      .then([then] { then(caf::none); }, [then](caf::error& reason) { then(std::move(reason)); });
}

void journal_writer::checkpoint(std::function<void(caf::error)> then) {
  line_up_checkpoint(checkpoint_is::wanted, std::move(then));
}

void journal_writer::save(std::function<void(caf::error)> then) {
  line_up_checkpoint(checkpoint_is::asked_for, std::move(then));
}

void journal_writer::checkpoint_when_due(std::function<void(caf::error)> then) {
  line_up_checkpoint(checkpoint_is::wanted_when_due, std::move(then));
}

void journal_writer::line_up_checkpoint(checkpoint_is how, std::function<void(caf::error)> then) {
  if (!store_) return then(caf::none);
  checkpoints_.push_back({how, std::move(then)});
  send_next();
}

void journal_writer::edited_score(std::function<void(caf::expected<io::offered_score>)> then) {
  if (!store_) return then(make_problem(problem::failed, "this session is not kept on disk"));
  self_->request(store_, caf::infinite, atom::reload_v)
      .then([then](io::offered_score& offered) { then(std::move(offered)); },
            [then](caf::error& reason) { then(std::move(reason)); });
}

void journal_writer::score_taken(io::offered_score taken) {
  if (store_) self_->send(store_, atom::taken_v, std::move(taken));
}

void journal_writer::send_checkpoints() {
  for (auto& [how, then] : std::exchange(checkpoints_, {})) {
    auto answered = [then = then](auto response) {
      response.then([then] { then(caf::none); },
                    [then](caf::error& reason) { then(std::move(reason)); });
    };
    auto ask = [&](auto... verbs) {
      answered(self_->request(store_, caf::infinite, atom::checkpoint_v, verbs..., shown_));
    };
    switch (how) {
      case checkpoint_is::wanted: ask(); break;
      case checkpoint_is::asked_for: ask(atom::restore_v); break;
      case checkpoint_is::wanted_when_due: ask(atom::when_due_v); break;
    }
  }
}

}  // namespace fermata::actors
