#include "core/score/model/content_hash.hpp"

#include <type_traits>

namespace fermata {

namespace {

/// A multiply-and-fold mixer over 64-bit words (after splitmix64's finaliser). Text goes in as
/// little-endian words whatever the machine, preceded by its length, so that neighbouring members
/// cannot trade characters.
class hasher {
public:
  void word(std::uint64_t v) {
    state_ = (state_ ^ v) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }

  void text(std::string_view s) {
    word(s.size());
    for (std::size_t i = 0; i < s.size(); i += 8) {
      std::uint64_t w = 0;
      for (std::size_t j = i; j < s.size() && j < i + 8; ++j)
        w |= std::uint64_t{static_cast<unsigned char>(s[j])} << (8 * (j - i));
      word(w);
    }
  }

  std::uint64_t value() const {
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

private:
  std::uint64_t state_ = 0x66657264617461u;
};

// One overload per type. Structs are taken apart by structured bindings, which stop compiling when
// a member is added: a member that the hash does not see would make replay checks blind to it.

template <class... Ts>
void mix_all(hasher& h, const Ts&... xs);

template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
void mix(hasher& h, T x) { h.word(static_cast<std::uint64_t>(x)); }
void mix(hasher& h, const std::string& s) { h.text(s); }
void mix(hasher& h, rational x) { mix_all(h, x.numerator(), x.denominator()); }
void mix(hasher& h, quarters x) { mix(h, x.value); }
void mix(hasher& h, measure_position x) { mix(h, x.value); }

template <class T>
void mix(hasher& h, const std::optional<T>& x) {
  h.word(x.has_value());
  if (x) mix(h, *x);
}
template <class List>
void mix_list(hasher& h, const List& xs) {
  h.word(xs.size());
  for (auto& x : xs)
    mix(h, x);
}
template <class T>
void mix(hasher& h, const std::vector<T>& xs) {
  mix_list(h, xs);
}
template <class T>
void mix(hasher& h, const shared_list<T>& xs) {
  mix_list(h, xs.all());
}
void mix(hasher& h, const measure_list& xs) { mix_list(h, xs); }
template <class A, class B>
void mix(hasher& h, const std::pair<A, B>& x) {
  mix_all(h, x.first, x.second);
}
template <class... Ts>
void mix(hasher& h, const std::variant<Ts...>& x) {
  h.word(x.index());
  std::visit([&h](auto& alternative) { mix(h, alternative); }, x);
}
template <class T>
void mix(hasher& h, const boxed<T>& x) {
  h.word(static_cast<bool>(x));
  if (x) mix(h, *x);
}
template <class T>
void mix(hasher& h, const std::shared_ptr<const T>& x) {
  mix(h, *x);
}

// preserved
void mix(hasher& h, const fragment& x) {
  auto& [xml] = x;
  mix_all(h, xml);
}
void mix(hasher& h, const preserved_xml& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}

// music
void mix(hasher& h, const pitch_name& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const pitch& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const note_value& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const key_alteration& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const key_octave& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const key_signature& x) {
  auto& [a, b, c, d, e, f, g] = x;
  mix_all(h, a, b, c, d, e, f, g);
}
void mix(hasher& h, const time_signature::fraction& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const time_signature& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const clef& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}

// notes
void mix(hasher& h, const mark& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const spanner& x) {
  auto& [a, b, c, d, e] = x;
  mix_all(h, a, b, c, d, e);
}
void mix(hasher& h, const unpitched& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const rest& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const displayed_accidental& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const tie_ends& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const beam& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const lyric_syllable& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const lyric& x) {
  auto& [a, b, c, d, e, f, g, i] = x;
  mix_all(h, a, b, c, d, e, f, g, i);
}
void mix(hasher& h, const notehead& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const chord_difference& x) {
  auto& [a, b, c, d, e] = x;
  mix_all(h, a, b, c, d, e);
}
void mix(hasher& h, const note& x) {
  auto& [a, b, c, d, e, f, g, i, j, k, l, m] = x;
  mix_all(h, a, b, c, d, e, f, g, i, j, k, l, m);
}
void mix(hasher& h, const time_modification& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const grace_info& x) {
  auto& [a, b, c, d, e] = x;
  mix_all(h, a, b, c, d, e);
}
void mix(hasher& h, const chord_rest& x) {
  auto& [a, b, c, d, e, f, g, i, j] = x;
  mix_all(h, a, b, c, d, e, f, g, i, j);
}

// directions
void mix(hasher& h, const dynamics& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const wedge& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const words& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const rehearsal_mark& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const segno_mark& x) {
  auto& [a] = x;
  mix_all(h, a);
}
void mix(hasher& h, const coda_mark& x) {
  auto& [a] = x;
  mix_all(h, a);
}
void mix(hasher& h, const metronome& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const pedal& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const octave_shift& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const line_end& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const sound& x) {
  auto& [a] = x;
  mix_all(h, a);
}
void mix(hasher& h, const direction& x) {
  auto& [a, b, c, d, e, f, g, i] = x;
  mix_all(h, a, b, c, d, e, f, g, i);
}
void mix(hasher& h, const harmony::degree& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const harmony& x) {
  auto& [a, b, c, d, e, f, g, i, j, k, l, m] = x;
  mix_all(h, a, b, c, d, e, f, g, i, j, k, l, m);
}
void mix(hasher& h, const figured_bass::figure& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const figured_bass& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}

// measures
void mix(hasher& h, const transposition& x) {
  auto& [a, b, c, d, e, f] = x;
  mix_all(h, a, b, c, d, e, f);
}
template <class T>
void mix(hasher& h, const for_staff<T>& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const attributes& x) {
  auto& [a, b, c, d, e, f, g, i] = x;
  mix_all(h, a, b, c, d, e, f, g, i);
}
void mix(hasher& h, const barline& x) {
  auto& [a, b, c, d, e, f, g, i, j] = x;
  mix_all(h, a, b, c, d, e, f, g, i, j);
}
void mix(hasher& h, const print_layout& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const measure_item& x) {
  auto& [a, b] = x;
  mix_all(h, a, b);
}
void mix(hasher& h, const measure& x) {
  auto& [a, b, c, d, e] = x;
  mix_all(h, a, b, c, d, e);
}

// score
void mix(hasher& h, const part_instrument& x) {
  auto& [a, b, c, d, e, f, g, i, j, k, l, m, n] = x;
  mix_all(h, a, b, c, d, e, f, g, i, j, k, l, m, n);
}
void mix(hasher& h, const part& x) {
  auto& [a, b, c, d, e, f] = x;
  mix_all(h, a, b, c, d, e, f);
}
void mix(hasher& h, const part_group& x) {
  auto& [a, b, c, d, e, f, g] = x;
  mix_all(h, a, b, c, d, e, f, g);
}
void mix(hasher& h, const typed_text& x) {
  auto& [a, b, c] = x;
  mix_all(h, a, b, c);
}
void mix(hasher& h, const credit& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}
void mix(hasher& h, const score_header& x) {
  auto& [a, b, c, d, e, f, g, i, j, k, l, m] = x;
  mix_all(h, a, b, c, d, e, f, g, i, j, k, l, m);
}
void mix(hasher& h, const score& x) {
  auto& [a, b, c, d] = x;
  mix_all(h, a, b, c, d);
}

template <class... Ts>
void mix_all(hasher& h, const Ts&... xs) {
  (mix(h, xs), ...);
}

template <class T>
std::uint64_t hashed(const T& x) {
  hasher h;
  mix(h, x);
  return h.value();
}

}  // namespace

std::uint64_t content_hash(const measure_content& c) { return hashed(c); }
std::uint64_t content_hash(const measure& m) { return hashed(m); }
std::uint64_t music_hash(const measure& m) {
  hasher h;
  mix_all(h, m.implicit, m.items, m.padded_to);
  return h.value();
}
std::uint64_t content_hash(const part& p) { return hashed(p); }
std::uint64_t content_hash(const score& s) { return hashed(s); }

}  // namespace fermata
