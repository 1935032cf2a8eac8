"""Player lists that organisers bring: files of spreadsheets, wrong lines, headings."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.match.play import new_key
from tests.hall.halls import opened, state
from tests.hall.test_organiser import phone_of, send

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "octets",
    [
        "\ufeffName;Club\nZo\u00eb;N\u00f6rd\n".encode(),
        "Name\tClub\nZo\u00eb\tN\u00f6rd".encode("utf-16"),
        "Name,Club\r\nZo\u00eb,N\u00f6rd\r\n".encode("cp1252"),
    ],
)
def test_a_file_is_read_as_spreadsheets_save_it(octets: bytes):
    code = opened(0)
    phone = phone_of(code)
    answer = phone.post(
        reverse("organise-preview", args=[code]),
        {"key": new_key(), "at": "import", "file": SimpleUploadedFile("players.csv", octets)},
    )
    text = answer.content.decode()
    assert "<td>Zo\u00eb</td><td>N\u00f6rd</td>" in text
    assert "Enter 1 player" in text
    assert state(code).players == {}


@pytest.mark.parametrize(("lines", "told"), [(100, "100 lines"), (101, "More than 100 lines")])
def test_more_wrong_lines_than_are_named_are_told_as_more(lines: int, told: str):
    code = opened(0)
    sent = {"key": new_key(), "text": "Ada;North\n" + ";South\n" * lines + "Bo;North\n"}
    shown = phone_of(code).post(reverse("organise-preview", args=[code]), sent).content.decode()
    assert f"<span>{told} have errors." in shown
    assert shown.count('<span class="error">') == 100


def test_a_list_with_a_wrong_line_enters_nobody_and_names_it():
    code = opened(0)
    phone = phone_of(code)
    listed = {"text": "Ada;North\n;South\nAda;North"}
    text = phone.post(reverse("organise-preview", args=[code]), {"key": new_key(), **listed}).content.decode()
    assert "2 lines have errors" in text
    assert "<b>2</b> <code>;South</code>" in text
    assert 'name="do" value="import"' not in text
    answer = send(phone, code, "import", "import", **listed)
    assert answer.status_code == 422
    assert "Ada;North" in answer.content.decode()
    assert state(code).players == {}


def test_the_numbers_of_a_list_are_headed_in_german():
    code = opened(0)
    phone = phone_of(code)
    sent = {"key": new_key(), "text": "Ada"}
    answer = phone.post(reverse("organise-preview", args=[code]), sent, headers={"accept-language": "de"})
    assert '<th scope="col">Nr.</th>' in answer.content.decode()
