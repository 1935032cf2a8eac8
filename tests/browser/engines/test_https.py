"""`play --https` in a browser that has been told to trust the computer, as its page explains."""

from __future__ import annotations

import base64

import pytest

from tests.browser.engines.driver import Browser
from tests.browser.engines.phone import Phone
from tests.server.test_play_command import Laptop

pytestmark = pytest.mark.browser

TRUST = """
  const store = Cc["@mozilla.org/security/x509certdb;1"].getService(Ci.nsIX509CertDB);
  store.addCertFromBase64(arguments[0], "C,,");
"""
EXCEPTED = """
  const { state } = gBrowser.selectedBrowser.securityUI;
  const { STATE_IS_SECURE, STATE_CERT_USER_OVERRIDDEN } = Ci.nsIWebProgressListener;
  return [Boolean(state & STATE_IS_SECURE), Boolean(state & STATE_CERT_USER_OVERRIDDEN)];
"""
"""Whether the page is encrypted, and whether only because a warning was accepted."""
HAS = """Promise.all([
  navigator.serviceWorker.ready.then(({ active }) => active.state !== "redundant"),
  navigator.wakeLock.request("screen").then((lock) => lock.release()).then(() => true),
  typeof navigator.clipboard.writeText === "function",
])"""
"""What a page may do only with encryption: keep the program on the phone, keep the screen on, copy."""


def in_firefox_itself(browser: Browser, script: str, *arguments: str) -> list[bool]:
    """What a script returns when it is run in the browser, not in its page."""
    browser.ask("Marionette:SetContext", value="chrome")
    try:
        found: list[bool] = browser.run(script, *arguments)
        return found
    finally:
        browser.ask("Marionette:SetContext", value="content")


def test_who_trusts_the_computer_has_all_that_encryption_gives(firefox: Browser, laptop: Laptop) -> None:
    plain = f"http://127.0.0.1:{laptop.port}"
    authority = laptop.ask("/trust/certificate").body
    in_firefox_itself(firefox, TRUST, base64.b64encode(authority).decode())
    phone = Phone(firefox, plain).goto("/")
    phone.until(lambda: phone.ask("location.protocol === 'https:'"))
    phone.sees("a.main[href='/new']")
    assert in_firefox_itself(firefox, EXCEPTED) == [True, False]
    assert firefox.awaits(HAS) == [True, True, True]
