#pragma once

#include "evaluated.hpp"

namespace fermata::test {

/// A session: texts one after another, the score and the cursor kept.
struct session {
  score_ptr score = empty_score();
  environment_ptr env = std::make_shared<const environment>();

  result<evaluation> try_type(std::string_view text) {
    evaluation_request request;
    request.text = text;
    request.env = env;
    request.score = score;
    auto r = evaluate(request);
    if (r) {
      score = r->score;
      env = r->env;
    }
    return r;
  }
  value type(std::string_view text) {
    auto r = try_type(text);
    if (!r) FAIL(render(r.error(), text));
    return r->values.empty() ? value{} : r->values.back();
  }
  errc fault(std::string_view text) {
    auto before = score;
    auto r = try_type(text);
    if (r) FAIL(std::string{text} + " was accepted");
    CHECK(score == before);
    return r.error().first().code;
  }
  /// As it is written.
  std::string measure(std::size_t m, std::size_t p = 0) const {
    return print_form(to_form(*to_music(*score->parts.at(p)->measures.at(m), {}, true)), 1000);
  }
};

/// The same, text after text in one line.
struct edited : session {
  edited& type(std::string_view text) {
    session::type(text);
    return *this;
  }
};

using lines = std::vector<std::string>;

/// What a text shows in a session of its own: its last value, and the remarks.
struct outcome {
  std::string text;
  lines remarks;
};
inline outcome of(const std::string& text) {
  session s;
  auto r = s.try_type(text);
  if (!r) FAIL(render(r.error(), text));
  return {print(r->values.back()), r->remarks};
}

}  // namespace fermata::test
