"""Export and import of an event as plain JSON, to continue it on another server.

An event is accepted only if the chain of its entries fits and their images lead to the position in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import Annotated, Any

from django.db import OperationalError, transaction
from django.db.models import QuerySet
from pydantic import TypeAdapter

from games import core
from games.core import RequestRefused, is_clean, say, system
from games.core import gettext_noop as _
from games.first_fault import FirstFault
from games.hall import event_actions
from games.hall.event_actions import event_of
from games.hall.models import ArmyList, Event, EventEntry, Helper, Pairing, Player
from games.hall.rules.event_state import OVER, EventState
from games.history import commits
from games.history.file_form import StoredLine, stored_as, texts
from games.models import Match
from games.web import one_moment

Data = dict[str, Any]

FORMAT, FORMAT_VERSION = "roundtable-event-history", 1


def export_event(event: Event) -> Data:
    """An event with its seed and its sealed lists; `RequestRefused` (404) if it no longer exists."""
    with one_moment():
        return _whole(event_of(event.code))


def history(event: Event) -> Data:
    """An event to check, without what is secret: lists handed in, and its seed before it is over."""
    with one_moment():
        event = event_of(event.code)
        file = _of_the_log(event)
    if event.status != OVER:
        file["seed"] = file["position"]["seed"] = ""
    return file


def _of_the_log(event: Event) -> Data:
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "code": event.code,
        "version": event.version,
        "commitment": core.commitment(event.seed),
        "seed": event.seed,
        "chain": event.chain,
        "position": event_actions.load_rows(event).state.to_json(),
        "entries": [_entry(entry) for entry in commits.entries_of(event)],
    }


def _whole(event: Event) -> Data:
    return {
        **_of_the_log(event),
        "opened_from": event.opened_from,
        "is_demo": event.is_demo,
        "lists": [
            {
                "player": army_list.player.key,
                "fingerprint": army_list.fingerprint,
                "salt": army_list.salt,
                "text": army_list.text,
            }
            for army_list in ArmyList.objects.filter(event=event).select_related("player")
        ],
        "helpers": list(Helper.objects.filter(event=event).values("role", "name")),
    }


def import_event(file: Data, look: Callable[[Event], object]) -> bool:
    """Import an event under its code; whether it was here already. `RequestRefused` (422) writes nothing.

    Its tables are matches, which are imported before it. Links are new on every server, so organisers hand
    them out again. `look` draws the event as its pages will; anything that raises refuses the event.
    """
    here = Event.objects.filter(code=file["code"]).first()
    if here is not None and here.chain == file["chain"]:
        return True
    if here is not None:
        raise _refused(_("Another event has this code already."))
    try:
        with transaction.atomic():
            _check_game(file["position"])
            if not _is_sound(file):
                raise _refused(_("This event’s data is inconsistent."))
            _write(file)
            _validate_rows(file["code"])
            look(Event.objects.get(code=file["code"]))
    except (OperationalError, RequestRefused):
        raise
    except Exception as broken:
        raise _refused(_("This event’s data is inconsistent.")) from broken
    return False


def openings() -> QuerySet[EventEntry]:
    """The first entries of events that came as a file, whose chain stands where a request's would."""
    return EventEntry.objects.filter(version=1, key="").exclude(payload="")


def _check_game(position: Data) -> None:
    try:
        system(position["system"]).mode(position["mode"])
    except KeyError:
        raise _refused(_("This server knows no such game.")) from None


def _is_sound(file: Data) -> bool:
    """Whether all texts can be shown and all values have their types; raises if a sentence is malformed."""
    sound = all(map(is_clean, set(texts(file))))
    sound = sound and all(_fits(path, value) for path, value in _places(file["position"]))
    for entry in file["entries"]:
        images = [*entry["before"].items(), *entry["after"].items()]
        sound = sound and all(_fits(path, value) for path, value in images)
        _LINES.validate_python(entry["lines"])
    return sound


def _places(position: Data) -> Iterator[tuple[str, Any]]:
    """The fields and pieces of a position, each with its path."""
    pieces = {mapping: kind for kind, mapping in EventState.kinds.items()}
    for name, value in position.items():
        if name in pieces:
            yield from ((f"{pieces[name]}/{key}", piece) for key, piece in value.items())
        else:
            yield name, value


_LINES: TypeAdapter[list[StoredLine]] = TypeAdapter(Annotated[list[StoredLine], FirstFault()])


def _fits(path: str, value: Any) -> bool:
    """Whether a value can stand at a path of an event."""
    kind, _slash, rest = path.partition("/")
    if not rest:
        return stored_as(value, EventState.type_of(kind))
    piece, name = EventState.piece_type(kind), rest.partition("/")[2]
    if name:
        return stored_as(value, piece.type_of(name))
    return value is None or all(stored_as(kept, piece.type_of(field)) for field, kept in value.items())


def _validate_rows(code: str) -> None:
    """Validate the rows as forms would: lengths, ranges, choices."""
    event = Event.objects.get(code=code)
    rows = (
        model._default_manager.filter(event=event)
        for model in (*event_actions.MODELS.values(), EventEntry, Helper)
    )
    for row in (event, *chain.from_iterable(rows)):
        fields = row._meta.concrete_fields
        row.clean_fields(
            exclude={field.name for field in fields if getattr(row, field.attname) in field.empty_values}
        )


def _write(file: Data) -> None:
    state = EventState.from_json(file["position"])
    event = Event(code=file["code"], opened_from=file["opened_from"], is_demo=file["is_demo"])
    event.save()
    event_actions.create_rows(event, state)
    event.seed, event.chain, event.version = file["seed"], file["chain"], len(file["entries"])
    event.save()
    by_version: dict[int, EventEntry] = {}
    for record in file["entries"]:
        undoes = by_version.get(record["undoes"])
        fields = {**record, "undoes": undoes, "created_at": datetime.fromisoformat(record["at"])}
        del fields["at"]
        by_version[record["version"]] = EventEntry.objects.create(event=event, **fields)
    EventEntry.objects.filter(event=event, version=1).update(payload=file["chain"])
    _write_lists(event, file)
    for record in file["helpers"]:
        Helper.objects.create(event=event, role=Helper.Role(record["role"]), name=record["name"])
    if commits.faults(event) or event_actions.replayed(event, commits.entries_of(event)) != state:
        raise _refused(_("This event’s data is inconsistent."))
    # A table that was not imported does not exist on this server.
    here = Match.objects.filter(pairings__event=event).values("code")
    Pairing.objects.filter(event=event).exclude(match__in=here).update(match=None)


def _write_lists(event: Event, file: Data) -> None:
    players = {player.key: player for player in Player.objects.filter(event=event)}
    for army_list in file["lists"]:
        if army_list["fingerprint"] != core.secret_hash(
            army_list["salt"], army_list["player"], army_list["text"]
        ):
            raise _refused(_("A list of this event is not the one that was handed in."))
        fields = {name: army_list[name] for name in ("fingerprint", "salt", "text")}
        ArmyList.objects.create(event=event, player=players[army_list["player"]], **fields)


def _entry(entry: EventEntry) -> Data:
    return {**commits.public_content(entry), "draws": entry.draws, "hash": entry.hash}


def _refused(message: str) -> RequestRefused:
    return RequestRefused(say(message), 422, "unreadable")
