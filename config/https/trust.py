"""The page that explains an encrypted table to a phone that does not know its certificate yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.views.decorators.http import require_safe

from config.https.certificates import Authority


@dataclass(frozen=True)
class Offered:
    """What this process offers: its authority (None where a real certificate is used) and its https port."""

    authority: Authority | None
    port: int


@dataclass(frozen=True)
class Instruction:
    """One thing to do, and the name of the picture that shows it (templates/site/trusting.html)."""

    picture: str
    text: str


@dataclass(frozen=True)
class Device:
    """What to do on one kind of device; `is_this`: the reader's browser says that it runs on this kind."""

    name: str
    steps: tuple[Instruction, ...]
    is_this: bool


@dataclass(frozen=True)
class TrustPage:
    """The page: where the encrypted tables are, what to download, and the steps by device."""

    home_url: str
    probe_url: str
    file_url: str
    fingerprint: str
    devices: tuple[Device, ...]


STEPS: dict[str, tuple[tuple[str, ...], tuple[Instruction, ...]]] = {
    "iPhone, iPad": (
        # An iPad calls itself a Mac.
        ("iPhone", "iPad", "Macintosh"),
        (
            Instruction(
                "phone-allow",
                noop("Open this page in Safari and tap “Download the certificate”; allow the download."),
            ),
            Instruction(
                "phone-profile",
                noop(
                    "Open Settings and tap “Profile Downloaded” near the top, “Install” until it is done. "
                    "Later it stands under General → VPN & Device Management."
                ),
            ),
            Instruction(
                "phone-switch",
                noop(
                    "Settings → General → About → Certificate Trust Settings, at the very end: "
                    "turn on the switch beside “Roundtable on …”."
                ),
            ),
        ),
    ),
    "Android": (
        ("Android",),
        (
            Instruction("phone-download", noop("Tap “Download the certificate”.")),
            Instruction(
                "phone-search",
                noop(
                    "Settings → Security & privacy → More security & privacy → Encryption & credentials → "
                    "Install a certificate → CA certificate. Some makers use other words: search the "
                    "settings for “CA certificate”."
                ),
            ),
            Instruction("phone-anyway", noop("“Install anyway”, then choose the file from Downloads.")),
        ),
    ),
    "Windows": (
        ("Windows",),
        (
            Instruction(
                "window-install",
                noop("Download the certificate and open it: “Install Certificate”, then “Current User”."),
            ),
            Instruction(
                "window-store",
                noop(
                    "“Place all certificates in the following store”, “Browse”: "
                    "Trusted Root Certification Authorities."
                ),
            ),
            Instruction(
                "window-yes",
                noop("“Finish”, and “Yes” to the warning. Then close the browser and open it again."),
            ),
        ),
    ),
    "Mac": (
        ("Macintosh",),
        (
            Instruction(
                "mac-add",
                noop("Download the certificate and open it; choose the keychain “login”, then “Add”."),
            ),
            Instruction(
                "mac-trust",
                noop(
                    "Open “Roundtable on …” in the list, unfold “Trust”, and choose “Always Trust” "
                    "in the first line."
                ),
            ),
        ),
    ),
    "Linux": (
        ("X11", "Wayland"),
        (
            Instruction(
                "window-settings",
                noop(
                    "Firefox: Settings → Privacy & Security → Certificates → View Certificates → "
                    "Authorities → Import. Chromium: chrome://certificate-manager → Local certificates → "
                    "Installed by you → Import."
                ),
            ),
            Instruction(
                "window-tick",
                noop("Choose the downloaded file; Firefox asks for what: to identify websites."),
            ),
        ),
    ),
}
"""By device: what its browser calls itself, and the steps, each with the name of its picture.

Firefox trusts what Windows, a Mac and Android trust; on Linux each browser keeps its own.
"""

offered: Offered | None = None
"""Set by `play --https` before it serves."""


@require_safe
def trust(request: HttpRequest) -> HttpResponse:
    """The explanation; 404 if our authority encrypts nothing."""
    home = _home(request)
    if offered is None or offered.authority is None:
        raise Http404
    agent = request.headers.get("user-agent", "")
    devices = tuple(
        Device(
            name,
            tuple(replace(step, text=_(step.text)) for step in steps),
            any(word in agent for word in words),
        )
        for name, (words, steps) in STEPS.items()
    )
    page = TrustPage(
        home_url=home,
        probe_url=home + reverse("trust-known").lstrip("/"),
        file_url=reverse("trust-file"),
        fingerprint=offered.authority.fingerprint,
        devices=tuple(sorted(devices, key=lambda device: not device.is_this)),
    )
    answer = render(request, "site/trust.html", {"page": page})
    answer._csp_update = {"connect-src": home.rstrip("/")}  # type: ignore[attr-defined]
    return answer


@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """The authority's certificate, as phones and computers install it."""
    if offered is None or offered.authority is None:
        raise Http404
    answer = HttpResponse(offered.authority.file(), content_type="application/x-x509-ca-cert")
    answer["Content-Disposition"] = 'attachment; filename="roundtable.crt"'
    return answer


@require_safe
def known(request: HttpRequest) -> HttpResponse:
    """Nothing (204), requested over https: a phone that gets it trusts the certificate."""
    return HttpResponse(status=204, headers={"Access-Control-Allow-Origin": "*"})


def _home(request: HttpRequest) -> str:
    port = offered.port if offered is not None else 443
    return f"https://{request.get_host().rpartition(':')[0] or request.get_host()}:{port}/"
