#include "actors/manager/catalog_runner.hpp"

#include "actors/manager/catalog_failures.hpp"
#include "actors/work/guarded.hpp"
#include "core/session/timeline/slug.hpp"
#include "io/text/safe_text.hpp"

#include <exception>

namespace fermata::actors {

catalog_runner::catalog_runner(session_manager_actor::pointer self, manager_setup setup)
  : self_(self),
    setup_(std::move(setup)),
    sessions_(self, setup_, [this](catalog::input in) { feed(std::move(in)); }),
    jobs_(self, setup_, [this](catalog::input in) { feed(std::move(in)); }) {
  state_.may_create = creation_allowance{setup_.new_sessions};
  feed(catalog::started{});
}

catalog_runner::~catalog_runner() {
  for (auto& [id, promise] : requesters_)
    promise.deliver(to_error(catalog::program_ends()));
}

catalog::request_id catalog_runner::add(const caf::response_promise& promise) {
  requesters_.emplace(next_request_, promise);
  return next_request_++;
}

caf::result<void> catalog_runner::stop() {
  auto promise = self_->make_response_promise<void>();
  feed(catalog::stop_requested{add(promise)});
  return promise;
}

// --- steps ---------------------------------------------------------------------------------------

catalog::catalog_context catalog_runner::context() const {
  return {setup_.now(),
          !setup_.home.empty(),
          setup_.most_loaded,
          setup_.unused_after,
          [](const std::string& given) { return clean_name(io::safe_text(given)); },
          [board = setup_.board](const std::string& slug) { return board->find(slug); }};
}

void catalog_runner::feed(catalog::input in) {
  inputs_.push_back(std::move(in));
  if (stepping_) return;
  stepping_ = true;
  while (!inputs_.empty()) {
    auto next = std::move(inputs_.front());
    inputs_.pop_front();
    auto done = catalog::step(std::move(state_), std::move(next), context());
    state_ = std::move(done.state);
    for (auto& action : done.actions) {
      try {
        std::visit([this](auto& a) { execute(a); }, action);
      } catch (const std::exception& e) {
        // Nothing that one requester meets with ends the manager of all.
        if (auto result = catalog::result_of_failed(action, to_failure(unexpected_error(e))))
          inputs_.push_back(std::move(*result));
      }
    }
  }
  stepping_ = false;
}

// --- actions -------------------------------------------------------------------------------------

void catalog_runner::execute(catalog::restart_later& a) {
  self_->delayed_send(self_, a.delay, atom::restart_v, a.slug);
}

void catalog_runner::execute(catalog::unload_later&) {
  self_->delayed_send(self_, setup_.unused_after, atom::unload_v);
}

void catalog_runner::execute(catalog::answer& a) {
  auto requester = requesters_.extract(a.id);
  if (requester.empty()) return;
  auto& promise = requester.mapped();
  std::visit(
      [&](auto& value) {
        using value_t = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<value_t, catalog::opened_session>) {
          promise.deliver(session_ref{value.slug, sessions_.actor_of(value.slug), value.instead_of,
                                      std::move(value.remarks)});
        } else if constexpr (std::is_same_v<value_t, catalog::all_stopped>) {
          promise.deliver(caf::unit);
        } else {
          promise.deliver(std::move(value));
        }
      },
      a.value);
}

void catalog_runner::execute(catalog::refuse& a) {
  auto requester = requesters_.extract(a.id);
  if (!requester.empty()) requester.mapped().deliver(to_error(a.why));
}

}  // namespace fermata::actors
