"""Events at the admin: every form is a command in the history, and what the rules refuse is said."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from games.hall import commands
from games.hall.models import Event, EventEntry, Pairing, Player
from tests.hall.halls import ANNA, by_chance, opened, play_round, state

pytestmark = pytest.mark.django_db

MODELS = ("event", "player", "pairing", "call", "announcement", "helper", "evententry")


def url(row) -> str:
    return reverse(f"admin:events_{row._meta.model_name}_change", args=[row.pk])


@pytest.fixture
def event(db) -> Event:
    code = opened(4, mode="manual-scoring")
    play_round(code, by_chance(1))
    return Event.objects.get(code=code)


def fields(client, row) -> dict:
    """The form of a row as a browser would send it."""
    form = client.get(url(row)).context["adminform"].form
    found = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    sent = {name: value for name, value in found.items() if value is not None and value is not False}
    for name in [name for name, value in sent.items() if isinstance(value, list)]:
        sent |= {f"{name}_{at}": value for at, value in enumerate(sent.pop(name))}
    return {name: "on" if value is True else value for name, value in sent.items()}


def sent_by(page: str) -> dict[str, str]:
    """What a browser sends of a page's form if nobody touches it."""
    form = page[page.index("<form action") if "<form action" in page else page.index('id="event_form"') :]
    found: dict[str, str] = {}
    for tag in re.findall(r"<input [^>]*>", form):
        told = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if told.get("type") != "checkbox" or " checked" in tag:
            found[told.get("name", "")] = told.get("value", "on")
    for name, options in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', form, re.S):
        found[name] = next(iter(re.findall(r'value="([^"]*)" selected', options)), "")
    return {name: value for name, value in found.items() if name and not name.startswith("_")}


def errors(answer) -> str:
    return str(answer.context["adminform"].form.errors)


@pytest.mark.parametrize("model", MODELS)
def test_every_list_and_row_is_shown(admin_client, event, model):
    commands.appoint(event.code, ANNA, "judge", "Ben")
    commands.note_ruling(event.code, ANNA, "1-1", "Fair play.")
    commands.announce(event.code, ANNA, "Lunch")
    page = admin_client.get(f"/admin/events/{model}/")
    assert page.status_code == 200
    row = page.context["cl"].queryset.first()
    assert admin_client.get(url(row)).status_code == 200


def test_the_game_of_an_event_is_told_by_its_title(admin_client, event):
    title = "A Song of Ice and Fire: Tabletop Miniatures Game"
    for page in ("/admin/events/event/", url(event)):
        shown = admin_client.get(page).content.decode()
        assert title in shown
        assert ">tmg<" not in shown
    assert event.name in admin_client.get("/admin/events/event/?game=tmg").content.decode()
    assert event.name not in admin_client.get("/admin/events/event/?game=agot").content.decode()


def test_an_event_is_opened_with_what_is_usual_for_its_game(admin_client):
    answer = admin_client.post(reverse("admin:events_event_add"), {"system": "bushido", "name": "Ryu Cup"})
    assert answer.status_code == 302
    event = Event.objects.get()
    assert (event.name, event.kind, event.scoring, event.minutes) == ("Ryu Cup", "monrad", "bushido", 120)
    assert EventEntry.objects.get(event=event).author == "olenna"


def test_settings_are_changed_by_a_command(admin_client, event):
    told = fields(admin_client, event)
    answer = admin_client.post(url(event), {**told, "name": "Spring Cup", "minutes": "120"})
    assert answer.status_code == 302, errors(answer)
    event.refresh_from_db()
    assert (event.name, event.minutes) == ("Spring Cup", 120)
    assert EventEntry.objects.filter(event=event).last().action == "change"


def test_settings_that_another_has_changed_since_the_page_was_opened_stay(admin_client):
    event = Event.objects.get(code=opened(4))
    form = sent_by(admin_client.get(url(event)).content.decode())
    commands.change_settings(event.code, ANNA, {"minutes": 75, "criteria": ("vp", "lot"), "is_open": False})
    answer = admin_client.post(url(event), {**form, "name": "Autumn cup"})
    assert answer.status_code == 302, errors(answer)
    g = state(event.code)
    assert (g.name, g.minutes, g.criteria, g.is_open) == ("Autumn cup", 75, ("vp", "lot"), False)
    form = sent_by(admin_client.get(url(event)).content.decode())
    assert admin_client.post(url(event), {**form, "criteria_1": "wins"}).status_code == 302
    assert state(event.code).criteria == ("vp", "wins")


def test_what_the_rules_refuse_is_said_and_not_saved(admin_client, event):
    told = fields(admin_client, event)
    answer = admin_client.post(
        url(event), {**told, "criteria_0": "vp", "criteria_1": "wins", "criteria_2": "", "name": "Other"}
    )
    assert "cannot change once the event has begun" in errors(answer)
    event.refresh_from_db()
    assert event.name == "Cup"
    answer = admin_client.post(url(event), {**told, "mode": "nothing"})
    assert "not one of the available choices" in errors(answer)


def test_modes_and_ranking_are_chosen_by_their_names(admin_client):
    event = Event.objects.get(code=opened(4, mode="manual-scoring"))
    shown = admin_client.get(url(event)).content.decode()
    assert '<option value="manual-scoring" selected>Manual scoring</option>' in shown
    assert shown.count('<option value="vp" selected>Victory points</option>') == 1
    empty = {f"criteria_{at}": "" for at in range(7)}
    told = {**fields(admin_client, event), **empty, "criteria_0": "points", "criteria_2": "lot"}
    answer = admin_client.post(url(event), {**told, "mode": "a-game-of-thrones"})
    assert answer.status_code == 302, errors(answer)
    event.refresh_from_db()
    assert (event.mode, event.criteria) == ("a-game-of-thrones", ["points", "lot"])
    answer = admin_client.post(url(event), {**told, "criteria_1": "points"})
    assert "each tiebreak only once" in errors(answer)


def test_a_player_is_corrected_and_taken_off_the_list_only_before_they_play(admin_client, event):
    player = Player.objects.filter(event=event).first()
    answer = admin_client.post(url(player), {**fields(admin_client, player), "name": "Ada"})
    assert answer.status_code == 302, errors(answer)
    assert state(event.code).players[player.key].name == "Ada"
    delete = reverse("admin:events_player_delete", args=[player.pk])
    for ask in (admin_client.get, admin_client.post):
        answer = ask(delete, {"post": "yes"})
        assert answer.url == url(player)
        shown = admin_client.get(answer.url).content.decode()
        assert "Ada has already been paired. Drop them instead" in shown
        assert "deleted successfully" not in shown
    assert Player.objects.filter(pk=player.pk).exists()
    fresh = commands.come_late(event.code, ANNA, "Zoe", "", "", "loss").made
    assert fresh in state(event.code).players


def test_a_ruling_stands_in_the_history_with_its_reason(admin_client, event):
    pairing = Pairing.objects.filter(event=event).first()
    answer = admin_client.post(url(pairing), {"first": "3", "second": "9", "reason": "Counted again."})
    assert answer.status_code == 302, errors(answer)
    found = state(event.code).pairings[pairing.key]
    assert [found.results[key]["vp"] for key in found.players] == [3, 9]
    assert EventEntry.objects.filter(event=event).last().note == "Counted again."
    answer = admin_client.post(url(pairing), {"first": "3", "second": "9999", "reason": "x"})
    assert "whole number" in errors(answer)


def test_who_may_only_look_at_a_table_sees_no_fields_of_a_ruling(client, event):
    """They read “First”, “Second” and “Reason” with nothing beside them."""
    user = User.objects.create_user("Vera", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_pairing"))
    client.force_login(user)
    shown = client.get(url(Pairing.objects.get(event=event, key="1-1"))).content.decode()
    assert "Result:" in shown
    assert not any(label in shown for label in ("First:", "Second:", "Reason:", "Seen:"))


def test_a_ruling_on_what_has_changed_meanwhile_is_not_taken(admin_client, event):
    """It took back what another judge had ruled since the page was opened."""
    pairing = Pairing.objects.get(event=event, key="1-1")
    sent = {**fields(admin_client, pairing), "first": 9, "second": 1, "reason": "As I saw it."}
    ruled = {"scores": {key: {"vp": vp} for key, vp in zip(pairing.players, (3, 4), strict=True)}}
    commands.rule(event.code, ANNA, pairing.key, ruled, "Counted again.")
    answer = admin_client.post(url(pairing), sent)
    assert "Check the current result" in errors(answer)
    assert [state(event.code).pairings["1-1"].results[key]["vp"] for key in pairing.players] == [3, 4]
    again = {**sent, "seen": answer.context["adminform"].form["seen"].value()}
    assert admin_client.post(url(pairing), again).status_code == 302
    assert [state(event.code).pairings["1-1"].results[key]["vp"] for key in pairing.players] == [9, 1]


@pytest.mark.parametrize(("second", "winner", "how"), [("9", 0, "conceded"), ("2", 0, "finished")])
def test_a_correction_of_points_keeps_who_had_conceded(admin_client, event, second, winner, how):
    """The one who conceded, with more points, became the winner."""
    pairing = Pairing.objects.filter(event=event).first()
    told = {"scores": {key: {"vp": vp} for key, vp in zip(pairing.players, (3, 8), strict=True)}}
    conceded = {**told, "winner": pairing.players[0], "how": "conceded"}
    commands.rule(event.code, ANNA, pairing.key, conceded, "So it was.")
    answer = admin_client.post(url(pairing), {"first": "3", "second": second, "reason": "Counted again."})
    assert answer.status_code == 302, errors(answer)
    found = state(event.code).pairings[pairing.key]
    assert (found.winner, found.how) == (pairing.players[winner], how)


def test_an_event_leads_to_its_pages_and_tables(admin_client, event):
    shown = admin_client.get(url(event)).content.decode()
    for way in (reverse("organise", args=[event.code]), reverse("event", args=[event.code])):
        assert f'href="{way}"' in shown
    assert f'href="{reverse("admin:events_pairing_changelist")}?q={event.code}"' in shown


def test_the_newest_round_of_the_newest_event_is_listed_first(admin_client, event):
    play_round(event.code, by_chance(2))
    later = opened(5, mode="manual-scoring")
    play_round(later, by_chance(3))
    listed = admin_client.get("/admin/events/pairing/").context["cl"].result_list
    told = [(one.event.code, one.round) for one in listed]
    assert told == [(later, 1)] * 3 + [(event.code, 2)] * 2 + [(event.code, 1)] * 2


def test_a_bye_asks_for_nothing(admin_client):
    code = opened(5, mode="manual-scoring")
    play_round(code, by_chance(1))
    alone = next(one for one in Pairing.objects.filter(event__code=code) if len(one.players) == 1)
    assert 'name="_save"' not in admin_client.get(url(alone)).content.decode()
    of_two = Pairing.objects.filter(event__code=code).exclude(pk=alone.pk).first()
    shown = admin_client.get(url(of_two)).content.decode()
    assert all(f'name="{name}"' in shown for name in ("_save", "first", "second", "reason"))


def test_a_ruling_asks_for_the_points_of_each_by_name(admin_client, event):
    pairing = Pairing.objects.filter(event=event).first()
    names = dict(Player.objects.filter(event=event).values_list("key", "name"))
    form = admin_client.get(url(pairing)).context["adminform"].form
    labels = [form.fields[field].label for field in ("first", "second", "reason")]
    assert labels == [*(f"Victory Points of {names[key]}" for key in pairing.players), "Reason"]


def test_every_setting_begins_with_a_capital(admin_client, event):
    for page in (url(event), reverse("admin:events_event_add")):
        labels = [str(field.label) for field in admin_client.get(page).context["adminform"].form]
        assert [label for label in labels if not label[0].isupper()] == []


def test_new_links_make_the_old_ones_worthless(admin_client, event):
    player = Player.objects.filter(event=event).first()
    data = {"action": "new_links", "_selected_action": [player.pk]}
    admin_client.post(reverse("admin:events_player_changelist"), data)
    assert Player.objects.get(pk=player.pk).epoch == player.epoch + 1


def test_who_may_look_changes_nothing(client, event):
    user = User.objects.create_user("podrick", password="loyal-and-true-1", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_event", "view_pairing"]))
    client.force_login(user)
    pairing = Pairing.objects.filter(event=event).first()
    assert b"_save" not in client.get(url(pairing)).content
    assert client.post(url(pairing), {"first": "3", "second": "9", "reason": "x"}).status_code == 403
    assert client.get("/admin/events/player/").status_code == 403


def test_an_event_is_deleted_with_its_people_and_its_tables_stay(admin_client, event):
    from games.models import Match

    before = Match.objects.count()
    admin_client.post(reverse("admin:events_event_delete", args=[event.pk]), {"post": "yes"})
    assert not Event.objects.exists()
    assert not Player.objects.exists()
    assert Match.objects.count() == before
