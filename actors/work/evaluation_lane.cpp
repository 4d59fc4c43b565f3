#include "actors/work/evaluation_lane.hpp"

#include "messages/errors.hpp"

#include <algorithm>
#include <chrono>

namespace fermata::actors {

namespace {

constexpr int fatal_deaths_of_a_job = 2;

std::chrono::milliseconds delay_after(int deaths_in_a_row) {
  auto doublings = std::min(deaths_in_a_row - 1, 7);
  return std::min(std::chrono::milliseconds{10 << doublings}, std::chrono::milliseconds{1000});
}

}  // namespace

evaluation_lane::evaluation_lane(session_actor::pointer self, std::uint32_t number,
                                 evaluate_function evaluate, worker_pool_ptr workers,
                                 std::function<void(const caf::error&)> on_death)
  : self_(self),
    number_(number),
    evaluate_(std::move(evaluate)),
    workers_(std::move(workers)),
    on_death_(std::move(on_death)) {}

evaluation_lane::~evaluation_lane() { cancel(); }

void evaluation_lane::start(evaluation_job job, done then) {
  job_ = std::move(job);
  if (!job_->cancelled) job_->cancelled = std::make_shared<std::atomic<bool>>(false);
  then_ = std::move(then);
  deaths_of_job_ = 0;
  if (!worker_ && !waits_for_restart_) spawn_worker();
  if (worker_) send();
}

void evaluation_lane::cancel() {
  if (job_) job_->cancelled->store(true, std::memory_order_relaxed);
}

void evaluation_lane::abandon() {
  if (!job_) return;
  cancel();
  if (worker_) {
    self_->demonitor(worker_.address());
    self_->send(worker_, atom::stop_v);
    worker_ = nullptr;
    ++generation_;
  }
  settle(generation_, evaluation_outcome{interrupted_evaluation()});
}

void evaluation_lane::spawn_worker() {
  worker_ = self_->spawn<caf::monitored>(evaluator, evaluate_, workers_);
}

void evaluation_lane::send() {
  // Without a timeout: the job has a budget of its own, and DOWN answers for a dead worker.
  self_->request(worker_, caf::infinite, atom::evaluate_v, *job_)
      .then([this, g = generation_](evaluation_outcome& outcome) { settle(g, std::move(outcome)); },
            [this, g = generation_](caf::error& reason) { failed(g, std::move(reason)); });
}

void evaluation_lane::settle(std::uint64_t generation, caf::expected<evaluation_outcome> outcome) {
  if (generation != generation_ || !job_) return;
  if (outcome) deaths_in_a_row_ = 0;
  job_.reset();
  auto then = std::move(then_);
  then_ = nullptr;
  evaluation_remains remains;
  if (outcome && outcome->what && is_large(*outcome))
    remains.what = std::make_shared<const evaluation>(*outcome->what);
  auto worker = worker_;
  then(std::move(outcome));
  if (remains.what && worker) self_->send(worker, std::move(remains));
}

void evaluation_lane::failed(std::uint64_t generation, caf::error reason) {
  // A job that bounced unread, or that the worker died of, is given to the next worker: DOWN
  // follows, or has come already.
  if (reason == caf::sec::request_receiver_down || reason.category() == caf::atom("exit")) return;
  settle(generation, std::move(reason));
}

void evaluation_lane::worker_down(const caf::down_msg& msg) {
  if (!worker_ || msg.source != worker_.address()) return;
  worker_ = nullptr;
  ++generation_;
  ++deaths_in_a_row_;
  waits_for_restart_ = true;
  self_->delayed_send(self_, delay_after(deaths_in_a_row_), atom::restart_v, number_);
  on_death_(msg.reason);
  if (job_ && ++deaths_of_job_ >= fatal_deaths_of_a_job)
    settle(generation_,
           make_problem(problem::internal, "this expression crashed the evaluator twice",
                        "Nothing was changed. Please report this input."));
}

void evaluation_lane::restarted() {
  waits_for_restart_ = false;
  if (!job_) return;  // started again when it is needed
  spawn_worker();
  send();
}

void evaluation_lane::shut_down() {
  cancel();
  job_.reset();
  then_ = nullptr;
  if (worker_) {
    self_->demonitor(worker_.address());
    self_->send_exit(worker_, caf::exit_reason::user_shutdown);
    worker_ = nullptr;
  }
}

}  // namespace fermata::actors
