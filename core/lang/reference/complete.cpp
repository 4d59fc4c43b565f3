#include "core/lang/reference/complete.hpp"

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/names/completion_words.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/lang/value/callable.hpp"
#include "core/lang/value/code.hpp"
#include "core/lang/value/environment.hpp"
#include "core/music/duration.hpp"

#include <algorithm>
#include <unordered_set>

namespace fermata {

namespace {

/// A list that is open at the cursor.
struct open_list {
  bool round = true;
  std::string_view head;
  std::size_t positional = 0;           ///< complete positional arguments before the cursor
  std::vector<std::string_view> named;  ///< options and flags given
  std::string_view option;              ///< an option whose value comes next
};

struct place {
  std::vector<open_list> open;
  std::string_view word;  ///< up to the cursor
  std::size_t word_begin = 0;
  bool first = false;    ///< the word is first in a list
  bool in_text = false;  ///< in a string or comment, or in the brackets of `$Out[`
};

const param* named_param(const form_spec* row, std::string_view keyword) {
  if (row == nullptr || !keyword.starts_with(':')) return nullptr;
  keyword.remove_prefix(1);
  for (auto& p : row->params)
    if ((p.kind == param_kind::option || p.kind == param_kind::flag) &&
        (p.name == keyword ||
         std::find(p.aliases.begin(), p.aliases.end(), keyword) != p.aliases.end()))
      return &p;
  return nullptr;
}

const form_spec* row_of(const open_list& list) {
  return list.round && !list.head.empty() ? find_form(list.head) : nullptr;
}

/// A datum was completed inside `list`.
void count(open_list& list, std::string_view word) {
  if (list.round && list.head.empty()) {
    list.head = word.empty() ? std::string_view{"("} : word;
    return;
  }
  if (!list.option.empty()) {
    list.option = {};
    return;
  }
  if (auto p = named_param(row_of(list), word)) {
    list.named.push_back(p->name);
    if (p->kind == param_kind::option) list.option = word;
    return;
  }
  ++list.positional;
}

/// Whether the text ends within `$Out[12` or `$In[other:3`: numbers and sessions stand there, and
/// no names. Only a closed one is a word of its own.
bool ends_in_reference(std::string_view text) {
  auto open = text.find_last_of("[]() \t\n");
  if (open == text.npos || text[open] != '[') return false;
  auto head = text.substr(0, open);
  return head.ends_with("$Out") || head.ends_with("$In");
}

place look_at(std::string_view text, std::size_t cursor) {
  place where;
  where.word_begin = cursor;
  auto before = text.substr(0, cursor);
  for (std::size_t at = 0; at < before.size();) {
    auto t = next_token(before, at);
    at = t.span.end;
    auto chars = before.substr(t.span.begin, t.span.end - t.span.begin);
    switch (t.kind) {
      case token_kind::open: where.open.push_back({chars == "(", {}, 0, {}, {}}); break;
      case token_kind::close:
        if (!where.open.empty()) where.open.pop_back();
        if (!where.open.empty()) count(where.open.back(), {});
        break;
      case token_kind::comment: where.in_text = at == cursor; break;
      case token_kind::block_comment: where.in_text = !t.closed; break;
      case token_kind::string:
      case token_kind::phrase:
        where.in_text = !t.closed;
        if (t.closed && !where.open.empty()) count(where.open.back(), "\"");
        break;
      case token_kind::word:
        if (at == cursor) {
          where.word = chars;
          where.word_begin = t.span.begin;
        } else if (!where.open.empty()) {
          count(where.open.back(), chars);
        }
        break;
      default: break;
    }
  }
  where.in_text = where.in_text || ends_in_reference(before);
  where.first = !where.open.empty() && where.open.back().round && where.open.back().head.empty();
  return where;
}

class completer {
public:
  completer(const place& where, const environment* env, const std::function<bool()>& enough)
    : where_(where), env_(env), enough_(enough) {}

  void run(completion_result& out) {
    const open_list* list = where_.open.empty() ? nullptr : &where_.open.back();
    auto row = list != nullptr ? row_of(*list) : nullptr;
    if (where_.first) {
      forms();
      names(true);
    } else if (list != nullptr && !list->option.empty()) {
      auto p = named_param(row, list->option);
      out.parameter = p->name;
      values(*row, *p);
      if (takes_values(*p) && !is_keyword()) expressions();
      // An option that has a value of its own may be followed by the next one.
      if (!p->default_text.empty() && is_keyword()) options(*row, *list);
    } else {
      auto takes_duration = true;
      if (row != nullptr) {
        auto p = positional(*row, list->positional);
        takes_duration = p != nullptr && may_be_duration(*p);
        if (p != nullptr) {
          out.parameter = p->name;
          values(*row, *p);
        }
        if (is_keyword()) options(*row, *list);
      }
      if (!is_keyword())
        expressions();
      else if (takes_duration)
        durations();
    }
    out.candidates = std::move(found_);
  }

private:
  bool is_keyword() const { return where_.word.starts_with(':'); }

  /// Whether a note value, which is a keyword, has a meaning there.
  static bool may_be_duration(const param& p) {
    switch (p.type) {
      case arg_type::any:
      case arg_type::list:
      case arg_type::keyword:
      case arg_type::duration: return true;
      case arg_type::spec: return p.offered == nullptr && p.choices.empty();
      default: return false;
    }
  }

  /// Whether something evaluated may stand there, and not only certain words.
  static bool takes_values(const param& p) {
    auto takes_words = p.offered != nullptr || !p.choices.empty();
    return p.type != arg_type::word && p.type != arg_type::named && p.type != arg_type::text &&
           !(p.type == arg_type::spec && takes_words);
  }

  static const param* positional(const form_spec& row, std::size_t n) {
    for (auto& p : row.params) {
      if (p.kind == param_kind::option || p.kind == param_kind::flag) continue;
      if (n == 0 || p.kind == param_kind::rest) return &p;
      --n;
    }
    return nullptr;
  }

  void add(std::string text, std::string_view kind, std::string doc) {
    if (!text.starts_with(where_.word)) return;
    if (seen_.insert(text).second)
      found_.push_back({std::move(text), std::string{kind}, std::move(doc)});
  }

  void forms() {
    std::vector<const form_spec*> rows;
    for (auto& row : form_table())
      rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [](auto a, auto b) { return a->name < b->name; });
    for (auto row : rows) {
      add(row->name, "form", row->doc);
      for (auto& alias : row->aliases)
        add(alias, "form", row->doc);
    }
  }

  void names(bool functions) {
    if (env_ == nullptr) return;
    std::size_t looked_at = 0;
    for (auto& [name, b] : env_->bindings) {
      if (enough_ && ++looked_at % 256 == 0 && enough_()) return;
      if (!functions || b.bound.get_if<callable_ptr>())
        add(name, "name", describe_kind(b.bound) + ", defined by you");
    }
  }

  void options(const form_spec& row, const open_list& list) {
    for (auto& p : row.params) {
      if (p.kind != param_kind::option && p.kind != param_kind::flag) continue;
      if (!p.repeats && std::find(list.named.begin(), list.named.end(), p.name) != list.named.end())
        continue;
      add(":" + p.name, "option", p.doc);
      // Another word for the same is only in the way where the name itself fits.
      for (auto& alias : p.aliases)
        if (where_.word.size() > 2 && !(":" + p.name).starts_with(where_.word))
          add(":" + alias, "option", p.doc);
    }
  }

  void values(const form_spec& row, const param& p) {
    auto add_word = [&](const std::string& word) {
      // A keyword that names an option goes there: (group :symbol bracket), not :bracket.
      auto is_option = find_option(row, word).has_value();
      if (is_keyword() && is_option) return;
      auto as_keyword = is_keyword() || (where_.word.empty() && !is_option);
      add(as_keyword ? ":" + word : word, "value", p.doc);
    };
    for (auto& choice : p.choices)
      add_word(choice);
    auto offered = p.offered;
    // Wherever a key or a metre is wanted, whoever wrote the row.
    if (offered == nullptr && p.type == arg_type::time) offered = time_words;
    if (offered == nullptr && p.type == arg_type::key && !where_.word.empty() && !is_keyword())
      offered = key_words;
    if (offered == key_words && p.kind == param_kind::rest && where_.open.back().positional > 0)
      offered = mode_words;
    if (offered != nullptr)
      for (auto& word : offered(where_.word))
        add_word(word);
    if (p.type == arg_type::duration) durations();
  }

  /// What may stand where something is evaluated.
  void expressions() {
    names(false);
    if (where_.word.empty()) return;
    pitches();
    forms();
  }

  void durations() {
    for (int base = 0; base <= static_cast<int>(note_base::n1024th); ++base)
      for (std::uint8_t dots = 0; dots <= 2; ++dots) {
        note_value v{static_cast<note_base>(base), dots};
        auto name = std::string{musicxml_name(v.base)};
        add(":" + to_string(v), "duration",
            (dots == 1   ? "dotted "
             : dots == 2 ? "double-dotted "
                         : "") +
                name + " note");
      }
  }

  /// For a letter that may begin a pitch: that letter in every octave, plain and altered.
  void pitches() {
    auto letter = where_.word[0];
    if (letter < 'a' || letter > 'g') return;
    for (auto accidental : {"", "#", "b"})
      for (int octave : {4, 3, 5, 2, 6, 1, 7, 0, 8, 9})
        add(letter + std::string{accidental} + std::to_string(octave), "pitch", "pitch");
  }

  const place& where_;
  const environment* env_;
  const std::function<bool()>& enough_;
  std::vector<completion> found_;
  std::unordered_set<std::string> seen_;
};

/// `(f x & more)` for a function of the user's.
std::string usage_of_own(const environment* env, std::string_view name) {
  if (env == nullptr) return {};
  auto at = env->bindings.find(name);
  auto c = at != env->bindings.end() ? at->second.bound.get_if<callable_ptr>() : nullptr;
  if (c == nullptr || !(*c)->code) return {};
  auto& code = *(*c)->code;
  auto s = "(" + std::string{name};
  for (std::size_t i = 0; i < code.params.size(); ++i)
    s += (code.has_rest && i + 1 == code.params.size() ? " & " : " ") + code.params[i];
  return s + ")";
}

}  // namespace

completion_result complete(std::string_view text, std::size_t cursor, const environment* env,
                           const std::function<bool()>& enough) {
  completion_result out;
  cursor = std::min(cursor, text.size());
  auto where = look_at(text, cursor);
  out.word = {where.word_begin, cursor};
  for (auto list = where.open.rbegin(); list != where.open.rend() && out.usage.empty(); ++list) {
    if (auto row = row_of(*list)) {
      out.usage = usage(*row);
      out.doc = row->doc;
    } else if (list->round) {
      out.usage = usage_of_own(env, list->head);
    }
  }
  if (!where.in_text) completer{where, env, enough}.run(out);
  return out;
}

}  // namespace fermata
