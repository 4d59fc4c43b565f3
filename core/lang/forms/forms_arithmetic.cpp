#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/forms/forms.hpp"
#include "core/lang/value/number.hpp"

#include <cmath>
#include <numeric>

namespace fermata {

namespace {

using operation = result<value> (*)(const value&, const value&);

result<value> fold(call& c, operation op, value start) {
  auto sum = std::move(start);
  for (auto& v : c.rest()) {
    auto r = op(sum, v);
    if (!r) return fail(c.wrong(r.error().first().code, r.error().first().message));
    sum = std::move(*r);
  }
  return sum;
}

/// (- 5) is -5 and (- 5 1 1) is 3; (/ 2) is 1/2.
result<value> fold_from_first(call& c, operation op, std::int64_t unit) {
  if (c.rest().empty()) {
    auto r = op(value::of(unit), c.get("first"));
    return r ? r : fail(c.wrong(r.error().first().code, r.error().first().message));
  }
  return fold(c, op, c.get("first"));
}

result<value> chain(call& c, bool (*holds)(std::strong_ordering)) {
  auto& all = c.rest();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    auto o = order(all[i], all[i + 1]);
    if (!o)
      return fail(c.wrong(errc::wrong_type, describe_kind(all[i]) + " and " +
                                                describe_kind(all[i + 1]) + " cannot be ordered"));
    if (!holds(*o)) return value::of(false);
  }
  return value::of(true);
}

result<value> all_equal(call& c, bool wanted) {
  auto& all = c.rest();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    auto equal = same(all[i], all[i + 1]);
    if (!equal) return fail(c.wrong(errc::budget_exceeded, "the values are too large to compare"));
    if (!*equal) return value::of(!wanted);
  }
  return value::of(wanted);
}

/// An integer parameter that must not be zero.
result<std::int64_t> divisor(call& c, std::string_view name) {
  auto n = *c.integer(name);
  if (n == 0) return fail(c.wrong(errc::division_by_zero, "division by zero", name));
  return n;
}

/// The value that precedes all others in an order.
result<value> extreme(call& c, bool (*precedes)(std::strong_ordering)) {
  auto best = c.get("first");
  for (auto& v : c.rest()) {
    auto o = order(v, best);
    if (!o) return fail(c.wrong(errc::wrong_type, "the values have no common order"));
    if (precedes(*o)) best = v;
  }
  return best;
}

result<value> quotient_handler(call& c) {
  auto d = divisor(c, "by");
  if (!d) return fail(d.error());
  return value::of(*d == -1 ? -rational{*c.integer("n")} : rational{*c.integer("n") / *d});
}

result<value> modulo_handler(call& c) {
  auto d = divisor(c, "by");
  if (!d) return fail(d.error());
  if (*d == -1) return value::of(std::int64_t{0});
  auto m = *c.integer("n") % *d;
  return value::of(m != 0 && (m < 0) != (*d < 0) ? m + *d : m);
}

result<value> remainder_handler(call& c) {
  auto d = divisor(c, "by");
  if (!d) return fail(d.error());
  return value::of(*d == -1 ? std::int64_t{0} : *c.integer("n") % *d);
}

result<value> gcd_handler(call& c) { return value::of(std::gcd(*c.integer("n"), *c.integer("m"))); }

result<value> lcm_handler(call& c) {
  auto a = *c.integer("n"), b = *c.integer("m");
  if (a == 0 || b == 0) return value::of(std::int64_t{0});
  return value::of(abs(rational{a / std::gcd(a, b)} * rational{b}));
}

result<value> abs_handler(call& c) {
  auto& v = c.get("x");
  return v.as_number() ? value::of(abs(*v.as_number())) : value::of(std::abs(*v.get_if<double>()));
}

}  // namespace

std::vector<form_spec> arithmetic_forms() {
  using t = arg_type;
  const std::string cat = "number";
  auto numbers = all_further("numbers", t::number, "any number of them");
  auto first = required("first", t::number, "a number");
  auto values = all_further("values", t::any,
                            "numbers, pitches, durations, strings or lists, all of one kind");
  auto x = required("x", t::number, "a number");
  auto n = required("n", t::integer, "a whole number");
  auto by = required("by", t::integer, "a whole number, not zero");
  return {
      {"+",
       {},
       cat,
       {numbers},
       "Sum; exact if all numbers are.",
       "(+ 1/4 1/8 1)",
       "number",
       [](call& c) { return fold(c, add, value::of(std::int64_t{0})); }},
      {"-",
       {},
       cat,
       {first, numbers},
       "Difference; with one number, its negative.",
       "(- 10 3 2)",
       "number",
       [](call& c) { return fold_from_first(c, subtract, 0); }},
      {"*",
       {},
       cat,
       {numbers},
       "Product.",
       "(* 2 3/4)",
       "number",
       [](call& c) { return fold(c, multiply, value::of(std::int64_t{1})); }},
      {"/",
       {},
       cat,
       {first, numbers},
       "Quotient, as an exact fraction; with one number, its reciprocal.",
       "(/ 3 4)",
       "number",
       [](call& c) { return fold_from_first(c, divide, 1); }},
      {"=",
       {},
       cat,
       {all_further("values", t::any, "of any kind")},
       "Whether all values are equal: numbers by value, others by content.",
       "(= 1/2 2/4)",
       "boolean",
       [](call& c) { return all_equal(c, true); }},
      {"not=",
       {},
       cat,
       {all_further("values", t::any, "of any kind")},
       "Whether the values are not all equal.",
       "(not= c4 d4)",
       "boolean",
       [](call& c) { return all_equal(c, false); }},
      {"<",
       {},
       cat,
       {values},
       "Whether each value is less than the next: smaller, lower, shorter.",
       "(< c4 e4 g4)",
       "boolean",
       [](call& c) { return chain(c, [](std::strong_ordering o) { return o < 0; }); }},
      {"<=",
       {},
       cat,
       {values},
       "Whether no value is greater than the next.",
       "(<= 1 1 2)",
       "boolean",
       [](call& c) { return chain(c, [](std::strong_ordering o) { return o <= 0; }); }},
      {">",
       {},
       cat,
       {values},
       "Whether each value is greater than the next.",
       "(> :h :q :8)",
       "boolean",
       [](call& c) { return chain(c, [](std::strong_ordering o) { return o > 0; }); }},
      {">=",
       {},
       cat,
       {values},
       "Whether no value is less than the next.",
       "(>= 2 2 1)",
       "boolean",
       [](call& c) { return chain(c, [](std::strong_ordering o) { return o >= 0; }); }},
      {"not",
       {},
       cat,
       {required("x", t::any, "anything")},
       "True for nil and false; otherwise false.",
       "(not nil)",
       "boolean",
       [](call& c) -> result<value> { return value::of(!c.get("x").is_true()); }},
      {"inc",
       {},
       cat,
       {x},
       "One more.",
       "(inc 41)",
       "number",
       [](call& c) { return add(c.get("x"), value::of(std::int64_t{1})); }},
      {"dec",
       {},
       cat,
       {x},
       "One less.",
       "(dec 43)",
       "number",
       [](call& c) { return subtract(c.get("x"), value::of(std::int64_t{1})); }},
      {"quotient",
       {"quot", "div"},
       cat,
       {n, by},
       "Integer quotient, rounded towards zero.",
       "(quotient 7 2)",
       "number",
       quotient_handler},
      {"modulo",
       {"mod"},
       cat,
       {n, by},
       "Remainder with the sign of the divisor; (mod p 12) is a pitch class.",
       "(mod -1 12)",
       "number",
       modulo_handler},
      {"remainder",
       {"rem"},
       cat,
       {n, by},
       "Remainder with the sign of the dividend.",
       "(remainder -7 2)",
       "number",
       remainder_handler},
      {"gcd",
       {},
       cat,
       {n, required("m", t::integer, "a whole number")},
       "Greatest common divisor.",
       "(gcd 12 18)",
       "number",
       gcd_handler},
      {"lcm",
       {},
       cat,
       {n, required("m", t::integer, "a whole number")},
       "Least common multiple.",
       "(lcm 4 6)",
       "number",
       lcm_handler},
      {"abs", {}, cat, {x}, "Absolute value.", "(abs -3)", "number", abs_handler},
      {"min",
       {},
       cat,
       {required("first", t::any, "a value"), values},
       "The smallest, lowest or shortest value.",
       "(min 3 1 2)",
       "value",
       [](call& c) { return extreme(c, [](std::strong_ordering o) { return o < 0; }); }},
      {"max",
       {},
       cat,
       {required("first", t::any, "a value"), values},
       "The largest, highest or longest value.",
       "(max c4 g4 e4)",
       "value",
       [](call& c) { return extreme(c, [](std::strong_ordering o) { return o > 0; }); }},
  };
}

}  // namespace fermata
