#include "core/lang/reference/format.hpp"

#include "core/lang/evaluation/compile.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/lang/value/form_spec.hpp"
#include "core/line_ends.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <vector>

namespace fermata {

namespace {

/// A piece of the text with what belongs to it. Whatever is not a list keeps its exact characters,
/// but for line ends.
struct item {
  enum kind_t : std::uint8_t { word, list, comment, prefix } kind = word;
  std::string text;  ///< of words, comments, prefixes; the opener of a list
  std::vector<item> items;
  bool break_before = false;  ///< begins a line
  bool blank_before = false;  ///< with a blank line before
  bool trailing = false;      ///< a comment at the end of a line of code
  bool flat = true;           ///< nothing inside begins a line
  std::size_t width = 0;      ///< columns when on one line; else of the first line
  std::size_t measures = 0;   ///< how many measures are inside, itself included
};

std::size_t columns_of(std::string_view s) {
  return static_cast<std::size_t>(
      std::count_if(s.begin(), s.end(), [](char c) { return !is_utf8_continuation(c); }));
}

// --- reading -------------------------------------------------------------------------------------

/// The items of a text that is known to read.
std::vector<item> parse(std::string_view text) {
  std::vector<std::vector<item>> open(1);
  std::size_t newlines = 0;
  bool after_something = false;
  for (std::size_t at = 0;;) {
    auto t = next_token(text, at);
    at = t.span.end;
    if (t.kind == token_kind::end) return std::move(open.front());
    if (t.kind == token_kind::space) continue;
    if (t.kind == token_kind::newline) {
      ++newlines;
      continue;
    }
    auto chars = text.substr(t.span.begin, t.span.end - t.span.begin);
    item i;
    i.text = with_line_feeds(chars);
    i.break_before = newlines > 0;
    i.blank_before = newlines > 1;
    switch (t.kind) {
      case token_kind::open:
        i.kind = item::list;
        open.back().push_back(std::move(i));
        open.emplace_back();
        break;
      case token_kind::close: {
        auto inner = std::move(open.back());
        open.pop_back();
        open.back().back().items = std::move(inner);
        break;
      }
      case token_kind::comment:
        i.kind = item::comment;
        while (!i.text.empty() && (i.text.back() == ' ' || i.text.back() == '\t'))
          i.text.pop_back();
        i.trailing = newlines == 0 && after_something;
        open.back().push_back(std::move(i));
        break;
      case token_kind::quote:
      case token_kind::datum_comment:
        i.kind = item::prefix;
        open.back().push_back(std::move(i));
        break;
      default:
        // `, @x` unquotes the symbol `@x`; together they would read as an unquoted list.
        if (i.text.front() == '@' && !open.back().empty() &&
            open.back().back().kind == item::prefix && open.back().back().text == ",")
          open.back().back().text = ", ";
        open.back().push_back(std::move(i));
        break;
    }
    newlines = 0;
    // Right behind an opener a comment begins the list and ends no line of code.
    after_something = t.kind != token_kind::open;
  }
}

std::string_view head_of(const item& i) {
  return i.kind == item::list && i.text == "(" && !i.items.empty() && i.items[0].kind == item::word
             ? i.items[0].text
             : std::string_view{};
}

/// Forms that hold measures, or hold what holds them.
bool is_structural(std::string_view head) {
  constexpr std::string_view heads[] = {"score",   "part",   "group", "staff",
                                        "measure", "repeat", "ending"};
  return std::find(std::begin(heads), std::end(heads), head) != std::end(heads);
}

// --- where lines break ---------------------------------------------------------------------------

/// Decides what begins a line whatever the width is, and measures what is left.
void prepare(item& i) {
  if (i.kind != item::list) {
    auto newline = i.text.find('\n');
    i.flat = i.kind != item::comment && newline == std::string::npos;
    i.width = columns_of(std::string_view{i.text}.substr(0, newline));
    return;
  }
  auto head = head_of(i);
  i.measures = head == "measure" ? 1 : 0;
  bool first = true;
  for (auto& child : i.items) {
    prepare(child);
    i.measures += child.measures;
    // Nothing is gained by a break right after the opener.
    if (first && child.kind != item::comment) child.break_before = child.blank_before = false;
    first = false;
  }
  if (is_structural(head) && i.measures > 1)
    for (std::size_t k = 1; k < i.items.size(); ++k)
      if (is_structural(head_of(i.items[k])) || is_structural(head_of(i.items[k - 1])))
        i.items[k].break_before = i.items[k].kind != item::comment || !i.items[k].trailing;
  for (std::size_t k = 0; k < i.items.size(); ++k) {
    auto& child = i.items[k];
    if (child.trailing) child.break_before = false;
    if (k > 0 && i.items[k - 1].kind == item::comment && !child.trailing) child.break_before = true;
    if (k > 0 && i.items[k - 1].kind == item::prefix && child.kind != item::comment)
      child.break_before = false;
  }
  // The first line reaches to the first break.
  i.width = 1;
  for (std::size_t k = 0; k < i.items.size() && i.flat; ++k) {
    auto& child = i.items[k];
    if (k > 0 && child.break_before) {
      i.flat = false;
      break;
    }
    bool glued = k == 0 || i.items[k - 1].kind == item::prefix;
    i.width += (glued ? 0 : 1) + child.width;
    i.flat = child.flat;
  }
  if (i.flat) i.width += 1;
}

// --- layout --------------------------------------------------------------------------------------

/// How many items after the head stay on its line when a form is too long for one line.
std::size_t header_of(std::string_view head) {
  if (head == "defn" || head == "defmacro") return 2;
  if (head == "do" || head == "cond" || head == "and" || head == "or") return 0;
  return 1;
}

bool is_filled(const item& list) {
  auto head = head_of(list);
  if (list.text == "[" || head.empty() || parse_pitch(head)) return true;
  auto row = find_form(head);
  return row != nullptr &&
         (row->category == "music" || row->category == "mark" || row->category == "structure");
}

bool has_body(std::string_view head) {
  constexpr std::size_t long_name = 12;
  if (is_special_form(head) && head != "and" && head != "or" && head != "->" && head != "->>" &&
      head != "if")
    return true;
  auto row = find_form(head);
  return is_structural(head) || columns_of(head) > long_name ||
         (row != nullptr &&
          (row->category == "music" || row->category == "mark" || row->category == "structure"));
}

/// Whether `word` is an option of the form, so that its value stays beside it.
bool takes_value(const form_spec* row, std::string_view word) {
  if (!word.starts_with(':')) return false;
  word.remove_prefix(1);
  if (row == nullptr) return true;
  for (auto& p : row->params)
    if (p.kind == param_kind::option &&
        (p.name == word || std::find(p.aliases.begin(), p.aliases.end(), word) != p.aliases.end()))
      return true;
  return false;
}

class layout {
public:
  explicit layout(std::size_t columns) : columns_(columns) {}

  std::string run(std::vector<item>& items) {
    for (std::size_t k = 0; k < items.size(); ++k) {
      auto& i = items[k];
      prepare(i);
      bool glued = k > 0 && items[k - 1].kind == item::prefix && i.kind != item::comment;
      if (i.trailing)
        put("  ");
      else if (k > 0 && !glued)
        newline(0, i.blank_before);
      emit(i, 0);
    }
    if (!out_.empty()) out_ += '\n';
    return std::move(out_);
  }

private:
  void put(std::string_view s) {
    out_ += s;
    auto last = s.rfind('\n');
    column_ =
        last == std::string_view::npos ? column_ + columns_of(s) : columns_of(s.substr(last + 1));
  }

  void newline(std::size_t indent, bool blank) {
    out_ += blank ? "\n\n" : "\n";
    out_.append(indent, ' ');
    column_ = indent;
  }

  /// `tail`: closing brackets that follow on the same line.
  void emit(const item& i, std::size_t tail) {
    if (i.kind != item::list) {
      put(i.text);
      return;
    }
    if (i.flat && column_ + i.width + tail <= columns_)
      emit_flat(i);
    else
      emit_broken(i, tail);
  }

  void emit_flat(const item& i) {
    if (i.kind != item::list) {
      put(i.text);
      return;
    }
    put(i.text);
    for (std::size_t k = 0; k < i.items.size(); ++k) {
      if (k > 0 && i.items[k - 1].kind != item::prefix) put(" ");
      emit_flat(i.items[k]);
    }
    put(closer(i));
  }

  static std::string_view closer(const item& i) { return i.text == "(" ? ")" : "]"; }

  void emit_broken(const item& i, std::size_t tail) {
    auto base = column_;
    auto head = head_of(i);
    auto row = head.empty() ? nullptr : find_form(head);
    // A form too long for its line breaks before each item of its body; where the author broke,
    // only what would stick out is moved.
    bool spread = i.flat && !is_filled(i);
    auto header = header_of(head);
    bool aligned = !head.empty() && !has_body(head);
    bool first_on_line = i.items.size() > 1 && !i.items[1].break_before &&
                         !(spread && header == 0) && i.items[1].kind != item::comment;
    std::size_t indent = base + 1;
    if (!head.empty() && !parse_pitch(head))
      indent = aligned && first_on_line ? base + 2 + columns_of(head) : base + 2;
    put(i.text);
    bool fresh = true;  // nothing but the opener on this line yet
    for (std::size_t k = 0; k < i.items.size(); ++k) {
      auto& child = i.items[k];
      bool is_last = k + 1 == i.items.size();
      bool glued = k > 0 && i.items[k - 1].kind == item::prefix && child.kind != item::comment;
      bool is_value = k > 1 && i.items[k - 1].kind == item::word &&
                      takes_value(row, i.items[k - 1].text) && !child.text.starts_with(':');
      if (child.trailing) {
        put("  ");
      } else if (k > 0 && !glued) {
        auto width = child.width + (is_last && child.flat ? tail + 1 : 0);
        if (child.kind == item::prefix && k + 1 < i.items.size()) width += i.items[k + 1].width;
        if (child.kind == item::word && !is_last && child.text.starts_with(':') &&
            takes_value(row, child.text))
          width += 1 + i.items[k + 1].width;
        bool sticks_out = column_ + 1 + width > columns_ && !fresh && !is_value && k > 1;
        bool spread_here = spread && k > header && !is_value && !(head == "cond" && k % 2 == 0);
        if (child.break_before || sticks_out || spread_here)
          newline(indent, child.blank_before && child.break_before);
        else
          put(" ");
      }
      emit(child, is_last ? tail + 1 : 0);
      fresh = false;
    }
    if (!i.items.empty() && i.items.back().kind == item::comment) newline(indent, false);
    put(closer(i));
  }

  std::size_t columns_;
  std::size_t column_ = 0;
  std::string out_;
};

std::string laid_out(std::string_view text, std::size_t columns) {
  if (!read(text).complete()) return std::string{text};
  auto items = parse(text);
  return layout{columns}.run(items);
}

}  // namespace

std::string format(std::string_view text) { return laid_out(text, 100); }

std::string format_line(std::string_view text, std::size_t columns) {
  auto s = laid_out(text, columns);
  while (!s.empty() && s.back() == '\n')
    s.pop_back();
  return s;
}

}  // namespace fermata
