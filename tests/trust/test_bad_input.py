"""Whatever is typed, pasted or sent: never a fault, and if it is refused, a sentence and no change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from markupsafe import escape

from games.models import Match
from games.templating import escaped
from tests.trust import cast
from tests.trust.cast import OPEN, RED, Phone, World
from tests.trust.catalogue import ANYWHERE, LITERAL, NAMES, NUMBERS, Odd

REFUSALS = (400, 403, 404, 409, 413, 415, 422)

SENTENCE = re.compile(r"[^<>]{6,}[.?!][^<>]*")


def says(answer: HttpResponse) -> bool:
    """Whether the answer has a sentence for a person, in the places where pages put one."""
    text = answer.content.decode()
    found = re.findall(
        r'<p[^>]*(?:class="(?:notice|error)[^"]*"|role="alert")[^>]*>(.*?)</p>', text, re.DOTALL
    )
    found += re.findall(r"<h1>[^<]*</h1><p>(.*?)</p>", text)
    return any(SENTENCE.search(unescape(re.sub("<[^>]*>", " ", text))) for text in found)


class Field:
    """One field of one form: where it is sent, with what else, and how red or a stranger would send it."""

    def __init__(
        self, path: str, name: str, form: dict[str, Any], role: str = "red", method: str = "POST"
    ) -> None:
        self.path, self.name, self.form, self.role, self.method = path, name, form, role, method

    def send(self, phone: Phone, value: Any) -> HttpResponse:
        return phone.ask(self.method, self.path, {**self.form, self.name: value})


def names_of(world: World) -> dict[str, Field]:
    """The fields for a player's name."""
    new = {"mode": "auction/tracks", "name": "Red", "rival": "Blue", "seat": RED}
    return {
        "new name": Field("/new", "name", new, "anon"),
        "new rival": Field("/new", "rival", new, "anon"),
        "join name": Field(reverse("join", args=[world.code]), "name", {"seat": OPEN}, "anon"),
        "claim name": Field(cast.link(world.match, OPEN), "name", {}, "anon"),
    }


def others_of(world: World) -> dict[str, Field]:
    """The fields that are codes, choices and numbers."""
    new = {"mode": "auction/tracks", "name": "Red", "rival": "Blue", "seat": RED}
    code = world.code
    return {
        **{
            f"new {name}": Field("/new", name, new, "anon")
            for name in ("mode", "seat", "army", "points", "target")
        },
        "find code": Field("/find", "code", {}, "anon", "GET"),
        "join seat": Field(reverse("join", args=[code]), "seat", {"name": "Guest"}, "anon"),
        "move code": Field(reverse("move-here", args=[code]), "code", {}, "anon"),
        "move seat": Field(reverse("move", args=[code]), "seat", {}),
        "free seat": Field(reverse("free", args=[code]), "seat", {}),
        "free seat by the organiser": Field(reverse("free", args=[code]), "seat", {}, "organiser"),
        "guest let in": Field(reverse("guests", args=[code]), "let_in", {}),
        "guest turned away": Field(reverse("guests", args=[code]), "turn_away", {}),
        "board seen": Field(reverse("board", args=[code]), "seen", {}, "red", "GET"),
        "table seat": Field(reverse("table", args=[code]), "seat", {}, "red", "GET"),
        "language": Field("/i18n/setlang/", "language", {"next": "/"}, "anon"),
        "next": Field("/i18n/setlang/", "next", {"language": "en"}, "anon"),
        "adjust reason": Field(reverse("adjust", args=[code]), "reason", cast.correction("correction-1")),
        "army do": Field(reverse("army", args=[code, RED]), "do", {}),
        "army demo": Field(reverse("army", args=[code, RED]), "demo", {}),
        "army text": Field(reverse("army", args=[code, RED]), "text", {"do": "read"}),
    }


def undone(job: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer; what the job did is rolled back."""
    with transaction.atomic():
        answer = job()
        transaction.set_rollback(True)
    return answer


def test_a_name_is_kept_as_it_is_or_refused_with_a_sentence(world: World):
    for title, field in names_of(world).items():
        for odd in NAMES:
            before, count = world.fingerprint(), Match.objects.count()
            with transaction.atomic():
                answer = field.send(world.phones[field.role].twin(), odd.text)
                told = f"{title}: {odd.title}: {answer.status_code}"
                if odd.stored:
                    assert answer.status_code == 302, told
                else:
                    assert answer.status_code in (413, 422), told
                    assert says(answer), told
                    assert (world.fingerprint(), Match.objects.count()) == (before, count), told
                transaction.set_rollback(True)


@pytest.mark.parametrize("blank", ["", "   ", "\u00a0\u3000"])
def test_who_gives_no_name_is_called_by_the_seat(world: World, blank: str):
    for title, field in names_of(world).items():
        answer = undone(lambda field=field: field.send(world.phones[field.role].twin(), blank))
        assert answer.status_code == 302, title


def test_an_odd_value_anywhere_is_never_a_fault(world: World):
    """Every second value in each field, the others in the next field."""
    for number, (title, field) in enumerate(others_of(world).items()):
        for value in ANYWHERE[number % 2 :: 2]:
            before = world.fingerprint()
            with transaction.atomic():
                answer = field.send(world.phones[field.role].twin(), value)
                told = f"{title}: {value[:40]!r}: {answer.status_code}"
                if answer.status_code in REFUSALS:
                    assert says(answer), told
                    assert world.fingerprint() == before, told
                else:
                    assert answer.status_code in (200, 204, 302), told
                    assert urlsplit(answer.get("Location", ""))[:2] == ("", ""), told
                transaction.set_rollback(True)


@pytest.mark.parametrize("name", ["points", "target"])
def test_a_number_is_a_number(mustered: tuple[Match, Phone], name: str):
    form = {"mode": "tmg/a-game-of-thrones", "name": "Red", "rival": "Blue", "seat": "red"}
    count = Match.objects.count()
    for number in [*NUMBERS, "101", "0 0", "999999"]:
        answer = Phone().ask("POST", "/new", {**form, name: number})
        assert answer.status_code == 422, number
        assert "Please enter a whole number from" in answer.content.decode(), number
    assert Match.objects.count() == count
    assert Phone().ask("POST", "/new", {**form, name: " 20\n"}).status_code == 302


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/",
        "//evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/\\evil.example",
        "\0",
    ],
)
def test_the_language_switch_leads_nowhere_else(world: World, address: str):
    for method in ("GET", "POST"):
        answer = world.phones["red"].ask(method, "/i18n/setlang/", {"language": "en", "next": address})
        assert re.fullmatch(r"/[^/\\].*|/", answer["Location"]), answer["Location"]


# --- whole requests -------------------------------------------------------------------------------

BODIES: list[tuple[str, bytes, str, tuple[int, ...]]] = [
    ("no body", b"", "application/x-www-form-urlencoded", (422,)),
    ("bad octets", b"action=%ff%fe&key=abcdefgh&seen=1", "application/x-www-form-urlencoded", (422,)),
    (
        "bad octets raw",
        b"action=\xff\xfe&key=abcdefgh&seen=1",
        "application/x-www-form-urlencoded",
        (400, 422),
    ),
    ("a surrogate", b"action=%ed%a0%80&key=abcdefgh&seen=1", "application/x-www-form-urlencoded", (422,)),
    ("another encoding", b"action=x", "application/x-www-form-urlencoded; charset=utf-7", (400, 415, 422)),
    ("no such encoding", b"action=x", "application/x-www-form-urlencoded; charset=nonsense", (400, 415, 422)),
    ("json", b'{"action": "bid:throne:1"}', "application/json", (415, 422)),
    ("broken json", b"[" * 5000, "application/json", (415, 422)),
    ("no boundary", b"action=x", "multipart/form-data", (400,)),
    ("a broken boundary", b"--x\r\n", "multipart/form-data; boundary=x", (400, 422)),
    ("a wild boundary", b"--x\r\n", 'multipart/form-data; boundary="\xc3\xa9"', (400, 422)),
    (
        "a file",
        b'--x\r\nContent-Disposition: form-data; name="action"; filename="a.txt"\r\n\r\nbid\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
        (400, 422),
    ),
    (
        "many fields",
        b"&".join(b"a%d=1" % n for n in range(5000)),
        "application/x-www-form-urlencoded",
        (400,),
    ),
    ("a long value", b"action=" + b"x" * 100_000, "application/x-www-form-urlencoded", (422,)),
    ("too much", b"x" * 200_000, "application/x-www-form-urlencoded", (413,)),
    ("text", b"hello", "text/plain", (415, 422)),
    ("no type", b"action=x", "", (415, 422)),
]


@pytest.mark.parametrize(
    ("body", "kind", "statuses"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES]
)
def test_a_garbled_request_is_refused(world: World, body: bytes, kind: str, statuses: tuple[int, ...]):
    before = world.fingerprint()
    for name in ("act", "adjust", "undo"):
        for headers in ({}, {"HX-Request": "true"}):
            cast.rest()
            path = reverse(name, args=[world.code])
            answer = world.phones["red"].generic("POST", path, body, kind, headers=headers)
            assert answer.status_code in statuses, answer.content.decode()[-900:]
            assert says(answer)
    assert world.fingerprint() == before


PATHS = [
    *("/t/", "/t/x/", "/t/%00/", "/t/AAAA%00/", "/t/%ff%fe/", "/t/ZZZZZZ/", "/t/" + "A" * 5000 + "/"),
    *(
        "/t/ZZZZZZ/act/",
        "/t/AAA AAA/",
        "/t/..%2f..%2fadmin/",
        "/t/ＡＢＣＤＥＦ/",
        "/%ed%a0%80",
    ),
    *("/find?code=%00", "/find?code=%ff", "/find?code=" + "9" * 5000, "/find", "/find?code=a&code=b"),
    *("/t/ZZZZZZ/piece/%00", "/t/ZZZZZZ/army/%2e%2e", "/t/ZZZZZZ/claim/red/%00", "/.env", "/admin/%00/"),
    *("/static/..%2fmanage.py", "/static/%00", "/live/x", "/healthz/x", "/i18n/setlang", "/\r\nX-Evil:1"),
]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:30])
def test_an_odd_address_is_not_found(world: World, path: str):
    for headers in ({}, {"HX_Request": "true"}):
        answer = world.phones["red"].ask("GET", path, **headers)
        assert answer.status_code in (301, 302, 400, 404), path
        assert "X-Evil" not in answer.headers
        if answer.status_code in (400, 404) and not path.startswith("/static/"):
            assert says(answer)


def pieces_of(world: World) -> Iterator[str]:
    for path in (
        RED,
        f"army/{RED}/x",
        "army/",
        "army/\0",
        "unit/x",
        "__class__/x",
        "../x",
        "table/x",
        "seed",
        "é",
    ):
        yield f"/t/{world.code}/piece/{path}"
    for seat in ("nobody", "x" * 500, "-", "_"):
        yield f"/t/{world.code}/army/{seat}"


def test_an_odd_piece_is_not_found(world: World):
    for path in pieces_of(world):
        answer = world.phones["red"].ask("GET", path)
        assert answer.status_code in (403, 404), path
        assert says(answer), path


ODD_HEADERS: list[dict[str, str]] = [
    {"Accept_Language": "x" * 5000},
    {"Accept_Language": "zh-hans;q=nan,en;q=1e999"},
    {"Cookie": "roundtable-lan-session=" + "x" * 5000},
    {"Cookie": "roundtable-lan-session=\xff; roundtable-lan-csrf=\x00"},
    {"Cookie": "roundtable-lan-language=../../x"},
    {"HX_Current_URL": "javascript:alert(1)", "HX_Request": "true"},
    {"HX_Current_URL": "%ff", "HX_Current_URL_URI_AutoEncoded": "true", "HX_Request": "true"},
    {"HX_Target": "%ff", "HX_Trigger": "{", "HX_Prompt": "\xff", "HX_Request": "true"},
    {"If_None_Match": "*"},
    {"If_Modified_Since": "never"},
    {"Range": "bytes=0-0,99999999-"},
    {"X_Forwarded_For": "1.2.3.4", "X_Forwarded_Host": "evil.example", "X_Forwarded_Proto": "ftp"},
    {"Authorization": "Bearer \xff"},
    {"Authorization": "Basic !!!"},
    {"Last_Event_ID": "-1"},
    {"Sec_Purpose": "prefetch"},
    {"Accept": "application/json"},
    {"Accept_Encoding": "identity;q=0, x"},
    {"Referer": "javascript:alert(1)"},
]


@pytest.mark.parametrize("headers", ODD_HEADERS, ids=str)
def test_odd_headers_are_no_fault(world: World, headers: dict[str, str]):
    for path in (
        "/",
        f"/t/{world.code}/",
        f"/t/{world.code}/board",
        f"/t/{world.code}/stream",
        "/admin/login/",
    ):
        answer = world.phones["anon"].ask("GET", path, **headers)
        assert answer.status_code in (200, 304), path
        assert "evil.example" not in answer.content.decode()
        assert "javascript:" not in answer.content.decode()


def test_a_foreign_name_of_this_server_is_refused(world: World):
    for host in ("evil.example", "evil.example:80", "a" * 3000, "localhost\0", "[::1"):
        answer = world.phones["red"].ask("GET", "/", Host=host)
        assert answer.status_code == 400, host
        assert says(answer)


# --- what is stored is shown as it is -------------------------------------------------------------


def test_odd_names_are_shown_literally_on_every_page(world: World):
    """The texts become names, reasons and requests; no page turns them into an element or an attribute."""
    for start in range(0, len(LITERAL), 4):
        with transaction.atomic():
            match, red, names = named(LITERAL[start : start + 4])
            for phone in (red, Phone()):
                for path in pages_of(match):
                    check(phone.ask("GET", path), path, names)
            transaction.set_rollback(True)


def named(odd: list[Odd]) -> tuple[Match, Phone, list[Odd]]:
    """A table whose players, guest and reason are these texts; and red's phone."""
    first, second, third, fourth = names = (odd * 4)[:4]
    red, blue, guest = Phone(), Phone(), Phone()
    match = cast.open_table(red, name=first.text)
    cast.sit(blue, match, cast.BLUE, second.text)
    guest.ask("POST", reverse("join", args=[match.code]), {"name": third.text, "seat": OPEN})
    correction = {**cast.correction("correction-1"), "reason": fourth.text}
    assert red.ask("POST", reverse("adjust", args=[match.code]), correction).status_code == 302
    return match, red, names


def pages_of(match: Match) -> list[str]:
    names = ("table", "board", "history", "verify", "seats", "join")
    sheets = (f"/t/{match.code}/piece/army/{RED}", f"/t/{match.code}/piece/table")
    return ["/", *(reverse(name, args=[match.code]) for name in names), *sheets]


def check(answer: HttpResponse, path: str, names: list[Odd]) -> None:
    text = answer.content.decode()
    assert answer.status_code in (200, 302, 403, 404), path
    for odd in names:
        assert odd.stored is not None
        if escape(odd.stored) != odd.stored:
            assert odd.stored not in text, (path, odd.title)
    seen = {"board": names[:2], "history": [*names[:2], names[3]], "seats": names[:2]}
    for odd in seen.get(path.rpartition("/")[2], []):
        assert escaped(odd.stored) in text, (path, odd.title)
    assert not re.search(r"<img(?! src=.data:)", text), path
    assert "alert(1)</script>" not in text
