"""The Firefox of this machine, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/),
which it speaks by itself: what Chromium's driver can do, as far as the outbox needs it.
"""

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

PATIENCE = 120.0  # seconds: two busy cores may have other work to do
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


class Firefox:
    """One tab of a browser that runs. Whatever its requests meet on the way is `meets`, asked for
    each when it is about to be sent and when its answer begins.
    """

    def __init__(self, process: subprocess.Popen[str], connection: ClientConnection) -> None:
        self.process, self._connection = process, connection
        self._numbers, self._waiting = count(1), dict[int, Future[Said]]()
        self._meets: OnRequest | None = None
        threading.Thread(target=self._listen, daemon=True).start()
        self.asked("session.new", capabilities={})
        tree = self.asked("browsingContext.getTree")
        self.tab: str = tree["contexts"][0]["context"]

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

    def meets(self, on_request: OnRequest) -> None:
        """From now on requests stop twice on their way, and go on as `on_request` says."""
        stops, self._meets = self._meets is not None, on_request
        if stops:
            return
        self.asked(
            "session.subscribe", events=["network.beforeRequestSent", "network.responseStarted"]
        )
        self.asked("network.addIntercept", phases=["beforeRequestSent", "responseStarted"])

    def goto(self, address: str) -> None:
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

    def wait_for_timeout(self, timeout: float, /) -> None:
        """So many milliseconds."""
        time.sleep(timeout / 1000)

    def kill(self) -> None:
        """As when a phone's battery is empty."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

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
        elif said["params"].get("isBlocked") and self._meets is not None:
            self._meets(self, said)


@contextmanager
def started(
    profile: Path, preferences: Mapping[str, object] = MappingProxyType({})
) -> Iterator[Firefox]:
    """A Firefox with this profile until the end of the block. Raises AssertionError where none
    starts.
    """
    path = firefox()
    assert path is not None
    profile.mkdir(exist_ok=True)
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
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
                yield Firefox(process, connection)
        finally:
            process.kill()
