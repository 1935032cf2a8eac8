"""An event as one player sees it; the card at the top of their page: where to go, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from django.urls import reverse
from msgspec.structs import replace

from games import view_models
from games.core import ViewModel, isolated, system, together
from games.core import gettext_noop as noop
from games.hall.pages import rounds_and_standings, team_matches
from games.hall.pages.rounds_and_standings import mode_of, name_of, numbers_in_words, seat_name, seat_of
from games.hall.rules import (
    challenges,
    event_results,
    knockout,
    registration,
    round_draw,
    seating_changes,
    team_rounds,
)
from games.hall.rules.event_results import Result
from games.hall.rules.event_state import (
    BYE,
    CHOICE,
    CLOSED,
    CONTESTED,
    DEFENDER,
    LEFT,
    LOSS,
    OPEN,
    OVER,
    PLANNED,
    REPORTED,
    Call,
    EventState,
    Pairing,
    Player,
    Round,
    TeamMatch,
)
from games.hall.rules.standings import ladder
from games.translation import gettext as _
from games.translation import ngettext, words
from games.view_models import Button, Link, Notice
from games.web import clock


class LeagueGame(ViewModel):
    """Another game of a league for a player: the round and the opponent, when, and what to do."""

    title: str
    lines: tuple[str, ...]
    tone: str = ""
    buttons: tuple[Button, ...] = ()
    ways: tuple[Link, ...] = ()


class PlayerCard(ViewModel):
    """What one player is told first: where to go, and the one thing to do next.

    `over` stands small above the title. `facts` are lines below the text.
    """

    over: str
    title: str
    text: str = ""
    buttons: tuple[Button, ...] = ()
    ways: tuple[Link, ...] = ()
    facts: tuple[Notice, ...] = ()
    tone: str = ""
    games: tuple[LeagueGame, ...] = ()


@dataclass
class Own:
    """An event as one player sees it; `places` are everybody's ranks, by player.

    `asked` is the key of the pairing that a page is about, if it is not the one to be played now; `sealed`
    is whom they have named as a captain, until both captains have answered.
    """

    code: str
    g: EventState
    player: Player
    places: Mapping[str, int] = field(default_factory=dict)
    asked: str = ""
    sealed: tuple[str, ...] = ()

    @cached_property
    def opened(self) -> list[Pairing]:
        """Their pairings of the open rounds (of a league): by round, first those that wait for them."""
        pairings = [
            pairing
            for pairing in self.g.pairings.values()
            if self.player.key in pairing.players and self.g.rounds[str(pairing.round)].state == OPEN
        ]
        return sorted(
            pairings, key=lambda pairing: (pairing.is_decided, self._waits_for_others(pairing), pairing.round)
        )

    def _waits_for_others(self, here: Pairing) -> bool:
        """Whether a judge or the opponent has to say something first."""
        return here.state == CONTESTED or self.player.key in here.claims

    @cached_property
    def pairing(self) -> Pairing | None:
        """Where they play now: the first of these, or the one that was asked for."""
        return next((game for game in self.opened if self.asked in ("", game.key)), None)

    @property
    def round(self) -> Round | None:
        return self.g.rounds[str(self.pairing.round)] if self.pairing else None

    @cached_property
    def call(self) -> Call | None:
        """Their table's call for a judge that is still open."""
        key = self.pairing.key if self.pairing else ""
        return next(
            (
                judge_call
                for judge_call in self.g.calls.values()
                if judge_call.pairing == key and not judge_call.closed_at
            ),
            None,
        )

    @property
    def has_to_choose(self) -> bool:
        """Whether they have two lists and have not said which one they play."""
        return self.pairing is not None and self._has_to_choose(self.pairing)

    def _has_to_choose(self, here: Pairing) -> bool:
        is_played = not here.is_bye and not here.is_decided
        return is_played and len(self.player.lists) > 1 and self.player.key not in here.chosen

    @property
    def goes(self) -> str:
        """The table that waits for them, by its code; "" for none. Choosing a list comes first."""
        here = self.pairing
        return here.match or "" if here is not None and self.may_sit(here) else ""

    def may_sit(self, here: Pairing) -> bool:
        """Whether a table waits for them."""
        return here.match is not None and here.state == OPEN and not self._has_to_choose(here)

    def seat(self) -> str:
        assert self.pairing is not None
        return self.pairing.seats[self.pairing.players.index(self.player.key)]

    def url(self, name: str, *arguments: str) -> str:
        """An address of this event."""
        return reverse(name, args=[self.code, *arguments])

    def url_about(self, name: str, here: Pairing) -> str:
        """The address of a form about one of their pairings."""
        return f"{self.url(name)}?table={here.key}"


WAIT = noop("Wait here: when the round opens, this page takes you to your table.")


def card_of(own: Own) -> PlayerCard:
    """The card that tells a player what to do."""
    g, player = own.g, own.player
    if g.status == OVER:
        return _over(own)
    if player.dropped is not None:
        return PlayerCard(
            player.name, _("You have dropped out"), _("Ask the organisers if you want to play again.")
        )
    if own.pairing is None and (match := _put_up_of(own)) is not None:
        return _putting_up(own, match)
    if g.is_ladder and (own.pairing is None or own.pairing.is_decided):
        return _on_the_ladder(own)
    if own.pairing is not None:
        card = _paired(own, own.pairing)
        others = [pairing for pairing in own.opened if pairing is not own.pairing and not pairing.is_bye]
        others.sort(key=lambda pairing: (pairing.is_decided, pairing.round))
        return replace(card, games=tuple(_league_game(own, pairing) for pairing in others))
    if not g.is_league and (g.status == PLANNED or not player.checked_in):
        return _before(own)
    return _between(own)


def _over(own: Own) -> PlayerCard:
    numbers = {"place": own.places.get(own.player.key, 0), "count": len(own.g.players)}
    title = _("Final place: %(place)s of %(count)s") % numbers
    ways = _ways(own) if own.g.is_rated else ()
    return PlayerCard(own.player.name, title, ways=(_standings(own), *ways), tone="good")


def _before(own: Own) -> PlayerCard:
    lists = _list_way(own)
    if not registration.may_enter(own.g, own.player.key):
        text = _("No one can join this type of event once it has begun.")
        return PlayerCard(own.player.name, _("Not paired"), text, ways=(_standings(own), *_ways(own)))
    if not own.player.checked_in:
        return PlayerCard(
            own.player.name,
            _("Are you here?"),
            _("Check in when you arrive. Only checked-in players are paired."),
            _coming(own),
            (*lists, *_team_way(own), *_ways(own)),
        )
    cancel = Button("not-here", _("Cancel check-in"), "quiet", "")
    buttons = (cancel,) if registration.may_go(own.g, own.player) else ()
    return PlayerCard(
        own.player.name,
        _("You are checked in"),
        _(WAIT),
        (*_whole_team(own), *buttons) if own.g.status == PLANNED else (),
        (*lists, *_team_way(own), *_ways(own)),
        tone="good",
    )


def _put_up_of(own: Own) -> TeamMatch | None:
    """The match of their team whose players are not paired yet."""
    matches = (match for match in own.g.team_matches.values() if own.player.team in match.teams)
    return next((match for match in matches if match.question), None)


def _putting_up(own: Own, match: TeamMatch) -> PlayerCard:
    """What a captain is asked, or what their players wait for."""
    g, team = own.g, own.player.team
    rival = g.teams[match.rival(team)].name
    over = f"{name_of(g, g.rounds[str(match.round)])} · {team_rounds.in_words(g, match)}"
    is_captain = g.captained_by(own.player.key) == team
    facts = tuple(Notice(fact) for fact in team_matches.facts(g, match, says_who_waits=not is_captain))
    ways = (*_team_way(own), *_ways(own))
    if not is_captain:
        title, text = _("The captains pair the tables"), _("Wait here: your table appears on this page.")
        return PlayerCard(over, title, text, ways=ways, facts=facts)
    mine = tuple(team_matches.named(g, key) for key in own.sealed)
    so_far = _("Your answer so far: %(names)s") % {"names": _(", ").join(mine)}
    named = (Notice(so_far, "good"),) if mine else ()
    undo = (Button(f"take-back {match.key}", _("Change my answer"), "quiet", "undo"),) if mine else ()
    if team not in match.waits_for:
        title = _("Sealed") if mine else _("You have no choice here")
        text = _("Waiting for the captain of %(team)s.") % {"team": rival}
        return PlayerCard(over, title, text, undo, ways, (*named, *facts))
    offered = [key for key in match.offers(team) if key not in own.sealed]
    answers = tuple(
        Button(f"propose {match.key} {match.mark} {key}", team_matches.named(g, key), "", "people")
        for key in offered
    )
    text = _("Tap one. It stays sealed until %(team)s has answered, too.") % {"team": rival}
    title = _asking(own, match, is_second=bool(mine))
    return PlayerCard(over, title, text, (*answers, *undo), ways, (*named, *facts), tone="now")


def _asking(own: Own, match: TeamMatch, *, is_second: bool) -> str:
    """The question that a captain answers."""
    g, team = own.g, own.player.team
    asked = match.question
    if asked == DEFENDER:
        return _("Whom do you put up?")
    if asked == CHOICE:
        return _("Whom does %(player)s play?") % {"player": team_matches.named(g, match.defenders[team])}
    against = {"player": team_matches.named(g, match.defenders[match.rival(team)])}
    if is_second:
        return _("Whom else do you offer to %(player)s?") % against
    return _("Which two do you offer to %(player)s?") % against


def _team_way(own: Own) -> tuple[Link, ...]:
    """The way to the page of their team, for a captain."""
    is_captain = own.g.team_size and own.g.captained_by(own.player.key)
    return (Link(own.url("event-team"), _("Your team"), "people"),) if is_captain else ()


def _coming(own: Own) -> tuple[Button, ...]:
    """What checks somebody in; a captain the whole team first of all."""
    whole = _whole_team(own)
    tone = "quiet" if whole else "main"
    return (*whole, Button("check-in", _("I’m here – check in"), tone, "check"))


def _whole_team(own: Own) -> tuple[Button, ...]:
    """What lets a captain check in all of the team."""
    team = own.g.captained_by(own.player.key) if own.g.team_size else ""
    if own.g.status != PLANNED or not team or all(member.checked_in for member in own.g.members(team)):
        return ()
    return (Button("check-in-team", _("Check in my whole team"), "main", "check"),)


def _between(own: Own) -> PlayerCard:
    number = 1 + max(
        (event_round.number for event_round in own.g.rounds.values() if event_round.state == CLOSED),
        default=0,
    )
    if round_draw.is_beyond(team_rounds.as_paired(own.g), number):
        title, text = _("All rounds have been played"), _("The organisers have yet to end the event.")
        return _plays_no_more(own, title, text)
    if knockout.is_out(own.g, own.player.key):
        text = _("See the standings for what comes next.")
        return _plays_no_more(own, _("You are out of the knockout"), text)
    return PlayerCard(
        own.player.name,
        _("Round %(number)s has no pairings yet") % {"number": number},
        "" if own.g.is_league else _(WAIT),
        ways=(*_list_way(own), _standings(own), *_ways(own)),
        facts=_rank(own),
    )


def _on_the_ladder(own: Own) -> PlayerCard:
    """Whom somebody without an open challenge may challenge, and how their last one ended."""
    g, key = own.g, own.player.key
    above = challenges.may_challenge(g, key)
    places = {player: at for at, player in enumerate(ladder(g), 1)}
    label = _("Place %(place)s: %(name)s")
    games = tuple(
        LeagueGame(
            label % {"name": isolated(g.called(player)), "place": places[player]},
            (),
            buttons=(Button(f"challenge {player}", _("Challenge")),),
        )
        for player in reversed(above)
    )
    days = ngettext("It is played within %(count)d day.", "It is played within %(count)d days.", g.days)
    if above:
        title = _("Your next challenge")
        text = _("If you win, you take the place of your opponent.") + " " + days % {"count": g.days}
    elif places[key] == 1:
        title, text = _("You are at the top"), _("Wait for a challenge: it appears on this page.")
    else:
        title = _("Everyone within reach has a challenge")
        text = _("Wait for a challenge, or try again later.")
    last = own.pairing
    facts, ways = _rank(own), (*_list_way(own), _standings(own), *_ways(own))
    if last is not None and last.results:
        facts += (Notice(words(event_results.in_words(g, Result.of(last)))),)
        ways = (*_contest_way(own, last), *ways)
    return PlayerCard(own.player.name, title, text, ways=ways, facts=facts, games=games)


def _plays_no_more(own: Own, title: str, text: str) -> PlayerCard:
    ways = (_standings(own), *_ways(own))
    return PlayerCard(own.player.name, title, text, ways=ways, facts=_rank(own))


DISPUTED = noop("The result is disputed. A judge will decide.")


def _paired(own: Own, here: Pairing) -> PlayerCard:
    assert own.round is not None
    name = rounds_and_standings.third(own.g, here) or name_of(own.g, own.round)
    over = f"{name} · {mode_of(own.g, own.round)}"
    if here.is_bye:
        return _without_opponent(own, here, over)
    title = _("Table %(table)s") % {"table": here.table}
    against = _("against %(names)s") % {"names": _(", ").join(_names(own, here))}
    if here.state == CONTESTED:
        text = _(DISPUTED)
        ways, facts = _result_ways(own, here), tuple(_reports(own, here))
        return _with_calls(own, PlayerCard(over, title, text, ways=ways, facts=facts, tone="bad"))
    if here.is_decided:
        return _decided(own, here, over, title)
    if here.state == REPORTED:
        return _reported(own, here, over, title)
    if "" in here.seats:
        return _with_calls(own, _taking_houses(own, here, over, title))
    if own.has_to_choose:
        return _choosing(own, here, over, title, against)
    sit = (Button("sit", _("Go to your table"), "main", "table", sits=True),) if here.match else ()
    buttons = (*sit, *_absence(own, here))
    until = rounds_and_standings.until(own.g, own.round)
    facts = (
        *_house(own, here),
        *((Notice(until),) if until else ()),
        *map(Notice, _dates(own, here)),
        *_more_time(here),
        *_absent(own, here),
        *_list_facts(own, here),
    )
    buttons += _agreeing_to(own, here)
    ways = (_report_way(own, here), *_date_way(own, here), *_others_lists(own, here), *_ways(own))
    return _with_calls(
        own,
        PlayerCard(over=over, title=title, text=against, buttons=buttons, ways=ways, facts=facts, tone="now"),
    )


def _without_opponent(own: Own, here: Pairing, over: str) -> PlayerCard:
    if here.how == BYE:
        title, text = _("Bye"), _("You have no opponent in this round. Be back for the next one.")
    elif here.how == LOSS:
        title, text = _("Not paired"), _("You missed this round. You are paired for the next one.")
    else:
        title, text = _("No opponent"), _("Be back for the next round.")
    return PlayerCard(over, title, text, ways=(_standings(own), *_ways(own)), facts=_rank(own))


def _decided(own: Own, here: Pairing, over: str, title: str) -> PlayerCard:
    if here.how == LEFT and here.winner != own.player.key:
        text = _("You were not at your table. Be back for the next round.")
    elif here.how == LEFT:
        rival = own.g.players.get(here.rivals(own.player.key)[0])
        has_left = rival is not None and rival.dropped is not None
        text = (
            _("Your opponent has dropped out. Be back for the next round.")
            if has_left
            else _("Your opponent has not come. Be back for the next round.")
        )
    else:
        text = words(event_results.in_words(own.g, Result.of(here)))
    if own.g.is_level(here):
        return _level(own, here, f"{over} · {title}")
    won = here.winner == own.player.key
    ways = (*_table_way(here), _standings(own), *_contest_way(own, here), *_ways(own))
    card = PlayerCard(
        over=f"{over} · {title}",
        title=_("You won") if won else _outcome(own, here),
        text=text,
        ways=ways,
        facts=(*_numbers(own, here.results), *_rank(own)),
        tone="good" if won else "",
    )
    return _with_calls(own, card)


def _level(own: Own, here: Pairing, over: str) -> PlayerCard:
    """A draw in the knock-out: both players say who goes on, or the organisers do."""
    said = here.claims.get(own.player.key)
    if said is not None:
        name = own.g.called(said["winner"])
        text = _("You said that %(name)s advances. Your opponent has to agree.") % {"name": name}
    else:
        text = _("Someone has to advance. Decide it as the organisers say, then both of you tap who.")
    buttons = tuple(
        Button(f"goes-on-{key} {here.key}", _("%(name)s advances") % {"name": own.g.called(key)}, "main")
        for key in here.players
    )
    card = PlayerCard(over, _("A draw"), text, buttons, (*_table_way(here), *_ways(own)), tone="now")
    return _with_calls(own, card)


def _numbers(own: Own, scores: Mapping[str, Mapping[str, int]]) -> tuple[Notice, ...]:
    """What a result says beyond its points: whoever agrees with it agrees with that as well."""
    return tuple(Notice(line) for line in numbers_in_words(own.g, scores))


def _outcome(own: Own, here: Pairing) -> str:
    return _("A draw") if here.is_drawn_for(own.player.key) else _("You lost")


def _reported(own: Own, here: Pairing, over: str, title: str) -> PlayerCard:
    who, claim = next(iter(here.claims.items()))
    facts, text = _numbers(own, claim["scores"]), _as_reported(own, here)
    if len(here.players) > 2:
        missing = map(own.g.called, event_results.still_to_report(own.g, here))
        facts += (Notice(_("Still to agree: %(names)s") % {"names": _(", ").join(missing)}),)
    if own.player.key in here.claims:
        card = PlayerCard(over, title, text, ways=_result_ways(own, here), facts=facts)
        return _with_calls(own, card)
    agreeing = f"agree-{who}-{event_results.claim_mark(claim)}"
    buttons = (Button(agreeing, _("Agree"), "main", "check"),)
    other = Link(own.url_about("event-result", here), _("Report a different result"), "adjust")
    card = PlayerCard(over, title, text, buttons, (other, *_ways(own)), facts, tone="now")
    return _with_calls(own, card)


def _reports(own: Own, here: Pairing) -> Iterator[Notice]:
    """What each player of a disputed table has reported, so that whoever mistyped can see it."""
    for who, claim in here.claims.items():
        result = words(event_results.in_words(own.g, Result(claim["scores"], claim["winner"], claim["how"])))
        sentence = _("%(name)s reports: %(result)s.") % {"name": own.g.players[who].name, "result": result}
        yield Notice(" · ".join((sentence, *numbers_in_words(own.g, claim["scores"]))))


def _as_reported(own: Own, here: Pairing) -> str:
    """What has been reported, by the reader or by somebody else."""
    mine = own.player.key in here.claims
    who, claim = next(iter(here.claims.items()))
    result = words(event_results.in_words(own.g, Result(claim["scores"], claim["winner"], claim["how"])))
    line = (
        (
            _("You agree: %(result)s.")
            if len(here.players) > 2
            else _("You reported: %(result)s. Your opponent has to agree.")
        )
        if mine
        else _("%(name)s reports: %(result)s.")
    )
    return line % {"name": own.g.players[who].name, "result": result}


def _choosing(own: Own, here: Pairing, over: str, title: str, against: str) -> PlayerCard:
    buttons = (
        Button(f"choose-1 {here.key}", _("Play list 1"), "main", "list"),
        Button(f"choose-2 {here.key}", _("Play list 2"), "main", "list"),
    )
    facts = (Notice(_("Your choice stays sealed until your opponent has chosen, too.")),)
    text = together([_("%(said)s.") % {"said": against}, _("Which list do you play?")])
    ways = (Link(own.url("event-list"), _("Read your lists"), "list"), *_ways(own))
    return _with_calls(
        own,
        PlayerCard(over=over, title=title, text=text, buttons=buttons, ways=ways, facts=facts, tone="now"),
    )


def _taking_houses(own: Own, here: Pairing, over: str, table: str) -> PlayerCard:
    """A table whose players bid for the choice of their houses, or choose them in turn."""
    g, me = own.g, own.player.key
    bidding, turn = seating_changes.bidding(g, here), seating_changes.chooser(g, here)
    bids = {key: number for key, number in here.bids.items() if not bidding}
    said = _("%(name)s has bid %(number)s.")
    facts = tuple(Notice(said % {"name": g.called(key), "number": bid}) for key, bid in bids.items())
    facts += tuple(
        Notice(rounds_and_standings.with_house(g, here, key))
        for key, seat in zip(here.players, here.seats, strict=True)
        if seat
    )
    over = f"{over} · {table}"
    if me in bidding:
        text = _(
            "The highest bid chooses a house first. Each player pays their own bid, in tournament points. "
            "Bids are sealed until all are in."
        )
        buttons = tuple(
            Button(f"bid-{number} {here.key}", _("Bid %(number)s") % {"number": number})
            for number in range(seating_changes.MOST_BID + 1)
        )
        if me not in here.bids:
            return PlayerCard(over, _("How much do you bid?"), text, buttons, _ways(own), facts, tone="now")
        waiting = [g.called(key) for key in bidding if key not in here.bids]
        text = _("Waiting for: %(names)s. Until then you can bid again.") % {"names": _(", ").join(waiting)}
        return PlayerCard(over, _("Your bid is sealed"), text, buttons, _ways(own), facts)
    if me == turn:
        free = seating_changes.left_of(g, here)
        buttons = tuple(Button(f"house-{seat} {here.key}", seat_name(g, seat)) for seat in free)
        title = _("Which house do you play?")
        return PlayerCard(over, title, buttons=buttons, ways=_ways(own), facts=facts, tone="now")
    names = [turn] if turn else [key for key in bidding if key not in here.bids]
    text = _("Waiting for: %(names)s.") % {"names": _(", ").join(map(g.called, names))}
    title = _("The table opens once everyone has a house")
    return PlayerCard(over, title, text, ways=_ways(own), facts=facts)


def _with_calls(own: Own, card: PlayerCard) -> PlayerCard:
    """The card with the state of the call for a judge, or the way to call one."""
    if own.call is None:
        way = Link(own.url("event-judge"), _("Call a judge"), "people")
        return replace(card, ways=(*card.ways[:1], way, *card.ways[1:]))
    if own.call.comes:
        notice = Notice(_("%(name)s is coming to your table.") % {"name": own.call.comes}, "good")
    else:
        notice = Notice(_("A judge has been called. Please stay at your table."), "good")
    return replace(card, facts=(notice, *card.facts))


def _names(own: Own, here: Pairing) -> list[str]:
    """The opponents' names, each with their house or else their club."""
    rivals = [own.g.players[key] for key in here.rivals(own.player.key) if key in own.g.players]
    seats = {rival.key: seat_name(own.g, seat_of(own.g, here, rival.key)) for rival in rivals}
    named = [(rival.name, seats[rival.key] or rival.club) for rival in rivals]
    return [f"{name} ({more})" if more else name for name, more in named]


def _house(own: Own, here: Pairing) -> tuple[Notice, ...]:
    """The house they play at a table of more than two."""
    seat = seat_of(own.g, here, own.player.key)
    if not seat:
        return ()
    return (Notice(_("You play %(seat)s.") % {"seat": seat_name(own.g, seat)}, "good"),)


def _absence(own: Own, here: Pairing) -> tuple[Button, ...]:
    """What says that the opponent has not come, or that both are here after all."""
    if len(here.players) != 2 or (own.g.is_league and not own.g.is_ladder):
        return ()
    if not here.absent:
        label = _("My opponent does not answer") if own.g.is_ladder else _("My opponent has not come")
        return (Button(f"absent {here.key}", label, "quiet"),)
    label = _("I am here") if here.absent == own.player.key else _("My opponent is here")
    return (Button(f"present {here.key}", label, "" if here.absent == own.player.key else "quiet", "check"),)


def _absent(own: Own, here: Pairing) -> tuple[Notice, ...]:
    """Who is reported absent, and when that ends the table."""
    if not here.absent:
        return ()
    said = (
        _("Your opponent reports that you are absent.")
        if here.absent == own.player.key
        else _("You reported your opponent as absent.")
    )
    if own.g.is_ladder:
        loses = _("Unless you play in time, whoever is absent loses the challenge.")
        return (Notice(together([said, loses]), "odd"),)
    ends = ngettext(
        "The table ends when the round clock has run for %(count)s minute.",
        "The table ends when the round clock has run for %(count)s minutes.",
        own.g.no_show,
    )
    more = (ends % {"count": own.g.no_show},) if own.g.no_show else ()
    return (Notice(together([said, *more]), "odd"),)


def _more_time(here: Pairing) -> tuple[Notice, ...]:
    if here.extended <= 0:
        return ()
    minutes = here.extended // 60
    sentence = ngettext(
        "Your table has %(minutes)s minute more.", "Your table has %(minutes)s minutes more.", minutes
    )
    return (Notice(sentence % {"minutes": minutes}),)


def _list_facts(own: Own, here: Pairing) -> tuple[Notice, ...]:
    """Whether the lists at the table are sealed or open."""
    if not system(own.g.system).brings_armies or not own.player.lists:
        return ()
    if set(here.chosen) == set(here.players):
        return (Notice(_("Both lists are open. See them at your table.")),)
    return (Notice(_("The lists stay sealed until both are in.")),)


def _others_lists(own: Own, here: Pairing) -> tuple[Link, ...]:
    """The opponents' lists, where they may be read."""
    return tuple(
        Link(
            own.url("event-lists", key),
            _("%(name)s’s list") % {"name": own.g.players[key].name},
            "list",
        )
        for key in here.rivals(own.player.key)
        if registration.may_read_lists(own.g, own.player.key, key)
    )


def _list_way(own: Own) -> tuple[Link, ...]:
    if not system(own.g.system).brings_armies:
        return ()
    if not own.player.lists:
        return (Link(own.url("event-list"), _("Hand in your army list"), "list"),)
    return (Link(own.url("event-list"), _("Your army list: handed in"), "check"),)


def _standings(own: Own) -> Link:
    return Link(own.url("event-standings"), _("Standings"), "finish")


def _table_way(here: Pairing) -> tuple[Link, ...]:
    return (Link(reverse("table", args=[here.match]), _("Back to the table"), "table"),) if here.match else ()


def _result_ways(own: Own, here: Pairing) -> tuple[view_models.Link, ...]:
    return (Link(own.url_about("event-result", here), _("Correct your report"), "adjust"), *_ways(own))


def _contest_way(own: Own, here: Pairing) -> tuple[Link, ...]:
    if own.g.rounds[str(here.round)].state != OPEN or here.how == LEFT or here.ruled:
        return ()
    return (Link(own.url_about("event-contest", here), _("Dispute the result"), "alert"),)


def _league_game(own: Own, here: Pairing) -> LeagueGame:
    """A game of another open round of a league."""
    this_round = own.g.rounds[str(here.round)]
    names = {"round": name_of(own.g, this_round), "names": _(", ").join(_names(own, here))}
    title = _("%(round)s: against %(names)s") % names
    if here.is_decided:
        won = here.winner == own.player.key
        outcome = words(event_results.in_words(own.g, Result.of(here)))
        return LeagueGame(title, (outcome,), "good" if won else "", ways=_contest_way(own, here))
    result = _(DISPUTED) if here.state == CONTESTED else _as_reported(own, here) if here.claims else ""
    is_late = not result and this_round.until is not None and this_round.until < int(clock.seconds())
    lines = (rounds_and_standings.until(own.g, this_round), *_dates(own, here))
    sitting = Button(f"sit {here.key}", _("Go to your table"), icon="table")
    return LeagueGame(
        title,
        tuple(filter(None, (result, _("Overdue") if is_late else "", *lines))),
        "bad" if is_late else "",
        (*((sitting,) if own.may_sit(here) else ()), *_agreeing_to(own, here)),
        (_report_way(own, here), *_date_way(own, here)),
    )


def _dates(own: Own, here: Pairing) -> tuple[str, ...]:
    """For when the game is agreed, or what each side proposes."""
    agreed = here.agreed_for
    if agreed is not None:
        return (_("Agreed for %(date)s") % {"date": rounds_and_standings.date(own.g, agreed)},)
    lines = []
    for key, moment in here.dates.items():
        line = _("You propose %(date)s") if key == own.player.key else _("%(name)s proposes %(date)s")
        lines.append(line % {"name": own.g.called(key), "date": rounds_and_standings.date(own.g, moment)})
    return tuple(lines)


def _agreeing_to(own: Own, here: Pairing) -> tuple[Button, ...]:
    """The button that agrees to a date that the opponent proposes."""
    if here.agreed_for is not None:
        return ()
    proposed = next((moment for key, moment in here.dates.items() if key != own.player.key), None)
    return (Button(f"date-{proposed} {here.key}", _("Agree to this date"), "", "check"),) if proposed else ()


def _date_way(own: Own, here: Pairing) -> tuple[Link, ...]:
    if not own.g.is_league:
        return ()
    label = _("Change the date") if here.dates else _("Propose a date")
    return (Link(own.url_about("event-date", here), label, "bell"),)


def _report_way(own: Own, here: Pairing) -> Link:
    return Link(own.url_about("event-result", here), _("Report a result"), "finish")


def _ways(own: Own) -> tuple[Link, ...]:
    return (Link(own.url("event-place"), _("Your registration and link"), "adjust"),)


def _rank(own: Own) -> tuple[Notice, ...]:
    if own.player.key not in own.places:
        return ()
    numbers = {"place": own.places[own.player.key], "count": len(own.g.players)}
    return (Notice(_("Your place: %(place)s of %(count)s.") % numbers),)
