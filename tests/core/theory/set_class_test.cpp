#include "core/theory/set_class.hpp"

#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::set_class_test {

namespace {

std::string dotted(const std::vector<int>& v) {
  bool wide = false;
  for (int x : v)
    wide = wide || x > 9;
  std::string out;
  for (int x : v)
    out += (wide && !out.empty() ? "." : "") + std::to_string(x);
  return out;
}

}  // namespace

TEST_CASE("all 223 set classes agree with the published table") {
  auto rows = test::theory_table("forte.tsv");
  REQUIRE(rows.size() == 223);
  for (auto& row : rows) {
    INFO(row["name"]);
    auto c = find_set_class(row["name"]);
    REQUIRE(c != nullptr);
    auto s = set_of(*c);
    CHECK(compact_digits(prime_form(s)) == row["prime_forte"]);
    CHECK(compact_digits(prime_form(s, packing::rahn)) == row["prime_rahn"]);
    CHECK(dotted(c->intervals) == row["icv"]);
    CHECK(std::to_string(transpositional_symmetries(s).size()) == row["n_Tsym"]);
    CHECK(std::to_string(inversional_symmetries(s).size()) == row["n_Isym"]);
    CHECK(std::to_string(c->distinct_forms) == row["n_distinct_forms"]);
    auto partner = z_partner(*c);
    CHECK((partner ? std::string{partner->name} : "") == row["z_partner"]);
    // The column names the complement without a Z; a hexachord's complement has its own name.
    auto complement_name = row["complement"].empty() ? "0-1" : row["complement"];
    CHECK(find_set_class(complement_name) == &complement_class(*c));
  }
}

TEST_CASE("every one of the 4096 sets has the prime form of its class") {
  std::set<std::string_view> seen;
  int forms = 0;
  for (const auto& c : set_class_table())
    forms += c.distinct_forms;
  CHECK(forms == 4096);
  for (unsigned bits = 0; bits < 4096; ++bits) {
    auto s = pitch_class_set::from_bits(bits);
    const auto& c = class_of(s);
    seen.insert(c.name);
    if (prime_form(s) != c.prime || interval_vector(s) != c.intervals)
      FAIL(compact_digits(s.members()));
    auto form = normal_form(s);
    if (pitch_class_set(form) != s) FAIL(compact_digits(form));
  }
  CHECK(seen.size() == 224);
}

TEST_CASE("a set class is found by its name with or without the Z") {
  CHECK(find_set_class("4-Z15") == find_set_class("4-z15"));
  CHECK(find_set_class("4-Z15") == find_set_class("4-15"));
  CHECK(forte_name({0, 1, 4, 6}) == "4-Z15");  // the example of the language reference
  CHECK(forte_name({0, 4, 7}) == "3-11");
  for (auto name : {"", "4", "4-", "13-1", "4-30", "Z", "4-150000000"})
    CHECK(find_set_class(name) == nullptr);
}

TEST_CASE("the two all-interval tetrachords are each other's Z partner") {
  auto a = find_set_class("4-Z15"), b = find_set_class("4-Z29");
  CHECK(z_partner(*a) == b);
  CHECK(a->intervals == std::vector<int>{1, 1, 1, 1, 1, 1});
  CHECK(z_partner(*find_set_class("4-16")) == nullptr);
}

TEST_CASE("a subset class is one that some transposition or inversion puts inside") {
  // Every major or minor triad lies in the diatonic set; the augmented triad does not.
  pitch_class_set diatonic{0, 2, 4, 5, 7, 9, 11};
  CHECK(is_abstract_subset({0, 3, 7}, diatonic));
  CHECK_FALSE(is_abstract_subset({0, 4, 8}, diatonic));
  // The diatonic set holds three major and three minor triads and one diminished (any textbook).
  int triads = 0, diminished = 0;
  for (const auto& e : subset_classes(diatonic, 3)) {
    if (e.kind->name == "3-11") triads = e.count;
    if (e.kind->name == "3-10") diminished = e.count;
  }
  CHECK(triads == 6);
  CHECK(diminished == 1);
  // Nine tones beside a triad, each making a tetrachord; counted by brute force.
  int tetrachords = 0;
  for (const auto& e : superset_classes({0, 4, 7}, 4)) {
    int count = 0;
    for (int x = 0; x < 12; ++x)
      if (pitch_class_set s{0, 4, 7, x}; s.size() == 4 && &class_of(s) == e.kind) ++count;
    CHECK(e.count == count);
    tetrachords += e.count;
  }
  CHECK(tetrachords == 9);
}

}  // namespace fermata::set_class_test
