"""Whatever is sent to a form: a sentence beside its field, never a fault, and nothing changed."""

import random

import pytest

from games.models import Match, Unit
from tests.admin.in_admin import change_url, errors_of, filled, saved
from tests.playing import state_of

pytestmark = pytest.mark.django_db

UNREADABLE = [
    "a\x00b",
    "a\x07b",
    "a\nb",
    "a\u202eb",
    "\u200b\u200b",
    "a" + "\u0301" * 40,
    "\ue000",
    "a\ufffd",
    "x" * 201,
    "x" * 30_000,
]
NO_NUMBERS = [
    "",
    "x",
    "1.5",
    "1e3",
    "+1",
    "0x10",
    "--1",
    "٣",
    "1_0",
    "9" * 30,
    "-99999999",
    "NaN",
    "null",
    "\x00",
]
HARMLESS = [
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "{{ 7*7 }}",
    "%(author)s",
    "100 %",
    "שלום",
    "🐺🔥",
    "狼",
    "=1+1",
]


@pytest.fixture
def unit(tmg) -> Unit:
    return Unit.objects.filter(match=tmg, army__key="red", place="table").first()


@pytest.fixture
def sends(admin_client, unit):
    """Sends the page of a unit with some fields as they are given; the page is opened once."""
    page = filled(admin_client.get(change_url(unit)))

    def send(**fields):
        sent = dict(page.lists()) | {"reason": ["why"]}
        sent |= {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
        return admin_client.post(change_url(unit), sent)

    return send


def stays(match, answer):
    assert errors_of(answer)
    assert Match.objects.get(pk=match.pk).version == match.version


def test_text_that_nobody_can_read(tmg, sends):
    """Each of the fields in turn, and one of them for all: they are read in the same way."""
    fields = ("name", "title", "reason")
    for number, raw in enumerate(UNREADABLE):
        for name in {"name", fields[number % len(fields)]}:
            stays(tmg, sends(wounds="1", **{name: raw}))


def test_what_is_no_number(tmg, sends):
    for raw in NO_NUMBERS:
        stays(tmg, sends(wounds=raw))


def test_numbers_that_no_row_can_hold(tmg, sends):
    for name, raw in (("wounds", "40000"), ("order", "-1"), ("cost", "-40000"), ("pool", "1000000")):
        stays(tmg, sends(**{name: raw}))


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("place", "moon"),
        ("army", "green"),
        ("kind", "dragon"),
        ("lent_to", "green"),
        ("linked_to", "nobody"),
        ("conditions", ["panicked", "bored"]),
        ("engaged_with", ["nobody"]),
        ("attachments", "only a name"),
        ("attachments", "Syrio | Dancer | one | red"),
        ("attachments", "Syrio | Dancer | 1 | green"),
        ("attachments", "Syrio | Dan\x00cer | 1 | red"),
        ("counters", "\n".join(["Faith | 1"] * 61)),
    ],
)
def test_what_cannot_be_chosen(tmg, sends, name, raw):
    stays(tmg, sends(**{name: raw}))


def test_odd_names_are_names(admin_client, tmg, unit):
    for raw in HARMLESS:
        assert saved(admin_client, unit, name=raw, reason=raw).status_code == 302
        assert state_of(tmg).units[unit.key].name == raw
        for url in (change_url(unit), f"/t/{tmg.code}/"):
            shows_it_as_text(admin_client, url)
    for url in ("/admin/games/unit/", "/admin/games/entry/"):
        shows_it_as_text(admin_client, url)


def shows_it_as_text(admin_client, url):
    answer = admin_client.get(url)
    assert answer.status_code == 200
    assert "<script>alert" not in answer.content.decode()


def test_tampered_forms_are_answered(admin_client, tmg):
    before, page = state_of(tmg), filled(admin_client.get(change_url(tmg)))
    for tampered in (
        {"units-TOTAL_FORMS": "x"},
        {"units-TOTAL_FORMS": "-1"},
        {"units-TOTAL_FORMS": "99999999"},
        {"units-TOTAL_FORMS": None, "units-INITIAL_FORMS": None},
        {"units-0-id": "0"},
        {"units-0-id": "x"},
        {"units-0-id": "99999999"},
        {"units-0-id": ""},
        {"units-0-match": "99999999"},
        {"armies-0-id": "99999999"},
    ):
        sent = dict(page.lists()) | {"reason": ["why"]}
        sent |= {name: [value] for name, value in tampered.items() if value is not None}
        sent = {name: value for name, value in sent.items() if tampered.get(name, "") is not None}
        assert admin_client.post(change_url(tmg), sent).status_code in (200, 302), tampered
        after = state_of(tmg)
        assert (after.units, after.armies, after.scores) == (before.units, before.armies, before.scores)


@pytest.mark.parametrize("of", ["games/match", "auth/user"])
def test_a_list_is_asked_only_what_it_can_answer(admin_client, tmg, of):
    """A pasted page in the field of the search, and a row that no row's number is."""
    action = {"action": "delete_selected", "index": "0", "select_across": "0"}
    for chosen in ("", "x", "9" * 30):
        answer = admin_client.post(f"/admin/{of}/", {**action, "_selected_action": ["1", chosen]})
        assert answer.status_code == 400, chosen
    answer = admin_client.get(f"/admin/{of}/", {"q": "a line of a list\n" * 3000})
    assert answer.status_code == 400
    assert "That request could not be understood." in answer.content.decode()
    assert admin_client.get(f"/admin/{of}/", {"q": "Robb " * 20}).status_code == 200


def test_forms_that_claim_to_be_new_are_at_most_new_pieces(admin_client, tmg):
    before = state_of(tmg).units
    saved(admin_client, tmg, **{"units-INITIAL_FORMS": "0", "armies-INITIAL_FORMS": "0"})
    g = state_of(tmg)
    assert list(g.armies) == ["red", "blue"]
    assert set(g.units) <= {f"{key}{twin}" for key in before for twin in ("", "-2")}


def test_a_piece_of_another_match_is_not_touched(admin_client, tmg, auction):
    unit = {"army": "stark", "name": "Grey Wind", "order": "0", "cost": "3", "place": "table", "wounds": "2"}
    saved(
        admin_client,
        auction,
        **{"units-TOTAL_FORMS": "1", "units-INITIAL_FORMS": "0"},
        **{f"units-0-{name}": value for name, value in unit.items()},
    )
    foreign = Unit.objects.get(match=auction)
    before = state_of(auction)
    saved(
        admin_client,
        tmg,
        **{"units-0-id": str(foreign.pk), "units-0-wounds": "9", "units-0-DELETE": "on"},
    )
    assert state_of(auction) == before


def test_an_empty_post_is_answered(admin_client, tmg, unit):
    for row in (tmg, unit):
        stays(tmg, admin_client.post(change_url(row), {}))


@pytest.mark.parametrize("path", ["0", "x", "99999999", "1' OR 1", "../1", "9" * 30])
def test_rows_that_are_not_there(admin_client, tmg, path):
    for model in ("match", "army", "unit", "objective", "entry"):
        for page in ("change", "delete", "history"):
            assert admin_client.get(f"/admin/games/{model}/{path}/{page}/", follow=True).status_code in (
                200,
                403,
                404,
            )


def test_a_partial_form_changes_only_what_it_holds(admin_client, tmg, unit):
    sent = {"reason": "by hand", "seen": str(tmg.version), "name": unit.name, "wounds": "4"}
    sent |= {"army": "red", "kind": "infantry", "place": "table", "order": "0", "cost": "0"}
    before = state_of(tmg).units[unit.key]
    answer = admin_client.post(change_url(unit), sent)
    found = state_of(tmg).units[unit.key]
    assert answer.status_code == 200 or found.attachments == before.attachments


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_positions_never_break_the_admin_or_the_table(admin_client, tmg, seed):
    """Save random values over a whole table: each save is taken or refused, and every page still opens."""
    luck, form = random.Random(seed), admin_client.get(change_url(tmg))
    for _count in range(5):
        sent = filled(form)
        for name in luck.sample(sorted(sent), 12):
            if "-id" in name or "-match" in name or "_FORMS" in name or name == "seen":
                continue
            sent[name] = luck.choice(
                ["0", "1", "12", "red", "blue", "on", "", "table", "destroyed", "x", "ncu"]
            )
        sent["reason"] = "at random"
        assert admin_client.post(change_url(tmg), dict(sent.lists())).status_code in (200, 302)
        form = admin_client.get(change_url(tmg))
        assert form.status_code == 200
        for url in ("/admin/games/match/", f"/t/{tmg.code}/"):
            assert admin_client.get(url).status_code == 200
