#pragma once

#include "core/lang/notation/forms.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// What the forms of key, time, clef and the like share.

/// An error at one of the words of the call.
error wrong_word(const call& c, errc code, std::string message, std::size_t index);

/// The staff an attribute holds for: 0 says "none", where an enclosing staff must not apply.
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

/// `(key c :major)`, and the way back.
result<value> key_handler(call& c);
form key_form(const key_signature& k);
/// What `:mode` takes.
std::vector<std::string> modes_and_none();

}  // namespace fermata
