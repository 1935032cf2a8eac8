"""Validation accepts what a person may write and refuses everything else with a sentence and a status."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.core import (
    PIECE_GRAPHEMES,
    POINTS_PER_GRAPHEME,
    TEXT_BYTES,
    Unreadable,
    clean_int,
    clean_key,
    clean_name,
    clean_note,
    clean_text,
    is_clean,
    name_key,
)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
MEBIBYTE = 1024 * 1024

TAKEN_NAMES = {
    "plain": ("Anna", "Anna"),
    "trimmed and single-spaced": ("  Anna \u00a0  Snow\n", "Anna Snow"),
    "forty characters": ("a" * 40, "a" * 40),
    "composed": ("Jose\u0301", "José"),
    "fullwidth is kept as written": ("ＡＢ ﬁ", "ＡＢ ﬁ"),
    "Cyrillic lookalike": ("Аnna", "Аnna"),
    "Hebrew": ("שָׁלוֹם", "שָׁלוֹם"),
    "Arabic": ("محمد", "محمد"),
    "Chinese": ("维斯特洛", "维斯特洛"),
    "one emoji family": (FAMILY, FAMILY),
    "forty flags": ("🇨🇳" * 40, "🇨🇳" * 40),
    "newer emoji": ("\U0001fae9", "\U0001fae9"),
    "heart with its variation": ("❤️", "❤️"),
    "unseen characters within": ("An\u200bna\ufeff", "Anna"),
    "markup is only text": ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    "broken out of quotes": ('"><img src=x onerror=1>', '"><img src=x onerror=1>'),
    "htmx attribute": ("' hx-post=/undo x='", "' hx-post=/undo x='"),
    "extra parameter": ('x","side":"b', 'x","side":"b'),
    "template": ("{{ 7*7 }} {% load %}", "{{ 7*7 }} {% load %}"),
    "spreadsheet formula": ("=HYPERLINK(1)", "=HYPERLINK(1)"),
    "path": ("../../etc/passwd", "../../etc/passwd"),
    "device": ("CON", "CON"),
    "None": ("None", "None"),
    "prototype": ("__proto__", "__proto__"),
    "not a number": ("NaN", "NaN"),
    "percent": ("100 %(name)s %", "100 %(name)s %"),
}

REFUSED_NAMES = {
    "empty": ("", 422),
    "spaces": ("   ", 422),
    "no-break space": ("\u00a0", 422),
    "two zero-width spaces": ("\u200b\u200b", 422),
    "joiners only": ("\u200d\u200d", 422),
    "Hangul filler": ("\u3164", 422),
    "blank Braille": ("\u2800", 422),
    "marks only": ("\u0301", 422),
    "forty-one characters": ("a" * 41, 422),
    "forty-one families": (FAMILY * 41, 422),
    "NUL": ("a\0b", 422),
    "line feed": ("a\nb", 422),
    "carriage return": ("a\rb", 422),
    "tab": ("a\tb", 422),
    "line separator": ("a\u2028b", 422),
    "escape": ("\x1b[31mred", 422),
    "override": ("a\u202egnp", 422),
    "isolate": ("\u2066a\u2069", 422),
    "Arabic letter mark": ("a\u061cb", 422),
    "thirty-five accents": ("a" + "\u0301\u0323" * 18, 422),
    "one long chain of joined emoji": ("\U0001f468\u200d" * 200, 422),
    "lone surrogate": ("a\ud800", 422),
    "replacement character": ("\ufffd\ufffd", 422),
    "unassigned": ("a\U000e0fff" + "\u0378", 422),
    "private use": ("\ue000", 422),
    "tag characters": ("a\U000e0001\U000e0061", 422),
    "noncharacter": ("\uffff", 422),
    "a mebibyte": ("a" * MEBIBYTE, 413),
    "nothing": (None, 422),
    "list": (["x"], 422),
    "dictionary": ({"a": 1}, 422),
    "number": (7, 422),
    "bytes": (b"Anna", 422),
}


@pytest.mark.parametrize(("raw", "name"), TAKEN_NAMES.values(), ids=TAKEN_NAMES)
def test_a_name_that_people_bear_is_taken(raw, name):
    assert clean_name(raw) == name


@pytest.mark.parametrize(("raw", "status"), REFUSED_NAMES.values(), ids=REFUSED_NAMES)
def test_a_name_that_hides_something_is_refused(raw, status):
    with pytest.raises(Unreadable) as refusal:
        clean_name(raw)
    assert refusal.value.status == status
    assert str(refusal.value.line).endswith(".")


def test_a_refusal_never_repeats_what_was_sent():
    with pytest.raises(Unreadable) as refusal:
        clean_name("secret\u202e")
    assert "secret" not in str(refusal.value.line)


def test_a_piece_may_have_a_longer_name_than_a_player():
    assert clean_name("a" * 80, PIECE_GRAPHEMES) == "a" * 80
    with pytest.raises(Unreadable):
        clean_name("a" * 81, PIECE_GRAPHEMES)


def test_names_that_read_alike_share_their_key():
    assert name_key("ＡＢ ﬁ") == name_key("ab fi")
    assert name_key("STRASSE") == name_key("straße")
    assert name_key("An\u200dna") == name_key("Anna")
    assert name_key("Anna") != name_key("Аnna")


def test_what_a_gate_let_through_is_clean_and_what_it_would_refuse_is_not():
    assert all(
        is_clean(text)
        for text in ("", "Anna", "\u05d0\u05e0\u05d4", "one\n\ttwo", "100 %", "www.example.org")
    )
    for broken in ("a\0b", "a\rb", "a\u202eb", "\ud800", "\ufffd", "\ue000", "\U000e0041"):
        assert not is_clean(f"Anna{broken}")


def test_a_note_may_be_empty_but_not_long_or_on_two_lines():
    assert clean_note("") == clean_note(None) == clean_note("   ") == ""
    assert clean_note("lost in the fog ") == "lost in the fog"
    for raw in ("a" * 201, "a\nb", "\u202e"):
        with pytest.raises(Unreadable):
            clean_note(raw)


TAKEN_TEXTS = {
    "lines and tabs": ("a\n\tb", "a\n\tb"),
    "other line ends": ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
    "byte order mark": ("\ufeffa", "a"),
    "UTF-8 bytes": ("é".encode(), "é"),
    "UTF-8 bytes with a mark": (b"\xef\xbb\xbfa", "a"),
    "copied page": ("Units<br>&nbsp;• King&#39;s Men<BR />x", "Units\n • King's Men\nx"),
    "copied list": ("<ul><li><b>A</b> (1)</li></ul>", "\n\nA (1)\n\n"),
    "markup that is none": ("a <script>b</script> &amp;", "a <script>b</script> &amp;"),
    "curly quotes and bullets": (" • King’s Men", " • King’s Men"),
    "no-break and wide spaces": ("\u00a0•\u3000a", " • a"),
    "soft hyphens": ("Grey\u00ad joy", "Grey joy"),
    "right to left": ("שלום", "שלום"),
    "emoji": (FAMILY, FAMILY),
    "an address among words": ("a\nhttps://example.org/x", "a\nhttps://example.org/x"),
    "javascript is no address": ("javascript:alert(1)", "javascript:alert(1)"),
    "exactly the limit": ("a" * TEXT_BYTES, "a" * TEXT_BYTES),
}

REFUSED_TEXTS = {
    "nothing": (None, 422),
    "empty": ("", 422),
    "blank": (" \n\t\u200b", 422),
    "a number": (7, 422),
    "a list": (["a"], 422),
    "a byte too much": ("a" * (TEXT_BYTES + 1), 413),
    "too many bytes in few characters": ("维" * (TEXT_BYTES // 2), 413),
    "a mebibyte of spaces": (" " * MEBIBYTE, 413),
    "a hundred thousand brackets": ("[" * 100_000, 413),
    "a big string in bytes": (b"a" * 2_400_000, 413),
    "NUL": ("a\0b", 422),
    "bell": ("a\x07b", 422),
    "vertical tab": ("a\x0bb", 422),
    "override": ("a\u202eb", 422),
    "override in an entity": ("a<br>&#8238;b", 422),
    "entity of no character": (f"a<br>&#{'1' * 5000};b", 422),
    "private use": ("a\ue000", 422),
    "lone surrogate": ("a\udc00", 422),
    "replacement character": ("a\ufffd", 422),
    "bytes that are no UTF-8": (b"\xff\xfe\xfd", 422),
    "UTF-16": ("a list".encode("utf-16"), 422),
    "encoded surrogate": (b"\xed\xa0\x80", 422),
    "zip": (b"PK\x03\x04rest", 415),
    "gzip": (b"\x1f\x8b\x08rest", 415),
    "PDF": ("%PDF-1.7 rest", 415),
    "PNG": (b"\x89PNG\r\n\x1a\nrest", 415),
    "JPEG": (b"\xff\xd8\xff\xe0rest", 415),
    "address only": (" https://example.org/list/7 \n", 422),
    "bare address": ("www.example.org", 422),
}


@pytest.mark.parametrize(("raw", "text"), TAKEN_TEXTS.values(), ids=TAKEN_TEXTS)
def test_text_that_reads_as_text_is_taken(raw, text):
    assert clean_text(raw) == text


@pytest.mark.parametrize(("raw", "status"), REFUSED_TEXTS.values(), ids=REFUSED_TEXTS)
def test_text_that_does_not_is_refused(raw, status):
    with pytest.raises(Unreadable) as refusal:
        clean_text(raw)
    assert refusal.value.status == status
    assert str(refusal.value.line).endswith(".")


@pytest.mark.parametrize(
    ("raw", "number"), [("0", 0), ("7", 7), ("-3", -3), (" 7\n", 7), ("12", 12), (5, 5)], ids=str
)
def test_a_number_in_plain_digits_is_taken(raw, number):
    assert clean_int(raw, -5, 12) == number


@pytest.mark.parametrize(
    "raw",
    [
        *("-1", "13", "1.5", "1e3", "NaN", "Infinity", "9" * 5_000, "9" * MEBIBYTE, str(2**63), "1_0"),
        *("１２", "٣", "+3", "--3", "0x10", "03", "", " ", "7 7", "7\0", "\u00a07", "x"),
        *(None, ["1", "9"], {"a": 1}, True, 1.0, 2**63, b"7", float("nan")),
    ],
    ids=lambda raw: repr(raw)[:20],
)
def test_any_other_number_is_refused(raw):
    with pytest.raises(Unreadable) as refusal:
        clean_int(raw, 0, 12)
    assert refusal.value.status == 422
    assert str(refusal.value.line) == "Please enter a whole number from 0 to 12."


def test_a_key_is_short_and_needs_no_quoting():
    for key in ("a" * 8, "Az09_-Az09", "k" * 64):
        assert clean_key(key) == key


@pytest.mark.parametrize(
    "raw",
    [None, "", "a" * 7, "a" * 65, "a" * 10_000, "a\0bcdefgh", "abc defgh", "abcdefg\n", "ключключ", 12345678],
)
def test_any_other_key_is_refused(raw):
    with pytest.raises(Unreadable) as refusal:
        clean_key(raw)
    assert refusal.value.status == 422


anything = st.one_of(
    st.text(),
    st.text(st.characters(categories=("Cs", "Cc", "Cf", "Co", "Cn", "Mn", "Zs", "Lo"))),
    st.binary(),
    st.integers(),
    st.floats(),
    st.none(),
    st.lists(st.text()),
    st.dictionaries(st.text(), st.text()),
)


@given(anything)
@example("a\udfff")
@example("\u0300\xad\u05a20")  # Without the soft hyphen the two marks swap places.
def test_a_name_is_clean_for_good_or_refused(raw):
    try:
        name = clean_name(raw)
    except Unreadable:
        return
    assert clean_name(name) == name
    assert is_clean(name)
    assert name.encode()
    assert name == name.strip()
    assert 0 < len(name) <= 40 * POINTS_PER_GRAPHEME


@given(anything)
@example("<br>&lt;br>")
def test_a_text_is_clean_or_refused(raw):
    try:
        text = clean_text(raw)
    except Unreadable:
        return
    assert is_clean(text)
    assert text.encode()
    assert not any(c < " " and c not in "\n\t" for c in text)


@given(anything, st.integers(-1_000, 1_000), st.integers(-1_000, 1_000))
def test_a_number_is_in_bounds_or_refused(raw, minimum, maximum):
    try:
        number = clean_int(raw, minimum, maximum)
    except Unreadable:
        return
    assert minimum <= number <= maximum


@given(anything)
def test_a_key_is_itself_or_refused(raw):
    try:
        key = clean_key(raw)
    except Unreadable:
        return
    assert key == raw
