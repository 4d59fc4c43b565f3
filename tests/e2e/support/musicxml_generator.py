"""Generates valid MusicXML from the schema: for every complex type, at the shortest path where it is
allowed, each child missing, once and repeated, each alternative, each attribute missing and with each
kind of value, and text that is empty, plain and odd.

This file reads the schema by itself, so that its output is independent of the program's own
table of it. Nothing is random: the same schema gives the same cases.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

XS = '{http://www.w3.org/2001/XMLSchema}'

# Values to try for every simple type; those that it does not allow are left out.
CANDIDATES = ['', '1', '0', '-1', '2', '4', '12', '0.5', '-2.5', '100', 'yes', 'no', 'a',
              ' two  words ', 'Straße & <𝄞> "q" \'s\' \\', '1, 2', '#40800080', '#FF0000', 'en',
              'http://example.org/x.png', '2026-01-31', 'normal', 'up', 'C', 'medium', 'bold',
              'accSagittal5v7KleismaDown', 'codaSquare', 'lyricsElision', 'pictGong', 'segno',
              'wiggleTrill', 'score.xml', 'P1', '1.25', 'quarter', 'preserve', 'default']


XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

HEAD = (f'<score-partwise {XLINK} version="4.0"><part-list><score-part id="P1"><part-name>Piano</part-name>'
        '<score-instrument id="P1-I1"><instrument-name>Piano</instrument-name></score-instrument>'
        '</score-part></part-list><part id="P1">')
MEASURES_IN_SCORE = 50


class Schema:
    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        self.named = {}
        for e in self.root:
            if e.get('name'):
                self.named[e.tag.removeprefix(XS), e.get('name')] = e
        self.shortest = {}
        self.values_of = {}
        self.minimal_done = {}

    def find(self, kind, name):
        return self.named[kind, name]

    # --- simple types

    def takes(self, name, value):
        """Whether a simple type allows a value."""
        simple = {
            'xs:string': lambda v: True, 'xs:token': lambda v: v == ' '.join(v.split()),
            'xs:decimal': lambda v: re.fullmatch(r'[+-]?(\d+(\.\d*)?|\.\d+)', v),
            'xs:integer': lambda v: re.fullmatch(r'[+-]?\d+', v),
            'xs:positiveInteger': lambda v: re.fullmatch(r'\d+', v) and int(v) > 0,
            'xs:nonNegativeInteger': lambda v: re.fullmatch(r'\d+', v),
            'xs:NMTOKEN': lambda v: re.fullmatch(r'[\w.:-]+', v),
            'xs:date': lambda v: re.fullmatch(r'\d{4}-\d\d-\d\d', v),
            'xs:anyURI': lambda v: v and ' ' not in v and '<' not in v,
            'xs:ID': lambda v: False, 'xs:IDREF': lambda v: False,
            'xml:lang': lambda v: re.fullmatch(r'[a-z]{2}', v),
            'xml:space': lambda v: v in ('default', 'preserve'),
        }
        if name in simple:
            return bool(simple[name](value))
        return self.takes_type(self.find('simpleType', name), value)

    def takes_type(self, e, value):
        union = e.find(XS + 'union')
        if union is not None:
            return (any(self.takes(m, value) for m in (union.get('memberTypes') or '').split())
                    or any(self.takes_type(s, value) for s in union.findall(XS + 'simpleType')))
        r = e.find(XS + 'restriction')
        enumeration = [x.get('value') for x in r.findall(XS + 'enumeration')]
        if enumeration:
            return value in enumeration
        if not self.takes(r.get('base'), value):
            return False
        for facet in r:
            kind, bound = facet.tag.removeprefix(XS), facet.get('value')
            if kind == 'pattern' and not re.fullmatch(bound.replace(r'\c', r'[\w.:-]'), value):
                return False
            if kind == 'minLength' and len(value) < int(bound):
                return False
            if kind == 'minInclusive' and float(value) < float(bound):
                return False
            if kind == 'maxInclusive' and float(value) > float(bound):
                return False
            if kind == 'minExclusive' and float(value) <= float(bound):
                return False
        return True

    def enumerated(self, name):
        if ('simpleType', name) not in self.named:
            return []
        e = self.find('simpleType', name)
        own = [x.get('value') for x in e.iter(XS + 'enumeration')]
        union = e.find(XS + 'union')
        for m in (union.get('memberTypes') or '').split() if union is not None else []:
            own += self.enumerated(m)
        r = e.find(XS + 'restriction')
        if not own and r is not None and not r.get('base').startswith('xs:'):
            own = self.enumerated(r.get('base'))
        return own

    def values(self, name):
        """Values of a simple type, the plainest first."""
        if name not in self.values_of:
            all_values = [v for v in CANDIDATES if self.takes(name, v)]
            for v in self.enumerated(name):
                if v not in all_values:
                    all_values.append(v)
            plain = [v for v in all_values if v != '' and v.strip() == v]
            self.values_of[name] = plain[:1] + [v for v in all_values if v not in plain[:1]]
            if name == 'xs:string' or name == 'xs:token':
                self.values_of[name].sort(key=lambda v: v != 'a')
        return self.values_of[name]

    # --- complex types

    def type_of(self, element):
        """The complex type of an element declaration, or the name of its simple type."""
        inline = element.find(XS + 'complexType')
        if inline is not None:
            return inline
        kind = element.get('type')
        return self.named.get(('complexType', kind), kind)

    def attributes(self, ctype):
        """(name, simple type, required, fixed value or None)"""
        out = []
        if isinstance(ctype, str):
            return out
        for k in ctype:
            tag = k.tag.removeprefix(XS)
            if tag == 'attribute':
                if k.get('ref'):
                    kind = {'xml:lang': 'xml:lang', 'xml:space': 'xml:space'}.get(k.get('ref'))
                    if k.get('ref').startswith('xlink:'):
                        kind = 'xlink'
                    out.append((k.get('ref'), kind, k.get('use') == 'required', k.get('fixed')))
                else:
                    out.append((k.get('name'), k.get('type'), k.get('use') == 'required',
                                k.get('fixed')))
            elif tag == 'attributeGroup':
                out += self.attributes(self.find('attributeGroup', k.get('ref')))
            elif tag in ('simpleContent', 'complexContent'):
                extension = k.find(XS + 'extension')
                base = extension.get('base')
                if ('complexType', base) in self.named:
                    out += self.attributes(self.find('complexType', base))
                out += self.attributes(extension)
        return out

    def text_type(self, ctype):
        if isinstance(ctype, str):
            return ctype
        content = ctype.find(XS + 'simpleContent')
        if content is None:
            return None
        base = content.find(XS + 'extension').get('base')
        if ('complexType', base) in self.named:
            return self.text_type(self.find('complexType', base))
        return base

    def particles(self, ctype):
        if isinstance(ctype, str):
            return []
        content = ctype.find(XS + 'complexContent')
        out = []
        if content is not None:
            extension = content.find(XS + 'extension')
            out += self.particles(self.find('complexType', extension.get('base')))
            ctype = extension
        return out + [k for k in ctype
                      if k.tag.removeprefix(XS) in ('sequence', 'choice', 'group', 'element')]

    @staticmethod
    def occurs(p):
        most = p.get('maxOccurs', '1')
        return int(p.get('minOccurs', '1')), 99 if most == 'unbounded' else int(most)

    def inside(self, p):
        """The particles within a particle."""
        if p.tag == XS + 'group':
            return self.inside(self.find('group', p.get('ref'))) if p.get('ref') else [
                k for k in p if k.tag.removeprefix(XS) in ('sequence', 'choice')]
        return [k for k in p
                if k.tag.removeprefix(XS) in ('sequence', 'choice', 'group', 'element')]

    def elements(self, p):
        if p.tag == XS + 'element':
            return [p]
        return [e for k in self.inside(p) for e in self.elements(k)]

    def least(self, p):
        """The fewest element declarations that satisfy a particle."""
        low, _ = self.occurs(p)
        if low == 0:
            return []
        if p.tag == XS + 'element':
            one = [p]
        elif p.tag == XS + 'choice':
            one = min((self.least(k) for k in self.inside(p)), key=self.weight)
        else:
            one = [e for k in self.inside(p) for e in self.least(k)]
        return one * low

    def weight(self, declarations):
        return len(declarations)

    def around(self, p, wanted, count=1):
        """The fewest declarations of a particle that include `wanted`, `count` times if allowed."""
        low, most = self.occurs(p)
        if p is wanted:
            return [p] * max(low, min(most, count))
        if p.tag == XS + 'element' or wanted not in self.elements(p):
            return None
        parts = self.inside(p)
        at = next(i for i, k in enumerate(parts) if k is wanted or wanted in self.elements(k))
        inner = self.around(parts[at], wanted, count)
        if p.tag == XS + 'choice':
            one = inner
        else:
            one = [e for k in parts[:at] for e in self.least(k)] + inner
            one += [e for k in parts[at + 1:] for e in self.least(k)]
        if inner.count(wanted) < count and most > 1:
            one = one * min(most, count)
        return one + self.least_of_more(p, low - 1) if low > 1 and len(one) == len(inner) else one

    def least_of_more(self, p, n):
        return self.least(p)[:0] * n

    def whole(self, p, turn):
        """Every optional part present; of the alternatives, one in turn."""
        if p.tag == XS + 'element':
            low, most = self.occurs(p)
            return [p] * max(1, low)
        parts = self.inside(p)
        if p.tag == XS + 'choice':
            return self.whole(parts[turn % len(parts)], turn)
        return [e for k in parts for e in self.whole(k, turn)]


class Node:
    """An element to be written; `declaration` gives its type."""

    def __init__(self, declaration, attributes=None, children=(), text=None):
        self.declaration = declaration
        self.attributes = dict(attributes or {})
        self.children = list(children)
        self.text = text

    @property
    def name(self):
        return self.declaration.get('name')

    def write(self):
        head = '<' + self.name + ''.join(f' {k}={quoteattr(v)}' for k, v in self.attributes.items())
        if not self.children and not self.text:
            return head + '/>'
        inner = escape(self.text) if self.text else ''.join(c.write() for c in self.children)
        return f'{head}>{inner}</{self.name}>'


class Generator:
    # Plain content where the minimum that the schema requires is not music.
    PLAIN = {'duration': '1', 'divisions': '1', 'fifths': '0', 'beats': '4', 'beat-type': '4',
             'octave': '4', 'step': 'C', 'kind': 'major', 'part-name': 'a', 'normal-notes': '2',
             'actual-notes': '3', 'staff': '1', 'voice': '1', 'per-minute': '60',
             'numeral-root': '5', 'line': '2', 'sign': 'G', 'degree-type': 'add',
             'degree-value': '5', 'pedal-alter': '0', 'beat-unit': 'quarter', 'type': 'quarter'}

    def __init__(self, schema):
        self.schema = schema
        self.ids = 0

    def value(self, kind, name=None):
        if kind == 'xs:ID':
            self.ids += 1
            return f'i{self.ids}'
        if kind == 'xs:IDREF':
            return 'P1-I1'
        if kind == 'xlink':
            return {'xlink:href': 'a.xml', 'xlink:show': 'new', 'xlink:actuate': 'onLoad',
                    'xlink:type': 'simple'}.get(name, 'a')
        return self.schema.values(kind)[0]

    def minimal(self, declaration, extra=None):
        ctype = self.schema.type_of(declaration)
        attributes = {}
        for name, kind, required, fixed in self.schema.attributes(ctype):
            if required:
                attributes[name] = fixed or self.value(kind, name)
        text_type = self.schema.text_type(ctype)
        if text_type:
            plain = self.PLAIN.get(declaration.get('name'))
            values = self.schema.values(text_type)
            text = plain if plain in values or (plain and self.schema.takes(text_type, plain)) else values[0]
            return Node(declaration, attributes, text=text)
        children = [self.minimal(d) for p in self.schema.particles(ctype)
                    for d in self.schema.least(p)]
        return Node(declaration, attributes, children)

    def filled(self, declaration, declarations):
        node = self.minimal(declaration)
        node.children = [self.minimal(d) for d in declarations]
        return node

    def variants(self, declaration, thorough=True):
        """Elements of one declaration, each differing in one respect."""
        schema = self.schema
        ctype = schema.type_of(declaration)
        yield 'least', self.minimal(declaration)
        text_type = schema.text_type(ctype)
        if text_type:
            values = schema.values(text_type)
            for v in values if thorough else values[:4] + values[-1:]:
                node = self.minimal(declaration)
                node.text = v
                yield f'text {v!r}', node
        particles = schema.particles(ctype)
        for i, p in enumerate(particles):
            before = [d for q in particles[:i] for d in schema.least(q)]
            behind = [d for q in particles[i + 1:] for d in schema.least(q)]
            seen = []
            for e in schema.elements(p):
                if any(e is s for s in seen):
                    continue
                seen.append(e)
                for count in (1, 2, 3) if thorough else (1, 2):
                    found = schema.around(p, e, count)
                    if found is not None:
                        yield (f'{count} {e.get("name")}',
                               self.filled(declaration, before + found + behind))
        if particles:
            for turn in range(4 if thorough else 2):
                yield f'whole {turn}', self.filled(
                    declaration, [d for p in particles for d in schema.whole(p, turn)])
        attributes = schema.attributes(ctype)
        for name, kind, _, fixed in attributes:
            if kind in ('xs:ID', 'xs:IDREF', 'xlink') or fixed:
                values = [fixed or self.value(kind, name)]
            else:
                values = schema.values(kind)
                if not thorough:
                    values = values[:2] + [v for v in values[2:] if v in ('', '0')]
            for v in values:
                node = self.minimal(declaration)
                node.attributes[name] = v
                yield f'@{name}={v!r}', node
        if attributes:
            node = self.minimal(declaration)
            for name, kind, _, fixed in attributes:
                node.attributes[name] = fixed or self.value(kind, name)
            yield 'all attributes', node

    def places(self):
        """(path, declaration): every complex type once, by the shortest path from a measure or
        from the score; the path has the declarations above it, outermost first."""
        score = self.schema.find('element', 'score-partwise')
        found, seen, queue = [], set(), [((), score)]
        while queue:
            path, declaration = queue.pop(0)
            ctype = self.schema.type_of(declaration)
            name = declaration.get('name')
            key = (ctype if isinstance(ctype, str) else ctype.get('name') or id(ctype), name)
            if key in seen:
                continue
            seen.add(key)
            found.append((path, declaration))
            for p in self.schema.particles(ctype):
                for e in self.schema.elements(p):
                    queue.append((path + (declaration,), e))
        return found

    def inside(self, path, node):
        """`node` within the minimum that its parents require."""
        for parent in reversed(path):
            inner = None
            particles = self.schema.particles(self.schema.type_of(parent))
            for i, p in enumerate(particles):
                found = self.schema.around(p, node.declaration)
                if found is None:
                    continue
                inner = ([d for q in particles[:i] for d in self.schema.least(q)] + found +
                         [d for q in particles[i + 1:] for d in self.schema.least(q)])
                break
            outer = self.minimal(parent)
            outer.children, placed = [], False
            for d in inner:
                if d is node.declaration and not placed:
                    outer.children.append(node)
                    placed = True
                else:
                    outer.children.append(self.minimal(d))
            node = outer
        return node

    def measure_cases(self, thorough=True):
        """(label, XML of one measure's content)"""
        for path, declaration in self.places():
            names = [d.get('name') for d in path]
            if 'measure' not in names:
                continue
            below = path[names.index('measure') + 1:]
            for label, node in self.variants(declaration, thorough):
                inner = self.inside(below, node)
                where = '/'.join([d.get('name') for d in below] + [declaration.get('name')])
                yield f'{where}: {label}', inner.write()

    def score_cases(self, thorough=True):
        """(label, XML of a score) for content outside measures, and for measures themselves."""
        for path, declaration in self.places():
            names = [d.get('name') for d in path]
            if 'measure' in names or declaration.get('name') == 'score-partwise':
                continue
            for label, node in self.variants(declaration, thorough):
                where = '/'.join(names[1:] + [declaration.get('name')])
                yield f'{where}: {label}', self.score(self.inside(path, node).write())

    @staticmethod
    def score(xml):
        """A score element as a document whose references refer to existing items."""
        first = re.search(r'<score-part id="([^"]+)"', xml).group(1)
        xml = xml.replace('"P1-I1"', f'"{first}"')
        return xml.replace('<score-partwise', f'<score-partwise {XLINK} version="4.0"', 1)

    def scores(self, thorough=True):
        """(labels, XML of a score): first cases in measures, many per score, then the rest."""
        cases = list(self.measure_cases(thorough))
        for i in range(0, len(cases), MEASURES_IN_SCORE):
            some = cases[i:i + MEASURES_IN_SCORE]
            measures = ''.join(f'<measure number="{n}">{xml}</measure>' for n, (_, xml) in enumerate(some))
            yield [label for label, _ in some], f'{HEAD}{measures}</part></score-partwise>'
        for label, xml in self.score_cases(thorough):
            yield [label], xml


def timewise(partwise):
    """The same score with its measures outside and its parts inside, as the W3C's parttime.xsl has it.
    None when parts disagree about the attributes of a measure, which only a partwise score can say."""
    root = ET.fromstring(partwise)
    root.tag = 'score-timewise'
    parts = root.findall('part')
    measures = []
    for part in parts:
        root.remove(part)
        for i, measure in enumerate(part.findall('measure')):
            if i == len(measures):
                measures.append(ET.SubElement(root, 'measure', measure.attrib))
            elif measures[i].attrib != measure.attrib:
                return None
            ET.SubElement(measures[i], 'part', part.attrib).extend(measure)
    return ET.tostring(root, encoding='unicode')


def main(xsd, folder, thorough):
    """Writes the scores as 0.musicxml, 1.musicxml, ..., the same timewise as 0.timewise.musicxml,
    1.timewise.musicxml, ..., and their labels as 0.txt, 1.txt, ..."""
    ET.register_namespace('xlink', 'http://www.w3.org/1999/xlink')
    for i, (labels, xml) in enumerate(Generator(Schema(xsd)).scores(thorough)):
        path = pathlib.Path(folder) / f'{i}.musicxml'
        path.write_text(xml, encoding='utf-8')
        transposed = timewise(xml)
        if transposed:
            path.with_suffix('.timewise.musicxml').write_text(transposed, encoding='utf-8')
        path.with_suffix('.txt').write_text('\n'.join(labels) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], '--thorough' in sys.argv)
