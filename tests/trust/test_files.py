"""A list sent as a file: read if the game reads files, otherwise refused in one sentence."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.core import Unreadable, system
from games.match import storage
from games.models import Match
from games.systems import bushido
from games.web import uploads
from tests.trust.cast import Phone, lose, open_table

pytestmark = pytest.mark.django_db

ROSTER = (Path(bushido.__file__).parent / "tests" / "lists" / "roster.ros").read_bytes()
LAUGHS = b'<!DOCTYPE roster [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><roster name="&b;"/>'


@pytest.fixture
def red(db: None) -> Phone:
    """A phone with a seat at a table of a game that reads files."""
    return Phone()


@pytest.fixture
def table(red: Phone) -> Match:
    """Its table."""
    return open_table(red, mode="bushido/risen-sun", seat="red")


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    octets = io.BytesIO()
    with zipfile.ZipFile(octets, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return octets.getvalue()


def send(red: Phone, table: Match, content: bytes, name: str = "band.ros", **more: str):
    file = SimpleUploadedFile(name, content, "application/octet-stream")
    return red.ask("POST", reverse("army-file", args=[table.code, "red"]), {"file": file, **more})


def rows(table: Match) -> list[str]:
    roster = system("bushido").roster(storage.load(Match.objects.get(pk=table.pk)).state, "red")
    return [row.name for row in roster.rows] if roster else []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("band.ros", ROSTER),
        ("Band.ROS", b"\xef\xbb\xbf" + ROSTER),
        ("band.rosz", packed(("band.ros", ROSTER))),
        ("band.rosz", packed(("../../etc/passwd", ROSTER))),
        ("band.rosz", packed(("band.ros", ROSTER), method=zipfile.ZIP_STORED)),
    ],
    ids=["ros", "byte order mark", "rosz", "a wild name", "stored"],
)
def test_a_file_is_brought(red: Phone, table: Match, name: str, content: bytes):
    answer = send(red, table, content, name)
    assert answer.status_code == 302, answer.content.decode()
    assert rows(table)[:2] == ["Tanaka Kazuo", "Cub"]
    page = red.ask("GET", answer["Location"]).content.decode()
    assert "Tanaka Kazuo;25;2/8" in page, "the file stands there in plain lines"


def lying(content: bytes) -> bytes:
    """An archive that claims its member has a size of ten bytes."""
    octets = bytearray(packed(("band.ros", content)))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = octets.index(mark) + offset
        octets[at : at + 4] = struct.pack("<I", 10)
    return bytes(octets)


def flagged(flag: int) -> bytes:
    octets = bytearray(packed(("band.ros", ROSTER)))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        octets[octets.index(mark) + offset] |= flag
    return bytes(octets)


LOCKED, PATCHED = 0x1, 0x20


def spoilt() -> bytes:
    """An archive whose compressed bytes cannot be unpacked."""
    octets = bytearray(packed(("band.ros", ROSTER)))
    begins = 30 + len("band.ros")
    octets[begins : begins + 8] = b"\xff" * 8
    return bytes(octets)


def ending_early() -> bytes:
    """An archive that claims its member goes on beyond the end of the file."""
    octets = bytearray(packed(("band.ros", ROSTER), method=zipfile.ZIP_STORED))
    at = octets.index(b"PK\x01\x02") + 20
    octets[at : at + 8] = struct.pack("<II", 500_000, 500_000)
    return bytes(octets)


BIG = b"<roster>" + b" " * (uploads.MOST_BYTES + 1)


@pytest.mark.parametrize(
    ("name", "content", "status", "told"),
    [
        ("band.zip", packed(("band.ros", ROSTER)), 415, "Choose one that ends in .ros, .rosz"),
        ("band.pdf", b"%PDF-1.7", 415, "Choose one that ends in"),
        ("band", ROSTER, 415, "Choose one that ends in"),
        ("band.rosz", packed(("a.ros", ROSTER), ("b.ros", ROSTER)), 422, "exactly one file"),
        ("band.rosz", packed(), 422, "exactly one file"),
        ("band.rosz", packed(("folder/", b"")), 422, "exactly one file"),
        ("band.rosz", packed(("band.ros", BIG)), 413, "at most 1024 kilobytes"),
        ("band.ros", BIG, 413, "at most 1024 kilobytes"),
        ("band.rosz", lying(BIG), 422, "damaged"),
        ("band.rosz", flagged(LOCKED), 415, "locked"),
        ("band.rosz", flagged(PATCHED), 422, "damaged"),
        ("band.rosz", spoilt(), 422, "damaged"),
        ("band.rosz", ending_early(), 422, "damaged"),
        ("band.rosz", packed(("band.ros", ROSTER), method=zipfile.ZIP_LZMA), 415, "unusual way"),
        ("band.rosz", packed(("band.ros", ROSTER))[:-40], 422, "damaged"),
        ("band.rosz", b"PK\x03\x04" + b"x" * 100, 422, "damaged"),
        ("band.rosz", packed(("band.ros", packed(("band.ros", ROSTER)))), 422, "not valid UTF-8"),
        ("band.ros", ROSTER.decode().encode("utf-16"), 422, "not valid UTF-8"),
        ("band.ros", b"\x89PNG\r\n\x1a\n" + b"\xff" * 40, 422, "not valid UTF-8"),
        ("band.ros", LAUGHS, 422, "declares a document type"),
        ("band.rosz", packed(("band.ros", LAUGHS)), 422, "declares a document type"),
        ("band.ros", ROSTER[:900], 422, "damaged or cut off"),
        ("band.ros", b"<?xml version='1.0'?><catalogue/>", 422, "not a roster"),
        ("band.ros", b" \n ", 422, "nothing to read"),
        ("band.ros", b"hello there", 422, "No model was found"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_any_other_file_gets_one_sentence(
    red: Phone, table: Match, name: str, content: bytes, status: int, told: str
):
    before = Match.objects.get(pk=table.pk).version
    answer = send(red, table, content, name)
    page = answer.content.decode()
    assert answer.status_code == status, page
    assert told in page
    assert 'type="file"' in page, "it can be tried again at once"
    assert rows(table) == []
    assert Match.objects.get(pk=table.pk).version == before


@pytest.mark.parametrize("name", ["band.txt", "BAND.TXT"])
def test_a_list_may_be_as_big_as_is_said_packed_or_not(name: str):
    most = b"a" * uploads.MOST_BYTES
    for content in (most, packed((name, most))):
        assert len(uploads.text_of(name, content, (".txt",))) == uploads.MOST_BYTES
    for content in (most + b"a", packed((name, most + b"a"))):
        with pytest.raises(Unreadable) as refused:
            uploads.text_of(name, content, (".txt",))
        assert refused.value.status == 413


def test_a_form_without_its_file_gets_a_sentence(red: Phone, table: Match):
    url = reverse("army-file", args=[table.code, "red"])
    for sent in ({}, {"file": "not a file"}):
        answer = red.ask("POST", url, sent)
        assert (answer.status_code, "Choose a file first" in answer.content.decode()) == (422, True)
    assert red.ask("GET", url).status_code == 405


def test_a_body_beyond_all_measure_is_not_read(red: Phone, table: Match):
    answer = send(red, table, b"x" * 1_200_000)
    assert answer.status_code == 413
    assert "too big" in answer.content.decode()


def test_two_lists_in_a_file_are_offered(red: Phone, table: Match):
    text = ROSTER.decode()
    force = text[text.index("<force ") : text.index("</forces>")]
    both = text.replace("</forces>", force.replace("Shiho Clan", "Ito Clan") + "</forces>")
    answer = send(red, table, both.encode())
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.count('name="choice"') == 2
    assert rows(table) == []


def test_a_strangers_file_is_refused(table: Match):
    answer = send(Phone(), table, ROSTER)
    assert answer.status_code == 403
    assert rows(table) == []


def test_no_file_is_brought_for_a_seat_that_was_freed_on_the_way(
    red: Phone, table: Match, monkeypatch: pytest.MonkeyPatch
):
    lose(monkeypatch)
    assert send(red, table, ROSTER).status_code == 403
    assert rows(table) == []


def test_a_file_needs_the_forms_token(red: Phone, table: Match):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = red.cookies
    url = reverse("army-file", args=[table.code, "red"])
    assert strict.post(url, {"file": SimpleUploadedFile("band.ros", ROSTER)}).status_code == 403
    page = strict.get(reverse("army", args=[table.code, "red"])).content.decode()
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    sent = {"file": SimpleUploadedFile("band.ros", ROSTER), "csrfmiddlewaretoken": token}
    assert strict.post(url, sent).status_code == 302
    assert rows(table)[0] == "Tanaka Kazuo"


def test_a_game_that_reads_none_shows_no_control(
    mustered: tuple[Match, Phone], monkeypatch: pytest.MonkeyPatch
):
    match, phone = mustered
    monkeypatch.setattr(type(system(match.system)), "files", ())
    page = phone.ask("GET", reverse("army", args=[match.code, "red"])).content.decode()
    assert 'type="file"' not in page
    assert "<datalist" not in page
