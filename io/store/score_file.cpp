#include "io/store/score_file.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/session/timeline/whole_score.hpp"

namespace fermata::io {

std::string text_of_score(const score& s) { return print_score(s) + '\n'; }

result<score_ptr> score_of_text(std::string text) {
  evaluation_request request;
  request.text = std::move(text);
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  auto done = evaluate(request);
  if (!done) return fail(done.error());
  auto what = whole_score_of(request.text, *done);
  if (!what) return fail(what.error());
  return what->score;
}

bool is_exact(const std::string& text, const score& s) {
  auto again = score_of_text(text);
  return again && **again == s;
}

}  // namespace fermata::io
