#include "core/lang/notation/direction_options.hpp"

#include "core/lang/names/xml_text.hpp"
#include "core/lang/value/make.hpp"

namespace fermata {

std::vector<param> direction_option_params() {
  return {
      one_of("placement", flag_param("above", "above the staff")),
      one_of("placement", flag_param("below", "below the staff")),
      one_of("placement",
             word_option("placement", "above, below or none", {"above", "below", "none"})),
      option_param("staff", arg_type::text, "its staff"),
      option_param("voice", arg_type::text, "its voice"),
      option_param("offset", arg_type::number, "offset in whole notes by which it is drawn later"),
      option_param("sound", arg_type::spec,
                   "playback effect; none: no effect; implied: what its words and signs imply"),
      option_param("xml", arg_type::xml, "further MusicXML attributes and elements"),
      option_param("direction-xml", arg_type::xml,
                   "MusicXML attributes of the enclosing direction")};
}

form_spec with_direction_options(form_spec row) {
  for (auto& p : direction_option_params())
    row.params.push_back(std::move(p));
  return row;
}

sound sounding(std::string_view name, std::string_view text) {
  return sound{with_attribute({}, std::string{name}, std::string{text})};
}

result<direction> read_direction(const call& c, std::vector<direction_type> types,
                                 std::string_view placement, std::optional<sound> sounds) {
  direction d;
  d.types = std::move(types);
  d.placement = placement;
  if (auto p = c.text("placement")) d.placement = *p == "none" ? "" : *p;
  if (c.flag("above")) d.placement = "above";
  if (c.flag("below")) d.placement = "below";
  if (c.has("staff")) {
    auto n = c.text("staff") == "none" ? std::optional{0} : int_of(c.get("staff"));
    if (!n || *n < 0 || *n > max_staves)
      return fail(c.wrong(errc::out_of_range, staff_range(), "staff"));
    d.staff = static_cast<std::uint8_t>(*n);
  }
  d.voice = c.text("voice").value_or("");
  if (auto n = c.get("offset").as_number()) d.offset = quarters{*n * rational{4}};
  d.sound = std::move(sounds);
  if (c.has("sound")) {
    // Said to do nothing is not the same as not said, where whoever plays goes by words and signs.
    if (c.text("sound") == "none")
      d.sound = sound{};
    else if (c.text("sound") == "implied")
      d.sound.reset();
    else
      d.sound = sound{preserved_of(c.get("sound"))};
    auto fault = d.sound && d.sound->extra ? fault_of_sound(c.get("sound")) : std::string{};
    if (d.sound && !d.sound->extra && !c.get("sound").as_list() && c.text("sound") != "none")
      fault = "expected a list such as (:tempo 96), or none, not " + print(c.get("sound"));
    if (!fault.empty()) return fail(c.wrong(errc::wrong_type, std::move(fault), "sound"));
  }
  if (c.has("direction-xml")) d.extra = preserved_of(c.get("direction-xml"));
  return d;
}

void write_direction_options(form& f, const direction& x, std::string_view placement,
                             const std::optional<sound>& sounds) {
  if (x.placement != placement) {
    if (x.placement == "above" || x.placement == "below")
      f.flag(x.placement);
    else
      f.option("placement", value::kw("none"));
  }
  if (x.staff == 0)
    f.option("staff", value::kw("none"));
  else if (x.staff)
    f.option("staff", value::of(std::int64_t{*x.staff}));
  if (!x.voice.empty()) f.option("voice", text_value(x.voice));
  if (x.offset) f.option("offset", value::of(x.offset->value / rational{4}));
  if (x.sound != sounds) {
    if (!x.sound)
      f.option("sound", value::kw("implied"));
    else if (!x.sound->extra)
      f.option("sound", value::kw("none"));
    else
      f.option("sound", spec_of(x.sound->extra));
  }
  f.xml(x.extra, "direction-xml");
}

std::optional<std::string> quarters_per_minute(const metronome& m) {
  if (m.equals) return std::nullopt;
  auto number = parse_rational(m.per_minute);
  if (!number || *number <= rational{0}) return std::nullopt;
  auto q = *number * length(m.beat).value;
  if (q.is_integer()) return to_string(q);
  // At most three decimals: a tempo is no more exact than that.
  auto thousandths = floor(q * rational{1000} + rational{1, 2});
  auto text = std::to_string(thousandths % 1000);
  text.insert(0, 3 - text.size(), '0');
  while (!text.empty() && text.back() == '0')
    text.pop_back();
  return std::to_string(thousandths / 1000) + (text.empty() ? "" : "." + text);
}

}  // namespace fermata
