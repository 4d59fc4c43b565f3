#include "core/lang/names/spec.hpp"

#include "core/lang/names/xml_text.hpp"

#include <algorithm>
#include <charconv>

namespace fermata {

namespace {

bool plain_word(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

bool has(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<std::string> text_of(const value& v) {
  if (auto s = v.as_string()) return *s;
  if (auto s = v.as_symbol()) return *s;
  if (auto s = v.as_keyword()) return *s;
  if (auto n = v.as_number()) return to_string(*n);
  if (auto p = v.as_pitch()) return to_string(*p);
  if (auto d = v.get_if<note_value>()) return to_string(*d);
  if (auto i = v.get_if<interval>()) return to_string(*i);
  if (auto b = v.get_if<bool>()) return *b ? "true" : "false";
  if (auto d = v.get_if<double>()) {
    char buffer[32];
    auto end = std::to_chars(buffer, buffer + sizeof buffer, *d).ptr;
    return std::string{buffer, end};
  }
  return std::nullopt;
}

std::optional<int> int_of(const value& v) {
  if (auto n = v.as_number())
    return n->is_integer() && n->numerator() >= INT32_MIN && n->numerator() <= INT32_MAX
               ? std::optional{static_cast<int>(n->numerator())}
               : std::nullopt;
  if (auto s = text_of(v)) {
    int n = 0;
    auto begin = s->data() + (s->starts_with('+') ? 1 : 0), end = s->data() + s->size();
    if (auto r = std::from_chars(begin, end, n); r.ec == std::errc{} && r.ptr == end) return n;
  }
  return std::nullopt;
}

spec::spec(const value& v, std::initializer_list<std::string_view> named,
           std::initializer_list<std::string_view> flags) {
  auto list = v.as_list();
  if (!list) {
    words_.push_back(v);
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const auto& x = list->items[i];
    if (auto k = x.as_keyword()) {
      if (has(named, *k) && i + 1 < list->items.size()) {
        named_.emplace_back(*k, list->items[++i]);
        continue;
      }
      if (has(flags, *k)) {
        flags_.push_back(*k);
        continue;
      }
    } else if (auto s = x.as_symbol(); s && has(flags, *s)) {
      flags_.push_back(*s);
      continue;
    }
    words_.push_back(x);
  }
}

std::string spec::word(std::size_t n) const {
  // What is no word is named in messages as it is written.
  return n < words_.size() ? text_of(words_[n]).value_or(print(words_[n])) : std::string{};
}

const value* spec::named(std::string_view name) const {
  for (const auto& [key, v] : named_)
    if (key == name) return &v;
  return nullptr;
}

std::string spec::text(std::string_view name) const {
  auto v = named(name);
  return v ? text_of(*v).value_or("") : std::string{};
}

std::optional<int> spec::integer(std::string_view name) const {
  auto v = named(name);
  return v ? int_of(*v) : std::nullopt;
}

std::string spec::beyond(std::size_t most) const {
  if (words_.size() > most) return "`" + print(words_[most]) + "` has no meaning here";
  auto xml = named("xml");
  return xml ? fault_of_xml(*xml) : std::string{};
}

bool spec::flag(std::string_view name) const {
  return std::find(flags_.begin(), flags_.end(), name) != flags_.end();
}

preserved spec::xml() const {
  auto v = named("xml");
  return v ? preserved_of(*v) : preserved{};
}

preserved preserved_of(const value& v) {
  preserved_xml out;
  auto list = v.as_list();
  if (!list) {
    if (auto s = v.as_string()) out.children.push_back({*s});
    return out.children.empty() ? preserved{} : preserved{std::move(out)};
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    auto name = text_of(list->items[i]).value_or("");
    if (list->items[i].as_string() && name.starts_with('<')) {
      out.children.push_back({name});
    } else if (i + 1 < list->items.size()) {
      out.attributes.emplace_back(name, text_of(list->items[++i]).value_or(""));
    }
  }
  return preserved{std::move(out)};
}

value spec_of(const preserved& p) {
  form f;
  if (p) {
    for (const auto& [name, text] : p->attributes) {
      auto said = text_value(text);
      if (!is_plain_sound_value(name, said)) said = value::string(text);
      f.add(is_plain_attribute(name, text) ? word_value(name) : value::string(name))
          .add(std::move(said));
    }
    for (const auto& child : p->children)
      f.add(value::string(child.xml));
  }
  return f.done();
}

preserved with_attribute(const preserved& p, std::string name, std::string text) {
  auto copy = p ? *p : preserved_xml{};
  for (auto& [key, old] : copy.attributes)
    if (key == name) {
      old = std::move(text);
      return preserved{std::move(copy)};
    }
  copy.attributes.emplace_back(std::move(name), std::move(text));
  return preserved{std::move(copy)};
}

std::optional<std::string> only_attribute(const preserved& p, std::string_view name) {
  if (!p || !p->children.empty() || p->attributes.size() != 1 || p->attributes[0].first != name)
    return std::nullopt;
  return p->attributes[0].second;
}

value word_value(std::string_view text) {
  return plain_word(text) ? value::kw(std::string{text}) : value::string(std::string{text});
}

value text_value(std::string_view text) {
  std::int64_t n = 0;
  auto end = text.data() + text.size();
  auto r = std::from_chars(text.data(), end, n);
  if (r.ec == std::errc{} && r.ptr == end && std::to_string(n) == text) return value::of(n);
  return value::string(std::string{text});
}

bool begins_with_zero(std::string_view numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] == '0' && (i == 0 || numbers[i - 1] == ' ' || numbers[i - 1] == ','))
      return true;
  return false;
}

}  // namespace fermata
