"""MusicXML in and out, beside the XML parser alone, at three sizes."""

import inside


def rows(_binary, _home):
    b = inside.measured("write_musicxml|read_musicxml|parse_xml")
    for notes in (1000, 10000, 100000):
        parse = b[f"parse_xml_alone/{notes}"]["bytes_per_second"] / 1e6
        yield f"import, {notes:,} notes", b[f"read_musicxml/{notes}"]["bytes_per_second"] / 1e6, "MB/s", \
            "pugixml alone", parse
    for notes in (1000, 10000, 100000):
        yield f"export, {notes:,} notes", b[f"write_musicxml/{notes}"]["bytes_per_second"] / 1e6, "MB/s", \
            "pugixml parsing it", b[f"parse_xml_alone/{notes}"]["bytes_per_second"] / 1e6
        yield f"export, {notes:,} notes", b[f"write_musicxml/{notes}"]["notes_per_s"] / 1e6, "Mnotes/s", \
            "goal", 1.0
