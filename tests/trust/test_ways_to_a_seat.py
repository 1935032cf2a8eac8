"""How one comes to a seat from the home page with a moving code, and who is said to sit at the table."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.core import system
from games.models import Seat
from games.people import seats
from tests.trust.cast import BLUE, OPEN, RED, Phone, World, link
from tests.trust.test_seats import is_seated, move_to, moving_code

pytestmark = pytest.mark.django_db


def test_a_moving_code_typed_on_the_home_page_leads_on_to_its_seat(world: World):
    code, phone = moving_code(world.phones["red"], world.match), Phone()
    before = world.fingerprint()
    found = phone.ask("GET", f"/find?code={code.lower()}")
    assert found["Location"] == f"{reverse('move-here', args=[world.code])}?code={code}"
    page = phone.ask("GET", found["Location"])
    assert page["Referrer-Policy"] == "strict-origin"
    assert f'value="{code}"' in page.content.decode()
    assert world.fingerprint() == before, "nothing happens until the button is pressed"
    assert move_to(phone, world.match, code) == 302
    assert is_seated(phone, world.match)
    assert Phone().ask("GET", f"/find?code={code}").status_code == 404, "it is used up"


def test_an_old_moving_code_leads_nowhere_from_the_home_page(world: World):
    code = moving_code(world.phones["red"], world.match)
    Seat.objects.filter(match=world.match, key=RED).update(move_until=timezone.now() - timedelta(seconds=1))
    page = Phone().ask("GET", f"/find?code={code}")
    assert page.status_code == 404
    assert "No table has this code." in page.content.decode()


def test_a_phone_that_sits_there_moves_another_seat_to_itself_from_the_home_page(world: World):
    code, blue = moving_code(world.phones["red"], world.match), world.phones["blue"]
    place = blue.ask("GET", f"/find?code={code}")["Location"]
    assert "Move my seat here" in blue.ask("GET", place).content.decode()


def test_who_comes_to_a_table_reads_who_sits_there(world: World):
    world.match.armies.filter(key=RED).update(name="Arya")
    Seat.objects.filter(match=world.match, key=BLUE).update(is_taken=False)
    page = Phone().ask("GET", reverse("join", args=[world.code])).content.decode()
    sitting = re.search(r'<ul class="sitting".*?</ul>', page)[0]
    colours = system(world.match.system).seat_names
    assert re.sub(r"<[^>]+>", " ", sitting).split()[:2] == ["Arya", str(colours[RED])]
    assert str(colours[BLUE]) not in sitting
    assert sitting.count("<li") == Seat.objects.filter(match=world.match, is_taken=True).count()


def test_where_nobody_sits_yet_no_name_is_read(world: World):
    Seat.objects.filter(match=world.match).update(is_taken=False)
    assert 'class="sitting"' not in Phone().ask("GET", reverse("join", args=[world.code])).content.decode()


@pytest.mark.parametrize("headers", [{}, {"HX_Request": "true"}], ids=["page", "fragment"])
def test_a_device_that_keeps_no_cookies_reads_what_it_lacks(world: World, headers: dict[str, str]):
    """To load the page again, as one that is out of date is told, would get it no further."""
    phone, place = Phone(is_browser=True), link(world.match, OPEN)
    page = phone.ask("GET", place).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    phone.cookies.clear()
    answer = phone.ask("POST", place, {"name": "Arya", "csrfmiddlewaretoken": token}, **headers)
    assert answer.status_code == 403
    assert "This device blocks cookies. Allow them for this address" in answer.content.decode()
    assert not Seat.objects.get(match=world.match, key=OPEN).is_taken


# --- after an older backup was restored -----------------------------------------------------------


def freed(seat: Seat) -> Seat:
    seats.revoke(seat)
    return Seat.objects.select_related("match").get(pk=seat.pk)


def test_a_link_that_a_restored_backup_does_not_know_opens_nobody_elses_seat(world: World):
    """The seat is freed once more, and is at the same epoch as when the link was handed out."""
    saved = Seat.objects.select_related("match").get(match=world.match, key=OPEN)
    lost = freed(saved)
    saved.save()
    now = freed(saved)
    assert now.epoch == lost.epoch
    assert seats.link_secret(now) != seats.link_secret(lost)
    assert seats.api_token(now) != seats.api_token(lost)
