#include "io/line_editor/line_editor_impl.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/word_columns.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace fermata::io {

char** line_editor::impl::on_complete(const char*, int start, int) {
  rl_attempted_completion_over = 1;  // no file names
  if (!self->hooks.complete) return nullptr;
  auto found = self->hooks.complete(text(), static_cast<std::size_t>(rl_point));
  // Readline has decided where the word begins; a word of ours that begins earlier loses what
  // stands before that, one that begins later gets it.
  auto readline_begin = static_cast<std::size_t>(start);
  std::string more;
  std::size_t less = 0;
  if (found.begin > readline_begin)
    more = text().substr(readline_begin, found.begin - readline_begin);
  else
    less = readline_begin - found.begin;
  std::vector<std::string> words;
  for (auto& w : found.words)
    if (w.size() >= less) words.push_back(more + w.substr(less));
  if (words.empty()) return nullptr;
  auto common = common_beginning(words);
  rl_completion_suppress_append = 1;  // what follows is ours to say
  if (words.size() == 1) common += found.after;
  // Words that differ from what was typed (in capitals) shall not make it shorter.
  auto typed = text().substr(readline_begin, static_cast<std::size_t>(rl_point) - readline_begin);
  if (words.size() > 1 && common.size() < typed.size()) common = typed;
  // Readline frees what it gets: an array of C strings, the common beginning first.
  auto list = static_cast<char**>(std::calloc(words.size() + 2, sizeof(char*)));
  if (!list) return nullptr;
  list[0] = ::strdup(common.c_str());
  if (words.size() > 1)
    for (std::size_t i = 0; i < words.size(); ++i)
      list[i + 1] = ::strdup(words[i].c_str());
  return list;
}

void line_editor::impl::on_show_matches(char** matches, int count, int) {
  std::vector<std::string> words;
  for (int i = 1; i <= count; ++i)
    words.push_back(safe_text(matches[i]));
  // Of paths only what differs: the folder stands in the line already.
  if (auto slash = std::string_view{matches[0]}.rfind('/'); slash != std::string_view::npos)
    for (auto& w : words)
      w.erase(0, std::min(slash + 1, w.size()));
  auto size = size_of_terminal();
  auto list = in_columns(words, size.columns, size.rows > 4 ? size.rows - 4 : 1, "\r\n");
  if (self->plain)
    write_out("\r\n");
  else
    self->draw();  // what was typed may not have been drawn yet
  write_out(leave(self->shown) + list);
  self->shown = {};
  if (self->plain) {
    self->line.begin();
    redisplay_plain();
    return;
  }
  request_redraw();
}

}  // namespace fermata::io
