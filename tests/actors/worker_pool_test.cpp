#include "actors/work/worker_pool.hpp"

#include "actors/system_config.hpp"
#include "actors/work/strand.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <future>
#include <vector>

namespace fermata::actors::worker_pool_test {

TEST_CASE("work that never ends holds up no work of another kind") {
  worker_pool pool;
  std::promise<void> release;
  auto held = release.get_future().share();
  for (int i = 0; i < 100; ++i)
    pool.run(work_kind::whole_preview, [held] { held.wait(); });
  for (auto kind :
       {work_kind::disk, work_kind::turn, work_kind::client_turn, work_kind::first_preview,
        work_kind::second_preview, work_kind::search, work_kind::query}) {
    std::promise<void> done;
    pool.run(kind, [&] { done.set_value(); });
    done.get_future().wait();
  }
  // However much there is to do, there is a bound to the threads.
  CHECK(pool.size() <= worker_pool::most_threads());
  release.set_value();
}

TEST_CASE("a pool that goes waits for what is under way and drops the rest") {
  std::atomic<int> begun{0}, ended{0};
  std::promise<void> first;
  {
    worker_pool pool;
    pool.run(work_kind::disk, [&] {
      ++begun;
      first.set_value();
      ++ended;
    });
    first.get_future().wait();
  }
  CHECK(begun == ended);
}

TEST_CASE("the last owner of a pool may be a piece of its own work") {
  auto pool = std::make_shared<worker_pool>();
  std::promise<void> go, done;
  auto may_go = go.get_future().share();
  pool->run(work_kind::disk, [pool, may_go, &done]() mutable {
    may_go.wait();
    pool.reset();
    done.set_value();
  });
  pool.reset();
  go.set_value();
  done.get_future().wait();
}

TEST_CASE("the work of a strand is done one after the other, in order, on whatever threads") {
  auto pool = std::make_shared<worker_pool>();
  strand work{pool, work_kind::disk};
  std::vector<int> done;  // without a lock
  std::promise<void> last;
  for (int i = 0; i < 2'000; ++i)
    work.run([&done, i] { done.push_back(i); });
  work.run([&] { last.set_value(); });
  last.get_future().wait();
  REQUIRE(done.size() == 2'000);
  for (int i = 0; i < 2'000; ++i)
    REQUIRE(done[static_cast<std::size_t>(i)] == i);
}

namespace {

using asked_actor = caf::typed_actor<caf::replies_to<int>::with<int>>;

asked_actor::behavior_type asked(asked_actor::pointer self, worker_pool_ptr workers) {
  set_quiet_handlers(self);
  return {[self, workers](int x) {
    return answer_from_worker<int>(self, workers, work_kind::query, [x]() -> caf::result<int> {
      if (x == 1) throw std::runtime_error{"one"};
      if (x == 2) throw 2;
      return 2 * x;
    });
  }};
}

}  // namespace

TEST_CASE("a worker answers whoever has asked the actor, also when the work fails") {
  system_config config;
  caf::actor_system sys{config};
  caf::scoped_actor self{sys};
  auto pool = std::make_shared<worker_pool>();
  auto actor = sys.spawn(asked, pool);
  self->request(actor, caf::infinite, 21)
      .receive([](int x) { CHECK(x == 42); }, [](caf::error& e) { FAIL(caf::to_string(e)); });
  self->request(actor, caf::infinite, 1)
      .receive([](int) { FAIL("answered"); },
               [](caf::error& e) { CHECK(problem_of(e) == problem::internal); });
  // What is no exception of the standard library ends the actor, as in a handler of its own.
  self->monitor(actor);
  self->send(actor, 2);
  self->receive([&](const caf::down_msg& down) { CHECK(down.source == actor.address()); });
}

}  // namespace fermata::actors::worker_pool_test
