"""A round on the organisers' pages: its pairings, the result of one table, and one match of two teams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from msgspec.structs import replace

from games import catalogue, view_models
from games.core import Line, RequestRefused, Unreadable, ViewModel, clean_int, isolated, name_key, say, system
from games.core import gettext_noop as noop
from games.hall.event_actions import position_of
from games.hall.models import EventEntry
from games.hall.organiser import hall_tables
from games.hall.organiser.hall_tables import Hall, hall_of
from games.hall.organiser.organiser_page import Field, FieldForm, FieldGroup, Made, Visit, known, whole
from games.hall.organiser.overview import SHORT, going_on, newest, seatings, stale_in_words
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.rules import (
    event_results,
    event_rounds,
    seating_changes,
    team_rounds,
)
from games.hall.rules.event_results import Result, pairing_of
from games.hall.rules.event_state import (
    ATTACKERS,
    BID,
    CHOICE,
    CLOSED,
    CONTESTED,
    CUT,
    DEFENDER,
    DRAFTED,
    FINISHED,
    FREE,
    LAST_TABLE,
    OPEN,
    Call,
    EventState,
    Pairing,
    Round,
    TeamMatch,
)
from games.hall.rules.team_rounds import as_paired
from games.history import commits
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models import Button, Link, Option
from games.web import clock


class ClaimRow(ViewModel):
    """What somebody says about a result: the players, or the table itself."""

    who: str
    text: str


class Asked(ViewModel):
    """A team whose captain has to answer, and what organisers may answer for it."""

    title: str
    buttons: tuple[Button, ...]


def table(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One table of a round: what is known of its result, and the forms to enter, correct or rule it."""
    hall = hall_of(visit.code)
    g = hall.state
    pairing = known(g.pairings, about)
    calls = hall.open_calls()
    row = hall_tables.table(hall, pairing, is_called=pairing.key in calls)
    is_judge = visit.may("rule")
    is_closed = g.rounds[str(pairing.round)].state == CLOSED
    must_rule = is_judge and (pairing.is_decided or pairing.state == CONTESTED or is_closed)
    buttons = tuple(_stating(g, pairing, is_judge=is_judge, must_rule=must_rule))
    values = {
        "reason": sent.get("reason", ""),
        "ruling": sent.get("ruling", ""),
        "table": row,
        "states": tuple(_claims(hall, pairing)),
        "scores": tuple(fields_of(g, pairing, sent)) if buttons else (),
        "rest": rest_of(g, pairing, sent, is_judge=is_judge) if buttons else None,
        "buttons": buttons,
        "sure": sure_field() if request.method == "POST" and is_odd(g, pairing.key, sent) else None,
        "asks_why": is_judge,
        "must_rule": must_rule,
        "seen": event_results.mark(pairing),
        "ending": (
            *(going_on(g, pairing) if g.is_level(pairing) and visit.may("go_on") else ()),
            *_absent(visit, g, pairing),
        ),
        "extending": _extending(visit, g, pairing),
        "houses": tuple(_houses(g, pairing, sent)) if visit.may("set_houses") else (),
        "house_buttons": tuple(_house_buttons(g, pairing)) if visit.may("set_houses") else (),
        "judging": _judging(visit, g, pairing, g.calls.get(str(calls.get(pairing.key)))),
        "rulings": tuple(
            call.ruling for call in g.calls.values() if call.pairing == pairing.key and call.ruling
        ),
        "ways": (view_models.Link(row.watch_url, _("Watch this table"), "watch"),) if row.watch_url else (),
    }
    if pairing.is_bye:
        return hall_tables.byes(g, [pairing]), values
    return _("Table %(table)s") % {"table": pairing.table}, values


def _stating(g: EventState, pairing: Pairing, *, is_judge: bool, must_rule: bool) -> Iterator[Button]:
    """What enters or rules a result; nothing while it can be neither."""
    state = g.rounds[str(pairing.round)].state
    if pairing.is_bye or state not in ((OPEN, CLOSED) if is_judge else (OPEN,)):
        return
    if must_rule:
        yield Button(f"rule {pairing.key}", _("Save as ruling"), "main", "check")
    elif not pairing.is_decided:
        yield Button(f"enter {pairing.key}", _("Enter the result"), "main", "check")
        if is_judge:
            yield Button(f"rule {pairing.key}", _("Overrule this result"))


def _claims(hall: Hall, pairing: Pairing) -> Iterator[ClaimRow]:
    """The judge's call, what is contested, the result, what each side says, and what the table shows."""
    g = hall.state
    if pairing.absent and pairing.state == OPEN:
        yield ClaimRow(_("Player absent"), isolated(g.called(pairing.absent)))
    if call := g.calls.get(str(hall.open_calls().get(pairing.key))):
        if call.question and call.player in g.players:
            yield ClaimRow(_("%(name)s says") % {"name": g.called(call.player)}, call.question)
        if call.comes:
            yield ClaimRow(_("Judge called"), _("%(name)s is coming") % {"name": call.comes})
    if pairing.state == CONTESTED and (entry := _contested(hall, pairing)):
        yield ClaimRow(_("%(name)s says") % {"name": g.called(entry.by)}, entry.note)
    if (more := pairing.extended // 60) > 0:
        added = ngettext("%(count)d minute added", "%(count)d minutes added", more) % {"count": more}
        yield ClaimRow(_("Extra time for this table"), added)
    if pairing.results or pairing.how:
        yield ClaimRow(_("Result"), words(event_results.in_words(g, Result.of(pairing))))
    for player, claim in pairing.claims.items():
        said = [words(event_results.in_words(g, Result(claim["scores"], claim["winner"], claim["how"])))]
        said += rounds_and_standings.numbers_in_words(g, claim["scores"])
        yield ClaimRow(_("%(name)s says") % {"name": g.called(player)}, " · ".join(said))
    live = hall.played.get(pairing.match or "")
    if live is not None and live.has_begun:
        points = zip(pairing.seats, pairing.players, strict=False)
        score_line = _(", ").join(
            f"{isolated(g.called(key))} {live.points.get(seat, 0)}" for seat, key in points
        )
        yield ClaimRow(_("The table shows"), score_line)


def _contested(hall: Hall, pairing: Pairing) -> EventEntry | None:
    """Who contests this table's result, and why, in the words of that player."""
    entries = hall.event.entries.filter(action="contest", by__in=pairing.players, undone_by=None)
    return entries.filter(after__has_key=f"pairing/{pairing.key}/state").exclude(note="").last()


def _extending(visit: Visit, g: EventState, pairing: Pairing) -> tuple[Button, ...]:
    last = g.last
    is_open = last is not None and last.number == pairing.round and last.state == OPEN and not g.is_league
    if not is_open or pairing.is_decided or not visit.may("extend"):
        return ()
    return tuple(
        Button(f"extend {minutes} {pairing.key}", _("+%(minutes)s min") % {"minutes": minutes})
        for minutes in (5, 10)
    )


def _absent(visit: Visit, g: EventState, pairing: Pairing) -> Iterator[Button]:
    """What ends a table to which one of two has not come."""
    is_open = g.rounds[str(pairing.round)].state == OPEN and pairing.state == OPEN and not pairing.results
    if is_open and not pairing.is_bye and visit.may("no_show"):
        for key in pairing.players:
            label = _("%(name)s has not come") % {"name": isolated(g.called(key))}
            yield Button(f"no_show {pairing.key} {key}", label, "quiet")
        if len(pairing.players) == 2 and g.rounds[str(pairing.round)].stage != CUT:
            yield Button(f"no_show {pairing.key}", _("Neither has come"), "quiet")


def _houses(g: EventState, pairing: Pairing, sent: Mapping[str, Any]) -> Iterator[Field]:
    """Which house each player of a table has, as long as that may change."""
    if not seating_changes.may_set_houses(g, pairing):
        return
    left = {"": _("Chosen by the player")} if g.houses in (CHOICE, BID) else {}
    seats = {seat: rounds_and_standings.seat_name(g, seat) for seat in event_rounds.seats_for(g, pairing)}
    for key, own in zip(pairing.players, pairing.seats, strict=True):
        chosen = sent.get(f"house-{key}", own)
        options = tuple(Option(seat, label, seat == chosen) for seat, label in {**left, **seats}.items())
        yield Field(f"house-{key}", g.called(key), "select", options=options)


def _house_buttons(g: EventState, pairing: Pairing) -> Iterator[Button]:
    if seating_changes.may_set_houses(g, pairing):
        yield Button(f"set_houses {pairing.key}", _("Set these houses"), "", "check")
        if "" in pairing.seats:
            yield Button(f"draw_houses {pairing.key}", _("Draw the houses that are left"), "", "roll")


def _judging(visit: Visit, g: EventState, pairing: Pairing, call: Call | None) -> tuple[Button, ...]:
    if pairing.is_bye:
        return ()
    if call is not None:
        if not visit.may("close_call"):
            return ()
        closing = Button(f"close_call {call.number}", _("Save ruling"), "", "check")
        if call.comes:
            return (closing,)
        return (Button(f"answer_call {call.number}", _("On my way"), "main"), closing)
    buttons = []
    if g.rounds[str(pairing.round)].state == OPEN:
        buttons.append(Button(f"call_judge {pairing.key}", _("Call a judge"), "", "bell"))
    if visit.may("note_ruling"):
        buttons.insert(0, Button(f"note_ruling {pairing.key}", _("Save ruling"), "", "check"))
    return tuple(buttons)


# --- a result as a form ------------------------------------------------------------------------------


DRAW = "draw"


def fields_of(g: EventState, pairing: Pairing, sent: Mapping[str, str]) -> Iterator[FieldGroup]:
    """The fields of each player, filled with what is known, what nobody denies, or what was typed."""
    labels = rounds_and_standings.labels(g)
    for key in pairing.players:
        said = [claim["scores"].get(key, {}).items() for claim in pairing.claims.values()]
        numbers = pairing.results.get(key) or dict(set.intersection(*map(set, said)) if said else ())
        fields = (_field(name, key, labels[name], numbers, sent) for name in event_results.asked(g))
        yield FieldGroup(rounds_and_standings.with_house(g, pairing, key), tuple(fields))


def rest_of(g: EventState, pairing: Pairing, sent: Mapping[str, str], *, is_judge: bool) -> FieldGroup:
    """Who won if the points do not say, how the game ended, and, for a judge, other tournament points."""
    winner = sent.get("winner", _named(pairing))
    names = {key: rounds_and_standings.with_house(g, pairing, key) for key in pairing.players}
    choices = {"": _("by points"), **names, DRAW: _("a draw")}
    winners = tuple(Option(value, label, value == winner) for value, label in choices.items())
    how = sent.get("how", pairing.how or "finished")
    hows = tuple(
        Option(slug, _(label), slug == how) for slug, label in event_results.HOWS.items() if slug != "left"
    )
    fields = [
        Field("winner", _("Winner"), "select", options=winners),
        Field("how", _("How it ended"), "select", options=hows),
    ]
    if is_judge:
        for key, name in names.items():
            label = _("Tournament points of %(name)s, if not as calculated") % {"name": name}
            fields.append(_field("points", key, label, pairing.results.get(key, {}), sent))
    return FieldGroup("", tuple(fields))


def _named(pairing: Pairing) -> str:
    """The winner that a result names against its points, as the choice in the form; "" for as they say."""
    if not pairing.results or pairing.winner == event_results.winner_by(pairing.results):
        return ""
    return pairing.winner or DRAW


def stated_in(sent: Mapping[str, str], g: EventState, key: str) -> dict[str, Any]:
    """The result that a form states for a pairing. Raises `Unreadable` for what is no number."""
    pairing = commits.apply_rules(lambda: pairing_of(g, key))
    scores: dict[str, dict[str, int]] = {}
    labels = rounds_and_standings.labels(g)
    for player in pairing.players:
        numbers = {}
        for name, (least, most) in event_results.NUMBERS.items():
            if typed := sent.get(f"{name}-{player}", "").strip():
                numbers[name] = whole(f"{g.players[player].name}, {labels[name]}", typed, least, most)
        scores[player] = numbers
    stated: dict[str, Any] = {"scores": scores, "how": sent.get("how", "")}
    if winner := sent.get("winner", ""):
        stated["winner"] = "" if winner == DRAW else winner
    return stated


SURE = "sure"
"""The field by which somebody says that an odd result is right."""


def sure_field() -> Field:
    return Field(SURE, _("This result is right"), "check")


def refuse_odd(g: EventState, stated: Mapping[str, Any], sent: Mapping[str, str]) -> None:
    """Refuse (409) what is seldom meant, unless the form says that it is."""
    if (line := _odd(g, stated)) and not sent.get(SURE):
        raise RequestRefused(line, 409, "odd")


def is_odd(g: EventState, key: str, sent: Mapping[str, str]) -> bool:
    """Whether a form states an odd result for this pairing."""
    with suppress(RequestRefused, Unreadable):
        return _odd(g, stated_in(sent, g, key)) is not None
    return False


def _odd(g: EventState, stated: Mapping[str, Any]) -> Line | None:
    points = {player: numbers.get("vp", 0) for player, numbers in stated["scores"].items()}
    for player, number in points.items():
        if number < 0:
            line = noop("%(name)s would have %(points)s points. Tick that this is right, or correct it.")
            return say(line, name=g.players[player].name, points=number)
    winner = stated.get("winner", "")
    is_played = stated.get("how", "") in ("", FINISHED) and g.size == 2
    if is_played and winner in points and points[winner] < max(points.values()):
        line = noop("%(name)s would win with fewer points. Tick that this is right, or correct it.")
        return say(line, name=g.players[winner].name)
    return None


def _field(name: str, key: str, label: str, numbers: Mapping[str, int], sent: Mapping[str, str]) -> Field:
    least, most = event_results.NUMBERS[name]
    value = sent.get(f"{name}-{key}", str(numbers.get(name, "")))
    return Field(f"{name}-{key}", label, "number", value, low=least, high=most)


# --- the pairings of the newest round ----------------------------------------------------------------

NO_ROUND = dict.fromkeys(
    (
        "title",
        "tables",
        "matches",
        "byes",
        "stale",
        "forms",
        "by_hand",
        "buttons",
        "ways",
        "jumps",
        "is_by_hand",
        "seen",
    ),
    "",
)
"""What the page of the pairings is without as long as no round is drawn up."""


def pairings(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The newest round; while it is only drafted it can be swapped, drawn again, made by hand, called off."""
    hall = hall_of(visit.code)
    g, last = hall.state, hall.state.last
    if last is None:
        return _("Pairings"), {**NO_ROUND, "hint": _("No round is paired yet.")}
    former = g.rounds.get(request.GET.get("round", ""), last)
    if former is not last:
        return _("Pairings"), {
            **NO_ROUND,
            **_tables_of(hall, former),
            "hint": _("A judge corrects a result on the page of its table."),
        }
    is_drafted, may = last.state == DRAFTED, visit.may
    is_open = last.state == OPEN and g.size == 2 and not g.team_size
    paired = as_paired(g) if is_drafted else g
    shown = _tables_of(hall, last)
    values = {
        **shown,
        "stale": _stale(g, last),
        "hint": _("This round is open: tables that have a result no longer change.") if is_open else "",
        "forms": tuple(_forms(visit, g, last, sent)),
        "by_hand": _hand_field(paired, last.number, sent) if is_drafted and may("by_hand") else None,
        "buttons": (*_buttons(visit, g, last), *seatings(g, visit.actor.role)),
        "ways": _to_print(visit, g),
        "jumps": is_drafted and len(shown["tables"]) > SHORT,
        "is_by_hand": "groups" in sent or not (shown["tables"] or shown["matches"]),
        "seen": event_rounds.mark(g),
    }
    return _("Pairings"), values


def _tables_of(hall: Hall, this_round: Round) -> dict[str, Any]:
    return {
        "title": _("Round %(number)s") % {"number": this_round.number},
        "tables": hall_tables.tables(hall, hall.state.at(this_round.number)),
        "byes": hall_tables.byes(hall.state, hall.state.at(this_round.number)),
        "matches": team_matches.rows(hall.state, this_round.number),
    }


def _stale(g: EventState, last: Round) -> tuple[str, ...]:
    """What results that have changed change in this round: a sentence, and the pairings as they would be."""
    if (now := event_rounds.changed(as_paired(g))) is None:
        return ()
    paired = as_paired(g)
    pairings = (
        " – ".join(isolated(paired.called(key)) for key in pairing.players) for pairing in now.pairings
    )
    return (stale_in_words(last, now), *pairings)


def _buttons(visit: Visit, g: EventState, last: Round) -> Iterator[Button]:
    """What may be done with the newest round as a whole."""
    is_drafted, may, seen = last.state == DRAFTED, visit.may, event_rounds.mark(g)
    if is_drafted and may("open_round") and event_rounds.why_not_open(as_paired(g), last) is None:
        yield Button(f"open_round {seen}", _("Open round %(number)s") % {"number": last.number}, "main")
    if is_drafted and may("repair") and g.kind != FREE:
        yield Button(f"repair {seen}", _("Pair again"), "", "roll")
    following = last.number + 1
    if last.state == OPEN and event_rounds.may_pair(as_paired(g)) and may("pair"):
        yield Button(f"pair {seen}", _("Pair round %(number)s") % {"number": following}, "", "roll")
    if last.state != CLOSED and may("keep_draw") and event_rounds.may_keep(as_paired(g), last):
        yield Button(f"keep_draw {seen}", _("Keep these pairings"))
    if last.state != CLOSED and may("call_off") and event_rounds.begun(g, last) is None:
        yield Button(f"call_off {seen}", _("Cancel this round"), "danger")
    if (last.state == CLOSED or g.is_ladder) and may("finish") and event_rounds.may_finish(g):
        # Next comes another round, unless somebody has said how many there are.
        yield Button(f"finish {seen}", _("Finalise standings"), "quiet")
    if last.state == CLOSED and may("reopen"):
        yield Button(f"reopen {seen}", _("Reopen this round"), "quiet")


def _to_print(visit: Visit, g: EventState) -> tuple[Link, ...]:
    """Links to pages to hang up in the hall: where everybody plays, result slips, and standings."""
    assert g.last is not None
    standings = Link(reverse("event-print-standings", args=[visit.code]), _("Print the standings"), "finish")
    where = reverse("event-print-round", args=[visit.code, g.last.number])
    return (Link(where, _("Print the pairings"), "list"), standings)


def _forms(visit: Visit, g: EventState, last: Round, sent: Mapping[str, Any]) -> Iterator[FieldForm]:
    """What changes the round, or its deadline; in an open round only once its effect has been seen."""
    may, seen = visit.may, event_rounds.mark(g)
    paired = as_paired(g) if last.state == DRAFTED else g
    # Only the form whose effect is being shown asks whether it was seen.
    sure = Field(SURE, _("I have seen whom this affects: do it"), "check") if last.state == OPEN else None
    modes = system(g.system).modes
    if last.state == DRAFTED and may("set_mode") and len(modes) > 1:
        options = tuple(
            Option(game_mode.slug, _(game_mode.title), game_mode.slug == last.mode) for game_mode in modes
        )
        mode = Field("mode", _("Mode of this round"), "select", options=options)
        yield FieldForm((mode,), (Button(f"set_mode {seen}", _("Choose this mode")),))
    if last.state == DRAFTED and may("set_options") and (fields := tuple(_options(g, last))):
        yield FieldForm(fields, (Button(f"set_options {seen}", _("Set for this round")),))
    may_swap = last.state == DRAFTED or (last.state == OPEN and g.size == 2)
    if may_swap and may("swap") and (two := _swapping(paired, last, sent)):
        title, button = _("Swap two players"), Button(f"swap {seen}", _("Swap"))
        yield FieldForm(two, (button,), title, is_pair=True, sure=sure if "one" in sent else None)
    if may("deadline") and (deadlines := _deadlines(g)):
        yield FieldForm(deadlines, (Button("deadline", _("Move the deadline")),), is_pair=True)
    if last.state != CLOSED and may("move") and (moving := _moving(g, last, sent)):
        buttons = [Button(f"move {seen}", _("Move"))]
        is_free = last.state == OPEN and g.size == 2 and not g.team_size and last.stage != CUT
        if is_free and may("call_off_table"):
            buttons.append(Button("call_off_table", _("Cancel this table"), "danger"))
        sure = sure if "moved" in sent else None
        yield FieldForm(moving, tuple(buttons), _("Move to another table"), is_pair=True, sure=sure)


OPTION = "option-"
"""How the names of the fields begin that hold an option of the round's tables."""


def _options(g: EventState, last: Round) -> Iterator[Field]:
    """What the organiser may set for the tables of the round, each at first left to the players."""
    for name, choice in system(g.system).round_choices(catalogue.current(g.system)).items():
        values = {"": _(event_rounds.PLAYERS_CHOOSE), **choice.values}
        chosen = last.options.get(name, "")
        options = tuple(Option(value, _(title), value == chosen) for value, title in values.items())
        yield Field(f"{OPTION}{name}", _(choice.title), "select", options=options)


def options_in(sent: Mapping[str, str]) -> dict[str, str]:
    """The options of a round's tables that a form has sent."""
    return {name.removeprefix(OPTION): value for name, value in sent.items() if name.startswith(OPTION)}


def _swapping(g: EventState, last: Round, sent: Mapping[str, Any]) -> tuple[Field, ...]:
    """Two players to swap, at first of different pairings: swapping two of one pairing changes nothing."""
    groups = {key: pairing.players for pairing in _without_result(g, last) for key in pairing.players}
    keys = sorted(groups, key=lambda key: name_key(called(g, key)))
    if len(set(groups.values())) < 2:
        return ()
    first = sent.get("one", keys[0])
    apart = [key for key in keys if key not in groups.get(first, ())]
    chosen = {"one": first, "other": sent.get("other", (apart or keys)[0])}
    return tuple(
        Field(
            name,
            label,
            "select",
            options=tuple(Option(key, called(g, key), key == chosen[name]) for key in keys),
        )
        for name, label in (("one", _("This player")), ("other", _("and this player")))
    )


def _deadlines(g: EventState) -> tuple[Field, ...]:
    """An open round of a league, and the last day on which its games may be played."""
    opened = g.open_rounds
    if not g.is_league or not opened:
        return ()
    rounds = tuple(
        Option(
            str(event_round.number),
            f"{rounds_and_standings.name_of(g, event_round)} · {rounds_and_standings.until(g, event_round)}",
        )
        for event_round in opened
    )
    day = clock.at_home(datetime.fromtimestamp(opened[0].until or int(clock.seconds()), UTC), g.zone)
    return (
        Field("round", _("Round"), "select", options=rounds),
        Field("until", _("To be played until"), "date", f"{day:%Y-%m-%d}"),
    )


def _without_result(g: EventState, last: Round) -> list[Pairing]:
    """The pairings of which the players or the table may still change, and who has no game."""
    return [
        pairing
        for pairing in g.at(last.number)
        if pairing.is_bye or (pairing.state == OPEN and not pairing.results)
    ]


def _moving(g: EventState, last: Round, sent: Mapping[str, Any]) -> tuple[Field, ...]:
    """A pairing without a result, and the number of another table."""
    waiting = [pairing for pairing in _without_result(g, last) if not pairing.is_bye]
    if not waiting:
        return ()
    named = {
        pairing.key: f"{pairing.table}: {_(', ').join(called(g, key) for key in pairing.players)}"
        for pairing in waiting
    }
    options = tuple(Option(key, label, key == sent.get("moved")) for key, label in named.items())
    return (
        Field("moved", _("This pairing"), "select", options=options),
        Field("table", _("to table"), "number", sent.get("table", ""), low=1, high=LAST_TABLE),
    )


def _hand_field(g: EventState, number: int, sent: Mapping[str, Any]) -> Field:
    groups = [pairing.players for pairing in g.at(number)] or [(key,) for key in g.present(number)]
    text = sent.get("groups", groups_as_text(g, groups))
    help = _("One table per line, names separated by “/”; a name alone gets a bye.")
    return Field("groups", _("Pair by hand"), "area", value=text, help=help)


# --- pairings as text --------------------------------------------------------------------------------


def groups_as_text(g: EventState, groups: Sequence[Sequence[str]]) -> str:
    """One table a line, its players separated by slashes."""
    return "\n".join(" / ".join(called(g, key) for key in group) for group in groups)


def groups_of(g: EventState, text: str) -> list[list[str]]:
    """The players of each table as they were written, one line a table."""
    by_name = {name_key(called(g, key)): key for key in g.players}
    groups = []
    for line in text.splitlines():
        names = [name.strip() for name in line.split("/") if name.strip()]
        for name in names:
            if name_key(name) not in by_name:
                unknown = noop("There is no player called “%(name)s”. Type names exactly as in the list.")
                raise RequestRefused(say(unknown, name=name[:80]), 409, "not_offered")
        if names:
            groups.append([by_name[name_key(name)] for name in names])
    return groups


def called(g: EventState, key: str) -> str:
    """A player's name and club as they stand in a line of pairings, where slashes separate the players."""
    return g.called(key).replace("/", "\N{FRACTION SLASH}")


# --- one match of two teams --------------------------------------------------------------------------


def match(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One team match: its put-up, what organisers may answer for a captain, and its tables."""
    g = position_of(visit.event)
    team_match = known(g.team_matches, about)
    is_open = g.rounds[str(team_match.round)].state == OPEN
    buttons = []
    if is_open and team_match.question and visit.may("rest_by_lot"):
        buttons.append(Button(f"rest_by_lot {team_match.key}", _("Pair the rest at random"), "", "roll"))
    tables = team_rounds.tables_of(g, team_match)
    if (
        is_open
        and not any(table.is_decided and not table.is_bye for table in tables)
        and not team_match.is_bye
    ):
        buttons.append(Button(f"pair_anew {team_match.key}", _("Pair this match again"), "danger"))
    values = {
        "row": team_matches.row(g, team_match),
        "asked": tuple(_asked(g, team_match)) if is_open and visit.may("propose") else (),
        "buttons": tuple(button for button in buttons if visit.may(button.do.split()[0])),
        "tables": tuple(
            Link(
                reverse("organise-table", args=[visit.code, table.key]),
                f"{table.table or '–'}: {' – '.join(g.players[key].name for key in table.players)}",
                "table",
            )
            for table in tables
        ),
    }
    return team_rounds.in_words(g, team_match), values


def _asked(g: EventState, team_match: TeamMatch) -> Iterator[Asked]:
    for key in team_match.waits_for if team_match.question else ():
        answers = tuple(
            Button(f"propose {team_match.key} {team_match.mark} {player}", team_matches.named(g, player))
            for player in team_match.offers(key)
        )
        title = _("%(team)s: %(question)s") % {
            "team": g.teams[key].name,
            "question": _(QUESTIONS[team_match.question]),
        }
        yield Asked(title, answers)


QUESTIONS = {
    DEFENDER: noop("whom do they put up?"),
    ATTACKERS: noop("which two do they offer?"),
    CHOICE: noop("which of these do they choose?"),
}
"""What a captain is asked, for somebody who answers instead."""


# --- results by keyboard -----------------------------------------------------------------------------


def results(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One line for one result, the result that was entered last, and the tables by their numbers."""
    hall = hall_of(visit.code)
    open_pairings = _open(hall.state)
    is_sent = request.method == "POST"
    values = {
        "table": sent.get("table", "") if is_sent else "",
        "players": tuple(_players(hall.state, open_pairings, sent if is_sent else {})),
        "sure": replace(sure_field(), focused=True) if is_sent and _is_odd(hall.state, sent) else None,
        "button": Button("enter_table", _("Enter the result"), "main", "check") if open_pairings else None,
        "done": newest(hall, visit.actor.role),
        "tables": hall_tables.tables(hall, open_pairings),
    }
    return _("Enter results"), values


def at_table(g: EventState, sent: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The pairing at the table that a form names, and what the form says with its players' names."""
    number = int(clean_int(sent.get("table", ""), 1, LAST_TABLE))
    pairing = next((open_table for open_table in _open(g) if open_table.table == number), None)
    if pairing is None:
        line = noop("No table of this round has the number %(number)s.")
        raise RequestRefused(say(line, number=number), 422, "unknown")
    seated = dict(zip(_places(g, pairing), pairing.players, strict=True))
    for at, title in _titles(g, _open(g)).items():
        if at not in seated and sent.get(f"vp-{at}", "").strip():
            line = noop("No one plays %(house)s at table %(table)s.")
            raise RequestRefused(say(line, house=title, table=number), 422, "unknown")
    places = {f"{name}-{at}": f"{name}-{key}" for at, key in seated.items() for name in event_results.NUMBERS}
    return pairing.key, {places.get(name, name): value for name, value in sent.items()}


def _places(g: EventState, pairing: Pairing) -> list[int]:
    """The place in the line of each player of a table: their own, or at a table of several their house's."""
    if g.size == 2:
        return list(range(len(pairing.players)))
    houses = list(system(g.system).seat_names)
    return [houses.index(seat) if seat else len(houses) + at for at, seat in enumerate(pairing.seats)]


def _titles(g: EventState, pairings: list[Pairing]) -> dict[int, str]:
    """What the places of the line are called, as many as the tables need."""
    needed = sorted({at for pairing in pairings for at in _places(g, pairing)})
    houses = list(system(g.system).seat_names) if g.size > 2 else []
    return {
        at: rounds_and_standings.seat_name(g, houses[at])
        if at < len(houses)
        else _("Player %(number)s") % {"number": at - len(houses) + 1}
        for at in needed
    }


def following(visit: Visit, key: str) -> str:
    """The next table without a result after this one; this one if there is none: the list stays there."""
    keys = [
        pairing.key
        for pairing in _open(hall_of(visit.code).state)
        if pairing.key == key or not pairing.is_decided
    ]
    return next(iter(keys[keys.index(key) + 1 :]), key) if key in keys else key


def _is_odd(g: EventState, sent: Mapping[str, str]) -> bool:
    with suppress(RequestRefused, Unreadable):
        return is_odd(g, *at_table(g, sent))
    return False


def _open(g: EventState) -> list[Pairing]:
    """The tables of the open round; a league's rounds share numbers, so it has none here."""
    if g.is_league or g.last is None or g.last.state != OPEN:
        return []
    return [pairing for pairing in g.at(g.last.number) if not pairing.is_bye]


def _players(g: EventState, pairings: list[Pairing], sent: Mapping[str, str]) -> list[FieldGroup]:
    """The numbers of each player of a table, in the order in which the table names them, or by house."""
    labels, asked = rounds_and_standings.labels(g), event_results.asked(g)
    return [
        FieldGroup(
            title,
            tuple(_field(name, str(at), labels[name], {}, sent) for name in asked),
        )
        for at, title in _titles(g, pairings).items()
    ]
