#include "io/musicxml/schema.hpp"

#include "io/musicxml/simple_type.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace fermata::io::musicxml {

namespace {

struct element_row {
  std::string_view name, children, attributes, text;
};
constexpr element_row element_rows[] = {
#define FERMATA_ELEMENT(id, name, children, attributes, text) {name, children, attributes, text},
#define FERMATA_SIMPLE_TYPE(name, base, facets)
#include "io/musicxml/schema_table.inc"
#undef FERMATA_ELEMENT
#undef FERMATA_SIMPLE_TYPE
};

/// Finds an element by name with one hash and, nearly always, one comparison: an importer asks for
/// every element of a file.
class name_index {
public:
  name_index() {
    for (std::size_t i = 0; i < std::size(element_rows); ++i) {
      auto k = key_of(element_rows[i].name);
      auto slot = hash(k) & mask;
      while (slots_[slot].index >= 0)
        slot = (slot + 1) & mask;
      slots_[slot] = {k, static_cast<std::int32_t>(i)};
    }
  }
  int find(std::string_view name) const {
    auto k = key_of(name);
    for (auto slot = hash(k) & mask; slots_[slot].index >= 0; slot = (slot + 1) & mask)
      if (slots_[slot].k == k
          // Up to 16 bytes are in the key.
          && (name.size() <= 16 ||
              element_rows[static_cast<std::size_t>(slots_[slot].index)].name == name))
        return slots_[slot].index;
    return -1;
  }

private:
  static constexpr std::size_t mask = 2047;
  /// Length, first and last eight bytes: nearly always the whole name, and quicker than a loop.
  struct key {
    std::uint64_t head = 0, tail = 0;
    std::size_t size = 0;
    bool operator==(const key&) const = default;
  };
  static key key_of(std::string_view name) {
    key k;
    k.size = name.size();
    if (name.size() >= 8) {
      std::memcpy(&k.head, name.data(), 8);
      std::memcpy(&k.tail, name.data() + name.size() - 8, 8);
    } else {
      for (auto c : name)
        k.head = k.head << 8 | static_cast<unsigned char>(c);
    }
    return k;
  }
  static std::size_t hash(const key& k) {
    auto h = (k.head * 0x9e3779b97f4a7c15u) ^ (k.tail * 0xc2b2ae3d27d4eb4fu) ^ k.size;
    return static_cast<std::size_t>(h ^ h >> 29 ^ h >> 43);
  }
  struct slot_entry {
    key k;
    std::int32_t index = -1;
  };
  std::vector<slot_entry> slots_ = std::vector<slot_entry>(mask + 1);
};

/// Turns a content model into positions and what may follow what (Glushkov's construction). The
/// schema's own rule of unique particle attribution makes the result deterministic but for `x? x?`,
/// where the earlier position is the better choice.
class model_compiler {
public:
  model_compiler(std::string_view text, schema_element& element,
                 const std::unordered_map<std::string_view, const schema_element*>& by_name)
    : rest_(text), e_(element), by_name_(by_name) {}

  void run() {
    e_.follow.emplace_back();
    e_.at.push_back(nullptr);
    auto all = choice();
    e_.follow[0] = all.first;
    e_.may_end.assign(e_.follow.size(), false);
    e_.may_end[0] = all.nullable;
    for (auto p : all.last)
      e_.may_end[p] = true;
  }

private:
  using positions = std::vector<std::uint16_t>;
  struct piece {
    bool nullable = false;
    positions first, last;
  };

  static void add(positions& to, const positions& from) {
    for (auto p : from)
      if (std::find(to.begin(), to.end(), p) == to.end()) to.push_back(p);
  }
  void link(const positions& from, const positions& to) {
    for (auto p : from)
      add(e_.follow[p], to);
  }
  void blanks() {
    while (rest_.starts_with(' '))
      rest_.remove_prefix(1);
  }

  piece choice() {
    auto whole = sequence();
    while (rest_.starts_with('|')) {
      rest_.remove_prefix(1);
      auto other = sequence();
      whole.nullable = whole.nullable || other.nullable;
      add(whole.first, other.first);
      add(whole.last, other.last);
    }
    return whole;
  }
  piece sequence() {
    piece whole{true, {}, {}};
    for (blanks(); !rest_.empty() && rest_.front() != ')' && rest_.front() != '|'; blanks()) {
      auto next = repeated();
      link(whole.last, next.first);
      if (whole.nullable) add(whole.first, next.first);
      if (next.nullable)
        add(whole.last, next.last);
      else
        whole.last = next.last;
      whole.nullable = whole.nullable && next.nullable;
    }
    return whole;
  }
  piece repeated() {
    auto p = primary();
    for (;;) {
      auto c = rest_.empty() ? '\0' : rest_.front();
      if (c != '?' && c != '*' && c != '+') return p;
      rest_.remove_prefix(1);
      if (c != '?') link(p.last, p.first);
      if (c != '+') p.nullable = true;
    }
  }
  piece primary() {
    if (rest_.starts_with('(')) {
      rest_.remove_prefix(1);
      auto inner = choice();
      rest_.remove_prefix(1);  // the table is well-formed: here stands ')'
      return inner;
    }
    auto end = std::min(rest_.find_first_of(" |()?*+"), rest_.size());
    auto position = static_cast<std::uint16_t>(e_.at.size());
    e_.at.push_back(by_name_.at(rest_.substr(0, end)));
    e_.follow.emplace_back();
    rest_.remove_prefix(end);
    return {false, {position}, {position}};
  }

  std::string_view rest_;
  schema_element& e_;
  const std::unordered_map<std::string_view, const schema_element*>& by_name_;
};

struct schema {
  std::vector<schema_element> elements;
  std::unordered_map<std::string_view, const schema_element*> by_name;

  schema() {
    for (auto& row : element_rows)
      elements.push_back({row.name, {}, nullptr, {}, {}, {}});
    for (auto& e : elements)
      by_name.emplace(e.name, &e);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      auto& row = element_rows[i];
      if (!row.children.empty()) model_compiler{row.children, elements[i], by_name}.run();
      if (!row.text.empty()) elements[i].text = find_simple_type(row.text);
      add_attributes(elements[i], row.attributes);
    }
  }

  /// "name:type other:type!" with ! for required; names may hold a colon themselves (xml:lang).
  static void add_attributes(schema_element& e, std::string_view text) {
    while (!text.empty()) {
      auto end = std::min(text.find(' '), text.size());
      auto entry = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      auto required = entry.ends_with('!');
      if (required) entry.remove_suffix(1);
      auto prefix = entry.starts_with("xml:")     ? std::size_t{4}
                    : entry.starts_with("xlink:") ? std::size_t{6}
                                                  : std::size_t{0};
      auto colon = entry.find(':', prefix);
      e.attributes.push_back(
          {entry.substr(0, colon), find_simple_type(entry.substr(colon + 1)), required});
    }
  }
};

const schema& the_schema() {
  static const schema s;
  return s;
}

}  // namespace

const schema_attribute* schema_element::attribute(std::string_view attribute_name) const {
  for (auto& a : attributes)
    if (a.name == attribute_name) return &a;
  return nullptr;
}

bool schema_element::allows_child(std::string_view child) const {
  return std::any_of(at.begin(), at.end(), [&](auto* e) { return e && e->name == child; });
}

const std::vector<schema_element>& schema_elements() { return the_schema().elements; }

const schema_element* find_schema_element(std::string_view name) {
  auto e = element_of(name);
  return e == element::unknown ? nullptr : &schema_of(e);
}

element element_of(std::string_view name) {
  static const name_index index;
  auto i = index.find(name);
  return i < 0 ? element::unknown : static_cast<element>(i);
}

std::string_view name_of(element e) {
  return e == element::unknown ? std::string_view{}
                               : element_rows[static_cast<std::size_t>(e)].name;
}

const schema_element& schema_of(element e) {
  return the_schema().elements[static_cast<std::size_t>(e)];
}

bool is_valid_text(std::string_view name, std::string_view value) {
  auto* e = find_schema_element(name);
  return e && (e->text ? is_valid(*e->text, value) : value.empty());
}

bool is_valid_text(element e, std::string_view value) {
  auto& s = schema_of(e);
  return s.text ? is_valid(*s.text, value) : value.empty();
}

bool is_valid_attribute(std::string_view element, std::string_view attribute,
                        std::string_view value) {
  auto* e = find_schema_element(element);
  auto* a = e ? e->attribute(attribute) : nullptr;
  return a && is_valid(*a->type, value);
}

bool child_sequence::take(std::string_view child) {
  if (parent_->follow.empty()) return false;
  for (auto p : parent_->follow[position_])
    if (parent_->at[p]->name == child) {
      position_ = p;
      return true;
    }
  return false;
}

}  // namespace fermata::io::musicxml
