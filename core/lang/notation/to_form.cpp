#include "core/lang/notation/to_form.hpp"

#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/header_options.hpp"
#include "core/lang/notation/phrase.hpp"
#include "core/lang/value/make.hpp"

namespace fermata {

namespace {

value ratio_value(int actual, int normal) {
  return value::sym(std::to_string(actual) + ":" + std::to_string(normal));
}

struct leaf_writer {
  value operator()(const chord_rest& x) const { return chord_rest_form(x); }
  value operator()(const direction& x) const { return direction_form(x); }
  value operator()(const attributes& x) const {
    auto block = false;
    auto forms = attributes_forms(x, block);
    if (forms.size() == 1) return forms.front();
    block = true;
    return attributes_forms(x, block).front();
  }
  value operator()(const harmony& x) const { return harmony_form(x); }
  value operator()(const figured_bass& x) const { return figured_bass_form(x); }
  value operator()(const barline& x) const { return barline_form(x); }
  value operator()(const sound& x) const { return sound_form(x); }
  value operator()(const print_layout& x) const { return layout_form(x); }
  value operator()(const fragment& x) const { return form{"xml"}.add(value::string(x.xml)).done(); }
};

struct node_writer {
  print_style style = print_style::explicit_forms;

  form& add_items(form& f, const std::vector<music_ptr>& items) const {
    for (std::size_t i = 0; i < items.size();) {
      if (style == print_style::compact) {
        auto end = i;
        while (end < items.size() && may_stand_in_phrase(*items[end]))
          ++end;
        if (auto taken = add_phrase(f, items, i, end); taken > i) {
          i = taken;
          continue;
        }
      }
      f.add(to_form(*items[i++], style));
    }
    return f;
  }

  /// A tie into a note is said by the note before it.
  static music_ptr without_tie_end(const music_ptr& m) {
    auto c = leaf<chord_rest>(*m);
    if (!c) return m;
    auto copy = *c;
    for (auto& n : copy.notes)
      n.tie.stop = false;
    return make_music(measure_content{std::move(copy)});
  }

  /// A phrase over as many items as one can say, from `i` on; `i` itself when that is less than
  /// two.
  static std::size_t add_phrase(form& f, const std::vector<music_ptr>& items, std::size_t i,
                                std::size_t end) {
    auto upto = i;
    while (upto < end && phrase_of({without_tie_end(items[upto])}))
      ++upto;
    for (; upto > i + 1; --upto) {
      std::vector<music_ptr> run{items.begin() + static_cast<std::ptrdiff_t>(i),
                                 items.begin() + static_cast<std::ptrdiff_t>(upto)};
      if (auto text = phrase_of(run)) {
        f.add(form{"phrase"}.add(value::string(*text)).done());
        return upto;
      }
    }
    return i;
  }

  value operator()(const measure_content& x) const { return std::visit(leaf_writer{}, x); }

  value operator()(const seq_music& x) const {
    if (x.block && x.items.size() == 1)
      if (auto a = leaf<attributes>(*x.items.front())) {
        auto block = true;
        return attributes_forms(*a, block).front();
      }
    form f{"seq"};
    return add_items(f, x.items).done();
  }

  value operator()(const par_music& x) const {
    form f{"par"};
    return add_items(f, x.items).done();
  }

  value operator()(const tuplet_music& x) const {
    form f{"tuplet"};
    f.add(ratio_value(x.actual, x.normal));
    if (x.unit) f.option("unit", value::kw(to_string(*x.unit)));
    if (!x.marked) f.flag("unmarked");
    return add_items(f, x.items).xml(x.extra).done();
  }

  value operator()(const grace_music& x) const {
    form inner{"seq"};
    form f{"grace"};
    f.add(add_items(inner, x.items).done());
    if (x.slash) f.flag("slash");
    return f.done();
  }

  value operator()(const voice_music& x) const {
    form f{"voice"};
    f.add(text_value(x.voice));
    if (x.staff) f.option("staff", value::of(std::int64_t{*x.staff}));
    if (x.at) f.option("at", value::of(x.at->value));
    return add_items(f, x.items).done();
  }

  value operator()(const staff_music& x) const {
    form f{"staff"};
    if (x.staff != 0) {
      f.add(value::of(std::int64_t{x.staff}));
      return add_items(f, x.items).done();
    }
    auto clef = !x.items.empty() ? leaf<attributes>(*x.items.front()) : nullptr;
    if (clef && clef->clefs.size() == 1)
      if (auto name = name_of(clef->clefs.front().value)) {
        f.flag(*name);
        return add_items(f, {x.items.begin() + 1, x.items.end()}).done();
      }
    f.flag("treble");
    return add_items(f, x.items).done();
  }

  value operator()(const skip_music& x) const {
    auto back = x.distance < quarters{};
    return form{back ? "backup" : "forward"}
        .add(value::of(back ? -x.distance.value : x.distance.value))
        .done();
  }

  value operator()(const bar_check_music& x) const {
    form f{"bar"};
    if (x.number) f.add(text_value(*x.number));
    return f.done();
  }

  value operator()(const lyrics_music& x) const {
    std::string text;
    for (const auto& s : x.syllables) {
      if (!text.empty() && !(text.size() > 1 && text.back() == '-')) text += ' ';
      text += s;
    }
    form f{"lyrics"};
    f.add(value::string(text));
    if (x.verse != "1") f.option("verse", value::string(x.verse));
    return add_items(f, x.items).done();
  }

  value operator()(const measure_music& x) const {
    form f{"measure"};
    if (x.number) f.option("number", value::string(*x.number));
    if (x.implicit) f.flag("pickup");
    if (x.free) f.flag("free");
    if (x.padded_to) f.option("padded-to", value::of(x.padded_to->value));
    return add_items(f, x.items).xml(x.extra).done();
  }

  value operator()(const repeat_music& x) const {
    form f{"repeat"};
    if (x.times != 2) f.option("times", value::of(std::int64_t{x.times}));
    return add_items(f, x.items).done();
  }

  value operator()(const ending_music& x) const {
    form f{"ending"};
    f.add(text_value(x.numbers));
    return add_items(f, x.items).done();
  }

  value operator()(const part_music& x) const {
    form f{"part"};
    if (!x.instrument.empty()) f.flag(x.instrument);
    if (!x.header.id.empty()) f.option("id", value::string(x.header.id));
    if (x.plain) f.flag("plain");
    write_part_options(f, x.header);
    return add_items(f, x.items).done();
  }

  value operator()(const part_group_music& x) const {
    form f{"group"};
    const auto& g = x.group;
    if (!g.type.empty()) f.flag(g.type);
    if (g.symbol == "bracket" || g.symbol == "brace")
      f.flag(g.symbol);
    else
      f.text("symbol", g.symbol);
    f.text("name", g.name).text("abbr", g.abbreviation).text("barline", g.barline);
    if (g.number != (g.type.empty() ? "" : "1")) f.option("number", value::string(g.number));
    f.xml(g.extra);
    return add_items(f, x.items).done();
  }

  value operator()(const score_music& x) const {
    form f{"score"};
    write_score_options(f, x.header, x.extra);
    return add_items(f, x.items).done();
  }
};

}  // namespace

value to_form(const music& m, print_style style) { return std::visit(node_writer{style}, m.data); }

std::string print(const music& m) { return print(to_form(m)); }

}  // namespace fermata
