"""A board too long for the window is sent as what has changed, however a listener got the last one."""

from __future__ import annotations

import random

import pytest

from games.hall import commands
from games.hall.models import Player
from games.live import frames
from games.live.audiences import EVENT_VIEWS, snapshot
from games.live.frames import NOTHING, PLAIN, beginning, change
from games.live.hub import Audience, encode
from games.match import play
from games.pages.watching import watch
from tests.browser import driving
from tests.hall import halls
from tests.streams import WHOLE, Phone, board, changed, heard


def long_board(version: int) -> str:
    """A board too long for the window, of which a tap changes one card."""
    cards = (
        f'<li id="card-{one}"><b>{one if one else version}</b> {one * 7919:032x}</li>' for one in range(800)
    )
    return "".join(cards)


LONG = [encode(version, long_board(version)) for version in range(1, 6)]
LISTENS = beginning(is_packed=True, takes_changes=True)
READS = beginning(is_packed=False, takes_changes=True)


def test_a_long_board_is_told_as_what_has_changed() -> None:
    assert len(LONG[0].data) > frames.WINDOW
    history, whole = heard(LISTENS, LONG[0])
    assert len(whole) > 4000
    for frame in LONG[1:]:
        history, block = heard(history, 1, frame)
        assert len(block) < 90
    plain, _whole = heard(READS, LONG[0])
    assert heard(plain, LONG[1])[1].startswith(b"id: 2\nevent: change\ndata: [[0,")


def test_who_does_not_take_changes_is_sent_every_board_whole() -> None:
    assert heard(NOTHING, LONG[0], LONG[1])[1] is LONG[1].forms.after[WHOLE].data
    assert heard(PLAIN, LONG[0], LONG[1])[1] is LONG[1].data


def test_a_board_within_reach_stays_whole_where_it_is_compressed() -> None:
    luck = random.Random(7)
    text = board(luck, 1500)
    first, second = encode(1, text), encode(2, changed(text, luck))
    assert heard(LISTENS, first, second)[1] == heard(NOTHING, first, second)[1]
    assert b"event: change" in heard(READS, first, second)[1]


def test_a_board_that_has_little_in_common_with_the_last_one_is_sent_whole() -> None:
    other = encode(2, "<li>" + "".join(f"{number:05d}" for number in range(8000)))
    assert heard(READS, LONG[0], other)[1] is other.data
    assert len(other.data) > frames.WINDOW
    assert heard(LISTENS, LONG[0], other)[1] == other.forms.after["alone", 0, False].data


def test_what_has_changed_is_found_out_once_for_a_whole_audience(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = [encode(version, long_board(version)) for version in range(1, 4)]
    made: list[int] = []
    monkeypatch.setattr(frames, "change", lambda *views: made.append(1) or change(*views))
    blocks = {heard(LISTENS, sent[0], beats % 5, sent[1])[1] for beats in range(200)}
    assert len(blocks) == 1
    # One joined a frame later, so the frames in its history differ from those of listeners sent the change.
    assert len({heard(LISTENS, *sent[:3])[1], heard(LISTENS, *sent[1:3])[1]}) == 2
    assert len(made) == 2


def test_a_board_that_becomes_long_or_short_is_told_as_what_has_changed() -> None:
    short = long_board(1)[:20_000]
    for before, after in ((short, long_board(1)[:35_000]), (long_board(1), short)):
        history = heard(LISTENS, encode(1, before))[0]
        assert history.show(encode(2, after).forms).then.form.since


@pytest.mark.parametrize("is_old_first", [True, False])
def test_who_was_told_the_change_and_who_was_sent_it_whole_have_other_bytes_behind_them(
    is_old_first: bool,
) -> None:
    short = long_board(2)[:3000]
    texts = [long_board(1), long_board(2), short, short.replace("<b>2<", "<b>4<"), short[::-1], short]
    old, new = Phone(), Phone()
    for version, text in enumerate(texts, 1):
        frame = encode(version, text)
        # Who is first has the forms made that the other one may share.
        for phone in (old, new) if is_old_first else (new, old):
            if phone is old or version >= 3:
                phone.shown(frame)
        if version == 4:
            assert [phone.lines[-1].history.form.since != 0 for phone in (old, new)] == [True, False]
    assert old.lines[-1].text == new.lines[-1].text == short


def test_who_reads_slowly_is_sent_a_long_board_whole() -> None:
    for start in (LISTENS, READS):
        history = heard(start, LONG[0])[0].forgotten()
        assert history.takes_changes
        assert b"event: change" not in heard(history, LONG[1])[1]
    assert heard(heard(READS, LONG[0])[0].forgotten(), LONG[1])[1] is LONG[1].data


def test_a_great_many_frames_behind_make_no_great_many_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listener that is far behind was slow; should that ever not be so, the board comes whole."""
    made: list[int] = []
    monkeypatch.setattr(frames, "change", lambda *views: made.append(1) or change(*views))
    newest = encode(99, long_board(99))
    for version in range(50):
        heard(READS, encode(version, long_board(version)), newest)
    assert len(made) == frames.MOST_FORMS


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f43a\u2764\ufe0f"
"""A name in emoji: joined ones, one that a script counts as two letters, and one with a colour."""


@pytest.mark.django_db
def test_a_name_with_an_emoji_costs_no_more_than_another() -> None:
    match = play.open_match("tmg", "a-game-of-thrones", {"red": FAMILY, "blue": "Ben"})
    driving.do(match, "red demo:stark\nblue demo:lannister\n")
    play.edit(match.code, lambda g: setattr(next(iter(g.units.values())), "name", FAMILY), FAMILY, FAMILY)
    audiences = [Audience(seats, "en", "table") for seats in ((), ("red",), ("blue",), ("red", "blue"))]
    audiences += [Audience((), "en", view) for view in watch.TEMPLATES]
    shown = {audience: snapshot(match.code, audience)[1] for audience in audiences}
    assert [audience for audience, text in shown.items() if "&#128058;" not in text] == []
    assert [text for text in shown.values() if not text.isascii()] == []


@pytest.mark.django_db
def test_nor_does_one_in_an_event() -> None:
    code = halls.opened(4, system="rps", mode="plain", name=FAMILY)
    Player.objects.filter(event__code=code).update(club=FAMILY, faction=FAMILY)
    one = Player.objects.filter(event__code=code).first()
    assert one
    commands.amend(code, halls.ANNA, one.key, FAMILY, "", "")
    commands.pair(code, halls.ANNA)
    commands.open_round(code, halls.ANNA)
    shown = {view: snapshot(f"e-{code}", Audience((), "en", view))[1] for view in EVENT_VIEWS}
    assert [view for view, text in shown.items() if "&#128058;" not in text] == []
    assert [view for view, text in shown.items() if set(FAMILY) & set(text) - {" "}] == []
