"""Compares the meaning of two MusicXML texts, independently of the program.

Divisions, backup and forward only say when things happen, so times are compared in quarters: a measure is
the collection of its items, each with its onset. A note without a voice is in voice 1, one without a staff
on staff 1, an attribute with its default value counts as missing, marks on a note may be grouped differently,
and an empty element that only groups others is ignored. Everything else must be the same: elements, their
order, attributes, text (numbers by value).
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction

NUMBER = re.compile(r'[+-]?(\d+(\.\d*)?|\.\d+)')
IN_DIVISIONS = {('note', 'attack'), ('note', 'release'), ('grace', 'make-time'),
                ('release', 'offset'), ('sound', 'divisions'), ('barline', 'divisions')}


DEFAULTS = {('barline', 'location', 'right'), ('figured-bass', 'parentheses', 'no'), ('measure', 'implicit', 'no')}
GROUPS = ('articulations', 'ornaments', 'technical', 'dynamics')
NOTHING_WHEN_EMPTY = ('work', 'identification', 'encoding', 'notations', 'articulations', 'ornaments', 'technical')


def number(text):
    return Fraction(text.strip()) if NUMBER.fullmatch(text.strip()) else None


def plain(text):
    value = number(text)
    return text if value is None else str(value)


def canonical(e, divisions):
    """An element as nested tuples."""
    def in_quarters(text):
        value = number(text)
        return text if value is None else str(value / divisions)

    attributes = tuple(sorted(
        (k, in_quarters(v) if (e.tag, k) in IN_DIVISIONS else plain(v)) for k, v in e.attrib.items()
        if (k, v) != ('number', '1') and (e.tag, k, v) not in DEFAULTS))
    text = e.text or ''
    if len(e):
        text = ''
    elif e.tag in ('duration', 'offset'):
        text = in_quarters(text)
    else:
        text = plain(text)
    children = tuple(canonical(c, divisions) for c in e)
    children = tuple(c for c in children if not is_nothing(c) and c != ('staff', (), '1', ()))
    if e.tag == 'note':
        children = tuple(c for c in children if c[0] not in ('notations', 'voice')) + marks(children)
    return e.tag, attributes, text, children


def is_nothing(element):
    return element[0] in NOTHING_WHEN_EMPTY and element[1:] == ((), '', ())


def marks(children):
    """The marks on a note, each with its group."""
    found = []
    for _, attributes, _, inner in (c for c in children if c[0] == 'notations'):
        if attributes:
            found.append(('notations', attributes, '', inner))
            continue
        for child in inner:
            if child[0] in GROUPS and not child[1]:
                found += [(child[0], (), '', (c,)) for c in child[3]] or [child]
            else:
                found.append(child)
    return tuple(sorted(found, key=str))


def measure_items(measure, divisions):
    """The collection of (onset, element), and the divisions at its end."""
    items, now, onset, voice = Counter(), Fraction(0), Fraction(0), '1'
    has_note = False
    for e in measure:
        if e.tag in ('backup', 'forward'):
            length = Fraction(e.findtext('duration')) / divisions
            now += length if e.tag == 'forward' else -length
            continue
        if e.tag == 'attributes':
            # Blocks at one position may be joined, so each item in them counts by itself.
            for child in e:
                if child.tag == 'divisions':
                    divisions = Fraction(child.text)
            for child in e:
                if child.tag != 'divisions':
                    items[now, '', ('attributes', (), '', (canonical(child, divisions),))] += 1
            continue
        at = now
        if e.tag == 'note':
            voice = e.findtext('voice') or (voice if e.find('chord') is not None else '1')
            lasts = Fraction(e.findtext('duration') or 0) / divisions
            if e.find('chord') is not None and not has_note:
                e.remove(e.find('chord'))  # there is no chord yet to which it could belong
            has_note = True
            if e.find('chord') is not None:
                at = onset
            else:
                onset = at
                if e.find('grace') is None:
                    now += lasts
        items[at, voice if e.tag == 'note' else '', canonical(e, divisions)] += 1
    return items, divisions


def meaning(text):
    """A score as comparable data: its frame, and its content measure by measure."""
    root = ET.fromstring(text)
    frame = tuple(x for x in (canonical(e, Fraction(1)) for e in root if e.tag != 'part') if not is_nothing(x))
    measures = {}
    for part in root.findall('part'):
        divisions = Fraction(1)
        for i, measure in enumerate(part.findall('measure')):
            items, divisions = measure_items(measure, divisions)
            attributes = tuple(sorted((k, plain(v)) for k, v in measure.attrib.items()
                                      if ('measure', k, v) not in DEFAULTS))
            measures[part.get('id'), i] = attributes, items
    return tuple(sorted((k, plain(v)) for k, v in root.attrib.items())), frame, measures


def differences(before, behind):
    """(measure or None, what it was, what it became), for everything that differs."""
    a, b = meaning(before), meaning(behind)
    for x, y in zip(a[:2], b[:2]):
        if x != y:
            yield None, [e for e in x if e not in y], [e for e in y if e not in x]
    for key in sorted(a[2].keys() | b[2].keys(), key=str):
        attributes, items = a[2].get(key, ((), Counter()))
        others, found = b[2].get(key, ((), Counter()))
        if attributes != others or key not in b[2] or key not in a[2]:
            yield key, attributes, others
        if items != found:
            yield key, sorted(items - found, key=str), sorted(found - items, key=str)


def difference(before, behind):
    """The first difference in words, or None."""
    return next((f'{key}: {x} became {y}' for key, x, y in differences(before, behind)), None)


# Valid by the schema, but musically meaningless; the program reports what it does with it.
WITHOUT_MEANING = (
    r'note(/dot)?: .*dot.*|note/dot: .*',      # a dot without a note value
    r'(actual|normal)-notes: text .0.',        # zero notes in the time of some
    r'part-list: (whole .|. score-part)',      # a part that is listed but missing
    r'(backup|forward): .*(footnote|level)',   # a comment on <backup>, which is written anew
    r'note: . tie$',                           # two ties of the same type on one note
)


def main(folder):
    """Compares N.musicxml with N.back.musicxml; prints the differences and their cases."""
    found = 0
    for path in sorted(pathlib.Path(folder).glob('*.back.musicxml')):
        before = path.with_name(path.name.replace('.back', ''))
        labels = before.with_suffix('.txt').read_text(encoding='utf-8').splitlines()
        for key, x, y in differences(before.read_text(encoding='utf-8'), path.read_text(encoding='utf-8')):
            label = labels[key[1]] if key and len(labels) > 1 else labels[0]
            if not any(re.fullmatch('.*(' + known + ')', label) for known in WITHOUT_MEANING):
                print(f'{before.name} {label}\n    {x}\n    became {y}')
                found += 1
    return found > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
