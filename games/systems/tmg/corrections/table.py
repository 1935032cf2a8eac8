"""All corrections, open at any time: what the table noted wrongly or a card changed.

A correction is a signed change or a switch, is logged with its author and can be taken
back like any action. It never plays a turn and never ends a match by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core import engine
from games.core.corrections import (
    COMPUTED,
    NOBODY,
    EndCorrections,
    choices,
    chosen_controller,
    controllers,
    give_points,
    points_offer,
    reason_for_points,
    refuse_same,
    stepper,
    switch,
)
from games.core.steps import Offer, answer
from games.core.system import name_of
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.corrections.activation import FLAGS
from games.systems.tmg.corrections.cards import CardCorrections
from games.systems.tmg.corrections.entries import ENTRY_FLAGS, MOST_UNITS, EntryCorrections
from games.systems.tmg.corrections.headings import (
    BOARD,
    CARD,
    CARDS,
    CONTROL,
    COUNTERS,
    END,
    ENTRY,
    HEADINGS,
    KEPT,
    NAMES,
    NOTE,
    POINTS,
    POSITION,
    TURN,
)
from games.systems.tmg.corrections.units import UnitCorrections, leaving, may_enter, standing_in
from games.systems.tmg.pieces import Place, Side, Table, Unit
from games.systems.tmg.rules import (
    carrying,
    control,
    end_of_round,
    ending,
    layout,
    round,
    setup,
    siege,
    zones,
)
from games.systems.tmg.rules.kept_by_players import TrackingCorrections, is_tracked

LARGEST_SCORE = 5


class TmgCorrections(
    UnitCorrections, CardCorrections, EntryCorrections, TrackingCorrections, EndCorrections[Table]
):
    """Corrections of the miniatures game."""

    headings = HEADINGS
    end_heading = END
    folded = frozenset({COUNTERS, NOTE, NAMES, CARD, TURN, ENTRY, KEPT, END})

    def of(self, g: Table, path: str) -> Iterator[Offer]:
        return (offer for offer in self._of(g, path) if is_tracked(g, offer))

    def _of(self, g: Table, path: str) -> Iterator[Offer]:
        kind, _slash, key = path.partition("/")
        if path == "table":
            yield from self._table(g)
            yield from self.parts_of(g)
        elif kind == "army" and key in g.armies:
            yield from self._army(g, g.armies[key])
        elif kind == "unit" and key in g.units:
            yield from self.play_of(g, g.units[key])
            yield from self.cards_with(g, g.units[key])
            yield from self.entry_of(g, g.units[key])
        elif kind == "objective" and key in g.objectives:
            place = g.objectives[key]
            if place.kind == "token":
                yield from self._token(g, place)
            elif place.kind == "zone":
                yield from self._zone(g, place)
            elif place.kind == "sector":
                yield from self._sector(g, place)

    def follow(self, g: Table) -> None:
        ending.forget_play_on(g)
        ending.recompute(g)
        ending.ask_first(g)

    def turn_flag(self, g: Table, unit: Unit, flag: str, is_on: bool) -> None:
        if flag in FLAGS:
            super().turn_flag(g, unit, flag, is_on)
            return
        found = ENTRY_FLAGS[flag]
        with control.watching(g):
            setattr(unit, found.field, is_on)
            g.say(found.yes if is_on else found.no, unit=unit.name)

    # --- a side --------------------------------------------------------------------------------------

    def _army(self, g: Table, side: Side) -> Iterator[Offer]:
        if g.round:
            yield from self._counts(g, side)
        yield from self.cards_of(g, side)
        if sum(1 for _unit in g.units_of(side.key)) < MOST_UNITS:
            detail = say(_("Type it in the field below: its name, and its cost in brackets."))
            yield Offer(f"add:{side.key}", say(_("Add a unit")), detail=detail, group=ENTRY)
        yield from self.concession_of(g, side.key)

    def _counts(self, g: Table, side: Side) -> Iterator[Offer]:
        """Points and cards: there are none before the first round (TMG-12)."""
        if siege.may_score(g, side.key):
            points = g.points(side.key)
            yield from points_offer(g, side.key, points - LARGEST_SCORE, points + LARGEST_SCORE, POINTS)
        yield from self.counted_cards(g, side)
        if siege.attacker(g):
            label, most = say(_("Siege cards")), g.rules["siege_cards"]
            yield from stepper(f"siege-cards:{side.key}", label, side.siege_cards, 0, most, CARDS)

    @answer
    def points(self, g: Table, seat: str, side: Side, change: int) -> None:
        """TMG-51: points given by hand need a reason."""
        refuse_same(change == 0)
        give_points(g, side.key, change, reason_for_points(g))

    @answer
    def siege_cards(self, g: Table, seat: str, side: Side, change: int) -> None:
        """TMG-99: a Siege card is played, or was not."""
        refuse_same(change == 0)
        side.siege_cards += change
        one, several = _("%(player)s has 1 Siege card left."), _("%(player)s has %(count)s Siege cards left.")
        line = one if side.siege_cards == 1 else several
        g.say(line, player=name_of(g, side.key), count=side.siege_cards)

    # --- objectives and zones ------------------------------------------------------------------------

    def _token(self, g: Table, token: Place) -> Iterator[Offer]:
        yield from controllers(g, token, token.uncontrolled, say(_("Whoever claims it")), CONTROL)
        for unit in g.units.values():
            stands = token.claimed_by == unit.key
            if stands or (control.can_claim(unit) and carrying.carried(g, unit) is None):
                on, off = f"claim:{unit.key}:{token.key}", f"leave:{unit.key}:{token.key}"
                line = _("%(unit)s carries it") if layout.are_carried(g) else _("%(unit)s stands here")
                label = say(line, unit=unit.name)
                yield switch(stands, on, off, label, POSITION, leaving(g) if stands else None)
        if token.card is not None and setup.has_cards(g):
            yield from choices(self._cards(g, token))

    def _cards(self, g: Table, token: Place) -> Iterator[Offer]:
        others = {other.card for other in g.tokens() if other is not token}
        for card in (g.rules["centre_card"], *g.rules["cards"], g.rules["other_card"]):
            if card["key"] not in others or card["key"] == g.rules["other_card"]["key"]:
                action, label = f"card:{token.key}:{card['key']}", Line(card["name"])
                yield Offer(action, label, on=token.card == card["key"], group=CARD)

    @answer
    def controller(self, g: Table, seat: str, token: Place, who: str) -> None:
        if who == COMPUTED:
            control.work_out(g, token)
        else:
            control.decide(g, token, chosen_controller(token, token.uncontrolled, who))

    @answer
    def card(self, g: Table, seat: str, token: Place, card: str) -> None:
        found = ruleset.card(g, card)
        token.card = card
        g.say(_("%(token)s: %(card)s."), token=Term(token.name), card=Term(found["name"] if found else card))

    def _sector(self, g: Table, sector: Place) -> Iterator[Offer]:
        """TMG-97: the units of both sides that stand in a sector."""
        for unit in g.units.values():
            if may_enter(g, unit) or (unit.is_on_table and unit.sector == sector.key):
                yield standing_in(unit, sector, say(_("%(unit)s stands here"), unit=unit.name))

    def _zone(self, g: Table, zone: Place) -> Iterator[Offer]:
        is_cleared = end_of_round.is_cleared(g)
        is_free = zone.claimed_by is None and not is_cleared
        for unit in g.units.values():
            stands = zone.claimed_by == unit.key
            if stands or (is_free and not unit.is_combat and unit.is_on_table):
                on, off = f"occupy:{unit.key}:{zone.key}", f"vacate:{unit.key}:{zone.key}"
                label = say(_("%(unit)s stands here"), unit=unit.name)
                yield switch(stands, on, off, label, POSITION)
        yield from choices(self._counting(g, zone))

    def _counting(self, g: Table, zone: Place) -> Iterator[Offer]:
        for seat in () if end_of_round.is_cleared(g) else g.seats:
            label = say(_("%(player)s counts as controlling it"), player=name_of(g, seat))
            action = f"counts:{zone.key}:{seat}"
            yield Offer(action, label, on=zone.counts_for == seat, group=CONTROL)
        label = say(_("Go by the units standing here"))
        yield Offer(f"counts:{zone.key}:{NOBODY}", label, on=zone.counts_for is None, group=CONTROL)

    @answer
    def counts(self, g: Table, seat: str, zone: Place, who: str) -> None:
        """TMG-33: a player may count as controlling a zone without an NCU on it."""
        chosen = None if who == NOBODY else who
        zone.counts_for = chosen
        if chosen is None:
            g.say(_("%(zone)s counts for whoever stands there."), zone=Term(zone.name))
        else:
            line = _("%(player)s counts as controlling %(zone)s.")
            g.say(line, player=name_of(g, chosen), zone=Term(zone.name))

    # --- the table -----------------------------------------------------------------------------------

    def _table(self, g: Table) -> Iterator[Offer]:
        return self._of_round(g) if g.round else self._agreed(g)

    def _agreed(self, g: Table) -> Iterator[Offer]:
        """What a table may agree on before the first round."""
        label = say(_("Victory Points that win"))
        yield from stepper("target", label, g.rules["target"], 1, 50, POINTS)
        if layout.tokens(g) and not (g.rules.get("fixes_strict") or layout.are_carried(g)):
            detail = say(_("A claim is lost once the tray no longer covers the whole token."))
            is_strict = bool(g.rules["strict"])
            yield switch(is_strict, "strict", "touching", say(_("Strict overlap")), CONTROL, detail)
        if "face_down" in g.rules:
            label = say(_("Missions stay face down until the round scores"))
            yield switch(bool(g.rules["face_down"]), "face-down", "face-up", label, CONTROL)

    def _of_round(self, g: Table) -> Iterator[Offer]:
        """Who is First Player and whose turn it is, what lies on the board, and how the match ends."""
        yield from choices(self._first_players(g))
        if round.is_turn_open(g):
            yield from choices(self._turns(g))
        for seat in g.seats:
            label = say(_("%(player)s is First Player next round"), player=name_of(g, seat))
            on, off = f"next-first:{seat}", f"as-usual:{seat}"
            yield switch(g.next_first == seat, on, off, label, TURN)
        if layout.laid(g) < len(layout.tokens(g)):
            yield Offer("another-token", say(_("Another objective token")), group=BOARD)
        for entry in zones.missing(g):
            label = say(_("Add %(zone)s"), zone=Term(entry["name"]))
            yield Offer(f"zone:{entry['key']}", label, group=BOARD)
        yield from self.end_on_time(g)
        yield from self.adjudications(g)

    def _first_players(self, g: Table) -> Iterator[Offer]:
        for seat in g.seats:
            label = say(_("%(player)s is First Player"), player=name_of(g, seat))
            yield Offer(f"first:{seat}", label, on=g.first == seat, group=TURN)

    def _turns(self, g: Table) -> Iterator[Offer]:
        for seat in g.seats:
            label = say(_("It is the turn of %(player)s"), player=name_of(g, seat))
            yield Offer(f"turn:{seat}", label, on=g.turn == seat, group=TURN)

    @answer
    def target(self, g: Table, seat: str, change: int) -> None:
        """TMG-01: another target may be set until the first round begins."""
        refuse_same(change == 0)
        g.rules = {**g.rules, "target": g.rules["target"] + change}
        one, several = _("1 Victory Point wins."), _("%(count)s Victory Points win.")
        g.say(one if g.rules["target"] == 1 else several, count=g.rules["target"])

    @answer
    def strict(self, g: Table, seat: str) -> None:
        """TMG-52: a table may ask that a claim lasts only while the whole token is covered."""
        g.rules = {**g.rules, "strict": 1}
        g.say(_("Strict overlap: a claim is lost once the token is not covered."))

    @answer
    def touching(self, g: Table, seat: str) -> None:
        g.rules = {**g.rules, "strict": 0}
        g.say(_("A claim lasts as long as the tray touches the token."))

    @answer
    def face_down(self, g: Table, seat: str) -> None:
        """TMG-94: a table may ask that missions are hidden until the round scores."""
        g.rules = {**g.rules, "face_down": 1}
        g.say(_("Missions stay face down until the round scores."))

    @answer
    def face_up(self, g: Table, seat: str) -> None:
        g.rules = {**g.rules, "face_down": 0}
        g.say(_("Missions are revealed when they are chosen."))

    @answer
    def first(self, g: Table, seat: str, who: str) -> None:
        """TMG-80: an effect makes somebody First Player at once; a first turn yet to come becomes theirs."""
        is_first_turn = round.is_first_turn(g)
        g.first = who
        g.say(_("%(player)s is First Player."), player=name_of(g, who))
        if is_first_turn:
            round.note_first(g)
            if g.turn != who:  # somebody may have put the turn right before
                self.turn(g, seat, who)

    @answer
    def next_first(self, g: Table, seat: str, who: str) -> None:
        """TMG-80: an effect makes somebody First Player of the next round."""
        g.next_first = who
        g.say(_("%(player)s will be First Player next round."), player=name_of(g, who))

    @answer
    def as_usual(self, g: Table, seat: str, who: str) -> None:
        g.next_first = None
        g.say(_("The First Player token passes as usual."))

    @answer
    def turn(self, g: Table, seat: str, who: str) -> None:
        g.say(_("It is the turn of %(player)s."), player=name_of(g, who))
        round.begin_turn(g, who)

    @answer
    def another_token(self, g: Table, seat: str) -> None:
        """TMG-100: a mode without rules here may lay more tokens as it goes on."""
        token = layout.add_token(g)
        g.say(_("%(token)s is added to the battlefield."), token=Term(token.name))

    @answer
    def zone(self, g: Table, seat: str, key: str) -> None:
        """TMG-32: an extra zone is added once a game."""
        zones.add(g, key)
        g.say(_("%(zone)s is added to the tactics board."), zone=Term(g.objectives[key].name))

    def proposal(self, how: str, who: str = "") -> ending.Ending:
        return ending.Ending(how, who)

    def can_end(self, g: Table) -> bool:
        step = engine.step_of(g)
        return super().can_end(g) and not (isinstance(step, ending.Ending) and step.how)
