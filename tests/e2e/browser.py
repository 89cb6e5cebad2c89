"""A person at the sandbox page, as far as HTTP goes: what simcord's own script sends and reads."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from aiohttp import ClientSession


def walk(components: Any) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        for key in ("accessory", "component"):
            if isinstance(component.get(key), dict):
                yield from walk([component[key]])


class Refused(AssertionError):
    """A person's press did not reach the bot, or was not answered."""


class Tab:
    """One page, opened as one person; it polls twice a second, like the real one."""

    def __init__(self, http: ClientSession, url: str) -> None:
        self.base, _, self.key = url.partition("#")
        self.http = http
        self.state: dict[str, Any] = {}
        self.sequence = 0

    async def _call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"X-Simcord-Capability": self.key}
        if self.state:
            headers["X-Simcord-Context"] = self.state["context"]["id"]
        origin = self.base.split("/?")[0].rstrip("/")
        async with self.http.request(method, origin + path, json=body, headers=headers) as answer:
            if answer.status != 200:
                raise Refused(f"{path}: {answer.status} {await answer.text()}")
            return await answer.json()

    async def open(self, person: str, place: str | None = None) -> Tab:
        body = {"viewer_id": person, "target_id": place}
        self.state = await self._call("POST", "/api/pages", body)
        return self

    async def look(self) -> dict[str, Any]:
        self.state = await self._call("GET", "/api/state")
        return self.state

    async def places(self) -> list[dict[str, str]]:
        return await self._call("GET", "/sandbox/places")

    async def dismiss(self, message: str) -> None:
        await self._call("GET", f"/sandbox/dismiss?message={message}")

    def messages(self) -> list[dict[str, Any]]:
        return [self.state["messages"][key] for key in self.state["timeline"]]

    def text(self, message: Mapping[str, Any]) -> str:
        shown = [part.get("content", "") for part in walk(message["components"])]
        return "\n".join([message["content"], *shown]).strip()

    async def until_shows(self, words: str, seconds: float = 2.0) -> float:
        """Poll as the page does until the words are there; how long that took."""
        start = monotonic()
        while monotonic() - start < seconds:
            await self.look()
            if any(words in self.text(message) for message in self.messages()):
                return monotonic() - start
            await asyncio.sleep(0.1)
        raise AssertionError([self.text(message) for message in self.messages()])

    async def act(self, kind: str, **body: Any) -> dict[str, Any]:
        """Act on what was last seen; raises Refused unless the bot answered."""
        self.sequence += 1
        receipt = await self._call(
            "POST",
            "/api/action",
            {
                "protocol_version": 3,
                "kind": kind,
                "sequence": self.sequence,
                "request_id": str(uuid.uuid4()),
                "generation": self.state["context"]["generation"],
                "bot_generation": self.state["botGeneration"],
                "published_revision": self.state["publishedRevision"],
                **body,
            },
        )
        self.sequence = receipt["expectedSequence"]
        if receipt["rejected"] or receipt["settlement"] != "settled":
            raise Refused(receipt["diagnostics"])
        if receipt["acknowledgement"] == "unacknowledged":
            raise Refused("the bot did not answer")
        return receipt

    def button(self, label: str) -> tuple[str, str]:
        """The message and the key of the newest button with this label."""
        for message in reversed(self.messages()):
            for component in walk(message["components"]):
                if component.get("label") == label and not component.get("disabled"):
                    return message["id"], component["control_key"]
        raise AssertionError(label)

    async def click(self, label: str) -> dict[str, Any]:
        message, key = self.button(label)
        return await self.act("click", target_id=message, control_key=key)

    async def choose(self, value: str) -> dict[str, Any]:
        for message in reversed(self.messages()):
            for component in walk(message["components"]):
                if component.get("options"):
                    key = component["control_key"]
                    return await self.act(
                        "select", target_id=message["id"], control_key=key, values=[value]
                    )
        raise AssertionError(value)

    async def _command(self, name: str) -> dict[str, Any]:
        catalog = await self._call("GET", "/api/commands")
        entry = next(one for one in catalog["entries"] if one["invocation"] == name)
        return {
            "command_id": entry["commandId"],
            "path": entry["path"],
            "schema_fingerprint": entry["schemaFingerprint"],
        }

    async def command(self, name: str, **options: Any) -> dict[str, Any]:
        return await self.act("run_command", **await self._command(name), options=options)

    async def suggestions(self, name: str, option: str, value: str) -> list[str]:
        command = await self._command(name)
        receipt = await self.act(
            "autocomplete_command", **command, focused=option, value=value, options={}
        )
        return [choice["name"] for choice in receipt["result"]["choices"]]
