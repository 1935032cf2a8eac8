"""The history is a chain: any change from outside is found, with the number of its entry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from games.core import System, systems
from games.core.chance import canonical
from games.history import commits as chain
from games.match import match_file, play, practice, storage, undoing
from games.models import Army, Entry, Match
from tests.playing import played_on
from tests.trust.cast import Phone
from tests.trust.twins import HOUSES, everywhere, looks, others_than, tap

pytestmark = pytest.mark.django_db


def faults(match: Match) -> list[tuple[int, str]]:
    match.refresh_from_db()
    return [(fault.version, fault.how) for fault in chain.faults(match, chain.entries_of(match))]


@pytest.fixture
def auction() -> Match:
    """Stark has bid 3 and Lannister 2; Baratheon has not bid yet. A correction has a reason."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a chain")
    tap(match, "stark", "bid:throne:3")
    tap(match, "lannister", "bid:throne:2")
    play.adjust(match.code, "stark", "army/stark", "power:stark:2", "key-adjust-01", note="counted again")
    play.edit(match.code, lambda state: setattr(state, "round", 2), "Olenna", "a round too few")
    match.refresh_from_db()
    return match


MODES = [(game, mode.slug) for game in systems() for mode in game.modes]


@pytest.mark.parametrize(("game", "mode"), MODES, ids=[f"{game.slug}-{mode}" for game, mode in MODES])
def test_every_match_of_every_game_is_a_chain(game: System, mode: str) -> None:
    match = play.open_match(game.slug, mode, dict(list(game.seat_names.items())[: game.seat_range[1]]))
    played_on(match)
    assert faults(match) == []
    assert match.chain == match.entries.latest("version").hash
    assert len(set(match.entries.values_list("hash", flat=True))) == match.version


CHANGED: dict[str, Any] = {
    "kind": "remark",
    "seat": "baratheon",
    "author": "Mallory",
    "step": "other",
    "round": 9,
    "path": "army/lannister",
    "action": "other",
    "note": "nothing",
    "lines": [{"message": "Nothing."}],
    "before": {"round": 7},
    "after": {"round": 9},
    "opens": {"army/stark/hidden/bid": 3},
    "commitments": {"stark": "0" * 64},
    "draws": [[0, 6, 5]],
    "is_final": True,
    "hash": "0" * 64,
    "sealed": {"stark": {"lines": [], "salts": {"": "0" * 32}}},
}
BOOKKEEPING = {"id", "match", "key", "payload"}
"""Columns that say which row it is, whose, and how a repeated tap is recognised: not what an entry says."""


def test_every_column_is_on_the_chain() -> None:
    told = {field.name for field in Entry._meta.fields} - BOOKKEEPING
    assert told == CHANGED.keys() | {"version", "created_at", "undoes"}


@pytest.mark.parametrize("column", CHANGED)
@pytest.mark.parametrize("version", [1, 2, 4, 5])
def test_a_changed_column_is_found_by_its_entry(auction: Match, column: str, version: int) -> None:
    assert faults(auction) == []
    Entry.objects.filter(match=auction, version=version).update(**{column: CHANGED[column]})
    found = faults(auction)
    # An entry's fingerprint covers a secret by its commitments.
    is_sealed = version == 2 and column in ("sealed", "draws")
    assert found[0] == (version, chain.UNSEALED if is_sealed else chain.CHANGED)
    assert {number for number, _how in found} <= {version, version + 1}


BID = "army/stark/hidden/bid"
FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "another amount": lambda part: part["after"].update({BID: 0}),
    "another action": lambda part: part.update(action="bid:throne:0"),
    "another sentence": lambda part: part.update(lines=[{"message": "Nothing."}]),
    "another amount without its salt": lambda part: (part["after"].update({BID: 0}), part["salts"].pop(BID)),
    "no salt of the amount": lambda part: part["salts"].pop(BID),
    "no salt of the rest": lambda part: part["salts"].pop(""),
    "no salt at all": lambda part: part.update(salts={}),
    "no amount": lambda part: part["after"].pop(BID),
    "a mask more": lambda part: part["after"].update({"army/stark/hidden/plan": chain.SEALED}),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_sealed_answer_cannot_be_made_another(auction: Match, how: str) -> None:
    """P6: neither a sealed value nor anything next to it changes unnoticed; no salt is lost alone."""
    entry = auction.entries.get(version=2)
    FORGED[how](entry.sealed["stark"])
    Entry.objects.filter(pk=entry.pk).update(sealed=entry.sealed)
    assert faults(auction) == [(2, chain.UNSEALED)]


@pytest.mark.parametrize("seat", ["baratheon", "nobody"])
def test_a_sealed_part_that_was_put_in_masked_is_found(auction: Match, seat: str) -> None:
    """P6: a mask excuses a missing salt, not a missing commitment."""
    entry = auction.entries.get(version=2)
    put_in = {"after": {f"army/{seat}/hidden/bid": chain.SEALED}, "salts": {}}
    Entry.objects.filter(pk=entry.pk).update(sealed={**entry.sealed, seat: put_in})
    assert faults(auction) == [(2, chain.UNSEALED)]


def test_what_leaves_masked_arrives_as_the_same_chain(auction: Match) -> None:
    file = match_file.whole(auction)
    sealed = file["entries"][1]["sealed"]["stark"]
    assert (sealed["after"], sealed["salts"]) == ({BID: chain.SEALED}, {})
    arrived, _before = match_file.import_match(json.loads(json.dumps(file)), lambda match: None)
    assert faults(arrived) == []
    assert arrived.chain == file["chain"]


def test_what_is_sealed_again_leaves_masked_and_what_was_opened_before_does_not(auction: Match) -> None:
    tap(auction, "baratheon", "bid:throne:0")
    tap(auction, "stark", "bid:fiefdoms:4")
    file = match_file.whole(auction)
    first, last = (file["entries"][version]["sealed"]["stark"] for version in (1, -1))
    assert (first["after"], list(first["salts"])) == ({BID: 3}, ["", BID])
    assert (last["after"], last["salts"]) == ({BID: chain.SEALED}, {})
    arrived, _before = match_file.import_match(json.loads(json.dumps(file)), lambda match: None)
    assert faults(arrived) == []


def test_what_a_table_began_with_sealed_leaves_masked(auction: Match) -> None:
    """Somebody continues from a match that is over by now, at a moment when a bid was sealed."""
    version = auction.version
    assert played_on(auction, 400).result is not None
    match = practice.open_practice(auction, version)
    file = match_file.whole(match)
    sealed = file["entries"][0]["sealed"]["stark"]["after"]["army/stark"]
    assert sealed["hidden"] == {"bid": chain.SEALED}
    arrived, _before = match_file.import_match(json.loads(json.dumps(file)), lambda match: None)
    assert faults(arrived) == []


def test_changed_times_and_undone_entries_are_found(auction: Match) -> None:
    entry = auction.entries.get(version=3)
    Entry.objects.filter(pk=entry.pk).update(created_at=F("created_at") + timedelta(microseconds=1))
    assert faults(auction) == [(3, chain.CHANGED)]
    Entry.objects.filter(pk=entry.pk).update(created_at=entry.created_at)
    assert faults(auction) == []
    Entry.objects.filter(match=auction, version=5).update(undoes=entry)
    assert faults(auction) == [(5, chain.CHANGED)]


def test_entries_taken_out_put_in_and_exchanged_are_found(auction: Match) -> None:
    kept = list(auction.entries.all())
    kept[2].delete()
    assert faults(auction)[0] == (3, chain.MISSING)
    kept[2].save(force_insert=True)
    assert faults(auction) == []
    kept[4].delete()
    assert faults(auction) == [(5, chain.MISSING)]
    kept[4].save(force_insert=True)
    added = Entry(match=auction, version=6, kind="remark", hash="0" * 64)
    added.save()
    assert (6, chain.CHANGED) in faults(auction)
    assert (6, chain.ADDED) in faults(auction)
    added.delete()
    for version, new in ((3, 99), (4, 3), (99, 4)):
        Entry.objects.filter(match=auction, version=version).update(version=new)
    assert {number for number, _how in faults(auction)} >= {3, 4}


@pytest.mark.parametrize(("told", "found"), [(6, (6, chain.MISSING)), (4, (5, chain.ADDED))])
def test_a_row_that_counts_other_entries_is_found(auction: Match, told: int, found: tuple[int, str]) -> None:
    assert faults(auction) == []
    Match.objects.filter(pk=auction.pk).update(version=told, since=0)
    assert faults(auction) == [found]


def test_who_ties_the_chain_again_changes_its_end(auction: Match) -> None:
    noted = auction.chain
    Entry.objects.filter(match=auction, version=4).update(note="whatever")
    auction.chain = ""
    for entry in chain.entries_of(auction):
        chain.join(auction, entry)
        entry.save()
    auction.save()
    assert faults(auction) == []
    assert auction.chain != noted


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda match: match.entries.filter(version=4).update(note="x"), " 4: the entry, or the one before"),
        (lambda match: match.entries.filter(version=5).delete(), " 5: the entry is missing"),
        (lambda match: Match.objects.filter(pk=match.pk).update(chain="0" * 64), " 6: the entry is missing"),
    ],
)
def test_replay_names_what_does_not_fit(auction: Match, change: Callable[[Match], object], said: str) -> None:
    out, errors = StringIO(), StringIO()
    call_command("replay", auction.code, "--check", stdout=out)
    assert f"the last is {auction.chain}" in out.getvalue()
    change(auction)
    with pytest.raises(CommandError):
        call_command("replay", auction.code, "--check", stdout=out, stderr=errors)
    assert said in errors.getvalue()


BROKEN: dict[str, Callable[[Match], object]] = {
    "a game that is gone": lambda match: Match.objects.filter(pk=match.pk).update(system="chess"),
    "no opening": lambda match: match.entries.filter(version=1).update(after={}),
    "no sentence": lambda match: match.entries.update(lines=[{}]),
    "no position": lambda match: Match.objects.filter(pk=match.pk).update(flow=[[]]),
    "no seal": lambda match: match.entries.update(sealed={"stark": 5}),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_match_that_cannot_be_replayed_keeps_no_other_from_being_checked(auction: Match, how: str) -> None:
    other = play.open_match("rps", "plain", {"red": "Red", "blue": "Blue"})
    BROKEN[how](auction)
    for which in ("--all", auction.code):
        out, errors = StringIO(), StringIO()
        with pytest.raises(CommandError, match="Not every match and event came out as it was"):
            call_command("replay", which, "--check", stdout=out, stderr=errors)
        assert auction.code in errors.getvalue()
        assert (f"{other.code}: 1 entries lead to the rows" in out.getvalue()) == (which == "--all")


def test_a_bid_that_was_changed_in_the_rows_is_found_after_the_reveal(
    auction: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "check_secrets", lambda loaded: None)
    Army.objects.filter(match=auction, key="stark").update(hidden={"bid": 0})
    tap(auction, "baratheon", "bid:throne:1")
    errors = StringIO()
    with pytest.raises(CommandError):
        call_command("replay", auction.code, "--check", stdout=StringIO(), stderr=errors)
    assert " 6: it does not follow from the entries before" in errors.getvalue()


def test_the_page_shows_the_last_fingerprint_and_what_does_not_fit(auction: Match) -> None:
    page = Phone().get(f"/t/{auction.code}/verify").content.decode()
    assert auction.chain in page
    assert "changed from outside" not in page
    Entry.objects.filter(match=auction, version=4).update(note="x")
    page = Phone().get(f"/t/{auction.code}/verify").content.decode()
    assert "these entries do not match their fingerprints: 4." in page


# --- sealed answers ------------------------------------------------------------------------------


def revealed(match: Match) -> dict[tuple[int, str], chain.SealedAnswer]:
    found = chain.sealed_answers(chain.entries_of(match), None)
    return {(answer.version, answer.seat): answer for answer in found}


def test_a_sealed_answer_is_committed_to_at_once_and_opened_by_its_reveal(auction: Match) -> None:
    before = revealed(auction)
    assert set(before) == {(2, "stark"), (3, "lannister")}
    assert not any(answer.salt or answer.text or answer.value for answer in before.values())
    page = Phone().get(f"/t/{auction.code}/verify").content.decode()
    assert all(answer.commitment in page for answer in before.values())
    tap(auction, "baratheon", "bid:throne:1")
    after = revealed(auction)
    for place, answer in before.items():
        assert after[place].commitment == answer.commitment
        assert hashlib.sha256(after[place].text.encode()).hexdigest() == answer.commitment
    assert json.loads(after[2, "stark"].text[32:]) == ["army/stark/hidden/bid", 3]
    assert "bid&#34;,3]" in Phone().get(f"/t/{auction.code}/verify").content.decode()


def test_what_a_seat_thought_better_of_is_never_opened() -> None:
    match = play.open_match("agot", "light", HOUSES, seed="thought better")
    from tests.trust.test_secret_bids import play_to_the_clash

    play_to_the_clash(match, "light")
    tap(match, "stark", "bid:iron-throne:3")
    tap(match, "stark", "unseal")
    tap(match, "stark", "bid:iron-throne:1")
    tap(match, "lannister", "bid:iron-throne:0")
    tap(match, "baratheon", "bid:iron-throne:0")
    values = [answer.value for answer in chain.sealed_answers(chain.entries_of(match), None) if answer.salt]
    assert sorted(values) == [0, 1]


def test_a_reader_s_export_opens_what_was_revealed_and_nothing_else(auction: Match) -> None:
    assert [entry["revealed"] for entry in match_file.own_view(auction, None)["entries"]] == [{}] * 5
    tap(auction, "baratheon", "bid:throne:1")
    auction.refresh_from_db()
    opened = match_file.own_view(auction, None)["entries"][1]
    ((place, known),) = opened["revealed"].items()
    assert known["value"] == 3
    text = known["salt"] + canonical([place, known["value"]])
    assert hashlib.sha256(text.encode()).hexdigest() == opened["commitments"][place]


def test_no_salt_leaves_before_its_value(auction: Match) -> None:
    salts = auction.entries.get(version=2).sealed["stark"]["salts"].values()
    told = [str(answer) for *_place, answer in looks(auction, others_than("stark", auction), everywhere)]
    assert len(told) > 100
    assert not [salt for salt in salts for text in told if salt in text]


def test_salts_are_long_and_never_the_same(auction: Match) -> None:
    parts = [part for entry in auction.entries.all() for part in entry.sealed.values()]
    salts = [salt for part in parts for salt in part["salts"].values()]
    assert [len(bytes.fromhex(salt)) for salt in salts] == [16, 16, 16, 16]
    assert len(set(salts)) == 4


def test_what_stays_hidden_after_the_end_leaves_without_its_salt() -> None:
    """With its salt a value can be guessed: a mask must not come with one."""
    part = {
        "before": {},
        "after": {"army/red/hidden/hand": ["a"], "army/red/hidden/bid": 3},
        "action": "keep:a",
    }
    sealed = chain.salted({"red": part})
    from games.match.match_file import _without_kept

    nothing: dict[str, set[str]] = {"before": set(), "after": set()}
    shown = _without_kept(sealed["red"], {("red", "hand")}, nothing)
    assert shown["salts"] == {"army/red/hidden/bid": sealed["red"]["salts"]["army/red/hidden/bid"]}
    assert shown["after"]["army/red/hidden/hand"] == chain.SEALED
    assert _without_kept(sealed["red"], set(), nothing) == sealed["red"]


def test_the_told_end_says_whether_something_was_added_or_is_missing(auction: Match) -> None:
    """Somebody who noted a fingerprint learns which entries came after it, and whether any are gone."""
    entries = list(chain.entries_of(auction))
    ends = [entry.hash for entry in entries]

    def found(count: int, end: str) -> list[tuple[int, str]]:
        auction.chain = end
        return [(fault.version, fault.how) for fault in chain.faults(auction, entries[:count])]

    whole = len(entries)
    for end, last in enumerate(ends, 1):
        assert found(whole, last) == ([] if end == whole else [(end + 1, chain.ADDED)])
        assert found(end - 1, ends[-1]) == [(end, chain.MISSING)]
    assert found(whole, "0" * 64) == [(whole + 1, chain.MISSING)]


def test_once_a_match_is_over_all_is_known_but_what_stays_hidden(auction: Match) -> None:
    entries = list(chain.entries_of(auction))
    other = "army/lannister/hidden/bid"

    def known(kept: set[tuple[str, str]] | None) -> dict[str, object]:
        return {each.place: each.value for each in chain.sealed_answers(entries, kept) if each.salt}

    assert known(None) == {}
    assert known(set()) == {BID: 3, other: 2}
    assert known({("stark", "bid"), ("lannister", "another")}) == {other: 2}


def test_of_several_seals_of_one_entry_each_is_looked_at() -> None:
    """P6: two armies were dealt secret hands; a change to either hand is found."""
    state = play.initial_state("rps", "plain", {"red": "Red", "blue": "Blue"})
    for seat in ("red", "blue"):
        state.armies[seat].hidden = {"hand": seat}
    match = play.create_match(Match(), state, play.say("Dealt."))
    entry = match.entries.get()
    assert faults(match) == []
    for seat in ("red", "blue"):
        sealed = json.loads(json.dumps(entry.sealed))
        sealed[seat]["after"][f"army/{seat}"]["hidden"]["hand"] = "another"
        Entry.objects.filter(pk=entry.pk).update(sealed=sealed)
        assert faults(match) == [(1, chain.UNSEALED)]


def test_what_was_taken_back_unseen_is_one_answer_and_no_second_one(auction: Match) -> None:
    before = len(chain.sealed_answers(chain.entries_of(auction), set()))
    undoing.ask(auction.code, "stark", 2, "key-undo-0001")
    assert len(chain.sealed_answers(chain.entries_of(auction), set())) == before
