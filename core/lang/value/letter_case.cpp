#include "core/lang/value/letter_case.hpp"

#include "core/utf8.hpp"

#include <locale.h>

#include <clocale>
#include <cwctype>

namespace fermata {

namespace {

/// Part of the C library itself, so that it is there without any language installed.
locale_t unicode_letters() {
  static const locale_t letters = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return letters;
}

template <class Change>
std::string changed(std::string_view text, Change change) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    auto c = code_point_at(text, at);
    auto to = c.valid && unicode_letters() ? change(c.value) : c.value;
    if (to == c.value)
      out += text.substr(at, c.bytes);
    else
      append_utf8(out, to);
    at += c.bytes;
  }
  return out;
}

}  // namespace

std::string in_capitals(std::string_view text) {
  constexpr std::string_view sharp_s = "\u00df";
  std::string spelt;
  for (std::size_t at = 0; at < text.size();) {
    auto next = text.find(sharp_s, at);
    spelt += text.substr(at, next == std::string_view::npos ? next : next - at);
    if (next == std::string_view::npos) break;
    spelt += "SS";
    at = next + sharp_s.size();
  }
  return changed(spelt, [](wint_t c) { return towupper_l(c, unicode_letters()); });
}

std::string in_small_letters(std::string_view text) {
  return changed(text, [](wint_t c) { return towlower_l(c, unicode_letters()); });
}

}  // namespace fermata
