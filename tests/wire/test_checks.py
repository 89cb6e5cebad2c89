"""What the loopback Discord refuses, asked over HTTP as any client would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.wire.actors import Person
from tests.wire.checks import EPHEMERAL, V2
from tests.wire.places import Channel
from tests.wire.records import Interaction
from tests.wire.world import World

Json = dict[str, Any]
NOBODY: Json = {"parse": []}


class Client:
    """The REST side of a bot, without a bot."""

    def __init__(self, world: World, session: aiohttp.ClientSession) -> None:
        self.world, self.session = world, session
        guild = world.guild()
        self.ann: Person = world.person("Ann", guild)
        self.table: Channel = guild.channel()

    async def call(
        self, method: str, path: str, body: Any = None, *, files: dict[str, bytes] | None = None
    ) -> tuple[int, Any]:
        """The status and the JSON of the answer."""
        how: Json = {"json": body}
        if files is not None:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", json.dumps(body))
            for at, (name, data) in enumerate(files.items()):
                form.add_field(f"files[{at}]", data, filename=name)
            how = {"data": form}
        url = f"{self.world.address}/api/v10{path}"
        async with self.session.request(method, url, **how) as response:
            return response.status, await response.json() if response.status != 204 else None

    async def send(self, body: Json, **how: Any) -> tuple[int, Any]:
        return await self.call("POST", f"/channels/{self.table.id}/messages", body, **how)

    async def press(self) -> Interaction:
        """A press on a button of a new message, not answered yet."""
        body = v2(row(button("a"))) | {"allowed_mentions": NOBODY}
        _, message = await self.send(body)
        return await self.ann.click(self.world.messages[int(message["id"])], "a", wait=False)

    async def respond(self, to: Interaction, kind: int, data: Any = None) -> tuple[int, Any]:
        path = f"/interactions/{to.id}/{to.token}/callback"
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        return await self.call("POST", path, body)


@pytest.fixture
async def client(world: World) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bot {world.token}"}
    timeout = aiohttp.ClientTimeout(total=5)
    async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:
        yield Client(world, session)


# ------------------------------------------------------------------- makers of bodies
def v2(*parts: Json, **more: Any) -> Json:
    return {"flags": V2, "components": list(parts), **more}


def text(content: str = "words") -> Json:
    return {"type": 10, "content": content}


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}


def button(custom_id: str = "b", **more: Any) -> Json:
    return {"type": 2, "style": 1, "custom_id": custom_id, "label": "Press", **more}


def select(count: int = 2, **more: Any) -> Json:
    options = [{"label": f"option {n}", "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **more}


def option(**more: Any) -> Json:
    return select(options=[{"label": "l", "value": "v", **more}])


def box(*parts: Json) -> Json:
    return {"type": 17, "components": list(parts)}


def section(*parts: Json, accessory: Json | None = None) -> Json:
    return {"type": 9, "components": list(parts), "accessory": accessory or button()}


def gallery(url: str) -> Json:
    return {"type": 12, "items": [{"media": {"url": url}}]}


def rows_of_buttons(rows: int) -> list[Json]:
    return [row(*(button(f"{r}.{n}") for n in range(4))) for r in range(rows)]


GOOD: dict[str, Json] = {
    "words": {"content": "words"},
    "2000 characters": {"content": "x" * 2000},
    "40 components": v2(*rows_of_buttons(8)),
    "4000 characters": v2(text("x" * 2000), box(text("x" * 2000))),
    "a table": v2(
        box(text(), section(text()), {"type": 14, "spacing": 2}, row(button("c"))),
        gallery("https://example.org/a.png"),
        row(select(25, min_values=0, max_values=25)),
    ),
    "emoji only": v2(
        row(button(label=None, emoji={"name": "🃏"}), button("k", emoji={"name": "1️⃣"}))
    ),
    "a link": v2(row({"type": 2, "style": 5, "label": "go", "url": "https://example.org"})),
    "rows without V2": {"content": "c", "components": [row(button())]},
}
BAD_MESSAGES: dict[str, tuple[Json, str]] = {
    "nothing": ({}, "empty message"),
    "white space": ({"content": ""}, "empty message"),
    "no components": (v2(), "empty message"),
    "2001 characters": ({"content": "x" * 2001}, "BASE_TYPE_BAD_LENGTH"),
    "unknown key": ({"content": "c", "colour": 3}, "UNKNOWN_KEY"),
    "unknown key deep down": (v2(row(button(tooltip="t"))), "UNKNOWN_KEY"),
    "content with V2": (v2(text(), content="c"), "LEGACY_FIELDS_WITH_COMPONENTS_V2"),
    "embeds with V2": (v2(text(), embeds=[{"title": "t"}]), "LEGACY_FIELDS_WITH_COMPONENTS_V2"),
    "V2 parts without the flag": ({"components": [text()]}, "UNION_TYPE_CHOICES"),
    "41 components": (v2(*rows_of_buttons(8), text()), "TOTAL_COMPONENTS_EXCEEDED"),
    "41 with accessories": (v2(*[section(text()) for _ in range(14)]), "TOTAL_COMPONENTS_EXCEEDED"),
    "4001 characters": (v2(text("x" * 2000), box(text("x" * 2001))), "TEXT_SIZE_EXCEEDED"),
    "empty text": (v2(text("")), "BASE_TYPE_REQUIRED"),
    "a container in a container": (v2(box(box(text()))), "UNION_TYPE_CHOICES"),
    "an empty container": (v2(box()), "BASE_TYPE_BAD_LENGTH"),
    "a section with four texts": (v2(section(*[text()] * 4)), "BASE_TYPE_BAD_LENGTH"),
    "a section with a button inside": (v2(section(button())), "UNION_TYPE_CHOICES"),
    "a select as accessory": (v2(section(text(), accessory=select())), "UNION_TYPE_CHOICES"),
    "a bare button": (v2(button()), "UNION_TYPE_CHOICES"),
    "an empty row": (v2(row()), "BASE_TYPE_BAD_LENGTH"),
    "six buttons": (v2(row(*(button(str(n)) for n in range(6)))), "BASE_TYPE_BAD_LENGTH"),
    "two selects in a row": (
        v2(row(select(), select(custom_id="t"))),
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "a select beside a button": (v2(row(select(), button())), "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    "six rows without V2": (
        {"content": "c", "components": [row(button(str(n))) for n in range(6)]},
        "BASE_TYPE_BAD_LENGTH",
    ),
    "26 options": (v2(row(select(26))), "BASE_TYPE_BAD_LENGTH"),
    "no options": (v2(row(select(0))), "BASE_TYPE_BAD_LENGTH"),
    "a long option": (v2(row(option(label="x" * 101))), "BASE_TYPE_BAD_LENGTH"),
    "a long value": (v2(row(option(value="x" * 101))), "BASE_TYPE_BAD_LENGTH"),
    "a long description": (v2(row(option(description="x" * 101))), "BASE_TYPE_BAD_LENGTH"),
    "an empty label of an option": (v2(row(option(label=""))), "BASE_TYPE_REQUIRED"),
    "a value twice": (
        v2(row(select(options=[{"label": "a", "value": "v"}, {"label": "b", "value": "v"}]))),
        "OPTION_VALUE_DUPLICATED",
    ),
    "more picks than options": (v2(row(select(2, max_values=3))), "BASE_TYPE_MAX"),
    "min over max": (v2(row(select(3, min_values=2, max_values=1))), "BASE_TYPE_MAX"),
    "a long placeholder": (v2(row(select(placeholder="x" * 151))), "BASE_TYPE_BAD_LENGTH"),
    "a long custom id": (v2(row(button("x" * 101))), "BASE_TYPE_BAD_LENGTH"),
    "a custom id twice": (v2(row(button()), box(row(button()))), "CUSTOM_ID_DUPLICATED"),
    "an id twice": (v2(text() | {"id": 5}, text() | {"id": 5}), "COMPONENT_ID_DUPLICATED"),
    "a long button": (v2(row(button(label="x" * 81))), "BASE_TYPE_BAD_LENGTH"),
    "a blank button": (v2(row(button(label=""))), "LABEL_OR_EMOJI_REQUIRED"),
    "a bogus emoji": (v2(row(button(emoji={"name": "smile"}))), "INVALID_EMOJI"),
    "a strange emoji": (v2(row(button(emoji={"name": "x", "id": "7"}))), "INVALID_EMOJI"),
    "a link with a custom id": (
        v2(row(button(style=5, url="https://example.org"))),
        "BUTTON_COMPONENT_STYLE",
    ),
    "a script for a link": (
        v2(row({"type": 2, "style": 5, "label": "l", "url": "javascript:x"})),
        "STRING_TYPE_REGEX",
    ),
    "a picture that was not uploaded": (v2(gallery("attachment://a.png")), "ATTACHMENT_NOT_FOUND"),
    "an attachment that was not uploaded": (
        {"content": "c", "attachments": [{"id": 0, "filename": "a.png"}]},
        "ATTACHMENT_NOT_FOUND",
    ),
    "mentions both ways": (
        {"content": "c", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "PARSE_EXCLUSIVE",
    ),
    "an empty field": (
        {"embeds": [{"title": "t", "fields": [{"name": "", "value": "v"}]}]},
        "BASE_TYPE_REQUIRED",
    ),
    "an empty embed": ({"embeds": [{}]}, "BASE_TYPE_REQUIRED"),
    "an ephemeral message of a channel": ({"content": "c", "flags": EPHEMERAL}, "ephemeral"),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD.keys())
async def test_good_messages_are_taken(client: Client, body: Json) -> None:
    status, message = await client.send(body | {"allowed_mentions": NOBODY})
    assert status == 200, message


@pytest.mark.parametrize(("body", "told"), BAD_MESSAGES.values(), ids=BAD_MESSAGES.keys())
async def test_bad_messages_are_refused(client: Client, body: Json, told: str) -> None:
    status, answer = await client.send({"allowed_mentions": NOBODY} | body)
    assert status == 400
    assert answer["code"] in (50035, 50006)
    assert told in json.dumps(answer)
    assert len(client.world.violations) == 1
    assert not client.world.messages
    client.world.violations.clear()


@pytest.mark.parametrize("world_options", [{"largest_file": 100}])
async def test_files(client: Client) -> None:
    body = v2(gallery("attachment://a.png")) | {"attachments": [{"id": 0, "filename": "a.png"}]}
    status, message = await client.send(body, files={"a.png": b"1"})
    assert status == 200
    for files in ({"a.png": bytes(101)}, {f"{n}.png": b"1" for n in range(11)}):
        status, answer = await client.send({}, files=files)
        assert (status, answer["code"]) == (413, 40005)
    path = f"/channels/{client.table.id}/messages/{message['id']}"
    status, answer = await client.call("PATCH", path, {"attachments": []} | v2())
    assert (status, answer["code"]) == (400, 50006)
    client.world.violations.clear()


async def test_text_without_allowed_mentions_is_noted(client: Client) -> None:
    assert (await client.send({"content": f"hello {client.ann.mention}"}))[0] == 200
    assert "allowed_mentions" in client.world.violations.pop()
    told, quiet = NOBODY | {"users": [str(client.ann.id)]}, NOBODY
    pinged = []
    for allowed in (told, quiet):
        _, message = await client.send(
            v2(text(f"@everyone {client.ann.mention}")) | {"allowed_mentions": allowed}
        )
        pinged.append((len(message["mentions"]), message["mention_everyone"]))
    assert pinged == [(1, False), (0, False)]


# --------------------------------------------------------------------- interactions
def field(**more: Any) -> Json:
    item = {"type": 4, "custom_id": "f", "style": 1, **more}
    return {"type": 18, "label": "Field", "component": item}


def modal(*parts: Json, **more: Any) -> Json:
    return {"custom_id": "m", "title": "Title", "components": list(parts or [field()]), **more}


BAD_MODALS: dict[str, tuple[Json, str]] = {
    "a long title": (modal(title="x" * 46), "BASE_TYPE_BAD_LENGTH"),
    "no title": (modal(title=""), "BASE_TYPE_REQUIRED"),
    "six parts": (modal(*[field(custom_id=str(n)) for n in range(6)]), "BASE_TYPE_BAD_LENGTH"),
    "a long label": (modal(field() | {"label": "x" * 46}), "BASE_TYPE_BAD_LENGTH"),
    "a long hint": (modal(field(placeholder="x" * 101)), "BASE_TYPE_BAD_LENGTH"),
    "a custom id twice": (modal(field(), field()), "CUSTOM_ID_DUPLICATED"),
    "min over max": (modal(field(min_length=3, max_length=2)), "BASE_TYPE_MAX"),
    "a button": (modal(row(button())), "UNION_TYPE_CHOICES"),
    "a bare field": (modal({"type": 4, "custom_id": "f", "style": 1}), "UNION_TYPE_CHOICES"),
}


@pytest.mark.parametrize(("data", "told"), BAD_MODALS.values(), ids=BAD_MODALS.keys())
async def test_bad_modals_are_refused(client: Client, data: Json, told: str) -> None:
    pressed = await client.press()
    status, answer = await client.respond(pressed, 9, data)
    assert (status, answer["code"]) == (400, 50035)
    assert told in json.dumps(answer)
    assert (await client.respond(pressed, 9, modal()))[0] == 204
    client.world.violations.clear()


async def test_one_first_answer_then_others(client: Client) -> None:
    pressed = await client.press()
    hook = f"/webhooks/{client.world.app_id}/{pressed.token}"
    said = {"content": "late", "allowed_mentions": NOBODY}
    for method, path in (("POST", hook), ("PATCH", f"{hook}/messages/@original")):
        assert (await client.call(method, path, said))[1]["code"] == 10015  # nothing yet
    assert (await client.respond(pressed, 8, {"choices": []}))[1]["code"] == 50035
    assert (await client.respond(pressed, 5, {"flags": EPHEMERAL}))[0] == 204
    assert (await client.respond(pressed, 6))[1]["code"] == 40060
    assert "second first answer" in client.world.violations.pop()
    client.world.violations.clear()
    assert pressed.message.loading
    _, first = await client.call("POST", hook, said)
    _, second = await client.call("POST", hook, said)
    assert first["id"] == str(pressed.original_id)  # it completes the deferred one
    assert (pressed.message.ephemeral, pressed.followups[0].ephemeral) == (True, False)
    path = f"/channels/{client.table.id}/messages/{first['id']}"
    assert (await client.call("PATCH", path, said))[1]["code"] == 10008  # nobody's to see
    assert (await client.call("DELETE", f"{hook}/messages/{second['id']}"))[0] == 204
    client.world.advance(901)
    assert (await client.call("POST", hook, said))[1]["code"] == 50027


@pytest.mark.parametrize("world_options", [{"ack_seconds": 0.05}])
async def test_a_late_first_answer(client: Client) -> None:
    pressed = await client.press()
    await asyncio.sleep(0.06)
    status, answer = await client.respond(pressed, 6)
    assert (status, answer["code"]) == (404, 10062)


async def test_too_many_choices(client: Client) -> None:
    await client.call("PUT", f"/applications/{client.world.app_id}/commands", [COMPLETING])
    for choices in (
        [{"name": str(n), "value": str(n)} for n in range(26)],
        [{"name": "x" * 101, "value": "v"}],
        [{"name": "n", "value": "x" * 101}],
        [{"name": "", "value": "v"}],
    ):
        asked = asyncio.ensure_future(client.ann.autocomplete(client.table, "go", "card", "s"))
        await asyncio.sleep(0)
        await client.world.until(lambda: client.world.interactions)
        typing = list(client.world.interactions.values())[-1]
        assert (await client.respond(typing, 8, {"choices": choices}))[0] == 400
        assert (await client.respond(typing, 8, {"choices": choices[:0]}))[0] == 204
        assert await asked == []
    client.world.violations.clear()


# ------------------------------------------------------------------------- commands
def command(name: str = "go", *options: Json, **more: Any) -> Json:
    return {"name": name, "description": "Does it", "type": 1, "options": list(options), **more}


def given(name: str = "card", **more: Any) -> Json:
    return {"name": name, "description": "Which", "type": 3, **more}


COMPLETING = command("go", given(autocomplete=True))
GOOD_COMMANDS = [
    command("näh-1", given("a", required=True), given("b")),
    command(
        "deal",
        given(choices=[{"name": "One", "value": "1"}]),
        name_localizations={"de": "geben"},
        contexts=[0],
        default_member_permissions=8,
        nsfw=False,
    ),
    {"name": "Show Hand", "type": 2},
]
LONG = [{"name": f"{n:03}" + "x" * 97, "value": f"{n:03}"} for n in range(25)]
BAD_COMMANDS: dict[str, tuple[list[Json], str]] = {
    "capitals": ([command("Go")], "INVALID_NAME"),
    "a space": ([command("go on")], "INVALID_NAME"),
    "a long name": ([command("x" * 33)], "BASE_TYPE_BAD_LENGTH"),
    "no description": ([command(description="")], "BASE_TYPE_REQUIRED"),
    "a long description": ([command(description="x" * 101)], "BASE_TYPE_BAD_LENGTH"),
    "26 options": ([command("go", *(given(f"o{n}") for n in range(26)))], "BASE_TYPE_BAD_LENGTH"),
    "a late required one": (
        [command("go", given("a"), given("b", required=True))],
        "REQUIRED_INVALID",
    ),
    "an option twice": ([command("go", given(), given())], "NAME_ALREADY_EXISTS"),
    "a command twice": ([command(), command()], "DUPLICATE_NAME"),
    "26 choices": (
        [command("go", given(choices=[{"name": str(n), "value": str(n)} for n in range(26)]))],
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a choice twice": (
        [command("go", given(choices=[{"name": "a", "value": "v"}] * 2))],
        "ALREADY_EXISTS",
    ),
    "choices and completion": (
        [command("go", given(choices=[{"name": "a", "value": "v"}], autocomplete=True))],
        "AUTOCOMPLETE_WITH_CHOICES",
    ),
    "an unknown language": ([command(name_localizations={"kl": "go"})], "BASE_TYPE_CHOICES"),
    "a bad translation": ([command(name_localizations={"de": "Los"})], "INVALID_NAME"),
    "an option beside a subcommand": (
        [command("go", given(), {"type": 1, "name": "sub", "description": "d"})],
        "TYPE_INVALID",
    ),
    "a group in a group": (
        [command("go", {"type": 2, "name": "a", "description": "d", "options": [given(type=2)]})],
        "UNION_TYPE_CHOICES",
    ),
    "too many words": (
        [command("go", *(given(f"o{n}", choices=LONG) for n in range(5)))],
        "TOO_LARGE",
    ),
    "101 commands": ([command(f"c{n}") for n in range(101)], "MAX_NUMBER_REACHED"),
}


async def test_good_commands_are_taken_and_keep_their_ids(client: Client) -> None:
    path = f"/applications/{client.world.app_id}/commands"
    status, first = await client.call("PUT", path, GOOD_COMMANDS)
    assert status == 200, first
    _, again = await client.call("PUT", path, GOOD_COMMANDS)
    assert [c["id"] for c in first] == [c["id"] for c in again]
    assert client.ann.offered(client.table) == ["näh-1", "deal"]
    bob = client.world.person("Bob", *client.world.guilds.values())
    assert bob.offered(client.table) == ["näh-1"]
    status, one = await client.call("POST", path, command("extra"))
    assert status == 201
    assert (await client.call("DELETE", f"{path}/{one['id']}"))[0] == 204


@pytest.mark.parametrize(("body", "told"), BAD_COMMANDS.values(), ids=BAD_COMMANDS.keys())
async def test_bad_commands_are_refused(client: Client, body: list[Json], told: str) -> None:
    path = f"/applications/{client.world.app_id}/guilds/{client.table.data['guild_id']}/commands"
    status, answer = await client.call("PUT", path, body)
    assert (status, answer["code"]) == (400, 50035)
    assert told in json.dumps(answer)
    client.world.violations.clear()


# --------------------------------------------------------------------------- places
async def test_archived_and_locked_threads(client: Client) -> None:
    said = {"content": "c", "allowed_mentions": NOBODY}
    base = f"/channels/{client.table.id}"
    status, data = await client.call("POST", f"{base}/threads", {"name": "t", "type": 11})
    thread = client.world.channels[int(data["id"])]
    here = f"/channels/{thread.id}/messages"
    _, message = await client.call("POST", here, said)
    await thread.archive()
    assert status == 201
    edited = await client.call("PATCH", f"{here}/{message['id']}", said)
    assert (edited[0], edited[1]["code"]) == (400, 50083)
    assert (await client.call("POST", here, said))[0] == 200
    assert not thread.archived
    await thread.lock()
    assert (await client.call("POST", here, said))[1]["code"] == 50013
    locking = {"archived": True, "locked": False}
    assert (await client.call("PATCH", f"/channels/{thread.id}", locking))[1]["code"] == 50013
    await thread.delete()
    assert (await client.call("POST", here, said))[1]["code"] == 10003


async def test_unknown_things(client: Client) -> None:
    for path, status, code in (
        ("/channels/1", 404, 10003),
        (f"/channels/{client.table.id}/messages/1", 404, 10008),
        ("/users/1", 404, 10013),
        ("/guilds/1", 404, 10004),
        ("/voice/regions", 404, 0),
    ):
        got, answer = await client.call("GET", path)
        assert (got, answer["code"]) == (status, code), path
    assert client.world.gaps.pop() == "no route for GET /voice/regions"
    client.session.headers["Authorization"] = "Bot wrong"
    assert (await client.call("GET", "/users/@me"))[0] == 401


@pytest.mark.parametrize("world_options", [{"rate_limits": True}])
async def test_fixed_windows(client: Client) -> None:
    said = {"content": "c", "allowed_mentions": NOBODY}
    got = [await client.send(said) for _ in range(7)]
    assert [status for status, _ in got] == [200] * 5 + [429] * 2
    assert 4 < got[-1][1]["retry_after"] <= 5
    other = next(iter(client.world.guilds.values())).channel("other")
    assert (await client.call("POST", f"/channels/{other.id}/messages", said))[0] == 200
