#include "io/store/score_file.hpp"

#include "core/lang/evaluate.hpp"
#include "core/lang/music/decompile.hpp"
#include "core/session/whole_score.hpp"
#include "io/store/text_file.hpp"

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

result<written_score> write_score_file(const std::filesystem::path& path, const score& s) {
  auto text = text_of_score(s);
  if (auto done = replace_text(path, text); !done) return fail(done.error());
  auto again = score_of_text(text);
  auto exact = again && **again == s;
  return written_score{std::move(text), exact};
}

}  // namespace fermata::io
