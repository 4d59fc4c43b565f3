#pragma once

#include "core/lang/notation/forms.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// Shared by the forms of key, time, clef and similar attributes.

/// An error at one of the words of the call.
error wrong_word(const call& c, errc code, std::string message, std::size_t index);

/// The staff of an attribute: 0 means "none", even inside a staff.
result<std::optional<std::uint8_t>> staff_of(const call& c);

template <class T>
result<value> for_staff_answer(const call& c, std::vector<for_staff<T>> attributes::*member, T x) {
  auto staff = staff_of(c);
  if (!staff) return fail(std::move(staff.error()));
  attributes a;
  (a.*member).push_back(
      {*staff, std::move(x), c.has("xml") ? preserved_of(c.get("xml")) : preserved{}});
  return music_answer(c, measure_content{std::move(a)});
}

/// `(key c :major)`, and the inverse.
result<value> key_handler(call& c);
form key_form(const key_signature& k);
/// The values of `:mode`.
std::vector<std::string> modes_and_none();

}  // namespace fermata
