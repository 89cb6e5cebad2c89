"""What a table shows in its channel: one redraw task a table, which draws the newest state.

Messages are level-triggered: whatever was missed, the next drawing shows it. So nothing is queued
but the few messages that are news in themselves (a round's result), and a burst of moves becomes as
many edits as Discord lets through.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import discord

from bot.manager import Manager
from bot.records import Board, Record, Stage
from bot.refusals import NotSaved
from bot.tables import Change, Table
from bot.texts import Texts, Words
from bot.ui.frame import Frame, Reader
from bot.ui.hands import Hands
from bot.ui.layout import draw, pressable, shows
from bot.ui.panel import Panel
from bot.ui.presenter import AnyPresenter
from bot.ui.replies import NOBODY, UNREACHABLE
from engine.errors import GameError

log = logging.getLogger(__name__)

BOARD_OLDEST = 60 * 60
"""Seconds after which a board is sent anew: Discord throttles edits of old messages."""

Place = discord.TextChannel | discord.Thread | discord.VoiceChannel | discord.StageChannel

UNTOUCHED = 60
"""Seconds without a press after which a person who is asked something is mentioned."""

CLOSING = 4
"""Seconds that drawings may still take when the bot ends; the next start draws what was not."""

PAUSES = (1, 5)
"""Seconds after which a drawing is tried again when the connection broke; then `retry` does."""

END_LONGEST = 24 * 60 * 60
"""Seconds for which the end of a table that can't be shown is kept in mind."""

STRAYS = 10
"""How many messages are looked through for boards of a bot that died before it noted them."""

# Discord's codes for what a channel or message can suffer.
UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE = 10003, 10004, 10008
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
MISSING_ACCESS, MISSING_PERMISSIONS = 50001, 50013
THREAD_ARCHIVED, EDITED_TOO_OFTEN = 50083, 30046

LOCKED = "thread_locked"
"""Stands among missing permissions for a thread that a moderator locked."""

NEEDED = ("view_channel", "read_message_history")


@dataclass(slots=True)
class _Sheet:
    """What is still to be shown of one table."""

    table: Table
    dirty: bool = False
    fresh: bool = False
    remind: bool = False
    reminder: int | None = None  # who asked for the reminder, and needs none
    strays: bool = False  # boards may stand in the channel that were never noted
    notices: list[tuple[Panel, ...]] = field(default_factory=list[tuple[Panel, ...]])
    untold: tuple[int, Panel] | None = None  # a message that stopped amid its beats, and its end
    hands: set[int] = field(default_factory=set[int])  # users whose panels are to be redrawn
    task: asyncio.Task[None] | None = None
    private: asyncio.Task[None] | None = None  # redraws the hands, beside the board
    stale: set[int] = field(default_factory=set[int])  # replaced boards that still stand
    telling: str = ""  # the nonce of a notice that may have arrived
    trouble: tuple[str, ...] = ()  # permissions that the last drawing lacked
    failed: bool = False  # Discord refused the last drawing for another reason
    sent: int = 0  # boards sent by this process, for the nonce
    own_last: int | None = None  # the last message that we sent for this table


class Screen:
    """Shows every table in its channel and the hands that are still open."""

    def __init__(
        self,
        client: discord.Client,
        manager: Manager,
        texts: Texts,
        presenters: Mapping[str, AnyPresenter],
        now: Callable[[], float],
        *,
        beat_seconds: float = 0.0,
    ) -> None:
        self._client = client
        self._manager = manager
        self._texts = texts
        self._presenters = presenters
        self._now = now
        self._beat_seconds = beat_seconds
        self._began_at = now()
        self._sheets: dict[int, _Sheet] = {}
        self._hands = Hands(self._frame, now)
        self._closed = False
        manager.listen(self.changed)

    # --- what others tell it -----------------------------------------------------------------

    def changed(self, change: Change) -> None:
        """A change was written: show it soon."""
        sheet = self._sheet(change.table)
        sheet.fresh |= change.fresh_board
        # A reminder is of the question that was asked then: of the next one nobody is reminded.
        sheet.remind = change.remind or (sheet.remind and not change.new_question)
        if change.remind:
            sheet.reminder = change.actor
        sheet.hands |= self._hands.concerned(change)
        self._start(sheet)  # before the news is put into words, which may fail
        if beats := self._frame(change.table).beats(change.news):
            sheet.notices.append(beats)
            sheet.fresh = True

    def redraw(self, table: Table, *, fresh: bool = False) -> None:
        """Draw the table again, at the bottom of its channel if `fresh`."""
        sheet = self._sheet(table)
        sheet.fresh |= fresh
        self._start(sheet)

    def bring_down(self, table: Table) -> None:
        """Show the board at the bottom of its channel; where it stands there already, it stays."""
        channel, board = self._client.get_channel(table.record.channel_id), table.record.board
        last = channel.last_message_id if isinstance(channel, Place) else None
        self.redraw(table, fresh=board is None or last != board.message_id)

    def restored(self, table: Table) -> None:
        """Draw a table that was taken up after a restart."""
        self._sheet(table).strays = True
        self.redraw(table)

    def remember(
        self,
        interaction: discord.Interaction[Any],
        panel: Panel,
        message_id: int,
        reader: Reader,
        words: Words,
    ) -> None:
        """A person was shown `panel` privately: a hand is kept up to date while it can be."""
        self._hands.shown(message_id, reader.user_id)
        if panel.live and panel.table in self._manager.tables:
            self._hands.remember(interaction, panel, message_id, reader, words)

    async def still_member(self, table: Table, user_id: int) -> bool:
        """Whether somebody at the table is on its server; who is not leaves the table by that.

        Discord tells only bots that may watch all members of those who go; so the bot asks when it
        matters: before it mentions somebody, and where everybody waits for a host.
        """
        guild = self._client.get_guild(table.record.guild_id)
        if guild is None or await _is_member(guild, user_id):
            return True
        try:
            await self._manager.leave(table.id, user_id)
        except GameError as error:
            log.info("table %d: a member is gone (%s)", table.id, error.code)
        return False

    def trouble(self, table: Table, words: Words) -> str:
        """A sentence about what keeps the board from being shown; "" if nothing does."""
        sheet = self._sheets.get(table.id)
        if sheet is None or not sheet.trouble:
            return ""
        if sheet.trouble == (LOCKED,):
            return words("error-thread-locked")
        names = [words(f"permission-{name.replace('_', '-')}") for name in sheet.trouble]
        return words("error-missing-permission", permissions=words("list-joint").join(names))

    def retry(self) -> None:
        """Try again to show tables that could not be shown; called now and then."""
        for sheet in list(self._sheets.values()):
            if sheet.trouble or sheet.failed:
                self._start(sheet)

    async def nudge(self) -> None:
        """Mention people who have turned away since they were asked; called now and then."""
        for table in list(self._manager.tables.values()):
            sheet = self._sheet(table)
            try:
                if sheet.task is None and await self._to_mention(sheet):
                    self._start(sheet)
            except NotSaved:
                return  # the ledger has logged why

    async def close(self) -> None:
        """Finish the drawings under way, within a few seconds; none begins afterwards."""
        self._closed = True
        sheets = self._sheets.values()
        tasks = [t for s in sheets for t in (s.task, s.private) if t is not None]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=CLOSING)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # --- drawing -----------------------------------------------------------------------------

    def _sheet(self, table: Table) -> _Sheet:
        sheet = self._sheets.get(table.id)
        if sheet is None:
            sheet = self._sheets[table.id] = _Sheet(table)
        sheet.table = table
        return sheet

    def _start(self, sheet: _Sheet) -> None:
        sheet.dirty = True
        if sheet.task is None and not self._closed:
            sheet.task = asyncio.create_task(self._run(sheet))

    async def _run(self, sheet: _Sheet) -> None:
        """Draw until nothing is left to draw. The outermost edge of drawing: faults end here."""
        try:
            while sheet.dirty:
                sheet.dirty = False
                await self._draw_again(sheet)
        except discord.HTTPException as error:
            try:
                await self._failed(sheet, error)
            except NotSaved:
                sheet.failed = True  # the ledger has logged why
        except UNREACHABLE as error:
            sheet.failed = True
            log.warning("table %d: not drawn (%r)", sheet.table.id, error)
        except NotSaved:
            sheet.failed = True  # the ledger has logged why
        except Exception:
            log.exception("table %d: the board could not be drawn", sheet.table.id)
        finally:
            sheet.task = None
            if sheet.dirty and not self._closed:
                self._start(sheet)

    async def _draw_again(self, sheet: _Sheet) -> None:
        """Draw, also when the connection breaks once or twice."""
        for pause in PAUSES:
            try:
                return await self._draw(sheet)
            except UNREACHABLE as error:
                log.info("table %d: drawn again in %d s (%r)", sheet.table.id, pause, error)
                await asyncio.sleep(pause)
                sheet.dirty = False
        return await self._draw(sheet)

    async def _draw(self, sheet: _Sheet) -> None:
        """Hands beside the board: a board that Discord makes us wait for delays nobody's move.

        Only where a result unfolds beat by beat, no hand gives it away before.
        """
        first = self._beat_seconds and any(len(beats) > 1 for beats in sheet.notices)
        if not first:
            self._start_hands(sheet)
        await self._draw_public(sheet)
        self._start_hands(sheet)

    def _start_hands(self, sheet: _Sheet) -> None:
        if sheet.hands and sheet.private is None and not self._closed:
            sheet.private = asyncio.create_task(self._run_hands(sheet))

    async def _run_hands(self, sheet: _Sheet) -> None:
        """Redraw open hands. An outermost edge: whoever looks at one, the table goes on."""
        try:
            await self._draw_hands(sheet)
        except Exception:
            log.exception("table %d: a hand could not be drawn", sheet.table.id)
        finally:
            sheet.private = None

    async def _draw_hands(self, sheet: _Sheet) -> None:
        """Redraw the open hands that have news."""
        pauses = iter(PAUSES)
        while sheet.hands:
            users, sheet.hands = sheet.hands, set()
            late = await self._hands.draw(sheet.table, users)
            if not late:
                continue
            sheet.hands |= late
            pause = next(pauses, None)
            if pause is None:
                sheet.failed = True  # `retry` draws the rest
                return
            await asyncio.sleep(pause)

    async def _draw_public(self, sheet: _Sheet) -> None:
        table = sheet.table
        channel = await self._channel(table.record)
        lacking = () if channel is None else self._missing(channel)
        long_over = (table.record.ended_at or math.inf) < self._now() - END_LONGEST
        if long_over and (channel is None or lacking):
            self._forget(table)
            await self._manager.note(table, lambda record: replace(record, settled=True))
            return
        if channel is None:
            sheet.failed = True
            return
        if lacking:
            if sheet.trouble != lacking:
                log.warning("table %d: missing %s in its channel", table.id, ", ".join(lacking))
            sheet.trouble = lacking
            return
        if sheet.untold is not None:
            await self._edited(channel, *sheet.untold)
            sheet.untold = None
        while sheet.notices:
            await self._tell(sheet, channel)
        if sheet.strays:
            await self._remove_strays(sheet, channel)
            sheet.strays = False
        over = not table.record.live  # if it ends while it is drawn, it is drawn once more
        await self._draw_board(sheet, channel)
        for message_id in sorted(sheet.stale):
            if await self._delete(channel, message_id):
                sheet.stale.discard(message_id)
        sheet.trouble, sheet.failed = (), bool(sheet.stale)
        if over:
            await self._settle(table, channel)

    async def _tell(self, sheet: _Sheet, channel: Place) -> None:
        """Send the first notice; one of several beats unfolds where there is time for it."""
        *before, whole = sheet.notices[0]
        beats = [*before, whole] if self._unhurried(sheet, sheet.notices[1:]) else [whole]
        if sheet.telling:
            beats = [beats[0], whole]  # what arrived with this nonce may be another beat
        else:
            sheet.telling = self._nonce(sheet)
        message = await self._send(channel, beats[0], sheet.telling)
        sheet.own_last, sheet.telling = message.id, ""
        sheet.notices.pop(0)
        for beat in beats[1:]:
            sheet.untold = (message.id, whole)
            await asyncio.sleep(self._beat_seconds)
            shown = beat if self._unhurried(sheet, sheet.notices) else whole
            await self._edited(channel, message.id, shown)
            if shown is whole:
                break
        sheet.untold = None

    def _unhurried(self, sheet: _Sheet, waiting: Sequence[object]) -> bool:
        """Whether there is time for suspense: no other news waits, no short clock, no end."""
        record = sheet.table.record
        hurried = 0 < record.clock <= UNTOUCHED or record.stage is Stage.CLOSED
        return bool(self._beat_seconds) and not (hurried or waiting or self._closed)

    async def _draw_board(self, sheet: _Sheet, channel: Place) -> None:
        table, old = sheet.table, sheet.table.record.board
        asleep = isinstance(channel, discord.Thread) and channel.archived
        scrolled, question = self._scrolled(sheet, channel), table.record.asked_at
        mention = await self._to_mention(sheet, scrolled=scrolled)
        mention = tuple([user for user in mention if await self.still_member(table, user)])
        if table.record.asked_at != question:
            mention = ()  # somebody else is asked by now, and drawn next
        too_old = old is not None and self._now() - old.sent_at > BOARD_OLDEST
        # A message wakes a thread that fell asleep; an edit is refused there.
        stays = not (mention or scrolled or sheet.fresh or too_old or asleep)
        panel = self._frame(table).public(mention=mention)
        if old is not None and stays and await self._edited(channel, old.message_id, panel):
            return
        fresh, sheet.fresh, sheet.remind = sheet.fresh, False, False
        try:
            if mention or scrolled:
                await self._note_mention(table, question)
            await self._new_board(sheet, channel, panel, mention)
        except BaseException as error:
            sheet.fresh |= fresh
            # Who may have been mentioned is not mentioned again; who was not, is.
            unsent = bool(mention) and isinstance(error, discord.HTTPException)
            sheet.remind |= unsent and table.record.asked_at == question
            raise
        if old is not None:
            sheet.stale.add(old.message_id)

    async def _note_mention(self, table: Table, question: float | None) -> None:
        def noted(record: Record) -> Record:
            return replace(record, pinged=record.pinged or record.asked_at == question)

        await self._manager.note(table, noted)

    async def _new_board(
        self, sheet: _Sheet, channel: Place, panel: Panel, mention: tuple[int, ...]
    ) -> None:
        """Send the board and note where it is."""
        table = sheet.table
        try:
            message = await self._send(channel, panel, self._nonce(sheet), mention)
        except UNREACHABLE:
            sheet.strays = True
            raise
        sheet.own_last = message.id
        board = Board(message.id, self._now())
        try:
            await self._manager.note(table, lambda record: replace(record, board=board))
        except NotSaved:
            await self._delete(channel, message.id)
            raise

    async def _remove_strays(self, sheet: _Sheet, channel: Place) -> None:
        """Boards that were never noted: we died, or the connection broke, just after sending."""
        board = sheet.table.record.board
        known, others, me = None if board is None else board.message_id, False, self._client.user
        story: int | None = None  # below the board: we died while it was told
        async for message in channel.history(limit=STRAYS):
            ours = me is not None and message.author.id == me.id
            others |= not ours and (known is None or message.id > known)
            if ours and message.id != known and shows(message, sheet.table.id):
                await self._delete(channel, message.id)
            elif ours and known is not None and message.id > known and not pressable(message):
                story = story or message.id
        if story is not None:
            sheet.fresh = True
            if whole := self._last_story(sheet.table):
                await self._edited(channel, story, whole)
        if not others:
            sheet.own_last = channel.last_message_id

    def _last_story(self, table: Table) -> Panel | None:
        """The end of what was told last in a message of its own, as far as the feed goes back."""
        frame, news = self._frame(table), list(table.feed)
        tails = (frame.beats(news[start:]) for start in reversed(range(len(news))))
        return next((beats[-1] for beats in tails if beats), None)

    async def _edited(self, channel: Place, message_id: int, panel: Panel) -> bool:
        """Redraw the board in place; False when Discord wants a new one."""
        try:
            await channel.get_partial_message(message_id).edit(
                view=draw(panel), allowed_mentions=NOBODY
            )
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, EDITED_TOO_OFTEN):
                raise
            return False
        return True

    def _nonce(self, sheet: _Sheet) -> str:
        """Names one message, so that Discord drops the second when a send is tried twice."""
        sheet.sent += 1
        return f"{sheet.table.id}-{sheet.sent}-{int(self._now())}"[:25]

    def _scrolled(self, sheet: _Sheet, channel: Place) -> bool:
        """Whether other messages stand below the board, and somebody must notice it."""
        record = sheet.table.record
        if record.board is None or record.pinged or not sheet.table.waiting_for():
            return False
        return channel.last_message_id not in (None, sheet.own_last, record.board.message_id)

    async def _to_mention(self, sheet: _Sheet, *, scrolled: bool = False) -> tuple[int, ...]:
        """The users to mention now: asked, not looking, and at most once a question."""
        table = sheet.table
        record = table.record
        if record.stage is not Stage.PLAYING or (record.pinged and not sheet.remind):
            return ()
        found: list[int] = []
        for seat in table.waiting_for():
            user_id = record.sitters[seat].user_id
            if user_id is None or (sheet.remind and user_id == sheet.reminder):
                continue
            idle = self._now() - table.touched.get(user_id, self._began_at) > UNTOUCHED
            if not (sheet.remind or idle or scrolled):
                continue
            if (await self._manager.user_settings(user_id)).pings:
                found.append(user_id)
        return tuple(found)

    async def _send(
        self,
        channel: Place,
        panel: Panel,
        nonce: str,
        mention: tuple[int, ...] = (),
    ) -> discord.Message:
        people = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user) for user in mention]
        )
        return await channel.send(
            view=draw(panel),
            allowed_mentions=people if mention else NOBODY,
            nonce=nonce,
        )

    async def _delete(self, channel: Place, message_id: int) -> bool:
        """Whether the message is gone, or can't be deleted by us ever."""
        try:
            await channel.get_partial_message(message_id).delete()
        except discord.DiscordServerError as error:
            log.info("an old board stays for now (%s)", error.status)
            return False
        except discord.NotFound:
            pass  # somebody was faster, and that is what we wanted
        except discord.HTTPException as error:
            log.info("an old board stays (%s)", error.code)
        return True

    async def _settle(self, table: Table, channel: Place | None = None) -> None:
        """The last drawing of a table that has ended."""
        await self._manager.note(table, lambda record: replace(record, settled=True))
        self._forget(table)
        again = self._manager.in_channel(table.record.channel_id)  # a rematch was faster
        if table.record.own_thread and again is None and isinstance(channel, discord.Thread):
            try:
                await channel.edit(archived=True)
            except discord.HTTPException as error:
                log.info("table %d: its thread stays open (%s)", table.id, error.code)

    def _forget(self, table: Table) -> None:
        self._sheets.pop(table.id, None)
        self._hands.forget(table.id)

    # --- helping -----------------------------------------------------------------------------

    def _frame(
        self, table: Table, words: Words | None = None, reader: Reader | None = None
    ) -> Frame:
        game = table.record.game
        info = self._manager.games[game].info
        words = words or self._texts.words(self._locale(table.record))
        return Frame(table, self._presenters[game], info, words, reader)

    def _locale(self, record: Record) -> str | None:
        guild = self._client.get_guild(record.guild_id)
        return None if guild is None else str(guild.preferred_locale)

    async def _channel(self, record: Record) -> Place | None:
        """Where the board stands; None when it is not known now (an outage, no access)."""
        found = self._client.get_channel(record.channel_id)
        if found is None:
            found = await self._client.fetch_channel(record.channel_id)
        # In an outage the server is known by its number alone, and who we are there is not.
        guild = self._client.get_guild(record.guild_id)
        return found if isinstance(found, Place) and guild and guild.me else None

    def _missing(self, channel: Place) -> tuple[str, ...]:
        """What the bot lacks here: permissions, roles and overwrites counted, or an open thread."""
        may = channel.permissions_for(channel.guild.me)
        if isinstance(channel, discord.Thread):
            return missing(may, in_thread=True) or ((LOCKED,) if channel.locked else ())
        return missing(may, in_thread=False)

    async def _failed(self, sheet: _Sheet, error: discord.HTTPException) -> None:
        """What a refused drawing means for its table."""
        table = sheet.table
        gone = error.code in (UNKNOWN_CHANNEL, UNKNOWN_GUILD)
        if not table.record.live and (gone or isinstance(error, discord.Forbidden)):
            await self._settle(table)  # nobody is left to show the end to
            return
        if gone:
            await self._manager.give_up(table.id, "closed-channel-gone")
            return
        if error.code == MISSING_ACCESS and await self._removed(table.record):
            await self._manager.give_up(table.id, "closed-bot-removed")
            return
        # Discord is down, or a permission went: the table goes on, and `retry` shows it later.
        sheet.failed = True
        if error.code in (MISSING_ACCESS, MISSING_PERMISSIONS):
            place = self._client.get_channel(table.record.channel_id)
            in_thread = isinstance(place, discord.Thread)
            sheet.trouble = ("send_messages_in_threads" if in_thread else "send_messages",)
        log.warning("table %d: not drawn (%s %s)", table.id, error.status, error.code)

    async def _removed(self, record: Record) -> bool:
        """Whether the bot is no more on the server: it may have been away when it was removed."""
        try:
            await self._client.fetch_guild(record.guild_id, with_counts=False)
        except (discord.Forbidden, discord.NotFound):
            return True
        except (discord.HTTPException, *UNREACHABLE) as error:
            log.info("a server can't be looked up (%r)", error)
        return False


async def _is_member(guild: discord.Guild, user_id: int) -> bool:
    """Whether a user is on the server; whom Discord can't tell about counts as there."""
    try:
        await guild.fetch_member(user_id)
    except discord.NotFound as error:
        return error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER)
    except (discord.HTTPException, *UNREACHABLE) as error:
        log.info("a member can't be looked up (%r)", error)
    return True


def missing(may: discord.Permissions, *, in_thread: bool) -> tuple[str, ...]:
    """The permissions in `may` that the bot needs and does not have, by discord.py's names."""
    send = "send_messages_in_threads" if in_thread else "send_messages"
    return tuple(name for name in (*NEEDED, send) if not getattr(may, name))
