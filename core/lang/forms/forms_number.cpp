#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/forms/forms.hpp"
#include "core/lang/value/number.hpp"

#include <cmath>

namespace fermata {

namespace {

template <class Exact>
result<value> rounded(call& c, Exact exact, double (*inexact)(double)) {
  auto& v = c.get("x");
  if (auto r = v.as_number()) return value::of(exact(*r));
  auto d = inexact(*v.get_if<double>());
  if (std::abs(d) > 9e18)
    return fail(c.wrong(errc::number_too_large, "the number is too large to be exact"));
  return value::of(static_cast<std::int64_t>(d));
}

result<value> power(call& c) {
  auto& base = c.get("base");
  auto& exponent = c.get("exponent");
  auto n = exponent.as_number();
  if (base.as_number() && n != nullptr && n->is_integer()) {
    auto b = *base.as_number();
    auto e = n->numerator();
    if (b == rational{1} || e == 0) return value::of(std::int64_t{1});
    if (b == rational{0})
      return e > 0 ? result<value>{value::of(std::int64_t{0})}
                   : fail(c.wrong(errc::division_by_zero,
                                  "zero cannot be raised to a negative power"));
    if (b == rational{-1}) return value::of(std::int64_t{e % 2 == 0 ? 1 : -1});
    if (e > 64 || e < -64) throw rational_overflow{};
    rational p{1};
    for (auto i = e < 0 ? -e : e; i > 0; --i)
      p *= b;
    return value::of(e < 0 ? rational{1} / p : p);
  }
  auto r = real(std::pow(as_double(base), as_double(exponent)));
  return r ? r : fail(c.wrong(errc::out_of_range, "the result is not a real number"));
}

/// Exact when the root of numerator and denominator are whole.
result<value> square_root(call& c) {
  auto& v = c.get("x");
  if (as_double(v) < 0)
    return fail(c.wrong(errc::out_of_range, "a negative number has no real root", "x"));
  if (auto r = v.as_number()) {
    auto n = std::llround(std::sqrt(static_cast<double>(r->numerator())));
    auto d = std::llround(std::sqrt(static_cast<double>(r->denominator())));
    __extension__ using wide = __int128;
    if (wide{n} * n == r->numerator() && wide{d} * d == r->denominator())
      return value::of(rational{n, d});
  }
  return real(std::sqrt(as_double(v)));
}

result<value> floor_handler(call& c) {
  return rounded(
      c, [](rational r) { return floor(r); }, [](double d) { return std::floor(d); });
}

result<value> ceiling_handler(call& c) {
  return rounded(
      c, [](rational r) { return -floor(-r); }, [](double d) { return std::ceil(d); });
}

result<value> round_handler(call& c) {
  return rounded(
      c,
      [](rational r) {
        auto below = floor(r);
        auto part = r - rational{below};
        if (part == rational{1, 2}) return below % 2 == 0 ? below : below + 1;
        return part < rational{1, 2} ? below : below + 1;
      },
      [](double d) { return std::nearbyint(d); });
}

result<rational> fraction(call& c) {
  if (auto r = c.get("x").as_number()) return *r;
  return fail(c.wrong(errc::wrong_type, "a real number is not a fraction", "x"));
}

result<value> numerator_handler(call& c) {
  auto r = fraction(c);
  return r ? result<value>{value::of(r->numerator())} : fail(r.error());
}

result<value> denominator_handler(call& c) {
  auto r = fraction(c);
  return r ? result<value>{value::of(r->denominator())} : fail(r.error());
}

result<value> exact_handler(call& c) {
  auto& v = c.get("x");
  if (v.as_number()) return v;
  // A real is a whole number times a power of two.
  int exponent = 0;
  auto mantissa = std::frexp(*v.get_if<double>(), &exponent);
  rational r{static_cast<std::int64_t>(std::ldexp(mantissa, 53))};
  for (exponent -= 53; exponent > 0; --exponent)
    r *= rational{2};
  for (; exponent < 0; ++exponent)
    r = r / rational{2};
  return value::of(r);
}

result<value> is_integer_handler(call& c) {
  auto r = c.get("x").as_number();
  return value::of(r != nullptr && r->is_integer());
}

}  // namespace

std::vector<form_spec> number_forms() {
  using t = arg_type;
  const std::string cat = "number";
  auto x = required("x", t::number, "a number");
  auto n = required("n", t::integer, "a whole number");
  return {
      {"floor",
       {},
       cat,
       {x},
       "Rounds down to a whole number.",
       "(floor 7/2)",
       "number",
       floor_handler},
      {"ceiling",
       {"ceil"},
       cat,
       {x},
       "Rounds up to a whole number.",
       "(ceiling 7/2)",
       "number",
       ceiling_handler},
      {"round",
       {},
       cat,
       {x},
       "Rounds to the nearest whole number; halves go to the even one.",
       "(round 7/2)",
       "number",
       round_handler},
      {"numerator",
       {},
       cat,
       {required("x", t::number, "an exact number")},
       "Numerator of a fraction in lowest terms.",
       "(numerator 6/8)",
       "number",
       numerator_handler},
      {"denominator",
       {},
       cat,
       {required("x", t::number, "an exact number")},
       "Denominator of a fraction in lowest terms.",
       "(denominator 6/8)",
       "number",
       denominator_handler},
      {"real",
       {},
       cat,
       {x},
       "Converts to floating point.",
       "(real 3/4)",
       "real",
       [](call& c) { return real(as_double(c.get("x"))); }},
      {"exact",
       {},
       cat,
       {x},
       "Converts to an exact fraction; fails if it does not fit 64 bits.",
       "(exact 0.75)",
       "number",
       exact_handler},
      {"power",
       {"expt"},
       cat,
       {required("base", t::number, "a number"), required("exponent", t::number, "a number")},
       "Power; exact for whole exponents.",
       "(power 2 10)",
       "number",
       power},
      {"sqrt",
       {},
       cat,
       {x},
       "Square root; exact where possible.",
       "(sqrt 9/4)",
       "number",
       square_root},
      {"even?",
       {},
       cat,
       {n},
       "Whether a whole number is even.",
       "(even? 4)",
       "boolean",
       [](call& c) -> result<value> { return value::of(*c.integer("n") % 2 == 0); }},
      {"odd?",
       {},
       cat,
       {n},
       "Whether a whole number is odd.",
       "(odd? 4)",
       "boolean",
       [](call& c) -> result<value> { return value::of(*c.integer("n") % 2 != 0); }},
      {"zero?",
       {},
       cat,
       {x},
       "Whether a number is zero.",
       "(zero? 0)",
       "boolean",
       [](call& c) -> result<value> { return value::of(as_double(c.get("x")) == 0); }},
      {"positive?",
       {},
       cat,
       {x},
       "Whether a number is positive.",
       "(positive? 1/2)",
       "boolean",
       [](call& c) -> result<value> { return value::of(as_double(c.get("x")) > 0); }},
      {"negative?",
       {},
       cat,
       {x},
       "Whether a number is negative.",
       "(negative? -1)",
       "boolean",
       [](call& c) -> result<value> { return value::of(as_double(c.get("x")) < 0); }},
      {"number?",
       {},
       cat,
       {required("x", t::any, "anything")},
       "Whether a value is a number, exact or real.",
       "(number? 1/2)",
       "boolean",
       [](call& c) -> result<value> { return value::of(is_number(c.get("x"))); }},
      {"integer?",
       {},
       cat,
       {required("x", t::any, "anything")},
       "Whether a value is an exact whole number.",
       "(integer? 3)",
       "boolean",
       is_integer_handler},
  };
}

}  // namespace fermata
