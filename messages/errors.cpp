#include "messages/errors.hpp"

#include <caf/exit_reason.hpp>
#include <caf/message.hpp>
#include <caf/sec.hpp>

namespace fermata {

caf::error make_problem(problem p, problem_detail detail) {
  return caf::make_error(p, std::move(detail));
}

caf::error make_problem(problem p, std::string message, std::string advice) {
  problem_detail detail;
  detail.message = std::move(message);
  detail.advice = std::move(advice);
  return make_problem(p, std::move(detail));
}

caf::error to_problem(const error& e, std::string source) {
  problem_detail detail;
  detail.cause = e;
  detail.source = std::move(source);
  auto p = problem::eval_error;
  if (!e.diagnostics.empty()) {
    detail.message = e.first().message;
    detail.advice = e.first().hint;
    if (e.first().code == errc::internal) p = problem::internal;
  }
  return make_problem(p, std::move(detail));
}

problem problem_of(const caf::error& e) {
  if (!e) return problem::none;
  if (e.category() == caf::detail::error_factory<problem>::category)
    return info(static_cast<problem>(e.code())).code;
  // The actor that was asked is gone, going, or did not answer in time.
  if (e.category() == caf::atom("system") || e.category() == caf::atom("exit"))
    return problem::unavailable;
  return problem::internal;
}

problem_detail detail_of(const caf::error& e) {
  if (e.context().size() == 1 && e.context().match_element<problem_detail>(0))
    return e.context().get_as<problem_detail>(0);
  problem_detail detail;
  if (e.category() == caf::detail::error_factory<problem>::category)
    detail.message = std::string{info(problem_of(e)).when};
  else
    detail.message = "no receiver: " + caf::to_string(e);
  return detail;
}

}  // namespace fermata
