"""What the forms of the organisers' pages do: one command each, under the form's key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from games.core import validation
from games.core.validation import name_key
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import commands, comparing, helping, judging, roles, storage, undoing
from games.hall.organiser import settings_form
from games.hall.organiser.access import Visit
from games.hall.organiser.results_form import stated_in
from games.hall.play import Actor
from games.hall.rules.pieces import Gathering
from games.match.verdict import RequestRefused
from games.pages import filled
from games.pages.common import field, malformed, tap_key
from games.web import uploads

NUMBER = (0, 999_999_999)
KEY = 12
"""Letters in a form's key that say which of its buttons was tapped: each button counts once."""


@dataclass(frozen=True)
class Asked:
    """What a form asks for: the verb, what follows it ("extend 5 1-3"), and what was typed."""

    request: HttpRequest
    visit: Visit
    verb: str
    about: tuple[str, ...]
    key: str

    @property
    def to(self) -> tuple[str, Actor]:
        """Which event, and who acts."""
        return self.visit.code, self.visit.actor

    def nth(self, at: int) -> str:
        """A word after the verb; "" if there is none."""
        return self.about[at] if at < len(self.about) else ""

    def number(self, at: int) -> int:
        """A word after the verb that is a number."""
        return int(validation.clean_int(self.nth(at), *NUMBER))

    def row(self, at: int) -> int:
        """A word after the verb that numbers a row of the database: it may be long."""
        if not validation.is_number(word := self.nth(at)):
            raise malformed()
        return int(word)

    def line(self, name: str) -> str:
        """A field of one line, which may be empty."""
        return validation.clean_note(self.request.POST.get(name, ""))

    def name(self, name: str = "name") -> str:
        """A field that holds a name."""
        return validation.clean_name(self.request.POST.get(name, ""))

    def short(self, name: str) -> str:
        """A field that may hold a name."""
        return validation.clean_note(self.request.POST.get(name, ""), validation.NAME_GRAPHEMES)

    def state(self) -> Gathering:
        """The event as it stands."""
        return storage.load(self.visit.event).state


def do(request: HttpRequest, visit: Visit) -> Asked:
    """Carry out what a form asks for. Raises `RequestRefused` and `Unreadable`; then nothing has changed."""
    sent = field(request, "do")
    verb, *about = sent.split()[:4] or [""]
    if verb not in ACTIONS:
        raise malformed()
    roles.refuse(visit.actor.role, ROLES.get(verb, verb))
    button = hashlib.sha256(sent.encode(errors="replace")).hexdigest()[:KEY]
    key = validation.clean_key(f"{tap_key(request)[:40]}-{button}")
    asked = Asked(request, visit, verb, tuple(about), key)
    ACTIONS[verb](asked)
    return asked


def _register(asked: Asked) -> object:
    name, club, faction = asked.name(), asked.short("club"), asked.short("faction")
    if how := asked.request.POST.get("how", ""):
        return commands.come_late(*asked.to, name, club, faction, how, key=asked.key)
    return commands.register(*asked.to, name, club, faction, key=asked.key)


def _amend(asked: Asked) -> object:
    person = {"name": asked.name(), "club": asked.short("club"), "faction": asked.short("faction")}
    same = filled.unchanged(asked.request.POST)
    changed = {name: value for name, value in person.items() if name not in same}
    code, who = asked.to
    return commands.amend(code, who, asked.nth(0), **changed, key=asked.key)


def _import(asked: Asked) -> object:
    return commands.import_table(*asked.to, list_of(asked.request), key=asked.key)


def _extend(asked: Asked) -> object:
    """Everybody gets more time in the round that was seen, or else one table, which names its round."""
    minutes, table = asked.number(0), asked.nth(1)
    if table == "all":
        return commands.extend(*asked.to, minutes, key=asked.key, seen=asked.nth(2))
    return commands.extend(*asked.to, minutes, table, key=asked.key)


def _enter(asked: Asked) -> object:
    stated = stated_in(asked.request.POST, asked.state(), asked.nth(0))
    return commands.enter_result(*asked.to, asked.nth(0), stated, key=asked.key)


def _rule(asked: Asked) -> object:
    stated = stated_in(asked.request.POST, asked.state(), asked.nth(0))
    why, seen = asked.line("reason"), asked.line("seen")
    return commands.rule(*asked.to, asked.nth(0), stated, why, key=asked.key, seen=seen)


def _swap(asked: Asked) -> object:
    one, other = (asked.request.POST.get(name, "") for name in ("one", "other"))
    return commands.swap(*asked.to, one, other, key=asked.key, seen=asked.nth(0))


def _by_hand(asked: Asked) -> object:
    groups = groups_of(asked.state(), asked.request.POST.get("groups", ""))
    return commands.by_hand(*asked.to, groups, key=asked.key, seen=asked.nth(0))


def _announce(asked: Asked) -> object:
    if not (text := asked.line("text")):
        raise RequestRefused(say(noop("Write what the hall should read.")), 422, "malformed")
    return judging.announce(*asked.to, text, key=asked.key)


def _note(asked: Asked) -> object:
    if not (ruling := asked.line("ruling")):
        raise RequestRefused(say(noop("Write what was ruled.")), 422, "malformed")
    return judging.note_ruling(*asked.to, asked.nth(0), ruling, key=asked.key)


def _settings(asked: Asked) -> object:
    sent = settings_form.changed_in(asked.request.POST)
    values = settings_form.values_of(sent, asked.state())
    if "options" in values:
        values["options"] = {**asked.visit.event.options, **values["options"]}
    if "name" in sent:
        values["name"] = validation.clean_name(sent["name"], 60)
    return commands.change_settings(*asked.to, values, key=asked.key)


def _appoint(asked: Asked) -> object:
    return helping.appoint(*asked.to, asked.request.POST.get("role", ""), asked.name(), key=asked.key)


def _hand_in(asked: Asked) -> object:
    texts = [asked.request.POST.get(name, "") for name in ("first", "second")]
    lists = [validation.clean_text(text) for text in texts if text.strip()]
    return commands.hand_in(*asked.to, asked.nth(0), lists, key=asked.key)


def _rounds(command: Callable[..., object]) -> Callable[[Asked], object]:
    """An action on the newest round, or the next: the form names what it showed of the rounds."""
    return lambda asked: command(*asked.to, key=asked.key, seen=asked.nth(0))


def _in_mode(command: Callable[..., object]) -> Callable[[Asked], object]:
    return lambda asked: command(*asked.to, asked.line("mode"), key=asked.key, seen=asked.nth(0))


def _player(command: Callable[..., object]) -> Callable[[Asked], object]:
    return lambda asked: command(*asked.to, asked.nth(0), key=asked.key)


ACTIONS: dict[str, Callable[[Asked], object]] = {
    "register": _register,
    "import": _import,
    "amend": _amend,
    "remove": _player(commands.remove),
    "remove_picked": lambda asked: commands.remove(
        *asked.to, *asked.request.POST.getlist("pick"), key=asked.key
    ),
    "check_in": _player(commands.check_in),
    "check_out": lambda asked: commands.check_in(*asked.to, asked.nth(0), False, key=asked.key),
    "check_in_all": lambda asked: commands.check_in_all(*asked.to, key=asked.key),
    "drop": _player(commands.drop),
    "come_back": _player(commands.come_back),
    "new_link": _player(helping.new_link),
    "pair": _in_mode(commands.pair),
    "repair": _rounds(commands.repair),
    "swap": _swap,
    "by_hand": _by_hand,
    "set_mode": _in_mode(commands.set_mode),
    "open_round": _rounds(commands.open_round),
    "call_off": _rounds(commands.call_off),
    "close_round": lambda asked: commands.close_round(
        *asked.to, asked.number(0) if asked.nth(0) else None, key=asked.key
    ),
    "hand_in": _hand_in,
    "reopen": _rounds(commands.reopen),
    "finish": _rounds(commands.finish),
    "start_clock": _rounds(commands.start_clock),
    "pause_clock": _rounds(commands.pause_clock),
    "extend": _extend,
    "enter": _enter,
    "rule": _rule,
    "announce": _announce,
    "take_down": lambda asked: judging.take_down(*asked.to, asked.number(0), key=asked.key),
    "call_judge": lambda asked: judging.call_judge(
        *asked.to, asked.nth(0), "", asked.line("question"), key=asked.key
    ),
    "answer_call": lambda asked: judging.answer_call(*asked.to, asked.number(0), key=asked.key),
    "close_call": lambda asked: judging.close_call(
        *asked.to, asked.number(0), asked.line("ruling"), key=asked.key
    ),
    "note_ruling": _note,
    "settings": _settings,
    "appoint": _appoint,
    "dismiss": lambda asked: helping.dismiss(*asked.to, asked.row(0), key=asked.key),
    "restore": lambda asked: comparing.restore(*asked.to, asked.nth(0), key=asked.key),
    "keep": lambda asked: comparing.keep(*asked.to, asked.nth(0), key=asked.key),
    "undo": lambda asked: undoing.undo(asked.visit.code, asked.number(0), asked.visit.actor, key=asked.key),
}
"""The verbs that can be asked for; each is refused to roles that may not do it."""

ROLES = {"check_out": "check_in", "remove_picked": "remove", "settings": "change"}
"""Verbs whose right goes by another name."""


def list_of(request: HttpRequest) -> str:
    """The player list that was pasted, or the file that was chosen, as text."""
    chosen = request.FILES.get("file")
    if chosen is None:
        return request.POST.get("text", "")
    octets = chosen.read(uploads.MOST_BYTES + 1)
    if octets.startswith(b"PK\x03\x04"):
        line = noop("This is a spreadsheet. Save it as CSV first, or copy its cells and paste them.")
        raise validation.Unreadable(say(line), 415)
    return _decoded(octets)


def _decoded(octets: bytes) -> str:
    """A file as spreadsheets save it: UTF-8 or UTF-16 with their marks, else Western European."""
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        return octets.decode("utf-16", errors="replace")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        return octets.decode("cp1252", errors="replace")


# --- pairings as text ------------------------------------------------------------------------------


def groups_as_text(g: Gathering, groups: Sequence[Sequence[str]]) -> str:
    """One table a line, its players separated by slashes."""
    return "\n".join(" / ".join(called(g, key) for key in group) for group in groups)


def groups_of(g: Gathering, text: str) -> list[list[str]]:
    """The players of each table as they were written, one line a table."""
    known = {name_key(called(g, key)): key for key in g.players}
    found = []
    for line in text.splitlines():
        names = [name.strip() for name in line.split("/") if name.strip()]
        for name in names:
            if name_key(name) not in known:
                unknown = noop("There is no player called “%(name)s”. Write names as they stand in the list.")
                raise RequestRefused(say(unknown, name=name[:80]), 409, "not_offered")
        if names:
            found.append([known[name_key(name)] for name in names])
    return found


def called(g: Gathering, key: str) -> str:
    """A player's name and club as they stand in a line of pairings, where slashes separate the players."""
    return g.called(key).replace("/", "\N{FRACTION SLASH}")
