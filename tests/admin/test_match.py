"""A match on its own page: everything at a glance, its pieces in a line each."""

import re

import pytest

from games.match import play
from games.models import Unit
from tests.admin.in_admin import change_url, filled, inline, saved, taken
from tests.playing import state_of

pytestmark = pytest.mark.django_db


def piece(answer, prefix: str):
    """The form of a piece on the match's page."""
    formsets = (one.formset for one in answer.context["inline_admin_formsets"])
    return next(form for formset in formsets for form in formset.forms if form.prefix == prefix)


def test_points_stand_by_round_and_player(admin_client, tmg):
    def scores(g):
        g.score("red", 2, "token")
        g.round = 2
        g.score("red", 1, "token")
        g.score("blue", 4, "token")

    play.edit(tmg.code, scores, "olenna", "a test")
    answer = admin_client.get(change_url(tmg))
    assert [side["name"] for side in answer.context["sides"]] == ["Robb", "Tywin"]
    assert answer.context["sheet"] == [("Round 1", [2, 0]), ("Round 2", [1, 4]), ("Total", [3, 4])]


def test_points_from_before_the_first_round_have_their_own_line(admin_client, rps):
    def scores(g):
        g.round = 0
        g.score("red", 1, "early")

    play.edit(rps.code, scores, "olenna", "a test")
    assert admin_client.get(change_url(rps)).context["sheet"][0] == ("Set-up", [1, 0])


def test_it_says_which_seats_have_a_phone(admin_client, rps):
    taken(rps, "blue")
    assert ("Seats", "Red: free · Blue: taken") in admin_client.get(change_url(rps)).context["facts"]


def test_it_says_by_which_rules_it_is_played_and_no_field_changes_them(admin_client, tmg):
    page = admin_client.get(change_url(tmg))
    assert ("Rules", "Rules of 2020") in page.context["facts"]
    assert not re.search(r'name="[^"]*(rules|ruleset|full_board)', page.content.decode())


def test_a_unit_says_in_one_line_where_it_is_and_how_it_does(admin_client, tmg):
    unit = Unit.objects.get(match=tmg, key="wolves")
    prefix = inline(admin_client, tmg, "units", unit.key)
    form = piece(admin_client.get(change_url(tmg)), prefix)
    wounds = state_of(tmg).units["wolves"].wounds
    assert {("Army", "Robb"), ("Place", "On the battlefield"), ("Wounds left", str(wounds))} <= {
        *form.summary
    }
    assert "Engaged with" not in dict(form.summary)
    assert not form.is_open


def test_a_yes_is_said_by_its_name_alone(admin_client, tmg):
    play.edit(tmg.code, lambda g: setattr(g.units["wolves"], "activated", True), "olenna", "a test")
    form = piece(admin_client.get(change_url(tmg)), inline(admin_client, tmg, "units", "wolves"))
    assert ("", "Activated") in form.summary


def test_a_line_holds_what_is_at_hand_and_a_new_piece_everything(admin_client, tmg):
    answer = admin_client.get(change_url(tmg))
    form = piece(answer, inline(admin_client, tmg, "units", "wolves"))
    assert {"wounds", "place", "conditions"} <= form.fields.keys()
    assert not {"name", "cost", "attachments"} & form.fields.keys()
    units = next(
        one.formset for one in answer.context["inline_admin_formsets"] if one.formset.prefix == "units"
    )
    assert {"name", "cost", "attachments"} <= units.empty_form.fields.keys()


def test_a_save_leaves_alone_what_the_page_does_not_show(admin_client, tmg):
    def counts(g):
        g.units["wolves"].counters = (("Faith", 2),)
        g.units["wolves"].commander = True

    play.edit(tmg.code, counts, "olenna", "a test")
    prefix = inline(admin_client, tmg, "units", "wolves")
    assert saved(admin_client, tmg, **{f"{prefix}-wounds": "3"}).status_code == 302
    unit = state_of(tmg).units["wolves"]
    assert (unit.wounds, unit.counters, unit.commander) == (3, (("Faith", 2),), True)


def test_nobody_is_named_twice_in_what_happened_last(admin_client, tmg):
    saved(admin_client, tmg, turn="blue")
    newest = admin_client.get(change_url(tmg)).context["recent"][0]
    assert (newest["who"], newest["lines"][0]) == ("", "olenna corrected the match: a reason")


def test_what_was_typed_and_not_saved_is_open(admin_client, tmg):
    prefix, other = (inline(admin_client, tmg, "units", key) for key in ("wolves", "lions"))
    sent = filled(admin_client.get(change_url(tmg)))
    sent[f"{prefix}-wounds"], sent["reason"] = "many", "counted"
    answer = admin_client.post(change_url(tmg), dict(sent.lists()))
    assert piece(answer, prefix).is_open
    assert not piece(answer, other).is_open
    assert 'value="many"' in answer.content.decode()


# --- what a game does not know -------------------------------------------------------------------


def kinds_of(admin_client, match) -> list[str]:
    """The kinds of piece that a match's page has a section for."""
    answer = admin_client.get(change_url(match))
    return [one.formset.prefix for one in answer.context["inline_admin_formsets"]]


def test_a_game_without_units_has_no_section_for_them(admin_client, auction):
    assert kinds_of(admin_client, auction) == ["armies", "rounds"]


def test_a_game_with_units_has_a_section_even_where_none_is_left(admin_client, tmg):
    play.edit(tmg.code, lambda g: g.objectives.clear() or g.units.clear(), "olenna", "a test")
    assert kinds_of(admin_client, tmg) == ["armies", "units", "rounds"]


def test_objectives_can_be_added_before_the_first_round(admin_client):
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Robb", "blue": "Tywin"}, seed="canary-seed")
    assert "objectives" in kinds_of(admin_client, match)


def test_what_a_page_sent_back_came_with_is_read(admin_client, auction):
    """A unit that was there when the page was made is gone by now: the page still has its section."""
    sent = filled(admin_client.get(change_url(auction)))
    sent |= {"units-TOTAL_FORMS": "0", "units-INITIAL_FORMS": "0", "reason": ""}
    answer = admin_client.post(change_url(auction), dict(sent.lists()))
    assert "units" in [one.formset.prefix for one in answer.context["inline_admin_formsets"]]
