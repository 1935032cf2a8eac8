"""The score card of every game: what was scored, and both sides' word for it."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, override

from games import confirming, translation
from games.core import engine, system, systems
from games.management.commands import replay
from games.match import play, random_play, storage, undoing
from games.models import Entry, Match, Seat
from tests.browser import driving
from tests.playing import Playing, state_of
from tests.trust import cast
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

GOLDEN = Path("games/systems/bushido/tests/golden")
GAMES = [(game.slug, mode.slug, game.seat_range[1]) for game in systems() for mode in game.modes]


def played(slug: str, mode: str, count: int, taps: int = 400) -> Match:
    """A table of strangers who have tapped whatever they were offered, mostly to the end."""
    (game,) = (game for game in systems() if game.slug == slug)
    names = dict(list(game.seat_names.items())[:count])
    match = play.open_match(slug, mode, names, seed="a seed")
    play_on(match, taps)
    return match


def play_on(match: Match, taps: int) -> None:
    """This many random taps, or fewer where the match ends."""
    Playing(match).at_random(random.Random(5), taps)
    match.refresh_from_db()


def seated(match: Match, key: str) -> Phone:
    phone = Phone()
    cast.sit(phone, match, key)
    return phone


def card(phone: Phone, match: Match, language: str = "en") -> str:
    answer = phone.ask("GET", reverse("score", args=[match.code]), Accept_Language=language)
    assert answer.status_code == 200
    return answer.content.decode()


def forms(page: str) -> list[dict[str, str]]:
    """What each button of the card posts."""
    return [
        dict(re.findall(r'name="(key|round|seen|seat)" value="([^"]+)"', form))
        for form in re.findall(r'<form method="post" action="[^"]*/score">.*?</form>', page, re.S)
    ]


def confirm(phone: Phone, match: Match, form: dict[str, str]) -> int:
    return phone.ask("POST", reverse("score", args=[match.code]), form).status_code


@pytest.fixture
def throws() -> Match:
    """Rock, paper, scissors, played to its end."""
    return played("rps", "plain", 2)


@pytest.mark.parametrize("slug", ["tmg", "bushido", "agot", "rps"])
def test_rounds_are_headed_as_the_game_calls_them(slug: str):
    mode, count = next((mode, count) for system, mode, count in GAMES if system == slug)
    match = played(slug, mode, count)
    for language, _name in settings.LANGUAGES:
        with translation.override_game(slug, language):
            word = translation.gettext(system(slug).round_word)
        heads = [
            re.findall(
                r'<thead><tr><th scope="col">([^<]+)</th><th scope="col">(?:<svg|<span class="name")', page
            )
            for page in (card(Phone(), match, language), paper(match, language))
        ]
        assert {head for found in heads for head in found} == {word}
        assert len(heads[1]) == min(1, len(state_of(match).scores))


def paper(match: Match, language: str) -> str:
    """The sheet of paper."""
    return Phone().ask("GET", reverse("print", args=[match.code]), Accept_Language=language).content.decode()


def test_every_game_has_a_card(midway: Match):
    match, slug = midway, midway.system
    phone = seated(match, match.armies.first().key)
    state = state_of(match)
    for language, _name in settings.LANGUAGES:
        page = card(phone, match, language)
        with override(language):
            houses = {key: gettext(colour) for key, colour in system(slug).seat_names.items()}
        for army in match.armies.all():
            assert army.name in page or houses[army.key] in page
        agreed = confirming.confirmed(match, state)
        assert len(forms(page)) == len(set(confirming.confirmable(state)) - set(agreed))
    totals = {key: state.points(key) for key in state.seats}
    assert "Taps" not in page
    assert page.count("<table") == (1 if state.scores or "tallies" in page else 0)
    for section in re.findall(r'<tbody class="round-score".*?</tbody>', page, re.S)[-1:]:
        found = re.findall(r"<b>(-?\d+)</b></small></td>", section)
        assert [int(total) for total in found] == [*totals.values()]


def test_a_spectator_only_reads(midway: Match):
    assert forms(card(Phone(), midway)) == []


def test_a_confirmation_changes_nothing_on_the_table(midway: Match):
    match = midway
    phone, before = seated(match, match.armies.first().key), state_of(match)
    since = Match.objects.get(pk=match.pk).since
    for form in forms(card(phone, match)):
        assert confirm(phone, match, form) == 302
    assert state_of(match) == before == storage.final_position(match)
    assert Match.objects.get(pk=match.pk).since == since
    assert list(replay.drifts(match)) == []
    assert forms(card(phone, match)) == []


def test_both_sides_confirm_and_both_see_it(throws: Match):
    red, blue = seated(throws, "red"), seated(throws, "blue")
    assert confirm(red, throws, forms(card(red, throws))[0]) == 302
    assert "Red: confirmed" in card(blue, throws)
    assert "Red：已确认" in card(blue, throws, "zh-hans")
    assert "All have confirmed" not in card(blue, throws)
    assert confirm(blue, throws, forms(card(blue, throws))[0]) == 302
    assert "All have confirmed" in card(Phone(), throws)
    assert "Red confirms the score of round" in red.ask("GET", f"/t/{throws.code}/history").content.decode()


def test_a_second_tap_is_the_same_tap(throws: Match):
    red = seated(throws, "red")
    form = forms(card(red, throws))[0]
    assert [confirm(red, throws, form) for _tap in range(2)] == [302, 302]
    assert confirm(red, throws, {**form, "key": "another-key"}) == 302
    assert Entry.objects.filter(match=throws, action__startswith="confirm:").count() == 1
    assert confirm(red, throws, {**form, "round": "77", "key": "key-of-another"}) == 409


def corrected(match: Match, number: int) -> None:
    """The organiser gives red another point in a round."""

    def change(state) -> None:  # type: ignore[no-untyped-def]
        state.score("red", 1, "counted again")
        last = max(state.scores, key=int)
        state.scores[last] = type(state.scores[last])(**{**state.scores[last].to_json(), "round": number})

    play.edit(match.code, change, "organiser", "counted again")


def test_a_change_of_the_points_undoes_the_confirmations_of_its_round_only(throws: Match):
    red = seated(throws, "red")
    rounds = [int(form["round"]) for form in forms(card(red, throws))]
    for form in forms(card(red, throws)):
        confirm(red, throws, form)
    corrected(throws, rounds[1])
    assert [int(form["round"]) for form in forms(card(red, throws))] == [rounds[1]]
    newest = undoing.newest(throws)
    undoing.ask(throws.code, "", newest.version, play.new_key(), "organiser")
    assert forms(card(red, throws)) == [], "the old points are back, and what was said of them"


def test_points_that_changed_meanwhile_are_not_confirmed(throws: Match):
    red = seated(throws, "red")
    form = forms(card(red, throws))[0]
    corrected(throws, int(form["round"]))
    answer = red.ask("POST", reverse("score", args=[throws.code]), form)
    assert answer.status_code == 409
    assert "have changed" in answer.content.decode()


def test_a_confirmation_is_no_answer_to_a_request_to_take_back():
    match = play.open_match("rps", "plain", {"red": "Red", "blue": "Blue"})
    red = seated(match, "red")
    seated(match, "blue")
    for seat, thing in [("red", "rock"), ("blue", "paper")] * 2:
        match.refresh_from_db()
        if match.result is None:
            play.tap(match.code, seat, f"throw:{thing}", match.version, play.new_key())
    undoing.ask(match.code, "blue", undoing.newest(match).version, play.new_key())
    asked = Match.objects.get(pk=match.pk).undo_request
    assert asked
    assert confirm(red, match, forms(card(red, match))[0]) == 302
    assert Match.objects.get(pk=match.pk).undo_request == asked


def test_nobody_confirms_for_another_seat(throws: Match):
    red = seated(throws, "red")
    form = forms(card(red, throws))[0]
    assert confirm(red, throws, {**form, "seat": "blue"}) == 403
    assert confirm(Phone(), throws, form) == 403
    assert Seat.objects.filter(match=throws, is_taken=True).count() == 1


def test_the_card_is_linked_from_the_table_and_its_result(throws: Match):
    page = Phone().ask("GET", reverse("table", args=[throws.code])).content.decode()
    assert page.count(f'href="{reverse("score", args=[throws.code])}"') == 2


@pytest.mark.parametrize("odd", ["<b>Zo&", "'\"><svg onload=x>", "维斯特洛"])
def test_odd_names_stay_words(odd: str):
    match = play.open_match("rps", "plain", {"red": odd, "blue": "Blue"})
    for name in ("score", "print", "table"):
        page = Phone().ask("GET", reverse(name, args=[match.code])).content.decode()
        assert "<b>Zo&" not in page
        assert "<svg onload" not in page


def test_a_phone_with_both_seats_has_a_button_for_each(throws: Match):
    both = seated(throws, "red")
    cast.sit(both, throws, "blue")
    buttons = forms(card(both, throws))
    assert {form["seat"] for form in buttons} == {"red", "blue"}
    assert len({form["key"] for form in buttons}) == len(buttons)


def test_the_drawing_comes_before_the_one_table(throws: Match):
    page = card(Phone(), throws)
    assert page.count("<table") == 1
    assert 0 < page.index('class="drawing"') < page.index("<table")


def test_losses_and_objectives_are_counted_as_the_rows_have_them():
    match = driving.opened(driving.SET_UP)
    driving.do(match, "red activate:crannogman-trackers\n")
    path = "unit/crannogman-trackers"
    claims = [offer.action for offer in engine.corrections(state_of(match), path)]
    driving.do(match, f"red {path} {next(claim for claim in claims if claim.startswith('claim:'))}\n")
    actions = (
        "lannister-crossbowmen wounds:lannister-crossbowmen:-3",
        "gregor-clegane destroy:gregor-clegane",
    )
    for action in actions:
        driving.do(match, f"red unit/{action}\n")
    rows = re.findall(
        r'<tr><th scope="row">([A-Z][^<]+)</th><td>(\d+)</td><td>(\d+)</td>', card(Phone(), match)
    )
    assert rows == [
        ("Wounds missing", "0", "7"),
        ("Units destroyed", "0", "1"),
        ("Objectives controlled", "1", "0"),
    ]


def test_a_game_without_such_numbers_shows_none(throws: Match):
    assert "tallies" not in card(Phone(), throws)


def test_one_minute_is_no_minutes(throws: Match):
    entries = Entry.objects.filter(match=throws)
    begun = entries.earliest("pk").created_at
    entries.update(created_at=begun)
    entries.filter(pk=entries.filter(kind="tap").latest("pk").pk).update(
        created_at=begun + timedelta(seconds=60)
    )
    assert "1 minute in total" in card(Phone(), throws)
    assert "1 Minute insgesamt" in card(Phone(), throws, "de")


def agree(match: Match) -> None:
    """Both sides agree to what a round of A Song of Ice and Fire scores."""
    while "agree" in [offer.action for offer in engine.offers(state_of(match), asked(match))]:
        match.refresh_from_db()
        play.tap(match.code, asked(match), "agree", match.version, play.new_key())


def asked(match: Match) -> str:
    return (engine.to_act(state_of(match)) or ("red",))[0]


@pytest.fixture
def agreed() -> Match:
    """A round of A Song of Ice and Fire with a point that both sides have agreed to."""
    match = driving.opened(driving.SET_UP)
    driving.play_until(match, lambda state: state.round == 2 and state.flow[-1].step == "score-points")
    agree(match)
    assert [score.round for score in state_of(match).scores.values()][-1] == 2
    return match


def test_a_score_that_all_have_agreed_to_is_not_asked_again(agreed: Match):
    page = card(seated(agreed, "red"), agreed)
    assert forms(page) == []
    assert page.count("All have confirmed") == 1


def test_points_after_the_agreement_are_asked_once(agreed: Match):
    red = seated(agreed, "red")
    driving.play_until(agreed, lambda state: state.round == 3)
    corrected(agreed, 2)
    assert [form["round"] for form in forms(card(red, agreed))] == ["2"]
    assert confirm(red, agreed, forms(card(red, agreed))[0]) == 302
    assert forms(card(red, agreed)) == []
    assert "All have confirmed" not in card(red, agreed)


def test_an_agreement_that_was_undone_is_none(agreed: Match):
    ended = agreed.entries.filter(action="agree").last()
    undoing.ask(agreed.code, "", ended.version, play.new_key(), "organiser")
    assert not confirming.confirmed(agreed, state_of(agreed))
    agree(agreed)
    assert list(confirming.confirmed(agreed, state_of(agreed))) == [2]


def test_who_goes_back_from_the_question_has_agreed_to_nothing():
    match = driving.opened(driving.SET_UP)
    driving.play_until(match, lambda state: state.round == 2 and state.flow[-1].step == "score-points")
    undoing.ask(match.code, "", undoing.newest(match).version, play.new_key(), "organiser")
    assert not confirming.confirmed(match, state_of(match))


def test_a_round_is_not_confirmed_on_the_card_before_the_table_agrees(agreed: Match):
    state = state_of(agreed)
    state.round = 3
    state.score("red", 1, "destroyed")
    assert confirming.confirmable(state) == (2,)
    state.result = {"winner": "red"}
    assert confirming.confirmable(state) == (2, 3)


def test_points_that_each_side_enters_for_itself_are_confirmed():
    match = played("tmg", "manual-scoring", 2)
    state = state_of(match)
    assert confirming.confirmable(state)
    assert not confirming.confirmed(match, state)


def test_a_victory_point_that_both_agreed_to_is_not_asked_again():
    first, _end, told = (GOLDEN / "zones.txt").read_text(encoding="utf-8").partition("\n")
    match = play.open_match("bushido", "risen-sun", {"red": "", "blue": ""}, {"points": 100}, seed="maple39")
    driving.do(match, told)
    state = state_of(match)
    assert "seed=maple39" in first
    assert confirming.confirmable(state)
    assert set(confirming.confirmable(state)) <= set(confirming.confirmed(match, state))
    body = card(Phone(), match)
    told = {score.round for score in state.scores.values()}
    assert body.count('class="why"') == len(told) < body.count('class="round-score"')


def houses_at(step: str, mode: str, luck: int = 5) -> Match:
    """A game of three houses, played at random up to this question of its first rounds."""
    match = played("agot", mode, 3, taps=0)
    version, dice = match.version, random.Random(luck)
    while (state := state_of(match)).question.step != step or not state.round:
        verdict = play.tap(match.code, *random_play.tap(state, dice), version, play.new_key())
        version = verdict.version
    match.refresh_from_db()
    return match


def test_castles_of_the_set_up_are_not_asked():
    match = houses_at("planning", "light")
    assert [score.round for score in state_of(match).scores.values()] == [0, 0, 0]
    assert confirming.confirmable(state_of(match)) == ()
    assert forms(card(seated(match, "stark"), match)) == []


def test_castles_that_the_map_counts_are_not_asked():
    match = houses_at("planning", "full")
    state = state_of(match)
    state.round = 2
    state.score("stark", 1, "castles and strongholds")
    assert confirming.confirmable(state) == ()
    state.score("stark", -1, "counted again", author="organiser")
    assert confirming.confirmable(state) == (2,), "somebody's word, not the map's"


def test_castles_that_houses_say_are_asked():
    match = houses_at("realms", "light")
    state = state_of(match)
    driving.do(match, f"stark castles:{state.points('stark') + 1}\n")
    assert confirming.confirmable(state_of(match)) == (1,)
    assert [form["round"] for form in forms(card(seated(match, "stark"), match))] == ["1"]


def test_a_set_up_that_players_score_is_asked(throws: Match):
    state = state_of(throws)
    state.round = 0
    state.score("red", 1, "handicap")
    assert confirming.confirmable(state)[0] == 0
