"""Who organises an event: somebody always does, and nobody who is away or may not."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from games.hall import commands, event_links
from games.hall.models import Event, Helper, Player
from games.hall.organiser import overview
from games.live.hub import read_stream_token
from games.people import sessions
from tests.hall.halls import ANNA, opened, refused, state
from tests.hall.test_organiser import next_button, page, phone_of, send

pytestmark = pytest.mark.django_db


def organisers(code: str) -> list[str]:
    found = Helper.objects.filter(event__code=code, role=Helper.Role.ORGANISER)
    return list(found.order_by("pk").values_list("name", flat=True))


def test_the_last_organiser_stays_however_many_judges_there_are():
    event, olga = commands.open_event({"system": "tmg", "name": "Cup"}, "Olga")
    for role in ("judge", "scorekeeper"):
        commands.appoint(event.code, ANNA, role, role)
    assert (
        str(refused(commands.dismiss, event.code, ANNA, olga.pk)) == "An event keeps at least one organiser."
    )
    commands.appoint(event.code, ANNA, "organiser", "Otto")
    commands.dismiss(event.code, ANNA, olga.pk)
    assert organisers(event.code) == ["Otto"]


def test_the_organiser_of_another_event_is_none_of_this_one():
    event, olga = commands.open_event({"system": "tmg", "name": "Cup"}, "Olga")
    other, _otto = commands.open_event({"system": "tmg", "name": "Other cup"}, "Otto")
    assert str(refused(commands.dismiss, other.code, ANNA, olga.pk)) == "There is no such helper."
    commands.appoint(other.code, ANNA, "organiser", "Ole")
    assert refused(commands.dismiss, event.code, ANNA, olga.pk).status == 409
    assert (organisers(event.code), organisers(other.code)) == (["Olga"], ["Otto", "Ole"])


def in_admin(seconds: float, **account: bool) -> Client:
    """The phone of somebody who may organise every event, and has used the admin so long ago."""
    phone = Client()
    phone.force_login(get_user_model().objects.create_superuser("root", password="x" * 12))
    get_user_model().objects.update(**account)
    session = phone.session
    session[sessions.SESSION_TOUCHED] = int(time.time() - seconds)
    session.save()
    return phone


@pytest.mark.parametrize(
    ("hours", "account", "may"),
    [(0, {}, True), (1.9, {}, True), (2.1, {}, False), (0, {"is_active": False}, False)],
)
def test_who_left_the_admin_hours_ago_or_is_shut_out_of_it_leads_no_event(hours, account, may):
    """A laptop that was left at the club yesterday is a guest's like any other."""
    code = opened(2)
    phone = in_admin(hours * 3600, **account)
    assert phone.get(reverse("organise", args=[code])).status_code == (200 if may else 403)
    assert send(phone, code, "pair").status_code == (302 if may else 403)
    assert bool(state(code).rounds) == may


def test_an_organiser_is_given_the_links_of_their_own_event_alone():
    other, code = opened(2), opened(2)
    commands.register(other, ANNA, "Cleo Elsewhere")
    commands.appoint(other, ANNA, "judge", "Ben Elsewhere")
    phone = phone_of(code)
    shown = [page(phone, code, f"organise-{name}") for name in ("helpers", "slips")]
    assert ["Olga" in shown[0], "Player 1" in shown[1]] == [True, True]
    assert not any("Elsewhere" in one for one in shown)
    theirs = Player.objects.select_related("event").get(event__code=code, key="p1")
    assert event_links.secret(theirs) in page(phone, code, "organise-player", "p1")


def test_a_helper_is_dismissed_however_many_the_server_has_had():
    code = opened(2)
    helper = Helper.objects.create(event=Event.objects.get(code=code), pk=2_000_000_000, role="judge")
    assert send(phone_of(code), code, f"dismiss {helper.pk}", "helpers").status_code == 302
    assert not Helper.objects.filter(pk=helper.pk).exists()


@pytest.mark.parametrize("is_player", [False, True], ids=["alone", "who plays as well"])
@pytest.mark.parametrize("codename", ["change_event", "change_pairing", "view_pairing"])
def test_what_updates_by_itself_is_for_the_role_in_the_admin(codename: str, is_player: bool):
    code = opened(4)
    user = User.objects.create_user("olenna", password="thorns-and-roses", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename=codename))
    phone = Client()
    phone.force_login(user)
    if is_player:
        player = Player.objects.select_related("event").get(event__code=code, key="p1")
        assert phone.post(reverse("event-me", args=[code, event_links.secret(player)])).status_code == 302
    told = phone.get(reverse("wall-stream", args=[code])).json()["url"]
    ticket = read_stream_token(urlsplit(told).path.removeprefix("/live/"))
    shown = overview.overview_html(code, ticket.audience)
    assert shown == phone.get(reverse("wall-news", args=[code])).content.decode()
    assert (next_button(phone, code) != "") == ('value="pair' in shown) == (codename == "change_event")
