"""What a table does about a secret that was changed outside the game: put it back, or go on with it.

What was committed to is put back by anybody seated, with one tap: the commitment proves that it is right. An
organiser may also let the changed value stand. Where the log no longer has the value that was committed to,
everybody seated has to agree to go on with the stored one, or an organiser decides. Each decision is an entry
of the log.
"""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from games.core import chance
from games.core.diff import diff
from games.core.state import State
from games.core.system import name_of
from games.core.words import Argument, Term, say
from games.core.words import gettext_noop as _
from games.history.verdict import RequestRefused, Verdict
from games.match import seals, storage
from games.match.committing import author_of, checked, commit, lock_match, once
from games.match.log import Command
from games.match.storage import LoadedMatch
from games.models import Entry

RESTORE, ACCEPT = "restore", "accept"
"""The two decisions: what was committed to counts, or what is stored."""


def tell(code: str) -> None:
    """Tell everybody at the table that something secret was altered, and what happens now, once."""
    with transaction.atomic():
        loaded = checked(lock_match(code))
        if loaded.altered is None or loaded.altered == loaded.match.altered:
            return
        after = loaded.state.copy()
        after.lines = [say(seals.HALTED)]
        commit(loaded, after, Command(Entry.Kind.REMARK))


def restore(code: str, seat: str, key: str, author: str = "") -> Verdict:
    """Put back what was committed to, as this seat ("": an organiser)."""
    payload = f"{RESTORE} {seat}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        altered = _altered(loaded)
        if not altered["restorable"]:
            line = _("The history no longer has what was committed to.")
            raise RequestRefused(say(line), 409, "not_restorable")
        back = seals.as_logged(loaded, altered["restorable"])
        _was, now = diff(loaded.state, back)
        # The log has these values already, so only the rows change.
        storage.save(loaded, back, now)
        seals.check(loaded)
        after = back.copy()
        line = _("%(name)s puts back what was committed to: %(players)s.")
        after.say(line, name=_who(loaded, seat, author), players=_players(back, altered["restorable"]))
        return commit(loaded, after, _command(loaded, Entry.Kind.REMARK, seat, author, key, payload))

    return once(code, seat, key, payload, carry_out, decides=True)


def accept(code: str, seat: str, key: str, author: str = "") -> Verdict:
    """Go on with what is stored, as an organiser (seat ""), or as a seat once all others have agreed."""
    payload = f"{ACCEPT} {seat}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        altered = _altered(loaded)
        if seat and altered["restorable"]:
            line = _("What was committed to can be put back. Only an organiser can decide otherwise.")
            raise RequestRefused(say(line), 409, "restorable")
        who = _who(loaded, seat, author)
        if seat and (agreed := {*altered["agreed"], seat}) < {*loaded.state.seats}:
            loaded.altered = {**altered, "agreed": sorted(agreed)}
            after = loaded.state.copy()
            after.say(_("%(name)s agrees to go on with what is stored."), name=who)
            return commit(loaded, after, _command(loaded, Entry.Kind.REMARK, seat, author, key, payload))
        return _go_on(loaded, altered, _command(loaded, Entry.Kind.EDIT, "", author, key, payload), who)

    return once(code, seat, key, payload, carry_out, decides=True)


def _go_on(loaded: LoadedMatch, altered: storage.Altered, command: Command, who: Argument) -> Verdict:
    """Write what is stored into the log, with commitments of its own; of the seed its fingerprint."""
    places = [place for place in altered["places"] if place != seals.SEED]
    stored = loaded.state.copy()
    if seals.SEED in altered["places"]:
        command = replace(command, path=seals.SEED, note=chance.commitment(loaded.match.seed))
        stored.say(_("%(name)s goes on with another seed of chance."), name=who)
    if places:
        loaded.state = seals.as_logged(loaded, places)
        line = _("%(name)s goes on with what is stored now, not with what was committed to: %(players)s.")
        stored.say(line, name=who, players=_players(stored, places))
    loaded.altered = None
    # Undoing it brings another value back, so the others are asked.
    stored.revealed = True
    return commit(loaded, stored, command if places else replace(command, kind=Entry.Kind.REMARK))


def _altered(loaded: LoadedMatch) -> storage.Altered:
    if loaded.altered is None:
        raise RequestRefused(say(_("There is nothing to decide any more.")), 409, "not_altered")
    return loaded.altered


def _command(
    loaded: LoadedMatch, kind: Entry.Kind, seat: str, author: str, key: str, payload: str
) -> Command:
    who = author or author_of(loaded, seat)
    return Command(kind, seat, who, action=payload.partition(" ")[0], key=key, payload=payload)


def _who(loaded: LoadedMatch, seat: str, author: str) -> Argument:
    """What sentences call who decides: a name, or the colour of a player without one."""
    return author or (name_of(loaded.state, seat) if seat else Term(_("Organiser")))


def _players(state: State, places: list[str]) -> tuple[Argument, ...]:
    return tuple(name_of(state, seat) for seat in seals.seats_of(places))
