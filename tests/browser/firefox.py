"""The Firefox of this machine, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/),
which it speaks by itself: what Chromium's driver can do, as far as the outbox needs it.
"""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.browser.looking import PHONE

SEEN = "selector => document.querySelector(selector)?.checkVisibility() ?? false"

PATIENCE = 300.0  # seconds: two busy cores may have other work to do
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PREFERENCES: dict[str, object] = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "toolkit.startup.max_resumed_crashes": -1,
}

type Said = dict[str, Any]
type OnRequest = Callable[["Firefox", Said], None]


def firefox() -> str | None:
    """The path of the Firefox of this machine: FIREFOX, none where that is empty, or else the
    firefox-esr on PATH. Others come packed so that they open no profile of a test's.
    """
    return os.environ.get("FIREFOX", shutil.which("firefox-esr")) or None


class Conversation:
    """What is said to a browser and what it answers, whichever of its tabs is meant."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._numbers = connection, count(1)
        self._waiting = dict[int, Future[Said]]()
        self.stopped = dict[str, Callable[[Said], None]]()  # by tab: who meets its requests
        threading.Thread(target=self._listen, daemon=True).start()

    def asked(self, method: str, **params: object) -> Said:
        """The answer to a command. Raises RuntimeError with what the browser says against it."""
        answer = self._sent(method, params).result(PATIENCE)
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['message']}")
        result: Said = answer["result"]
        return result

    def told(self, method: str, **params: object) -> None:
        """Say this, and wait for nothing."""
        self._sent(method, params)

    def _sent(self, method: str, params: dict[str, object]) -> Future[Said]:
        number, answer = next(self._numbers), Future[Said]()
        self._waiting[number] = answer
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        return answer

    def _listen(self) -> None:
        with suppress(ConnectionClosed):
            for text in self._connection:
                self._heard(json.loads(text))

    def _heard(self, said: Said) -> None:
        if said["type"] != "event":
            self._waiting.pop(said["id"]).set_result(said)
        elif said["params"].get("isBlocked"):
            self.stopped[said["params"]["context"]](said)


class Firefox:
    """One tab of a browser that runs. Whatever its requests meet on the way is `meets`, asked for
    each when it is about to be sent and when its answer begins.
    """

    def __init__(
        self, process: subprocess.Popen[str], conversation: Conversation, tab: str
    ) -> None:
        self.process, self._conversation, self.tab = process, conversation, tab
        self.asked, self.told = conversation.asked, conversation.told

    @contextmanager
    def beside(self) -> Iterator["Firefox"]:
        """Another phone until the end of the block: a window of the same browser in which nothing
        is known of this one, no cookie, nothing stored and no page kept.
        """
        alone = self.asked("browser.createUserContext")["userContext"]
        made = self.asked("browsingContext.create", type="window", userContext=alone)
        try:
            yield Firefox(self.process, self._conversation, made["context"])
        finally:
            self.asked("browser.removeUserContext", userContext=alone)

    def meets(self, on_request: OnRequest) -> None:
        """From now on requests stop twice on their way, and go on as `on_request` says."""
        stopped = self._conversation.stopped
        stops, stopped[self.tab] = self.tab in stopped, lambda said: on_request(self, said)
        if stops:
            return
        events = ["network.beforeRequestSent", "network.responseStarted"]
        self.asked("session.subscribe", events=events, contexts=[self.tab])
        phases = ["beforeRequestSent", "responseStarted"]
        self.asked("network.addIntercept", phases=phases, contexts=[self.tab])

    def looks_like_a_phone(self) -> None:
        """From now on the window has the size of one, and as many dots."""
        self.asked(
            "browsingContext.setViewport", context=self.tab, viewport=PHONE, devicePixelRatio=3
        )

    def goto(self, address: str, /) -> None:
        """Open a page, and wait until it is there."""
        self.asked("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, expression: str, arg: Any = None, /) -> Any:
        """What a function of the page makes of `arg`, or what this expression is."""
        function = expression if "=>" in expression else f"() => ({expression})"
        called = self.asked(
            "script.callFunction",
            functionDeclaration="async (given) => JSON.stringify("
            f"await ({function})(JSON.parse(given)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(arg)}],
            target={"context": self.tab},
            awaitPromise=True,
        )
        if called["type"] == "exception":
            raise RuntimeError(called["exceptionDetails"]["text"])
        return json.loads(called["result"]["value"])

    def becomes(self, expression: str, value: object, arg: Any = None, /) -> None:
        """Wait until what a function of the page makes of `arg`, or this expression, is this."""
        said: object = None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(RuntimeError):  # between two pages there is none
                said = self.evaluate(expression, arg)
            if said == value:
                return
            self.wait_for_timeout(50)
        assert said == value, f"{expression} is {said}"

    def tap(self, selector: str) -> None:
        """A finger touches the first that this means."""
        node = self._node(selector)
        at = {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": node}}
        down, up = ({"type": f"pointer{each}", "button": 0} for each in ("Down", "Up"))
        finger = {
            "type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"},
            "actions": [at, down, up],
        }  # fmt: skip
        self.asked("input.performActions", context=self.tab, actions=[finger])

    def photo(self, selector: str) -> bytes:
        """What somebody sees who looks at the first that this means, as a PNG."""
        clip = {"type": "element", "element": self._node(selector)}
        taken = self.asked("browsingContext.captureScreenshot", context=self.tab, clip=clip)
        return base64.b64decode(taken["data"])

    def choose(self, selector: str, file: Path) -> None:
        """Give this file to a field for files."""
        node = self._node(selector)
        self.asked("input.setFiles", context=self.tab, element=node, files=[str(file)])

    def wait_for_timeout(self, timeout: float, /) -> None:
        """So many milliseconds."""
        time.sleep(timeout / 1000)

    def kill(self) -> None:
        """As when a phone's battery is empty."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def _node(self, selector: str) -> Said:
        """The first that this means, in the middle of the window."""
        scrolls = "given => document.querySelector(given).scrollIntoView({ block: 'center' })"
        self.evaluate(scrolls, selector)
        locator = {"type": "css", "value": selector}
        found = self.asked("browsingContext.locateNodes", context=self.tab, locator=locator)
        return {"sharedId": found["nodes"][0]["sharedId"]}


@contextmanager
def started(
    profile: Path,
    preferences: Mapping[str, object] = MappingProxyType({}),
    *,
    any_certificate: bool = False,
) -> Iterator[Firefox]:
    """A Firefox with this profile until the end of the block, which minds certificates unless any
    will do. Raises AssertionError where none starts.
    """
    path = firefox()
    assert path is not None
    prefer(profile, {**PREFERENCES, **preferences})
    command = [path, "--headless", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(
        [*command, "--remote-debugging-port", "0", "about:blank"],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        said = (LISTENS.search(line) for line in process.stderr)
        door = next(filter(None, said), None)
        assert door is not None, "Firefox ended before it listened"
        threading.Thread(target=process.stderr.read, daemon=True).start()
        try:
            with connect(f"{door[1]}/session", max_size=None) as connection:
                conversation = Conversation(connection)
                asked = {"alwaysMatch": {"acceptInsecureCerts": any_certificate}}
                conversation.asked("session.new", capabilities=asked)
                tree = conversation.asked("browsingContext.getTree")
                yield Firefox(process, conversation, tree["contexts"][0]["context"])
        finally:
            process.kill()


def prefer(profile: Path, preferences: Mapping[str, object]) -> None:
    """Write what a browser with this profile reads when it starts."""
    profile.mkdir(exist_ok=True)
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in preferences.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
