#include "apps/fermata/command_completion.hpp"

#include "core/lang/complete.hpp"
#include "core/lang/form_spec.hpp"
#include "core/lang/reference.hpp"
#include "core/session/command.hpp"
#include "core/session/example_piece.hpp"
#include "core/session/help_topic.hpp"
#include "core/session/setting_table.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace fermata::app {

namespace {

/// What stands before the word at the cursor.
struct typed_command {
  const command_spec* spec = nullptr;
  std::size_t argument = 0;                ///< which positional argument the word is, from 0
  const command_option* option = nullptr;  ///< whose value the word is
  std::string first_argument;
  std::size_t name_end = 0;  ///< in the text, behind the command's name
};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> pieces{{}};
  for (char c : text)
    if (c == at)
      pieces.emplace_back();
    else
      pieces.back() += c;
  return pieces;
}

/// The command that the text begins with, when a blank follows its name.
typed_command look_at(std::string_view before, std::size_t word_begin) {
  typed_command found;
  auto first = std::min(before.find(' '), before.size());
  if (first >= word_begin) return found;
  auto second = std::min(before.find(' ', std::min(first + 1, before.size())), before.size());
  if (second < word_begin)
    if ((found.spec = find_command(before.substr(1, second - 1)))) found.name_end = second;
  if (!found.spec && (found.spec = find_command(before.substr(1, first - 1))))
    found.name_end = first;
  if (!found.spec) return found;
  bool takes_value = false;
  for (auto& word : split(before.substr(found.name_end, word_begin - found.name_end), ' ')) {
    if (word.empty()) continue;
    if (std::exchange(takes_value, false)) {
      found.option = nullptr;
      continue;
    }
    if (word.starts_with("--")) {
      for (auto& o : found.spec->options)
        if (word.substr(2) == o.name && !o.value.empty()) {
          takes_value = true;
          found.option = &o;
        }
      continue;
    }
    if (found.argument++ == 0) found.first_argument = word;
  }
  if (!takes_value) found.option = nullptr;
  return found;
}

/// The words of "[PART] [MEASURES]" that stand for an argument: {"PART"}, {"MEASURES"}.
std::vector<std::string> meanings(const command_spec& spec, std::size_t argument) {
  std::vector<std::string> words;
  for (auto& w : split(spec.arguments, ' '))
    if (!w.empty()) words.push_back(w);
  if (words.empty()) return {};
  auto word = words[std::min(argument, words.size() - 1)];
  if (argument >= words.size() && spec.most_arguments >= 0) return {};
  std::string bare;
  for (char c : word)
    if (c != '[' && c != ']' && c != '.') bare += c;
  return split(bare, '|');
}

std::string quoted(const std::string& name) {
  return name.find(' ') == name.npos ? name : '"' + name + '"';
}

class words_for {
public:
  words_for(const typed_command& c, const session_state* state,
            const std::vector<std::string>& sessions, std::string_view typed)
    : c_(c), state_(state), sessions_(sessions), typed_(typed) {}

  std::vector<std::string> run() && {
    if (c_.option) {
      if (c_.option->name == "part") parts();
      return std::move(words_);
    }
    for (auto& m : meanings(*c_.spec, c_.argument))
      mean(m);
    return std::move(words_);
  }

private:
  void mean(const std::string& m) {
    auto name = c_.spec->name;
    if (name == "set") {
      set();
    } else if (m == "SESSION") {
      words_.insert(words_.end(), sessions_.begin(), sessions_.end());
    } else if (m == "PART") {
      parts();
    } else if (m == "COMMAND") {
      for (auto& row : command_table())
        words_.emplace_back(row.name.substr(0, row.name.find(' ')));
    } else if (m == "FORM" || (m == "NAME" && name == "doc")) {
      for (auto& row : form_table())
        words_.push_back(row.name);
      if (m == "NAME" && state_)
        for (auto& [bound, b] : state_->env->bindings)
          words_.push_back(bound);
    } else if (m == "TOPIC") {
      words_.emplace_back("topics");
      for (auto& t : help_topics())
        words_.emplace_back(t.name);
      for (auto& t : reference_topic_names())
        words_.push_back(t);
    } else if (m == "NAME" && name == "examples") {
      for (auto& p : example_pieces())
        words_.emplace_back(p.name);
    } else if (m == "CODE") {
      for (auto& row : error_table())
        words_.emplace_back(row.name);
    } else if (m == "FILE" || m == "PATH" || m == "FOLDER" || m == "ARCHIVE") {
      words_ = matching_files(typed_);
    } else if (!m.empty() && std::all_of(m.begin(), m.end(), [](char x) {
                 return (x >= 'a' && x <= 'z') || x == '-';
               })) {
      words_.push_back(m);
    }
  }

  void set() {
    if (c_.argument == 0) {
      for (auto& row : setting_table())
        if (row.of_session) words_.emplace_back(row.name);
    } else if (auto row = find_setting(c_.first_argument)) {
      words_.assign(row->words.begin(), row->words.end());
      if (row->type == setting_type::toggle) words_ = {"on", "off"};
      words_.emplace_back("default");
    }
  }

  void parts() {
    if (!state_) return;
    for (auto& p : state_->score->parts) {
      words_.push_back(p->id);
      if (!p->name.empty()) words_.push_back(quoted(p->name));
    }
  }

  const typed_command& c_;
  const session_state* state_;
  const std::vector<std::string>& sessions_;
  std::string_view typed_;
  std::vector<std::string> words_;
};

void keep_matching(std::vector<std::string>& words, std::string_view typed) {
  // A name in quotes fits what was typed without them.
  std::erase_if(words, [&](std::string_view w) {
    return !w.starts_with(typed) && !(w.starts_with('"') && w.substr(1).starts_with(typed));
  });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

/// Names of commands for what was typed behind the colon.
io::completions names(std::string_view command) {
  io::completions found;
  found.begin = 1;
  for (auto& row : command_table())
    for (auto& name : row.aliases)
      if (name.starts_with(command)) found.words.emplace_back(name);
  for (auto& row : command_table())
    if (row.name.starts_with(command)) found.words.emplace_back(row.name);
  keep_matching(found.words, command);
  // An abbreviation need not be completed where the name itself fits.
  std::erase_if(found.words, [&](auto& w) {
    auto row = find_command(w);
    return row && row->name != w &&
           std::find(found.words.begin(), found.words.end(), row->name) != found.words.end();
  });
  return found;
}

}  // namespace

io::completions complete_command_line(std::string_view before, const session_state* state,
                                      const std::vector<std::string>& sessions) {
  auto blank = before.find_last_of(' ');
  auto word_begin = blank == before.npos ? 1 : blank + 1;
  auto word = before.substr(word_begin);
  auto command = look_at(before, word_begin);
  // A command may be the first word of others: `:session` and `:session list`.
  auto found = names(before.substr(1));
  if (!command.spec) {
    if (found.words.empty() && blank != before.npos) found = {word_begin, {}};
    return found;
  }
  if (!found.words.empty() && command.argument == 0 && command.spec->arguments.empty()) {
    // The second words alone: the first one stands there already.
    auto head = before.substr(1, word_begin - 1);
    found.begin = word_begin;
    for (auto& w : found.words)
      w = w.substr(std::min(head.size(), w.size()));
    std::erase(found.words, "");
    return found;
  }
  if (command.spec->most_arguments < 0 && command.spec->arguments.starts_with("EXPRESSION")) {
    auto expression = before.substr(std::min(command.name_end + 1, before.size()));
    auto all = fermata::complete(expression, expression.size(), state ? state->env.get() : nullptr);
    found = {before.size() - expression.size() + all.word.begin, {}};
    for (auto& candidate : all.candidates)
      found.words.push_back(candidate.text);
    return found;
  }
  found = {word_begin, {}};
  if (word.starts_with("-"))
    for (auto& o : command.spec->options)
      found.words.push_back("--" + std::string{o.name});
  else
    found.words = words_for{command, state, sessions, word}.run();
  keep_matching(found.words, word);
  return found;
}

std::vector<std::string> matching_files(std::string_view typed) {
  namespace fs = std::filesystem;
  constexpr std::size_t most = 300;
  auto slash = typed.find_last_of('/');
  std::string shown_folder{slash == typed.npos ? "" : typed.substr(0, slash + 1)};
  auto begins = typed.substr(slash == typed.npos ? 0 : slash + 1);
  fs::path folder = shown_folder.empty() ? "." : shown_folder;
  if (shown_folder.starts_with("~/"))
    if (auto home = std::getenv("HOME")) folder = fs::path{home} / shown_folder.substr(2);
  std::vector<std::string> found;
  auto end = std::chrono::steady_clock::now() + completion_time;
  std::error_code failed;
  for (fs::directory_iterator it{folder, failed}, last;
       !failed && it != last && found.size() < most && std::chrono::steady_clock::now() < end;
       it.increment(failed)) {
    auto name = it->path().filename().string();
    if (!name.starts_with(begins) || (name.starts_with('.') && begins.empty())) continue;
    std::error_code unknown;
    found.push_back(shown_folder + name + (it->is_directory(unknown) ? "/" : ""));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace fermata::app
