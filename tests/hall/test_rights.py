"""What helpers may do is what the page of helpers says: by the API, in the admin, on the page itself."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from games.hall import commands, event_actions, event_links
from games.hall.event_api import COMMANDS
from games.hall.models import Announcement, Event, Helper, Pairing, Player
from games.match.play import new_key
from games.web import limits
from tests.hall.halls import ANNA, begun, first_table, opened, scores, state
from tests.hall.test_organiser import page, phone_of, send
from tests.hall.test_programs import do

pytestmark = pytest.mark.django_db

SCOREKEEPER = {"enter", "go-on", "check-in", "check-in-team", "call-judge"}
JUDGE = SCOREKEEPER | {
    *("rule", "answer-call", "close-call", "note-ruling", "start-clock", "pause-clock", "extend", "announce"),
    *("take-down", "swap", "move", "seat-together", "no-show", "fix-table", "amend", "amend-team", "hand-in"),
    *("drop", "come-back", "propose", "take-back", "rest-by-lot", "pair-anew", "penalise"),
    *("choose-house", "houses", "draw-houses"),
}


@pytest.mark.parametrize(("role", "may"), [("judge", JUDGE), ("scorekeeper", SCOREKEEPER)])
def test_a_helpers_program_does_what_the_role_may_and_nothing_else(role: str, may: set[str]):
    code = opened(4)
    made = commands.appoint(code, ANNA, role, "Jo").made
    token = event_links.secret(Helper.objects.select_related("event").get(pk=made))
    allowed = set()
    for action in COMMANDS:
        limits.TAPS.forget()
        if do(code, token, action, new_key(), note="why", pairing="1-1", player="p9").status_code != 403:
            allowed.add(action)
    assert allowed == may


def test_the_page_of_helpers_says_what_each_role_may():
    text = html.unescape(page(phone_of(opened(2)), Event.objects.get().code, "organise-helpers"))
    for what, actions, may in event_actions.RIGHTS:
        assert what[1:] in text
        for role in (event_actions.JUDGE, event_actions.SCOREKEEPER):
            assert all(event_actions.may(role, action) == (role in may) for action in actions)
    assert "Check players in, call a judge to a table" in text
    assert "Organiser, Judge, Scorekeeper" in text


def test_a_judge_reinstates_whom_they_have_dropped():
    code = begun(4)
    judge = phone_of(code, "judge")
    commands.drop(code, ANNA, "p1")
    assert "come_back p1" in page(judge, code, "organise-player", "p1")
    assert send(judge, code, "come_back p1", "player p1").status_code == 302
    assert state(code).players["p1"].dropped is None


def test_who_may_change_pairings_in_the_admin_is_a_judge_everywhere_and_no_more():
    code = begun(4)
    table = first_table(code)
    commands.enter_result(code, ANNA, table.key, scores(table, 5, 2))
    commands.announce(code, ANNA, "Lunch")
    user = User.objects.create_user("jo", password="x" * 12, is_staff=True)
    for name in ("change_pairing", "view_player", "view_announcement"):
        user.user_permissions.add(Permission.objects.get(content_type__app_label="events", codename=name))
    phone = Client()
    phone.force_login(user)
    row = Pairing.objects.get(event__code=code, key=table.key)
    form = {"first": 1, "second": 6, "reason": "counted again", "seen": ""}
    assert phone.post(reverse("admin:events_pairing_change", args=[row.pk]), form).status_code == 302
    assert state(code).pairings[table.key].winner == table.players[1]
    assert send(phone, code, "pair").status_code == 403
    assert send(phone, code, "announce", text="Back at two").status_code == 302
    event, player = Event.objects.get(code=code), Player.objects.get(event__code=code, key="p1")
    for address in (
        reverse("admin:events_event_change", args=[event.pk]),
        reverse("admin:events_event_delete", args=[event.pk]),
        reverse("admin:events_player_delete", args=[player.pk]),
        reverse("organise-settings", args=[code]),
    ):
        assert phone.get(address).status_code == 403
    epoch = player.epoch
    for name, one in (("new_links", player), ("take_down", Announcement.objects.first())):
        rows = reverse(f"admin:events_{one._meta.model_name}_changelist")
        phone.post(rows, {"action": name, "_selected_action": one.pk})
    player.refresh_from_db()
    assert player.epoch == epoch
    assert Announcement.objects.get(text="Lunch").down_at is None
