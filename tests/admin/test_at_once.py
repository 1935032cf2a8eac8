"""Two in one moment at the admin: who comes second is told so, and what the first did stays."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.admin import one_time_codes
from games import catalogue
from games.admin import match_commands
from games.core import say
from games.match import play
from games.models import Army, CatalogueEntry, Entry, Match
from games.web import Limit
from tests.admin import test_catalogue as cards
from tests.admin import test_second_factor as factor
from tests.admin.in_admin import change_url, errors_of, filled
from tests.playing import tap
from tests.waiting import in_one_moment

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_tap_that_is_not_saved_yet_stops_a_save(admin_client, auction):
    house = Army.objects.get(match=auction, key="stark")
    url, page = change_url(house), filled(admin_client.get(change_url(house)))
    page["reason"], page["power"] = "counted", "9"
    version, answer = in_one_moment(
        lambda: tap(auction, "lannister", "bid:throne:1"),
        lambda: admin_client.post(url, dict(page.lists())),
    )
    assert "The match changed while this page was open. Nothing was saved." in errors_of(answer)
    auction.refresh_from_db()
    assert auction.version == version


@pytest.mark.parametrize("is_seated", [True, False], ids=["with seats", "without seats"])
def test_a_match_that_somebody_edits_is_deleted_once_that_is_saved(admin_client, is_seated):
    match = play.open_match("tmg", "manual-scoring", {"red": "Ada", "blue": "Bo"})
    if not is_seated:
        match.seats.all().delete()
    _saved, answer = in_one_moment(
        lambda: play.remark(match.code, say("A word.")), lambda: deleted(admin_client, match)
    )
    assert (answer.status_code, Match.objects.count(), Entry.objects.count()) == (302, 0, 0)


@pytest.mark.parametrize("is_piece", [True, False], ids=["a side", "the table"])
def test_an_edit_of_a_match_that_is_being_deleted_says_that_it_is_gone(admin_client, auction, is_piece):
    auction.seats.all().delete()
    url = change_url(Army.objects.get(match=auction, key="stark") if is_piece else auction)
    page = filled(admin_client.get(url))
    page["reason"] = "counted"
    _deleted, answer = in_one_moment(
        lambda: match_commands.delete(auction), lambda: admin_client.post(url, dict(page.lists()))
    )
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert Match.objects.count() == 0


def deleted(client: Client, match: Match):
    return client.post(reverse("admin:games_match_delete", args=[match.pk]), {"post": "yes"})


@pytest.fixture
def card() -> CatalogueEntry:
    """A card that nobody has changed."""
    catalogue.plant("tmg")
    return cards.row()


def test_of_two_who_change_a_card_the_second_is_told(admin_client, card):
    url, forms = change_url(card), [cards.sent(cost="6"), cards.sent(cost="7")]
    first, second = in_one_moment(
        lambda: admin_client.post(url, forms[0]), lambda: admin_client.post(url, forms[1])
    )
    assert (first.status_code, second.status_code) == (302, 200)
    assert "Someone else changed this." in second.content.decode()
    assert cards.row().facts["cost"] == "6"


def test_a_table_that_is_imported_keeps_what_an_organiser_has_just_changed(admin_client, card):
    form, text = cards.sent(cost="6"), f"id,wounds\n{card.slug},3\n"
    in_one_moment(
        lambda: admin_client.post(change_url(card), form),
        lambda: catalogue.import_table("tmg", "card", text),
    )
    kept = cards.row()
    assert (kept.version, kept.facts["cost"], kept.facts["wounds"]) == (2, "6", "3")


@pytest.fixture
def clock(settings, monkeypatch) -> factor.Clock:
    """A server that wants a second factor, at a time that stands still."""
    settings.SECOND_FACTOR = True
    # Counted in this process, so that nobody waits for the database's own count.
    monkeypatch.setattr(one_time_codes, "SECOND_FACTORS", Limit(6, 1))
    made = factor.Clock()
    monkeypatch.setattr("django_otp.plugins.otp_totp.models.time", made)
    monkeypatch.setattr(one_time_codes, "time", made)
    return made


def test_of_two_who_set_the_second_factor_up_one_does(organiser, clock):
    browsers: list[Client] = [factor.half_in(), factor.half_in()]
    keys = [factor.scanned(one.get(factor.PAGE).content.decode()) for one in browsers]
    codes = [factor.code_of(clock, key) for key in keys]
    in_one_moment(lambda: factor.tell(browsers[0], codes[0]), lambda: factor.tell(browsers[1], codes[1]))
    assert TOTPDevice.objects.get().key == keys[0]
    assert [factor.is_in(one) for one in browsers] == [True, False]


def test_a_code_that_is_told_twice_opens_once(organiser, clock):
    TOTPDevice.objects.create(user=organiser, name="phone", key=factor.KEY, confirmed=True)
    browsers, code = [factor.half_in(), factor.half_in()], factor.code_of(clock)
    in_one_moment(lambda: factor.tell(browsers[0], code), lambda: factor.tell(browsers[1], code))
    assert [factor.is_in(one) for one in browsers] == [True, False]
