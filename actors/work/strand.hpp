#pragma once

#include "actors/work/guarded.hpp"
#include "actors/work/worker_pool.hpp"

#include <caf/actor_cast.hpp>
#include <caf/result.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace fermata::actors {

/// A reply from a worker's thread to the sender of the message being handled.
class late_answer {
public:
  explicit late_answer(caf::local_actor* self) : self_(self->ctrl()) {
    auto promise = self->make_response_promise();
    to_ = promise.source();
    id_ = promise.id();
  }

  /// Runs the body and answers with what comes of it, on any thread. What is thrown that is no
  /// exception of the standard library ends the actor, as it would in a handler of its own.
  template <class R, class F>
  void answer_with(F&& body) const {
    try {
      auto result = guarded<R>(std::forward<F>(body));
      if (!to_ || !id_.is_request()) return;
      auto answer = result.flag == caf::rt_error ? caf::make_message(std::move(result.err))
                                                 : std::move(result.value);
      to_->enqueue(self_, id_.response_id(), std::move(answer), nullptr);
    } catch (...) {
      caf::anon_send_exit(caf::actor_cast<caf::actor>(self_),
                          caf::exit_reason::unhandled_exception);
    }
  }

private:
  caf::strong_actor_ptr self_;  ///< it does not end before it has answered
  caf::strong_actor_ptr to_;
  caf::message_id id_;
};

/// Answers the message that is being handled with what `body` returns on a worker's thread.
template <class R, class F>
caf::result<R> answer_from_worker(caf::local_actor* self, const worker_pool_ptr& workers,
                                  work_kind kind, F body) {
  if (!workers) return guarded<R>(std::move(body));
  late_answer back{self};
  workers->run(kind,
               [back, body = std::move(body)]() mutable { back.template answer_with<R>(body); });
  return caf::delegated<R>{};
}

/// The blocking work of one actor, done by the shared workers: one piece at a time, in the order in
/// which it was asked for. So what the pieces have in common needs no lock; it must live as long as
/// they do, which is why they hold it together.
class strand {
public:
  strand(worker_pool_ptr workers, work_kind kind)
    : line_(std::make_shared<line>(std::move(workers), kind)) {}

  /// Without workers it is done before this returns.
  void run(std::function<void()> work) const {
    if (!line_->workers) return work();
    std::lock_guard lock{line_->mutex};
    line_->waiting.push_back(std::move(work));
    if (!std::exchange(line_->is_running, true)) go_on(line_);
  }

  /// Answers the message that is being handled with what `body` returns.
  template <class R, class F>
  caf::result<R> answer(caf::local_actor* self, F body) const {
    if (!line_->workers) return guarded<R>(std::move(body));
    late_answer back{self};
    run([back, body = std::move(body)]() mutable { back.template answer_with<R>(body); });
    return caf::delegated<R>{};
  }

private:
  struct line {
    line(worker_pool_ptr pool, work_kind of) : workers(std::move(pool)), kind(of) {}
    const worker_pool_ptr workers;
    const work_kind kind;
    std::mutex mutex;
    std::deque<std::function<void()>> waiting;
    bool is_running = false;
  };

  static void go_on(const std::shared_ptr<line>& of) {
    of->workers->run(of->kind, [of] { do_next(of); });
  }
  static void do_next(const std::shared_ptr<line>& of) {
    {
      std::unique_lock lock{of->mutex};
      auto work = std::move(of->waiting.front());
      of->waiting.pop_front();
      lock.unlock();
      work();
    }
    std::lock_guard lock{of->mutex};
    of->is_running = !of->waiting.empty();
    if (of->is_running) go_on(of);
  }

  std::shared_ptr<line> line_;
};

}  // namespace fermata::actors
