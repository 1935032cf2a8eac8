"""Anybody can check an export: one file, any Python, nothing else, not even our own modules."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games import verify
from games.core import System, chance
from games.history import commits as chain
from games.match import match_file, play
from games.match.match_file import checksum
from games.models import Match
from tests.trust.cast import Phone
from tests.trust.test_chain import MODES, played_on
from tests.trust.twins import HOUSES, tap

pytestmark = pytest.mark.django_db

Data = dict[str, Any]


def checked(file: Data, place: Path) -> tuple[int, str]:
    """What the program says about a file in an empty folder: its status and its output."""
    (place / "verify.py").write_bytes(Phone().get("/verify.py").content)
    (place / "export.json").write_text(json.dumps(file), encoding="utf-8")
    words = [sys.executable, "-I", "-S", "verify.py", "export.json"]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize(("game", "mode"), MODES, ids=[f"{game.slug}-{mode}" for game, mode in MODES])
def test_an_export_of_any_game_is_checked_and_tells_the_score(
    game: System, mode: str, tmp_path: Path
) -> None:
    names = dict(list(game.seat_names.items())[: game.seat_range[1]])
    match = played_on(play.open_match(game.slug, mode, names, seed="a verifier"), 60)
    first = next(iter(names))
    play.edit(match.code, lambda g: g.score(first, 7, "a gift"), "Olenna", "a gift")
    match.refresh_from_db()
    status, said = checked(match_file.whole(match, with_secrets=True), tmp_path)
    assert status == 0, said
    points = {row.army.key: 0 for row in match.scores.all()}
    for row in match.scores.select_related("army"):
        points[row.army.key] += row.points
    told = dict(line.rsplit(": ", 1) for line in said.splitlines() if ": " in line)
    for army in match.armies.all():
        assert told[army.name or army.key] == str(points.get(army.key, 0))
    assert told["Last fingerprint"] == match.chain
    for reader in (first, None):
        assert checked(match_file.own_view(match, reader), tmp_path)[0] == 0


@pytest.fixture
def file() -> Data:
    """A file with revealed bids, one that is not, random results, a correction and an undo."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a verifier")
    tap(match, "stark", "bid:throne:3")
    tap(match, "lannister", "bid:throne:2")
    tap(match, "baratheon", "bid:throne:3")
    play.adjust(match.code, "stark", "army/stark", "power:stark:2", "key-adjust-01", note="counted again")
    played_on(Match.objects.get(pk=match.pk), 8)
    whole: Data = json.loads(json.dumps(match_file.whole(Match.objects.get(pk=match.pk), with_secrets=True)))
    return whole


def entry(version: int, name: str, value: Any) -> Callable[[Data], None]:
    def change(file: Data) -> None:
        file["entries"][version - 1][name] = value

    return change


def bid(file: Data) -> None:
    file["entries"][1]["sealed"]["stark"]["after"]["army/stark/hidden/bid"] = 0


def unsalted(file: Data) -> None:
    bid(file)
    file["entries"][1]["sealed"]["stark"]["salts"] = {}


def unsealed(place: str) -> Callable[[Data], None]:
    """Remove what stark sealed in its first answer: all of it, or the value in one place."""

    def change(file: Data) -> None:
        sealed = file["entries"][1]["sealed"]
        del (sealed["stark"]["after"] if "/" in place else sealed)[place]

    return change


def masked(file: Data) -> None:
    file["position"]["armies"]["stark"]["name"] = verify.MASK


def tied_again(file: Data) -> Data:
    """The file with every fingerprint recomputed, as a forger would."""
    previous = verify.sha256(verify.canonical([file["system"], file["commitment"]]))
    for one in file["entries"]:
        told = {name: value for name, value in one.items() if name not in verify.BESIDE}
        told |= {"commitments": one["commitments"], "previous": previous}
        told["draws"] = None if one["commitments"] else one["draws"]
        previous = one["hash"] = verify.sha256(verify.canonical(told))
    return {**file, "chain": previous}


TAMPERED: dict[str, tuple[Callable[[Data], object], str]] = {
    "author": (entry(3, "author", "Mallory"), "Entry 3 does not match its fingerprint"),
    "note": (entry(5, "note", "no reason"), "Entry 5 does not match its fingerprint"),
    "time": (entry(2, "at", "2026-01-01T00:00:00+00:00"), "Entry 2 does not match its fingerprint"),
    "sentence": (entry(4, "lines", []), "Entry 4 does not match its fingerprint"),
    "hash": (entry(4, "hash", "0" * 64), "Entry 5 does not match its fingerprint"),
    "taken out": (lambda file: file["entries"].pop(3), "Entry 5 stands where entry 4 should"),
    "cut off": (lambda file: file["entries"].pop(), "something is missing"),
    "end": (lambda file: file.update(chain="0" * 64), "something is missing"),
    "exchanged": (lambda file: file["entries"].insert(3, file["entries"].pop(4)), "stands where entry"),
    "bid": (bid, "Entry 2: what stark sealed"),
    "bid without salt": (unsalted, "Entry 2: what stark sealed"),
    "bid left out": (unsealed("army/stark/hidden/bid"), "Entry 2: something that was sealed is left out"),
    "answer left out": (unsealed("stark"), "Entry 2: something that was sealed is left out"),
    "commitment": (entry(2, "commitments", {}), "Entry 2: what stark sealed"),
    "seed": (lambda file: file.update(seed="another"), "The seed is not the one"),
    "position": (lambda file: file["position"].update(round=9), "The position is not the one"),
    "result": (lambda file: file["position"].update(result={"winner": ""}), "The position is not the one"),
    "score": (lambda file: file["position"].update(scores={"9": {}}), "The position is not the one"),
    "shape": (lambda file: file["position"].update(armies=5), "The position is not the one"),
    "no position": (lambda file: file.update(position={}), "The position is not the one"),
    "no field of the game": (lambda file: file["position"].pop("tracks"), "see tracks"),
    "no scores": (lambda file: file["position"].pop("scores"), "see scores"),
    "a name masked": (masked, "see armies"),
    "a field put in": (lambda file: file["position"]["armies"]["stark"].update(later="x"), "see armies"),
    "another seed in the position": (lambda file: file["position"].update(seed="x"), "see seed"),
    "mode": (lambda file: file.update(mode="another"), "The mode or the end"),
    "an end": (lambda file: file.update(finished_at=file["opened_at"]), "The mode or the end"),
    "opening": (lambda file: file.update(opened_at="2026-01-01T00:00:00Z"), "The time of the opening"),
    "version": (lambda file: file.update(version=99), "something is missing"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_changed_export_is_told_by_what_does_not_fit(file: Data, how: str, tmp_path: Path) -> None:
    change, said = TAMPERED[how]
    change(file)
    status, told = checked({**file, "checksum": checksum(file)}, tmp_path)
    assert status == 1
    assert said in told


def test_a_field_that_a_later_version_has_added_is_empty(file: Data, tmp_path: Path) -> None:
    file["position"]["armies"]["stark"]["later"] = []
    assert checked({**file, "checksum": checksum(file)}, tmp_path)[0] == 0


def test_a_whole_match_has_to_tell_its_seed(file: Data, tmp_path: Path) -> None:
    """Without it no random result could be checked."""
    del file["seed"]
    status, told = checked({**file, "checksum": checksum(file)}, tmp_path)
    assert (status, "is not an export that can be checked (KeyError('seed'))" in told) == (2, True)


def test_a_table_that_begins_with_what_was_dealt_in_secret_is_sound(tmp_path: Path) -> None:
    state = play.initial_state("rps", "plain", {"red": "Red", "blue": "Blue"})
    for seat in ("red", "blue"):
        state.armies[seat].hidden = {"hand": seat}
    match = play.create_match(Match(), state, play.say("Dealt."))
    for reader in ("red", None):
        view = json.loads(json.dumps(match_file.own_view(match, reader)))
        assert list(verify.faults(view)) == []
    view["entries"][0]["sealed"] = {"red": {"after": {}}}
    assert "Entry 1: something that was sealed is left out." in list(verify.faults(view))


def test_the_checksum_shows_a_change_elsewhere(file: Data, tmp_path: Path) -> None:
    assert checked(file, tmp_path)[0] == 0
    status, told = checked({**file, "opened_at": "2026-01-01T00:00:00+00:00"}, tmp_path)
    assert (status, told.splitlines()[0]) == (1, "The checksum of the file does not fit.")


def test_who_ties_the_chain_again_is_found_by_what_it_means(file: Data) -> None:
    other = copy.deepcopy(file)
    other["entries"][4]["before"] = dict.fromkeys(other["entries"][4]["before"], 99)
    assert "Entry 5 does not follow from the entries before." in list(verify.faults(tied_again(other)))
    other = copy.deepcopy(file)
    sealed = next(one for one in other["entries"] if one["commitments"])
    sealed["commitments"]["draws"] = "0" * 64
    assert any("random results are not those" in fault for fault in verify.faults(tied_again(other)))

    other = copy.deepcopy(file)
    other["entries"][4]["before"] = {"army/nobody/power": 3}
    assert "Entry 5 does not follow from the entries before." in list(verify.faults(tied_again(other)))


@pytest.fixture
def partly_secret() -> Data:
    """An export for everybody: of what stark hid in its second entry, one value is open now, one is not."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a verifier")

    def edited(edit: Callable[[Any], object]) -> None:
        play.edit(match.code, edit, "Olenna", "as it stands on the table")

    for hidden in ({"plan": 3, "hand": [1, 2]}, {"plan": 4, "hand": [1]}, {"hand": [1]}):
        edited(lambda g, hidden=hidden: setattr(g.armies["stark"], "hidden", hidden))
    edited(lambda g: g.score("stark", 7, "a gift"))
    edited(lambda g: g.score("stark", 2, "another gift"))
    edited(lambda g: g.scores.pop(next(iter(g.scores))))
    whole: Data = json.loads(json.dumps(match_file.whole(Match.objects.get(pk=match.pk))))
    return whole


def main(file: Data, place: Path) -> int:
    path = place / "export.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    return verify.main([str(path)])


def test_what_came_and_went_again_is_played_through(partly_secret: Data, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    assert main(partly_secret, tmp_path) == 0
    told = capsys.readouterr().out
    assert f"{HOUSES['stark']}: 2\n" in told
    assert "2 entries hold something that is still secret." in told
    found = verify.position(partly_secret)
    assert found["armies"]["stark"]["hidden"]["hand"] == verify.MASK
    assert "plan" not in found["armies"]["stark"]["hidden"]
    assert len(found["scores"]) == 1


def test_what_has_no_salt_any_more_must_be_masked(partly_secret: Data, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    """A mask next to it is no excuse: otherwise a value that is open by now could be changed in the file."""
    part = partly_secret["entries"][1]["sealed"]["stark"]
    assert part["after"]["army/stark/hidden/hand"] == verify.MASK
    assert part["after"].pop("army/stark/hidden/plan") == 3
    del part["salts"]["army/stark/hidden/plan"]
    part["after"]["army/stark/hidden/plan"] = 5
    # The values that the next entry found are behind its own mask.
    partly_secret["entries"][2]["sealed"]["stark"]["before"]["army/stark/hidden/plan"] = 5
    assert main({**partly_secret, "checksum": checksum(partly_secret)}, tmp_path) == 1
    assert "Entry 2: what stark sealed is not what was sealed." in capsys.readouterr().out


@pytest.mark.parametrize("outcomes", [1, 2, 6, 20, 2**63 + 1, 2**64])
def test_it_draws_as_the_server_does(outcomes: int) -> None:
    """Even when a value is drawn again, which with the most outcomes is every second one."""
    for counter in range(20):
        assert verify.draw("winter", counter, outcomes) == chance.draw("winter", counter, outcomes)


def test_a_random_result_follows_from_the_seed() -> None:
    names = {"red": "Ada", "blue": "Bo"}
    match = played_on(play.open_match("tmg", "a-game-of-thrones", names, seed="a verifier"), 30)
    file = json.loads(json.dumps(match_file.whole(match)))
    drawn = next(one for one in file["entries"] if one["draws"])
    assert list(verify.faults(file)) == []
    drawn["draws"][0][2] += 1
    told = " ".join(verify.faults(tied_again(file)))
    assert f"Entry {drawn['version']}: a random result does not follow" in told


def test_a_revealed_answer_of_a_view_is_checked(tmp_path: Path) -> None:
    match = play.open_match("auction", "tracks", HOUSES, seed="a verifier")
    for seat, amount in (("stark", 3), ("lannister", 2), ("baratheon", 1)):
        tap(match, seat, f"bid:throne:{amount}")
    match.refresh_from_db()
    view = json.loads(json.dumps(match_file.own_view(match, None)))
    assert checked(view, tmp_path)[0] == 0
    view["entries"][1]["revealed"]["army/stark/hidden/bid"]["value"] = 0
    status, said = checked(view, tmp_path)
    assert status == 1
    assert "Entry 2: the answer at army/stark/hidden/bid is not what was sealed." in said


BID = "army/stark/hidden/bid"
LEFT_OUT = f"Entry 2: the answer at {BID} was revealed and is left out."


@pytest.mark.parametrize("reader", [None, "stark", "lannister"])
@pytest.mark.parametrize("part", [BID, ""])
def test_a_revealed_answer_cannot_be_left_out_of_a_view(file: Data, reader: str | None, part: str) -> None:
    """Every reader gets what was revealed: a file without it hides what it would be checked against."""
    view = json.loads(json.dumps(match_file.own_view(Match.objects.get(code=file["code"]), reader)))
    assert list(verify.faults(view)) == []
    entry = view["entries"][1]
    del (entry["revealed"] if part else entry)[part or "revealed"]
    assert list(verify.faults(view)) == [LEFT_OUT]


@pytest.fixture
def bidding_again() -> Data:
    """A whole match whose first bids were revealed, and where stark has bid again, still in secret."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a verifier")
    for seat, amount in (("stark", 3), ("lannister", 2), ("baratheon", 1)):
        tap(match, seat, f"bid:throne:{amount}")
    play.edit(match.code, lambda g: setattr(g.armies["stark"], "hidden", {"bid": 1}), "Olenna", "again")
    whole: Data = json.loads(json.dumps(match_file.whole(Match.objects.get(pk=match.pk))))
    return whole


def test_what_was_revealed_is_told_though_another_value_of_its_name_is_kept(bidding_again: Data) -> None:
    told = bidding_again["entries"][1]["sealed"]["stark"]
    assert told["after"] == {BID: 3}
    assert bidding_again["position"]["armies"]["stark"]["hidden"] == {"bid": verify.MASK}
    assert list(verify.faults(bidding_again)) == []
    arrived, _before = match_file.import_match(bidding_again, lambda match: None)
    assert chain.faults(arrived, chain.entries_of(arrived)) == []


def masks(file: Data, version: int) -> Data:
    """Stark's sealed part of an entry, with a mask for its bid and without the salts that go with it."""
    part: Data = file["entries"][version - 1]["sealed"]["stark"]
    part["after"][BID], part["salts"] = verify.MASK, {}
    return part


def test_a_mask_is_no_excuse_for_what_was_revealed(bidding_again: Data) -> None:
    masks(bidding_again, 2)
    assert LEFT_OUT in list(verify.faults(bidding_again))


def test_a_mask_is_no_excuse_for_what_nobody_keeps_in_the_end(file: Data) -> None:
    for version in (2, 4):
        masks(file, version)
    assert "Entry 2: what stark sealed is not what was sealed." in list(verify.faults(file))
    file["position"]["armies"]["stark"]["hidden"] = {"bid": verify.MASK}
    assert any("see what is hidden in armies" in fault for fault in verify.faults(tied_again(file)))


def test_a_mask_beside_an_answer_excuses_no_other_answer(file: Data) -> None:
    """Everything else in a sealed part is checked by itself, whatever earlier values were masked."""
    part = file["entries"][1]["sealed"]["stark"]
    del part["salts"][""]
    part |= {"action": "bid:throne:0", "before": {BID: verify.MASK}}
    assert "Entry 2: what stark sealed is not what was sealed." in list(verify.faults(file))


@pytest.mark.parametrize("outcomes", [0, -1, 2**64 + 1])
def test_a_random_result_that_cannot_be_is_no_reason_to_wait(
    file: Data, outcomes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file["entries"][4]["draws"] = [[0, outcomes, 0]]
    assert main(file, tmp_path) == 2
    assert "is not an export that can be checked" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", '{"format": "roundtable-match"}', "\ud800"])
def test_what_is_no_export_is_told_so(text: str, tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "odd.json"
    path.write_bytes(text.encode(errors="surrogatepass"))
    assert verify.main([str(path)]) == 2
    assert verify.main([str(tmp_path / "missing.json")]) == 2
    assert verify.main([]) == 2
    assert "Usage: " in capsys.readouterr().out


@pytest.mark.parametrize("said", [{"format": "roundtable-event"}, {"format_version": 2}])
def test_an_export_of_another_kind_is_not_called_sound(
    file: Data, said: Data, tmp_path: Path, capsys
) -> None:  # type: ignore[no-untyped-def]
    assert main({**file, **said}, tmp_path) == 2
    assert "is not an export that can be checked" in capsys.readouterr().out


def test_the_organiser_s_command_writes_what_can_be_checked(
    file: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export", match=file["code"])
    assert checked(json.loads(capsys.readouterr().out), tmp_path)[0] == 0


def test_the_page_leads_to_the_file_and_to_the_program(file: Data) -> None:
    page = Phone().get(f"/t/{file['code']}/verify").content.decode()
    assert f'href="/api/matches/{file["code"]}/export"' in page
    assert 'href="/verify.py"' in page
    assert b"import django" not in Phone().get("/verify.py").content
