#include "core/lang/reader.hpp"

#include "core/lang/token.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace fermata {

namespace {

/// After this many errors the text is hardly Fermata at all.
constexpr std::size_t most_errors = 20;

// --- words ---------------------------------------------------------------------------------------

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `♯ ♭ ♮ 𝄪 𝄫` as the ASCII that the language uses for them.
std::string with_ascii_accidentals(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"♯", "#"}, {"♭", "b"}, {"♮", "n"}, {"𝄪", "x"}, {"𝄫", "bb"}};
  auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string{text};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    auto row = std::find_if(std::begin(table), std::end(table),
                            [&](auto& r) { return text.substr(at).starts_with(r.first); });
    if (row != std::end(table)) {
      out += row->second;
      at += row->first.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

struct word_error {
  errc code = errc::invalid_token;
  std::string message;
  std::string hint;
};
using word_result = std::variant<value, word_error>;

/// Digits in groups joined by +, at most one group after a slash: "3+2", "3+2/8".
bool is_additive(std::string_view s) {
  bool digit = false, slash = false;
  for (char c : s) {
    if (is_digit(c)) {
      digit = true;
    } else if (digit && !slash && (c == '+' || c == '/')) {
      digit = false;
      slash = c == '/';
    } else {
      return false;
    }
  }
  return digit;
}

/// "3:2" with plain digits on both sides.
bool is_ratio(std::string_view s) {
  auto colon = s.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == s.size()) return false;
  auto digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), is_digit);
  };
  return digits(s.substr(0, colon)) && digits(s.substr(colon + 1));
}

/// A set class as Forte numbers it: cardinality 0 to 12, hyphen, index: "4-19", "6-31".
bool is_set_class_name(std::string_view s) {
  auto hyphen = s.find('-');
  if (hyphen == 0 || hyphen > 2 || hyphen == std::string_view::npos || s.size() - hyphen > 3 ||
      hyphen + 1 == s.size())
    return false;
  auto digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), is_digit);
  };
  return digits(s.substr(0, hyphen)) && digits(s.substr(hyphen + 1));
}

/// Numbers: nothing when `s` is not one.
std::optional<word_result> read_number(std::string_view s) {
  auto body = s.starts_with('+') || s.starts_with('-') ? s.substr(1) : s;
  if (body.empty() ||
      !(is_digit(body[0]) || (body[0] == '.' && body.size() > 1 && is_digit(body[1]))))
    return std::nullopt;
  auto first_other = std::find_if_not(body.begin(), body.end(), is_digit);
  if (first_other == body.end()) {
    if (auto n = parse_rational(s)) return value::of(*n);
    return word_error{errc::number_too_large, "the number " + std::string{s} + " is too large",
                      "exact numbers have up to 18 digits"};
  }
  if (*first_other == '/') {
    std::string_view below = body.substr(static_cast<std::size_t>(first_other - body.begin()) + 1);
    if (below.empty() || !std::all_of(below.begin(), below.end(), is_digit)) return std::nullopt;
    if (std::all_of(below.begin(), below.end(), [](char c) { return c == '0'; }))
      return word_error{
          errc::division_by_zero, "the fraction " + std::string{s} + " divides by zero", {}};
    auto n = parse_rational(s);
    if (!n)
      return word_error{errc::number_too_large, "the number " + std::string{s} + " is too large",
                        "exact numbers have up to 18 digits"};
    // 6/8 is a metre and 6/4 a tuplet ratio before it is a number: what is not in lowest terms
    // stays a word, which evaluates to the number where a number is wanted.
    if (s == to_string(*n)) return value::of(*n);
    if (s.starts_with('+') && s.substr(1) == to_string(*n)) return value::of(*n);
    return value::sym(std::string{s});
  }
  if (*first_other == '.' || *first_other == 'e' || *first_other == 'E') {
    auto text = s.starts_with('+') ? s.substr(1) : s;
    double d = 0;
    auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), d);
    if (failed == std::errc::result_out_of_range)
      return word_error{
          errc::number_too_large, "the number " + std::string{s} + " is too large", {}};
    if (failed == std::errc{} && end == text.data() + text.size()) return value::of(d);
  }
  return std::nullopt;
}

bool only_number_characters(std::string_view s) {
  return is_digit(s[0]) && s.find_first_not_of("0123456789.+-/") == std::string_view::npos;
}

word_result read_history(std::string_view s) {
  if (parse_history_reference(s)) return value::sym(std::string{s});
  return word_error{errc::invalid_token, std::string{s} + " is not a history reference",
                    "write $In[47], $Out[47], $Out[-1], $Out[40:45] or $Out[session:47]"};
}

word_result read_word(std::string_view raw) {
  auto s = with_ascii_accidentals(raw);
  if (s == "true" || s == "#t") return value::of(true);
  if (s == "false" || s == "#f") return value::of(false);
  if (s == "nil") return value{};
  if (s[0] == '$') return read_history(s);
  if (auto number = read_number(s)) return *number;
  if (auto p = parse_pitch(s)) return value::of(*p);
  if (auto bad = s.find_first_of("|\\{}"); bad != std::string::npos)
    return word_error{errc::invalid_token,
                      std::string{"`"} + s[bad] + "` cannot stand in a word here: " + s,
                      "{ } and | belong inside a phrase: #p\"c4:q d | e f\""};
  if (s.find("“") != std::string::npos || s.find("”") != std::string::npos)
    return word_error{errc::invalid_token, "curly quotation marks do not begin a string: " + s,
                      "use the straight ones: \"...\""};
  if (s[0] == ':') {
    if (s.size() == 1 || s.find(':', 1) != std::string::npos)
      return word_error{errc::invalid_token, "not a keyword: " + s,
                        "a keyword is a colon and a name, such as :q or :staccato"};
    return value::kw(s.substr(1));
  }
  if (s.find(':') != std::string::npos) {
    if (is_ratio(s)) return value::sym(s);
    auto colon = s.find(':');
    return word_error{errc::invalid_token, "a colon inside a word: " + s,
                      "a space is missing: " + s.substr(0, colon) + " " + s.substr(colon)};
  }
  if (s[0] == '#')
    return word_error{errc::invalid_token, s + " begins nothing known",
                      "# begins a comment #| |#, a left-out datum #; or a phrase #p\"...\""};
  if (only_number_characters(s) && !is_additive(s) && !is_set_class_name(s))
    return word_error{errc::invalid_token, "not a number: " + s,
                      "numbers are 3, -3/2, 0.75; additive metres 3+2"};
  return value::sym(std::move(s));
}

// --- strings -------------------------------------------------------------------------------------

void append_utf8(std::string& out, std::uint32_t c) {
  auto put = [&out](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

/// Four hexadecimal digits at `at`.
std::optional<std::uint32_t> hex4(std::string_view s, std::size_t at) {
  if (at + 4 > s.size()) return std::nullopt;
  std::uint32_t n = 0;
  auto [end, failed] = std::from_chars(s.data() + at, s.data() + at + 4, n, 16);
  if (failed != std::errc{} || end != s.data() + at + 4) return std::nullopt;
  return n;
}

/// Whether XML 1.0 (section 2.2) can hold the character, and so every file that a score goes to.
bool is_text(std::uint32_t code) {
  return code >= 0x20 ? code != 0xfffe && code != 0xffff
                      : code == '\t' || code == '\n' || code == '\r';
}

/// What stands between the quotes of a string literal, escapes resolved. Errors get spans relative
/// to `offset`.
std::string unescaped(std::string_view s, std::size_t offset, error& errors) {
  std::string out;
  out.reserve(s.size());
  auto bad = [&](std::size_t at, std::size_t n, std::string message,
                 std::string hint = "escapes are \\\" \\\\ \\n \\t \\r \\uXXXX") {
    if (errors.diagnostics.size() >= most_errors) return;
    errors.diagnostics.push_back({errc::invalid_token, std::move(message),
                                  source_span{offset + at, offset + std::min(at + n, s.size())},
                                  std::move(hint)});
  };
  auto no_text = [&](std::size_t at, std::size_t n, std::uint32_t code) {
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(code));
    bad(at, n, std::string{name} + " in a string: no text of a score can hold it", "delete it");
  };
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '\\') {
      auto byte = static_cast<unsigned char>(s[i]);
      if (!is_text(byte)) no_text(i, 1, byte);
      if (byte == 0xef && (s.substr(i, 3) == "\xef\xbf\xbe" || s.substr(i, 3) == "\xef\xbf\xbf"))
        no_text(i, 3, s[i + 2] == '\xbe' ? 0xfffe : 0xffff);
      out += s[i];
      continue;
    }
    auto at = i++;
    switch (i < s.size() ? s[i] : '\0') {
      case '"':
      case '\\': out += s[i]; break;
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'u': {
        auto code = hex4(s, i + 1);
        if (!code) {
          bad(at, 6, "\\u needs four hexadecimal digits");
          break;
        }
        i += 4;
        // Characters outside the basic plane come as two halves, as in JSON (RFC 8259, section 7).
        if (*code >= 0xd800 && *code <= 0xdbff && s.substr(i + 1).starts_with("\\u")) {
          if (auto low = hex4(s, i + 3); low && *low >= 0xdc00 && *low <= 0xdfff) {
            code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
            i += 6;
          }
        }
        if (*code >= 0xd800 && *code <= 0xdfff)
          bad(at, 6, "\\u names half a character");
        else if (!is_text(*code))
          no_text(at, 6, *code);
        else
          append_utf8(out, *code);
        break;
      }
      default: bad(at, 2, "no such escape in a string: " + std::string{s.substr(at, 2)});
    }
  }
  return out;
}

// --- nesting -------------------------------------------------------------------------------------

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
      report(errc::invalid_utf8, "not valid UTF-8 at byte " + std::to_string(bad), {bad, bad + 1},
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
    if (result_.errors.diagnostics.size() < most_errors)
      result_.errors.diagnostics.push_back({code, std::move(message), at, std::move(hint)});
    if (result_.errors.diagnostics.size() >= most_errors) stopped_ = true;
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
          report(errc::invalid_token, "a control character stands in the text", t.span,
                 "delete it");
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
             "it needs an expression after it");
      frames_.pop_back();
    }
    auto letter = std::string{text_of(at)};
    if (frames_.empty()) {
      report(errc::stray_delimiter, "a " + letter + " without an opening partner", at,
             "delete it, or add the opener");
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
    auto data = std::make_shared<list_data>();
    data->items = std::move(items);
    data->spans = std::move(spans);
    data->span = span;
    data->bracketed = bracketed;
    return value{value::storage{list_ptr{std::move(data)}}};
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
