#include "io/store/score_file.hpp"

#include "core/lang/evaluate.hpp"
#include "io/store/file.hpp"

namespace fermata::io {

result<bool> write_score_file(const std::filesystem::path&, const score&) {
  return false;
}

result<score_ptr> read_score_file(const std::filesystem::path& path) {
  auto text = read_file(path);
  if (!text)
    return fail(text.error());
  evaluation_request request;
  request.text = std::move(*text);
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  auto done = evaluate(request);
  if (!done)
    return fail(done.error());
  return done->score;
}

} // namespace fermata::io
