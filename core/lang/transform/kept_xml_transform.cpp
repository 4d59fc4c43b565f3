#include "core/lang/transform/kept_xml_transform.hpp"

#include "core/lang/value/make.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

/// Attributes counted in quarters, and the element that they are kept in.
constexpr std::string_view lasting_attributes[] = {"attack", "release"};

std::string scaled_amount(std::string_view text, rational factor) {
  auto amount = parse_rational(text);
  return amount ? to_string(*amount * factor) : std::string{text};
}

/// The text of every <offset> in a fragment, and the offset of a bend's release, times a factor.
fragment with_scaled_offsets(fragment f, rational factor) {
  if (kept_name(f) == "release")
    if (auto offset = std::string{kept_attribute(f, "offset")}; !offset.empty())
      f = with_kept_attribute(f, "offset", scaled_amount(offset, factor));
  for (auto tag = f.xml.find("<offset"); tag != std::string::npos;
       tag = f.xml.find("<offset", tag + 1)) {
    auto begin = f.xml.find('>', tag);
    auto end = begin == std::string::npos ? begin : f.xml.find('<', begin);
    if (end == std::string::npos) break;
    ++begin;
    f.xml.replace(begin, end - begin, scaled_amount(f.xml.substr(begin, end - begin), factor));
  }
  return f;
}

/// Applies one operation to whatever a content of measures keeps.
class kept_editor {
public:
  explicit kept_editor(const kept_edit& e) : e_(e) {}

  /// False: it goes.
  bool edit(fragment& f) const {
    auto fate = fate_of(f, e_.operation);
    if (fate == kept_fate::drop) {
      e_.dropped(kept_name(f));
      return false;
    }
    if (e_.operation == edit_operation::augment) f = with_scaled_offsets(std::move(f), e_.factor);
    return true;
  }

  /// The level of an edition, which says where it begins and ends. Ends of pairs that stand alone
  /// are found in the whole of the music (reversed_spanners.hpp).
  void exchange_ends(fragment& f) const {
    if (e_.operation != edit_operation::retrograde || fate_of(f, e_.operation) != kept_fate::change)
      return;
    auto type = kept_attribute(f, "type");
    if (type == "start" || type == "stop")
      f = with_kept_attribute(f, "type", type == "start" ? "stop" : "start");
  }

  void edit(preserved& p) const {
    if (!p || (p->children.empty() && e_.operation != edit_operation::augment)) return;
    auto next = *p;
    std::erase_if(next.children, [&](fragment& f) { return !edit(f); });
    std::for_each(next.children.begin(), next.children.end(),
                  [&](fragment& f) { exchange_ends(f); });
    if (e_.operation == edit_operation::augment)
      for (auto& [name, value] : next.attributes)
        if (std::find(std::begin(lasting_attributes), std::end(lasting_attributes), name) !=
            std::end(lasting_attributes))
          value = scaled_amount(value, e_.factor);
    if (next == *p) return;
    p = next == preserved_xml{} ? preserved{} : preserved{std::move(next)};
  }

  void edit(chord_rest& x) const {
    if (x.grace && e_.operation == edit_operation::augment && !x.grace->make_time.empty()) {
      auto grace = *x.grace;
      grace.make_time = scaled_amount(grace.make_time, e_.factor);
      x.grace = std::move(grace);
    }
    for (auto& n : x.notes) {
      edit(n.extra);
      for (auto& m : n.marks)
        edit(m.extra);
      for (auto& s : n.spanners)
        edit(s.extra);
      for (auto& l : n.lyrics)
        edit(l.extra);
    }
  }

  bool operator()(chord_rest& x) const { return edit(x), true; }
  bool operator()(attributes& x) const {
    auto had = x != attributes{};
    for (auto& k : x.keys)
      edit(k.extra);
    for (auto& t : x.times)
      edit(t.extra);
    std::erase_if(x.others, [&](fragment& f) { return !edit(f); });
    edit(x.extra);
    return !had || x != attributes{};
  }
  bool operator()(direction& x) const {
    std::vector<direction_type> types;
    std::vector<std::uint8_t> grouping;
    std::size_t next = 0;
    auto take = [&] {
      auto type = x.types[next++];
      auto f = std::get_if<fragment>(&type);
      if (f && !edit(*f)) return false;
      types.push_back(std::move(type));
      return true;
    };
    for (auto count : x.grouping) {
      std::uint8_t kept = 0;
      for (int i = 0; i < count && next < x.types.size(); ++i)
        kept = static_cast<std::uint8_t>(kept + (take() ? 1 : 0));
      if (kept > 0) grouping.push_back(kept);
    }
    while (next < x.types.size())
      take();
    auto emptied = types.empty() && !x.types.empty();
    x.types = std::move(types);
    x.grouping = std::move(grouping);
    edit(x.extra);
    if (x.sound) edit(x.sound->extra);
    return !emptied;
  }
  bool operator()(harmony& x) const {
    edit(x.extra);
    for (auto& further : x.further)
      edit(further.extra);
    return x.numeral.xml.empty() || edit(x.numeral);
  }
  bool operator()(figured_bass& x) const {
    for (auto& f : x.figures)
      edit(f.extra);
    return edit(x.extra), true;
  }
  bool operator()(barline& x) const { return edit(x.extra), true; }
  bool operator()(sound& x) const { return edit(x.extra), true; }
  bool operator()(print_layout& x) const { return edit(x.extra), true; }
  bool operator()(fragment& x) const { return edit(x); }

private:
  const kept_edit& e_;
};

/// Puts attributes at the beginning of music, in its first measure if it has measures.
music_ptr opened_with(const music_ptr& m, const music_ptr& leaf) {
  auto items = items_of(*m);
  if (!items) return make_music(seq_music{{leaf, m}});
  auto inner = *items;
  if (!as_node<measure_music>(*m) && !inner.empty() && holds_measures(*inner.front()))
    inner.front() = opened_with(inner.front(), leaf);
  else
    inner.insert(inner.begin(), leaf);
  return with_items(*m, std::move(inner));
}

}  // namespace

std::optional<measure_content> with_kept_edited(measure_content x, const kept_edit& e) {
  auto direct = std::get_if<direction>(&x);
  auto sounds = direct ? direct->sound : std::nullopt;
  if (std::visit(kept_editor{e}, x)) return x;
  // Playback stays when nothing is left to be drawn.
  if (sounds) return measure_content{direct->sound.value_or(*sounds)};
  return std::nullopt;
}

chord_rest with_kept_edited(chord_rest x, const kept_edit& e) {
  kept_editor{e}.edit(x);
  return x;
}

preserved with_kept_edited(const preserved& x, const kept_edit& e) {
  auto next = x;
  kept_editor{e}.edit(next);
  return next;
}

void drop_root_texts(harmony& x, const std::function<void(std::string_view what)>& dropped) {
  if (!x.extra) return;
  auto next = *x.extra;
  for (auto name : {"root-step", "bass-step"})
    std::erase_if(next.children, [&](fragment& f) {
      if (kept_name(f) != name || kept_attribute(f, "text").empty()) return false;
      dropped("the text of <" + std::string{name} + ">");
      f = without_kept_attribute(f, "text");
      return f.xml == "<" + std::string{name} + "/>";
    });
  if (next == *x.extra) return;
  x.extra = next == preserved_xml{} ? preserved{} : preserved{std::move(next)};
}

void move_numeral_key(harmony& x, int fifths) {
  constexpr std::string_view open = "<numeral-fifths>";
  auto& xml = x.numeral.xml;
  auto at = xml.find(open);
  if (at == std::string::npos) return;
  at += open.size();
  auto end = std::min(xml.find('<', at), xml.size());
  int old = 0;
  auto [stop, fault] = std::from_chars(xml.data() + at, xml.data() + end, old);
  if (fault != std::errc{} || stop != xml.data() + end) return;
  auto now = old + fifths;
  while (now > 7)
    now -= 12;
  while (now < -7)
    now += 12;
  xml.replace(at, end - at, std::to_string(now));
}

std::vector<music_ptr> standing_xml::taken_out(const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  for (const auto& x : items)
    if (auto made = without(x))
      out.push_back(std::move(made));
    else
      out.push_back(make_music(seq_music{}));
  return out;
}

music_ptr standing_xml::without(const music_ptr& m) {
  if (!walk_.goes_on()) return m;
  auto dropped = [&](std::string_view what) { walk_.dropped(operation_, what); };
  if (auto content = std::get_if<measure_content>(&m->data)) {
    auto next = *content;
    if (auto a = std::get_if<attributes>(&next)) {
      std::erase_if(a->others, [&](const fragment& f) {
        if (fate_of(f, operation_) == kept_fate::keep) return false;
        auto stays = standing_key(f) && !after_notes_;
        if (stays)
          found_[part_].push_back(f);
        else
          dropped(kept_name(f));
        return true;
      });
      if (*a == attributes{} && *std::get_if<attributes>(content) != attributes{}) return nullptr;
    }
    if (auto c = std::get_if<chord_rest>(&next); c && !c->grace) after_notes_ = true;
    auto edited = with_kept_edited(std::move(next), {operation_, dropped});
    if (!edited) return nullptr;
    return *edited == *content ? m : make_music(std::move(*edited), m->span);
  }
  auto items = items_of(*m);
  if (!items) return m;
  auto outer = std::pair{part_, after_notes_};
  if (as_node<part_music>(*m)) {
    part_ = found_.size();
    found_.emplace_back();
    after_notes_ = false;
  }
  std::vector<music_ptr> inner;
  auto same = true;
  const auto before = after_notes_;
  for (const auto& x : *items) {
    // Voices and staves begin together.
    if (as_node<voice_music>(*x) || as_node<staff_music>(*x) || as_node<par_music>(*m))
      after_notes_ = before;
    auto made = without(x);
    same = same && made == x;
    if (made) inner.push_back(std::move(made));
  }
  if (as_node<part_music>(*m)) std::tie(part_, after_notes_) = outer;
  return same ? m : with_items(*m, std::move(inner));
}

std::vector<music_ptr> standing_xml::restored(const std::vector<music_ptr>& items) {
  if (std::all_of(found_.begin(), found_.end(), [](auto& x) { return x.empty(); })) return items;
  part_ = 0;
  std::vector<music_ptr> out;
  for (const auto& x : items)
    out.push_back(with(x));
  if (found_.front().empty() || out.empty()) return out;
  attributes a;
  a.others = found_.front();
  out.front() = opened_with(out.front(), make_music(measure_content{std::move(a)}));
  return out;
}

music_ptr standing_xml::with(const music_ptr& m) {
  if (as_node<part_music>(*m)) {
    ++part_;
    if (part_ >= found_.size() || found_[part_].empty()) return m;
    attributes a;
    a.others = found_[part_];
    return opened_with(m, make_music(measure_content{std::move(a)}));
  }
  if (!as_node<score_music>(*m) && !as_node<part_group_music>(*m) && !as_node<seq_music>(*m) &&
      !as_node<par_music>(*m))
    return m;
  std::vector<music_ptr> inner;
  for (const auto& x : *items_of(*m))
    inner.push_back(with(x));
  return with_items(*m, std::move(inner));
}

}  // namespace fermata
