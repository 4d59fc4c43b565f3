#include "core/session/commands/example_piece.hpp"

namespace fermata {

const std::vector<example_piece>& example_pieces() {
  // All of it is in the public domain: folk songs, Bach, Mozart, Beethoven, Schoenberg's row of
  // opus 25 (1923) is a fact, not a text.
  static const std::vector<example_piece> rows{
      {"frere-jacques", "Frère Jacques, a round (folk song)",
       "(part :voice\n"
       "  (measure (key f :major) (time 4 4) (note f4 :q) (note g4 :q) (note a4 :q) (note f4 :q))\n"
       "  (measure (note f4 :q) (note g4 :q) (note a4 :q) (note f4 :q))\n"
       "  (measure (note a4 :q) (note bb4 :q) (note c5 :h))\n"
       "  (measure (note a4 :q) (note bb4 :q) (note c5 :h)))"},
      {"ode-to-joy", "the theme of the Ninth's finale (Beethoven, 1824)",
       "(part :violin\n"
       "  (measure (key d :major) (time 4 4) (note f#4 :q) (note f#4 :q) (note g4 :q) (note a4 "
       ":q))\n"
       "  (measure (note a4 :q) (note g4 :q) (note f#4 :q) (note e4 :q))\n"
       "  (measure (note d4 :q) (note d4 :q) (note e4 :q) (note f#4 :q))\n"
       "  (measure (note f#4 :q.) (note e4 :8) (note e4 :h)))"},
      {"minuet", "the beginning of the Minuet in G (Petzold, 1725), on two staves",
       "(part :piano\n"
       "  (staff 1\n"
       "    (measure (key g :major) (time 3 4)\n"
       "      (note d5 :q) (note g4 :8) (note a4 :8) (note b4 :8) (note c5 :8))\n"
       "    (measure (note d5 :q) (note g4 :q) (note g4 :q)))\n"
       "  (staff 2\n"
       "    (measure (chord (g3 b3 d4) :h) (note a3 :q))\n"
       "    (measure (note b3 :h.))))"},
      {"cadence", "a cadence in four chords: I IV V I",
       "(seq (chord (c4 e4 g4) :h) (chord (c4 f4 a4) :h) (chord (b3 d4 g4) :h) (chord (c4 e4 g4) "
       ":h))"},
      {"clapping", "two against three",
       "(measure (time 2 4)\n"
       "  (voice 1 (tuplet 3:2 (note g4 :q) (note g4 :q) (note g4 :q)))\n"
       "  (voice 2 (note c4 :q) (note c4 :q)))"},
      {"row", "the row of opus 25 (Schoenberg, 1923) and its retrograde",
       "(let [row (list 4 5 7 1 6 3 8 2 11 0 9 10)]\n  (list row (reverse row)))"},
      {"arpeggios", "a function that arpeggiates chords",
       "(defn broken [chords]\n"
       "  (apply seq (map (fn [p] (note p :8)) (apply concat chords))))"},
  };
  return rows;
}

const example_piece* find_example_piece(std::string_view name) {
  for (auto& row : example_pieces())
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace fermata
