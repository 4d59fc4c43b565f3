#include "core/lang/value/number.hpp"

#include <cmath>

namespace fermata {

bool is_number(const value& v) { return v.as_number() || v.get_if<double>(); }

double as_double(const value& v) {
  if (auto r = v.as_number()) return r->to_double();
  return *v.get_if<double>();
}

result<value> real(double d) {
  if (!std::isfinite(d)) return fail({errc::number_too_large, "the result is not a finite number"});
  return value::of(d == 0 ? 0.0 : d);  // no negative zero
}

namespace {

template <class F>
result<value> compute(const value& a, const value& b, F op) {
  auto x = a.as_number();
  auto y = b.as_number();
  if (x && y) return value::of(op(*x, *y));
  return real(op(as_double(a), as_double(b)));
}

template <class T>
std::strong_ordering ordering(const T& a, const T& b) {
  return a < b   ? std::strong_ordering::less
         : b < a ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

}  // namespace

result<value> add(const value& a, const value& b) {
  return compute(a, b, [](auto x, auto y) { return x + y; });
}
result<value> subtract(const value& a, const value& b) {
  return compute(a, b, [](auto x, auto y) { return x - y; });
}
result<value> multiply(const value& a, const value& b) {
  return compute(a, b, [](auto x, auto y) { return x * y; });
}
result<value> divide(const value& a, const value& b) {
  if ((b.as_number() && *b.as_number() == rational{0}) ||
      (b.get_if<double>() && *b.get_if<double>() == 0))
    return fail({errc::division_by_zero, "division by zero"});
  return compute(a, b, [](auto x, auto y) { return x / y; });
}

std::optional<std::strong_ordering> order(const value& a, const value& b) {
  if (is_number(a) && is_number(b)) {
    if (a.as_number() && b.as_number()) return *a.as_number() <=> *b.as_number();
    return ordering(as_double(a), as_double(b));
  }
  if (a.as_string() && b.as_string()) return ordering(*a.as_string(), *b.as_string());
  if (a.as_symbol() && b.as_symbol()) return ordering(*a.as_symbol(), *b.as_symbol());
  auto duration = [](const value& v) -> std::optional<note_value> {
    if (auto d = v.get_if<note_value>()) return *d;
    if (auto k = v.as_keyword()) return parse_note_value(*k);
    return std::nullopt;
  };
  if (auto x = duration(a), y = duration(b); x && y) return length(*x).value <=> length(*y).value;
  if (a.as_keyword() && b.as_keyword()) return ordering(*a.as_keyword(), *b.as_keyword());
  if (auto x = a.as_pitch(), y = b.as_pitch(); x && y) {
    if (auto by_sound = midi_cents(*x) <=> midi_cents(*y); by_sound != 0) return by_sound;
    return x->diatonic_index() <=> y->diatonic_index();
  }
  if (auto x = a.get_if<interval>(), y = b.get_if<interval>(); x && y) {
    if (auto by_size = x->semitones <=> y->semitones; by_size != 0) return by_size;
    return x->steps <=> y->steps;
  }
  if (auto x = a.get_if<bool>(), y = b.get_if<bool>(); x && y) return *x <=> *y;
  if (auto x = a.as_list(), y = b.as_list(); x && y) {
    for (std::size_t i = 0; i < x->items.size() && i < y->items.size(); ++i) {
      if (x->items[i].as_list() || y->items[i].as_list())  // nested lists have no order
        return std::nullopt;
      auto o = order(x->items[i], y->items[i]);
      if (!o || *o != 0) return o;
    }
    return x->items.size() <=> y->items.size();
  }
  return std::nullopt;
}

std::optional<bool> same(const value& a, const value& b) {
  if (is_number(a) && is_number(b)) return *order(a, b) == 0;
  auto duration = [](const value& v) { return v.get_if<note_value>(); };
  if ((duration(a) && b.as_keyword()) || (a.as_keyword() && duration(b))) {
    auto keyword = a.as_keyword() ? a.as_keyword() : b.as_keyword();
    auto parsed = parse_note_value(*keyword);
    return parsed && *parsed == *(duration(a) ? duration(a) : duration(b));
  }
  return equal_within(a, b, 10'000'000);
}

}  // namespace fermata
