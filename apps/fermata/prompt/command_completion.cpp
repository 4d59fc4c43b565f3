#include "apps/fermata/prompt/command_completion.hpp"

#include "core/lang/reference/complete.hpp"
#include "core/lang/reference/reference.hpp"
#include "core/lang/value/form_spec.hpp"
#include "core/lang/value/letter_case.hpp"
#include "core/score/model/section.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/example_piece.hpp"
#include "core/session/commands/help_topic.hpp"
#include "core/session/commands/setting_table.hpp"
#include "core/session/timeline/author.hpp"
#include "io/store/home.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace fermata::app {

namespace {

/// A word of a command line, quotes taken off.
struct typed_word {
  std::size_t begin = 1;  ///< in the line, of the quote if there is one
  std::string text;
  bool quoted = false;
};

/// The words behind the colon; the last one ends at the cursor and may be empty.
std::vector<typed_word> words_before(std::string_view before) {
  std::vector<typed_word> words{{}};
  bool quoted = false;
  for (std::size_t i = 1; i < before.size(); ++i) {
    auto& word = words.back();
    if (before[i] == ' ' && !quoted) {
      words.push_back({i + 1, {}, false});
    } else if (before[i] == '"') {
      quoted = !quoted;
      word.quoted = true;
    } else {
      if (before[i] == '\\' && quoted && i + 1 < before.size()) ++i;
      word.text += before[i];
    }
  }
  return words;
}

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

/// The command that the line begins with, when a blank follows its name; what holds for the word at
/// the cursor.
typed_command look_at(std::string_view before, const std::vector<typed_word>& words) {
  typed_command found;
  if (words.size() < 2) return found;
  std::size_t next = 1;
  if (words.size() > 2 && (found.spec = find_command(words[0].text + ' ' + words[1].text)))
    next = 2;
  else
    found.spec = find_command(words[0].text);
  if (!found.spec) return found;
  found.name_end = std::min(words[next].begin - 1, before.size());
  for (; next + 1 < words.size(); ++next) {
    auto& word = words[next];
    if (word.text.empty() && !word.quoted) continue;
    if (std::exchange(found.option, nullptr)) continue;
    if (word.text.starts_with("--")) {
      for (auto& o : found.spec->options)
        if (word.text.substr(2) == o.name && !o.value.empty()) found.option = &o;
    } else if (word.text == "-o") {
      for (auto& o : found.spec->options)
        if (o.name == "o") found.option = &o;
    } else if (found.argument++ == 0) {
      found.first_argument = word.text;
    }
  }
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

/// As it has to be typed: in quotes where it has blanks, or where they are begun already. What may
/// go on (a folder) keeps them open.
std::string as_typed(std::string name, bool quoted) {
  std::replace(name.begin(), name.end(), '\n', ' ');  // the name of a part on two lines
  if (!quoted && name.find_first_of(" \"") == name.npos) return name;
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return name.ends_with('/') ? text : text + '"';
}

class words_for {
public:
  words_for(const typed_command& c, const command_surroundings& around, const typed_word& typed)
    : c_(c), state_(around.state), around_(around), typed_(typed) {}

  std::vector<std::string> run() && {
    if (c_.option)
      mean(c_.option->name == "part"     ? "PART"
           : c_.option->name == "author" ? "AUTHOR"
                                         : std::string{c_.option->value});
    else
      for (auto& m : meanings(*c_.spec, c_.argument))
        mean(m);
    // Where nothing fits letter by letter, capitals do not matter.
    if (words_.empty()) words_ = std::move(other_case_);
    std::sort(words_.begin(), words_.end());
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    return std::move(words_);
  }

private:
  void add(std::string_view word) {
    if (word.starts_with(typed_.text))
      words_.push_back(as_typed(std::string{word}, typed_.quoted));
    else if (in_small_letters(word).starts_with(in_small_letters(typed_.text)))
      other_case_.push_back(as_typed(std::string{word}, typed_.quoted));
  }

  void mean(const std::string& m) {
    auto name = c_.spec->name;
    if (name == "set")
      set();
    else if (m == "SESSION")
      for (auto& slug :
           name == "session unarchive" ? io::archived_sessions(around_.home) : around_.sessions)
        add(slug);
    else if (m == "PART")
      parts();
    else if (m == "MEASURES")
      sections();
    else if (m == "BRANCH" || (m == "NAME" && name == "switch-branch"))
      branches();
    else if (name == "diff") {
      branches();
      proposals();
    } else if (m == "N" && (name == "accept" || name == "reject"))
      proposals();
    else if (m == "CLIENT")
      clients();
    else if (m == "AUTHOR")
      authors();
    else if (m == "TAG" || m == "-TAG")
      tags();
    else if (m == "COMMAND")
      for (auto& row : command_table())
        add((typed_.text.starts_with(':') ? ":" : "") +
            std::string{row.name.substr(0, row.name.find(' '))});
    else if (m == "FORM" || (m == "NAME" && (name == "doc" || name == "help")))
      forms(m == "NAME");
    else if (m == "TOPIC")
      topics();
    else if (m == "NAME" && name == "examples")
      for (auto& p : example_pieces())
        add(p.name);
    else if (m == "CODE")
      for (auto& row : error_table())
        add(row.name);
    else if (m == "FILE" || m == "PATH" || m == "FOLDER" || m == "ARCHIVE")
      for (auto& path : matching_files(typed_.text))
        add(path);
    else if (!m.empty() && std::all_of(m.begin(), m.end(),
                                       [](char x) { return (x >= 'a' && x <= 'z') || x == '-'; }))
      add(m);
  }

  void set() {
    if (c_.argument == 0) {
      for (auto& row : setting_table())
        if (row.of_session) add(row.name);
    } else if (auto row = find_setting(c_.first_argument); row && c_.argument == 1) {
      if (row->type == setting_type::toggle) {
        add("on");
        add("off");
      }
      for (auto& word : row->words)
        add(word);
      add("default");
    }
  }

  void parts() {
    if (!state_) return;
    for (auto& p : state_->score->parts) {
      add(p->id);
      if (!p->name.empty()) add(p->name);
    }
    // `:score B` is the section B.
    if (c_.spec->name == "score" && !c_.option) sections();
  }

  void sections() {
    if (!state_) return;
    auto other = c_.spec->name == "merge" ? find_branch(*state_, c_.first_argument) : nullptr;
    for (auto& x : sections_of(other && other->score ? *other->score : *state_->score))
      add(x.name);
  }

  void branches() {
    if (!state_) return;
    // The one that one is on is nothing to take from, and what is compared with another is not it.
    auto name = c_.spec->name;
    auto is_second = name == "diff" && c_.argument > 0;
    auto offer = [&](std::string_view branch) {
      if (branch == state_->branch && (name == "merge" || is_second)) return;
      if (!is_second || branch != c_.first_argument) add(branch);
    };
    offer(main_branch);
    for (auto& b : state_->branches)
      offer(b.name);
  }

  void proposals() {
    if (!state_) return;
    for (auto& p : state_->proposals)
      if (p.state == proposal::state_t::open) add(std::to_string(p.number));
  }

  void clients() {
    if (!state_) return;
    for (auto& client : known_clients(*state_))
      add(client);
  }

  void authors() {
    if (!state_) return;
    for (auto& author : known_authors(*state_))
      add(author);
  }

  void tags() {
    if (!state_) return;
    for (auto& tag : state_->meta.tags) {
      add(tag);
      add('-' + tag);
    }
  }

  void forms(bool own) {
    for (auto& row : form_table())
      add(row.name);
    if (!own || !state_) return;
    auto end = std::chrono::steady_clock::now() + completion_time;
    std::size_t looked_at = 0;
    for (auto& [bound, b] : state_->env->bindings) {
      if (++looked_at % 256 == 0 && std::chrono::steady_clock::now() > end) return;
      add(bound);
    }
  }

  void topics() {
    add("topics");
    for (auto& t : help_topics())
      add(t.name);
    for (auto& t : reference_topic_names())
      add(t);
  }

  const typed_command& c_;
  const session_state* state_;
  const command_surroundings& around_;
  const typed_word& typed_;
  std::vector<std::string> words_, other_case_;
};

/// Names of commands for what was typed behind the colon.
io::completions names(std::string_view command) {
  io::completions found;
  found.begin = 1;
  for (auto& row : command_table())
    for (auto& name : row.aliases)
      if (name.starts_with(command)) found.words.emplace_back(name);
  for (auto& row : command_table())
    if (row.name.starts_with(command)) found.words.emplace_back(row.name);
  std::sort(found.words.begin(), found.words.end());
  found.words.erase(std::unique(found.words.begin(), found.words.end()), found.words.end());
  // An abbreviation need not be completed where the name itself fits.
  std::erase_if(found.words, [&](auto& w) {
    auto row = find_command(w);
    return row && row->name != w &&
           std::find(found.words.begin(), found.words.end(), row->name) != found.words.end();
  });
  return found;
}

}  // namespace

io::completions complete_command_line(std::string_view before, const command_surroundings& around) {
  auto words = words_before(before);
  auto& word = words.back();
  auto command = look_at(before, words);
  // A command may be the first word of others: `:session` and `:session list`.
  auto found = names(before.substr(1));
  if (!command.spec) {
    if (found.words.empty() && words.size() > 1) found.begin = word.begin;
    return found;
  }
  if (!found.words.empty() && command.argument == 0 && command.spec->arguments.empty()) {
    // The second words alone: the first one stands there already.
    auto head = before.substr(1, word.begin - 1);
    found.begin = word.begin;
    for (auto& w : found.words)
      w = w.substr(std::min(head.size(), w.size()));
    std::erase(found.words, "");
    return found;
  }
  if (command.spec->most_arguments < 0 && command.spec->arguments.starts_with("EXPRESSION")) {
    auto expression = before.substr(std::min(command.name_end + 1, before.size()));
    auto end = std::chrono::steady_clock::now() + completion_time;
    auto all = fermata::complete(expression, expression.size(),
                                 around.state ? around.state->env.get() : nullptr,
                                 [end] { return std::chrono::steady_clock::now() > end; });
    found = {before.size() - expression.size() + all.word.begin, {}};
    // `:time on`
    if (all.word.begin == 0) found.words = words_for{command, around, word}.run();
    for (auto& candidate : all.candidates)
      found.words.push_back(candidate.text);
    return found;
  }
  found = {word.begin, {}};
  if (!word.text.starts_with("--") && !(word.text == "-" && command.spec->name != "session tag")) {
    found.words = words_for{command, around, word}.run();
    if (found.words.size() == 1 && found.words.front().ends_with('/')) found.after.clear();
    return found;
  }
  for (auto& o : command.spec->options)
    if (auto name = typed(o); name.starts_with(word.text)) found.words.push_back(std::move(name));
  std::sort(found.words.begin(), found.words.end());
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
