#include "io/musicxml/export_context.hpp"
#include "io/musicxml/part_progress.hpp"
#include "io/musicxml/preserved_writer.hpp"
#include "io/musicxml/schema.hpp"

namespace fermata::io::musicxml::detail {

namespace {

/// A whole element of a measure that was kept as XML. What would move MusicXML's cursor or set
/// divisions cannot be kept like that.
void write_measure_fragment(export_context& c, const fragment& f) {
  auto name = element_name(f);
  auto takes_time = name == "note" || name == "backup" || name == "forward" || name == "attributes";
  auto* measure_element = find_schema_element("measure");
  if (is_wrapped(f) || (!takes_time && child_sequence{*measure_element}.take(name)))
    write_fragment(c, f);
  else
    write_wrapped(c, f.xml);
}

/// Writes the items of one measure, moving MusicXML's cursor to where each stands.
class measure_writer {
public:
  measure_writer(export_context& c, const measure& m, const std::vector<completed_chord>& completed,
                 bool first)
    : c_(c), m_(m), completed_(completed), divisions_due_(first) {}

  void run() {
    for (auto& item : m_.items) {
      item_ = &item;
      std::visit([this](auto& content) { put(content); }, item.content);
    }
    give_divisions();
    auto end = c_.ticks(m_.padded_to.value);
    if (end > cursor_) forward(end - cursor_, nullptr);
  }

private:
  void put(const chord_rest& x) {
    give_divisions();
    auto start = go(&x);
    static const completed_chord nothing{};
    auto& completed = chord_index_ < completed_.size() ? completed_[chord_index_] : nothing;
    ++chord_index_;
    if (x.notes.empty()) return c_.problem("a chord without notes is left out");
    cursor_ = start + write_chord_rest(c_, x, completed);
  }
  void put(const attributes& a) {
    // Divisions join the first <attributes> of the part when it comes before all that takes time.
    go(nullptr);
    write_attributes(c_, a, divisions_due_);
    divisions_due_ = false;
  }
  void put(const direction& d) {
    give_divisions();
    go(nullptr);
    write_direction(c_, d);
  }
  void put(const harmony& h) {
    give_divisions();
    go(nullptr);
    write_harmony(c_, h);
  }
  void put(const figured_bass& f) {
    give_divisions();
    go(nullptr);
    write_figured_bass(c_, f);
  }
  void put(const sound& s) {
    give_divisions();
    go(nullptr);
    write_sound(c_, s);
  }
  void put(const fragment& f) {
    give_divisions();
    go(nullptr);
    write_measure_fragment(c_, f);
  }
  void put(const barline& b) {
    go(nullptr);
    write_barline(c_, b);
  }
  void put(const print_layout& p) {
    go(nullptr);
    write_print(c_, p);
  }

  /// Something counted in divisions follows and no <attributes> said them yet.
  void give_divisions() {
    if (!divisions_due_) return;
    divisions_due_ = false;
    c_.out.open("attributes");
    c_.out.leaf("divisions", c_.divisions);
    c_.out.close("attributes");
  }

  std::int64_t go(const chord_rest* next) {
    auto target = c_.ticks(item_->at.value);
    if (target != cursor_) {
      give_divisions();
      if (target < 0) {
        c_.problem("something precedes the start of the measure; it is written at the start");
        target = 0;
      }
    }
    if (target < cursor_) {
      c_.out.open("backup");
      c_.out.leaf("duration", cursor_ - target);
      c_.out.close("backup");
    } else if (target > cursor_) {
      forward(target - cursor_, next);
    }
    return cursor_ = target;
  }
  void forward(std::int64_t ticks, const chord_rest* next) {
    c_.out.open("forward");
    c_.out.leaf("duration", ticks);
    if (next) {
      c_.out.leaf("voice", next->voice);
      if (c_.several_staves) c_.out.leaf("staff", next->staff);
    }
    c_.out.close("forward");
  }

  export_context& c_;
  const measure& m_;
  const std::vector<completed_chord>& completed_;
  const measure_item* item_ = nullptr;
  std::int64_t cursor_ = 0;
  std::size_t chord_index_ = 0;
  bool divisions_due_;
};

}  // namespace

void write_measure(export_context& c, const measure& m, part_progress& progress) {
  auto& out = c.out;
  out.open("measure");
  out.attribute("number", m.number);
  if (m.implicit) out.attribute("implicit", "yes");
  write_preserved_attributes(c, "measure", m.extra, {"number", "implicit"});
  write_misplaced_children(c, m.extra, {});
  measure_writer{c, m, progress.next_measure(m, c.options), progress.first_measure()}.run();
  progress.measure_done();
  out.close("measure");
}

}  // namespace fermata::io::musicxml::detail
