"""What is sealed stays sealed at the admin: in every byte of every page, and in what a search answers."""

import pytest

from games.match import play
from games.models import Army, Entry, Match, Seat
from tests.admin.in_admin import change_url, saved
from tests.playing import tap

pytestmark = pytest.mark.django_db

CANARY = "canary-7351942860"


@pytest.fixture
def sealed(auction) -> Match:
    """A match with a canary in every secret place."""

    def hides(g):
        g.hide("stark", "bid", CANARY)
        g.hide("lannister", "mission", {"city": CANARY})

    play.edit(auction.code, hides, "olenna", "a test")
    Match.objects.filter(pk=auction.pk).update(seed=CANARY)
    Entry.objects.filter(match=auction).update(payload=CANARY, key="")
    Entry.objects.filter(match=auction, version=1).update(
        sealed={"stark": {"action": CANARY, "lines": [CANARY]}}
    )
    Seat.objects.filter(match=auction, key="stark").update(move_hash=CANARY)
    auction.refresh_from_db()
    return auction


def pages(match):
    yield from (f"/admin/games/{model}/" for model in ("match", "army", "unit", "objective", "entry"))
    yield "/admin/"
    yield change_url(match)
    yield f"/admin/games/match/{match.pk}/history/"
    yield f"/admin/games/match/{match.pk}/delete/"
    yield from (change_url(army) for army in match.armies.all())
    yield from (change_url(entry) for entry in match.entries.all())


def test_no_page_shows_a_secret(admin_client, sealed):
    for url in pages(sealed):
        answer = admin_client.get(url)
        assert answer.status_code == 200, url
        assert CANARY not in answer.content.decode(), url
        assert CANARY not in str(answer.headers), url


def test_nor_does_a_page_for_those_who_only_look(onlooker, sealed):
    for url in pages(sealed):
        answer = onlooker.get(url)
        assert answer.status_code in (200, 403), url
        assert CANARY not in answer.content.decode(), url


def test_nor_does_a_save_or_a_refused_save(admin_client, sealed):
    house = Army.objects.get(match=sealed, key="stark")
    for changes in ({"power": "9"}, {"power": "nine"}, {"seen": "1"}):
        answer = saved(admin_client, house, **changes)
        assert CANARY not in answer.content.decode()
    assert CANARY not in admin_client.get(change_url(sealed)).content.decode()
    for entry in sealed.entries.all():
        assert CANARY not in f"{entry.lines} {entry.before} {entry.after} {entry.note} {entry.action}"


def test_nor_does_the_question_before_an_action(admin_client, sealed):
    for action in ("adjudicate", "time_out", "delete_selected"):
        answer = admin_client.post("/admin/games/match/", {"action": action, "_selected_action": [sealed.pk]})
        assert answer.status_code == 200
        assert CANARY not in answer.content.decode()


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("match", "seed__startswith"),
        ("match", "armies__hidden__contains"),
        ("match", "armies__hidden__bid"),
        ("match", "entries__sealed__contains"),
        ("match", "seats__move_hash"),
        ("army", "hidden__contains"),
        ("army", "hidden__bid__gte"),
        ("army", "match__seed__startswith"),
        ("unit", "army__hidden__bid"),
        ("unit", "match__seed__startswith"),
        ("objective", "match__seed__startswith"),
        ("objective", "override__hidden__bid"),
        ("entry", "sealed__stark__action"),
        ("entry", "payload__startswith"),
        ("entry", "match__seed__startswith"),
        ("entry", "match__armies__hidden__bid"),
    ],
)
def test_a_search_does_not_answer_what_a_secret_is_like(admin_client, sealed, model, lookup):
    found = admin_client.get(f"/admin/games/{model}/", {lookup: CANARY[:6]})
    nothing = admin_client.get(f"/admin/games/{model}/", {lookup: "nonsense"})
    assert found.status_code == nothing.status_code == 400


def test_words_in_the_search_box_do_not_reach_secrets(admin_client, sealed):
    for model in ("match", "army", "unit", "objective", "entry"):
        assert admin_client.get(f"/admin/games/{model}/", {"q": CANARY}).context["cl"].result_count == 0


def test_a_sealed_bid_shows_that_it_was_made_and_not_how_high(admin_client, auction):
    tap(auction, "stark", "bid:throne:3")
    page = admin_client.get("/admin/games/entry/").content.decode()
    assert "Stark has bid" in page
    assert "bid:throne:3" not in page


def test_seats_and_requests_are_not_on_the_admin(admin_client, auction):
    assert admin_client.get("/admin/games/seat/").status_code == 404
    assert admin_client.get("/admin/games/seatrequest/").status_code == 404


@pytest.mark.parametrize("model", ["player", "helper"])
def test_a_search_answers_nothing_about_the_salt_of_a_link(admin_client, model):
    assert admin_client.get(f"/admin/events/{model}/", {"salt__startswith": "a"}).status_code == 400
    assert admin_client.get(f"/admin/events/{model}/", {"name__startswith": "a"}).status_code == 200
