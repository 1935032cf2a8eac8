"""Bad bodies and bad values: a sentence and the right status each, never a fault, never a changed match."""

import gc
import gzip
import json

import pytest

from games.core import Unreadable
from games.match import storage
from games.models import Entry, Match
from tests.api.robots import Caller, Table

pytestmark = pytest.mark.django_db

JSON = "application/json"
LISTS = "[" * 60_000

BODIES = [
    ("empty", b"", JSON, 422),
    ("blank", b"   ", JSON, 422),
    ("not json", b"action=throw:rock", JSON, 422),
    ("half", b'{"action": "throw', JSON, 422),
    ("trailing", b'{"key": "kkkkkkkk"} x', JSON, 422),
    ("two objects", b"{}{}", JSON, 422),
    ("comment", b"{/* */}", JSON, 422),
    ("single quotes", b"{'key': 1}", JSON, 422),
    ("list", b"[]", JSON, 422),
    ("string", b'"throw:rock"', JSON, 422),
    ("number", b"7", JSON, 422),
    ("true", b"true", JSON, 422),
    ("null", b"null", JSON, 422),
    ("object of nothing", b"{}", JSON, 422),
    ("deep lists", LISTS.encode(), JSON, 422),
    ("deep balanced", ("[" * 5000 + "]" * 5000).encode(), JSON, 422),
    ("nine deep", b'{"key": [[[[[[[[1]]]]]]]]}', JSON, 422),
    ("deep objects", b'{"a":' * 900 + b"1" + b"}" * 900, JSON, 422),
    ("NaN", b'{"seen": NaN}', JSON, 422),
    ("Infinity", b'{"seen": -Infinity}', JSON, 422),
    ("too large a fraction", b'{"seen": 1e999}', JSON, 422),
    ("too long a number", b'{"seen": ' + b"9" * 5000 + b"}", JSON, 422),
    ("sixteen digits", b'{"seen": 1234567890123456}', JSON, 422),
    ("same name twice", b'{"seen": 1, "seen": 2}', JSON, 422),
    ("same name twice inside", b'{"seats": [{"name": "a", "name": "b"}]}', JSON, 422),
    ("lone surrogate", b'{"key": "\\ud800aaaaaaa"}', JSON, 422),
    ("lone surrogate deep", b'{"seats": [{"name": {"a": ["\\udfff"]}}]}', JSON, 422),
    ("lone surrogate as a name", b'{"\\ud800": 1}', JSON, 422),
    ("not utf-8", b'{"key": "\xff\xfe"}', JSON, 422),
    ("surrogate bytes", b'{"key": "\xed\xa0\x80"}', JSON, 422),
    ("utf-16", '{"key": "k"}'.encode("utf-16"), JSON, 422),
    ("nul", b'{"key": "a\x00b"}', JSON, 422),
    ("escaped nul", b'{"key": "aaaaaaaa\\u0000"}', JSON, 422),
    ("packed as it says", gzip.compress(b"{}"), JSON, 422),
    ("65 KB", b'{"key": "' + b"a" * 65_536 + b'"}', JSON, 413),
    ("200 KB", b'{"key": "' + b"a" * 200_000 + b'"}', JSON, 413),
    ("form", b"key=1", "application/x-www-form-urlencoded", 415),
    ("multipart", b"--x", "multipart/form-data; boundary=x", 415),
    ("multipart without boundary", b"--x", "multipart/form-data", 415),
    ("text", b"{}", "text/plain", 415),
    ("nearly json", b"{}", "application/jsonp", 415),
    ("latin json", b"{}", "application/json; charset=latin-1", 415),
    ("utf-7", b"{}", "application/json; charset=utf-7", 415),
    ("xml", b"<a/>", "application/xml", 415),
    ("no type", b"{}", "", 415),
    ("odd type", b"{}", "\xff;;;=", 415),
]

ACTIONS = ("act", "adjust", "undo", "undo/answer", "altered", "army")


@pytest.fixture
def table(client, quick):
    return Table(client)


def facts(table):
    match = Match.objects.get(code=table.code)
    state = storage.load(match).state.to_json()
    return match.version, state, Entry.objects.count(), Match.objects.count()


def answers_in_our_form(answer, status):
    """The right status, and a sentence in the three members of every refusal."""
    assert answer.status_code in (status if isinstance(status, tuple) else (status,)), answer.content[:300]
    said = answer.json()
    assert {"error", "message", "rule"} <= set(said)
    assert len(said["message"]) > 5
    assert "Traceback" not in said["message"]
    return True


@pytest.mark.parametrize(("raw", "kind", "status"), [case[1:] for case in BODIES], ids=[c[0] for c in BODIES])
def test_a_bad_body_is_refused_everywhere(table, raw, kind, status):
    before = facts(table)
    red = table.seats["red"]
    for path in (*(f"matches/{table.code}/{action}" for action in ACTIONS), "matches"):
        assert answers_in_our_form(red.send(path, raw, kind), status)
    # An import may be bigger: what is too big for a tap is then no export.
    wider = (413, 422) if status == 413 else status
    assert answers_in_our_form(red.send("import", raw, kind), wider)
    assert facts(table) == before


@pytest.mark.parametrize("packing", ["gzip", "br", "deflate", "x-odd"])
def test_a_packed_body_is_415(table, packing):
    body = gzip.compress(b'{"action": "throw:rock", "seen": 1, "key": "kkkkkkkk"}')
    answer = table.seats["red"].send(f"matches/{table.code}/act", body, Content_Encoding=packing)
    assert answers_in_our_form(answer, 415)


def test_a_byte_order_mark_is_read(table):
    body = {"action": "throw:rock", "seen": 1, "key": "kkkkkkkk"}
    raw = b"\xef\xbb\xbf" + json.dumps(body).encode()
    assert table.seats["red"].send(f"matches/{table.code}/act", raw).status_code == 200


TEXTS = [
    "", "  ", "\u00a0", "\u200b\u200b", "a\0b", "a\rb", "a\tb", "a\u202eb", "\u2066a", "\u061ca",
    "e" + "\u0301" * 35, "\ue000", "\U000e0001", "\ufffd", "x" * 5000, None, 7, 7.5, True, [], ["a"], {},
    {"a": 1}, "__init__.x", "{{ 7*7 }}", "'; drop table games_match; --",
]  # fmt: skip
NUMBERS = [
    -1, 1.5, "1e3", "1_0", "\uff11\uff12", "\u0663", " 7\n", "+3", "--3", "0x10", "03", "", None, True, False,
    [], {}, [1], "abc", 2**63, 10**14, -(2**31), "9" * 5000, {"__connector": "OR"},
]  # fmt: skip

FIELDS = [
    (
        "act",
        {"action": "throw:rock", "seen": 1, "key": "k" * 8},
        {"seen": NUMBERS, "action": TEXTS, "key": TEXTS},
    ),
    (
        "adjust",
        {"path": "army/red", "action": "power:red:1", "key": "k" * 8},
        {"path": TEXTS, "action": TEXTS, "key": TEXTS, "note": [*TEXTS[3:12], *TEXTS[16:23]]},
    ),
    ("undo", {"version": 1, "key": "k" * 8}, {"version": NUMBERS, "key": TEXTS}),
    (
        "undo/answer",
        {"agree": True, "key": "k" * 8},
        {"agree": [None, 0, 1, "true", "yes", "", [], {}, 1.0], "key": TEXTS},
    ),
    (
        "army",
        {"text": "Faction: Stark", "key": "k" * 8},
        {"text": [*TEXTS[:14], "https://example.org/list"], "key": TEXTS},
    ),
]


@pytest.mark.parametrize(("action", "good", "fields"), FIELDS, ids=[field[0] for field in FIELDS])
def test_a_bad_value_is_refused_in_every_field(table, action, good, fields):
    before = facts(table)
    for name, values in fields.items():
        for value in values:
            body = {**good, name: value}
            if isinstance(value, int) and abs(value) > 10**15:
                continue
            answer = table.seats["red"].post(f"matches/{table.code}/{action}", body)
            assert answer.status_code != 200, (name, value)
            assert answers_in_our_form(answer, (409, 413, 422))
        missing = {other: value for other, value in good.items() if other != name}
        if name in good:
            answer = table.seats["red"].post(f"matches/{table.code}/{action}", missing)
            assert answers_in_our_form(answer, 422)
            assert answer.json()["message"] == f"{name}: This is missing."
    assert facts(table) == before


@pytest.mark.parametrize("number", ["1.0", "1e0", "10e-1", "1.000"])
def test_a_number_without_a_fraction_is_a_whole_one_as_the_schema_says(table, number):
    """JSON Schema's `integer` is any number whose fraction is zero, however it is written."""
    raw = f'{{"action": "throw:rock", "seen": {number}, "key": "kkkkkkkk"}}'
    assert table.seats["red"].send(f"matches/{table.code}/act", raw).status_code == 200
    version = Match.objects.get(code=table.code).version
    raw = f'{{"version": {version}.0, "key": "llllllll"}}'
    assert table.seats["red"].send(f"matches/{table.code}/undo", raw).status_code == 200


def test_an_option_may_be_written_with_a_zero_fraction(client, quick):
    seats = [{"name": "Anna"}, {"name": "Bo"}]
    for value, status in ((1, 201), (1.0, 201), (1.5, 422), ("1", 422), (True, 422), (1e20, 422)):
        body = {"system": "tmg", "mode": "a-game-of-thrones", "seats": seats, "options": {"decks": value}}
        answer = Caller(client).post("matches", body)
        assert answer.status_code == status, (value, answer.content)


@pytest.mark.parametrize("number", ['"1"', "1.5", "true", "null", "1e300", "-1.0", "1000000.0"])
def test_what_the_schema_calls_no_integer_is_refused(table, number):
    """Among them a number in quotes: what validates is what is described."""
    raw = f'{{"action": "throw:rock", "seen": {number}, "key": "kkkkkkkk"}}'
    answer = table.seats["red"].send(f"matches/{table.code}/act", raw)
    assert answers_in_our_form(answer, 422)


def test_a_name_may_be_of_any_script(client, quick):
    for name in ("维斯特洛", "שלום", "👨‍👩‍👧‍👦", "<script>alert(1)</script>", "None", "__proto__", "=1+1"):
        body = {"system": "rps", "mode": "plain", "seats": [{"name": name}, {"name": "Bo"}]}
        opened = Caller(client).post("matches", body)
        assert opened.status_code == 201
        seen = Caller(client).get(f"matches/{opened.json()['code']}")
        assert seen.json()["table"]["armies"]["red"]["name"] == name


def test_messages_are_translated(client):
    english = Caller(client).post("matches", {}).json()["message"]
    chinese = Caller(client, language="zh-hans").post("matches", {})
    assert chinese["Content-Language"] == "zh-hans"
    assert english == "system: This is missing."


@pytest.mark.parametrize(
    "body",
    [
        {"action": "throw:rock", "seen": 1, "key": "a.b"},
        {"action": "throw rock", "seen": -1, "key": ""},
        {"action": 7, "seen": "1", "key": None, "more": 1},
    ],
)
def test_nothing_of_a_bad_body_stays_in_memory(table, body):
    """Python's garbage collector does not see every reference to what is wrong with a body."""

    def refused():
        assert table.seats["red"].post(f"matches/{table.code}/act", body).status_code == 422
        gc.collect()
        return sum(isinstance(one, Unreadable) for one in gc.get_objects())

    before = refused()
    assert refused() == before
