"""A sealed value reaches nobody else before the reveal: worlds that differ in it look alike.

The same script is played in both worlds with a different secret; every byte that any other role can fetch
(every address of the resolver, streams, headers, sizes) has to be equal. Leaks planted on purpose must show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection

from games.core import system
from games.history import commits
from games.match import play, storage
from games.models import Army, Match
from tests.conftest import Server
from tests.positions import all_steps
from tests.trust.cast import Phone
from tests.trust.twins import (
    BY_HTMX,
    CODE,
    HOUSES,
    PLAYERS,
    Transcript,
    Where,
    a_world,
    differences,
    everywhere,
    first_pages,
    is_robot,
    looks,
    opened_alike,
    others_than,
    tap,
    told_to,
    transcript,
)


def auction(amount: int, where: Where = everywhere, *, undone: int = 0) -> Transcript:
    """Stark bids this much; then Lannister bids, and Baratheon does not yet."""

    def script(match: Match) -> Iterator[str]:
        tap(match, "stark", f"bid:throne:{amount}")
        tap(match, "lannister", "bid:throne:2")
        yield "stark"

    return transcript(("auction", "tracks"), HOUSES, script, where, undone=undone)


def throws(thing: str) -> Transcript:
    """Red has thrown this, and blue has not."""

    def script(match: Match) -> Iterator[str]:
        tap(match, "red", f"throw:{thing}")
        yield "red"

    return transcript(("rps", "plain"), PLAYERS, script, everywhere, undone=1)


@pytest.mark.django_db
def test_no_bid_can_be_told_from_another_before_the_reveal():
    low, high = auction(0), auction(5)
    assert differences(low, high) == []
    looks_of = Counter(role for role, _path, _seen in low)
    assert len(looks_of) == 6
    assert min(count for role, count in looks_of.items() if not is_robot(role)) > 50
    print(f"PROMISE P5: a pair of worlds, {len(low)} looks of {len(looks_of)} roles, 0 differ")


@pytest.mark.django_db
def test_no_bid_can_be_told_from_another_by_what_others_take_back():
    assert differences(*(auction(amount, first_pages, undone=1) for amount in (0, 5))) == []


@pytest.mark.django_db
def test_no_throw_can_be_told_from_another_before_both_have_thrown():
    rock, paper = throws("rock"), throws("paper")
    assert differences(rock, paper) == []


@pytest.mark.django_db
def test_what_is_revealed_can_be_told_apart():
    """The worlds do differ, and the addresses do reach what differs."""

    def script(match: Match, thing: str) -> Iterator[str]:
        tap(match, "red", f"throw:{thing}")
        tap(match, "blue", "throw:rock")
        yield "red"

    rock, paper = (
        transcript(("rps", "plain"), PLAYERS, partial(script, thing=thing), first_pages)
        for thing in ("rock", "paper")
    )
    alike = {f"{role} {path}" for role, path, _seen in rock} - set(differences(rock, paper))
    # The replay of a moment before the reveal still does not show it.
    assert alike == {f"{role} /t/{CODE}/replay/2{BY_HTMX}" for role in ("blue", "organiser")}


# --- leaks that have to be caught -----------------------------------------------------------------


def says_the_length(step: Any, g: Any, seat: str, track: str, amount: int) -> None:
    g.hide(seat, "bid", amount)
    g.say("%(house)s has bid %(mask)s", house=g.armies[seat].name, mask="*" * amount)


def forgets_nought(step: Any, g: Any, seat: str, track: str, amount: int) -> None:
    if amount:
        g.hide(seat, "bid", amount)
    g.say("%(house)s has bid", house=g.armies[seat].name)


def pays_at_once(step: Any, g: Any, seat: str, track: str, amount: int) -> None:
    g.hide(seat, "bid", amount)
    g.armies[seat].power -= amount
    g.say("%(house)s has bid", house=g.armies[seat].name)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("leak", "pair"), [(says_the_length, (1, 5)), (forgets_nought, (0, 1)), (pays_at_once, (1, 5))]
)
def test_a_leak_would_show(leak: Callable[..., None], pair: tuple[int, int], monkeypatch: pytest.MonkeyPatch):
    (bid,) = {step for step in all_steps(system("auction")) if step.name == "bid"}
    monkeypatch.setattr(bid, "bid", leak)
    assert differences(auction(pair[0], first_pages), auction(pair[1], first_pages)) != []


@pytest.mark.django_db
def test_a_view_that_forgets_whose_it_is_would_show(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("games.history.commits.owner_of_secret", lambda path, value: "")
    monkeypatch.setattr("games.core.view", lambda state, seat: state)
    with a_world(("rps", "plain"), PLAYERS) as match:
        plant(match)
        found = canaries(match, others_than("red", match), first_pages)
    assert found != []


@pytest.mark.django_db
def test_what_is_hidden_from_the_start_is_in_the_sealed_part_of_the_opening_alone():
    """P5: an opening writes whole armies, and a game may deal cards before it asks anybody."""
    state = play.initial_state("rps", "plain", PLAYERS)
    state.armies["red"].hidden = {"hand": "canary"}
    match = play.create_match(Match(), state, play.say("Dealt."))
    opening = match.entries.get()
    assert "canary" not in f"{opening.before} {opening.after} {opening.lines} {opening.action}"
    assert set(opening.sealed) == {"red"}
    assert commits.full_image(opening, "after")["army/red"]["hidden"] == {"hand": "canary"}
    assert opening.after["army/red"]["hidden"] == {}
    assert storage.final_position(match).armies["red"].hidden == {"hand": "canary"}


# --- a marker in every hidden value ---------------------------------------------------------------


def plant(match: Match) -> None:
    """Hide a marker in every army and in the seed."""
    for army in match.armies.all():
        Army.objects.filter(pk=army.pk).update(hidden={"throw": f"canary-{army.key}"})
    Match.objects.filter(pk=match.pk).update(seed="canary-seed")


def canaries(match: Match, phones: dict[str, Phone], where: Where = everywhere) -> list[tuple[str, str, str]]:
    """The markers that somebody else can read, and where."""
    found = []
    for role, path, answer in looks(match, phones, where):
        for marker in set(re.findall(r"canary-\w+", repr(answer))):
            if marker.removeprefix("canary-") != role.removeprefix("robot "):
                found.append((role, path, marker))
    return found


@pytest.mark.django_db
def test_no_marker_leaves_its_seat():
    with a_world(("rps", "plain"), PLAYERS) as match:
        phones = others_than("nobody", match)
        plant(match)
        assert canaries(match, phones) == []


@pytest.mark.django_db
def test_what_a_database_dump_shows_of_an_entry_is_sealed():
    """The log's public columns, which lists and exports are made from, never hold the bid."""
    with a_world(("auction", "tracks"), HOUSES) as match:
        tap(match, "stark", "bid:throne:4")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT action, lines, before, after, payload FROM games_entry WHERE match_id = %s",
                [match.pk],
            )
            public = repr(cursor.fetchall()[1:])
    assert "bid" in public
    assert not re.search(r"bid:throne:|(?<![\w])4(?![\w])", public)


# --- streams --------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_no_stream_tells_a_throw_before_both_have_thrown(server: Server):
    told = {thing: frames(server, thing) for thing in ("rock", "paper", "scissors")}
    assert len(told["rock"]) >= 8
    assert told["rock"] == told["paper"] == told["scissors"]


def frames(server: Server, thing: str) -> list[object]:
    """Everything that blue's stream and a spectator's carry while red throws this."""
    return told_to(server, opened_alike("rps", "plain", PLAYERS), "blue", [f"red throw:{thing}"])
