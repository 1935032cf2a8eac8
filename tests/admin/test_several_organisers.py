"""Several organisers: what one of them does with the second factor touches nobody else's."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.admin import one_time_codes
from tests.admin.test_second_factor import KEY, PAGE, clock, set_up  # noqa: F401


def rows():
    """All that the database has of second factors but those of the organiser who acts here."""
    devices = {kind: kind.objects.exclude(user__username="olenna") for kind in (TOTPDevice, StaticDevice)}
    tokens = StaticToken.objects.exclude(device__user__username="olenna")
    return [list(found.order_by("pk").values()) for found in (*devices.values(), tokens)]


def test_whoever_begins_again_does_so_alone(organiser, clock):  # noqa: F811
    other = get_user_model().objects.create_superuser("margaery", password="growing-strong-12")
    TOTPDevice.objects.create(user=other, name="phone", key=KEY, confirmed=True)
    one_time_codes._new_codes(other)
    before = rows()
    assert all(before)
    client, _codes = set_up(clock)
    for do in ("codes", "again"):
        assert client.post(PAGE, {"do": do}).status_code in (200, 302)
    assert not TOTPDevice.objects.filter(user=organiser).exists()
    call_command("second_factor", "olenna", "--reset")
    assert rows() == before
