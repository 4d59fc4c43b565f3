#include "core/theory/set_class.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fermata {

namespace {

struct set_class_row {
  std::string_view name;
  std::string_view digits;
};
constexpr set_class_row set_class_rows[] = {
#define SET_CLASS(name, digits) {name, digits},
#include "core/theory/set_class_table.inc"
#undef SET_CLASS
};

std::vector<set_class> build_table() {
  std::vector<set_class> table;
  for (const auto& row : set_class_rows) {
    set_class c;
    c.name = row.name;
    for (char digit : row.digits)
      c.prime.push_back(digit == 'T' ? 10 : digit == 'E' ? 11 : digit - '0');
    pitch_class_set s(c.prime);
    c.intervals = interval_vector(s);
    c.distinct_forms = 24 / static_cast<int>(transpositional_symmetries(s).size() +
                                             inversional_symmetries(s).size());
    table.push_back(std::move(c));
  }
  return table;
}

/// From each of the 4096 sets to the place of its class.
std::array<std::uint16_t, 4096> build_index() {
  std::array<std::uint16_t, 4096> index{};
  const auto& table = set_class_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto s = set_of(table[i]);
    for (int n = 0; n < 12; ++n) {
      index[transposed(s, n).bits] = static_cast<std::uint16_t>(i);
      index[inverted(s, n).bits] = static_cast<std::uint16_t>(i);
    }
  }
  return index;
}

/// "4-Z15" and "4-z15" without their Z.
std::string without_z(std::string_view name) {
  std::string plain;
  for (char c : name)
    if (c != 'Z' && c != 'z') plain += c;
  return plain;
}

}  // namespace

const std::vector<set_class>& set_class_table() {
  static const auto table = build_table();
  return table;
}

const set_class& class_of(pitch_class_set s) {
  static const auto index = build_index();
  return set_class_table()[index[s.bits]];
}

std::string_view forte_name(pitch_class_set s) { return class_of(s).name; }

const set_class* find_set_class(std::string_view name) {
  if (name.size() > 8) return nullptr;
  auto plain = without_z(name);
  for (const auto& c : set_class_table())
    if (without_z(c.name) == plain) return &c;
  return nullptr;
}

pitch_class_set set_of(const set_class& c) { return pitch_class_set(c.prime); }

const set_class* z_partner(const set_class& c) {
  if (c.name.find('Z') == std::string_view::npos) return nullptr;
  for (const auto& other : set_class_table())
    if (&other != &c && other.prime.size() == c.prime.size() && other.intervals == c.intervals)
      return &other;
  return nullptr;
}

const set_class& complement_class(const set_class& c) { return class_of(complement(set_of(c))); }

bool is_abstract_subset(pitch_class_set part, pitch_class_set whole) {
  for (int n = 0; n < 12; ++n)
    if (is_subset(transposed(part, n), whole) || is_subset(inverted(part, n), whole)) return true;
  return false;
}

std::vector<embedded_class> subset_classes(pitch_class_set s, int cardinality) {
  const auto& table = set_class_table();
  std::vector<int> counts(table.size());
  // All subsets of a bit set, from the whole down to the empty one.
  for (unsigned b = s.bits;; b = (b - 1) & s.bits) {
    auto part = pitch_class_set::from_bits(b);
    if (part.size() == cardinality)
      ++counts[static_cast<std::size_t>(&class_of(part) - table.data())];
    if (b == 0) break;
  }
  std::vector<embedded_class> result;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (counts[i] > 0) result.push_back({&table[i], counts[i]});
  return result;
}

std::vector<embedded_class> superset_classes(pitch_class_set s, int cardinality) {
  // What holds s leaves out a subset of its complement.
  auto left_out = subset_classes(complement(s), 12 - cardinality);
  for (auto& e : left_out)
    e.kind = &complement_class(*e.kind);
  std::sort(left_out.begin(), left_out.end(),
            [](const embedded_class& a, const embedded_class& b) { return a.kind < b.kind; });
  return left_out;
}

std::string compact_digits(const std::vector<int>& classes) {
  std::string out;
  for (int x : classes)
    out += "0123456789TE"[x < 0 || x > 11 ? 0 : x];
  return out;
}

}  // namespace fermata
