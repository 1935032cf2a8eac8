"""Who may do what at the admin, and how one comes to it."""

import html

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.admin import one_time_codes
from games.hall.models import Event, Player
from games.match import play
from games.models import Army, Match, Seat, Unit
from games.people import sessions
from tests.admin.in_admin import change_url, filled, inline
from tests.hall.halls import opened
from tests.playing import state_of

pytestmark = pytest.mark.django_db

MODELS = ("match", "army", "unit", "objective", "entry", "catalogueentry")


@pytest.fixture
def helper(client, db):
    """Makes a browser of somebody with exactly these permissions."""

    def make(*codenames):
        user = User.objects.create_user("podrick", password="loyal-and-true-1", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client.force_login(user)
        return client

    return make


@pytest.mark.parametrize("model", MODELS)
def test_who_is_nobody_is_asked_who_they_are(client, model):
    answer = client.get(f"/admin/games/{model}/")
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("admin:login"))


@pytest.mark.parametrize("model", MODELS)
def test_who_has_no_permission_sees_nothing(helper, model):
    assert helper().get(f"/admin/games/{model}/").status_code == 403


def test_who_may_look_sees_every_value_and_no_field(onlooker, tmg):
    unit = Unit.objects.filter(match=tmg, place="table").first()
    for row in (tmg, unit):
        page = onlooker.get(change_url(row)).content.decode()
        assert unit.name in html.unescape(page)
        assert "Wounds per rank" in page
        assert "On the battlefield" in page
        assert "_save" not in page
        assert 'name="reason"' not in page
        assert "admin-buttons" not in page


def test_who_may_look_changes_nothing_whatever_they_send(onlooker, tmg):
    unit = Unit.objects.filter(match=tmg).first()
    before = state_of(tmg)
    sent = {"reason": "mine", "seen": str(tmg.version), "wounds": "1", "units-0-wounds": "1", "turn": "blue"}
    assert onlooker.post(change_url(tmg), sent).status_code == 403
    assert onlooker.post(change_url(unit), sent).status_code == 403
    assert onlooker.post(f"{change_url(unit)[:-8]}/delete/", {"post": "yes"}).status_code in (403, 404)
    for command in ("free", "unlist", "undo", "agree"):
        assert (
            onlooker.post(f"/admin/games/match/{tmg.pk}/do/", {"command": command, "seat": "red"}).status_code
            == 403
        )
    for action in ("free_seats", "adjudicate", "time_out", "take_off_list", "delete_selected"):
        onlooker.post("/admin/games/match/", {"action": action, "_selected_action": [tmg.pk], "post": "yes"})
    assert state_of(tmg) == before
    assert Match.objects.get(pk=tmg.pk).version == tmg.version


def test_who_may_change_matches_but_not_units_changes_no_unit(helper, tmg):
    client = helper("change_match", "view_match", "view_unit")
    unit = Unit.objects.filter(match=tmg).first()
    answer = client.get(change_url(tmg))
    prefix = inline(client, tmg, "units", unit.key)
    sent = filled(answer)
    sent["reason"], sent["turn"] = "mine", "blue"
    sent[f"{prefix}-wounds"], sent[f"{prefix}-DELETE"] = "1", "on"
    assert client.post(change_url(tmg), dict(sent.lists())).status_code == 302
    g = state_of(tmg)
    assert (g.turn, g.units[unit.key].wounds) == ("blue", unit.wounds)


def test_nobody_adds_changes_or_deletes_an_entry(admin_client, rps):
    entry = rps.entries.get()
    assert admin_client.get("/admin/games/entry/add/").status_code == 403
    assert admin_client.get(change_url(entry)).status_code == 200
    assert admin_client.post(change_url(entry), {"note": "never"}).status_code == 403
    assert admin_client.post(f"/admin/games/entry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    admin_client.post(
        "/admin/games/entry/", {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"}
    )
    entry.refresh_from_db()
    assert entry.note == ""


def test_a_seat_is_never_deleted_from_the_list_of_armies(admin_client, rps):
    army = Army.objects.filter(match=rps).first()
    assert admin_client.post(f"/admin/games/army/{army.pk}/delete/", {"post": "yes"}).status_code == 403
    admin_client.post(
        "/admin/games/army/", {"action": "delete_selected", "_selected_action": [army.pk], "post": "yes"}
    )
    assert Army.objects.filter(pk=army.pk).exists()


# --- coming and staying --------------------------------------------------------------------------


def test_after_two_hours_away_the_password_is_asked_for_again(admin_client, rps, monkeypatch):
    assert admin_client.get("/admin/").status_code == 200
    later = sessions.clock.time.time() + sessions.AWAY_SECONDS + 1
    monkeypatch.setattr(sessions.clock.time, "time", lambda: later)
    assert admin_client.get("/admin/").status_code == 302
    page = admin_client.get(reverse("admin:login")).content.decode()
    assert "not authorized" not in page
    answer = admin_client.post(reverse("admin:login"), {"username": "olenna", "password": "thorns-and-roses"})
    assert answer.status_code == 302
    assert admin_client.get("/admin/").status_code == 200


def test_the_page_of_the_password_speaks_both_languages(client, db):
    page = client.get(reverse("admin:login")).content.decode()
    assert 'name="language" value="zh-hans"' in page
    assert f'name="next" value="{reverse("admin:login")}"' in page
    wrong = client.post(reverse("admin:login"), {"username": "olenna", "password": "wrong"})
    assert 'name="language" value="zh-hans"' in wrong.content.decode()


def test_who_keeps_working_is_not_asked(admin_client, monkeypatch):
    start = sessions.clock.time.time()
    for hours in (1, 2, 3, 4):
        monkeypatch.setattr(sessions.clock.time, "time", lambda hours=hours: start + hours * 3600)
        assert admin_client.get("/admin/").status_code == 200


def test_the_seats_of_a_session_outlive_the_organisers_powers(admin_client, rps, monkeypatch):
    session = admin_client.session
    session["seats"] = {rps.code: {"red": 1}}
    session.save()
    later = sessions.clock.time.time() + sessions.AWAY_SECONDS + 1
    monkeypatch.setattr(sessions.clock.time, "time", lambda: later)
    admin_client.get("/admin/")
    admin_client.post(reverse("admin:login"), {"username": "olenna", "password": "thorns-and-roses"})
    assert admin_client.session["seats"] == {rps.code: {"red": 1}}


@pytest.mark.parametrize(("codename", "status"), [("view_match", 403), ("change_match", 302)])
def test_at_a_table_only_who_may_change_matches_is_the_organiser(helper, codename, status):
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    Seat.objects.filter(match=match).update(is_taken=True)
    answer = helper(codename).post(reverse("free", args=[match.code]), {"seat": "red"})
    assert answer.status_code == status
    assert match.seats.get(key="red").is_taken == (status == 403)


def test_one_organisers_second_factor_goes_alone():
    lost, other = (User.objects.create_superuser(name, password="growing-strong-1") for name in ("a", "b"))
    for user in (lost, other):
        TOTPDevice.objects.create(user=user, name="phone", key="00" * 20, confirmed=True)
        one_time_codes._new_codes(user)
    assert [one_time_codes._left(user) for user in (lost, other)] == [10, 10]
    assert one_time_codes.remove(lost) > 0
    assert [one_time_codes.has_device(user) for user in (lost, other)] == [False, True]
    assert [one_time_codes._left(user) for user in (lost, other)] == [0, 10]
    TOTPDevice.objects.create(user=lost, name="phone", key="00" * 20, confirmed=False)
    assert not one_time_codes.has_device(lost), "what no code has confirmed is no second factor"


def test_events_and_players_are_opened_and_deleted_by_whoever_may(helper):
    """To change an event, or a player, is not yet to open or to delete one."""
    code = opened(2)
    event, player = Event.objects.get(code=code), Player.objects.get(event__code=code, key="p2")
    changing = [f"{may}_{what}" for may in ("view", "change") for what in ("event", "player")]
    adding, forms = reverse("admin:events_event_add"), [("event", event.pk), ("player", player.pk)]
    deleting = [reverse(f"admin:events_{name}_delete", args=[pk]) for name, pk in forms]
    client = helper(*changing)
    assert [client.get(adding).status_code, *_posted(client, deleting)] == [403, 403, 403]
    assert (Event.objects.count(), Player.objects.count()) == (1, 2)
    may_all = Permission.objects.filter(codename__in=["add_event", "delete_event", "delete_player"])
    User.objects.get().user_permissions.add(*may_all)
    assert [client.get(adding).status_code, *_posted(client, reversed(deleting))] == [200, 302, 302]
    assert (Event.objects.count(), Player.objects.count()) == (0, 0)


def _posted(client, paths):
    return [client.post(path, {"post": "yes"}).status_code for path in paths]


DECIDED = {"decided": "yes", "winner": "red", "reason": "a ruling"}


@pytest.mark.parametrize("action", ["free_seats", "show_listed", "take_off_list", "adjudicate", "time_out"])
def test_who_may_only_look_at_matches_does_nothing_to_the_chosen_ones(helper, rps, action):
    Seat.objects.filter(match=rps, key="red").update(is_taken=True)
    Match.objects.filter(pk=rps.pk).update(is_listed=action != "show_listed", round=1)

    def stands():
        match = Match.objects.get(pk=rps.pk)
        return (
            match.version,
            match.result,
            match.is_listed,
            list(match.seats.values_list("epoch", "is_taken")),
        )

    before, sent = stands(), {"action": action, "_selected_action": [rps.pk], **DECIDED}
    client = helper("view_match")
    client.post("/admin/games/match/", sent)
    assert stands() == before
    User.objects.get().user_permissions.add(Permission.objects.get(codename="change_match"))
    client.post("/admin/games/match/", sent)
    assert stands() != before


def test_who_may_only_look_at_players_makes_them_no_new_links(helper):
    player = Player.objects.get(event__code=opened(2), key="p1")
    sent = {"action": "new_links", "_selected_action": [player.pk]}
    client, epochs = helper("view_player"), [player.epoch]
    for codename in ("view_event", "change_player"):
        User.objects.get().user_permissions.add(Permission.objects.get(codename=codename))
        client.post("/admin/events/player/", sent)
        player.refresh_from_db()
        epochs.append(player.epoch)
    assert epochs == [1, 1, 2]
