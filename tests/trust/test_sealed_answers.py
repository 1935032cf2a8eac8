"""P5, P6: what is used of a secret is what was committed to, or the table stops until somebody decides."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import verify
from games.core import ABSENT, RequestRefused, System, engine
from games.match import match_file, play, random_play, storage, undoing
from games.models import Army, Entry, Match
from games.people import seats
from tests.playing import Playing, state_of
from tests.trust import cast
from tests.trust.cast import Phone
from tests.trust.test_chain import MODES
from tests.trust.twins import HOUSES, tap

pytestmark = pytest.mark.django_db

PLACE = "army/stark/hidden/bid"


@pytest.fixture
def bid() -> Match:
    """Stark has bid 3 and Lannister 2; once Baratheon bids, all are revealed."""
    match = play.open_match("auction", "tracks", HOUSES, seed="an attack")
    tap(match, "stark", "bid:throne:3")
    tap(match, "lannister", "bid:throne:2")
    return match


def change_the_row(match: Match, seat: str, hidden: dict[str, Any]) -> None:
    """Change only what the row of an army hides, while the server is down."""
    Army.objects.filter(match=match, key=seat).update(hidden=hidden)
    storage.COMMITS.clear()


def forget(match: Match, seat: str) -> None:
    """Change what the log keeps of a seat's bid as well: nobody knows any more what it was."""
    entry = match.entries.get(seat=seat, version__gt=1)
    part = entry.sealed[seat]
    part["after"][f"army/{seat}/hidden/bid"] = 1
    Entry.objects.filter(pk=entry.pk).update(sealed=entry.sealed)


def refusal(match: Match, seat: str, action: str) -> str:
    """The kind of refusal that a tap gets."""
    with pytest.raises(RequestRefused) as refused:
        tap(match, seat, action)
    return refused.value.error


def robot(match: Match, seat: str) -> Phone:
    """A program with the token of a seat."""
    phone = Phone()
    phone.token = seats.api_token(match.seats.select_related("match").get(key=seat))
    return phone


def faults(file: dict[str, Any]) -> list[str]:
    return list(verify.faults(json.loads(json.dumps(file))))


# --- the attack ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [{"bid": 0}, {"bid": 4}, {}, {"bid": 3, "plan": 1}, {"bid": "3"}])
def test_a_changed_bid_stops_the_reveal(bid: Match, hidden: dict[str, Any]) -> None:
    """Another amount, none at all, something more, or the same figure as a text."""
    before = bid.entries.count()
    change_the_row(bid, "stark", hidden)
    assert refusal(bid, "baratheon", "bid:throne:1") == storage.ERROR
    assert bid.entries.count() == before
    assert state_of(bid).bids == {}


def test_nothing_is_stopped_while_all_is_as_it_was(bid: Match) -> None:
    storage.COMMITS.clear()
    tap(bid, "baratheon", "bid:throne:1")
    assert state_of(bid).bids == {"stark": 3, "lannister": 2, "baratheon": 1}


def test_everybody_at_the_table_reads_who_decides_and_a_player_puts_it_back(bid: Match) -> None:
    phones = {seat: Phone() for seat in HOUSES}
    for seat, phone in phones.items():
        phone.post(cast.link(bid, seat), {"name": ""})
    change_the_row(bid, "stark", {"bid": 0})
    bid.refresh_from_db()
    answer = phones["baratheon"].post(
        f"/t/{bid.code}/act", {"action": "bid:throne:1", "seen": bid.version, "key": "key-of-a-tap-1"}
    )
    assert answer.status_code == 409
    for phone in (*phones.values(), Phone()):
        page = phone.get(f"/t/{bid.code}/").content.decode()
        assert "The sealed answers of Stark were changed outside the game" in page
        assert 'value="bid:throne' not in page
        assert ('value="restore"' in page) == (phone in phones.values())
    told = bid.entries.latest("version")
    assert (told.kind, told.before, told.after) == ("remark", {}, {})
    phones["lannister"].post(f"/t/{bid.code}/undo", {"undo": "restore", "key": "key-of-a-tap-2"})
    assert 'value="restore"' not in phones["stark"].get(f"/t/{bid.code}/").content.decode()
    tap(bid, "baratheon", "bid:throne:1")
    assert state_of(bid).bids["stark"] == 3
    for seat in (*HOUSES, None):
        assert faults(match_file.own_view(bid, seat)) == []
    call_command("replay", bid.code, "--check", stdout=StringIO())


def test_it_is_told_once_however_many_taps_are_refused(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    before = bid.entries.count()
    for _tap in range(3):
        play.tell_altered(bid.code)
    assert bid.entries.count() == before + 1


def test_whoever_comes_to_the_table_meanwhile_gets_a_seat_and_no_wrong_bid_is_kept(
    bid: Match, django_capture_on_commit_callbacks: Any
) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    with django_capture_on_commit_callbacks(execute=True):
        play.sit_down(bid.code, "baratheon", "Renly")
        play.rename(bid.code, "baratheon", "Stannis")
    bid.refresh_from_db()
    assert bid.armies.get(key="baratheon").name == "Stannis"
    # The first of these entries says what was altered, the other one need not.
    said = [str(entry.lines).count("changed outside the game") for entry in bid.entries.order_by("version")]
    assert said[-2:] == [1, 0]
    assert refusal(bid, "baratheon", "bid:throne:1") == storage.ERROR


def test_an_organiser_lets_the_changed_bid_stand_and_the_history_says_so(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    play.tell_altered(bid.code)
    play.accept_altered(bid.code, "", "key-accepting", "Olenna")
    entry = bid.entries.latest("version")
    assert (entry.kind, entry.author, entry.is_final) == ("edit", "Olenna", True)
    assert "Olenna" in str(entry.lines)
    assert entry.after == {PLACE: "\u2022"}
    tap(bid, "baratheon", "bid:throne:1")
    assert state_of(bid).bids["stark"] == 0
    for seat in (*HOUSES, None):
        assert faults(match_file.own_view(bid, seat)) == []
    call_command("replay", bid.code, "--check", stdout=StringIO())


def test_a_player_cannot_let_a_changed_bid_stand_while_the_right_one_is_known(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    for seat in HOUSES:
        with pytest.raises(RequestRefused) as refused:
            play.accept_altered(bid.code, seat, f"key-{seat}-accepts")
        assert refused.value.error == "restorable"


def test_friends_without_an_organiser_go_on_together_if_nobody_knows_the_bid_any_more(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    forget(bid, "stark")
    with pytest.raises(RequestRefused) as refused:
        play.restore_secrets(bid.code, "lannister", "key-restoring")
    assert refused.value.error == "not_restorable"
    for seat in ("lannister", "stark"):
        play.accept_altered(bid.code, seat, f"key-{seat}-accepts")
        assert refusal(bid, "baratheon", "bid:throne:1") == storage.ERROR
    # Who has agreed already counts once.
    play.accept_altered(bid.code, "stark", "key-stark-again")
    bid.refresh_from_db()
    assert bid.altered["agreed"] == ["lannister", "stark"]
    play.accept_altered(bid.code, "baratheon", "key-baratheon-accepts")
    tap(bid, "baratheon", "bid:throne:1")
    assert state_of(bid).bids["stark"] == 0


def test_undoing_that_a_changed_bid_stands_asks_the_others(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    play.accept_altered(bid.code, "", "key-accepting", "Olenna")
    bid.refresh_from_db()
    undoing.ask(bid.code, "stark", bid.version, "key-undo-0001")
    bid.refresh_from_db()
    assert sorted(bid.undo_request["needs"]) == ["baratheon", "lannister"]


def test_what_was_repaired_in_the_rows_needs_no_decision(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    play.tell_altered(bid.code)
    change_the_row(bid, "stark", {"bid": 3})
    with pytest.raises(RequestRefused) as refused:
        play.accept_altered(bid.code, "", "key-accepting", "Olenna")
    assert refused.value.error == "not_altered"
    tap(bid, "baratheon", "bid:throne:1")
    bid.refresh_from_db()
    assert bid.altered is None


def test_replay_names_a_table_whose_secret_was_changed(bid: Match) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    errors = StringIO()
    with pytest.raises(CommandError):
        call_command("replay", "--all", "--check", stdout=StringIO(), stderr=errors)
    assert bid.code in errors.getvalue()


def test_a_program_reads_it_and_decides(bid: Match) -> None:
    program = robot(bid, "lannister")
    change_the_row(bid, "stark", {"bid": 0})
    bid.refresh_from_db()
    refused = robot(bid, "baratheon").ask(
        "POST",
        f"/api/matches/{bid.code}/act",
        {"action": "bid:throne:1", "seen": bid.version, "key": "key-of-a-tap-1"},
    )
    assert refused.json()["error"] == storage.ERROR
    found = program.ask("GET", f"/api/matches/{bid.code}").json()
    assert (found["altered"]["seats"], found["altered"]["can_restore"]) == (["stark"], True)
    assert found["offers"] == []
    decision = {"restore": True, "key": "key-restoring"}
    done = program.ask("POST", f"/api/matches/{bid.code}/altered", decision).json()
    assert (done["accepted"], done["altered"]) == (True, None)
    again = program.ask("POST", f"/api/matches/{bid.code}/altered", decision).json()
    assert (again["replayed"], again["version"]) == (True, done["version"])
    assert state_of(bid).armies["stark"].hidden == {"bid": 3}


@pytest.mark.parametrize(("command", "amount"), [("restore", 3), ("accept", 0)])
def test_an_organiser_reads_it_and_decides(bid: Match, admin_client: Any, command: str, amount: int) -> None:
    change_the_row(bid, "stark", {"bid": 0})
    page = f"/admin/games/match/{bid.pk}/"
    admin_client.post(f"{page}do/", {"command": "undo", "version": bid.entries.latest("version").version})
    shown = admin_client.get(f"{page}change/").content.decode()
    assert "The sealed answers of Stark were changed outside the game" in shown
    assert all(f'value="{each}"' in shown for each in ("restore", "accept"))
    assert "Stopped" in admin_client.get("/admin/games/match/").content.decode()
    admin_client.post(f"{page}do/", {"command": command})
    assert 'value="accept"' not in admin_client.get(f"{page}change/").content.decode()
    tap(bid, "baratheon", "bid:throne:1")
    assert state_of(bid).bids["stark"] == amount


# --- the seed of chance --------------------------------------------------------------------------


def test_another_seed_stops_the_table_and_goes_on_only_in_the_history(bid: Match) -> None:
    Match.objects.filter(pk=bid.pk).update(seed="another")
    assert refusal(bid, "baratheon", "bid:throne:1") == storage.ERROR
    play.tell_altered(bid.code)
    bid.refresh_from_db()
    assert (bid.altered["places"], bid.altered["restorable"]) == ([storage.SEED], [])
    for seat in HOUSES:
        play.accept_altered(bid.code, seat, f"key-{seat}-accepts")
    tap(bid, "baratheon", "bid:throne:1")
    # It counts from now on, but not a third one.
    Match.objects.filter(pk=bid.pk).update(seed="a third")
    assert refusal(bid, "stark", "place:stark") == storage.ERROR


# --- every secret of every game --------------------------------------------------------------------

TAPS = 250


def kind(place: str) -> str:
    """The kind of a hidden value: its name without the piece that it is about."""
    return place.rpartition("/")[2].partition("-")[0]


def with_secrets(game: System, mode: str) -> Iterator[tuple[Playing, str, str]]:
    """Matches at moments when something is hidden, each kind of secret once, played at random."""
    met = set()
    for options in random_play.ways(game, mode):
        names = dict(list(game.seat_names.items())[: game.seat_range[0]])
        playing = Playing(play.open_match(game.slug, mode, names, options, seed=f"{mode} {options}"))
        luck = random.Random(7)
        for _tap in range(TAPS):
            if playing.state.result is not None:
                break
            playing.tap(*random_play.tap(playing.state, luck))
            for place in storage.hidden_values(playing.state):
                if kind(place) not in met:
                    met.add(kind(place))
                    yield playing, playing.loaded.match.code, place


@pytest.mark.parametrize(("game", "mode"), MODES, ids=[f"{game.slug}-{mode}" for game, mode in MODES])
def test_no_secret_of_any_game_is_used_once_it_was_changed(game: System, mode: str) -> None:
    for playing, code, place in with_secrets(game, mode):
        _army, seat, _hidden, name = place.split("/")
        stands = dict(playing.state.armies[seat].hidden)
        others = {each: value for each, value in stands.items() if each != name}
        match = Match.objects.get(code=code)
        for changed in ({**stands, name: "another"}, others):
            with transaction.atomic():
                change_the_row(match, seat, changed)
                who = engine.awaited(playing.state)[0]
                action = random_play.tap_of(engine.offers(playing.state, who)[0], random.Random(1))
                assert refusal(match, who, action) == storage.ERROR, (place, changed)
                play.restore_secrets(code, who, play.new_key())
                assert storage.hidden_values(state_of(match)) == storage.hidden_values(playing.state)
                transaction.set_rollback(True)


def test_all_kinds_of_secrets_that_games_have_are_met() -> None:
    """The test above looks at something: bids, orders, hands, decks, missions, models, notes."""
    met = {
        (game.slug, kind(place))
        for game, mode in MODES
        if game.slug in ("agot", "bushido", "tmg")
        for _playing, _code, place in with_secrets(game, mode)
    }
    assert met >= {
        ("agot", "bid"),
        ("agot", "orders"),
        ("agot", "area"),
        ("bushido", "vim"),
        ("bushido", "flank"),
        ("tmg", "hand"),
        ("tmg", "deck"),
        ("tmg", "mission"),
        ("tmg", "missions"),
    }


# --- what it costs ---------------------------------------------------------------------------------


@pytest.fixture
def here(django_capture_on_commit_callbacks: Any) -> Match:
    """Stark's bid of 3 was the last commit of this process, which keeps the position."""
    match = play.open_match("auction", "tracks", HOUSES, seed="an attack")
    with django_capture_on_commit_callbacks(execute=True):
        tap(match, "stark", "bid:throne:3")
    return match


def test_a_tap_after_one_of_this_process_compares_nothing(
    here: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "check_secrets", lambda loaded: pytest.fail("it was just written here"))
    tap(here, "lannister", "bid:throne:2")


def test_a_seed_that_changes_while_the_server_runs_is_noticed(here: Match) -> None:
    Match.objects.filter(pk=here.pk).update(seed="another")
    assert refusal(here, "lannister", "bid:throne:1") == storage.ERROR


def test_after_another_process_only_what_came_since_is_read(here: Match) -> None:
    # Without its callbacks, this is what another process does.
    tap(here, "lannister", "bid:throne:1")
    here.refresh_from_db()
    with CaptureQueriesContext(connection) as queries:
        book = storage.book_of(here)
    assert len(queries) == 1
    other = "army/lannister/hidden/bid"
    assert {place: seal.value for place, seal in book.seals.items()} == {PLACE: 3, other: 1}
    for seat in ("stark", "lannister"):
        with transaction.atomic():
            Army.objects.filter(match=here, key=seat).update(hidden={"bid": 4})
            assert refusal(here, "baratheon", "bid:throne:1") == storage.ERROR
            transaction.set_rollback(True)
    tap(here, "baratheon", "bid:throne:1")


def test_a_log_that_is_another_one_by_now_is_read_whole(here: Match) -> None:
    """A backup came back: the last commit of this process is in no log any more."""
    here.entries.latest("version").delete()
    last = here.entries.latest("version")
    Match.objects.filter(pk=here.pk).update(version=last.version, chain=last.hash, since=last.version)
    Army.objects.filter(match=here).update(hidden={})
    tap(here, "stark", "bid:throne:1")
    here.refresh_from_db()
    assert storage.book_of(here).seals[PLACE].value == 1


# --- exports ---------------------------------------------------------------------------------------


@pytest.fixture
def unchecked(bid: Match, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A server that does not compare: the reveal has used 0, although Stark committed to 3."""
    change_the_row(bid, "stark", {"bid": 0})
    with monkeypatch.context() as patched:
        patched.setattr(storage, "check_secrets", lambda loaded: None)
        tap(bid, "baratheon", "bid:throne:1")
    bid.refresh_from_db()
    return bid


@pytest.mark.parametrize("seat", [*HOUSES, None])
def test_the_verifier_compares_in_every_reader_s_export(unchecked: Match, seat: str | None) -> None:
    found = faults(match_file.own_view(unchecked, seat))
    assert any("Entry 4: it reveals 0" in fault and "entry 2 committed to 3" in fault for fault in found)


@pytest.mark.parametrize("with_secrets", [True, False])
def test_the_verifier_compares_in_whole_exports(unchecked: Match, with_secrets: bool) -> None:
    found = faults(match_file.whole(unchecked, with_secrets=with_secrets))
    assert any("Entry 4: it reveals 0" in fault for fault in found)


def test_the_verifier_finds_a_revealed_value_that_nobody_had_sealed(
    bid: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_the_row(bid, "baratheon", {"bid": 5})
    with monkeypatch.context() as patched:
        patched.setattr(storage, "check_secrets", lambda loaded: None)
        play.adjust(bid.code, "stark", "army/stark", "power:stark:2", "key-adjust-01")
    found = faults(match_file.own_view(bid, "lannister"))
    assert any("nobody had sealed" in fault for fault in found)


def test_a_reveal_publishes_what_it_used(bid: Match) -> None:
    tap(bid, "baratheon", "bid:throne:1")
    entry = bid.entries.latest("version")
    assert entry.opens == {f"army/{seat}/hidden/bid": state_of(bid).bids[seat] for seat in HOUSES}
    assert ABSENT not in entry.opens.values()
    Entry.objects.filter(pk=entry.pk).update(opens={**entry.opens, PLACE: 0})
    bid.refresh_from_db()
    assert any("does not match its fingerprint" in fault for fault in faults(match_file.own_view(bid, None)))


def test_an_export_whose_reveal_differs_is_not_imported(unchecked: Match) -> None:
    with pytest.raises(RequestRefused):
        match_file.import_match(json.loads(json.dumps(match_file.whole(unchecked))), lambda match: None)
