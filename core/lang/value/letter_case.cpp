#include "core/lang/value/letter_case.hpp"

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

/// Bytes of the character that begins with `lead`; 1 for what begins none.
std::size_t bytes_of(unsigned char lead) {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
}

wint_t decoded(std::string_view character) {
  auto lead = static_cast<unsigned char>(character.front());
  wint_t c = character.size() == 1 ? lead : lead & (0x7fU >> character.size());
  for (auto byte : character.substr(1))
    c = c << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  return c;
}

void append(std::string& out, wint_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  auto more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xff00U >> (more + 1) & 0xffU) | c >> (6 * more));
  while (more-- > 0)
    out += static_cast<char>(0x80U | (c >> (6 * more) & 0x3fU));
}

template <class Change>
std::string changed(std::string_view text, Change change) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    auto n = bytes_of(static_cast<unsigned char>(text[at]));
    auto character = text.substr(at, n);
    at += n;
    auto whole =
        character.size() == n && !(n == 1 && static_cast<unsigned char>(character[0]) >= 0x80);
    auto c = whole ? decoded(character) : 0;
    auto to = whole && unicode_letters() ? change(c) : c;
    if (to == c)
      out += character;
    else
      append(out, to);
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
