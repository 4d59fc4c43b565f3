#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/row.hpp"
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

}  // namespace

std::vector<form_spec> number_forms() {
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
       [](call& c) -> result<value> {
         auto d = divisor(c, "by");
         if (!d) return fail(d.error());
         return value::of(*d == -1 ? -rational{*c.integer("n")} : rational{*c.integer("n") / *d});
       }},
      {"modulo",
       {"mod"},
       cat,
       {n, by},
       "Remainder with the sign of the divisor; (mod p 12) is a pitch class.",
       "(mod -1 12)",
       "number",
       [](call& c) -> result<value> {
         auto d = divisor(c, "by");
         if (!d) return fail(d.error());
         if (*d == -1) return value::of(std::int64_t{0});
         auto m = *c.integer("n") % *d;
         return value::of(m != 0 && (m < 0) != (*d < 0) ? m + *d : m);
       }},
      {"remainder",
       {"rem"},
       cat,
       {n, by},
       "Remainder with the sign of the dividend.",
       "(remainder -7 2)",
       "number",
       [](call& c) -> result<value> {
         auto d = divisor(c, "by");
         if (!d) return fail(d.error());
         return value::of(*d == -1 ? std::int64_t{0} : *c.integer("n") % *d);
       }},
      {"gcd",
       {},
       cat,
       {n, required("m", t::integer, "a whole number")},
       "Greatest common divisor.",
       "(gcd 12 18)",
       "number",
       [](call& c) -> result<value> {
         return value::of(std::gcd(*c.integer("n"), *c.integer("m")));
       }},
      {"lcm",
       {},
       cat,
       {n, required("m", t::integer, "a whole number")},
       "Least common multiple.",
       "(lcm 4 6)",
       "number",
       [](call& c) -> result<value> {
         auto a = *c.integer("n"), b = *c.integer("m");
         if (a == 0 || b == 0) return value::of(std::int64_t{0});
         return value::of(abs(rational{a / std::gcd(a, b)} * rational{b}));
       }},
      {"abs",
       {},
       cat,
       {x},
       "Absolute value.",
       "(abs -3)",
       "number",
       [](call& c) -> result<value> {
         auto& v = c.get("x");
         return v.as_number() ? value::of(abs(*v.as_number()))
                              : value::of(std::abs(*v.get_if<double>()));
       }},
      {"min",
       {},
       cat,
       {required("first", t::any, "a value"), values},
       "The smallest, lowest or shortest value.",
       "(min 3 1 2)",
       "value",
       [](call& c) -> result<value> {
         auto best = c.get("first");
         for (auto& v : c.rest()) {
           auto o = order(v, best);
           if (!o) return fail(c.wrong(errc::wrong_type, "the values have no common order"));
           if (*o < 0) best = v;
         }
         return best;
       }},
      {"max",
       {},
       cat,
       {required("first", t::any, "a value"), values},
       "The largest, highest or longest value.",
       "(max c4 g4 e4)",
       "value",
       [](call& c) -> result<value> {
         auto best = c.get("first");
         for (auto& v : c.rest()) {
           auto o = order(v, best);
           if (!o) return fail(c.wrong(errc::wrong_type, "the values have no common order"));
           if (*o > 0) best = v;
         }
         return best;
       }},
      {"floor",
       {},
       cat,
       {x},
       "Rounds down to a whole number.",
       "(floor 7/2)",
       "number",
       [](call& c) {
         return rounded(
             c, [](rational r) { return floor(r); }, [](double d) { return std::floor(d); });
       }},
      {"ceiling",
       {"ceil"},
       cat,
       {x},
       "Rounds up to a whole number.",
       "(ceiling 7/2)",
       "number",
       [](call& c) {
         return rounded(
             c, [](rational r) { return -floor(-r); }, [](double d) { return std::ceil(d); });
       }},
      {"round",
       {},
       cat,
       {x},
       "Rounds to the nearest whole number; halves go to the even one.",
       "(round 7/2)",
       "number",
       [](call& c) {
         return rounded(
             c,
             [](rational r) {
               auto below = floor(r);
               auto part = r - rational{below};
               if (part == rational{1, 2}) return below % 2 == 0 ? below : below + 1;
               return part < rational{1, 2} ? below : below + 1;
             },
             [](double d) { return std::nearbyint(d); });
       }},
      {"numerator",
       {},
       cat,
       {required("x", t::number, "an exact number")},
       "Numerator of a fraction in lowest terms.",
       "(numerator 6/8)",
       "number",
       [](call& c) -> result<value> {
         auto r = c.get("x").as_number();
         return r ? result<value>{value::of(r->numerator())}
                  : fail(c.wrong(errc::wrong_type, "a real number is not a fraction", "x"));
       }},
      {"denominator",
       {},
       cat,
       {required("x", t::number, "an exact number")},
       "Denominator of a fraction in lowest terms.",
       "(denominator 6/8)",
       "number",
       [](call& c) -> result<value> {
         auto r = c.get("x").as_number();
         return r ? result<value>{value::of(r->denominator())}
                  : fail(c.wrong(errc::wrong_type, "a real number is not a fraction", "x"));
       }},
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
       [](call& c) -> result<value> {
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
       }},
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
       [](call& c) -> result<value> {
         auto r = c.get("x").as_number();
         return value::of(r != nullptr && r->is_integer());
       }},
  };
}

}  // namespace fermata
