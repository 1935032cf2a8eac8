"""Firefox and WebKit, driven only by the W3C's WebDriver commands.

Firefox speaks them itself (its Marionette port: JSON on a plain socket); WebKitGTK through `WebKitWebDriver`
(JSON over HTTP), which needs a display: a virtual one is started for it. A browser has one window and one
cookie jar, so it is a separate device.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.serving import answers, free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver returns an element."""
PATIENCE = 60
"""Seconds that a slow machine may need to start a browser."""
ADDRESSES = {
    "Navigate": "/url",
    "ExecuteAsyncScript": "/execute/async",
    "ExecuteScript": "/execute/sync",
    "ElementClick": "/element/{id}/click",
    "PerformActions": "/actions",
    "SetWindowRect": "/window/rect",
    "DeleteAllCookies": "/cookie",
    "TakeScreenshot": "/screenshot",
    "DeleteSession": "",
}
METHODS = {"DeleteAllCookies": "DELETE", "DeleteSession": "DELETE", "TakeScreenshot": "GET"}
PASTE = """
  const field = document.querySelector(arguments[0]);
  field.focus();
  field.value = arguments[1];
  field.dispatchEvent(new Event("input", { bubbles: true }));
"""
VISIBLE = """
  const found = [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility());
  found?.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  return found ?? null;
"""
FIREFOX_SIZE = """
  const frame = gBrowser.selectedBrowser.style;
  for (const bound of ["", "min-", "max-"]) {
    frame.setProperty(bound + "width", arguments[0] + "px", "important");
    frame.setProperty(bound + "height", arguments[1] + "px", "important");
  }
  frame.flex = "none";
"""
"""A Firefox window is never narrower than 500 pixels, but the page's own frame in it may be."""
FIREFOX_SETTINGS = {
    "marionette.port": 0,
    "intl.accept_languages": "en-GB, en",
    "dom.w3c_touch_events.enabled": 1,
    "ui.primaryPointerCapabilities": 1,
    "layout.css.prefers-color-scheme.content-override": 1,
}


LOST = "invalid session id"
"""WebDriver's code when the browser behind it is gone."""


class Refused(Exception):
    """A browser's report that a command could not be carried out: WebDriver's code and a sentence."""


class Browser:
    """One running browser."""

    name = ""
    needs: tuple[str, ...] = ()
    is_lost = False
    """Whether it has crashed, so that no command reaches it any more."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.processes: list[subprocess.Popen[bytes]] = []
        self.start_whole()

    def start_whole(self) -> None:
        """Start it, or leave nothing running; anything left from a crash is ended first."""
        self.end()
        self.processes.clear()
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        self.is_lost = False

    def start(self) -> None:
        raise NotImplementedError

    def ask(self, command: str, **arguments: Any) -> Any:
        """Carry out one command; raises `Refused`."""
        raise NotImplementedError

    def resize(self, width: int, height: int) -> None:
        raise NotImplementedError

    @classmethod
    def is_here(cls) -> bool:
        return all(shutil.which(program) for program in cls.needs)

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns when it is run in the page."""
        return self.ask("ExecuteScript", script=script, args=list(arguments))

    def awaits(self, expression: str) -> Any:
        """What a promise resolves to; the expression has to give one."""
        script = "const [done] = arguments; Promise.resolve(%s).then(done, (error) => done(String(error)))"
        return self.ask("ExecuteAsyncScript", script=script % expression, args=[])

    def goto(self, url: str) -> None:
        self.ask("Navigate", url=url)

    def size(self, width: int, height: int) -> None:
        """Give the page this many pixels, and wait until it has them."""
        self.resize(width, height)
        wait(lambda: self.run("return [innerWidth, innerHeight]") == [width, height], "this size")

    def _element(self, selector: str) -> str:
        found = self.run(VISIBLE, selector)
        if found is None:
            raise Refused("no such element")
        return str(found[ELEMENT])

    def tap(self, selector: str) -> None:
        """Touch the first matching element, as soon as it is there and nothing covers it."""
        self._when_possible(selector, lambda element: self.ask("ElementClick", id=element))

    def touch(self, x: float, y: float) -> None:
        """Touch a point of the visible page."""
        there = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        steps = [there, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}}
        self.ask("PerformActions", actions=[{**finger, "actions": steps}])

    def fill(self, selector: str, text: str) -> None:
        """Paste a text into a field."""
        self.run(PASTE, selector, text)

    def _when_possible(self, selector: str, act: Callable[[str], object]) -> None:
        why: Exception | None = None
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                act(self._element(selector))
                return
            except Refused as refused:
                # Not there yet, redrawn under the finger, or covered for the moment.
                why = refused
                time.sleep(0.05)
        raise AssertionError(f"{self.name} cannot touch {selector}: {why}")

    def picture(self, path: Path) -> None:
        """Save what it shows as a PNG."""
        path.write_bytes(base64.b64decode(self.ask("TakeScreenshot")))

    def close(self) -> None:
        """Close it, and leave nothing running."""
        self.end()

    def end(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()

    def _run(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a program that ends with this browser, without any of this user's own settings."""
        known = {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home)}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env={**known, "LANG": "C.UTF-8", **environment}, **quiet)  # type: ignore[call-overload]
        self.processes.append(process)
        return process


class Firefox(Browser):
    """Firefox without a screen, through its own port."""

    name = "Firefox"
    needs = ("firefox-esr",)
    count = 0

    def start(self) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(to)});" for name, to in FIREFOX_SETTINGS.items()]
        (self.home / "user.js").write_text("\n".join(lines), encoding="utf-8")
        options = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
        self._run("firefox-esr", *options, "--profile", str(self.home))
        port = self.home / "MarionetteActivePort"
        wait(lambda: port.exists() and port.read_text(), "Firefox's port")
        self.line = socket.create_connection(("127.0.0.1", int(port.read_text())))
        self.answers = self.line.makefile("rb")
        self._read()
        self.ask("NewSession", acceptInsecureCerts=True)
        self.ask("SetWindowRect", width=1600, height=1400)

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self.answers.read(1) or b":"
        return json.loads(self.answers.read(int(length[:-1])))

    def ask(self, command: str, **arguments: Any) -> Any:
        self.count += 1
        name = command if ":" in command else f"WebDriver:{command}"
        data = json.dumps([0, self.count, name, arguments]).encode()
        self.line.sendall(b"%d:%b" % (len(data), data))
        _kind, _number, error, result = self._read()
        if error:
            raise Refused(error["error"], error["message"])
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def resize(self, width: int, height: int) -> None:
        self.ask("Marionette:SetContext", value="chrome")
        self.run(FIREFOX_SIZE, width, height)
        self.ask("Marionette:SetContext", value="content")


class WebKit(Browser):
    """WebKitGTK's own small browser, on a virtual display."""

    name = "WebKit"
    needs = ("WebKitWebDriver", "Xvfb")

    def start(self) -> None:
        reading, writing = os.pipe()
        display = ("Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1400x24", "-nolisten", "tcp")
        self.processes.append(subprocess.Popen(display, pass_fds=[writing], stderr=subprocess.DEVNULL))
        os.close(writing)
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        self.port = free_port()
        # A container allows it no sandbox; there is no accessibility bus and no graphics card.
        alone = {
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
            "NO_AT_BRIDGE": "1",
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        self._run("WebKitWebDriver", "-p", str(self.port), DISPLAY=f":{number}", **alone)
        wait(lambda: answers(self.port), "WebKit's driver")
        # Without its bar a window may be as narrow as a phone.
        options = {"binary": str(mini_browser()), "args": ["--automation", "--full-screen"]}
        wanted = {"acceptInsecureCerts": True, "webkitgtk:browserOptions": options}
        self.path = "/session"
        self.path += "/" + self._send("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def ask(self, command: str, **arguments: Any) -> Any:
        address = ADDRESSES[command].format(**arguments)
        return self._send(METHODS.get(command, "POST"), address, arguments)

    def _send(self, method: str, address: str, body: dict[str, Any]) -> Any:
        url = f"http://127.0.0.1:{self.port}{self.path}{address}"
        data = json.dumps(body).encode() if method == "POST" else None
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, method=method)) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refused:
            why = json.load(refused)["value"]
            self.is_lost = why["error"] == LOST
            raise Refused(why["error"], why["message"]) from None

    def resize(self, width: int, height: int) -> None:
        self.ask("SetWindowRect", x=0, y=0, width=width, height=height)

    def close(self) -> None:
        with suppress(Refused, OSError):
            self.ask("DeleteSession")
        super().close()

    @classmethod
    def is_here(cls) -> bool:
        return super().is_here() and mini_browser() is not None


def mini_browser() -> Path | None:
    """The browser that comes with WebKitGTK, in whichever version the system has."""
    return next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), reverse=True)), None)


def wait(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait until the condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come"
        time.sleep(0.02)
