#include "core/session/timeline/whole_score.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/music.hpp"

namespace fermata {

namespace {

bool is_score(const value& v) {
  auto m = v.as_music();
  return m != nullptr && std::holds_alternative<score_music>(m->data);
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

/// What the environment has that was empty before.
std::string left_out_of(const environment& env) {
  std::vector<std::string> what;
  for (auto& [name, bound] : env.bindings)
    what.push_back(name);
  auto defined = what.empty() ? std::string{}
                              : (what.size() == 1 ? "the definition of " : "the definitions of ") +
                                    listed(what);
  environment unchanged;
  if (env.defaults != unchanged.defaults || env.key_inference != unchanged.key_inference)
    defined += std::string{defined.empty() ? "" : "; "} + "its defaults";
  return defined;
}

}  // namespace

result<whole_score> whole_score_of(std::string_view text, const evaluation& what) {
  // Both have the forms in the order of the text; only the reader says where they stand.
  auto forms = read(text).forms;
  auto place = [&](std::size_t i) {
    return i < forms.size() ? std::optional{forms[i].span} : std::nullopt;
  };
  auto has_music = false, has_score = false;
  for (std::size_t i = 0; i < what.values.size(); ++i) {
    auto& v = what.values[i];
    if (is_score(v) && has_music)
      return fail({errc::invalid_score,
                   has_score ? "a second score would replace the first"
                             : "the score would replace the music before it",
                   place(i), "Keep a single score in the file, containing all the music."});
    has_score = has_score || is_score(v);
    has_music = has_music || v.as_music() != nullptr;
  }
  if (!what.committed && !has_score)
    return fail({errc::invalid_score,
                 what.values.empty() ? "the file is empty" : "the file contains no music", place(0),
                 "Write (score (part :piano (measure ...))), or (score) for an empty score."});
  return whole_score{what.score, what.env ? left_out_of(*what.env) : std::string{}};
}

}  // namespace fermata
