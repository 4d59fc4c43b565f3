#pragma once

#include "core/score/model/score.hpp"
#include "io/musicxml/import.hpp"
#include "io/musicxml/schema.hpp"

#include <pugixml.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fermata::io::musicxml::detail {

/// The children of a node, as `for (auto k : children_of(n))`. The same as pugixml's own range with
/// a third of the calls into the library, which are most of what reading costs beside parsing.
class children_of {
public:
  explicit children_of(pugi::xml_node parent) : parent_(parent) {}
  struct sentinel {};
  class iterator {
  public:
    explicit iterator(pugi::xml_node n) : node_(n) {}
    pugi::xml_node operator*() const { return node_; }
    iterator& operator++() {
      node_ = node_.next_sibling();
      return *this;
    }
    bool operator!=(sentinel) const { return !access::is_null(node_); }

  private:
    struct access : pugi::xml_node {
      static bool is_null(const pugi::xml_node& n) { return n.*(&access::_root) == nullptr; }
    };
    pugi::xml_node node_;
  };
  iterator begin() const { return iterator{parent_.first_child()}; }
  sentinel end() const { return {}; }

private:
  pugi::xml_node parent_;
};

/// Line and column of byte offsets in the text that is read; lines are counted as far as anybody
/// asks, block by block.
class source_lines {
public:
  explicit source_lines(std::string_view text) : text_(text) {}
  line_column at(std::size_t offset) const;

private:
  static constexpr std::size_t block = std::size_t{1} << 15;
  std::string_view text_;
  mutable std::vector<std::size_t> lines_before_{0};  ///< line ends before each block
  // Where the last question was: a long line with many warnings is walked once.
  mutable std::size_t last_offset_ = 0, last_start_ = SIZE_MAX, last_column_ = 1;
};

/// Context shared by all parts of the reader. Lives for one call of `read`.
struct import_context {
  import_context(const source_lines& source, const read_limits& allowed)
    : lines(source), limits(allowed) {}

  const source_lines& lines;
  const read_limits& limits;
  loss_report report;
  std::vector<diagnostic> warnings;
  std::size_t warnings_not_listed = 0;
  std::unordered_set<std::string> ids;  ///< of everything read so far

  // where we are
  std::string part;                                           ///< id, empty outside of parts
  std::string measure;                                        ///< number, empty outside of measures
  const std::vector<part_instrument>* instruments = nullptr;  ///< of the part

  /// Divisions in force: quarters = count / divisions.
  rational divisions{1};

  /// The text holds no character data sections, comments or instructions: a leaf then has one text
  /// and nothing else.
  bool plain_text = false;

  /// Counts an element as understood. Elements that have no attributes in MusicXML are read without
  /// looking for any; one that has some is remembered, so that they are not lost without a word.
  void typed(pugi::xml_node n, element e) {
    report.typed(e);
    if (e != element::unknown && n.first_attribute() && !takes_attributes(e))
      remember_attributes(n);
  }
  /// The attributes of `n` are kept after all.
  void attributes_kept(pugi::xml_node n) {
    if (!with_attributes_.empty()) forget_attributes(n);
  }
  /// Reports the attributes that were dropped, before the nodes are freed.
  void tell_dropped_attributes() {
    if (!with_attributes_.empty()) tell_attributes();
  }

  /// The text of a leaf without blanks around. The view lives until the next call.
  std::string_view token(pugi::xml_node n);
  /// The text exactly as it is.
  std::string verbatim(pugi::xml_node n) const;

  /// "score.xml:12:7: part P1, measure 3, <note>: reason"
  std::string describe(pugi::xml_node where, std::string_view reason) const;
  void warn(pugi::xml_node where, std::string_view reason, std::string hint = {});

private:
  static bool takes_attributes(element e);
  void remember_attributes(pugi::xml_node n);
  void forget_attributes(pugi::xml_node n);
  void tell_attributes();

  struct element_place {
    pugi::xml_node node;
    std::string part, measure;
  };
  std::vector<element_place> with_attributes_;
  std::string scratch_;
};

/// An error about one place in the file, for throwing inside the reader; caught in `read`.
struct import_failure {
  error what;
};
[[noreturn]] void fail_at(const import_context& c, pugi::xml_node where, errc code,
                          std::string_view reason, std::string hint = {});

// --- values --------------------------------------------------------------------------------------

/// Whether `n`, whose name is that of `e`, is an element at all. Instructions of others are taken
/// out before, and nothing else has the name of an element.
inline bool is_element(pugi::xml_node n, element e) {
  return e != element::unknown || n.type() == pugi::node_element;
}

std::optional<std::int64_t> parse_integer(std::string_view text);
/// A decimal as XML Schema writes it: "3", "-0.5", ".5", "5.".
std::optional<rational> parse_decimal(std::string_view text);
std::optional<step> parse_step(std::string_view text);
/// Semitones as cents when they are a whole number of cents.
std::optional<int> parse_semitones(std::string_view text);
/// MusicXML's word for a note value.
std::optional<note_base> parse_note_type(std::string_view text);

/// A count of divisions as quarters.
inline rational in_quarters_of(const import_context& c, rational count) {
  return count / c.divisions;
}

// --- what is kept --------------------------------------------------------------------------------

/// Collects what one typed element carries beyond its typed members.
class kept_xml {
public:
  /// Everything among the attributes of `n` but those named in `typed` that the schema takes.
  void attributes(import_context& c, pugi::xml_node n, element e,
                  std::initializer_list<std::string_view> typed = {});
  /// A child without a type: as a fragment, wrapped when the schema does not have it in `parent`.
  void child(import_context& c, element parent, pugi::xml_node n);
  /// A child that cannot be taken as it is, with the reason.
  void misplaced(import_context& c, pugi::xml_node n, std::string_view reason);
  /// The same with elements around it: <notations><technical>n</technical></notations>.
  void misplaced_in(import_context& c, pugi::xml_node n, std::string_view reason,
                    std::initializer_list<std::string_view> around);
  /// The attributes of a typed child whose value is a member, when it has any; `always` keeps the
  /// empty element without them too.
  void attributes_of(import_context& c, pugi::xml_node n, element e,
                     std::initializer_list<std::string_view> typed = {}, bool always = false);
  /// A node that is no element: our own instructions are kept, stray text too, comments are not.
  void other_node(import_context& c, pugi::xml_node n);
  void add(fragment f) { value_.children.push_back(std::move(f)); }
  void add_attribute(std::string name, std::string value) {
    value_.attributes.emplace_back(std::move(name), std::move(value));
  }

  bool empty() const { return value_.attributes.empty() && value_.children.empty(); }
  /// Null when nothing was kept.
  preserved take() { return empty() ? preserved{} : preserved{std::move(value_)}; }
  std::vector<fragment> take_children() { return std::move(value_.children); }

private:
  preserved_xml value_;
};

/// The element as a fragment: canonical, divisions turned into quarters; wrapped with a warning
/// when it does not fit the schema. Counts it and all inside as kept.
fragment kept_fragment(import_context& c, pugi::xml_node n);
/// Always wrapped. The caller has warned.
fragment wrapped_fragment(import_context& c, pugi::xml_node n,
                          std::initializer_list<std::string_view> around = {});
/// Whether the element fits the schema with everything inside; ids inside must be new and
/// references known.
bool fits(import_context& c, pugi::xml_node n);

// --- one function per element family
// ---------------------------------------------------------------

struct tied_ends;
/// One <note> as it stands in the file.
struct note_reading {
  std::vector<note> notes = std::vector<note>(1);  ///< one, where it will stay
  note& value() { return notes.front(); }
  bool in_chord = false;
  boxed<grace_info> grace;
  bool cue = false;
  std::optional<rational> duration;  ///< in divisions
  bool has_duration = false;
  std::optional<note_value> written;
  std::optional<time_modification> tuplet;
  std::string voice = "1";
  std::uint8_t staff = 1;
  bool voice_given = false, staff_given = false;
  bool dots_with_attributes = false;
};

void read_note(import_context& c, pugi::xml_node n, note_reading& out);
void read_notations(import_context& c, pugi::xml_node n, note_reading& out, kept_xml& kept,
                    tied_ends& tied);
/// Brings the marks and spanners of a note into the order in which their groups are written.
void settle_notations(note& n);
lyric read_lyric(import_context& c, pugi::xml_node n);
/// Nothing when the element held divisions only. Sets `c.divisions`.
std::optional<attributes> read_attributes(import_context& c, pugi::xml_node n);
measure_content read_direction(import_context& c, pugi::xml_node n);
sound read_sound(import_context& c, pugi::xml_node n);
measure_content read_harmony(import_context& c, pugi::xml_node n);
figured_bass read_figured_bass(import_context& c, pugi::xml_node n);
barline read_barline(import_context& c, pugi::xml_node n);
print_layout read_print(import_context& c, pugi::xml_node n);

/// What goes on from measure to measure in a part.
struct part_reading {
  std::optional<time_signature> time;
  bool several_staves = false;
};
/// `number_source` is the element with the attributes of the measure, `content` the one with its
/// music: the same in partwise files.
measure read_measure(import_context& c, part_reading& part, pugi::xml_node number_source,
                     pugi::xml_node content, std::size_t index);

void read_header(import_context& c, pugi::xml_node root, score& s, kept_xml& kept);
/// Parts in the order of the list, without music.
std::vector<part> read_part_list(import_context& c, pugi::xml_node list, score& s, kept_xml& kept);

/// staff and similar: a positive number that fits.
std::optional<std::uint8_t> read_staff(import_context& c, pugi::xml_node n);
std::uint8_t read_number(import_context& c, pugi::xml_node n);
/// The yes of yes-no attributes.
bool says_yes(pugi::xml_node n, const char* attribute);

}  // namespace fermata::io::musicxml::detail
