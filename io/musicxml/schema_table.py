#!/usr/bin/env python3
"""Writes schema_table.inc from musicxml.xsd: python3 schema_table.py PATH/musicxml.xsd > schema_table.inc

In MusicXML every element name has one type wherever it stands, so a row per name says it all.
"""
import sys
import xml.etree.ElementTree as ET

XS = '{http://www.w3.org/2001/XMLSchema}'
root = ET.parse(sys.argv[1]).getroot()
named = {(e.tag, e.get('name')): e for e in root}
# The two imported modules, as far as MusicXML refers to them.
FOREIGN = {'xml:lang': 'xs:language', 'xml:space': 'xml-space', 'xlink:href': 'xs:anyURI',
           'xlink:type': 'xlink-type', 'xlink:role': 'xs:token', 'xlink:title': 'xs:token',
           'xlink:show': 'xlink-show', 'xlink:actuate': 'xlink-actuate'}
FOREIGN_TYPES = [('xml-space', 'xs:NMTOKEN', 'default|preserve'),
                 ('xlink-type', 'xs:NMTOKEN', 'simple'),
                 ('xlink-show', 'xs:NMTOKEN', 'new|replace|embed|other|none'),
                 ('xlink-actuate', 'xs:NMTOKEN', 'onRequest|onLoad|other|none')]


def find(tag, name):
    return named[(XS + tag, name)]


def repeated(text, e):
    low, high = e.get('minOccurs', '1'), e.get('maxOccurs', '1')
    if (low, high) == ('1', '1'):
        return text
    short = {('0', '1'): '?', ('0', 'unbounded'): '*', ('1', 'unbounded'): '+'}.get((low, high))
    if short:
        return text + short
    assert low == '0', (low, high)
    return ' '.join([text + '?'] * int(high))


def model(e):
    """A particle as text: names, blanks for sequence, | for choice, ( ) ? * +."""
    tag = e.tag.removeprefix(XS)
    if tag == 'element':
        return repeated(e.get('name') or e.get('ref'), e)
    if tag == 'group':
        inner = [model(k) for k in find('group', e.get('ref')) if k.tag != XS + 'annotation']
        return repeated(inner[0], e)
    parts = [model(k) for k in e if k.tag != XS + 'annotation']
    parts = [p for p in parts if p]
    text = (' ' if tag == 'sequence' else '|').join(parts)
    return repeated('(' + text + ')', e) if text else ''


def particle_of(e):
    for k in e:
        if k.tag in (XS + 'sequence', XS + 'choice', XS + 'group'):
            return model(k)
    return ''


def attributes_of(e):
    out = []
    for k in e:
        if k.tag == XS + 'attribute':
            if k.get('ref'):
                out.append((k.get('ref'), FOREIGN[k.get('ref')], k.get('use') == 'required'))
            else:
                out.append((k.get('name'), k.get('type'), k.get('use') == 'required'))
        elif k.tag == XS + 'attributeGroup':
            out += attributes_of(find('attributeGroup', k.get('ref')))
    return out


def complex_type(e):
    """(model, attributes, text type)"""
    for content in e:
        if content.tag in (XS + 'simpleContent', XS + 'complexContent'):
            extension = content[0] if content[0].tag != XS + 'annotation' else content[1]
            base, own = extension.get('base'), attributes_of(extension)
            if (XS + 'complexType', base) in named:
                inherited = complex_type(find('complexType', base))
                particle = ' '.join(p for p in (inherited[0], particle_of(extension)) if p)
                return particle, inherited[1] + own, inherited[2]
            return '', own, base
    return particle_of(e), attributes_of(e), ''


def simple_type(e):
    """(base, facets): enumeration values joined by |, or low..high bounds, or a union of types."""
    union = e.find(XS + 'union')
    if union is not None:
        members = (union.get('memberTypes') or '').split()
        values = []
        for inline in union.iter(XS + 'restriction'):
            values += [v.get('value') or '(empty)' for v in inline.findall(XS + 'enumeration')]
        return 'union', '|'.join(members) + ';' + '|'.join(values)
    restriction = e.find(XS + 'restriction')
    values = [v.get('value') or '(empty)' for v in restriction.findall(XS + 'enumeration')]
    if values:
        return restriction.get('base'), '|'.join(values)
    facets = []
    for f in restriction:
        name = f.tag.removeprefix(XS)
        if name in ('minInclusive', 'maxInclusive', 'minExclusive', 'minLength', 'pattern'):
            facets.append(name + '=' + f.get('value'))
    return restriction.get('base'), ' & '.join(facets)


def literal(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


rows = {}
for e in root.iter(XS + 'element'):
    name = e.get('name')
    if not name:
        continue
    inline = e.find(XS + 'complexType')
    kind = e.get('type')
    if inline is not None:
        row = complex_type(inline)
    elif (XS + 'complexType', kind) in named:
        row = complex_type(find('complexType', kind))
    else:
        row = ('', [], kind)
    # <part> and <measure> of the timewise form share a name with those of the partwise form, whose
    # documents are the ones that are written.
    rows.setdefault(name, row)

print('// FERMATA_ELEMENT(enumerator, name, children, attributes, type of the text)')
print('// FERMATA_SIMPLE_TYPE(name, base, values or bounds)')
print('// Made from musicxml.xsd 4.0 (W3C Community Final Specification Agreement) by schema_table.py.')
print('// Children: a blank is "then", | is "or", ? * + as usual. Attributes: name:type, ! when required.')
print()
for name in sorted(rows):
    particle, attributes, text = rows[name]
    attributes = ' '.join(f'{n}:{t}' + ('!' if r else '') for n, t, r in attributes)
    enumerator = name.replace('-', '_') + ('_' if name in ('double', 'string') else '')
    print(f'FERMATA_ELEMENT({enumerator}, {literal(name)}, {literal(particle)},\n  {literal(attributes)}, {literal(text)})')
print()
for e in root:
    if e.tag == XS + 'simpleType':
        base, facets = simple_type(e)
        print(f'FERMATA_SIMPLE_TYPE({literal(e.get("name"))}, {literal(base)}, {literal(facets)})')
for row in FOREIGN_TYPES:
    print('FERMATA_SIMPLE_TYPE(%s)' % ', '.join(map(literal, row)))
