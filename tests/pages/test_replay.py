"""Replay as its pages show it: every moment as the board was, clear words for wrong addresses, the ways."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from msgspec.structs import replace

from games import view_models
from games.core import RequestRefused, ViewModel, system, systems
from games.live.hub import Audience
from games.management.commands.plant import planted, seeds
from games.match import play, random_play, storage, undoing
from games.models import Match
from games.pages.records import past
from games.pages.table import boards
from games.pages.table.loaded import Table
from tests.playing import Playing
from tests.trust import cast, twins

pytestmark = pytest.mark.django_db

SELDOM = 3
"""Every so many versions somebody looks at the table."""

GAMES = [(game.slug, mode.slug) for game in systems() for mode in game.modes]


def stripped(board: view_models.Board) -> view_models.Board:
    """A board without what leads away from it: all else is what somebody saw."""
    links = board.result and replace(board.result, links=(), more=(), story=None)
    return _bare(
        replace(
            board,
            middle=replace(board.middle, invitee=None),
            result=links,
            undo=None,
            followed="",
            last="" if board.seat else board.last,
            request=None,
            guests=(),
            asked=None,
            ways=(),
            hand_over=(),
            notice=None,
        )
    )


def _bare(value: Any) -> Any:
    """Shapes without addresses."""
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    if isinstance(value, ViewModel):
        names = [name for name in value.__struct_fields__ if name not in ("sheet_url", "read", "url")]
        return (type(value).__name__, *((name, _bare(getattr(value, name))) for name in names))
    return value


def audiences(match: Match) -> list[Audience]:
    """Who looks at the newest version: a spectator, or one of the players in turn."""
    eyes = [(), *((seat,) for seat in match.armies.order_by("pk").values_list("key", flat=True))]
    return [Audience(eyes[match.version // SELDOM % len(eyes)], "en", "replay")]


def seen(match: Match) -> dict[Audience, Any]:
    """What everybody sees live, but for who might still come: nobody sits down in the past."""
    table = Table(Match.objects.get(pk=match.pk))
    table.open_seats = ()
    return {each: stripped(boards.board(table, each)) for each in audiences(match)}


def played(slug: str, mode: str, luck: random.Random, taps: int) -> Iterator[Match]:
    """A match that is played at random, corrected and taken back; it is given after every entry."""
    game = system(slug)
    names = dict(list(game.seat_names.items())[: game.seat_range[0]])
    match = play.open_match(slug, mode, names, seed=f"replay {mode}")
    yield match
    for _tap in range(taps):
        playing = Playing(match)
        if playing.state.result is not None:
            return
        with suppress(RequestRefused):
            act(match, playing, luck)
        match.refresh_from_db()
        yield match


def act(match: Match, playing: Playing, luck: random.Random) -> None:
    """A tap, now and then a correction, or an organiser's taking back of one of the last actions."""
    state, chance = playing.state, luck.random()
    if chance < 0.08 and (correction := random_play.correction(state, luck)):
        play.adjust(match.code, *correction, play.new_key())
    elif chance < 0.16 and (standing := undoing.undoable(match)):
        undoing.ask(match.code, "", luck.choice(standing[:4]).version, play.new_key(), "Organiser")
    else:
        playing.tap(*random_play.tap(state, luck))


@pytest.mark.parametrize(("slug", "mode"), GAMES)
def test_every_moment_is_the_board_as_everybody_saw_it(slug: str, mode: str) -> None:
    luck = random.Random(f"{slug} {mode}")
    live: dict[int, dict[Audience, Any]] = {}
    for match in played(slug, mode, luck, 45):
        if match.version % SELDOM == 0:
            live[match.version] = seen(match)
    assert len(live) > 2
    for version, views in live.items():
        then = past.Past(match, version)
        for audience, shown in views.items():
            assert stripped(past.board(then, audience)) == shown, (version, audience.seats)


# --- addresses ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def _some(django_db_setup: None, django_db_blocker: Any) -> Iterator[Match]:
    with django_db_blocker.unblock(), transaction.atomic():
        *_, played_on = played("tmg", "a-game-of-thrones", random.Random(7), 30)
        newest = undoing.undoable(played_on, 1)[0]
        undoing.ask(played_on.code, "", newest.version, play.new_key(), "Organiser")
        yield played_on
        transaction.set_rollback(True)


@pytest.fixture
def match(_some: Match, db: None) -> Match:
    """A match of some entries, of which one was taken back; played once for all tests."""
    return Match.objects.get(pk=_some.pk)


def page(match: Match, rest: str = "", **headers: str) -> Any:
    return Client().get(f"/t/{match.code}/replay{rest}", headers=headers)


@pytest.mark.parametrize("wrong", ["0", "{beyond}", "-1", "1.5", "abc", "٣", "99999999999", "1e1", "%00"])
def test_a_moment_that_is_none_is_named_with_those_there_are(match: Match, wrong: str) -> None:
    answer = page(match, "/" + wrong.format(beyond=match.version + 1))
    assert answer.status_code == 404
    assert f"This match has entries 1 to {match.version}." in answer.content.decode()


def test_who_mistypes_moments_is_not_taken_for_one_who_guesses_codes(match: Match) -> None:
    assert {page(match, "/0").status_code for _try in range(80)} == {404}


def test_a_replay_begins_with_the_first_round(match: Match) -> None:
    first = next(one for one in storage.outline(match) if one.round or one.version == 1)
    assert page(match)["Location"] == f"/t/{match.code}/replay/{first.version}"


def test_a_form_without_scripts_leads_to_the_moment_it_names(match: Match) -> None:
    assert page(match, "?at=5&by=entry&speed=600")["Location"] == f"/t/{match.code}/replay/5"
    answer = page(match, "?at=5&by=round&undone=skip")
    assert re.search(r"/replay/[345]\?by=round&undone=skip$", answer["Location"])
    assert page(match, "?at=nothing").status_code == 404


def test_nothing_on_a_moment_acts(match: Match) -> None:
    for version in range(1, match.version + 1):
        source = page(match, f"/{version}").content.decode()
        board = source[source.index("<fieldset") : source.rindex("</fieldset>")]
        assert board.startswith('<fieldset class="then" disabled>')
        assert 'href="/' not in board
        assert f'data-version="{version}"' in source


def test_a_script_fetches_the_board_of_a_moment_alone(match: Match) -> None:
    answer = page(match, "/3", HX_Request="true").content.decode()
    assert answer.startswith('<main id="board"')
    assert answer.endswith("</main>")


def test_history_and_score_and_result_lead_to_replay(match: Match) -> None:
    history = Client().get(f"/t/{match.code}/history").content.decode()
    assert f'href="/t/{match.code}/replay/{match.version}"' in history
    assert f'href="/t/{match.code}/replay"' in history
    assert f'href="/t/{match.code}/replay"' in Client().get(f"/t/{match.code}/score").content.decode()


# --- going through it -----------------------------------------------------------------------------


def test_the_outline_tells_rounds_and_points_as_the_positions_do() -> None:
    for slug in ("tmg", "bushido", "agot"):
        *_, match = played(slug, system(slug).modes[0].slug, random.Random(slug), 60)
        outline = storage.outline(match)
        for moment, (entry, state) in zip(outline, storage.positions(match), strict=True):
            points = tuple(map(state.points, state.seats))
            assert (moment.version, moment.round, moment.points) == (entry.version, state.round, points)


def test_points_that_were_taken_back_do_not_stay_in_the_outline() -> None:
    match = planted(next(path for path in seeds("tmg") if "finished" not in path.stem))
    given = play.adjust(match.code, "red", "army/red", "points:red:2", play.new_key(), note="a token")
    undoing.ask(match.code, "", given.version, play.new_key(), "Organiser")
    before, corrected, undone = storage.outline(match)[-3:]
    assert corrected.points[0] == before.points[0] + 2
    assert undone.points == before.points


def test_positions_from_either_end_are_those_of_every_entry(match: Match) -> None:
    for entry, state in storage.positions(match):
        found = storage.position(match, entry.version)
        assert found == state
        for mapping in ("armies", "units", "objectives", "rounds", "scores"):
            assert list(getattr(found, mapping)) == list(getattr(state, mapping)), (entry.version, mapping)


def ways(source: str) -> dict[str, str]:
    """Where the four ways from a moment lead."""
    found = re.findall(r'id="way-(\w+)"(?: href="[^"]*/replay/(\d+)[^"]*")?', source)
    return dict(found)


def walked(match: Match, query: str) -> list[int]:
    """The moments that one step after the other leads to, from the first."""
    version, found = "1", []
    while version:
        found.append(int(version))
        version = ways(page(match, f"/{version}?{query}").content.decode())["onward"]
    return found


def test_a_step_goes_by_entries_by_rounds_by_points_and_by_players(match: Match) -> None:
    outline = storage.outline(match)
    assert walked(match, "") == [one.version for one in outline]
    for seat in ("red", "blue"):
        theirs = [one.version for one in outline if one.seat == seat]
        assert walked(match, f"by={seat}") == [1, *theirs]
    undone = [one.version for one in outline if one.undone or one.undoing]
    assert undone
    assert walked(match, "undone=skip") == [one.version for one in outline if one.version not in undone]


def test_what_was_undone_is_struck_or_left_out(match: Match) -> None:
    undone = next(one.version for one in storage.outline(match) if one.undone)
    source = page(match, f"/{undone}").content.decode()
    assert "<s>" in source
    assert "Undone later" in source
    answer = page(match, f"/{undone}?undone=skip")
    assert answer.status_code == 302
    assert int(re.findall(r"/replay/(\d+)", answer["Location"])[0]) < undone


def test_rounds_and_points_are_stops() -> None:
    match = planted(next(path for path in seeds("tmg") if "finished" in path.stem))
    outline = storage.outline(match)

    steps = list(pairwise(outline))
    rounds = [now.version for before, now in steps if now.round != before.round]
    points = [now.version for before, now in steps if now.points != before.points]
    assert len(rounds) > 3
    assert len(points) > 3
    assert walked(match, "by=round") == [1, *rounds]
    assert walked(match, "by=points") == [1, *points]
    source = Client().get(f"/t/{match.code}/").content.decode()
    assert f'href="/t/{match.code}/replay"' in source


# --- whose eyes -----------------------------------------------------------------------------------


def test_nobody_borrows_the_eyes_of_a_seat() -> None:
    """Whoever has no seat, or another, sees what everybody saw, whatever the address asks for."""
    match = play.open_match("auction", "tracks", twins.HOUSES, seed="eyes")
    twins.tap(match, "stark", "bid:throne:2")
    match.refresh_from_db()
    phones = {seat: cast.Phone() for seat in ("", "stark", "lannister")}
    for seat, phone in phones.items():
        if seat:
            cast.sit(phone, match, seat)
    match.refresh_from_db()
    path = f"/t/{match.code}/replay/2"

    def told(seat: str, query: str) -> str:
        source = phones[seat].ask("GET", path + query).content.decode()
        return source[source.index("<main") : source.index('class="ways"')]

    everybody = told("", "")
    assert told("stark", "") != everybody
    assert told("stark", "?view=everybody") == everybody
    assert told("", "?seat=stark") == everybody
    assert told("lannister", "?seat=stark&view=everybody") == everybody
    assert told("lannister", "?seat=stark") == told("lannister", "")


def test_what_was_undone_later_had_not_been_undone_then(match: Match) -> None:
    undone = max(one.version for one in storage.outline(match) if one.undone)

    def is_known_as_undone(version: int) -> bool:
        recent = past.Past(match, version).recent
        return next(entry for entry in recent if entry.version == undone).is_undone

    assert not is_known_as_undone(undone)
    assert is_known_as_undone(match.version)
