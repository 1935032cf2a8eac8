"""Who plays: registering, lists, checking in, leaving, coming late. Functions change the copy they get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core import NAME_GRAPHEMES, PIECE_GRAPHEMES, IllegalAction, clean_name, clean_note, name_key, say
from games.core import gettext_noop as _
from games.hall.rules import round_draw, teams
from games.hall.rules.event_rounds import refuse_over
from games.hall.rules.event_state import (
    BYE,
    CUT,
    DRAFTED,
    ENTERED,
    KNOCKOUT,
    LAST_TABLE,
    LEFT,
    LOSS,
    MAIN,
    MOST_SEEDS,
    NO_TABLE,
    OPEN,
    OVER,
    PLANNED,
    REPORTED,
    EventState,
    Pairing,
    Player,
)

NO_PLAYER = _("There is no such player in this event.")
ALIKE = _("There is a player called %(name)s already. Add a club or an initial to tell them apart.")
MOST_PLAYERS = 1000
MOST_LISTS = 2
MOST_PENALTY = 99
LOTS = 1_000_000


def register(g: EventState, name: str, club: str = "", faction: str = "", division: str = "") -> str:
    """Register a player; returns their key. Two with the same name must be told apart by their club.

    The division of somebody with a team is that of the team.
    """
    refuse_over(g)
    if g.status != PLANNED and not g.is_ladder:
        raise IllegalAction(say(_("The event has begun. The organisers enter players who come late.")))
    player = _added(g, name, club, faction, division)
    if g.is_ladder and g.last is not None:
        player.came = g.last.number + 1
    g.say(_("%(name)s is registered."), name=player.name)
    return player.key


def register_all(g: EventState, players: Sequence[tuple[str, ...]]) -> list[str]:
    """Register the players of a list (see `register`); returns their keys. One sentence tells of all."""
    made = [register(g, *player) for player in players]
    if len(made) > 1:
        g.lines[:] = [say(_("%(count)s players are entered from a list."), count=len(made))]
    return made


def register_team(g: EventState, name: str, players: Sequence[str], division: str = "") -> str:
    """Register a team with its players, the captain first; returns the captain's key."""
    name = clean_name(name)
    if not g.team_size:
        raise IllegalAction(say(_("Everyone plays for themselves in this event.")))
    if teams.named(g, name) is not None:
        raise IllegalAction(say(_("There is already a team called %(name)s."), name=name))
    if not 1 <= len(players) <= 2 * g.team_size:
        line = _("Name the players of the team, at most %(most)s, reserves included.")
        raise IllegalAction(say(line, most=2 * g.team_size))
    made = register_all(g, [(player, name, "", division) for player in players])
    g.lines[:] = [say(_("The team %(team)s is registered: %(names)s."), team=name, names=tuple(players))]
    return made[0]


def amend(
    g: EventState, key: str, name: str | None = None, club: str | None = None, faction: str | None = None
) -> None:
    """Change a player's name, club or faction; what is None stays."""
    player = player_of(g, key)
    stands = player.name, player.club, player.faction
    stated = zip((name, club, faction), stands, strict=True)
    name, club, faction = _cleaned(*(old if new is None else new for new, old in stated))
    if (name, club, faction) == stands:
        return
    refuse_alike(g, name, club, key)
    if faction != player.faction and g.status != PLANNED:
        raise IllegalAction(say(_("The faction cannot change once the event has begun.")))
    if name != player.name:
        g.say(_("%(old)s is now called %(name)s."), old=player.name, name=name)
    else:
        g.say(_("The entry of %(name)s is corrected."), name=name)
    player.name, player.faction = name, faction
    if g.team_size and club != player.club:
        teams.join(g, player, club)
    player.club = club


def remove(g: EventState, *keys: str) -> None:
    """Take absentees off the list, all or none; somebody already paired leaves instead, and stays in it."""
    gone = [player_of(g, key) for key in dict.fromkeys(keys)]
    for player in gone:
        refuse_paired(g, player.key, g.pairings.values())
        teams.refuse_lined_up(g, player)
        del g.players[player.key]
    teams.tidy(g)
    if len(gone) == 1:
        g.say(_("%(name)s is taken off the list."), name=gone[0].name)
    else:
        g.say(_("%(count)s players are taken off the list."), count=len(gone))


def refuse_paired(g: EventState, key: str, pairings: Iterable[Pairing]) -> None:
    """Refuse if a player is in any of these pairings."""
    if key in g.players and any(key in pairing.players for pairing in pairings):
        line = _("%(name)s has already been paired. Drop them instead, to keep the results.")
        raise IllegalAction(say(line, name=g.players[key].name))


def refuse_gone(g: EventState, keys: Iterable[str], number: int) -> None:
    """Refuse to pair in a round again who is off the list, has left before it or is not here."""
    for player in (player_of(g, key) for key in keys):
        if not player.plays(number):
            raise IllegalAction(say(_("%(name)s has dropped out."), name=player.name))
        if not g.is_here(player):
            raise IllegalAction(say(_("%(name)s is not here."), name=player.name))


def may_hand_in(g: EventState, player: Player) -> bool:
    """Whether a player may still hand in lists: those handed in are fixed once the event has begun."""
    return g.status == PLANNED or not player.lists


def hand_in(g: EventState, key: str, fingerprints: Sequence[str]) -> None:
    """Hand in a player's army lists, one or two; they are fixed once the event has begun."""
    player = player_of(g, key)
    if not may_hand_in(g, player):
        raise IllegalAction(say(_("Lists cannot change once the event has begun. Ask the organisers.")))
    if not 1 <= len(fingerprints) <= MOST_LISTS:
        raise IllegalAction(say(_("Please hand in one list or two.")))
    player.lists = tuple(fingerprints)
    if len(fingerprints) == 1:
        _choose_for_open_tables(g, player)
        g.say(_("%(name)s has handed in a list."), name=player.name)
    else:
        g.say(_("%(name)s has handed in two lists."), name=player.name)


def fix_table(g: EventState, key: str, table: int) -> None:
    """Let somebody always sit at this table, from the next draw on; 0: at any."""
    player = player_of(g, key)
    if not 0 <= table <= LAST_TABLE:
        raise IllegalAction(say(NO_TABLE, most=LAST_TABLE))
    player.table = table or None
    if table:
        g.say(_("%(name)s always sits at table %(table)s."), name=player.name, table=table)
    else:
        g.say(_("%(name)s may sit at any table."), name=player.name)


def seed(g: EventState, key: str, number: int) -> None:
    """Give somebody a place among the seeds, which nobody else has; 0: the lot decides theirs."""
    player = player_of(g, key)
    if not 0 <= number <= MOST_SEEDS:
        raise IllegalAction(say(_("Seeds have numbers from 1 to %(most)s."), most=MOST_SEEDS))
    if any(event_round.stage == CUT for event_round in g.rounds.values()):
        raise IllegalAction(say(_("This cannot change once the knockout has begun.")))
    if g.is_ladder and g.rounds:
        raise IllegalAction(say(_("This cannot change once the event has begun.")))
    other = next((entrant for entrant in g.players.values() if number and entrant.seed == number), player)
    if other is not player:
        raise IllegalAction(say(_("%(name)s is seed %(number)s already."), name=other.name, number=number))
    player.seed = number or None
    if number:
        g.say(_("%(name)s is seed %(number)s."), name=player.name, number=number)
    else:
        g.say(_("%(name)s is not seeded."), name=player.name)


def penalise(g: EventState, key: str, points: int, reason: str) -> None:
    """Give a player or a team penalty points, which the standings take from them at once."""
    competitor = g.teams.get(key) or player_of(g, key)
    refuse_over(g)
    if not 1 <= points <= MOST_PENALTY:
        raise IllegalAction(say(_("Penalty points are a number from 1 to %(most)s."), most=MOST_PENALTY))
    if not (reason := clean_note(reason, PIECE_GRAPHEMES)):
        raise IllegalAction(say(_("Please give a reason.")))
    number = max(
        (event_round.number for event_round in g.rounds.values() if event_round.state != DRAFTED), default=0
    )
    competitor.penalties = (*competitor.penalties, (number, points, reason))
    g.say_count(
        "%(name)s gets %(count)s penalty point: %(reason)s",
        "%(name)s gets %(count)s penalty points: %(reason)s",
        points,
        name=competitor.name,
        reason=reason,
    )


def _choose_for_open_tables(g: EventState, player: Player) -> None:
    """Let somebody who hands in their only list during a round play it there."""
    for pairing in _open_pairings(g, player.key):
        if not pairing.is_bye and not pairing.is_decided:
            pairing.chosen = {**pairing.chosen, player.key: player.lists[0]}


def consent(g: EventState, key: str, agrees: bool, now: int) -> None:
    """Note that somebody agrees that ratings name them, or withdraws that; said only when it changes."""
    player = player_of(g, key)
    if agrees and not player.agrees:
        player.agreed_at = max(now, (player.withdrew_at or 0) + 1)
        g.say(_("%(name)s agrees to be named in ratings."), name=player.name)
    elif not agrees and (player.agrees or player.withdrew_at is None):
        player.withdrew_at = max(now, player.agreed_at or 0)
        g.say(_("%(name)s does not want to be named in ratings."), name=player.name)


def check_in(g: EventState, key: str, here: bool = True) -> None:
    """Note that somebody is here, or is not after all; said only when it changes."""
    player = player_of(g, key)
    refuse_over(g)
    if player.dropped is not None:
        raise IllegalAction(say(_("%(name)s has dropped out."), name=player.name))
    if not here and g.status != PLANNED:
        raise IllegalAction(say(_("The event has begun. Drop %(name)s instead."), name=player.name))
    if player.checked_in == here:
        return
    _refuse_late(g, key)
    if not here:
        _refuse_drawn(g, player)
    player.checked_in = here
    g.say(_("%(name)s is here.") if here else _("%(name)s is not here."), name=player.name)
    if here and g.status != PLANNED:
        _enter_late(g, player, LOSS)


def check_in_all(g: EventState) -> None:
    """Note that everybody on the list is here."""
    if g.status != PLANNED:
        raise IllegalAction(say(_("The event has begun.")))
    for player in g.players.values():
        player.checked_in = True
    g.say(_("Everyone is checked in."))


def come_late(g: EventState, name: str, club: str, faction: str, how: str, division: str = "") -> str:
    """Enter somebody in a running event, with a bye or a loss for what they missed; returns their key."""
    refuse_over(g)
    if how not in (BYE, LOSS):
        raise IllegalAction(say(_("Choose how missed rounds count: bye or loss.")))
    _refuse_late(g)
    player = _added(g, name, club, faction, division)
    player.checked_in = True
    g.say(_("%(name)s comes late."), name=player.name)
    _enter_late(g, player, how)
    return player.key


def drop(g: EventState, key: str) -> None:
    """Let somebody leave. Their rival in a running game gets what a bye is worth; existing results stay.

    What is contested waits for a judge as before, or a loser could leave instead of losing.
    """
    player = player_of(g, key)
    refuse_over(g)
    if player.dropped is not None:
        raise IllegalAction(say(_("%(name)s has dropped out."), name=player.name))
    _refuse_drawn(g, player)
    begun = (event_round.number for event_round in g.rounds.values() if event_round.state != DRAFTED)
    player.dropped = max(begun, default=0)
    g.say(_("%(name)s drops out."), name=player.name)
    for here in _open_pairings(g, key):
        if here.state in (OPEN, REPORTED) and len(here.players) == 2:
            here.state, here.how, here.winner, here.results = ENTERED, LEFT, here.rivals(key)[0], {}


def _open_pairings(g: EventState, key: str) -> list[Pairing]:
    """The pairings of a player in the rounds that are open: several in a league."""
    pairings = (g.pairing_of(key, event_round.number) for event_round in g.open_rounds)
    return [pairing for pairing in pairings if pairing is not None]


def come_back(g: EventState, key: str) -> None:
    """Let somebody who left play again from the next round on; the rounds they missed are losses."""
    player = player_of(g, key)
    refuse_over(g)
    if player.dropped is None:
        raise IllegalAction(say(_("%(name)s has not left."), name=player.name))
    _refuse_late(g, key)
    player.dropped = None
    player.checked_in = True
    g.say(_("%(name)s is back."), name=player.name)
    _enter_late(g, player, LOSS)


def may_go(g: EventState, player: Player) -> bool:
    """Whether somebody may leave: not while they are paired in a round that is drawn up."""
    last = g.last
    return last is None or last.state != DRAFTED or g.pairing_of(player.key, last.number) is None


def _refuse_drawn(g: EventState, player: Player) -> None:
    if not may_go(g, player):
        line = _("%(name)s is paired in a round not yet open. The organisers must cancel that round first.")
        raise IllegalAction(say(line, name=player.name))


def player_of(g: EventState, key: str) -> Player:
    """The player with this key."""
    if key not in g.players:
        raise IllegalAction(say(NO_PLAYER))
    return g.players[key]


def _added(g: EventState, name: str, club: str, faction: str, division: str) -> Player:
    name, club, faction = _cleaned(name, club, faction)
    refuse_alike(g, name, club)
    if len(g.players) >= MOST_PLAYERS:
        raise IllegalAction(say(_("This event is full: it has %(count)s players."), count=len(g.players)))
    order = 1 + max((player.order for player in g.players.values()), default=0)
    lot = 1 + g.chance(LOTS)
    # Everybody has drawn a lot, and no draw is taken back: no older page knows this key as somebody else's.
    player = Player(f"p{g.drawn}", order, name, club, faction, lot=lot)
    g.players[player.key] = player
    if g.team_size and club:
        teams.join(g, player, club)
    if division:
        (g.teams.get(player.team) or player).division = teams.checked_division(g, division)
    return player


def _cleaned(name: str, club: str, faction: str) -> tuple[str, str, str]:
    short = clean_note(club, NAME_GRAPHEMES)
    return clean_name(name), short, clean_note(faction, PIECE_GRAPHEMES)


def refuse_alike(g: EventState, name: str, club: str, key: str = "") -> None:
    """Refuse a name and club that somebody other than the player with this key has."""
    wanted = (name_key(name), name_key(club))
    if any(
        (name_key(player.name), name_key(player.club)) == wanted
        for player in g.players.values()
        if player.key != key
    ):
        raise IllegalAction(say(ALIKE, name=name))


def may_enter(g: EventState, key: str = "") -> bool:
    """Whether a player (or somebody new) may still enter.

    Nobody who has not been paired yet may where every pairing follows from the first, or once a knockout
    has begun: they could never play.
    """
    if g.status == PLANNED or any(key in pairing.players for pairing in g.pairings.values()):
        return g.status != OVER
    is_fixed = g.kind == KNOCKOUT or (g.is_round_robin and not g.is_league)
    return g.status != OVER and not is_fixed and not round_draw.in_the_bracket(g)


def _refuse_late(g: EventState, key: str = "") -> None:
    if not may_enter(g, key) and round_draw.in_the_bracket(g) and g.kind != KNOCKOUT:
        raise IllegalAction(say(_("No one can join once the knockout has begun.")))
    if not may_enter(g, key):
        raise IllegalAction(say(_("No one can join this type of event once it has begun.")))


def _enter_late(g: EventState, player: Player, how: str) -> None:
    """Enter the rounds that a player has missed: at most one bye, in the newest, and otherwise losses.

    A knock-out is not entered: whoever stands in one of its rounds is in the bracket.
    """
    last = g.last
    if last is None:
        return
    if g.is_ladder or (g.is_league and g.is_round_robin):
        # They meet everybody in the rounds to come, or challenge from the bottom.
        player.came = last.number + 1
        return
    missed = missed_by(g, player.key)
    player.came = 1
    for number in missed:
        is_bye = how == BYE and number == max(missed)
        used = [
            int(pairing.key.partition("-")[2]) for pairing in g.pairings.values() if pairing.round == number
        ]
        pairing = round_draw.bye(
            f"{number}-{1 + max(used, default=0)}", number, player.key, BYE if is_bye else LOSS
        )
        g.pairings[pairing.key] = pairing


def missed_by(g: EventState, key: str) -> list[int]:
    """The rounds before the knock-out that have begun without a player."""
    begun = (
        event_round.number
        for event_round in g.rounds.values()
        if event_round.state != DRAFTED and event_round.stage == MAIN
    )
    return [number for number in begun if g.pairing_of(key, number) is None]


# --- lists at a table ------------------------------------------------------------------------------


def table_of(g: EventState, key: str, asked: str = "") -> Pairing:
    """Where a player plays: the pairing with the key `asked`, or else the first whose lists are still sealed.

    In a league that is one of the open rounds; a game that is over, on paper, needs no list any more.
    """
    pairings = [
        pairing for pairing in _open_pairings(g, key) if not pairing.is_bye and asked in ("", pairing.key)
    ]
    if not pairings:
        raise IllegalAction(say(_("You have no table in this round.")))
    pairings.sort(key=lambda pairing: pairing.is_decided)
    return next(
        (pairing for pairing in pairings if set(pairing.chosen) != set(pairing.players)), pairings[-1]
    )


def choose(g: EventState, pairing: Pairing, key: str, fingerprint: str) -> None:
    """Note a player's choice of list for this round; once everybody has chosen, all open together."""
    if set(pairing.chosen) == set(pairing.players):
        raise IllegalAction(say(_("The lists of this table are open already.")))
    pairing.chosen = {**pairing.chosen, key: fingerprint}
    g.say(_("%(name)s has chosen a list."), name=g.players[key].name)


def choose_only_lists(g: EventState, number: int) -> None:
    """Let everybody who has handed in only one list play it."""
    for pairing in g.at(number):
        only = {key: g.players[key].lists[0] for key in pairing.players if len(g.players[key].lists) == 1}
        if only and not pairing.is_bye:
            pairing.chosen = {**pairing.chosen, **only}


def may_read_lists(g: EventState, reader: str, owner: str) -> bool:
    """Whether a player may read another's lists: once they meet in an open round and both are handed in."""
    if reader == owner:
        return True
    for pairing in g.pairings.values():
        is_begun = g.rounds[str(pairing.round)].state != DRAFTED
        if is_begun and reader in pairing.players and owner in pairing.players:
            return all(g.players[key].lists for key in pairing.players)
    return False
