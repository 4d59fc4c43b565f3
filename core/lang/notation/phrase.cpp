#include "core/lang/notation/phrase.hpp"

#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/phrase_item.hpp"
#include "core/lang/value/make.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace fermata {

namespace {

constexpr int most_repeats = 1000;
/// Groups inside groups; each has its own call on the machine stack.
constexpr int deepest_group = 64;
/// MusicXML numbers them 1 to 16.
constexpr std::uint8_t most_lines = 16;

struct phrase_fault {
  error what;
};

class phrase_parser {
public:
  phrase_parser(std::string_view text, std::size_t origin, const key_signature* key,
                std::size_t most_items)
    : text_(text), origin_(origin), key_(key), items_left_(most_items) {}

  std::vector<phrase_item> run() {
    auto items = sequence('\0');
    if (!waiting_.empty())
      wrong(waiting_.back(), waiting_.back() + 1, "this slur does not start on a note",
            errc::misplaced);
    if (auto loose = join_ties(items))
      wrong(loose->tied_place, *loose->tied_at, *loose->tied_at + 1,
            "this tie does not lead to the same pitch", errc::misplaced, "( ) is a slur");
    return items;
  }

private:
  // Errors leave by an exception that `parse_phrase` catches: they come from deep inside.
  [[noreturn]] void wrong(std::size_t begin, std::size_t end, std::string message, errc code,
                          std::string hint = {}) const {
    wrong(place(), begin, end, std::move(message), code, std::move(hint));
  }
  [[noreturn]] void wrong(const std::string& place, std::size_t begin, std::size_t end,
                          std::string message, errc code, std::string hint) const {
    throw phrase_fault{error{code, place + ": " + std::move(message),
                             source_span{origin_ + begin, origin_ + std::max(end, begin + 1)},
                             std::move(hint)}};
  }
  /// Where reading has come to.
  std::string place() const {
    return "bar " + bar_ + ", beat " + to_string(in_bar_.value + rational{1});
  }
  [[noreturn]] void wrong(std::string message, errc code = errc::invalid_token) const {
    wrong(at_, at_ + 1, std::move(message), code, "see (doc phrase)");
  }

  bool done() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  static bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  static bool digit(char c) { return c >= '0' && c <= '9'; }
  void skip_blanks() {
    while (!done() && blank(peek()))
      ++at_;
  }

  /// Items up to `closer` (or the end of the text).
  std::vector<phrase_item> sequence(char closer) {
    std::vector<phrase_item> out;
    auto opened = at_ == 0 ? 0 : at_ - 1;
    const auto outer = std::exchange(sequence_, ++sequences_);
    while (true) {
      auto attached = !done() && !blank(peek());
      skip_blanks();
      if (done()) {
        if (closer != '\0')
          wrong(opened, opened + 1, std::string{"unclosed delimiter by "} + closer,
                errc::unclosed_delimiter);
        break;
      }
      auto c = peek();
      if (c == closer) {
        ++at_;
        break;
      }
      one(c, attached && !out.empty(), out, closer != '\0');
    }
    sequence_ = outer;
    return out;
  }

  void one(char c, bool attached, std::vector<phrase_item>& out, bool nested) {
    if ((c >= 'a' && c <= 'g') || (c >= 'A' && c <= 'G')) return add(note_item(), out, nested);
    switch (c) {
      case 'r': return add(rest_item(false), out, nested);
      case 'R': return add(rest_item(true), out, nested);
      case 's': return add(spacer(), out, nested);
      case '<': return add(chord_item(), out, nested);
      case '[': return add(group_item(), out, nested);
      case '{': return add(tuplet_item(), out, nested);
      case '|': return bar(out, nested);
      case '~': return tie(out);
      case '(': return slur_start(attached, out);
      case ')': return slur_stop(out);
      case '-': return articulation(out);
      case '*': return repeat(out, nested);
      case '!': return mark(dynamic(), attached, out);
      case '^': return mark(symbol(), attached, out);
      case '>':
      case ']':
      case '}':
        wrong(std::string{"this "} + c + " has no matching opening delimiter",
              errc::stray_delimiter);
      default: break;
    }
    auto whole = character();
    auto control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    wrong(at_, at_ + whole.size(),
          control ? "control characters are not allowed in a phrase"
                  : "`" + std::string{whole} + "` is not allowed in a phrase",
          errc::invalid_token, "see (doc phrase)");
  }

  /// The character that begins here, with all its bytes.
  std::string_view character() const {
    auto end = at_ + 1;
    while (end < text_.size() && is_utf8_continuation(text_[end]))
      ++end;
    return text_.substr(at_, end - at_);
  }

  /// Repetitions of repetitions multiply; what they make counts before it is made.
  void count(std::size_t items, std::size_t begin) {
    if (items > items_left_)
      wrong(begin, at_, "this produces more notes than an evaluation may", errc::budget_exceeded,
            "nothing was changed");
    items_left_ -= items;
  }

  void add(phrase_item x, std::vector<phrase_item>& out, bool nested) {
    count(1, at_ == 0 ? 0 : at_ - 1);
    if (!nested) in_bar_ += x.length;
    if (x.kind == phrase_item::what::timed)
      for (auto at : std::exchange(waiting_, {}))
        start_slur(x, at, out.size());
    out.push_back(std::move(x));
  }

  // Notes.

  /// `below`: the one before it in a chord. Without an octave it is the next one above that.
  pitch read_pitch(const pitch* below = nullptr) {
    auto begin = at_;
    auto end = at_ + 1;
    constexpr std::string_view signs = "#sxbnd+";
    while (end < text_.size() && (signs.find(text_[end]) != std::string_view::npos ||
                                  static_cast<unsigned char>(text_[end]) >= 0x80))
      ++end;
    auto name = std::string{text_.substr(begin, end - begin)};
    auto octave = std::to_string(octave_);
    auto says_octave = true;
    if (end < text_.size() && digit(text_[end])) {
      octave = text_[end++];
    } else if (end + 1 < text_.size() && text_[end] == '-' && text_[end + 1] == '1') {
      octave = "-1";
      end += 2;
    } else {
      says_octave = false;
    }
    auto p = parse_pitch(name + octave);
    if (!p)
      wrong(begin, end, "`" + std::string{text_.substr(begin, end - begin)} + "` is not a pitch",
            errc::invalid_pitch, "a pitch is a letter a-g, an accidental and an octave: f#5");
    at_ = end;
    if (key_ && name.size() == 1)
      p->cents = static_cast<std::int16_t>(alteration(*key_, p->letter));
    if (below && !says_octave) {
      p = next_above(*below, *p);
      if (!p)
        wrong(begin, end, "there is no " + name + " above " + to_string(*below),
              errc::invalid_pitch, "octaves only go up to 9; write the octave of each pitch");
    }
    octave_ = p->octave;
    return *p;
  }

  /// `:q.` if it is there; it sticks.
  bool read_duration() {
    if (peek() != ':') return false;
    auto begin = at_++;
    while (!done() && (digit(peek()) || peek() == '.' || (peek() >= 'a' && peek() <= 'z') ||
                       (peek() >= 'A' && peek() <= 'Z')))
      ++at_;
    auto v = parse_note_value(text_.substr(begin + 1, at_ - begin - 1));
    if (!v)
      wrong(begin, at_, "`" + std::string{text_.substr(begin, at_ - begin)} + "` is not a duration",
            errc::invalid_duration, "durations are :w :h :q :8 :16, dotted :q.");
    value_ = *v;
    return true;
  }

  phrase_item timed(std::vector<note> notes) {
    phrase_item x;
    x.kind = phrase_item::what::timed;
    x.own_length = read_duration();
    x.x.voice.clear();
    x.x.notes = std::move(notes);
    set_value(x, value_);
    return x;
  }

  phrase_item note_item() {
    std::vector<note> notes(1);
    notes[0].tone = read_pitch();
    return timed(std::move(notes));
  }

  phrase_item rest_item(bool whole) {
    ++at_;
    std::vector<note> notes(1);
    notes[0].tone = rest{whole, {}, 4};
    if (!whole) return timed(std::move(notes));
    phrase_item x;
    x.kind = phrase_item::what::timed;
    x.x.voice.clear();
    x.x.notes = std::move(notes);
    return x;
  }

  phrase_item spacer() {
    ++at_;
    phrase_item x;
    x.kind = phrase_item::what::skip;
    x.own_length = read_duration();
    x.length = length(value_);
    return x;
  }

  phrase_item chord_item() {
    auto opened = at_++;
    std::vector<note> notes;
    std::optional<int> first_octave;
    while (true) {
      skip_blanks();
      if (done())
        wrong(opened, opened + 1, "this chord has no closing >", errc::unclosed_delimiter);
      if (peek() == '>') {
        ++at_;
        break;
      }
      auto c = peek();
      if (!((c >= 'a' && c <= 'g') || (c >= 'A' && c <= 'G')))
        wrong("a chord consists of pitches", errc::invalid_chord);
      auto below = notes.empty() ? nullptr : std::get_if<pitch>(&notes.back().tone);
      auto tone = read_pitch(below);
      notes.emplace_back();
      notes.back().tone = tone;
      first_octave = first_octave.value_or(octave_);
    }
    if (notes.empty()) wrong(opened, at_, "a chord needs at least one pitch", errc::invalid_chord);
    octave_ = *first_octave;
    return timed(std::move(notes));
  }

  // Groups and tuplets.

  std::vector<phrase_item> inside(char closer, std::size_t opened) {
    if (++depth_ > deepest_group)
      wrong(opened, opened + 1, "groups are nested too deeply", errc::nesting_too_deep);
    auto items = sequence(closer);
    --depth_;
    return items;
  }

  phrase_item group_item() {
    auto opened = at_++;
    phrase_item x;
    x.kind = phrase_item::what::group;
    auto outer = value_;
    x.inner = inside(']', opened);
    x.weight = weight_of(x.inner);
    value_ = outer;
    x.own_length = read_duration();
    if (std::none_of(x.inner.begin(), x.inner.end(), takes_time))
      wrong(opened, at_, "an empty group has no duration", errc::invalid_tuplet);
    x.length = length(value_);
    if (auto n = fit(x, x.length))
      wrong(opened, opened + 1,
            std::to_string(*n) + " notes do not fit this duration; write {3:2 ...}",
            errc::invalid_tuplet);
    return x;
  }

  phrase_item tuplet_item() {
    auto opened = at_++;
    phrase_item x;
    x.kind = phrase_item::what::tuplet;
    skip_blanks();
    auto number = [&] {
      int n = 0;
      auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
      at_ = static_cast<std::size_t>(r.ptr - text_.data());
      return n;
    };
    x.actual = number();
    if (peek() == ':' || peek() == '/') {
      ++at_;
      x.normal = number();
    } else {
      x.normal = 0;
    }
    if (x.actual < 1 || x.normal < 1 || x.actual > 1024 || x.normal > 1024)
      wrong(opened, at_, "a tuplet starts with its ratio", errc::invalid_tuplet,
            "write {3:2 c d e}");
    x.inner = inside('}', opened);
    x.weight = weight_of(x.inner);
    quarters total;
    for (const auto& part : x.inner)
      total += part.length;
    x.length = total * rational{x.normal, x.actual};
    x.own_length = true;
    return x;
  }

  // Signs after a note. Slurs and ties behind a group belong to its last note; an articulation
  // there could be meant for all of them.

  /// The note, chord or rest that was read last, which may be the last of a group or tuplet; null
  /// when that is something else.
  static phrase_item* last_note(std::vector<phrase_item>& items) {
    if (items.empty()) return nullptr;
    auto x = &items.back();
    while (x->kind == phrase_item::what::group || x->kind == phrase_item::what::tuplet) {
      auto last = std::find_if(x->inner.rbegin(), x->inner.rend(), takes_time);
      if (last == x->inner.rend()) return nullptr;
      x = &*last;
    }
    return x->kind == phrase_item::what::timed ? x : nullptr;
  }
  phrase_item& last_note(std::vector<phrase_item>& items, std::string_view sign) {
    auto x = last_note(items);
    if (!x) wrong(std::string{sign} + " must follow a note or a group", errc::misplaced);
    return *x;
  }

  void tie(std::vector<phrase_item>& out) {
    auto& x = last_note(out, "~");
    x.tied_at = at_++;
    x.tied_place = place();
    for (auto& n : x.x.notes)
      n.tie.start = true;
  }

  /// A slur that has not ended. Slurs inside each other, or that overlap, have numbers of their
  /// own.
  struct open_slur {
    std::uint8_t number;
    std::optional<std::size_t> first;  ///< of what its parentheses enclose, in its sequence
    int sequence;
  };

  void start_slur(phrase_item& x, std::size_t at, std::optional<std::size_t> first) {
    std::uint8_t number = 1;
    while (std::any_of(slurs_.begin(), slurs_.end(),
                       [&](const open_slur& s) { return s.number == number; }))
      ++number;
    if (number > most_lines)
      wrong(at, at + 1, "more than " + std::to_string(most_lines) + " slurs are open here",
            errc::out_of_range);
    slurs_.push_back({number, first, sequence_});
    x.x.notes.front().spanners.push_back({spanner_kind::slur, span_end::start, number, {}, {}});
  }

  void slur_start(bool attached, std::vector<phrase_item>& out) {
    if (auto x = attached ? last_note(out) : nullptr)
      start_slur(*x, at_, std::nullopt);
    else
      waiting_.push_back(at_);
    ++at_;
  }

  void slur_stop(std::vector<phrase_item>& out) {
    auto& x = last_note(out, ")");
    // One that no sign has opened here may have begun before the phrase.
    auto slur = slurs_.empty() ? open_slur{1, std::nullopt, 0} : slurs_.back();
    if (!slurs_.empty()) slurs_.pop_back();
    x.x.notes.front().spanners.push_back({spanner_kind::slur, span_end::stop, slur.number, {}, {}});
    ++at_;
    enclosed_ = slur.first && slur.sequence == sequence_ ? std::pair{at_, *slur.first}
                                                         : std::pair{std::size_t{0}, out.size()};
  }

  void articulation(std::vector<phrase_item>& out) {
    if (out.empty() || out.back().kind != phrase_item::what::timed)
      wrong("an articulation must follow a note", errc::misplaced);
    auto& x = out.back();
    auto sign = phrase_articulation(peek(1));
    if (!sign) wrong(at_, at_ + 2, "articulations are -. -> -- -^ -!", errc::invalid_token);
    x.x.notes.front().marks.push_back({*sign, {}, {}});
    at_ += 2;
  }

  /// `*3` repeats the note, group or tuplet before it, or all that the slur encloses which has just
  /// been closed. The ends of a slur that leads out of what is repeated are not repeated.
  void repeat(std::vector<phrase_item>& out, bool nested) {
    if (out.empty() || !takes_time(out.back()))
      wrong("* must follow a note, a group or a tuplet", errc::misplaced);
    auto first = enclosed_.first == at_ ? enclosed_.second : out.size() - 1;
    auto begin = at_++;
    int n = 0;
    auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), n);
    at_ = static_cast<std::size_t>(r.ptr - text_.data());
    if (n < 1 || n > most_repeats)
      wrong(begin, at_, "write a repetition as *4, up to *1000", errc::out_of_range);
    std::vector<phrase_item> again(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    std::size_t weight = 0;
    for (const auto& x : again)
      weight += x.weight;
    count(weight * static_cast<std::size_t>(n - 1), begin);
    keep_whole_slurs(again);
    for (int i = 1; i < n; ++i)
      for (const auto& x : again) {
        add(x, out, nested);
        if (x.other && as_node<bar_check_music>(*x.other)) begin_bar();
      }
  }

  void bar(std::vector<phrase_item>& out, bool nested) {
    if (nested) wrong("barlines are not allowed inside groups and tuplets", errc::misplaced);
    auto begin = at_++;
    bar_check_music check;
    auto back = at_;
    skip_blanks();
    auto number = at_;
    while (digit(peek()))
      ++at_;
    if (at_ > number)
      check.number = std::string{text_.substr(number, at_ - number)};
    else
      at_ = back;
    phrase_item x;
    x.other = make_music(std::move(check), {origin_ + begin, origin_ + begin + 1});
    out.push_back(std::move(x));
    begin_bar();
  }

  void begin_bar() {
    ++bars_;
    bar_ = std::to_string(bars_ + 1);
    in_bar_ = {};
  }

  // Marks.

  void mark(music_ptr m, bool attached, std::vector<phrase_item>& out) {
    phrase_item x;
    x.other = std::move(m);
    // At a note it stands where the note begins.
    if (attached && takes_time(out.back()))
      out.insert(out.end() - 1, std::move(x));
    else
      out.push_back(std::move(x));
  }

  std::string_view word() {
    auto begin = at_;
    constexpr std::string_view stops = " \n\t\r|[]{}<>~";
    while (!done() && stops.find(peek()) == std::string_view::npos)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  music_ptr dynamic() {
    auto begin = at_++;
    auto end = at_;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z')
      ++end;
    auto name = text_.substr(at_, end - at_);
    at_ = end;
    auto d = phrase_dynamic(name);
    if (!d)
      wrong(begin, at_, "`!" + std::string{name} + "` is not a dynamic", errc::invalid_token,
            "use !p, !mf, !sfz, !cresc, !dim, !stop");
    if (auto w = std::get_if<wedge>(&d->types.front())) {
      w->number = 1;
      number(*w);
      // One that overlaps with none inside the phrase may do so with those around it.
      if (w->number == 1) w->number = 0;
    }
    return make_music(measure_content{std::move(*d)}, {origin_ + begin, origin_ + at_});
  }

  /// Hairpins that overlap have numbers of their own. Where fewer ends follow than have begun, one
  /// hairpin is followed by the next.
  void number(wedge& w) {
    if (w.type == "stop") {
      if (hairpins_.empty()) return;
      w.number = hairpins_.back();
      hairpins_.pop_back();
      return;
    }
    std::size_t ends = 0;
    for (auto at = text_.find("!stop", at_); at != std::string_view::npos;
         at = text_.find("!stop", at + 1))
      ++ends;
    if (ends <= hairpins_.size()) hairpins_.clear();
    while (std::find(hairpins_.begin(), hairpins_.end(), w.number) != hairpins_.end())
      ++w.number;
    if (w.number > most_lines)
      wrong("more than " + std::to_string(most_lines) + " hairpins are open here",
            errc::out_of_range);
    hairpins_.push_back(w.number);
  }

  music_ptr symbol() {
    auto begin = at_++;
    if (peek() == '"') {
      auto close = text_.find('"', at_ + 1);
      if (close == std::string_view::npos)
        wrong(begin, begin + 2, "unterminated text", errc::unclosed_delimiter);
      direction d;
      d.types.push_back(words{std::string{text_.substr(at_ + 1, close - at_ - 1)}, {}});
      d.placement = "above";
      at_ = close + 1;
      return make_music(measure_content{std::move(d)}, {origin_ + begin, origin_ + at_});
    }
    auto name = word();
    auto h = harmony_of(name);
    if (!h)
      wrong(begin, at_, "\"" + std::string{name} + "\" is not a chord symbol", errc::invalid_chord);
    return make_music(measure_content{std::move(*h)}, {origin_ + begin, origin_ + at_});
  }

  std::string_view text_;
  std::size_t origin_;
  const key_signature* key_;
  std::size_t items_left_;
  int depth_ = 0;
  std::size_t at_ = 0;
  int octave_ = 4;
  note_value value_;
  std::vector<std::size_t> waiting_;  ///< where the signs of slurs stand whose first note follows
  std::vector<open_slur> slurs_;
  std::vector<std::uint8_t> hairpins_;
  std::pair<std::size_t, std::size_t> enclosed_;  ///< behind a slur that closed: its first item
  int sequence_ = 0, sequences_ = 0;              ///< the one that is read, and how many there were
  int bars_ = 0;
  std::string bar_ = "1";
  quarters in_bar_;
};

}  // namespace

result<std::vector<music_ptr>> parse_phrase(std::string_view text, std::size_t origin,
                                            const key_signature* key, std::size_t most_items) {
  try {
    std::vector<music_ptr> out;
    append_phrase(phrase_parser{text, origin, key, most_items}.run(), out);
    return out;
  } catch (phrase_fault& fault) {
    return fail(std::move(fault.what));
  }
}

}  // namespace fermata
