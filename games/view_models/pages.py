"""The pages around the table: history, seats, home, new table, verification."""

from __future__ import annotations

from msgspec import field

from games.core.words import ViewModel
from games.view_models.board import Forms, SeatScore, Undo, UndoRequest
from games.view_models.controls import Option, SeatPost
from games.view_models.first_steps import FirstRound
from games.view_models.frame import Link, Notice, Share
from games.view_models.hall import EventRow

# --- history --------------------------------------------------------------------------------------


class HistoryEntry(ViewModel):
    """One entry of the log. `state` is "", "undone" or "undo" (it undoes another).

    `at` is a time of day; `undo` undoes everything down to and including this action; `replay_url` shows
    the board after it.
    """

    version: int
    who: str
    mark: int
    lines: tuple[str, ...]
    at: str = ""
    state: str = ""
    note: str = ""
    adjusted: bool = False
    undo: Undo | None = None
    replay_url: str = ""


class HistoryRound(ViewModel):
    """The entries of one round, newest first."""

    title: str
    entries: tuple[HistoryEntry, ...]


class HistoryPage(ViewModel):
    """Some of the log, newest first; `ways` lead to the rest. `forms` is None for spectators."""

    title: str
    back: Link
    groups: tuple[HistoryRound, ...]
    request: UndoRequest | None = None
    notice: Notice | None = None
    forms: Forms | None = None
    replay_url: str = ""
    ways: tuple[Link, ...] = ()


# --- seats ----------------------------------------------------------------------------------------


class Invitation(ViewModel):
    """A one-time link to an open seat, shown once: `qr` is an SVG as a data URL."""

    url: str
    qr: str = ""
    code: str = ""
    note: str = ""


class SeatRow(ViewModel):
    """One seat and who holds it. `state_label`: "open", "taken", "this device".

    `moving_code` is what another phone types to take the seat over.
    """

    mark: int
    colour: str
    name: str
    state_label: str
    mine: bool = False
    open: bool = False
    invitation: Invitation | None = None
    posts: tuple[SeatPost, ...] = ()
    moving_code: str = ""


class SeatRequest(ViewModel):
    """A request for a seat by somebody who followed the printed code."""

    name: str
    asked: str
    posts: tuple[SeatPost, ...]


class Asking(ViewModel):
    """Whether guests may ask for a free seat, in words, and the button that changes it."""

    text: str
    post: SeatPost


class SeatsPage(ViewModel):
    """Who is here. `watch` is the public address and the printed code, for spectators.

    `lateness` says how late they are shown the match, "" for at once; `delays` are what a seat may choose,
    posted as `delay` to `delay_url`.
    """

    title: str
    back: Link
    seats: tuple[SeatRow, ...]
    watch: Invitation
    requests: tuple[SeatRequest, ...] = ()
    asking: Asking | None = None
    notice: Notice | None = None
    lateness: str = ""
    delays: tuple[Option, ...] = ()
    delay_url: str = ""


# --- home, new table, verification ----------------------------------------------------------------


class TableRow(ViewModel):
    """A table in a list: its game, who plays, how it stands.

    `details` are its mode if the game has several, its code, and its round. `demo` marks a demo or practice
    table, "" for a real one.
    """

    url: str
    game: str
    details: tuple[str, ...]
    seats: tuple[SeatScore, ...] = ()
    demo: str = ""


class HomePage(ViewModel):
    """The home page. `code` and `error` come back when a code was not found.

    `again_url` opens a table like this phone's last one, "" if there is none. Below it come the
    `sections` that have tables, each a heading and its rows; they are searched for `wanted`, a player's
    name or a code, and narrowed to one of the `games`. `is_searched`: either is in force. `events` are a
    few; `events_url` lists them all. `rounds` are games to try, for a phone that has no table yet.
    `share` also holds the page's heading and the sentence below it.
    """

    share: Share
    home_url: str
    new_url: str
    join_url: str
    sections: tuple[tuple[str, tuple[TableRow, ...]], ...] = ()
    games: tuple[Option, ...] = ()
    wanted: str = ""
    is_searched: bool = False
    code: str = ""
    error: str = ""
    again_url: str = ""
    statistics_url: str = "/stats"
    events: tuple[EventRow, ...] = ()
    events_url: str = "/events"
    rounds: tuple[FirstRound, ...] = ()
    first_steps_url: str = "/first-steps"
    first_event_url: str = "/first-event"
    key: str = ""


class NewChoice(ViewModel):
    """One more choice for a new table; it posts `name`.

    Without `options` it is a number from `least` to `most`, now `value`.
    """

    name: str
    title: str
    options: tuple[Option, ...]
    help: str = ""
    error: str = ""
    value: str = ""
    least: int = 0
    most: int = 0


class BroughtList(ViewModel):
    """An army list that came with a link: its text and, if it was read, a summary and any warnings."""

    text: str
    summary: str = ""
    warnings: tuple[str, ...] = ()


class NewPage(ViewModel):
    """Opening a table.

    Posts `mode` (the game's slug, a slash, the mode's), `seats` (how many play), `points`, `target`, `name`,
    `rival`, `seat`, `army`, and as `like` the code of the table that it is a repeat of, if any. `games` lead
    to the same form for another game; `more_modes` and `more_choices` are folded. What a game does not ask
    is empty (`counts` if the number of players is fixed, `points`, `armies`; `most_target` is 0).
    `points_label` and `army_label` are what the game calls these. `has_rival` says whether a rival's name is
    asked. `errors` maps a field's name to its sentence, `sentences` are the errors of fields that are not
    shown; the other fields bring back what was typed. `brought` is the list that came with the link, posted
    as `list` in place of an army.
    """

    post_url: str
    back: Link
    games: tuple[Link, ...]
    modes: tuple[Option, ...]
    more_modes: tuple[Option, ...]
    counts: tuple[Option, ...]
    points: tuple[Option, ...]
    seats: tuple[Option, ...]
    armies: tuple[Option, ...]
    choices: tuple[NewChoice, ...] = ()
    more_choices: tuple[NewChoice, ...] = ()
    target: str = ""
    name: str = ""
    rival: str = ""
    like: str = ""
    most_target: int = 0
    has_rival: bool = True
    errors: dict[str, str] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    key: str = ""
    brought: BroughtList | None = None
    points_label: str = ""
    army_label: str = ""


class Draw(ViewModel):
    """One use of chance and what came of it; `matches` is None until the seed is known."""

    number: int
    purpose: str
    outcome: str
    digest: str = ""
    matches: bool | None = None


class SealedAnswer(ViewModel):
    """What a seat sealed: its fingerprint and, once it is revealed, the text that this was made from."""

    version: int
    seat: str
    fingerprint: str
    text: str = ""


class VerifyPage(ViewModel):
    """Commitment at the opening, seed after the end, every draw recomputed; the history's fingerprints.

    `chain` holds one for each entry, `broken` the numbers of the entries that do not match theirs.
    """

    commitment: str
    back: Link
    seed: str = ""
    draws: tuple[Draw, ...] = ()
    sound: bool | None = None
    recipe: str = ""
    chain: tuple[str, ...] = ()
    broken: str = ""
    answers: tuple[SealedAnswer, ...] = ()
    export: Link | None = None
    program: Link | None = None


class RulesChapter(ViewModel):
    """The rules under one heading, each with its id."""

    title: str
    rules: tuple[tuple[str, str], ...]


class RulesPage(ViewModel):
    """Every rule that a game carries out, in our own words; `edition` names the printed rules."""

    title: str
    back: Link
    chapters: tuple[RulesChapter, ...]
    edition: str = ""


class ClaimPage(ViewModel):
    """A one-time link as it is opened, or a seat that is this phone's: the button takes it.

    `key` lets a phone that never got the answer press it again; `hint` says what the button does.
    """

    title: str
    mark: int
    seat_label: str
    post_url: str
    rival: str = ""
    ask_name: bool = True
    name: str = ""
    error: str = ""
    key: str = ""
    hint: str = ""


class NameRow(ViewModel):
    """The name of the player of one seat."""

    seat: str
    mark: int
    colour: str
    name: str
    error: str = ""


class NamePage(ViewModel):
    """Changing a player's name; several rows on a device that several players share."""

    back: Link
    post_url: str
    rows: tuple[NameRow, ...]


class Sitting(ViewModel):
    """Who sits at a table: the seat's mark, the player, and the seat's colour if the player has a name."""

    mark: int
    name: str
    colour: str = ""


class JoinPage(ViewModel):
    """Asking for a seat at a table, where those of `sitting` sit; `waiting` while nobody has answered.

    `waiting` is the address of the table's stream, which says when to look for the answer. `notice` says why
    the phone was led here; `closed` that nobody may ask at present, "" if somebody may.
    """

    title: str
    post_url: str
    watch_url: str
    open_seats: tuple[Option, ...] = ()
    waiting: str = ""
    closed: str = ""
    move_url: str = ""
    name: str = ""
    error: str = ""
    move_error: str = ""
    notice: Notice | None = None
    key: str = ""
    sitting: tuple[Sitting, ...] = ()


class MovingPage(ViewModel):
    """Moving a seat here with a code that was typed elsewhere, such as on the home page."""

    title: str
    post_url: str
    code: str
    key: str
    sitting: tuple[Sitting, ...] = ()


class MessagePage(ViewModel):
    """One sentence and the way back; `hint` says what the page does by itself."""

    title: str
    text: str
    back: Link
    hint: str = ""
