"""A player who sends an event's forms too often waits, and nobody else does."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.urls import reverse

from games.match.play import new_key
from games.web import limits
from tests.hall.halls import begun, opened
from tests.hall.places import phone, row, version
from tests.hall.test_organiser import phone_of
from tests.trust.cast import Phone
from tests.trust.test_limits import use_up

pytestmark = pytest.mark.django_db

KEY = "key-of-a-page-0"
FORMS = {
    "event-do": {"do": "check-in"},
    "event-place": {"name": "Anna"},
    "event-leave": {},
    "event-list": {"first": "Robb Stark"},
    "event-result": {},
    "event-contest": {"reason": "a wound more"},
    "event-judge": {"question": "May he?"},
}


def post(phone: Phone, code: str, form: str) -> HttpResponse:
    """Send a form, with all limits as they are."""
    return phone.post(reverse(form, args=[code]), {"key": KEY, **FORMS[form]})


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_player_counts(form: str) -> None:
    """Each is kept, in the history or as a list: somebody could fill the disk with them."""
    code = begun()
    anna, other, before = phone(code, "p1"), phone(code, "p2"), version(code)
    use_up(limits.TAPS, f"{code}/place p{row(code, 'p1').pk}")
    answer = post(anna, code, form)
    assert answer.status_code == 429
    assert "That was too fast" in answer.content.decode()
    assert version(code) == before
    assert post(other, code, form).status_code != 429


def test_lists_wait_by_their_length_and_other_forms_do_not() -> None:
    code = begun()
    anna, before = phone(code, "p1"), version(code)
    use_up(limits.LISTS, f"{code}/place p{row(code, 'p1').pk}")
    assert post(anna, code, "event-list").status_code == 429
    assert anna.post(reverse("event-do", args=[code]), {"key": KEY, "do": "choose-1"}).status_code == 429
    assert version(code) == before
    assert post(anna, code, "event-result").status_code != 429


def test_lists_that_an_organiser_enters_wait_and_other_forms_do_not() -> None:
    code = opened(2)
    olga = phone_of(code)
    use_up(limits.LISTS, f"{code} {olga.session.session_key}")

    def answered(do: str, **fields: str) -> int:
        """The status of a form that is slowed down by the ones before it."""
        sent = {"key": new_key(), "do": do, **fields}
        return olga.post(reverse("organise-do", args=[code]), sent).status_code

    assert answered("import", text="Ada") == 429
    assert answered("hand_in p1", first="Robb Stark") == 429
    assert answered("announce", text="Lunch") == 302


def test_a_place_counts_once_on_however_many_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.TAPS, "clock", lambda: 0.0)
    code = opened(2)
    phones = [phone(code, "p1") for _phone in range(4)]
    limits.TAPS.forget()
    sent = [post(one, code, "event-do").status_code for one in phones * 8]
    assert sent == [302] * 30 + [429] * 2
