#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/theory/arguments.hpp"
#include "core/lang/theory/families.hpp"
#include "core/theory/set_class.hpp"
#include "core/theory/set_similarity.hpp"

namespace fermata {

namespace {

packing packing_of(call& c) { return c.flag("rahn") ? packing::rahn : packing::forte; }

/// The handler's set: all positional arguments together.
template <class F>
result<value> with_set(call& c, F f) {
  auto s = classes_in(c, c.rest());
  if (!s) return fail(std::move(s.error()));
  return f(*s);
}

result<value> normal(call& c) {
  return with_set(c, [&](pitch_class_set s) -> result<value> {
    return list_of(normal_form(s, packing_of(c)));
  });
}
result<value> prime(call& c) {
  return with_set(
      c, [&](pitch_class_set s) -> result<value> { return list_of(prime_form(s, packing_of(c))); });
}
result<value> name(call& c) {
  return with_set(
      c, [](pitch_class_set s) -> result<value> { return value::sym(std::string{forte_name(s)}); });
}
result<value> vector(call& c) {
  return with_set(c,
                  [](pitch_class_set s) -> result<value> { return list_of(interval_vector(s)); });
}
result<value> rest_of_aggregate(call& c) {
  return with_set(
      c, [](pitch_class_set s) -> result<value> { return list_of(complement(s).members()); });
}
result<value> partner(call& c) {
  return with_set(c, [](pitch_class_set s) -> result<value> {
    auto other = z_partner(class_of(s));
    return other ? value::sym(std::string{other->name}) : value{};
  });
}

/// `(pc-transpose 3 0 4 7)`: the number first, then the set.
template <class F>
result<value> with_number_and_set(call& c, F f) {
  auto n = *c.integer("n");
  return with_set(c, [&](pitch_class_set s) -> result<value> {
    return list_of(f(s, static_cast<int>(((n % 12) + 12) % 12)).members());
  });
}
result<value> transpose_set(call& c) {
  return with_number_and_set(c, [](pitch_class_set s, int n) { return transposed(s, n); });
}
result<value> invert_set(call& c) {
  return with_number_and_set(c, [](pitch_class_set s, int n) { return inverted(s, n); });
}
result<value> multiply_set(call& c) {
  return with_number_and_set(c, [](pitch_class_set s, int n) { return multiplied(s, n); });
}

result<value> similarity(call& c) {
  auto a = classes_in(c, {c.get("a")}), b = classes_in(c, {c.get("b")});
  for (auto* s : {&a, &b})
    if (!*s) return fail(std::move(s->error()));
  auto measure = c.text("measure").value_or("rel");
  if (measure == "rel") return value::of(rel(*a, *b));
  if (measure == "sim") return value::of(std::int64_t{sim(*a, *b)});
  if (measure == "asim") return value::of(asim(*a, *b));
  if (measure == "ak") return value::of(ak(*a, *b));
  if (measure == "icvsim") return value::of(icvsim(*a, *b));
  if (measure == "atmemb") return value::of(atmemb(*a, *b));
  // Forte's relations are yes or no, several at once.
  auto r = similarity_relations(*a, *b);
  std::vector<value> holds;
  for (auto& [yes, label] : {std::pair{r.rp, "Rp"}, {r.r0, "R0"}, {r.r1, "R1"}, {r.r2, "R2"}})
    if (yes) holds.push_back(value::sym(label));
  return value::list(std::move(holds));
}

result<value> of_forte_name(call& c) {
  auto wanted = c.text("name").value_or("");
  auto found = find_set_class(wanted);
  if (!found)
    return fail(c.wrong(errc::out_of_range,
                        "unknown set class `" + wanted + "`; use a name such as 4-Z15", "name"));
  return list_of(c.flag("rahn") ? prime_form(set_of(*found), packing::rahn) : found->prime);
}

}  // namespace

std::vector<form_spec> set_forms() {
  auto classes = all_further("classes", arg_type::any, "numbers, pitches, lists or music");
  auto rahn = flag("rahn", "Rahn's form instead of Forte's");
  auto n = required("n", arg_type::integer, "taken modulo 12");
  return {
      {"normal-form",
       {},
       "set",
       {classes, rahn},
       "The most compact ordering of a pitch-class set.",
       "(normal-form 7 11 2 3)",
       "list",
       normal},
      {"prime-form",
       {},
       "set",
       {classes, rahn},
       "The prime form of a pitch-class set: Forte's, or Rahn's where that differs.",
       "(prime-form 0 4 7)",
       "list",
       prime},
      {"forte-name",
       {},
       "set",
       {classes},
       "Forte's name of the set class.",
       "(forte-name 0 1 4 6)",
       "symbol",
       name},
      {"set-class",
       {},
       "set",
       {required("name", arg_type::text, "Forte's name"), rahn},
       "The prime form of a set class by name.",
       "(set-class 4-Z15)",
       "list",
       of_forte_name},
      {"interval-vector",
       {},
       "set",
       {classes},
       "The number of occurrences of each interval class, 1 to 6.",
       "(interval-vector 0 1 4 6)",
       "list",
       vector},
      {"pc-transpose",
       {},
       "set",
       {n, classes},
       "Tn: adds n to each pitch class.",
       "(pc-transpose 3 0 4 7)",
       "list",
       transpose_set},
      {"pc-invert",
       {},
       "set",
       {n, classes},
       "TnI: maps each pitch class x to n - x.",
       "(pc-invert 0 0 4 7)",
       "list",
       invert_set},
      {"pc-multiply",
       {},
       "set",
       {n, classes},
       "Multiplies each pitch class by n; M5 and M7 exchange fourths and semitones.",
       "(pc-multiply 5 0 1 2)",
       "list",
       multiply_set},
      {"complement",
       {},
       "set",
       {classes},
       "The pitch classes not in the set.",
       "(complement 0 2 4 5 7 9 11)",
       "list",
       rest_of_aggregate},
      {"z-partner",
       {},
       "set",
       {classes},
       "The other set class with the same interval vector, or nil.",
       "(z-partner 0 1 4 6)",
       "symbol",
       partner},
      {"similarity",
       {},
       "set",
       {required("a", arg_type::any, "a set, as a list, pitches or music"),
        required("b", arg_type::any, "another set"),
        [] {
          auto p = option("measure", arg_type::word, "similarity measure", "rel");
          p.choices = {"rel", "sim", "asim", "ak", "icvsim", "atmemb", "forte"};
          return p;
        }()},
       "The similarity of two sets, by one of the published measures.",
       "(similarity (list 0 1 4 6) (list 0 1 3 7) :measure :sim)",
       "number",
       similarity},
  };
}

}  // namespace fermata
