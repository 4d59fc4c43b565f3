#include "core/lang/notation/to_form.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Forms whose lists each begin a line of their own when the form does not fit on one.
constexpr std::string_view containers[] = {"score", "part", "group", "measure", "repeat", "ending"};

bool is_container(const value& v) {
  auto list = v.as_list();
  auto head = list && !list->items.empty() ? list->items.front().as_symbol() : nullptr;
  return head &&
         std::find(std::begin(containers), std::end(containers), *head) != std::end(containers);
}

bool is_voice(const value& v) {
  auto list = v.as_list();
  auto head = list && !list->items.empty() ? list->items.front().as_symbol() : nullptr;
  return head && (*head == "voice" || *head == "staff");
}

class form_page {
public:
  explicit form_page(std::size_t width) : width_(width) {}

  void write(const value& v, std::size_t indent) {
    auto list = v.as_list();
    if (!list || list->items.empty() || list->bracketed) {
      put(print(v));
      return;
    }
    // What is short stays together even where the line gets a little too long.
    auto room = std::max(column_ < width_ ? width_ - column_ : 0, width_ / 3);
    if (auto flat = print_within(v, room)) {
      put(*flat);
      return;
    }
    put("(");
    auto inner = indent + 2;
    auto own_lines = is_container(v);
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const auto& x = list->items[i];
      auto nested = x.as_list() != nullptr;
      if (i > 0) {
        auto after_keyword = list->items[i - 1].as_keyword() != nullptr;
        auto alone = nested && !after_keyword && (own_lines || is_voice(x));
        // An option keeps its value beside it.
        auto pair = x.as_keyword() && i + 1 < list->items.size() &&
                    !list->items[i + 1].as_keyword() &&
                    !(own_lines && list->items[i + 1].as_list());
        auto stays = pair ? fits(x, list->items[i + 1]) : fits(x);
        if (alone ? starts_line(list->items, i) : !stays && !(after_keyword && nested))
          line(inner);
        else
          put(" ");
      }
      write(x, inner);
    }
    put(")");
  }

  std::string text() && { return std::move(text_); }

private:
  /// In a score or part every item has its line; in a measure notes share lines.
  bool starts_line(const std::vector<value>& items, std::size_t i) const {
    auto head = items.front().as_symbol();
    if (head && *head == "measure" && !is_voice(items[i])) return !fits(items[i]);
    return true;
  }

  bool fits(const value& x, const value& y) const {
    auto first = column_ + 1 < width_ ? print_within(x, width_ - column_ - 1) : std::nullopt;
    auto room = first ? width_ - column_ - 1 - first->size() : 0;
    return room > 1 && print_within(y, room - 1);
  }
  bool fits(const value& x) const {
    return column_ + 1 < width_ && print_within(x, width_ - column_ - 1);
  }

  void put(std::string_view s) {
    text_ += s;
    column_ += s.size();
  }
  void line(std::size_t indent) {
    text_ += '\n';
    text_.append(indent, ' ');
    column_ = indent;
  }

  std::size_t width_;
  std::size_t column_ = 0;
  std::string text_;
};

}  // namespace

std::string print_form(const value& form, std::size_t width) {
  form_page p{width};
  p.write(form, 0);
  return std::move(p).text();
}

}  // namespace fermata
