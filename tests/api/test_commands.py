"""Random play and replay from the command line."""

import pytest
from django.core.management import CommandError, call_command

from games.models import Army, Match
from games.systems import rps
from tests.api.robots import Table
from tests.server.test_settings import manage


def test_fuzz_says_what_it_played(capsys):
    call_command("fuzz", "--system", "rps", "--games", "3")
    said = capsys.readouterr().out
    assert said.startswith("rps plain, 2 seats: 3 games, ")
    assert "taps/s" in said


def test_fuzz_plays_every_mode_and_number_of_seats(capsys):
    call_command("fuzz", "--system", "auction", "--games", "1", "--seed", "7")
    cases = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    # Each is played plainly, and then with random undos.
    assert cases == [f"auction tracks, {seats} seats" for seats in (3, 4, 5, 6) for _way in range(2)]


def test_fuzz_names_the_seed_of_the_first_game_that_breaks(monkeypatch, capsys):
    """A rule that breaks in the middle of a game, as a mistake in it would."""
    throw = rps.Throw
    whole, thrown = throw.throw, []

    def broken(self, g, seat, thing: str):
        thrown.append(thing)
        if len(thrown) == 30:
            raise RuntimeError("the rule is broken")
        whole(self, g, seat, thing)

    monkeypatch.setattr(throw, "throw", broken)
    with pytest.raises(CommandError, match=r"rps plain, 2 seats: seed (\d+) broke.*--seed \1 --games 1"):
        call_command("fuzz", "--system", "rps", "--games", "50")
    assert "the rule is broken" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", [["--system", "chess"], ["--mode", "fancy"]])
def test_fuzz_knows_what_it_cannot_play(wanted):
    with pytest.raises(CommandError, match="no such system or mode"):
        call_command("fuzz", *wanted)


@pytest.mark.slow
def test_fuzz_through_the_rows_leaves_nothing_behind(tmp_path):
    place = {"ROUNDTABLE_TEST": "1", "ROUNDTABLE_DATA": str(tmp_path)}
    done = manage("fuzz", "--system", "tmg", "--mode", "manual-scoring", "--games", "1", "--rows", **place)
    assert done.returncode == 0, done.stderr
    assert "tmg manual-scoring, 2 seats: 1 games, " in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_replay_tells_a_match_and_finds_it_whole(client, capsys):
    table = Table(client)
    table.tap("red", "throw:rock")
    call_command("replay", table.code.lower(), "--check")
    said = capsys.readouterr().out
    assert "Anna has chosen" in said
    assert "throw:rock" not in said
    assert "2 entries lead to the rows" in said
    assert "the rules of today say the same" in said


@pytest.mark.django_db
def test_replay_finds_rows_that_were_changed_behind_the_log(client, capsys):
    table, other = Table(client), Table(client)
    Army.objects.filter(match__code=table.code, key="red").update(name="Mallory")
    with pytest.raises(CommandError):
        call_command("replay", "--all")
    said = capsys.readouterr()
    assert f"{table.code}: the log does not lead to the rows." in said.err
    assert f"{other.code}: 1 entries lead to the rows." in said.out


@pytest.mark.django_db
def test_replay_finds_rules_that_have_drifted(client, monkeypatch, capsys):
    table = Table(client)
    table.tap("red", "throw:rock")
    table.tap("blue", "throw:scissors")
    monkeypatch.setitem(rps.BEATS, "rock", "paper")
    call_command("replay", table.code)
    with pytest.raises(CommandError):
        call_command("replay", table.code, "--check")
    assert f"{table.code} 3 throw: differs today in " in capsys.readouterr().err


@pytest.mark.django_db
def test_replay_asks_for_a_match():
    for arguments in ([], ["ABC234", "--all"]):
        with pytest.raises(CommandError, match="Name the code"):
            call_command("replay", *arguments)
    with pytest.raises(CommandError, match="no table"):
        call_command("replay", "ZZZZZZ")
    call_command("replay", "--all")
    assert not Match.objects.exists()
