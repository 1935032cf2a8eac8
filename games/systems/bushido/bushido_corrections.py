"""All corrections, open at any time: what the table noted wrongly or a card changed.

A correction is a signed change or a switch, is logged with its author and can be taken
back like any action. It never plays a turn and never ends a match by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core import (
    NEEDS_A_REASON,
    NOTE_GRAPHEMES,
    PIECE_GRAPHEMES,
    Action,
    Button,
    Choice,
    Counter,
    EndCorrections,
    Extra,
    FieldCorrections,
    Flag,
    IllegalAction,
    Line,
    Offer,
    Switches,
    Term,
    controllers,
    give_points,
    name_of,
    points_row,
    propose,
    reason_for_points,
    say,
    say_count,
    step_of,
    terms,
    written,
)
from games.core import gettext_noop as _
from games.systems.bushido.pieces import (
    ELSEWHERE,
    MOMENTS,
    MOST_MARKERS,
    MOST_VALUE,
    REMOVED,
    STATES,
    TABLE,
    UNPLACED,
    Army,
    Objective,
    Table,
    Unit,
)
from games.systems.bushido.rules import (
    end_phase,
    main_phase,
    melee_exchange,
    model_actions,
    muster_and_deployment,
    scenarios,
    victory_and_end,
    wounds_and_ki,
)
from games.systems.bushido.rules.wounds_and_ki import WoundTest

WOUNDS, HIT, FEAT = _("Wounds left"), _("Wounds by success level"), _("Active feat, by its Ki")
KI, ACTIVATION, ITS_STATES, NEW_STATES = _("Ki"), _("Activation"), _("States"), _("Another state")
POSITION, ALIGNMENT, POINTS, TOKENS = _("Position"), _("Alignment"), _("Points"), _("Tokens")
NOTE, FIGURES, TURN, CLOCK = _("Note"), _("On its card"), _("Turn"), _("Clock")
ENTRY, END = _("Warband"), _("End of the match")
SHARED_KI = _("Shared Ki")

MOST_POINTS, MOST_TOKENS, MOST_MINUTES = 60, 20, 240
MOST_FIGURE, MOST_KI, MOST_SHARED_KI = 10, 30, 60
MOST_COUNTERS, MOST_LEVEL, FEAT_PRICE = 4, 11, 8
ACTIVATION_SECONDS, DUEL_SECONDS = 120, 30
NEUTRAL = "neutral"
OF_MODEL, OF_PLAYER = _("%(model)s: %(what)s %(now)s."), _("%(player)s: %(what)s %(now)s.")
TYPE_BELOW = _("Type it in the field below.")

# --- wounds, Ki and counters of a model ------------------------------------------------------------


def _in_play(g: Table, unit: Unit) -> bool:
    return bool(g.round and unit.is_in_play)


def _counts_wounds(g: Table, unit: Unit) -> bool:
    return _in_play(g, unit) and unit.tracks_wounds


def _can_be_hit(g: Table, unit: Unit) -> bool:
    """Whether it is there, and no question is open that no further one should cover."""
    return _in_play(g, unit) and unit.is_on_table and melee_exchange.may_cover(g)


def _change_wounds(g: Table, unit: Unit, change: int) -> None:
    if change < 0:
        wounds_and_ki.suffer(g, unit, -change)
    else:
        unit.wounds += change
        line = _("%(model)s: %(left)s of %(total)s wounds left.")
        g.say(line, model=unit.name, left=unit.wounds, total=unit.wounds_total)


def _hit(g: Table, unit: Unit, level: int) -> None:
    """BUSH-34: a success level and two dice give the wounds."""
    g.say(_("%(model)s is hit with success level %(level)s."), model=unit.name, level=level)
    g.call(WoundTest(unit.key, level))


def _most_ki(g: Table, unit: Unit) -> int:
    most = MOST_SHARED_KI if unit.is_communal else MOST_KI if unit.cap is None else unit.cap
    return max(most, wounds_and_ki.ki_held(g, unit))


def _change_ki(g: Table, unit: Unit, change: int) -> None:
    left = wounds_and_ki.change_ki(g, unit, change)
    if unit.is_communal:
        g.say(OF_PLAYER, player=name_of(g, unit.army), what=Term(SHARED_KI), now=left)
    else:
        g.say(_("%(model)s: %(ki)s Ki."), model=unit.name, ki=left)
    if not left and wounds_and_ki.lives_on_ki(unit):
        wounds_and_ki.kill(g, unit)


def _feats_of(g: Table, unit: Unit) -> str:
    """Whose feats a model uses: its last counter may have ended the control of whoever had it act."""
    return g.actor if g.actor and unit.key == g.acting else unit.player


def _uses_feats(g: Table, unit: Unit) -> bool:
    """Whether its Active feats may be used. An Instant feat is paid for as Ki is corrected, at any time."""
    is_open = main_phase.is_main(g) and _feats_of(g, unit) in (g.active, g.feats)
    return _in_play(g, unit) and is_open


def use_feat(g: Table, unit: Unit, price: int) -> None:
    """BUSH-09, BUSH-14: Active feats are the Active Player's, the last ones until the rival begins."""
    player = _feats_of(g, unit)
    left = wounds_and_ki.change_ki(g, unit, -price)
    is_after = player == g.feats
    if not is_after:
        main_phase.close_last_feats(g)
    line = (
        _("%(model)s uses a feat after the action: %(price)s Ki, %(left)s left.")
        if is_after
        else _("%(model)s uses a feat before the action: %(price)s Ki, %(left)s left.")
    )
    g.say(line, model=unit.name, price=price, left=left)


COUNTERS_LEFT = say_count(
    "%(model)s: %(count)s activation counter.", "%(model)s: %(count)s activation counters.", 0
)


def _note_activated(_g: Table, unit: Unit) -> None:
    unit.activated = not unit.counters


def _fight_back(g: Table, unit: Unit) -> None:
    """BUSH-13: the target of a melee pays a counter."""
    model_actions.unmask(g, unit)
    model_actions.hit_back(g, unit)
    g.target = unit.key


# --- states of a model -----------------------------------------------------------------------------


VALUED = tuple(name for name, state in STATES.items() if state.has_value)


def _markers(_g: Table, unit: Unit) -> Iterator[Offer]:
    """BUSH-33: the markers that may come off a model."""
    for name in sorted({name for name, _value in unit.markers} & STATES.keys()):
        state, values = STATES[name], unit.values(name)
        shown = ", ".join(map(str, values)) if state.has_value else len(values)
        label = say(_("Remove %(state)s (%(shown)s)"), state=Term(state.title), shown=shown)
        yield Offer(f"take-off:{unit.key}:{name}", label, detail=Line(state.help))


def _take_off(g: Table, action: Action) -> None:
    unit, state = g.units[action.nouns[0]], action.nouns[1]
    unit.remove_marker(state)
    g.say(_("%(model)s: remove 1 marker of %(state)s."), model=unit.name, state=_title(state))


def _new_states(_g: Table, unit: Unit) -> Iterator[Offer]:
    for name, state in STATES.items() if len(unit.markers) < MOST_MARKERS else ():
        if not unit.can_gain(name):
            continue
        if state.has_value:
            yield Offer(f"{name}:{unit.key}", Line(state.title), 1, MOST_VALUE)
        else:
            yield Offer(f"put-on:{unit.key}:{name}", Line(state.title))


def put_on(g: Table, action: Action) -> None:
    """BUSH-33: markers of states are put on models; some have a value."""
    unit, value = g.units[action.nouns[0]], action.number or 1
    state = action.nouns[-1] if action.number is None else action.verb
    model_actions.put_on(g, unit, state, value)
    if STATES[state].has_value:
        g.say(_("%(model)s: %(state)s %(value)s."), model=unit.name, state=_title(state), value=value)
    else:
        g.say(_("%(model)s: %(state)s."), model=unit.name, state=_title(state))


def _title(state: str) -> Term:
    return Term(STATES[state].title)


# --- where a model is ------------------------------------------------------------------------------


def _may_go(place: str) -> Any:
    """Whether a model may be put there; a flanking one arrives when its player reveals its flank."""
    return lambda g, unit: bool(g.round and unit.place != place and not (unit.is_flanking and place == TABLE))


def _go_elsewhere(g: Table, unit: Unit) -> None:
    wounds_and_ki.take_back(g, unit)
    unit.place, unit.zone = ELSEWHERE, None


def _leave(g: Table, unit: Unit) -> None:
    unit.flanks = False
    wounds_and_ki.kill(g, unit)


def _may_be_vim(g: Table, unit: Unit) -> bool:
    return bool(g.round and scenarios.of(g).vim) and victory_and_end.known_vim(g, unit.army) not in (
        "?",
        unit.key,
    )


def _make_vim(g: Table, unit: Unit) -> None:
    """BUSH-29: an open VIM that was named wrongly; a hidden one can be named again only by undo."""
    g.armies[unit.army].vim = unit.key
    if wounds_and_ki.has_returned(g, unit):
        wounds_and_ki.forget_fall(g, unit)


def _zones(g: Table, _unit: Unit) -> Iterator[tuple[str, Line]]:
    for zone in g.places(scenarios.ZONE):
        yield zone.key, say(_("Entirely inside %(zone)s"), zone=Term(zone.name))


# --- the card of a model ---------------------------------------------------------------------------


def _is_noted(_g: Table, unit: Unit) -> bool:
    return bool(unit.note)


def _write_note(g: Table, unit: Unit) -> None:
    unit.note = written(g, _("Please type the note in the field below."), NOTE_GRAPHEMES)
    g.say(_("%(model)s: %(note)s"), model=unit.name, note=unit.note)


def _drop_note(_g: Table, unit: Unit) -> None:
    unit.note, unit.reminders = "", frozenset()


def _change_total(_g: Table, unit: Unit, change: int) -> None:
    unit.wounds_total += change
    unit.wounds_stat = str(unit.wounds_total)
    unit.wounds = max(0, min(unit.wounds_total, unit.wounds + max(0, change)))


def _change_gain(_g: Table, unit: Unit, change: int) -> None:
    unit.ki_stat = str((unit.gain or 0) + change)


def _change_cap(g: Table, unit: Unit, change: int) -> None:
    unit.ki_cap = str((unit.cap or 0) + change)
    wounds_and_ki.fill_ki(g, unit)


# fmt: off
UNIT = {
    WOUNDS: (
        Counter("wounds", WOUNDS, 0, lambda g, unit: unit.wounds_total, write=_change_wounds,
                when=_counts_wounds),
        Button("heal", _("Heal"), wounds_and_ki.heal, low=1,
               high=lambda g, unit: unit.wounds_total - unit.wounds, when=_counts_wounds),
    ),
    KI: (
        Counter("ki", lambda g, unit: Line(SHARED_KI if unit.is_communal else KI), 0, _most_ki,
                value=wounds_and_ki.ki_held, write=_change_ki, when=_in_play),
    ),
    ACTIVATION: (
        Counter("counters", _("Activation counters"), 0, MOST_COUNTERS, COUNTERS_LEFT, then=_note_activated,
                when=_in_play),
        Button("fights-back", _("Fights back: remove 1 counter"), _fight_back,
               when=lambda g, unit: _in_play(g, unit) and bool(unit.counters) and unit.is_on_table),
        Button("overtime", _("Its time is up: remove 1 counter"), main_phase.lose_time,
               when=lambda g, unit: _in_play(g, unit) and main_phase.is_late(g, unit)),
    ),
    FEAT: (
        Button("feat", FEAT, use_feat, low=0,
               high=lambda g, unit: min(wounds_and_ki.spendable_ki(g, unit), FEAT_PRICE), when=_uses_feats),
    ),
    **melee_exchange.OF_UNIT,
    HIT: (Button("hit", HIT, _hit, low=0, high=MOST_LEVEL, when=_can_be_hit),),
    ITS_STATES: (Extra(_markers, ("take-off",), _take_off, when=_in_play),),
    NEW_STATES: (Extra(_new_states, ("put-on", *VALUED), put_on, when=_in_play),),
    POSITION: (
        Button("on-table", _("On the battlefield"), wounds_and_ki.revive, when=_may_go(TABLE)),
        Button("elsewhere", _("Elsewhere"), _go_elsewhere, _("%(model)s is Elsewhere."),
               when=_may_go(ELSEWHERE)),
        Button("removed", _("Out of the match"), _leave, when=_may_go(REMOVED)),
        Button("vim", _("Make it the VIM"), _make_vim, _("%(model)s is a VIM."), when=_may_be_vim),
        Switches("inside", "outside", _zones, "zone", _("%(model)s stands inside %(zone)s."),
                 _("%(model)s left %(zone)s."), when=lambda g, unit: unit.is_on_table),
    ),
    NOTE: (
        Button("note", _("Note on its card"), _write_note, detail=TYPE_BELOW),
        Button("forget", _("Remove its note"), _drop_note, _("%(model)s: note removed."), when=_is_noted),
        Switches("remind", "let-be", terms(_("Remind me: %(moment)s"), "moment", MOMENTS), "reminders",
                 _("Reminder set for %(model)s: %(moment)s."),
                 _("Reminder removed for %(model)s: %(moment)s."), when=_is_noted),
    ),
    FIGURES: (
        Counter("tactician", _("Tactician"), 0, 3, OF_MODEL),
        Counter("regenerate", _("Regenerate"), 0, 5, OF_MODEL),
        Counter("tough", _("Tough"), 0, 5, OF_MODEL),
        Flag("tireless", "tires", _("Tireless"), _("%(model)s is Tireless."),
             _("%(model)s is not Tireless.")),
        Counter("wounds-total", _("Total wounds"), 1, 30, OF_MODEL, write=_change_total,
                when=lambda g, unit: unit.tracks_wounds),
        Counter("gain", _("Ki each turn"), 0, MOST_FIGURE, OF_MODEL, write=_change_gain,
                when=lambda g, unit: unit.gain is not None),
        Counter("cap", _("Ki cap"), 0, MOST_KI, OF_MODEL, write=_change_cap,
                when=lambda g, unit: unit.cap is not None),
        Counter("rice", _("Rice"), 0, 99, OF_MODEL, "cost",
                then=lambda g, unit: muster_and_deployment.recount(g, unit.army)),
    ),
}
# fmt: on

# --- a side ----------------------------------------------------------------------------------------


def _not_begun(g: Table, _piece: Any) -> bool:
    return not g.round


def _begun(g: Table, _piece: Any) -> bool:
    return bool(g.round)


def _most_points(g: Table, side: Army) -> int:
    return g.points(side.key) + victory_and_end.available(g) - victory_and_end.scored(g)


def _has_room(g: Table, side: Army) -> bool:
    return sum(1 for _unit in g.units_of(side.key)) < muster_and_deployment.MOST_MODELS


def _moving(g: Table, side: Army) -> Line:
    return say(_("Move a Victory Point to %(player)s"), player=name_of(g, g.rival(side.key)))


def _move_point(g: Table, side: Army) -> None:
    """BUSH-22: in one step, because the match goes on while a point is still to be given."""
    reason = reason_for_points(g)
    give_points(g, side.key, -1, reason)
    give_points(g, g.rival(side.key), 1, reason)


def reveal(g: Table, side: Army) -> None:
    """BUSH-29: only the player who named a VIM in secret may reveal it."""
    if g.author != side.key:
        line = say(_("Only %(player)s can reveal that."), player=name_of(g, side.key))
        raise IllegalAction(line, "BUSH-29")
    victory_and_end.reveal_vim(g, side.key)


def _summon(g: Table, side: Army) -> None:
    called = written(g, _("Please type the model's name in the field below."), PIECE_GRAPHEMES)
    unit = muster_and_deployment.enlist(g, side.key, muster_and_deployment.summoned(g, called))
    unit.summoned, unit.place = bool(g.round), TABLE if g.round else UNPLACED
    muster_and_deployment.recount(g, side.key)
    muster_and_deployment.tell_from_enemy(g, unit)
    g.say(_("%(model)s joins %(player)s."), model=unit.name, player=name_of(g, side.key))


def run_out(g: Table, side: Army) -> None:
    """BUSH-36: the table says whether a player's death clock has run out."""
    g.say(_("The time of %(player)s has run out."), player=name_of(g, side.key))
    propose(g, victory_and_end.Closing(victory_and_end.CLOCK, side.key))


# fmt: off
ARMY = {
    POINTS: (
        Counter("scenario-points", _("Scenario Points"), 0, MOST_POINTS, OF_PLAYER, when=_begun),
        # BUSH-22: there are never more Victory Points than the scenario has.
        points_row(0, _most_points, _begun),
        Button("move-point", _moving, _move_point, detail=NEEDS_A_REASON,
               when=lambda g, side: bool(g.round) and g.points(side.key) > 0),
    ),
    TOKENS: (
        Counter("passes", _("Pass tokens"), 0, MOST_TOKENS, OF_PLAYER, when=_begun),
        Counter("prayers", _("Prayer tokens"), 0, MOST_TOKENS, OF_PLAYER, when=_begun),
        Counter("communal", SHARED_KI, 0, MOST_SHARED_KI, OF_PLAYER, when=_begun),
        Button("reveal", _("Reveal the hidden VIM"), reveal,
               when=lambda g, side: bool(g.round) and "vim" in side.hidden),
    ),
    ENTRY: (
        Button("summon", _("Add a model"), _summon,
               detail=_("Type its name in the field below; correct its card afterwards."),
               when=_has_room),
    ),
    END: (
        Button("run-out", _("Its time has run out"), run_out, style="apart",
               when=lambda g, _side: bool(g.rules["death"]) and BushidoCorrections().can_end(g)),
    ),
}
# fmt: on

# --- objectives and zones --------------------------------------------------------------------------


def _friends(g: Table, place: Objective) -> Iterator[tuple[str, Line]]:
    for seat in g.rivals(place.aligned) if place.aligned else g.seats:
        yield seat, say(_("Friendly to %(player)s"), player=name_of(g, seat))
    if place.aligned:
        yield NEUTRAL, say(_("Neutral"))


def _align(g: Table, place: Objective, who: str) -> None:
    if who == NEUTRAL:
        place.aligned = None
        g.say(_("%(place)s is neutral."), place=Term(place.name))
    else:
        place.aligned = who
        g.say(_("%(place)s is friendly to %(player)s."), place=Term(place.name), player=name_of(g, who))


def _count_inside(g: Table, zone: Objective) -> None:
    zone.override, zone.uncontrolled = None, False
    g.say(_("%(zone)s goes by the models inside."), zone=Term(zone.name))


# fmt: off
OBJECTIVE = {
    ALIGNMENT: (Choice("align", _friends, _align, when=lambda g, place: place.follows not in g.objectives),),
    POINTS: (
        controllers(_("Go by the models inside"), end_phase.decide, _count_inside,
                    lambda g, place: place.kind == scenarios.ZONE),
    ),
    ENTRY: (Button("drop", _("Remove it from the battlefield"), scenarios.remove, style="apart"),),
}
# fmt: on

# --- the table -------------------------------------------------------------------------------------

ADDED = {scenarios.OBJECTIVE: _("Another objective"), scenarios.ZONE: _("Another zone")}


def _has_scenario(g: Table, _table: Table) -> bool:
    return "scenario" in g.rules


def _not_full(g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    return ((kind, Line(called)) for kind, called in ADDED.items() if not scenarios.is_full(g, kind))


def _lay(g: Table, _table: Table, kind: str) -> None:
    place = scenarios.add(g, kind)
    g.say(_("%(place)s is laid on the battlefield, neutral."), place=Term(place.name))


def _other_vims(g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    """How VIMs may be named instead, until one is or the first turn begins."""
    if g.round or not scenarios.of(g).vim or any(army.vim for army in g.armies.values()):
        return
    for how, words in scenarios.VIMS.items():
        if how != victory_and_end.kind_of_vim(g):
            yield how, say(_("VIMs are %(how)s"), how=Term(words))


def _name_vims(g: Table, _table: Table, how: str) -> None:
    """BUSH-29: another way to name the VIMs may be agreed on before any is named."""
    g.rules = {**g.rules, "vim": how}


def _usual_seconds(g: Table) -> int:
    """BUSH-35: how long an activation may take once the table has a limit; in a duel it is half a minute."""
    is_duel = "scenario" in g.rules and scenarios.of(g).is_duel
    return DUEL_SECONDS if is_duel else ACTIVATION_SECONDS


def _limit(g: Table, _table: Table) -> Line:
    seconds = g.rules["activation"] or _usual_seconds(g)
    if seconds == ACTIVATION_SECONDS:
        return say(_("Two minutes for an activation"))
    return say(_("%(seconds)s seconds for an activation"), seconds=seconds)


def limit_activations(g: Table, _table: Table, is_on: bool) -> None:
    """BUSH-35: a table may play with a limit for each activation."""
    seconds = _usual_seconds(g) if is_on else 0
    g.rules = {**g.rules, "activation": seconds}
    if not is_on:
        g.say(_("Activations have no time limit."))
    elif seconds == ACTIVATION_SECONDS:
        g.say(_("Each activation has two minutes."))
    else:
        g.say(_("Each activation has %(seconds)s seconds."), seconds=seconds)


def limit_players(g: Table, _table: Table, change: int) -> None:
    """BUSH-36: a table may play with a limit on each player's total time."""
    minutes = g.rules["death"] + change
    g.rules = {**g.rules, "death": minutes}
    if minutes:
        g.say(_("Each player has %(minutes)s minutes in total."), minutes=minutes)
    else:
        g.say(_("The players have no time limit."))


def _make_final(g: Table, _table: Table, is_on: bool) -> None:
    g.is_final = is_on
    g.say(_("This is the last turn.") if is_on else _("This is not the last turn."))
    if not is_on:
        victory_and_end.take_back_last(g)


def _next_player(g: Table, _table: Table) -> Iterator[tuple[str, Line]]:
    rival = g.rival(g.active)
    yield rival, say(_("%(player)s is the Active Player"), player=name_of(g, rival))


# fmt: off
TABLE_ROWS = {
    **melee_exchange.OF_TABLE,
    ENTRY: (
        Choice("lay", _not_full, _lay, when=_has_scenario),
        Choice("vims", _other_vims, _name_vims, said=_("VIMs are %(how)s."), when=_has_scenario),
    ),
    CLOCK: (
        Flag("activation-clock", "no-activation-clock", _limit, detail=_("It loses a counter after them."),
             value=lambda g, _table: bool(g.rules["activation"]), write=limit_activations, when=_not_begun),
        Counter("death-clock", _("Minutes per player in total, 0 for no limit"), 0, MOST_MINUTES,
                value=lambda g, _table: g.rules["death"], write=limit_players, when=_not_begun),
    ),
    TURN: (
        Flag("final", "not-final", _("This is the last turn"), field="is_final", write=_make_final,
             when=_begun),
        Choice("active", _next_player, lambda g, _table, seat: main_phase.begin_activation(g, seat),
               said=_("%(player)s is the Active Player."),
               when=lambda g, _table: isinstance(step_of(g), main_phase.Turn)),
    ),
}
# fmt: on


class BushidoCorrections(FieldCorrections[Table], EndCorrections[Table]):
    """Corrections of Bushido."""

    rows = {"unit": UNIT, "army": ARMY, "objective": OBJECTIVE, "table": TABLE_ROWS}
    headings = (
        WOUNDS, KI, ACTIVATION, FEAT, HIT, melee_exchange.MELEE, ITS_STATES, NEW_STATES, POSITION, ALIGNMENT,
        POINTS, TOKENS, NOTE, FIGURES, melee_exchange.OF_CARD, TURN, CLOCK, ENTRY, END,
    )  # fmt: skip
    folded = frozenset({HIT, FEAT, NEW_STATES, NOTE, FIGURES, melee_exchange.OF_CARD, TURN, ENTRY, END})
    end_heading = END
    no_winner = "drawn"

    def of(self, g: Table, path: str) -> Iterator[Offer]:
        kind, _slash, key = path.partition("/")
        yield from super().of(g, path)
        if path == "table":
            yield from self.end_on_time(g)
            yield from self.adjudications(g)
        elif kind == "army" and key in g.armies:
            yield from self.concession_of(g, key)

    def end_on_time(self, g: Table) -> Iterator[Offer]:
        if not g.time_is_up:
            yield from super().end_on_time(g)

    def proposal(self, how: str, who: str = "") -> victory_and_end.Closing:
        return victory_and_end.Closing(how, who)

    def can_end(self, g: Table) -> bool:
        return super().can_end(g) and not isinstance(step_of(g), victory_and_end.Closing)
