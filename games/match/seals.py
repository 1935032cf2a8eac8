"""Whether what a match keeps secret is what its log committed to: hidden values, and the seed of chance.

A position that this process committed itself is known to be right (`games.match.kept`). One that is read
from its rows is compared with the log before anybody acts on it: each hidden value with the newest commitment
to it, the seed with the fingerprint that the first entry follows. If something differs, nobody may act until
somebody decides (`games.match.deciding`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Q

from games.core import chance
from games.core import chance as fingerprints
from games.core.diff import ABSENT, apply
from games.core.pieces import plain
from games.core.state import State
from games.core.system import name_of
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.history import logbook as chain
from games.history.verdict import RequestRefused
from games.match import kept
from games.match.storage import Altered, LoadedMatch
from games.models import Entry, Match

SEED = "seed"
"""The place of the seed among those that were altered."""

ERROR = "altered"
HALTED = _("Something secret was changed outside the game. First decide at the table what counts.")


class Seal(NamedTuple):
    """A hidden value by the log; the commitment is None for a value that came with a whole army."""

    value: Any
    salt: str = ""
    commitment: str | None = None

    def fits(self, place: str, value: Any) -> bool:
        """Whether a value at this place is the one that was committed to."""
        if self.commitment is None:
            return bool(value == self.value)
        return fingerprints.secret_hash(self.salt, place, value) == self.commitment


NOTHING = Seal(ABSENT)

Seals = dict[str, Seal]


class Book(NamedTuple):
    """What the log of a match says about its secrets."""

    seals: Seals
    is_seed: bool
    """Whether the seed of the match's row is the one that chance was committed to."""

    def seal(self, place: str) -> Seal:
        """What the log says of a place."""
        return self.seals.get(place, NOTHING)


def check(loaded: LoadedMatch) -> None:
    """Note in `loaded.altered` what of a match read from its rows is not what its log committed to."""
    book, stands = book_of(loaded.match), hidden(loaded.state)
    places = sorted(book.seals.keys() | stands.keys())
    places = [place for place in places if not book.seal(place).fits(place, stands.get(place, ABSENT))]
    restorable = [place for place in places if book.seal(place).fits(place, book.seal(place).value)]
    if not book.is_seed:
        places.append(SEED)
    before = loaded.match.altered or {}
    agreed = before["agreed"] if before.get("places") == places else []
    loaded.altered = Altered(places=places, restorable=restorable, agreed=agreed) if places else None


def refuse(loaded: LoadedMatch) -> None:
    """Refuse (409) to act at a table where something secret was altered and nobody has decided yet."""
    if loaded.altered:
        raise RequestRefused(say(HALTED), 409, ERROR)


def as_logged(loaded: LoadedMatch, places: Iterable[str]) -> State:
    """The position with the values that the log has at these places of hidden values."""
    book = book_of(loaded.match)
    return apply(loaded.state, {place: book.seal(place).value for place in places})


def seats_of(places: Iterable[str]) -> list[str]:
    """The seats whose secrets are at these places, each once."""
    return list(dict.fromkeys(place.split("/")[1] for place in places if place != SEED))


def sentences(state: State, altered: Altered) -> Iterator[Line]:
    """What was altered, for everybody at the table: whose secret, never which value."""
    if seats := seats_of(altered["places"]):
        players = tuple(name_of(state, seat) for seat in seats)
        line = _("What %(players)s sealed was changed outside the game: it is not what was committed to.")
        yield say(line, players=players)
    if SEED in altered["places"]:
        yield say(
            _("The seed of chance is not the one whose fingerprint was shown when the table was opened.")
        )


def news(match: Match, loaded: LoadedMatch, state: State) -> Iterator[Line]:
    """What an entry says as well if it is the first one after something was altered."""
    known = match.altered or {}
    if loaded.altered and known.get("places") != loaded.altered["places"]:
        yield from sentences(state, loaded.altered)


def hidden(state: State) -> dict[str, Any]:
    """Every hidden value of a position, by its place."""
    return {
        f"army/{seat}/hidden/{name}": plain(value)
        for seat, army in state.armies.items()
        for name, value in army.hidden.items()
    }


# --- the log -------------------------------------------------------------------------------------


def book_of(match: Match) -> Book:
    """What the log says, read since the last commit of this process if the log still holds it."""
    if (known := kept.latest(match)) is not None:
        since = list(_entries(match, known.version))
        if since and (since[0].version, since[0].hash) == (known.version, known.chain):
            seals = {place: Seal(value) for place, value in hidden(known.state).items()}
            return _book(match, seals, since[1:], known.state.seed == match.seed)
    entries = list(_entries(match, 1))
    return _book(match, {}, entries, bool(entries) and _is_opening(match, entries[0]))


def _entries(match: Match, version: int) -> Iterator[Entry]:
    """The entry of this version, and every later one that seals something or says which seed counts."""
    sealing = Q(version=version) | ~Q(sealed={}) | Q(path=SEED)
    found = Entry.objects.filter(match=match, version__gte=version).filter(sealing)
    return iter(found.order_by("version"))


def _is_opening(match: Match, first: Entry) -> bool:
    """Whether the first entry follows from the seed of the match's row."""
    return first.hash == chain.link_hash(chain.beginning(match), chain.of_row(first))


def _book(match: Match, seals: Seals, entries: Iterable[Entry], is_seed: bool) -> Book:
    for entry in entries:
        for part in entry.sealed.values():
            _lay(seals, part, entry.commitments)
        if entry.path == SEED:
            is_seed = entry.note == chance.commitment(match.seed)
    return Book({place: seal for place, seal in seals.items() if seal.value != ABSENT}, is_seed)


def _lay(seals: Seals, part: dict[str, Any], commitments: dict[str, str]) -> None:
    """Bring the seals up to date with a sealed part: single values, or those of a whole army."""
    salts, apart = part.get("salts", {}), chain.values(part)
    for path, value in part.get("after", {}).items():
        if path in apart:
            seals[path] = Seal(value, salts.get(path, ""), commitments.get(path, ""))
        else:
            for place in [place for place in seals if place.startswith(f"{path}/")]:
                del seals[place]
            named = (value or {}).get("hidden", {})
            seals |= {f"{path}/hidden/{name}": Seal(each) for name, each in named.items()}
