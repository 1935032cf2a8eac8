"""An organiser's save is one action in the match's log: with its reason, undoable, told to the phones."""

import pytest

from games.core import first_sentence
from games.history.signals import match_changed
from games.match import play, storage, undoing
from games.models import Army, Entry, Match, Objective, Round, Unit
from tests.admin.in_admin import change_url, errors_of, filled, inline, saved
from tests.hearing import heard
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db


def last(match) -> Entry:
    return match.entries.order_by("-version").first()


def wolves(match) -> Unit:
    return Unit.objects.filter(match=match, army__key="red", place="table").first()


@pytest.fixture
def told():
    """The versions that the phones were told of."""
    with heard(match_changed, "version") as versions:
        yield versions


def test_a_saved_field_stands_in_the_row_and_in_the_log(admin_client, tmg):
    unit = wolves(tmg)
    answer = saved(admin_client, unit, reason="counted again", wounds="3")
    assert answer.status_code == 302
    unit.refresh_from_db()
    assert unit.wounds == 3
    entry = last(tmg)
    assert (entry.kind, entry.author, entry.note, entry.seat) == ("edit", "olenna", "counted again", "")
    assert entry.before[f"unit/{unit.key}/wounds"] == 12
    assert entry.after[f"unit/{unit.key}/wounds"] == 3
    assert str(first_sentence(entry.lines)) == "olenna corrected the match: counted again"


def test_one_save_is_one_version_whatever_it_changes(admin_client, tmg):
    before = Match.objects.get(pk=tmg.pk).version
    one = inline(admin_client, tmg, "units", wolves(tmg).key)
    red = inline(admin_client, tmg, "armies", "red")
    saved(admin_client, tmg, **{f"{one}-wounds": "5", f"{red}-hand": "7", "turn": "blue"})
    after = Match.objects.get(pk=tmg.pk)
    assert after.version == before + 1
    g = state_of(tmg)
    assert (g.units[wolves(tmg).key].wounds, g.armies["red"].hand, g.turn) == (5, 7, "blue")


def test_the_phones_hear_of_it_after_the_commit(admin_client, tmg, told, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        saved(admin_client, wolves(tmg), wounds="3")
    assert told == [(Match.objects.get(pk=tmg.pk).version,)]


def test_it_can_be_taken_back(admin_client, tmg):
    before = state_of(tmg)
    unit = wolves(tmg)
    saved(admin_client, unit, wounds="1", conditions=["panicked"], name="Wolves")
    assert state_of(tmg).units[unit.key] != before.units[unit.key]
    undoing.ask(tmg.code, "", last(tmg).version, play.new_key(), "olenna")
    assert state_of(tmg).units == before.units


def test_the_log_alone_still_rebuilds_the_match(admin_client, tmg):
    saved(admin_client, wolves(tmg), wounds="1", conditions=["panicked"])
    tmg.refresh_from_db()
    assert storage.final_position(tmg) == state_of(tmg)


def test_a_save_without_a_change_writes_nothing(admin_client, tmg):
    version = tmg.version
    answer = saved(admin_client, tmg)
    assert answer.status_code == 302
    assert Match.objects.get(pk=tmg.pk).version == version
    page = admin_client.get(change_url(tmg))
    assert "Nothing was changed." in page.content.decode()


def test_a_save_without_a_reason_is_asked_for_one(admin_client, tmg):
    version = tmg.version
    answer = saved(admin_client, wolves(tmg), reason="  ", wounds="3")
    assert errors_of(answer) == ["This field is required."]
    assert Match.objects.get(pk=tmg.pk).version == version


@pytest.mark.parametrize(
    ("name", "sent", "value"),
    [
        ("activated", "on", True),
        ("conditions", ["panicked", "weakened"], frozenset({"panicked", "weakened"})),
        ("pool", "4", 4),
        ("title", "  of  the Watch ", "of the Watch"),
        ("lent_to", "blue", "blue"),
        ("place", "reserve", "reserve"),
        ("attachments", "Syrio | Dancer | 1 | red", (("Syrio", "Dancer", 1, "red"),)),
        ("counters", "Faith | 2", (("Faith", 2),)),
        ("reminders", ["start-of-round"], frozenset({"start-of-round"})),
    ],
)
def test_each_kind_of_field_reaches_the_position_as_its_own_type(admin_client, tmg, name, sent, value):
    unit = wolves(tmg)
    assert saved(admin_client, unit, **{name: sent}).status_code == 302
    found = getattr(state_of(tmg).units[unit.key], name)
    assert (type(found), found) == (type(value), value)


def test_boxes_can_be_emptied(admin_client, tmg):
    unit = wolves(tmg)
    saved(admin_client, unit, conditions=["panicked"], activated="on")
    saved(admin_client, unit, conditions=None, activated=None)
    found = state_of(tmg).units[unit.key]
    assert (found.conditions, found.activated) == (frozenset(), False)


def test_engagement_is_set_on_both_sides(admin_client, tmg):
    one, other = wolves(tmg), Unit.objects.filter(match=tmg, army__key="blue", place="table").first()
    saved(admin_client, one, engaged_with=[other.key])
    assert state_of(tmg).units[other.key].engaged_with == {one.key}
    saved(admin_client, other, engaged_with=None)
    assert state_of(tmg).units[one.key].engaged_with == frozenset()


def test_a_house_of_the_auction_has_its_power_set(admin_client, auction):
    house = Army.objects.get(match=auction, key="stark")
    saved(admin_client, house, power="9", name="Sansa")
    house = state_of(auction).armies["stark"]
    assert (house.power, house.name) == (9, "Sansa")


def test_an_edit_leaves_what_is_sealed_where_it_is(admin_client, auction):
    tap(auction, "stark", "bid:throne:3")
    saved(admin_client, Army.objects.get(match=auction, key="stark"), power="9")
    assert state_of(auction).armies["stark"].hidden == {"bid": 3}


# --- adding and removing -------------------------------------------------------------------------


def added(prefix: str, number: int, **values: str) -> dict[str, str]:
    names = {f"{prefix}-{number}-{name}": value for name, value in values.items()}
    counts = {f"{prefix}-TOTAL_FORMS": str(number + 1), f"{prefix}-INITIAL_FORMS": str(number)}
    return {**counts, **names}


def test_a_unit_is_added_with_a_key_from_its_name(admin_client, auction):
    unit = {"army": "stark", "name": "Grey Wind", "order": "0", "cost": "3", "place": "table", "wounds": "2"}
    assert saved(admin_client, auction, **added("units", 0, **unit)).status_code == 302
    found = state_of(auction).units["grey-wind"]
    assert (found.army, found.name, found.cost, found.wounds) == ("stark", "Grey Wind", 3, 2)
    assert last(auction).before["unit/grey-wind"] is None


def test_names_without_latin_letters_and_twins_get_keys_too(admin_client, auction):
    unit = {"army": "stark", "order": "0", "cost": "0", "place": "table", "wounds": "0"}
    for number, name in enumerate(["狼", "狼", "7 Wolves"]):
        assert saved(admin_client, auction, **added("units", number, name=name, **unit)).status_code == 302
    assert list(state_of(auction).units) == ["unit", "unit-2", "unit-7-wolves"]


def test_an_added_unit_needs_a_name(admin_client, auction):
    unit = {"army": "stark", "name": "", "order": "0", "cost": "3", "place": "table", "wounds": "2"}
    assert errors_of(saved(admin_client, auction, **added("units", 0, **unit))) == ["This field is required."]


def test_a_removed_unit_leaves_nothing_behind_that_names_it(admin_client, tmg):
    one = wolves(tmg)
    other = Unit.objects.filter(match=tmg, army__key="blue", place="table").first()
    token = Objective.objects.filter(match=tmg, kind="token").first()
    saved(admin_client, one, engaged_with=[other.key])
    saved(admin_client, token, claimed_by=one.key)
    prefix = inline(admin_client, tmg, "units", one.key)
    before = state_of(tmg)
    assert saved(admin_client, tmg, **{f"{prefix}-DELETE": "on"}).status_code == 302
    g = state_of(tmg)
    assert one.key not in g.units
    assert g.units[other.key].engaged_with == frozenset()
    assert g.objectives[token.key].claimed_by is None
    undoing.ask(tmg.code, "", last(tmg).version, play.new_key(), "olenna")
    assert state_of(tmg).units == before.units
    assert state_of(tmg).objectives == before.objectives


def test_a_unit_is_removed_from_its_own_page_with_a_reason(admin_client, tmg):
    unit = wolves(tmg)
    url = f"/admin/games/unit/{unit.pk}/delete/"
    assert "Reason" in admin_client.get(url).content.decode()
    assert admin_client.post(url, {"post": "yes", "reason": "never brought"}).status_code == 302
    assert unit.key not in state_of(tmg).units
    assert last(tmg).note == "never brought"


def test_objectives_come_and_go(admin_client, auction):
    token = {"name": "Moat", "kind": "token", "claimed_by": "", "override": "stark"}
    saved(admin_client, auction, **added("objectives", 0, **token))
    assert state_of(auction).objectives["moat"].override == "stark"
    saved(admin_client, auction, **{"objectives-0-DELETE": "on"})
    assert state_of(auction).objectives == {}


def test_seats_and_rounds_are_neither_added_nor_removed(admin_client, rps):
    tap(rps, "red", "throw:rock")
    tap(rps, "blue", "throw:paper")
    extra = added("armies", 2, name="Cersei") | added("rounds", 1, first="red") | {"rounds-0-DELETE": "on"}
    saved(admin_client, rps, **extra, **{"armies-0-DELETE": "on"})
    assert list(state_of(rps).armies) == ["red", "blue"]
    assert Round.objects.filter(match=rps).count() == 1


def test_who_led_a_round_can_be_corrected(admin_client, tmg):
    saved(admin_client, tmg, **{"rounds-0-first": "blue"})
    assert state_of(tmg).rounds["1"].first == "blue"


# --- positions that the rules cannot follow ------------------------------------------------------


def test_an_odd_position_may_be_made(admin_client, tmg):
    unit = wolves(tmg)
    saved(admin_client, unit, wounds="99", place="reserve", activated="on")
    assert state_of(tmg).units[unit.key].wounds == 99


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        (
            "games.core.steps.Corrections.follow",
            "The rules cannot continue from there. Nothing was changed.",
        ),
        (
            "games.view_models.game_page.Page.side",
            "That would make the match unreadable. Nothing was changed.",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_a_sentence(
    admin_client, auction, monkeypatch, place, sentence
):
    def lost(self, *_given):
        raise KeyError("lost")

    monkeypatch.setattr(place, lost)
    house = Army.objects.get(match=auction, key="stark")
    answer = saved(admin_client, house, power="9", reason="counted")
    assert errors_of(answer) == [sentence]
    assert (filled(answer)["power"], filled(answer)["reason"]) == ("9", "counted")
    assert Match.objects.get(pk=auction.pk).version == auction.version
    assert state_of(auction).armies["stark"].power == 5


def test_a_unit_whose_removal_is_refused_stays(admin_client, tmg, monkeypatch):
    def refuses(self, g):
        raise KeyError("lost")

    monkeypatch.setattr("games.systems.tmg.tmg_corrections.TmgCorrections.follow", refuses)
    url = f"/admin/games/unit/{wolves(tmg).pk}/delete/"
    page = admin_client.post(url, {"post": "yes", "reason": "went home"}).content.decode()
    assert "The rules cannot continue from there." in page
    assert 'value="went home"' in page
    assert "wolves" in state_of(tmg).units


@pytest.mark.parametrize("reason", ["", "  ", "a\x00b", "a\u202eb", "x" * 5_000])
def test_a_unit_is_not_removed_without_a_reason_that_can_be_read(admin_client, tmg, reason):
    answer = admin_client.post(
        f"/admin/games/unit/{wolves(tmg).pk}/delete/", {"post": "yes", "reason": reason}
    )
    assert answer.context["form"].errors["reason"]
    assert "wolves" in state_of(tmg).units
    assert Match.objects.get(pk=tmg.pk).version == tmg.version


def test_an_edit_of_a_finished_match_works_its_result_out_again(admin_client, tmg):
    def ends(g):
        g.score("red", 5, "token")
        g.result = {"winner": "red", "how": "time-out"}

    play.edit(tmg.code, ends, "olenna", "time")
    admin_client.post(
        f"/admin/games/match/{tmg.pk}/points/", {"points-side-blue": "9", "points-reason": "forgotten"}
    )
    result = Match.objects.get(pk=tmg.pk).result
    assert (result["winner"], result["how"]) == ("blue", "time-out")
