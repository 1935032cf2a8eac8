"""The second factor of the admin: nobody passes by it, no code opens twice, and a phone may be lost."""

from __future__ import annotations

import logging
import re
from base64 import b32decode
from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_otp.oath import hotp
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.admin import one_time_codes
from games.people import sessions
from games.web import limits
from tests.admin.test_login import RIGHT, attempt

PAGE = "/admin/second-factor/"
BEGUN = 1_800_000_000
KEY = "0123456789abcdef0123456789abcdef01234567"


class Clock:
    """The time that codes are made for, in seconds."""

    now = BEGUN

    def time(self) -> int:
        return self.now


@pytest.fixture(autouse=True)
def clock(settings, monkeypatch):
    """A server that wants a second factor, at a time that stands still."""
    settings.SECOND_FACTOR = True
    made = Clock()
    monkeypatch.setattr("django_otp.plugins.otp_totp.models.time", made)
    monkeypatch.setattr(one_time_codes, "time", made)
    return made


@pytest.fixture
def phone(organiser):
    """The organiser's phone, set up before."""
    return TOTPDevice.objects.create(user=organiser, name="phone", key=KEY, confirmed=True)


def code_of(clock: Clock, key: str = KEY, steps: int = 0) -> str:
    """What an app on the phone shows, so many half minutes from now."""
    return f"{hotp(bytes.fromhex(key), clock.now // 30 + steps):06}"


def half_in(form=RIGHT, **query) -> Client:
    """A browser in which the right password was given."""
    client = Client()
    assert attempt(client, form, **query).status_code == 302
    return client


def tell(client: Client, code: str, **more: str):
    return client.post(PAGE, {"code": code, **more})


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def test_the_password_leads_to_the_code_and_the_code_to_the_page_that_was_wanted(phone, clock):
    wanted = reverse("admin:games_match_changelist")
    client = Client()
    asked = attempt(client, RIGHT, next=wanted)["Location"]
    assert asked == reverse("admin:second-factor", query={"next": wanted})
    assert b'autocomplete="one-time-code"' in client.get(asked).content
    assert client.post(asked, {"code": code_of(clock), "next": wanted})["Location"] == wanted
    assert is_in(client)


@pytest.mark.parametrize(
    "path", ["/admin/", "/admin/running/", "/admin/auth/user/", "/admin/password_change/"]
)
def test_the_password_alone_opens_nothing(phone, path):
    client = half_in()
    answer = client.get(path)
    assert answer.status_code == 302
    assert client.get(answer["Location"])["Location"].startswith(PAGE)


@pytest.mark.parametrize("method", ["head", "put", "patch", "delete", "options"])
def test_no_other_way_of_asking_opens_it(phone, method):
    assert getattr(Client(), method)(PAGE)["Location"].startswith("/admin/login/")
    client = half_in()
    assert getattr(client, method)(PAGE).status_code == 200
    assert not is_in(client)


def test_the_password_alone_makes_nobody_the_organiser_of_a_table(phone, rps, clock):
    client = half_in()
    assert client.get("/metrics").status_code == 403
    assert client.post(f"/t/{rps.code}/seats/free", {"seat": "red"}).status_code == 403
    tell(client, code_of(clock))
    assert client.get("/metrics").status_code == 200
    assert client.post(f"/t/{rps.code}/seats/free", {"seat": "red"}).status_code == 302


@pytest.mark.parametrize("steps", [-3, -2, 2, 3])
def test_a_code_of_another_time_opens_nothing(phone, clock, steps):
    client = half_in()
    assert b"Wrong or already used code" in tell(client, code_of(clock, steps=steps)).content
    assert not is_in(client)


@pytest.mark.parametrize("steps", [-1, 0, 1])
def test_a_phone_s_clock_may_be_half_a_minute_off(phone, clock, steps):
    client = half_in()
    tell(client, code_of(clock, steps=steps))
    assert is_in(client)


@pytest.mark.parametrize(
    "code", ["", "no code", "0", "-1", "１２３", "9" * 5000, "1e3", "None", "\x00", "' OR 1=1"]
)
def test_what_is_no_code_opens_nothing(phone, code):
    client = half_in()
    assert tell(client, code).status_code == 200
    assert not is_in(client)


def test_a_code_opens_once(phone, clock):
    first, second = half_in(), half_in()
    tell(first, code_of(clock))
    assert is_in(first)
    assert b"Wrong or already used code" in tell(second, code_of(clock)).content
    assert not is_in(second)
    clock.now += 30
    tell(second, code_of(clock))
    assert is_in(second)


def test_spaces_and_dashes_are_no_part_of_a_code(phone, clock):
    client = half_in()
    code = code_of(clock)
    tell(client, f" {code[:3]} {code[3:]} ")
    assert is_in(client)


def test_somebody_else_s_phone_opens_nothing(phone, clock):
    other = get_user_model().objects.create_superuser("varys", password="little-birds-sing")
    TOTPDevice.objects.create(user=other, name="phone", key=KEY[::-1], confirmed=True)
    client = half_in()
    tell(client, code_of(clock, KEY[::-1]))
    assert not is_in(client)


@pytest.mark.parametrize("is_confirmed", [True, False], ids=["somebody else's", "not set up yet"])
def test_a_session_that_names_another_phone_has_none(phone, is_confirmed):
    other = get_user_model().objects.create_superuser("varys", password="little-birds-sing")
    owner = other if is_confirmed else phone.user
    theirs = TOTPDevice.objects.create(user=owner, name="phone", key=KEY[::-1], confirmed=is_confirmed)
    client = half_in()
    session = client.session
    session["otp_device_id"] = theirs.persistent_id
    session.save()
    assert not is_in(client)


def test_who_has_a_phone_is_shown_no_other_key(phone):
    assert b"<code>" not in half_in().get(PAGE).content


def test_a_wrong_password_never_comes_to_the_code(phone, clock):
    client = Client()
    answer = attempt(client, {**RIGHT, "password": "a-wrong-one-of-them"})
    assert answer.status_code == 200
    assert tell(client, code_of(clock))["Location"].startswith("/admin/login/")
    assert not is_in(client)


def test_neither_name_nor_phone_is_told_by_a_wrong_password(phone):
    told = [
        re.search(r'errornote">(.*?)</p>', attempt(Client(), form).content.decode(), re.S)[1]
        for form in ({**RIGHT, "password": "wrong-wrong-wrong"}, {"username": "nobody", "password": "wrong"})
    ]
    assert told[0] == told[1]


def test_codes_can_be_tried_only_so_often_from_wherever(phone, clock, caplog):
    guess = wrong(code_of(clock))
    with caplog.at_level(logging.WARNING, one_time_codes.__name__):
        answers = [tell(half_in(), guess).status_code for _try in range(8)]
    assert answers == [200] * 6 + [429] * 2
    client = half_in()
    assert tell(client, code_of(clock)).status_code == 429, "a right one waits as well"
    assert not is_in(client)
    assert "wrong second factor of 'olenna' from 127.0.0.1" in caplog.messages
    assert not [line for line in caplog.messages if guess in line]
    limits.SECOND_FACTORS.forget()
    tell(client, code_of(clock))
    assert is_in(client)


def test_whoever_gives_the_password_again_gives_a_code_again(phone, clock, monkeypatch):
    client = half_in()
    tell(client, code_of(clock))
    later = sessions.clock.seconds() + sessions.AWAY_SECONDS + 1
    monkeypatch.setattr(sessions, "clock", SimpleNamespace(seconds=lambda: later))
    assert tell(client, code_of(clock, steps=1))["Location"].startswith("/admin/login/")
    assert attempt(client, RIGHT)["Location"].startswith(PAGE)
    assert not is_in(client)


def test_a_session_from_before_the_second_factor_is_asked_for_it(phone, settings):
    settings.SECOND_FACTOR = False
    client = Client()
    assert attempt(client, RIGHT)["Location"] == "/admin/"
    assert is_in(client)
    assert client.get(PAGE)["Location"] == "/admin/"
    settings.SECOND_FACTOR = True
    assert not is_in(client)


def test_a_session_gets_another_key_with_the_code(phone, clock):
    client = half_in()
    before = client.session.session_key
    tell(client, code_of(clock))
    assert client.session.session_key != before


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example"])
def test_the_code_leads_to_no_foreign_page(phone, clock, elsewhere):
    client = half_in()
    assert tell(client, code_of(clock), next=elsewhere)["Location"] == "/admin/"


def test_who_is_no_organiser_is_not_asked(db, settings):
    get_user_model().objects.create_user("guest", password="no-staff-at-all")
    client = Client()
    client.login(username="guest", password="no-staff-at-all")
    assert client.get(PAGE)["Location"].startswith("/admin/login/")


# --- Setting it up ---------------------------------------------------------------------------------


def scanned(page: str) -> str:
    """The key that a phone reads off the page, in hexadecimal digits."""
    secret = re.search(r"<code>([A-Z2-7 ]{32,})</code>", page)[1].replace(" ", "")
    return b32decode(secret).hex()


def set_up(clock: Clock) -> tuple[Client, list[str]]:
    """An organiser who has just set it up, and the recovery codes."""
    client = half_in()
    page = client.get(PAGE).content.decode()
    assert "data:image/svg+xml" in page
    answer = tell(client, code_of(clock, scanned(page)))
    return client, re.findall(r"<li><code>([a-z2-7]{4}-[a-z2-7]{4})</code></li>", answer.content.decode())


def test_it_is_set_up_with_the_first_log_in(organiser, clock):
    client, codes = set_up(clock)
    assert len(set(codes)) == 10
    assert is_in(client)
    assert b"10 recovery codes are unused" in client.get(PAGE).content
    assert not any(code in client.get(PAGE).content.decode() for code in codes)
    assert one_time_codes.has_device(organiser)


def test_the_admin_leads_to_it_where_it_is_wanted(organiser, clock, settings):
    client, _codes = set_up(clock)
    assert PAGE in client.get("/admin/").content.decode()
    assert "nav-sidebar" not in half_in().get(PAGE).content.decode()
    settings.SECOND_FACTOR = False
    assert PAGE not in client.get("/admin/").content.decode()


def test_the_code_that_set_it_up_opens_nothing_more(organiser, clock):
    set_up(clock)
    key = TOTPDevice.objects.get().key
    client = half_in()
    tell(client, code_of(clock, key))
    assert not is_in(client)


def test_nothing_is_kept_before_a_code_shows_that_the_key_arrived(organiser, clock):
    client = half_in()
    page = client.get(PAGE).content.decode()
    again = tell(client, wrong(code_of(clock, scanned(page)))).content.decode()
    assert "Wrong or already used code" in again
    assert scanned(again) == scanned(page)
    assert not TOTPDevice.objects.exists()
    assert not is_in(client)


@pytest.mark.parametrize("code", ["", "no code", "１２３４５６", "\x00"])
def test_what_is_no_code_sets_nothing_up(organiser, code):
    client = half_in()
    client.get(PAGE)
    assert b"Wrong or already used code" in tell(client, code).content
    assert not TOTPDevice.objects.exists()


def test_every_browser_is_shown_a_key_of_its_own(organiser, clock):
    first, second = half_in(), half_in()
    keys = [scanned(client.get(PAGE).content.decode()) for client in (first, second)]
    assert keys[0] != keys[1]
    tell(second, code_of(clock, keys[0]))
    assert not TOTPDevice.objects.exists()


def test_whoever_comes_second_sets_up_nothing(organiser, clock):
    late = half_in()
    key = scanned(late.get(PAGE).content.decode())
    set_up(clock)
    assert b"Wrong or already used code" in tell(late, code_of(clock, key)).content
    assert not is_in(late)
    assert TOTPDevice.objects.count() == 1


def test_of_two_at_one_moment_one_sets_it_up(organiser, clock, monkeypatch):
    late = half_in()
    key = scanned(late.get(PAGE).content.decode())
    set_up(clock)
    answers = iter([False, True])
    monkeypatch.setattr(one_time_codes, "has_device", lambda _user: next(answers, True))
    assert tell(late, code_of(clock, key)).status_code == 302
    assert TOTPDevice.objects.count() == 1


# --- A lost phone ----------------------------------------------------------------------------------


def test_a_recovery_code_opens_once(organiser, clock):
    _client, codes = set_up(clock)
    found, thief = half_in(), half_in()
    tell(found, codes[3].upper())
    assert is_in(found)
    tell(thief, codes[3])
    assert not is_in(thief)
    assert b"9 recovery codes are unused" in found.get(PAGE).content


def test_new_recovery_codes_take_the_place_of_the_old(organiser, clock):
    client, old = set_up(clock)
    new = client.post(PAGE, {"do": "codes"}).content.decode()
    assert len(re.findall(r"<li><code>", new)) == 10
    other = half_in()
    tell(other, old[0])
    assert not is_in(other)


def test_another_phone_is_set_up_by_whoever_is_in(organiser, clock):
    client, codes = set_up(clock)
    assert client.post(PAGE, {"do": "again"}).status_code == 302
    assert not is_in(client)
    assert not StaticDevice.objects.exists()
    tell(client, codes[0])
    assert not is_in(client)
    key = scanned(client.get(PAGE).content.decode())
    tell(client, code_of(clock, key))
    assert is_in(client)


@pytest.mark.parametrize("do", ["codes", "again"])
def test_the_password_alone_changes_nothing(phone, do):
    client = half_in()
    client.post(PAGE, {"do": do})
    assert TOTPDevice.objects.filter(pk=phone.pk).exists()
    assert not StaticDevice.objects.exists()


def test_a_command_takes_it_away(phone, clock, capsys):
    client = half_in()
    tell(client, code_of(clock))
    call_command("second_factor", "olenna")
    assert capsys.readouterr().out == "olenna has a second factor.\n"
    call_command("second_factor", "olenna", "--reset")
    assert "sets a second factor up with the next log-in" in capsys.readouterr().out
    assert not is_in(client), "whoever holds the old phone is out at once"
    call_command("second_factor", "olenna")
    assert capsys.readouterr().out == "olenna has no second factor.\n"
    with pytest.raises(CommandError, match="Nobody here is called margaery"):
        call_command("second_factor", "margaery", "--reset")


def test_the_admin_shows_nobody_s_keys():
    assert not admin.site.is_registered(TOTPDevice)
    assert not admin.site.is_registered(StaticDevice)
