#include "core/lang/layout/compile.hpp"

#include "core/lang/layout/layers.hpp"
#include "core/lang/layout/part_builder.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/instruments.hpp"
#include "core/score/edit/attributes_at_start.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/staves.hpp"
#include "core/score/repair/hairpin_numbers.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Says in measure 1 what a player needs and the part did not say.
void complete(measure& first, const part_music& p, int staves, const score_defaults& defaults) {
  if (!p.plain) move_attributes_to_start(first);
  auto said = attributes_at_start(first);
  auto add = completion(said, p, staves, defaults);
  if (add == attributes{}) return;
  if (said) {
    // Clefs in the order of the staves.
    join(*said, std::move(add));
    std::stable_sort(said->clefs.begin(), said->clefs.end(), [](const auto& a, const auto& b) {
      return a.staff.value_or(1) < b.staff.value_or(1);
    });
    return;
  }
  auto place = std::find_if(first.items.begin(), first.items.end(), [](const measure_item& x) {
    auto b = std::get_if<barline>(&x.content);
    return !(b && b->location == "left");
  });
  first.items.insert(place, measure_item{{}, std::move(add)});
}

/// Reads what parts say before their first note.
class opening_reader {
public:
  void read(const std::vector<music_ptr>& items) {
    auto bare = true;  // nothing of the part that stands in no part has been played yet
    for (const auto& x : items) {
      if (auto p = as_node<part_music>(*x)) {
        auto row = p->instrument.empty() ? nullptr : find_instrument(p->instrument);
        auto begins = true;
        for (const auto& item : p->items)
          // Every layer begins where the part does.
          if (as_node<staff_music>(*item) || as_node<voice_music>(*item))
            goes_on(*item, row);
          else if (begins)
            begins = goes_on(*item, row);
        bare = true;
      } else if (holds_parts(*x)) {
        read(*items_of(*x));
      } else if (bare) {
        bare = goes_on(*x, nullptr);
      }
    }
  }
  const system_opening& found() const { return found_; }

private:
  /// Whether what follows can still be the beginning.
  bool goes_on(const music& m, const instrument_info* row) {
    if (leaf<chord_rest>(m) || rest_over_measures(m)) return false;
    if (auto a = leaf<attributes>(m)) found_.add(*a, row);
    if (auto items = items_of(m))
      for (const auto& x : *items)
        if (!goes_on(*x, row)) return false;
    return !as_node<measure_music>(m);
  }

  system_opening found_;
};

/// Gathers the parts of a score.
class score_builder {
public:
  score_builder(const score_defaults& defaults, system_opening common)
    : defaults_(defaults), common_(std::move(common)) {}

  void add(const std::vector<music_ptr>& items) {
    for (const auto& x : items)
      add(x);
  }

  result<score> finish(score_header header, preserved extra) && {
    close_bare();
    for (const auto& x : before_)
      fault({
          errc::misplaced,
          "this is not inside a part",
          x->span,
          "put it in a part or a measure",
      });
    if (!faults_.diagnostics.empty()) return fail(std::move(faults_));
    out_.header = std::move(header);
    out_.extra = std::move(extra);
    return std::move(out_);
  }

  void add(const music_ptr& m) {
    if (auto p = as_node<part_music>(*m)) {
      close_bare();
      return add_part(*p, m->span);
    }
    if (auto g = as_node<part_group_music>(*m)) {
      close_bare();
      return add_group(*g);
    }
    if (auto s = as_node<seq_music>(*m); s && holds_parts(*m)) return add(s->items);
    if (as_node<score_music>(*m))
      return fault({errc::misplaced, "a score cannot contain another score", m->span, {}});
    bare_.push_back(m);
  }

private:
  /// Music that stands in no part: marks wait for the next part, anything else is a part.
  void close_bare() {
    if (bare_.empty()) return;
    auto marks_only = std::all_of(bare_.begin(), bare_.end(), [](const music_ptr& x) {
      auto content = std::get_if<measure_content>(&x->data);
      return content && !std::holds_alternative<chord_rest>(*content);
    });
    if (marks_only) {
      before_.insert(before_.end(), bare_.begin(), bare_.end());
      bare_.clear();
      return;
    }
    part_music p;
    p.items = std::exchange(bare_, {});
    auto span = p.items.front()->span;
    add_part(p, span);
  }

  void add_part(const part_music& p, source_span span) {
    auto own = p;
    // Key, time and clef before the parts hold for all, other marks stand above the first.
    for (auto x = before_.rbegin(); x != before_.rend(); ++x)
      own.items.insert(own.items.begin(), *x);
    std::erase_if(before_, [](const music_ptr& x) { return !leaf<attributes>(*x); });
    if (out_.parts.empty()) shared_ = before_;
    before_.clear();
    if (!out_.parts.empty()) own.items.insert(own.items.begin(), shared_.begin(), shared_.end());
    if (own.header.id.empty()) own.header.id = free_part_id(out_);
    for (const auto& other : out_.parts)
      if (other->id == own.header.id)
        return fault({errc::invalid_score, "duplicate part id " + own.header.id, span,
                      "omit :id, or give each part its own"});
    auto made = compile_part(own, out_.parts.size(), defaults_of(own));
    if (!made) {
      for (auto& d : made.error().diagnostics)
        faults_.diagnostics.push_back(std::move(d));
      made = part{};
    }
    out_.part_list.emplace_back(out_.parts.size());
    made->measures.seal();
    out_.parts.push_back(std::make_shared<const part>(std::move(*made)));
  }

  /// The staves of a system begin with the same metre, in the same key. A plain part says what it
  /// says.
  score_defaults defaults_of(const part_music& p) const {
    auto own = defaults_;
    if (p.plain) return own;
    if (common_.time) own.time = *common_.time;
    auto row = p.instrument.empty() ? nullptr : find_instrument(p.instrument);
    if (common_.key) own.key = written_key(*common_.key, row);
    return own;
  }

  void add_group(const part_group_music& g) {
    if (!g.group.type.empty()) {
      out_.part_list.emplace_back(g.group);
      return;
    }
    auto start = g.group;
    start.type = "start";
    ++depth_;
    if (start.number.empty()) start.number = std::to_string(depth_);
    part_group stop;
    stop.number = start.number;
    stop.type = "stop";
    out_.part_list.emplace_back(std::move(start));
    add(g.items);
    close_bare();
    out_.part_list.emplace_back(std::move(stop));
    --depth_;
  }

  void fault(diagnostic d) { faults_.diagnostics.push_back(std::move(d)); }

  const score_defaults& defaults_;
  system_opening common_;
  score out_;
  std::vector<music_ptr> bare_;    ///< stands in no part
  std::vector<music_ptr> before_;  ///< marks that wait for the next part
  std::vector<music_ptr> shared_;  ///< attributes that hold for every part
  int depth_ = 0;
  error faults_;
};

}  // namespace

attributes completion(const attributes* said, const part_music& p, int staves,
                      const score_defaults& defaults) {
  if (p.plain) return {};
  auto row = p.instrument.empty() ? nullptr : find_instrument(p.instrument);
  attributes add;
  if (!said || said->keys.empty()) add.keys.push_back({{}, key_of_new_part(defaults), {}});
  if (!said || said->times.empty()) add.times.push_back({{}, defaults.time, {}});
  auto wanted = std::max<int>(staves, row ? static_cast<int>(row->clefs.size()) : 1);
  if (said && said->staves) wanted = std::max(staves, *said->staves);
  if (wanted > 1 && !(said && said->staves && *said->staves >= wanted)) add.staves = wanted;
  auto clef_of = [&](int staff) {
    // Below the treble staff of one who has no second one stands the bass, as everywhere.
    if (row && row->clefs.size() == 1 && row->clefs.front() == "treble" && staff == 2)
      return *find_clef("bass");
    if (row) return *find_clef(row->clefs[std::min<std::size_t>(staff - 1, row->clefs.size() - 1)]);
    // A clef without a line stands on its usual one.
    auto name = name_of(defaults.clef);
    return staff > 1 ? *find_clef("bass") : name ? *find_clef(*name) : defaults.clef;
  };
  for (int staff = 1; staff <= wanted; ++staff) {
    auto has = said && std::any_of(said->clefs.begin(), said->clefs.end(),
                                   [&](const auto& c) { return c.staff.value_or(1) == staff; });
    if (has) continue;
    std::optional<std::uint8_t> number;
    if (wanted > 1) number = static_cast<std::uint8_t>(staff);
    add.clefs.push_back({number, clef_of(staff), {}});
  }
  if (row && row->transposes() && !(said && !said->transpositions.empty())) {
    transposition t;
    t.diatonic = row->diatonic;
    t.diatonic_given = row->diatonic != 0;
    t.chromatic = std::to_string(row->chromatic);
    t.octaves = row->octaves;
    add.transpositions.push_back({{}, t, {}});
  }
  return add;
}

void apply_instrument(part& header, std::string_view instrument) {
  auto row = find_instrument(instrument);
  if (!row) return;
  if (header.name.empty()) header.name = row->full_name;
  if (header.abbreviation.empty()) header.abbreviation = row->abbreviation;
  if (header.instruments.empty()) {
    part_instrument i;
    i.id = header.id + "-I1";
    i.name = row->full_name;
    i.sound = row->sound;
    i.midi_program = row->midi_program;
    if (row->percussion) i.midi_channel = 10;
    header.instruments.push_back(std::move(i));
  }
}

result<part> compile_part(const part_music& p, std::size_t index, const score_defaults& defaults) {
  part out = p.header;
  out.measures.clear();
  if (out.id.empty()) out.id = "P" + std::to_string(index + 1);
  apply_instrument(out, p.instrument);
  auto builder = part_builder::built(p.items, defaults.time, staff_clefs{p});
  if (!builder.faults().diagnostics.empty()) return fail(std::move(builder.faults()));
  auto& measures = builder.measures();
  if (!measures.empty()) {
    auto row = p.instrument.empty() ? nullptr : find_instrument(p.instrument);
    auto staves = std::max<int>(builder.staves(), row ? static_cast<int>(row->clefs.size()) : 1);
    staff_count count{staves};
    for (const auto& m : measures)
      count.pass(m);
    complete(measures.front(), p, std::max(builder.staves(), count.missing()), defaults);
  }
  auto unnumbered = std::any_of(measures.begin(), measures.end(), has_unnumbered_hairpin);
  std::vector<std::shared_ptr<measure>> made;
  for (auto& m : measures) {
    made.push_back(std::make_shared<measure>(std::move(m)));
    out.measures.push_back(made.back());
  }
  if (!unnumbered) return out;
  for (const auto& x : hairpin_numbers(out)) {
    if (x.number > most_hairpins)
      return fail({errc::out_of_range,
                   "measure " + made[x.measure]->number + ": more than " +
                       std::to_string(most_hairpins) + " hairpins are open on one staff",
                   std::nullopt, "end some of them: (hairpin-stop)"});
    set_number(*made[x.measure], x);
  }
  return out;
}

result<score> compile_score(const music& m, const score_defaults& defaults,
                            const system_opening& beside) {
  auto s = as_node<score_music>(m);
  const auto items = s ? s->items : std::vector{std::make_shared<const music>(m)};
  opening_reader opening;
  opening.read(items);
  auto common = opening.found();
  if (!common.time) common.time = beside.time;
  if (!common.key) common.key = beside.key;
  score_builder builder{defaults, std::move(common)};
  builder.add(items);
  return s ? std::move(builder).finish(s->header, s->extra) : std::move(builder).finish({}, {});
}

}  // namespace fermata
