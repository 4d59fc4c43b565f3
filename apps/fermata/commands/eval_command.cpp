#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/error_json.hpp"
#include "apps/fermata/commands/evaluation_memory.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/session/commands/classify.hpp"

#include <boost/json.hpp>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <initializer_list>

namespace fermata::app {

namespace {

namespace json = boost::json;

/// Whether the user has cancelled. Free of locks, so that a signal handler may set it.
std::atomic<bool> given_up{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// The evaluation ends, and what is done is told; asked again, the program ends at once. So it does
/// when that takes long, as it does where nobody reads what is printed.
void give_up(int signal) {
  constexpr unsigned seconds_to_end = 1;
  given_up = true;
  std::signal(signal, SIG_DFL);
  std::signal(SIGALRM, [](int) { ::_exit(exit_failure); });
  ::alarm(seconds_to_end);
}

/// Signals that whoever started the program has switched off (`nohup`) stay so.
void listen_for_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, give_up) == SIG_IGN) std::signal(signal, SIG_IGN);
}

json::object to_json(const error& e, std::string_view text) {
  return {{"ok", false}, {"errors", app::to_json(e.diagnostics, text)}};
}

json::object to_json(const evaluation& e) {
  json::array values;
  for (auto& v : e.values)
    values.push_back(json::object{{"type", type_name(v)}, {"value", print(v)}});
  json::object out{{"ok", true},
                   {"values", std::move(values)},
                   {"committed", e.committed},
                   {"score", summary(*e.score)}};
  if (!e.remarks.empty()) out["remarks"] = json::array(e.remarks.begin(), e.remarks.end());
  return out;
}

}  // namespace

int eval_command(const eval_options& o) {
  evaluation_request request;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.rule = commit_rule::notation;
  std::vector<value> outputs;
  std::vector<value> inputs;
  request.history = [&](std::string_view session,
                        std::int64_t index) -> std::optional<history_value> {
    if (!session.empty() || index < 1 || index > static_cast<std::int64_t>(outputs.size()))
      return std::nullopt;
    auto i = static_cast<std::size_t>(index - 1);
    return history_value{inputs[i], outputs[i]};
  };
  auto memory = evaluation_memory();
  int failures = 0;
  if (o.expressions.empty()) {
    std::fputs("fermata eval: no expression given; for example: fermata eval '(note c4 :q)'\n",
               stderr);
    return exit_usage;
  }
  for (auto& text : o.expressions) {
    if (without_blanks(text).empty()) {
      std::fputs("fermata eval: empty expression; for example: fermata eval '(note c4 :q)'\n",
                 stderr);
      return exit_usage;
    }
  }
  listen_for_signals();
  for (auto& text : o.expressions) {
    // Whoever reads has what is done, whatever becomes of what follows. Where nothing can be
    // written there is no need to go on; `main` says so.
    if (std::fflush(stdout) != 0) return exit_failure;
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    request.text = text;
    request.next_index = static_cast<std::int64_t>(outputs.size()) + 1;
    request.interrupted = [deadline]() -> std::optional<errc> {
      if (given_up) return errc::cancelled;
      if (std::chrono::steady_clock::now() > deadline) return errc::budget_exceeded;
      return std::nullopt;
    };
    memory_meter meter{memory, request.interrupted};
    auto lines = prompt_lines_in(text);
    auto done =
        lines.diagnostics.empty() ? evaluate(request) : result<evaluation>{fail(std::move(lines))};
    if (!done) {
      ++failures;
      if (o.json) {
        std::puts(json::serialize(to_json(done.error(), text)).c_str());
      } else {
        std::fflush(stdout);  // both may go to the same place, and keep their order there
        complain(done.error(), text, {});
      }
      if (given_up) break;
      continue;
    }
    if (o.json) {
      std::puts(json::serialize(to_json(*done)).c_str());
    } else {
      for (auto& v : done->values)
        std::puts(print(v).c_str());
      // Remarks come behind what they are about, also where both go to the same place.
      if (!done->remarks.empty()) std::fflush(stdout);
      for (auto& remark : done->remarks)
        std::fprintf(stderr, "fermata eval: %s\n", remark.c_str());
    }
    inputs.push_back(done->forms.empty() ? value{} : done->forms.back());
    outputs.push_back(done->values.empty() ? value{} : done->values.back());
    request.env = done->env;
    request.score = done->score;
  }
  if (given_up) {
    std::fflush(stdout);
    std::fputs("fermata eval: interrupted; the rest was not evaluated\n", stderr);
    return exit_failure;
  }
  return failures ? exit_failure : exit_ok;
}

}  // namespace fermata::app
