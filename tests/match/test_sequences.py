"""An attack takes several corrections and is one sequence: one row of the history, one undo."""

import pytest
from django.test import Client

from games.live.hub import Audience
from games.match import undoing
from games.match.storage import current
from games.models import Entry, Match
from games.pages.table import boards
from games.pages.table.loaded import Table, table_of
from games.pages.watching import watch
from tests.browser.driving import SET_UP, do, opened
from tests.match.undo import answer, ask, request_of
from tests.playing import state_of

pytestmark = pytest.mark.django_db

ATTACK = """
{by} unit/{unit} attack:{unit}:{target}
{by} table dice:1
{by} table hits:5
{rival} table blocks:2
{rival} table panics:2
"""


@pytest.fixture
def match():
    return opened(SET_UP)


def fighters(match):
    """An infantry unit of each side."""
    units = state_of(match).units.values()
    return [next(u.key for u in units if (u.army, u.kind) == (seat, "infantry")) for seat in ("red", "blue")]


def attack(match, by="red", rival="blue"):
    """The whole attack, entered by two seats or by one; returns the version of its last step."""
    unit, target = fighters(match)
    do(match, ATTACK.format(by=by, rival=rival, unit=unit, target=target))
    return match.version


def rows(match):
    """The rows of the history: the sentences of each."""
    page = Client().get(f"/t/{match.code}/history").context["page"]
    return [entry.lines for group in page.groups for entry in group.entries]


def test_an_attack_is_one_row_of_the_history(match):
    before = len(rows(match))
    attack(match)
    now = rows(match)
    assert len(now) == before + 1
    assert now[0][0].endswith("5 hits, 3 wounds, panic test failed, 2 wounds.")
    assert "Attack dice" in " ".join(now[0])


def test_spectators_are_told_of_an_attack_as_one(match):
    before = watch.watched(table_of(match.code)).happenings
    attack(match)
    told = watch.watched(table_of(match.code)).happenings
    assert "5 hits, 3 wounds, panic test failed, 2 wounds." in told[0].lines[0].text
    assert told[1:] == before[: len(told) - 1]


def test_what_happens_between_its_steps_has_a_row_of_its_own(match):
    unit, target = fighters(match)
    do(match, f"red unit/{unit} attack:{unit}:{target}\nred table hits:2\n")
    before = len(rows(match))
    do(match, f"red activate:{unit}\nblue table blocks:1\n")
    assert len(rows(match)) == before + 1
    assert [len(sequence) for sequence in undoing.sequences("attack", undoing.undoable(match))[:2]] == [3, 1]


def test_an_attack_is_undone_whole_whichever_of_its_steps_is_named(match):
    _unit, target = fighters(match)
    for back in (0, 2, 4):
        version = attack(match, "red", "red")
        ask(match, "red", version - back)
        match.refresh_from_db()
        state = current(match).state
        assert (state.units[target].wounds, state.attack, request_of(match)) == (12, (), None)
    assert [len(row) for row in rows(match)[:1]] == [1]


def test_both_who_entered_it_agree_to_undo_it(match):
    _unit, target = fighters(match)
    version = attack(match)
    ask(match, "red", version)
    assert request_of(match)["needs"] == ["blue"]
    assert len(request_of(match)["versions"]) == 5
    answer(match, "blue", True)
    assert state_of(match).units[target].wounds == 12


@pytest.mark.parametrize(("rival", "asks"), [("blue", True), ("red", False)])
def test_the_button_says_who_has_to_agree_to_undo_the_whole_attack(match, rival, asks):
    attack(match, rival=rival)
    shown = boards.board(Table(Match.objects.get(pk=match.pk)), Audience((rival,), "en", "table"))
    assert ("must agree" in shown.undo.asks) == asks


def test_the_next_attack_is_another_sequence(match):
    attack(match, "red", "red")
    version = attack(match, "red", "red")
    ask(match, "red", version)
    _unit, target = fighters(match)
    assert state_of(match).units[target].wounds == 7
    assert Entry.objects.filter(match=match, kind=Entry.Kind.UNDO).count() == 5


def test_an_undone_attack_and_its_undoing_are_a_row_each(match):
    before = len(rows(match))
    ask(match, "red", attack(match, "red", "red"))
    assert len(rows(match)) == before + 2
