"""Odd texts and numbers, and what becomes of them: accepted as they are, or refused with a sentence."""

from __future__ import annotations

from typing import NamedTuple


class Odd(NamedTuple):
    """`stored` is what it becomes as a name; None: it cannot be a name."""

    title: str
    text: str
    stored: str | None = None


FAMILY = "👨\u200d👩\u200d👧\u200d👦"

NAMES = [
    Odd("only spaces around", "  Sansa  ", "Sansa"),
    Odd("zero width only", "\u200b\u200b"),
    Odd("41 letters", "x" * 41),
    Odd("41 wide letters", "史" * 41),
    Odd("a null", "a\0b"),
    Odd("a line break", "a\r\nb"),
    Odd("a tab", "a\tb"),
    Odd("a line separator", "a\u2028b"),
    Odd("an escape", "a\x1b[31mb"),
    Odd("right-to-left override", "\u202egnp.exe"),
    Odd("isolates", "\u2066abc\u2069"),
    Odd("an arabic mark", "a\u061cb"),
    Odd("hebrew", "דני המלך", "דני המלך"),
    Odd("arabic", "خالد", "خالد"),
    Odd("too many accents", "Z" + "\u0301" * 35),
    Odd("a split accent", "Rene\u0301e", "Ren\u00e9e"),
    Odd("wide letters", "ＡＢ", "ＡＢ"),
    Odd("a ligature", "ﬁn", "ﬁn"),
    Odd("another alphabet's A", "\u0410nna", "\u0410nna"),
    Odd("a family", FAMILY, FAMILY),
    Odd("40 families", FAMILY * 40),
    Odd("flags", "🇳🇴🇨🇳", "🇳🇴🇨🇳"),
    Odd("private use", "a\ue000b"),
    Odd("tag characters", "a\U000e0001b"),
    Odd("unassigned", "a\u0378b"),
    Odd("a replacement character", "a\ufffdb"),
    Odd("a script", "<script>alert(1)</script>", "<script>alert(1)</script>"),
    Odd("an image", '"><img src=x onerror=alert(1)>', '"><img src=x onerror=alert(1)>'),
    Odd("a button", "' hx-post=/undo hx-trigger=load x='", "' hx-post=/undo hx-trigger=load x='"),
    Odd("a value more", 'x","side":"b', 'x","side":"b'),
    Odd("a template", "{{ 7*7 }}{% load x %}", "{{ 7*7 }}{% load x %}"),
    Odd("a format", "%(name)s %s %d {0}", "%(name)s %s %d {0}"),
    Odd("an address", "javascript:alert(1)", "javascript:alert(1)"),
    Odd("a formula", "=HYPERLINK(1)", "=HYPERLINK(1)"),
    Odd("an entity", "&lt;b&gt;&#39;&amp;", "&lt;b&gt;&#39;&amp;"),
    Odd("a path", "../../etc/passwd", "../../etc/passwd"),
    Odd("nobody", "None", "None"),
    Odd("a prototype", "__proto__", "__proto__"),
    Odd("not a number", "NaN", "NaN"),
    Odd("a query", "'; DROP TABLE games_match;--", "'; DROP TABLE games_match;--"),
    Odd("chinese", "维斯特洛", "维斯特洛"),
    Odd("a backslash", "a\\u0000b", "a\\u0000b"),
    Odd("100 kilobytes", "a" * 100_000),
]
"""What people and programs type into a field for a name of at most 40 characters."""

LITERAL = [odd for odd in NAMES if odd.stored]
"""Odd but legal: kept, and shown as they are."""

NUMBERS = [
    *("-1", "1.5", "1e3", "NaN", "Infinity", "9" * 5000, str(2**63), "1_0", "１２", "٣", "+3", "--3"),
    *("0x10", "03", "1 2", "1,5", "½", "²", "\0", "1\0", "None", "[]", "{}", "<b>1</b>", "1;2"),
]
"""Texts that are never a number."""

ANYWHERE = [
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "\r\nX-Evil: 1",
        "\u202egnp.exe",
        "\ufffd",
        "\u0378",
        FAMILY,
        "é",
        "٣",
        "-1",
        "1e999",
    ),
    *("9" * 5000, "x" * 100_000, "<script>alert(1)</script>", "' OR 1=1 --", "../../etc/passwd", "__class__"),
    *("//evil.example", "javascript:alert(1)", "%00%ff", "{{ 7*7 }}", "stark:lannister:3"),
]
"""Odd values for fields that want a code, a choice or a number."""

LISTS = [
    Odd("nothing", ""),
    Odd("only spaces", " \n\u00a0\n\t\n"),
    Odd("zero width only", "\u200b\u200b\n\u200b"),
    Odd("a null", "Faction: Stark\0"),
    Odd("an escape", "Faction: Stark\x1b[2J"),
    Odd("right-to-left override", "Faction: \u202eStark"),
    Odd("a replacement character", "Faction: \ufffd"),
    Odd("an address", "https://lists.example/12345"),
    Odd("a packed file", "PK\x03\x04 and so on"),
    Odd("a document", "%PDF-1.7 and so on"),
    Odd("70 kilobytes", "a line of a list\n" * 4200),
    Odd("many lines", "x\n" * 20_000),
    Odd("many brackets", "(" * 20_000),
    Odd("many nested brackets", "[" * 5_000 + "]" * 5_000),
    Odd("many spaces", "Stark" + " " * 30_000 + "Sworn"),
    Odd("many bullets", "• ( 5 ) " * 3_000),
    Odd("many attachments", "Combat Units\n• Stark Sworn Swords (5)\n" + "  • Sworn Sword (1)\n" * 900),
    Odd("numbers", "9" * 60_000),
    Odd("an object", '{"name": "Stark", "units": []}'),
    Odd("emoji", "👨‍👩‍👧‍👦" * 500),
    Odd("zalgo", "Z" + "\u0301" * 10_000),
    Odd("a script", "<script>alert(1)</script>"),
    Odd(
        "a page", "<html><body><p>Faction: Stark<br>Combat Units<br>• Umber Berserkers (6)</p></body></html>"
    ),
    Odd("chinese", "阵营：史塔克\n战斗单位\n• 史塔克剑士 (5)"),
    Odd("right to left", "סיעה: סטארק\n• יחידה (5)"),
]
"""What people paste where a list is wanted. Anything readable as a list is kept; none of it is a fault."""
