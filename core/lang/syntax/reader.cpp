#include "core/lang/syntax/reader.hpp"

#include "core/lang/syntax/read_word.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/lang/value/string_literal.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace fermata {

namespace {

std::string_view name_of_prefix(std::string_view text) {
  return text == "'"   ? "quote"
         : text == "`" ? "quasiquote"
         : text == "," ? "unquote"
                       : "unquote-splicing";
}

class text_reader {
public:
  text_reader(std::string_view text, const reader_limits& limits) : text_(text), limits_(limits) {}

  read_result run() {
    if (text_.size() > limits_.bytes) {
      report(errc::input_too_large,
             "the text has " + std::to_string(text_.size()) + " bytes; the limit is " +
                 std::to_string(limits_.bytes),
             {limits_.bytes, text_.size()});
      return std::move(result_);
    }
    auto bad = find_invalid_utf8(text_);
    if (bad != std::string_view::npos) {
      read_tokens(text_.substr(0, bad));
      // What seems incomplete is only cut off by the bad byte.
      std::erase_if(result_.errors.diagnostics,
                    [](auto& d) { return d.code == errc::unclosed_delimiter; });
      report(errc::invalid_utf8, "invalid UTF-8 at byte " + std::to_string(bad + 1), {bad, bad + 1},
             "save the text as UTF-8");
      return std::move(result_);
    }
    read_tokens(text_);
    if (result_.errors.diagnostics.empty())
      for (auto& f : frames_)
        result_.open.push_back(f.opener);
    if (result_.errors.diagnostics.empty() && unclosed_) result_.open.push_back(*unclosed_);
    return std::move(result_);
  }

private:
  /// A list that is being read, or a prefix (quote, `#;`) that waits for its datum.
  struct frame {
    enum kind_t : std::uint8_t { round, square, prefix, discard } kind;
    source_span opener;
    std::size_t first;  ///< of its items, which lie in `items_` until it is closed
  };

  void report(errc code, std::string message, source_span at, std::string hint = {}) {
    if (result_.errors.diagnostics.size() < most_reading_errors)
      result_.errors.diagnostics.push_back({code, std::move(message), at, std::move(hint)});
    if (result_.errors.diagnostics.size() >= most_reading_errors) stopped_ = true;
  }

  void read_tokens(std::string_view text) {
    std::size_t at = 0;
    while (!stopped_) {
      auto t = next_token(text, at);
      at = t.span.end;
      auto chars = text.substr(t.span.begin, t.span.end - t.span.begin);
      switch (t.kind) {
        case token_kind::space:
        case token_kind::newline:
        case token_kind::comment: break;
        case token_kind::block_comment:
          if (!t.closed) unclosed_ = source_span{t.span.begin, t.span.begin + 2};
          break;
        case token_kind::datum_comment: open(frame::discard, t.span); break;
        case token_kind::open: open(chars == "(" ? frame::round : frame::square, t.span); break;
        case token_kind::close: close(chars == ")" ? frame::round : frame::square, t.span); break;
        case token_kind::quote: open(frame::prefix, t.span); break;
        case token_kind::string:
        case token_kind::phrase: {
          auto quote = t.kind == token_kind::string ? 1u : 3u;
          if (!t.closed) {
            unclosed_ = source_span{t.span.begin, t.span.begin + quote};
            break;
          }
          auto body = unescaped(chars.substr(quote, chars.size() - quote - 1), t.span.begin + quote,
                                result_.errors);
          auto datum = value::string(std::move(body));
          if (t.kind == token_kind::phrase)
            datum = made_list({value::sym("phrase"), std::move(datum)},
                              {source_span{t.span.begin, t.span.begin + 2},
                               source_span{t.span.begin + 2, t.span.end}},
                              t.span, false);
          deliver(std::move(datum), t.span);
          break;
        }
        case token_kind::word: {
          // Music says the same few words again and again: each is read once, and shared.
          if (auto known = words_.find(chars); known != words_.end()) {
            deliver(known->second, t.span);
            break;
          }
          auto word = read_word(chars);
          if (auto bad = std::get_if<word_error>(&word)) {
            report(bad->code, bad->message, t.span, bad->hint);
            // In its place, so that what stands around it is still checked.
            deliver(value{}, t.span);
          } else {
            auto& read = words_[chars] = std::get<value>(std::move(word));
            deliver(read, t.span);
          }
          break;
        }
        case token_kind::invalid:
          report(errc::invalid_token, "control character in the text", t.span, "delete it");
          break;
        case token_kind::end: return;
      }
    }
  }

  void open(typename frame::kind_t kind, source_span at) {
    if (frames_.size() >= limits_.nesting) {
      report(errc::nesting_too_deep,
             "nested more than " + std::to_string(limits_.nesting) + " deep", at,
             "split the expression with `def`");
      stopped_ = true;
      return;
    }
    frames_.push_back({kind, at, items_.size()});
  }

  void close(typename frame::kind_t kind, source_span at) {
    // A prefix without datum: '), #;)
    while (!frames_.empty() && frames_.back().kind >= frame::prefix) {
      auto opener = frames_.back().opener;
      report(errc::stray_delimiter, "nothing follows " + std::string{text_of(opener)}, opener,
             "an expression must follow it");
      frames_.pop_back();
    }
    auto letter = std::string{text_of(at)};
    if (frames_.empty()) {
      report(errc::stray_delimiter, "a " + letter + " without a matching opening delimiter", at,
             "delete it, or add the opening delimiter");
      return;
    }
    if (frames_.back().kind != kind) {
      auto opener = frames_.back().opener;
      report(errc::mismatched_delimiter,
             "the " + std::string{text_of(opener)} + " of line " +
                 std::to_string(locate(text_, opener.begin).line) + " is closed by a " + letter,
             at, "close it with a " + std::string{text_of(opener) == "(" ? ")" : "]"});
      // Meant for an outer opener of the same kind, if there is one: the inner ones end here too.
      auto same = std::find_if(frames_.rbegin(), frames_.rend(),
                               [kind](const frame& f) { return f.kind == kind; });
      if (same != frames_.rend()) {
        auto keep = static_cast<std::size_t>(frames_.rend() - same);
        while (frames_.size() > keep)
          take_list();
      }
    }
    auto square = frames_.back().kind == frame::square;
    source_span span{frames_.back().opener.begin, at.end};
    auto [items, spans] = take_list();
    deliver(made_list(std::move(items), std::move(spans), span, square), span);
  }

  /// Ends the innermost frame and gives what it holds.
  std::pair<std::vector<value>, std::vector<source_span>> take_list() {
    auto first = static_cast<std::ptrdiff_t>(frames_.back().first);
    frames_.pop_back();
    std::pair taken{std::vector<value>{std::make_move_iterator(items_.begin() + first),
                                       std::make_move_iterator(items_.end())},
                    std::vector<source_span>{spans_.begin() + first, spans_.end()}};
    items_.erase(items_.begin() + first, items_.end());
    spans_.erase(spans_.begin() + first, spans_.end());
    return taken;
  }

  /// A datum is complete: it goes into the list around it, after the prefixes before it took it.
  void deliver(value datum, source_span span) {
    while (!frames_.empty() && frames_.back().kind >= frame::prefix) {
      auto f = frames_.back();
      frames_.pop_back();
      if (f.kind == frame::discard) return;
      source_span whole{f.opener.begin, span.end};
      datum =
          made_list({value::sym(std::string{name_of_prefix(text_of(f.opener))}), std::move(datum)},
                    {f.opener, span}, whole, false);
      span = whole;
    }
    if (!frames_.empty()) {
      items_.push_back(std::move(datum));
      spans_.push_back(span);
    } else if (result_.errors.diagnostics.empty()) {
      result_.forms.push_back({std::move(datum), span});
    }
  }

  static value made_list(std::vector<value> items, std::vector<source_span> spans, source_span span,
                         bool bracketed) {
    return value::list(std::move(items), bracketed, std::move(spans), span);
  }

  std::string_view text_of(source_span s) const { return text_.substr(s.begin, s.end - s.begin); }

  std::string_view text_;
  reader_limits limits_;
  read_result result_;
  std::vector<frame> frames_;
  std::vector<value> items_;  ///< of all frames, those of the innermost last
  std::vector<source_span> spans_;
  std::unordered_map<std::string_view, value> words_;
  std::optional<source_span> unclosed_;  ///< a string or block comment that the text ends in
  bool stopped_ = false;
};

}  // namespace

read_result read(std::string_view text, const reader_limits& limits) {
  return text_reader{text, limits}.run();
}

std::optional<history_reference> parse_history_reference(std::string_view s) {
  history_reference ref;
  if (s == "%") return ref;  // the last output
  if (s.starts_with("$In[")) {
    ref.output = false;
    s.remove_prefix(4);
  } else if (s.starts_with("$Out[")) {
    ref.output = true;
    s.remove_prefix(5);
  } else {
    return std::nullopt;
  }
  if (!s.ends_with(']')) return std::nullopt;
  s.remove_suffix(1);
  auto number = [](std::string_view part) -> std::optional<std::int64_t> {
    std::int64_t n = 0;
    auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), n);
    if (part.empty() || failed != std::errc{} || end != part.data() + part.size())
      return std::nullopt;
    return n;
  };
  // The last one or two parts are numbers; what stands before them is a session.
  auto colon = s.rfind(':');
  auto last = number(s.substr(colon == std::string_view::npos ? 0 : colon + 1));
  if (!last) return std::nullopt;
  ref.first = *last;
  if (colon == std::string_view::npos) return ref;
  auto before = s.substr(0, colon);
  colon = before.rfind(':');
  if (auto first = number(before.substr(colon == std::string_view::npos ? 0 : colon + 1))) {
    ref.first = *first;
    ref.last = *last;
    if (colon == std::string_view::npos) return ref;
    before = before.substr(0, colon);
  }
  if (before.empty() || before.find(':') != std::string_view::npos) return std::nullopt;
  ref.session = before;
  return ref;
}

}  // namespace fermata
