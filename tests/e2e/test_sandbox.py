"""The local page, as its people use it: several tabs, one bot, real time."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from bot import sandbox
from bot.sandbox import SandboxUnavailable, serve
from tests.e2e.browser import Refused, Tab
from tests.e2e.demo_bot import DemoBot

ROOT = Path(__file__).parents[2]


class Page:
    """A served sandbox."""

    def __init__(self, tick: float = 60) -> None:
        self.bot: Any = None
        self.lines: list[str] = []
        self.told = asyncio.Event()
        self.tick = tick

    def make_bot(self, clock: sandbox.Clock) -> DemoBot:
        self.bot = DemoBot(clock, tick=self.tick)
        return self.bot

    async def serve(self, people: tuple[str, ...] = sandbox.PEOPLE, port: int = 0) -> None:
        await serve(self.make_bot, people=people, port=port, open_browser=False, say=self.say)

    def say(self, line: str) -> None:
        self.lines.append(line)
        if "Ctrl-C" in line:
            self.told.set()

    @property
    def url(self) -> str:
        found = re.search(r"http\S+", "\n".join(self.lines))
        assert found, self.lines
        return found[0]

    @property
    def backend(self) -> Any:
        return self.bot.http.backend


async def served_page(people: tuple[str, ...] = sandbox.PEOPLE) -> tuple[Page, asyncio.Task[None]]:
    served = Page()
    task = asyncio.create_task(served.serve(people))
    waiting = asyncio.create_task(served.told.wait())
    await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
    assert not task.done(), task.result()
    return served, task


@pytest_asyncio.fixture
async def page(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Page]:
    monkeypatch.setattr(sandbox, "TIDY_EVERY", 0.05)
    served, task = await served_page()
    yield served
    if not task.done():
        signal.raise_signal(signal.SIGTERM)
    async with asyncio.timeout(1):
        await task
    assert served.bot.is_closed()
    assert served.bot.connection is None


@pytest_asyncio.fixture
async def tabs(page: Page) -> AsyncIterator[dict[str, Tab]]:
    async with ClientSession() as http:
        yield {name: await Tab(http, page.url).open(name) for name in ("ann", "bob", "carol")}


async def test_everybody_sees_what_one_does(tabs: dict[str, Tab]) -> None:
    await tabs["ann"].command("demo start")
    assert await tabs["bob"].until_shows("Table 1: 0 presses") < 1
    await tabs["bob"].click("Count")
    for tab in tabs.values():
        assert await tab.until_shows("Bob: count") < 1


async def test_private_answers_stay_private(tabs: dict[str, Tab]) -> None:
    ann, bob = tabs["ann"], tabs["bob"]
    await ann.command("demo start")
    await bob.look()
    await bob.click("Hand")
    await bob.until_shows("Your hand")
    await bob.choose("Sparky")
    await bob.until_shows("You hold Sparky")
    await ann.until_shows("Bob chose")
    assert not any("hold" in ann.text(message) for message in ann.messages())


async def test_edits_in_the_background_show(page: Page, tabs: dict[str, Tab]) -> None:
    await tabs["ann"].command("demo start")
    await page.bot.note(1, "time is up")
    assert await tabs["bob"].until_shows("time is up") < 1


async def test_suggestions(tabs: dict[str, Tab]) -> None:
    assert await tabs["ann"].suggestions("demo say", "card", "s") == ["Stitch", "Sparky", "Slushy"]
    await tabs["ann"].command("demo say", card="Sparky")
    await tabs["ann"].until_shows("You said Sparky")


async def test_a_crowd_at_once_is_never_refused(tabs: dict[str, Tab]) -> None:
    await tabs["ann"].command("demo start")
    for tab in tabs.values():
        await tab.look()

    async def hurry(tab: Tab) -> None:
        for label in ("Count", "Hand", "Count", "Slow", "Count"):
            await tab.click(label)

    await asyncio.gather(*(hurry(tab) for tab in tabs.values()))
    await tabs["ann"].until_shows("9 presses")


async def test_a_press_means_the_button_its_person_saw(tabs: dict[str, Tab]) -> None:
    ann, bob = tabs["ann"], tabs["bob"]
    await ann.command("demo start")
    await ann.look()
    await bob.look()
    await ann.click("Count")
    await ann.until_shows("1 presses")
    # The board has one more button now: where Bob still sees Hand, there is Count.
    await bob.click("Hand")
    await bob.until_shows("Your hand")
    await ann.look()
    assert any("1 presses" in ann.text(message) for message in ann.messages())


async def test_a_page_that_saw_nothing_new_for_long_still_may_press(tabs: dict[str, Tab]) -> None:
    ann, bob = tabs["ann"], tabs["bob"]
    await ann.command("demo start")
    await bob.look()
    for _ in range(sandbox.LOOKS_KEPT + 5):
        await ann.look()
        await ann.click("Count")
    await bob.click("Note")
    await bob.look()
    assert bob.state["modal"] is not None


async def test_time_is_real(page: Page, tabs: dict[str, Tab]) -> None:
    ann = tabs["ann"]
    assert abs(page.bot.clock() - time.time()) < 1  # noqa: TID251
    await ann.command("demo start")
    await ann.look()
    await ann.click("Slow")
    assert 0.2 < await ann.until_shows("That took a while") < 1.5
    ticks = page.bot.ticks
    page.bot._ticking.change_interval(seconds=0.05)
    page.bot._ticking.restart()
    await asyncio.sleep(0.4)
    assert 3 <= page.bot.ticks - ticks <= 12


async def test_an_unanswered_press_fails_after_three_seconds_and_locks_nobody(
    monkeypatch: pytest.MonkeyPatch, tabs: dict[str, Tab]
) -> None:
    monkeypatch.setattr(sandbox, "ANSWER_SECONDS", 0.2)
    with pytest.raises(Refused, match="did not answer"):
        await tabs["ann"].command("demo silent")
    await tabs["ann"].command("demo start")
    await tabs["bob"].until_shows("Table 1")


async def test_other_channels_and_threads(page: Page, tabs: dict[str, Tab]) -> None:
    ann = tabs["ann"]
    await ann.command("demo thread")
    places = {place["name"]: place["id"] for place in await ann.places()}
    assert list(places) == ["#card-table", "#second-table", "↳ a thread"]
    thread = await Tab(ann.http, page.url).open("bob", places["↳ a thread"])
    assert await thread.until_shows("Here") < 1
    second = await Tab(ann.http, page.url).open("bob", places["#second-table"])
    await second.command("demo start")
    await second.until_shows("Table 1: 0 presses")
    await second.click("Count")
    await second.until_shows("1 presses")
    await ann.look()
    assert not any("Table 1" in ann.text(message) for message in ann.messages())


async def test_dismissed_messages_are_gone_for_their_person(tabs: dict[str, Tab]) -> None:
    ann, bob = tabs["ann"], tabs["bob"]
    await ann.command("demo start")
    await ann.look()
    await ann.click("Hand")
    await ann.until_shows("Your hand")
    board, hand = [message["id"] for message in ann.messages()]
    await bob.dismiss(hand)
    await ann.dismiss(board)
    assert len((await ann.look())["timeline"]) == 2
    await ann.dismiss(hand)
    assert (await ann.look())["timeline"] == [board]


async def test_nothing_is_kept_that_nobody_sees(page: Page, tabs: dict[str, Tab]) -> None:
    await tabs["ann"].command("demo start")
    backend = page.backend
    backend.cdn.store_attachment(1, 2, "old.png", b"picture", None)
    for record in backend.interactions.values():
        record.expires_at = backend.now_iso()
    await asyncio.sleep(0.2)
    assert backend.http_requests == backend.transcript == []
    assert backend.cdn._blobs == {}
    assert backend.interactions == backend.interaction_tokens == {}
    await tabs["ann"].look()
    await tabs["ann"].click("Count")


async def test_old_private_answers_do_not_push_the_board_out(tabs: dict[str, Tab]) -> None:
    ann, bob = tabs["ann"], tabs["bob"]
    await ann.command("demo start")
    await bob.look()
    await bob.click("Hand")
    for number in range(sandbox.PRIVATE_KEPT + 3):
        await ann.command("demo say", card=f"number {number}")
    await asyncio.sleep(0.2)
    await ann.look()
    assert len(ann.messages()) == 1 + sandbox.PRIVATE_KEPT
    assert "number 12" in ann.text(ann.messages()[-1])
    await ann.click("Count")
    await bob.until_shows("Your hand")


async def test_the_page_carries_our_script(page: Page) -> None:
    base = page.url.split("?")[0]
    async with ClientSession() as http:
        index = await (await http.get(base)).text()
        script = await http.get(f"{base}sandbox.js")
        assert 'src="/sandbox.js"' in index
        assert script.status == 200
        assert (await http.get(f"{base}sandbox/places")).status == 401
        elsewhere = {"Host": "example.org"}
        assert (await http.get(f"{base}sandbox.js", headers=elsewhere)).status == 403


async def test_addresses_for_all_are_told(page: Page) -> None:
    shown = "\n".join(page.lines)
    for name in sandbox.PEOPLE:
        assert f"?as={name}#" in shown


async def test_the_end_button_ends_it() -> None:
    before = threading.active_count()
    served, task = await served_page(("Ann",))
    async with ClientSession() as http:
        tab = await Tab(http, served.url).open("ann")
        await tab.act("close")
        async with asyncio.timeout(1):
            await task
    assert served.bot.is_closed()
    assert threading.active_count() <= before + 1  # asyncio's own pool


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_within_a_second(name: signal.Signals) -> None:
    code = (
        "import asyncio; from bot.sandbox import serve; from tests.e2e.demo_bot import DemoBot;"
        "asyncio.run(serve(DemoBot, port=0, open_browser=True, say=lambda l: print(l, flush=True)))"
    )
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": "/usr/bin"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while "Ctrl-C" not in process.stdout.readline():
            assert process.poll() is None, process.stderr.read()
        began = time.monotonic()
        process.send_signal(name)
        assert process.wait(5) == 0
        assert time.monotonic() - began < 1
        assert process.stderr.read() == ""


async def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simcord", None)
    with pytest.raises(SandboxUnavailable, match=r"pip install 'stitch-table\[sandbox\]'"):
        await Page().serve()


async def test_another_version_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SIMCORD", "0.1")
    with pytest.raises(SandboxUnavailable, match=r"needs simcord 0\.1, here is \d"):
        await Page().serve()


async def test_a_taken_port_is_one_sentence_and_the_bot_is_closed() -> None:
    served = Page()
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(SandboxUnavailable, match="is in use"),
    ):
        await served.serve(port=taken.getsockname()[1])
    assert served.bot.is_closed()


async def test_too_many_people_are_refused() -> None:
    with pytest.raises(SandboxUnavailable, match="1 to 7 people"):
        await Page().serve(tuple("abcdefgh"))


def test_a_browser_is_opened_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(sandbox.webbrowser, "open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    sandbox._tell("http://h:1/#key", ["Ann"], lambda line: None, open_browser=True)
    for thread in threading.enumerate():
        if thread.daemon:
            thread.join(1)
    assert opened == ["http://h:1/?as=Ann#key"]
