#include "core/lang/reference/highlight.hpp"

#include "core/lang/evaluation/compile.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/lang/value/environment.hpp"
#include "core/lang/value/form_spec.hpp"

#include <set>
#include <string>

namespace fermata {

namespace {

std::string_view piece(std::string_view text, source_span s) {
  return text.substr(s.begin, s.end - s.begin);
}

/// Names that the text itself binds, roughly: words in brackets, and what follows a `def`. Good
/// enough for colours, and cheap.
std::set<std::string_view> names_bound_in(std::string_view text) {
  std::set<std::string_view> names;
  std::size_t brackets = 0;
  std::string_view before, before_that;
  for (std::size_t at = 0; at < text.size();) {
    auto t = next_token(text, at);
    at = t.span.end;
    auto chars = piece(text, t.span);
    if (t.kind == token_kind::open)
      brackets += chars == "[" ? 1 : 0;
    else if (t.kind == token_kind::close)
      brackets -= chars == "]" && brackets > 0 ? 1 : 0;
    else if (t.kind == token_kind::word &&
             (brackets > 0 || ((before == "def" || before == "defn" || before == "defmacro" ||
                                before == "fn" || before == "let") &&
                               before_that == "(")))
      names.insert(chars);
    if (t.kind != token_kind::space && t.kind != token_kind::newline) {
      before_that = before;
      before = chars;
    }
  }
  return names;
}

class highlighter {
public:
  highlighter(std::string_view text, const environment* env, std::size_t cursor)
    : text_(text), env_(env), cursor_(cursor), local_(names_bound_in(text)) {}

  std::vector<text_piece> run() {
    for (std::size_t at = 0; at < text_.size();) {
      auto t = next_token(text_, at);
      at = t.span.end;
      take(t);
    }
    for (auto open : open_)
      pieces_[open].matched = false;
    return std::move(pieces_);
  }

private:
  void take(const token& t) {
    auto chars = piece(text_, t.span);
    bool first = std::exchange(first_in_list_, false);
    switch (t.kind) {
      case token_kind::space:
      case token_kind::newline: first_in_list_ = first; break;
      case token_kind::comment:
      case token_kind::block_comment:
      case token_kind::datum_comment:
        first_in_list_ = first;
        add(t, text_class::comment);
        break;
      case token_kind::open:
        open_.push_back(pieces_.size());
        pieces_.push_back({t.span, text_class::delimiter, open_.size() - 1, true});
        first_in_list_ = chars == "(" && !quoted_;
        break;
      case token_kind::close: {
        bool fits = !open_.empty() &&
                    piece(text_, pieces_[open_.back()].span) == (chars == ")" ? "(" : "[");
        auto depth = open_.empty() ? 0 : open_.size() - 1;
        if (!open_.empty()) {
          if (!fits) pieces_[open_.back()].matched = false;
          open_.pop_back();
        }
        pieces_.push_back({t.span, text_class::delimiter, depth, fits});
        break;
      }
      case token_kind::quote: add(t, text_class::name); break;
      case token_kind::string:
      case token_kind::phrase: add(t, text_class::string); break;
      case token_kind::word: add(t, class_of(chars, t.span, first)); break;
      case token_kind::invalid: add(t, text_class::invalid); break;
      case token_kind::end: break;
    }
    if (t.kind != token_kind::space && t.kind != token_kind::newline)
      quoted_ = t.kind == token_kind::quote && chars != "," && chars != ",@";
  }

  void add(const token& t, text_class kind) { pieces_.push_back({t.span, kind}); }

  text_class class_of(std::string_view word, source_span span, bool first) const {
    auto r = read(word);
    if (!r.complete() || r.forms.size() != 1)
      return span.end == cursor_ ? text_class::name : text_class::invalid;
    auto& v = r.forms[0].datum;
    if (v.as_pitch()) return text_class::pitch;
    if (auto k = v.as_keyword())
      return parse_note_value(*k) ? text_class::duration : text_class::keyword;
    auto name = v.as_symbol();
    if (name == nullptr)
      return v.as_number() || v.get_if<double>() ? text_class::number : text_class::name;
    if ((*name)[0] == '$' || *name == "%") return text_class::history;
    if ((*name)[0] >= '0' && (*name)[0] <= '9') return text_class::number;
    if (!first) return text_class::name;
    if (local_.contains(word)) return text_class::form;
    if (is_special_form(*name)) return text_class::special;
    if (find_form(*name) || (env_ != nullptr && env_->bindings.contains(*name)))
      return text_class::form;
    return span.end == cursor_ ? text_class::name : text_class::unknown;
  }

  std::string_view text_;
  const environment* env_;
  std::size_t cursor_;
  std::set<std::string_view> local_;
  std::vector<text_piece> pieces_;
  std::vector<std::size_t> open_;  ///< indices of the openers into pieces_
  bool first_in_list_ = false;
  bool quoted_ = false;
};

}  // namespace

std::vector<text_piece> highlight(std::string_view text, const environment* env, std::size_t cursor,
                                  std::size_t limit) {
  return highlighter{text.substr(0, limit), env, cursor}.run();
}

std::vector<source_span> matching_delimiters(std::string_view text, std::size_t at) {
  std::vector<source_span> open;
  for (std::size_t pos = 0; pos < text.size();) {
    auto t = next_token(text, pos);
    pos = t.span.end;
    if (t.kind == token_kind::open) {
      open.push_back(t.span);
    } else if (t.kind == token_kind::close && !open.empty()) {
      auto opener = open.back();
      open.pop_back();
      bool fits = (text[opener.begin] == '(') == (text[t.span.begin] == ')');
      if (fits && (opener.begin == at || t.span.begin == at)) return {opener, t.span};
    }
  }
  return {};
}

}  // namespace fermata
