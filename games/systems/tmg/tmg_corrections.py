"""All corrections, open at any time: what the table noted wrongly or a card changed.

A correction is a signed change or a switch, is logged with its author and can be taken
back like any action. It never plays a turn and never ends a match by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from msgspec.structs import replace

from games.core import (
    NOBODY,
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
    name_of,
    points_row,
    refuse_same,
    say,
    say_count,
    seats,
    step_of,
    stepper,
    switch,
    system,
    terms,
    written,
)
from games.core import gettext_noop as _
from games.systems.tmg import list_entries
from games.systems.tmg.list_entries import TYPE_BELOW, Labels, noun
from games.systems.tmg.pieces import MOMENTS, WALL, Place, Side, Table, Unit
from games.systems.tmg.rules import (
    activation_phase,
    attacks,
    clean_up_phase,
    deployment,
    destruction,
    end_of_match,
    objective_tokens,
    tactics_cards,
)
from games.systems.tmg.rules.kept_by_players import is_tracked, keep_aside, parts, track

WOUNDS, CONDITIONS, POSITION = _("Wounds left"), _("Conditions"), _("Position")
ACTIVATION, COUNTERS, NOTE, ENTRY = _("Activation"), _("Counters"), _("Note"), _("List entry")
CONTROL, CARD, POINTS = _("Control"), _("Objective card"), _("Points")
CARDS, NAMES = _("Tactics cards"), _("Names of the tactics cards")
TURN, BOARD, KEPT, END = _("Turn"), _("Tactics board"), _("Tracked in the app"), _("End of the match")

LARGEST_SCORE, LARGEST_POOL, LARGEST_HAND = 5, 6, 20
MOST_DRAWN, MOST_COUNTERS = 5, 12


def _on_table(_g: Table, unit: Unit) -> bool:
    return unit.is_on_table


def _fighting(_g: Table, unit: Unit) -> bool:
    return unit.is_combat and unit.is_on_table


def _seated(_g: Table, unit: Unit) -> bool:
    """Whether an NCU is at the tactics board."""
    return unit.is_on_table and not unit.is_combat


def _fights(_g: Table, unit: Unit) -> bool:
    return unit.is_combat


def _acting(g: Table, unit: Unit) -> bool:
    return bool(unit.is_on_table and g.round)


# --- wounds of a unit ------------------------------------------------------------------------------


def _wounds(g: Table, unit: Unit) -> Iterator[Offer]:
    """TMG-40: a destruction is taken back by saying how many wounds are left."""
    action, label = f"wounds:{unit.key}", Line(WOUNDS)
    if not destruction.can_be_given_back(unit):
        least = 0 if unit.is_on_table and g.round else min(1, unit.wounds)
        yield from stepper(action, label, unit.wounds, least, unit.wounds_total, WOUNDS)
    elif unit.wounds_total:
        detail = say(_("Undoes its destruction and its points."))
        yield Offer(action, label, 1, unit.wounds_total, detail=detail, value=0)


def _change_wounds(g: Table, action: Action) -> None:
    unit, change = g.units[action.nouns[0]], action.number or 0
    refuse_same(not change)
    if destruction.can_be_given_back(unit):
        destruction.give_back(g, unit, change)
    elif change < 0:
        destruction.wound(g, unit, -change, g.rival(unit.army))
    else:
        destruction.restore(g, unit, change)


def _may_panic(g: Table, unit: Unit) -> bool:
    return _acting(g, unit) and bool(unit.is_combat and unit.wounds and unit.kind != WALL)


def _panic(g: Table, unit: Unit) -> None:
    g.say(_("%(unit)s fails its panic test."), unit=unit.name)
    destruction.wound(g, unit, attacks.failed(g, unit), g.rival(unit.army))
    if unit.is_on_table:
        objective_tokens.lose(g, unit)


def _token_lost(g: Table, unit: Unit) -> Line:
    token = objective_tokens.carried(g, unit)
    return say(_("Failed panic test: it loses %(token)s"), token=Term(token.name if token else ""))


def _lose_token(g: Table, unit: Unit) -> None:
    """TMG-91, TMG-92: a unit that fails a panic test loses what it carries."""
    g.say(_("%(unit)s fails its panic test."), unit=unit.name)
    objective_tokens.lose(g, unit)


def _is_uncounted(g: Table, unit: Unit) -> bool:
    """TMG-40: whether it was destroyed where no wounds are counted that could be given back."""
    is_counted = unit.is_combat and unit.wounds_total and g.tracks("wounds")
    return destruction.can_be_given_back(unit) and not is_counted


def _returning(_g: Table, unit: Unit) -> Line:
    of_unit = _("By a card or ability, with all its wounds; what it scored stays.")
    return Line(of_unit if unit.is_combat else _("By a card or ability; its army points stay lost."))


# --- conditions, counters, notes -------------------------------------------------------------------


def _conditions(g: Table, unit: Unit) -> Labels:
    for condition, called in destruction.CONDITION_NAMES.items():
        if condition in unit.conditions or not destruction.gains_none(g, unit):
            yield condition, Line(called)


def counters(unit: Unit) -> tuple[str, ...]:
    """The names of a unit's own counters, then of the usual ones."""
    own = tuple(called for called, _number in unit.counters)
    return (*own, *(called for called in destruction.COUNTERS if called not in own))


def _is_full(unit: Unit, counter: str) -> bool:
    return destruction.counted(unit, counter) >= destruction.COUNTERS.get(counter, destruction.COUNTER_LIMIT)


def _more_or_less(_g: Table, unit: Unit) -> Iterator[Offer]:
    for called in counters(unit):
        key, number = f"{unit.key}:{noun(called)}", destruction.counted(unit, called)
        if not _is_full(unit, called):
            yield Offer(f"more:{key}", say(_("%(counter)s: add 1"), counter=Term(called)), value=number)
        if number:
            yield Offer(f"less:{key}", say(_("%(counter)s: remove 1"), counter=Term(called)), value=number)


def _count(g: Table, action: Action) -> None:
    unit = g.units[action.nouns[0]]
    called = next(called for called in counters(unit) if noun(called) == action.nouns[1])
    destruction.count(g, unit, called, 1 if action.verb == "more" else -1)


def _new_counter(g: Table, unit: Unit) -> None:
    called = written(g, _("Please type the counter's name in the field below."))
    same = next((other for other in counters(unit) if noun(other) == noun(called)), called)
    if _is_full(unit, same):
        raise IllegalAction(say(_("%(unit)s already has the maximum."), unit=unit.name), "TMG-44")
    destruction.count(g, unit, same, 1)


def _write_note(g: Table, unit: Unit) -> None:
    unit.note = written(g, "", NOTE_GRAPHEMES) if g.note.strip() else ""
    if unit.note:
        g.say(_("Note on %(unit)s: %(note)s"), unit=unit.name, note=unit.note)
    else:
        g.say(_("Note removed from %(unit)s."), unit=unit.name)


# --- where a unit is, whom it fights ---------------------------------------------------------------


def _withdraw(g: Table, unit: Unit) -> None:
    objective_tokens.withdraw(g, unit)
    unit.place, unit.kept = "reserve", False
    for other in g.units.values():
        if unit is other or other.influences == unit.key:
            other.influences = None
    g.say(_("%(unit)s moves to Reserve."), unit=unit.name)


def _tokens(g: Table, unit: Unit) -> Labels:
    """The tokens that a Combat Unit may stand on or carry; it carries one only."""
    carries = objective_tokens.are_carried(g)
    is_laden = carries and objective_tokens.carried(g, unit) is not None
    for token in g.tokens():
        if token.claimed_by == unit.key or (objective_tokens.can_claim(unit) and not is_laden):
            line = _("Carries %(place)s") if carries else _("On %(place)s")
            yield token.key, say(line, place=Term(token.name))


def _is_there(g: Table, unit: Unit, place: str) -> bool:
    return g.objectives[place].claimed_by == unit.key


def leaving(g: Table, _piece: Any = None) -> Line:
    """When a unit loses the token that it has, as this mode and this table play it (TMG-52, TMG-58)."""
    if objective_tokens.is_at_pile(g):
        return say(_("It drops the token once an action ends away from its corpse pile."))
    if objective_tokens.are_carried(g):
        return say(_("It loses the token when it fails a panic test or is destroyed."))
    if g.rules.get("fixes_strict"):
        return say(_("It keeps the token only while its tray covers all of it."))
    if g.rules["strict"]:
        return say(_("Strict overlap: it leaves once its tray no longer covers the whole token."))
    return say(_("It keeps the token as long as its tray touches it."))


def _may_enter(g: Table, unit: Unit) -> bool:
    """Whether a unit may be put into a sector: an NCU leaves it with the tactics board (TMG-97)."""
    return unit.is_on_table and (unit.is_combat or not clean_up_phase.is_cleared(g))


def _sectors(g: Table, unit: Unit) -> Labels:
    for sector in g.sectors():
        if unit.sector == sector.key or _may_enter(g, unit):
            yield sector.key, say(_("In %(place)s"), place=Term(sector.name))


def _rivals(g: Table, unit: Unit) -> Labels:
    for rival in g.units.values():
        may_fight = rival.army != unit.army and rival.is_combat and rival.is_on_table
        if rival.key in unit.engaged_with or may_fight:
            yield rival.key, say(_("Engaged with %(unit)s"), unit=rival.name)


def _zones(g: Table, unit: Unit) -> Labels:
    is_cleared = clean_up_phase.is_cleared(g)
    for zone in g.zones():
        if zone.claimed_by == unit.key or (zone.claimed_by is None and not is_cleared):
            yield zone.key, say(_("On %(place)s"), place=Term(zone.name))


def _occupy(g: Table, unit: Unit, key: str) -> None:
    """Only moves the NCU; the players see to the zone's effect."""
    zone = g.objectives[key]
    objective_tokens.withdraw(g, unit)
    zone.claimed_by = unit.key
    g.say(_("%(unit)s stands on %(zone)s."), unit=unit.name, zone=Term(zone.name))


def _vacate(g: Table, unit: Unit, key: str) -> None:
    zone = g.objectives[key]
    zone.claimed_by, unit.kept = None, False
    g.say(_("%(unit)s leaves %(zone)s."), unit=unit.name, zone=Term(zone.name))


def _influenced(g: Table, unit: Unit) -> Labels:
    is_cleared = clean_up_phase.is_cleared(g)
    for other in g.units.values():
        is_open = other.is_combat and other.is_on_table and not is_cleared
        if is_open or unit.influences == other.key:
            yield other.key, say(_("Influences %(unit)s"), unit=other.name)


def influence(g: Table, unit: Unit, target: str) -> None:
    unit.influences = target
    g.say(_("%(unit)s influences %(target)s."), unit=unit.name, target=g.units[target].name)


def _release(g: Table, unit: Unit, target: str) -> None:
    unit.influences = None
    g.say(_("%(unit)s no longer influences %(target)s."), unit=unit.name, target=g.units[target].name)


# --- the activation of a unit ----------------------------------------------------------------------


def _may_be_flagged(field: str) -> Callable[[Table, Unit], bool]:
    """Switches of the round are put on until the activations are cleared, and may always be taken off."""

    def is_offered(g: Table, unit: Unit) -> bool:
        is_over = clean_up_phase.is_cleared(g) or (field == "kept" and unit.is_combat)
        return unit.is_on_table and (getattr(unit, field) or not is_over)

    return is_offered


def _mark_activated(g: Table, unit: Unit, is_on: bool) -> None:
    unit.activated = is_on
    if not is_on and g.acting == unit.key:
        g.acting = None


def _may_activate(g: Table, unit: Unit) -> bool:
    is_fresh = not (unit.activated or unit.barred or unit.never_activates)
    return (
        _acting(g, unit)
        and is_fresh
        and not activation_phase.is_shut_out(g, unit)
        and not clean_up_phase.is_cleared(g)
    )


def activate(g: Table, unit: Unit) -> None:
    """TMG-24: an activation outside its turn does not change whose turn it is.

    The unit's choice, a zone or where its token goes, is asked at once, whatever else was open.
    """
    g.say(_("%(unit)s activates out of turn."), unit=unit.name)
    if _has_no_choices(g):
        activation_phase.acted(g, unit)
    else:
        # The turn step of the match's mode knows what a unit chooses.
        turn = cast("type[activation_phase.Turn]", system(g.system).step_named(g, activation_phase.Turn.name))
        turn().out_of_turn(g, unit)


def _has_no_choices(g: Table) -> bool:
    """Whether the round's activations are over, or the match may be: units have nothing left to choose."""
    is_ending = isinstance(step_of(g), end_of_match.Ending)
    return is_ending or clean_up_phase.clean_up_at(g) is not None


def free_action(g: Table, unit: Unit) -> None:
    """TMG-21: a free action neither needs nor uses the activation."""
    if g.note.strip():
        note = written(g, "", NOTE_GRAPHEMES)
        g.say(_("%(unit)s takes a free action: %(note)s"), unit=unit.name, note=note)
    else:
        g.say(_("%(unit)s takes a free action."), unit=unit.name)


def _may_be_lent(g: Table, unit: Unit) -> bool:
    is_over = clean_up_phase.is_cleared(g) or unit.is_combat
    return unit.is_on_table and (unit.lent_to is not None or not is_over)


def change_side(g: Table, unit: Unit, is_on: bool) -> None:
    """TMG-38: it acts for the opponent this round and comes back in the clean-up."""
    unit.lent_to = g.rival(unit.army) if is_on else None
    if unit.lent_to is not None:
        line = _("%(unit)s acts for %(player)s this round.")
        g.say(line, unit=unit.name, player=name_of(g, unit.lent_to))
    else:
        g.say(_("%(unit)s is back on its own side."), unit=unit.name)


# --- tactics cards ---------------------------------------------------------------------------------
# Corrections are open to everybody and a hand is its owner's secret, so they touch only what lies open. Only
# the owner draws into a hand that the app keeps, or takes a card back.


def _has_hand(g: Table, _side: Side) -> bool:
    return bool(g.round) and not tactics_cards.is_tracked(g)


def _tell_cards(g: Table, side: Side) -> None:
    singular, several = (
        _("%(player)s: 1 card in hand, %(deck)s in the deck."),
        _("%(player)s: %(hand)s cards in hand, %(deck)s in the deck."),
    )
    g.say(
        singular if side.hand == 1 else several, player=name_of(g, side.key), hand=side.hand, deck=side.deck
    )


def _tell_bonus(g: Table, side: Side) -> None:
    line = _("%(player)s: hand limit %(change)s.")
    g.say(line, player=name_of(g, side.key), change=f"{side.hand_bonus:+d}")


def draw(g: Table, side: Side, cards: int) -> None:
    """TMG-89: only its owner changes a hand that the app keeps."""
    if tactics_cards.is_tracked(g):
        _refuse_others(g, side)
    tactics_cards.draw(g, side.key, cards)


def _refuse_others(g: Table, side: Side) -> None:
    if g.author != side.key:
        line = _("Only %(player)s can do that. It changes a hand that no one else sees.")
        raise IllegalAction(Line(line, {"player": name_of(g, side.key)}), "TMG-89")


def _discarded(g: Table, side: Side) -> Labels:
    for key in sorted(set(side.discards) & set(tactics_cards.keys(g))) if tactics_cards.is_tracked(g) else ():
        yield key, say(_("Return %(card)s to the hand"), card=tactics_cards.called(g, side.key, key))


def _recover(g: Table, side: Side, key: str) -> None:
    """TMG-89: only the owner takes a card back from the discard pile."""
    _refuse_others(g, side)
    tactics_cards.recover(g, side.key, key)


def _named_cards(g: Table, side: Side) -> Labels:
    for key in tactics_cards.keys(g):
        yield key, say(_("Name %(card)s"), card=tactics_cards.called(g, side.key, key))


def name_card(g: Table, side: Side, key: str) -> None:
    """TMG-88: the players know what their cards are called; the app does not."""
    number = int(key[1:])
    called = written(g, _("Please type the name in the field below."), PIECE_GRAPHEMES)
    names = [*side.card_names, *[""] * (len(tactics_cards.keys(g)) - len(side.card_names))]
    refuse_same(names[number - 1] == called)
    before = tactics_cards.called(g, side.key, key)
    names[number - 1] = called
    tactics_cards.rename(g, side.key, tuple(names))
    line = _("%(player)s: %(card)s is now called %(name)s.")
    g.say(line, player=name_of(g, side.key), card=before, name=called)


def _cards_with(g: Table, unit: Unit) -> Labels:
    for key, seat, _expiry in dict.fromkeys(unit.cards):
        if key in tactics_cards.keys(g):
            yield f"{seat}-{key}", say(_("%(card)s ends"), card=tactics_cards.called(g, seat, key))


def end_card(g: Table, unit: Unit, card: str) -> None:
    """TMG-90: a tap ends a card that stays for the game or until a condition is met."""
    tactics_cards.end(g, unit, next(held for held in unit.cards if f"{held[1]}-{held[0]}" == card))


# --- a side ----------------------------------------------------------------------------------------


def _may_score(g: Table, side: Side) -> bool:
    """Whether there are points of this side: none before the first round (TMG-12)."""
    return bool(g.round) and side.key != g.defender


# --- objectives and zones --------------------------------------------------------------------------


def _is_of(kind: str) -> Callable[[Table, Place], bool]:
    return lambda _g, place: place.kind == kind


def _here(on: str, off: str, is_on: bool, unit: Unit, place: Place, line: str) -> Offer:
    """The switch of a unit's place, as the place itself offers it."""
    about = f"{unit.key}:{place.key}"
    return switch(is_on, f"{on}:{about}", f"{off}:{about}", say(line, unit=unit.name), POSITION)


def _standing(g: Table, place: Place) -> Iterator[Offer]:
    """The units that stand on a place, and those that may."""
    for unit in g.units.values():
        if place.kind == "token":
            yield from _on_token(g, place, unit)
        elif place.kind == "zone":
            yield from _on_zone(g, place, unit)
        elif place.kind == "sector":
            is_in = unit.sector == place.key
            if _may_enter(g, unit) or (unit.is_on_table and is_in):
                yield _here("enter", "exit", is_in, unit, place, _("%(unit)s stands here"))


def _on_token(g: Table, token: Place, unit: Unit) -> Iterator[Offer]:
    stands = token.claimed_by == unit.key
    if stands or (objective_tokens.can_claim(unit) and objective_tokens.carried(g, unit) is None):
        line = _("%(unit)s carries it") if objective_tokens.are_carried(g) else _("%(unit)s stands here")
        offer = _here("claim", "leave", stands, unit, token, line)
        yield replace(offer, detail=leaving(g)) if stands else offer


def _on_zone(g: Table, zone: Place, unit: Unit) -> Iterator[Offer]:
    stands = zone.claimed_by == unit.key
    is_free = zone.claimed_by is None and not clean_up_phase.is_cleared(g)
    if stands or (is_free and not unit.is_combat and unit.is_on_table):
        yield _here("occupy", "vacate", stands, unit, zone, _("%(unit)s stands here"))


def _cards(g: Table, token: Place) -> Labels:
    others = {other.card for other in g.tokens() if other is not token}
    for card in (g.rules["centre_card"], *g.rules["cards"], g.rules["other_card"]):
        if card["key"] not in others or card["key"] == g.rules["other_card"]["key"]:
            yield card["key"], Line(card["name"])


def _lay_card(g: Table, token: Place, key: str) -> None:
    card = g.objective_card(key)
    token.card = key
    g.say(_("%(token)s: %(card)s."), token=Term(token.name), card=Term(card["name"] if card else key))


def _counting(g: Table, zone: Place) -> Labels:
    if not clean_up_phase.is_cleared(g):
        yield from seats(_("%(player)s counts as controlling it"))(g, zone)
    yield NOBODY, say(_("Go by the units standing here"))


def count_for(g: Table, zone: Place, who: str) -> None:
    """TMG-33: a player may count as controlling a zone without an NCU on it."""
    zone.counts_for = None if who == NOBODY else who
    if zone.counts_for is None:
        g.say(_("%(zone)s counts for whoever stands there."), zone=Term(zone.name))
    else:
        line = _("%(player)s counts as controlling %(zone)s.")
        g.say(line, player=name_of(g, who), zone=Term(zone.name))


# --- the table -------------------------------------------------------------------------------------


def _begun(g: Table, _piece: Any) -> bool:
    return bool(g.round)


def _agreeing(g: Table, _table: Table) -> bool:
    """Before the first round a table may agree on how it plays."""
    return not g.round


def set_rule(rule: str) -> Callable[[Table, Table, bool], None]:
    """A rule that a table may ask for: TMG-52, TMG-94."""

    def write(g: Table, _table: Table, is_on: bool) -> None:
        g.rules = {**g.rules, rule: int(is_on)}

    return write


def _may_be_strict(g: Table, _table: Table) -> bool:
    return bool(
        not g.round
        and objective_tokens.tokens(g)
        and not (g.rules.get("fixes_strict") or objective_tokens.are_carried(g))
    )


def set_target(g: Table, _table: Table, change: int) -> None:
    """TMG-01: another target may be set until the first round begins."""
    g.rules = {**g.rules, "target": g.rules["target"] + change}


def make_first(g: Table, table: Table, who: str) -> None:
    """TMG-80: an effect makes somebody First Player at once; a first turn yet to come becomes theirs."""
    is_first_turn = activation_phase.is_first_turn(g)
    g.first = who
    g.say(_("%(player)s is First Player."), player=name_of(g, who))
    if is_first_turn:
        activation_phase.note_first(g)
        if g.turn != who:  # somebody may have put the turn right before
            _pass_turn(g, table, who)


def _pass_turn(g: Table, _table: Table, who: str) -> None:
    g.say(_("It is the turn of %(player)s."), player=name_of(g, who))
    activation_phase.begin_turn(g, who)


def _may_lay_tokens(g: Table, _table: Table) -> bool:
    return bool(g.round) and objective_tokens.laid(g) < len(objective_tokens.tokens(g))


def _add_token(g: Table, _table: Table) -> None:
    """TMG-100: a mode without rules here may lay more tokens as it goes on."""
    token = objective_tokens.add_token(g)
    g.say(_("%(token)s is added to the battlefield."), token=Term(token.name))


def _missing_zones(g: Table, _table: Table) -> Labels:
    return (
        (entry["key"], say(_("Add %(zone)s"), zone=Term(entry["name"]))) for entry in tactics_cards.missing(g)
    )


# --- the tables of rows ----------------------------------------------------------------------------

# fmt: off
UNIT = {
    WOUNDS: (
        Extra(_wounds, ("wounds",), _change_wounds, when=_fights),
        Button("panic", _("Failed panic test: roll the wounds"), _panic, when=_may_panic,
               detail=lambda g, unit: destruction.panic_words(g)),
        Button("lose-token", _token_lost, _lose_token,
               detail=_("If you roll or enter its wounds yourselves."),
               when=lambda g, unit: _acting(g, unit) and objective_tokens.carried(g, unit) is not None),
        Button("destroy", _("Destroy the unit"), style="apart", when=_acting,
               do=lambda g, unit: destruction.destroy(g, unit, g.rival(unit.army))),
        Button("not-destroyed", _("Undo its destruction"), when=_is_uncounted,
               do=lambda g, unit: destruction.give_back(g, unit, unit.wounds_total),
               detail=_("Its points are undone.")),
        Button("bring-back", _("Return to play"), destruction.bring_back, detail=_returning,
               when=lambda g, unit: unit.place == "destroyed"),
    ),
    CONDITIONS: (
        Switches("gain", "lose", _conditions, "conditions", put=destruction.gain, take=destruction.lose,
                 when=_fighting),
    ),
    POSITION: (
        Button("withdraw", _("Move to Reserve"), _withdraw, within=objective_tokens.watching,
               when=lambda g, unit: _acting(g, unit) and unit.kind != WALL),
        Button("arrive", _("Put on the battlefield"), activation_phase.come_to_table,
               _("%(unit)s is put on the battlefield."),
               when=lambda g, unit: bool(g.round) and unit.place in ("reserve", "unplaced")),
        Switches("claim", "leave", _tokens, is_on=_is_there, when=_fighting, detail=leaving,
                 put=lambda g, unit, token: objective_tokens.claim(g, unit, g.objectives[token]),
                 take=lambda g, unit, token: objective_tokens.leave(g, unit)),
        Switches("enter", "exit", _sectors, "sector", when=_on_table,
                 put=lambda g, unit, sector: tactics_cards.enter_sector(g, unit, g.objectives[sector]),
                 take=lambda g, unit, sector: tactics_cards.leave_sector(g, unit)),
        Switches("engage", "disengage", _rivals, "engaged_with", when=_fighting,
                 put=lambda g, unit, rival: objective_tokens.engage(g, unit, g.units[rival]),
                 take=lambda g, unit, rival: objective_tokens.disengage(g, unit, g.units[rival])),
        Switches("occupy", "vacate", _zones, is_on=_is_there, put=_occupy, take=_vacate, when=_seated),
        Switches("influence", "release", _influenced, "influences", put=influence, take=_release,
                 when=_seated),
    ),
    ACTIVATION: (
        Flag("on:activated", "off:activated", _("Activated"), _("%(unit)s counts as activated."),
             _("%(unit)s counts as not activated."), write=_mark_activated,
             when=_may_be_flagged("activated")),
        Flag("on:barred", "off:barred", _("Cannot activate this round"),
             _("%(unit)s cannot activate this round."), _("%(unit)s may activate again."),
             when=_may_be_flagged("barred")),
        Flag("on:order", "off:order", _("Order used"), _("%(unit)s has used its order."),
             _("%(unit)s has its order back."), "order_used", when=_may_be_flagged("order_used")),
        Flag("on:kept", "off:kept", _("Keep it on its zone"), _("%(unit)s will stay on the tactics board."),
             _("%(unit)s will leave the tactics board."), when=_may_be_flagged("kept")),
        Button("activate", _("Activate out of turn"), activate, when=_may_activate,
               detail=_("It activates now; whose turn it is does not change.")),
        Button("free", _("Take a free action"), free_action, when=_acting),
        # TMG-22: a unit may activate and take no action.
        Button("waive", _("Take no action"), said=_("%(unit)s takes no action."),
               when=lambda g, unit: unit.is_on_table and g.acting == unit.key),
        Counter("pool", _("Order tokens of a limited pool"), 0, LARGEST_POOL, when=_on_table,
                said=say_count("%(unit)s has %(count)s order token left.",
                             "%(unit)s has %(count)s order tokens left.", 0)),
        Flag("lend", "take-home", _("Change its side for this round"), field="lent_to", write=change_side,
             when=_may_be_lent),
    ),
    COUNTERS: (
        Extra(_more_or_less, ("more", "less"), _count, when=_on_table),
        Button("counter", _("Add a counter"), _new_counter, detail=_("Type its name in the field below."),
               when=lambda g, unit: unit.is_on_table and len(unit.counters) < MOST_COUNTERS),
    ),
    NOTE: (
        Button("note", _("Change the note"), _write_note,
               detail=_("Type it in the field below. Leave the field empty to remove the note.")),
        Switches("remind", "forget", terms(_("Remind me: %(moment)s"), "moment", MOMENTS), "reminders",
                 _("Reminder set for %(unit)s: %(moment)s."),
                 _("Reminder removed for %(unit)s: %(moment)s.")),
    ),
    CARDS: (Choice("end-card", _cards_with, end_card),),
    ENTRY: list_entries.OF_UNIT,
    **attacks.OF_UNIT,
}
SIDE = {
    # TMG-51: points given by hand need a reason.
    POINTS: (
        points_row(lambda g, side: g.points(side.key) - LARGEST_SCORE,
                   lambda g, side: g.points(side.key) + LARGEST_SCORE, _may_score),
    ),
    CARDS: (
        Counter("hand-bonus", _("Added to hand limit"), -3, 5, then=_tell_bonus),
        Counter("hand", _("Cards in hand"), 0, LARGEST_HAND, then=_tell_cards, when=_has_hand),
        Counter("deck", _("Cards in the deck"), 0, lambda g, side: max(g.rules["deck"], side.deck),
                then=_tell_cards, when=_has_hand),
        Choice("recover", _discarded, _recover, said=_("%(player)s returns %(card)s to the hand."),
               when=_begun),
        Button("draw", _("Draw cards"), draw, low=1, high=lambda g, side: min(side.deck, MOST_DRAWN),
               when=_begun),
        # TMG-99: a Siege card is played, or was not.
        Counter("siege-cards", _("Siege cards"), 0, lambda g, side: g.rules["siege_cards"],
                (_("%(player)s has 1 Siege card left."), _("%(player)s has %(count)s Siege cards left.")),
                when=lambda g, side: bool(g.round and g.attacker)),
    ),
    NAMES: (Choice("name-card", _named_cards, name_card, detail=TYPE_BELOW,
                   when=lambda g, side: tactics_cards.is_tracked(g)),),
    ENTRY: list_entries.OF_SIDE,
}
PLACE = {
    CONTROL: (
        controllers(_("Go by the claims"), objective_tokens.decide, objective_tokens.work_out,
                    _is_of("token")),
        Choice("counts", _counting, count_for, lambda g, zone: zone.counts_for or NOBODY,
               when=_is_of("zone")),
    ),
    POSITION: (Extra(_standing),),
    CARD: (
        Choice("card", _cards, _lay_card, lambda g, token: token.card,
               when=lambda g, token: token.card is not None and deployment.has_cards(g)),
    ),
}
TABLE = {
    POINTS: (
        Counter("target", _("Victory Points to win"), 1, 50, value=lambda g, _table: g.rules["target"],
                said=(_("1 Victory Point is needed to win."),
                      _("%(count)s Victory Points are needed to win.")),
                write=set_target, when=_agreeing),
    ),
    CONTROL: (
        Flag("strict", "touching", _("Strict overlap"), when=_may_be_strict, write=set_rule("strict"),
             detail=_("A claim is lost once the tray no longer covers the whole token."),
             yes=_("Strict overlap: a claim is lost once the token is not covered."),
             no=_("A claim lasts as long as the tray touches the token."),
             value=lambda g, _table: bool(g.rules["strict"])),
        Flag("face-down", "face-up", _("Missions stay face down until the round scores"),
             yes=_("Missions stay face down until the round scores."),
             no=_("Missions are revealed when they are chosen."), write=set_rule("face_down"),
             value=lambda g, _table: bool(g.rules["face_down"]),
             when=lambda g, _table: not g.round and "face_down" in g.rules),
    ),
    TURN: (
        Choice("first", seats(_("%(player)s is First Player")), make_first, lambda g, _table: g.first,
               when=_begun),
        Choice("turn", seats(_("It is the turn of %(player)s")), _pass_turn, lambda g, _table: g.turn,
               when=lambda g, _table: bool(g.round) and activation_phase.is_turn_open(g)),
        # TMG-80: an effect makes somebody First Player of the next round.
        Switches("next-first", "as-usual", seats(_("%(player)s is First Player next round")), "next_first",
                 _("%(player)s will be First Player next round."),
                 _("The First Player token passes normally."), when=_begun),
    ),
    BOARD: (
        Button("another-token", _("Add an objective token"), _add_token,
               when=_may_lay_tokens),
        # TMG-32: an extra zone is added once a game.
        Choice("zone", _missing_zones, lambda g, _table, key: tactics_cards.add(g, key), when=_begun,
               said=_("%(zone)s is added to the tactics board.")),
    ),
    KEPT: (
        Switches("track", "keep-aside", parts, is_on=lambda g, _table, part: g.tracks(part), put=track,
                 take=keep_aside, within=objective_tokens.watching),
    ),
    **attacks.OF_TABLE,
}
# fmt: on


class TmgCorrections(FieldCorrections[Table], EndCorrections[Table]):
    """Corrections of the miniatures game."""

    rows = {"unit": UNIT, "army": SIDE, "objective": PLACE, "table": TABLE}
    headings = (
        WOUNDS, attacks.ATTACK, CONDITIONS, POINTS, POSITION, CONTROL, ACTIVATION, COUNTERS,
        CARDS, NAMES, CARD, NOTE, TURN, BOARD, ENTRY, KEPT, END,
    )  # fmt: skip
    folded = frozenset({attacks.ATTACK, COUNTERS, NOTE, NAMES, CARD, TURN, ENTRY, KEPT, END})
    end_heading = END

    def of(self, g: Table, path: str) -> Iterator[Offer]:
        kind, _slash, key = path.partition("/")
        yield from (offer for offer in super().of(g, path) if is_tracked(g, offer))
        if path == "table":
            yield from self.end_on_time(g)
            yield from self.adjudications(g)
        elif kind == "army" and key in g.armies:
            yield from self.concession_of(g, key)

    def follow(self, g: Table) -> None:
        end_of_match.forget_play_on(g)
        end_of_match.recompute(g)
        end_of_match.ask_first(g)

    def proposal(self, how: str, who: str = "") -> end_of_match.Ending:
        return end_of_match.Ending(how, who)

    def can_end(self, g: Table) -> bool:
        step = step_of(g)
        return super().can_end(g) and not (isinstance(step, end_of_match.Ending) and step.how)
