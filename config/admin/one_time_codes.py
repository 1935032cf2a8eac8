"""The admin's second factor: after the password, a code that the organiser's own phone shows (RFC 6238).

An organiser without one sets it up at the first log-in: an app on the phone scans a key, which stays in this
session until a first code shows that it has arrived. For a lost phone, ten recovery codes work once each.
"""

from __future__ import annotations

import logging
import re
import time
from base64 import b32encode
from typing import Any, cast
from urllib.parse import quote, urlencode

import django_otp
import segno
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from games.people import sessions
from games.web import SECOND_FACTORS, address, too_fast

log = logging.getLogger(__name__)

RECOVERY_CODES = 10
STEP_SECONDS, TOLERANCE, DIGITS = 30, 1, 6
"""A code is good for half a minute; the phone's clock may be off by as much."""
SESSION_KEY = "second factor"
"""Where the session keeps the key that the phone is to scan."""


def page(request: HttpRequest) -> HttpResponse:
    """Ask for a code, set the second factor up, or show those already in what they have."""
    here = reverse("admin:second-factor", query=_next(request))
    if not settings.SECOND_FACTOR:
        return redirect("admin:index")
    if admin.site.has_permission(request):
        return _renew(request) if request.method == "POST" else _show(request, left=_left(request.user))
    if not sessions.lacks_code(request):
        return redirect_to_login(here, reverse("admin:login"))
    if request.method != "POST":
        return _show(request, **_asked(request))
    # Counted before the code is tried, so that many at the same moment cannot exceed the limit.
    if refusal := too_fast(request, SECOND_FACTORS, str(request.user.pk)):
        log.warning("second factor of %r refused: too many attempts", request.user.get_username())
        return refusal
    code = re.sub(r"[\s-]", "", request.POST.get("code", "")).lower()[:16]
    return _try(request, code) if has_device(request.user) else _set_up(request, code)


def has_device(user: Any) -> bool:
    """Whether somebody has set up a second factor."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).exists()


def remove(user: Any) -> int:
    """Take away somebody's second factor and recovery codes, in every session; how many went."""
    return sum(kind.objects.filter(user=user).delete()[0] for kind in (TOTPDevice, StaticDevice))


def _try(request: HttpRequest, code: str) -> HttpResponse:
    """Let in anyone who enters a code from their phone or a recovery code; each works once."""
    with transaction.atomic():
        devices = django_otp.devices_for_user(request.user, for_verify=True)
        device = next((device for device in devices if device.verify_token(code)), None)
    if device is None:
        return _refuse(request)
    _let_in(request, device)
    return redirect(_next(request).get("next") or "admin:index")


def _set_up(request: HttpRequest, code: str) -> HttpResponse:
    """Keep the key once a code shows that it was scanned; the recovery codes are shown only now."""
    key = request.session.get(SESSION_KEY, "")
    moment = _moment_of(key, code)
    if moment is None:
        return _refuse(request)
    with transaction.atomic():
        # If two set it up at the same moment, one comes first.
        user = get_user_model().objects.select_for_update().get(pk=cast(int, request.user.pk))
        if has_device(user):
            return redirect(request.get_full_path())
        made = TOTPDevice.objects.create(user=user, name="phone", key=key, last_t=moment, confirmed=True)
        codes = _new_codes(user)
    _let_in(request, made)
    return _show(request, codes=codes)


def _renew(request: HttpRequest) -> HttpResponse:
    """Give somebody who is already in new recovery codes, or have them set up another phone."""
    wanted = request.POST.get("do", "")
    if wanted == "codes":
        with transaction.atomic():
            return _show(request, codes=_new_codes(request.user))
    if wanted == "again":
        remove(request.user)
    return redirect("admin:second-factor")


def _let_in(request: HttpRequest, device: Any) -> None:
    django_otp.login(request, device)
    request.session.pop(SESSION_KEY, None)
    request.session.cycle_key()


def _refuse(request: HttpRequest) -> HttpResponse:
    log.warning("wrong second factor of %r from %s", request.user.get_username(), address(request))
    return _show(request, wrong=True, **_asked(request))


def _asked(request: HttpRequest) -> dict[str, Any]:
    """What the page shows before a code: nothing, or the key that the phone is to scan."""
    if has_device(request.user):
        return {}
    key = request.session.setdefault(SESSION_KEY, random_hex(20))
    secret = b32encode(bytes.fromhex(key)).decode().rstrip("=")
    name = quote(f"{request.get_host()}:{request.user.get_username()}")
    query = urlencode({"secret": secret, "issuer": f"Roundtable {request.get_host()}"}, quote_via=quote)
    code = segno.make(f"otpauth://totp/{name}?{query}", error="m", micro=False)
    return {
        "picture": code.svg_data_uri(scale=4, border=3, light="#fff"),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
    }


def _moment_of(key: str, code: str) -> int | None:
    """The time step for which this key makes the code; None for a wrong code."""
    if not (key and code.isascii() and code.isdigit()):
        return None
    shown = TOTP(bytes.fromhex(key), STEP_SECONDS, 0, DIGITS)
    shown.time = time.time()
    return shown.t() if shown.verify(int(code), TOLERANCE) else None


def _new_codes(user: Any) -> list[str]:
    """New recovery codes in place of the old ones; call it within a transaction."""
    StaticDevice.objects.filter(user=user).delete()
    kept = StaticDevice.objects.create(user=user, name="recovery", confirmed=True)
    codes = [StaticToken.random_token() for _code in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=kept, token=code) for code in codes)
    return [f"{code[:4]}-{code[4:]}" for code in codes]


def _left(user: Any) -> int:
    return StaticToken.objects.filter(device__user=user).count()


def _next(request: HttpRequest) -> dict[str, str]:
    """Where to go after the log-in, if that is a page of ours."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure())
    return {"next": address} if is_ours else {}


def _show(request: HttpRequest, **facts: Any) -> HttpResponse:
    shown = {
        **admin.site.each_context(request),
        "is_nav_sidebar_enabled": admin.site.has_permission(request),
        "title": _("Two-factor login"),
        "next": _next(request).get("next", ""),
        "onward": _next(request).get("next") or reverse("admin:index"),
        **facts,
    }
    return TemplateResponse(request, "admin/second_factor.html", shown)
