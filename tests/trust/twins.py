"""Worlds that differ in one secret: the same script is played in each, and what others get is compared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection, transaction
from django.http import HttpResponse
from django.utils import timezone

from games.live.hub import hub
from games.match import play, undoing
from games.models import Army, Match, Seat
from games.people import seats
from tests.conftest import Server
from tests.trust import cast
from tests.trust.cast import Phone
from tests.trust.sockets import Browser, Listener, until

Transcript = list[tuple[str, str, object]]
"""Role, address, and the whole answer."""

Where = Callable[[Match, str], list[str]]
"""The addresses of a match that a role requests."""

NOW = timezone.now()
CODE, SEED, SALT = "TWINNN", "a seed that both worlds share", "5a" * 8

NOISE = (
    (r'(name="csrfmiddlewaretoken" value=")[^"]+', r"\1"),
    (r'(name="(?:points-)?key" value=")[^"]+', r"\1"),
    (r"/live/[\w:-]+", "/live/"),
    (r'data-now="\d+', ""),
    (r"<time>[^<]+</time>", ""),
    (r'("at": ?")[^"]+', r"\1"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", ""),
)
"""What differs between any two requests for the same thing."""


def seen(answer: HttpResponse) -> object:
    """Everything that an answer tells: status, headers, size, text, without what is new in every answer."""
    headers = {
        name: value for name, value in answer.items() if name not in ("Expires", "x-roundtable-stream")
    }
    text = answer.content.decode(errors="backslashreplace")
    for pattern, replacement in NOISE:
        text = re.sub(pattern, replacement, text)
    return answer.status_code, headers, sorted(answer.cookies), len(answer.content), text


@contextmanager
def a_world(
    mode: tuple[str, str], names: dict[str, str], options: dict[str, int] | None = None
) -> Iterator[Match]:
    """A table whose code, seed and row numbers are the same in every world; it vanishes afterwards."""
    # The clock stands still: pages that show a time would differ if a minute ended between two worlds.
    # Salts and commitments differ between any two seals, links of seats by salts of their own, and seeds once
    # other numbers are drawn.
    with (
        mock.patch("django.utils.timezone.now", return_value=NOW),
        mock.patch("games.web.clock.now", return_value=NOW),
        mock.patch("games.history.commits.new_salt", return_value="5a" * 16),
        mock.patch("games.people.seats.new_salt", return_value=SALT),
        mock.patch("games.core.secret_hash", return_value="c" * 64),
        mock.patch("games.core.draws_hash", return_value="d" * 64),
        transaction.atomic(),
    ):
        count_again()
        match = play.open_match(*mode, names, options, seed=SEED)
        Match.objects.filter(pk=match.pk).update(code=CODE)
        match.seats.update(salt=SALT)
        match.refresh_from_db()
        yield match
        transaction.set_rollback(True)


def count_again() -> None:
    """Number new rows as if the vanished ones had never been: PostgreSQL does not count back by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)


def others_than(secret_seat: str, match: Match) -> dict[str, Phone]:
    """Everybody who must not know: spectators, the organiser, the other seats with phone and token."""
    phones = {role: Phone() for role in ("anon", "organiser")}
    phones["organiser"].force_login(get_user_model().objects.create_superuser("organiser", password="x" * 12))
    for seat in match.seats.select_related("match").exclude(key=secret_seat):
        phones[seat.key], phones[f"robot {seat.key}"] = Phone(), Phone()
        cast.sit(phones[seat.key], match, seat.key)
        phones[f"robot {seat.key}"].token = seats.api_token(
            Seat.objects.select_related("match").get(pk=seat.pk)
        )
    return phones


def looks(match: Match, phones: dict[str, Phone], where: Where) -> Iterator[tuple[str, str, object]]:
    """What every role gets by GET from these addresses, nothing of it cached from another world."""
    cache.clear()
    for role, phone in phones.items():
        for look in where(match, role):
            path = look.removesuffix(BY_HTMX)
            headers = {} if path == look else {"HX_Request": "true"}
            yield role, look, seen(phone.ask("GET", path, **headers))


BY_HTMX = " by htmx"
"""Added to a path that is requested as a page's script does."""


def first_pages(match: Match, role: str) -> list[str]:
    """What a leak would reach first: each kind of page and request, by the roles that it is made for."""
    table, version = f"/t/{match.code}/", match.version
    if is_robot(role):
        return [f"/api/matches/{match.code}"]
    if role == "anon":
        replays = [f"{table}replay/{version - 1}", f"{table}replay/{version}"]
        return [table, f"{table}history", f"/api/matches/{match.code}", *replays]
    return [table, f"{table}history", f"{table}replay/{version}{BY_HTMX}"]


def is_robot(role: str) -> bool:
    """Whether this is a program with a seat's token, which opens nothing but the API."""
    return role.startswith("robot ")


def sheets(match: Match, role: str) -> list[str]:
    """The addresses that say what may be corrected."""
    return [path for path in everywhere(match, role) if "/piece/" in path or "/adjustments" in path]


KNOWS_NO_TABLE = (
    *("admin/auth", "admin/password", "admin/logout", "admin/events", "i18n", "api/openapi", "api/events"),
    *("admin/second-factor", "admin/autocomplete", "admin/jsi18n", "admin/games/catalogueentry"),
    *("e/", "events", "rules/", "schema/", "trust", "welcome", "offline", "worker.js"),
    *("first-", "healthz", "readyz", "manifest", "verify.py", "overlay/look"),
)
"""How addresses begin that are about something else."""


OF_A_TABLE = ("t/<", "api/")
"""How addresses begin that are about one table."""


def everywhere(match: Match, role: str) -> list[str]:
    """Every address, for each army if it names one. Addresses that cannot know about a table are left out."""
    armies = list(Army.objects.filter(match=match).values_list("pk", "key"))
    arguments = {"code": match.code, "secret": "0" * 26, "epoch": "1", "game": "tmg", "key": "guess"}
    arguments["version"] = str(match.version)
    arguments |= {"table": "factions", "what": "standings"}
    found = []
    for address in cast.addresses():
        if address.route.startswith(KNOWS_NO_TABLE):
            continue
        # What the server has spent differs in every answer, and has nothing to do with a table.
        if address.route in ("metrics", "admin/running/"):
            continue
        if address.route.startswith("admin/") and role != "organiser":
            continue
        # A page that names no table shows the same about it to everybody but organisers.
        if not address.route.startswith(OF_A_TABLE) and role not in ("anon", "organiser"):
            continue
        if is_robot(role) and not address.route.startswith(("api/", "t/<code:code>/board")):
            continue
        for pk, key in armies:
            numbers = dict.fromkeys(
                ("id", "object_id", "content_type_id"), str(number(address.name, match, pk))
            )
            named = {**arguments, **numbers, "seat": key, "path": f"army/{key}"}
            # An address that is not about a table gets names that match nothing.
            found.append(address.path(defaultdict(lambda: "none", named)))
    return list(dict.fromkeys(look for path in found for look in as_page_and_fragment(path)))


def as_page_and_fragment(path: str) -> list[str]:
    """A path, and the same as a page's script requests it, if that gives another answer."""
    has_fragment = any(part in path for part in ("/board", "/piece/", "/replay/"))
    return [path, path + BY_HTMX] if has_fragment else [path]


def number(name: str, match: Match, army: int) -> int:
    """The row that a page of the admin is about."""
    return army if "army" in name else match.pk


def transcript(
    mode: tuple[str, str],
    names: dict[str, str],
    script: Callable[[Match], Iterator[str]],
    where: Where,
    options: dict[str, int] | None = None,
    *,
    undone: int = 0,
) -> Transcript:
    """Everything that others see whenever the script stops; the seat it yields is the one with the secret.

    `undone`: also what each of them gets on taking something back, from this version on; 0: nothing.
    """
    told: Transcript = []
    with a_world(mode, names, options) as match:
        phones: dict[str, Phone] = {}
        for secret_seat in script(match):
            phones = phones or others_than(secret_seat, match)
            told += looks(match, phones, where)
        told += undos(match, phones, undone) if undone else ()
    return told


def undos(match: Match, phones: dict[str, Phone], first: int) -> Iterator[tuple[str, str, object]]:
    """Every version from the first on taken back, each as if no other had been.

    The newest ones are taken back by everybody else, earlier ones by one of them in turn. The admin takes
    back only the newest action, so for the others the organiser uses the rules.
    """
    match.refresh_from_db()
    roles = list(phones.items())
    for version in range(first, match.version + 1):
        turn = version % len(roles)
        for role, phone in roles if version > match.version - NEWEST else roles[turn : turn + 1]:
            asked = request_to_undo(match, role, phone, version)
            yield role, f"takes back {version}", undone_by(match, lambda a=asked, p=phone: seen(p.ask(*a)))
        yield "organiser", f"has {version} go", undone_by(match, lambda v=version: taken_by_rules(match, v))


NEWEST = 3
"""How many of the newest actions everybody takes back."""


def undone_by(match: Match, action: Callable[[], object]) -> object:
    """The answer to one undo, and what the table and the log then tell everybody."""
    before = match.version
    with transaction.atomic():
        answer = action()
        match.refresh_from_db()
        told = answer, match.version, match.undo_request, public_part(match, before)
        transaction.set_rollback(True)
    match.refresh_from_db()
    return told


def public_part(match: Match, after: int) -> list[tuple]:
    """What anybody may read in the entries since a version."""
    later = match.entries.filter(version__gt=after)
    return list(later.values_list("version", "kind", "seat", "action", "lines", "before", "after"))


def taken_by_rules(match: Match, version: int) -> object:
    """Take a version back as an organiser may, asking nobody; then a spectator looks at the table."""
    try:
        undoing.ask(match.code, "", version, f"key-undo-{version:04}", "Organiser")
    except play.RequestRefused as refused:
        return refused.error
    return seen(Phone().ask("GET", f"/t/{match.code}/"))


def request_to_undo(match: Match, role: str, phone: Phone, version: int) -> tuple[str, dict[str, object]]:
    """The address and the form by which somebody takes a version back."""
    key = f"key-undo-{version:04}"
    if phone.token:
        return "POST", f"/api/matches/{match.code}/undo", {"version": version, "key": key}
    if role == "organiser":
        return "POST", f"/admin/games/match/{match.pk}/do/", {"command": "undo", "version": version}
    return "POST", f"/t/{match.code}/undo", {"undo": str(version), "key": key}


def differences(first: Transcript, second: Transcript) -> list[str]:
    assert [row[:2] for row in first] == [row[:2] for row in second]
    return [f"{a[0]} {a[1]}" for a, b in zip(first, second, strict=True) if a[2] != b[2]]


# --- the games ------------------------------------------------------------------------------------

HOUSES = {"stark": "Stark", "lannister": "Lannister", "baratheon": "Baratheon"}
PLAYERS = {"red": "Red", "blue": "Blue"}


def tap(match: Match, seat: str, action: str) -> None:
    match.refresh_from_db()
    play.tap(match.code, seat, action, match.version, f"key-{seat}-{match.version:04}")


def told_to(server: Server, match: Match, rival: str, actions: list[str]) -> list[object]:
    """Everything that a rival's stream and a spectator's carry: the board now, and after each action."""
    other, guest = Browser(server.port), Browser(server.port)
    other.post(cast.link(match, rival), {"name": ""})
    match.refresh_from_db()
    before = match.version
    carried: list[object] = []
    with (
        Listener(server.port, other.stream_of(match.code)) as to_other,
        Listener(server.port, guest.stream_of(match.code)) as to_guests,
    ):
        for version, action in enumerate(("", *actions), before):
            if action:
                tap(match, *action.split())
            for stream in (to_other, to_guests):
                event = stream.board(version)
                assert event
                carried += [event["id"], len(event["data"]), event["data"]]
    # A view still being rendered would find no match, and its code would be refused in the next world.
    until(lambda: match.code not in hub.rooms)
    match.delete()
    return carried


def opened_alike(system: str, mode: str, names: dict[str, str]) -> Match:
    """A table whose code and seed are the same in every world."""
    match = play.open_match(system, mode, names, seed=SEED)
    # The previous world had a table with this code, and for a minute nobody may follow a deleted one.
    # The hub replaces `gone` at each deletion: only in its loop is it clear which dictionary to change.
    hub.soon(lambda: hub.gone.pop(CODE, None))
    match.code = CODE
    match.save()
    return match
