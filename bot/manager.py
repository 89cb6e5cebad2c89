"""Live tables: one lane each; written down before anybody is told.

Every change goes the same way. Under the table's lock: pure rules, ONE transaction, swap of memory,
then the listeners hear of it. The whole of that is a task of its own, so that a caller who is
cancelled can't leave the database a move ahead of memory. Nothing here awaits Discord.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from bot import lobby
from bot.clock import MISSED_BEFORE_AWAY, Due, Thing, next_due
from bot.journal import FEED, News, Note, Scribe
from bot.records import (
    Entry,
    GuildSettings,
    Presence,
    Record,
    SavedMatch,
    Sitter,
    Stage,
    UserSettings,
)
from bot.refusals import (
    AlreadySeated,
    ChannelNotAllowed,
    MayNotReturn,
    NobodyAsked,
    NoTable,
    NotAllowed,
    NotBegun,
    NotOver,
    NotSaved,
    NotSeated,
    RemindedAlready,
    SeatAway,
    SeatNotFree,
)
from bot.storage import Damaged, Loaded, Storage, StorageError
from bot.tables import AnyGame, AnyMatch, Change, Listener, Table
from engine.codec import Unreadable
from engine.core import OptionValue, Seat
from engine.errors import GameError
from engine.match import Match, start

log = logging.getLogger(__name__)

T = TypeVar("T")


class Thinker(Protocol):
    """Decides for a seat that no person answers for."""

    async def decide(self, match: AnyMatch, seat: Seat, level: str) -> object:
        """A legal action; may take a while, and is cancelled when the table moves on."""
        ...


class Manager:
    """All live tables of this process. Every public coroutine refuses with a GameError."""

    def __init__(
        self,
        storage: Storage,
        games: Mapping[str, AnyGame],
        *,
        now: Callable[[], float],
        thinker: Thinker,
        think_seconds: float = 1.5,
        thinking_longest: float = 5.0,
    ) -> None:
        self.storage = storage
        self.games = games
        self.now = now
        self.tables: dict[int, Table] = {}
        self._scribes = {key: Scribe(game) for key, game in games.items()}
        self._thinker = thinker
        self._think_seconds = think_seconds
        self._thinking_longest = thinking_longest
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._listeners: list[Listener] = []
        self._running: set[asyncio.Task[Any]] = set()

    # --- looking -----------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """`listener` is called after every change, in the order of the changes of its table."""
        self._listeners.append(listener)

    def table(self, table_id: int) -> Table:
        """The live table with this id. Raises NoTable."""
        table = self.tables.get(table_id)
        if table is None:
            raise NoTable
        return table

    def in_channel(self, channel_id: int) -> Table | None:
        """The live table whose board stands in this channel."""
        for table in self.tables.values():
            if table.record.channel_id == channel_id:
                return table
        return None

    def of_guild(self, guild_id: int) -> list[Table]:
        """The live tables of a server, oldest first."""
        found = [t for t in self.tables.values() if t.record.guild_id == guild_id]
        return sorted(found, key=lambda table: table.id)

    def touch(self, table_id: int, user_id: int) -> None:
        """Somebody pressed something here: they are at the table and need no mention."""
        if (table := self.tables.get(table_id)) is not None:
            table.touched[user_id] = self.now()

    async def look_up(self, table_id: int) -> Table:
        """A table, live or ended, as it was last written. Raises NoTable, TableBroken."""
        if (table := self.tables.get(table_id)) is not None:
            return table
        loaded = await self._stored(self.storage.load(table_id))
        if loaded is None or loaded.record.game not in self.games:
            raise NoTable
        try:
            return await self._revive(loaded)
        except Unreadable:
            raise NoTable from None

    # --- the life of a table -----------------------------------------------------------------

    async def open(
        self,
        game: str,
        *,
        guild_id: int,
        channel_id: int,
        user_id: int,
        name: str,
        settings: GuildSettings | None = None,
        options: Mapping[str, OptionValue] | None = None,
        clock: int | None = None,
        own_thread: bool = False,
        home_id: int | None = None,
    ) -> Table:
        """A new lobby with its host in the first seat.

        `home_id` is the channel in which the person asked for it, if the table has a thread of its
        own. Raises ChannelTaken, ChannelNotAllowed, BadOption.
        """
        settings = settings or GuildSettings(guild_id)
        if settings.channels and (home_id or channel_id) not in settings.channels:
            raise ChannelNotAllowed(channels=" ".join(f"<#{c}>" for c in sorted(settings.channels)))
        chosen = {**settings.options.get(game, {}), **(options or {})}
        now = self.now()
        record = Record(
            id=0,
            game=game,
            guild_id=guild_id,
            channel_id=channel_id,
            stage=Stage.LOBBY,
            host_id=user_id,
            sitters=(Sitter(user_id, name),),
            options=self.games[game].info.settle(chosen),
            created_at=now,
            touched_at=now,
            own_thread=own_thread,
        )
        record = lobby.set_clock(record, settings.clock if clock is None else clock)
        return await self._finish(self._create(record, self.storage.create_table))

    async def rematch(self, table_id: int, user_id: int, name: str) -> Table:
        """A lobby with the seats and options of a table that is over; one press opens it.

        Raises NotOver, NotSeated, ChannelTaken, AlreadyFollowed.
        """
        before = await self.look_up(table_id)
        old = before.record
        if old.live or before.match is None:
            raise NotOver
        if old.seat_of(user_id) is None:
            raise NotSeated
        now = self.now()
        back = (Presence.HERE, Presence.AWAY)
        sitters = tuple(
            replace(s, presence=Presence.HERE if s.user_id else Presence.COMPUTER, missed=0)
            for s in old.sitters
            if s.user_id is None or s.presence in back or s.user_id == user_id
        )
        same_seats = len(sitters) == len(old.sitters)
        carried: Mapping[str, OptionValue] = {}
        if same_seats:
            carried = before.match.game.carry(before.match.state)
        record = Record(
            id=0,
            game=old.game,
            guild_id=old.guild_id,
            channel_id=old.channel_id,
            stage=Stage.LOBBY,
            host_id=user_id,
            sitters=sitters,
            options={**old.options, **carried},
            created_at=now,
            touched_at=now,
            clock=old.clock,
            own_thread=old.own_thread,
            follows=old.id,
        )
        return await self._finish(self._create(record, self.storage.create_rematch))

    async def _create(self, record: Record, store: Callable[[Record], Awaitable[int]]) -> Table:
        table_id = await self._stored(store(record))
        table = Table(replace(record, id=table_id), None)
        table.touched[record.host_id] = self.now()
        self.tables[table_id] = table
        self._tell(Change(table, fresh_board=True))
        return table

    async def join(self, table_id: int, user_id: int, name: str) -> None:
        """Take a seat in the lobby. Raises AlreadyBegun, AlreadySeated, LobbyFull."""
        await self._alter(
            table_id, user_id, lambda r: lobby.join(r, self.games[r.game].info, user_id, name)
        )

    async def add_computer(self, table_id: int, user_id: int, name: str, level: str) -> None:
        """The host fills a seat with a computer player. Raises NotHost, LobbyFull."""
        await self._alter(
            table_id,
            user_id,
            lambda r: lobby.add_computer(r, self.games[r.game].info, user_id, name, level),
        )

    async def choose(self, table_id: int, user_id: int, key: str, value: OptionValue) -> None:
        """The host sets an option of the game. Raises NotHost, AlreadyBegun, BadOption."""
        await self._alter(
            table_id,
            user_id,
            lambda r: lobby.choose(r, self.games[r.game].info, user_id, key, value),
        )

    async def set_clock(
        self, table_id: int, user_id: int, seconds: int, *, moderator: bool = False
    ) -> None:
        """The time an answer may take, also for the question now asked. Raises NotAllowed."""

        def change(record: Record) -> Record:
            if not (moderator or record.host_id == user_id):
                raise NotAllowed
            record = lobby.set_clock(record, seconds)
            if record.stage is Stage.PLAYING and record.asked_at is not None:
                record = replace(
                    record, deadline=self.now() + seconds if seconds else None, reminded=False
                )
            return record

        await self._alter(table_id, user_id, change)

    async def begin(self, table_id: int, user_id: int) -> None:
        """Deal. Raises NotSeated, NotHost, TooFewSeats, ComputersOnly, AlreadyBegun."""
        await self._finish(self._begin(table_id, user_id))

    async def _begin(self, table_id: int, user_id: int) -> None:
        table = self.table(table_id)
        async with table.lock:
            self._require_live(table)
            record = table.record
            game = self.games[record.game]
            lobby.require_ready(record, game.info, user_id)
            options = dict(record.options)
            match, events = start(game, len(record.sitters), secrets.token_bytes(32), options)
            now = self.now()
            record = replace(record, stage=Stage.PLAYING, touched_at=now)
            table.touched[user_id] = now
            record = self._asked(record, match, new=True)
            await self._commit(table, record, match=match, news=events, fresh_board=True)

    async def close_table(
        self, table_id: int, reason: str, *, user_id: int | None = None, moderator: bool = False
    ) -> None:
        """End a table for whatever cause; the one way that is not the rules' own.

        With a `user_id`, only the host and moderators may: raises NotAllowed.
        """
        await self._finish(self._close_table(table_id, reason, user_id, moderator))

    async def _close_table(
        self, table_id: int, reason: str, user_id: int | None, moderator: bool
    ) -> None:
        table = self.table(table_id)
        async with table.lock:
            self._require_live(table)
            if user_id is not None and not (moderator or table.record.host_id == user_id):
                raise NotAllowed
            await self._commit(table, self._closed(table.record, reason))

    def _closed(self, record: Record, reason: str) -> Record:
        return replace(
            record,
            stage=Stage.CLOSED,
            reason=reason,
            ended_at=self.now(),
            deadline=None,
            asked_at=None,
        )

    # --- moves -------------------------------------------------------------------------------

    async def submit(self, table_id: int, user_id: int, action: object, *, epoch: int) -> None:
        """Make a move for a user. Raises NotSeated, SeatAway, and what Match.submit raises."""
        await self._finish(self._submit(table_id, user_id, action, epoch))

    async def _submit(self, table_id: int, user_id: int, action: object, epoch: int) -> None:
        table = self.table(table_id)
        async with table.lock:
            self._require_live(table)
            seat = _seat(table.record, user_id)
            sitter = table.record.sitters[seat]
            if sitter.presence in (Presence.LEFT, Presence.REMOVED):
                raise SeatAway
            now = self.now()
            table.touched[user_id] = now
            present = replace(sitter, presence=Presence.HERE, missed=0)
            record = replace(
                table.record.with_sitter(seat, present), touched_at=now, paused_at=None
            )
            await self._move(table, record, seat, action, epoch, actor=user_id)

    async def _move(
        self,
        table: Table,
        record: Record,
        seat: Seat,
        action: object,
        epoch: int,
        *,
        actor: int | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        before = table.begun
        match, events = before.submit(seat, action, epoch=epoch)
        scribe = self._scribes[record.game]
        now = self.now()
        entry = Entry(match.seq, seat, scribe.codec.dump_action(action), now, actor is None)
        outcome = match.game.outcome(match.state)
        if outcome is not None:
            record = replace(
                record,
                stage=Stage.OVER,
                reason=outcome.reason,
                ended_at=now,
                asked_at=None,
                deadline=None,
            )
        else:
            record = self._asked(record, match, new=match.epoch != before.epoch)
        table.moved_at = now
        await self._commit(
            table, record, match=match, entries=(entry,), news=(*notes, *events), actor=actor
        )

    def _asked(self, record: Record, match: AnyMatch, *, new: bool) -> Record:
        """The record with the clock set for the question that is asked now."""
        if not new:
            return record
        now = self.now()
        waits = any(record.sitters[seat].waits for seat in match.pending())
        deadline = now + record.clock if record.clock and waits else None
        return replace(record, asked_at=now, deadline=deadline, reminded=False, pinged=False)

    # --- people ------------------------------------------------------------------------------

    async def leave(self, table_id: int, user_id: int) -> None:
        """Get up; in a game the computer plays on for the seat. Raises NotSeated."""
        await self._finish(self._close_seat(table_id, user_id, Presence.LEFT))

    async def remove(self, table_id: int, seat: int, *, by: int, moderator: bool = False) -> None:
        """The host or a moderator puts somebody out of this game. Raises NotAllowed, NotSeated."""
        table = self.table(table_id)
        if not (moderator or table.record.host_id == by):
            raise NotAllowed
        if not 0 <= seat < len(table.record.sitters):
            raise NotSeated
        sitter = table.record.sitters[seat]
        await self._finish(
            self._close_seat(table_id, sitter.user_id, Presence.REMOVED, computer=sitter)
        )

    async def _close_seat(
        self,
        table_id: int,
        user_id: int | None,
        presence: Presence,
        computer: Sitter | None = None,
    ) -> None:
        """The one way in which a seat loses its person, whatever the cause."""
        table = self.table(table_id)
        async with table.lock:
            self._require_live(table)
            record = table.record
            if user_id is not None:
                seat = _seat(record, user_id)
            elif record.stage is Stage.LOBBY and computer in record.sitters:
                seat = Seat(record.sitters.index(computer))
            else:
                raise NotSeated
            note = Note(f"note-{presence}", {"name": record.sitters[seat].name})
            if record.stage is Stage.LOBBY:
                record = lobby.without(record, seat)
                empty = all(s.user_id is None for s in record.sitters)
                if empty:
                    record = self._closed(record, "closed-empty")
                await self._commit(table, replace(record, touched_at=self.now()))
                return
            record = record.with_sitter(seat, replace(record.sitters[seat], presence=presence))
            await self._settle_people(table, record, note)

    async def stand_in(self, table_id: int, user_id: int) -> None:
        """Let the computer play for me until I am back. Raises NotSeated, NotBegun."""

        def change(table: Table) -> tuple[Record, Note]:
            seat = _seat(table.record, user_id)
            _require_playing(table.record)
            sitter = replace(table.record.sitters[seat], presence=Presence.AWAY, missed=0)
            return table.record.with_sitter(seat, sitter), Note("note-away", {"name": sitter.name})

        await self._finish(self._change_people(table_id, change))

    async def come_back(self, table_id: int, user_id: int) -> None:
        """Answer for the own seat again. Raises NotSeated, MayNotReturn; no harm if never gone."""

        def change(table: Table) -> tuple[Record, Note] | None:
            seat = _seat(table.record, user_id)
            sitter = table.record.sitters[seat]
            if sitter.presence is Presence.REMOVED:
                raise MayNotReturn
            table.touched[user_id] = self.now()
            if sitter.waits:
                return None
            back = replace(sitter, presence=Presence.HERE, missed=0)
            return table.record.with_sitter(seat, back), Note("note-back", {"name": sitter.name})

        await self._finish(self._change_people(table_id, change))

    async def take_seat(self, table_id: int, seat: int, user_id: int, name: str) -> None:
        """Somebody new plays on for a seat that its person gave up, or for a computer player.

        Nobody who has seen another hand of this game may: raises AlreadySeated, MayNotReturn,
        SeatNotFree.
        """
        free = (Presence.LEFT, Presence.REMOVED, Presence.COMPUTER)

        def change(table: Table) -> tuple[Record, Note]:
            record = table.record
            _require_playing(record)
            if record.seat_of(user_id) is not None:
                raise AlreadySeated
            if user_id in record.former:
                raise MayNotReturn
            if not 0 <= seat < len(record.sitters) or record.sitters[seat].presence not in free:
                raise SeatNotFree
            old = record.sitters[seat]
            former = record.former if old.user_id is None else record.former | {old.user_id}
            table.touched[user_id] = self.now()
            record = replace(record.with_sitter(seat, Sitter(user_id, name)), former=former)
            return record, Note("note-took", {"name": name, "old": old.name})

        await self._finish(self._change_people(table_id, change))

    async def hand_over(
        self, table_id: int, user_id: int, to: int, *, moderator: bool = False
    ) -> None:
        """Make somebody else at the table its host. Raises NotAllowed, NotSeated."""

        def change(record: Record) -> Record:
            if not (moderator or record.host_id == user_id):
                raise NotAllowed
            if not record.sitters[_seat(record, to)].waits:
                raise NotSeated
            return replace(record, host_id=to)

        await self._alter(table_id, user_id, change)

    async def _change_people(
        self, table_id: int, change: Callable[[Table], tuple[Record, Note] | None]
    ) -> None:
        table = self.table(table_id)
        async with table.lock:
            self._require_live(table)
            if (changed := change(table)) is not None:
                await self._settle_people(table, *changed)

    async def _settle_people(self, table: Table, record: Record, note: Note) -> None:
        """Write a change of who is there: host, clock, pause and end follow from it."""
        now = self.now()
        record = lobby.with_present_host(replace(record, touched_at=now))
        reachable = (Presence.HERE, Presence.AWAY)
        if not any(s.presence in reachable for s in record.sitters):
            await self._commit(table, self._closed(record, "closed-everyone-left"), news=(note,))
            return
        if any(s.waits for s in record.sitters):
            record = replace(record, paused_at=None)
        elif record.paused_at is None:
            record = replace(record, paused_at=now)
        match = table.begun
        waiting = any(record.sitters[s].waits for s in match.pending())
        was_waiting = bool(table.waiting_for())
        if waiting and not was_waiting:
            record = self._asked(record, match, new=True)
        elif not waiting:
            record = replace(record, deadline=None)
        await self._commit(table, record, news=(note,))

    async def remind(self, table_id: int, user_id: int) -> None:
        """Mention who is asked, once a question. Raises NotSeated, NobodyAsked, RemindedAlready."""
        table = self.table(table_id)

        def change(record: Record) -> Record:
            _seat(record, user_id)
            if not [s for s in table.waiting_for() if record.sitters[s].user_id != user_id]:
                raise NobodyAsked
            if record.reminded:
                raise RemindedAlready
            return replace(record, reminded=True)

        await self._alter(table_id, user_id, change, remind=True)

    # --- what nobody presses -----------------------------------------------------------------

    def next_due(self) -> float | None:
        """When the first thing that nobody presses is due; None when nothing is."""
        dues = [due.at for t in self.tables.values() if (due := self._due(t)) is not None]
        return min(dues, default=None)

    def _due(self, table: Table) -> Due | None:
        thinks = bool(table.automatic()) and table.id not in self._thinking
        return next_due(table.record, table.moved_at + self._think_seconds if thinks else None)

    async def tick(self) -> None:
        """Do everything that is due; a table that fails is logged and disturbs no other."""
        now = self.now()
        for table in list(self.tables.values()):
            due = self._due(table)
            if due is None or due.at > now:
                continue
            try:
                await self._finish(self._tick(table))
            except GameError as error:
                # A person was faster, or the disk is full: the next tick sees the table as it is.
                log.info("table %d: nothing was due after all (%s)", table.id, error.code)

    async def _tick(self, table: Table) -> None:
        async with table.lock:
            record, due = table.record, self._due(table)
            if due is None or due.at > self.now():
                return
            match due.thing:
                case Thing.CLOSE_IDLE:
                    await self._commit(table, self._closed(record, "closed-idle"))
                case Thing.CLOSE_PAUSED:
                    await self._commit(table, self._closed(record, "closed-paused"))
                case Thing.COMPUTER:
                    self._think(table)
                case Thing.REMIND:
                    await self._commit(table, replace(record, reminded=True), remind=True)
                case Thing.TIME_OUT:
                    await self._time_out(table)

    async def _time_out(self, table: Table) -> None:
        """Answer for the first seat that let the time run out; the next tick sees to the others."""
        match, record = table.begun, table.record
        waiting = table.waiting_for()
        seat = waiting[0]
        sitter = record.sitters[seat]
        missed = sitter.missed + 1
        gone = missed >= MISSED_BEFORE_AWAY
        presence = Presence.AWAY if gone else Presence.HERE
        record = record.with_sitter(seat, replace(sitter, missed=missed, presence=presence))
        notes = [Note("note-time", {"name": sitter.name})]
        if gone:
            notes.append(Note("note-away", {"name": sitter.name}))
        record = lobby.with_present_host(record)
        if not any(s.waits for s in record.sitters):
            record = replace(record, paused_at=self.now(), deadline=None)
        action = match.game.fallback(match.state, seat)
        await self._move(table, record, seat, action, match.epoch, notes=notes)

    def _think(self, table: Table) -> None:
        """Let the computer decide for one seat outside the lock, then move if it still may."""
        task = asyncio.create_task(self._decide(table, table.begun, table.automatic()[0]))
        self._thinking[table.id] = task
        task.add_done_callback(self._thought)

    def _thought(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a computer player's move failed", exc_info=error)

    async def _decide(self, table: Table, match: AnyMatch, seat: Seat) -> None:
        level = table.record.sitters[seat].level
        try:
            async with asyncio.timeout(self._thinking_longest):
                action = await self._thinker.decide(match, seat, level)
        except Exception:
            # Any fault of a computer player, too slow included: the game never waits for it.
            log.exception("table %d seq %d: a computer player failed", table.id, match.seq)
            action = match.game.fallback(match.state, seat)
        finally:
            # From here on the move is made, not thought about: nobody cancels it any more.
            self._thinking.pop(table.id, None)
        try:
            await self._finish(self._answer(table, seat, action, match.epoch))
        except GameError as error:
            log.info("table %d seq %d: too late (%s)", table.id, match.seq, error.code)

    async def _answer(self, table: Table, seat: Seat, action: object, epoch: int) -> None:
        async with table.lock:
            if seat in table.automatic():
                await self._move(table, table.record, seat, action, epoch)

    async def log_of(self, table: Table) -> list[News]:
        """Everything that happened at a table, oldest first, whoever may read it."""
        scribe = self._scribes[table.record.game]
        stored = await self._stored(self.storage.events(table.id))
        return [scribe.read(row) for row in stored]

    # --- the board ---------------------------------------------------------------------------

    async def note(self, table: Table, change: Callable[[Record], Record]) -> None:
        """Write down where the board is, or that people were mentioned. Nobody is told.

        Also for a table that has ended: its last board is drawn after that.
        """

        async def work() -> None:
            async with table.lock:
                record = change(table.record)
                await self._stored(self.storage.save(record))
                table.record = record

        await self._finish(work())

    # --- settings ----------------------------------------------------------------------------

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        return await self._stored(self.storage.guild_settings(guild_id))

    async def save_guild_settings(self, settings: GuildSettings) -> None:
        """Raises BadOption for defaults that a game does not offer."""
        for key, options in settings.options.items():
            self.games[key].info.settle(options)
        await self._finish(self._stored(self.storage.save_guild_settings(settings)))

    async def user_settings(self, user_id: int) -> UserSettings:
        return await self._stored(self.storage.user_settings(user_id))

    async def save_user_settings(self, settings: UserSettings) -> None:
        await self._finish(self._stored(self.storage.save_user_settings(settings)))

    # --- start and end of the process --------------------------------------------------------

    async def restore(self) -> list[Damaged]:
        """Take up every live table; those that can't be read are marked broken and returned.

        The time during which no bot ran counts for nobody: every deadline moves by it.
        """
        now = self.now()
        alive = await self.storage.get_meta("alive_at")
        down = max(0.0, now - float(alive)) if alive is not None else 0.0
        broken: list[Damaged] = []
        for row in await self.storage.live():
            damage = row if isinstance(row, Damaged) else await self._restore_one(row, down)
            if damage is not None:
                log.error("table %d is broken: %s", damage.id, damage.why)
                await self.storage.mark_broken(damage.id, "table-broken", now)
                broken.append(damage)
        await self.heartbeat()
        return broken

    async def _restore_one(self, row: Loaded, down: float) -> Damaged | None:
        record = row.record
        try:
            table = await self._revive(row)
        except Unreadable as error:
            return Damaged(record.id, record.channel_id, record.guild_id, str(error))
        table.record = _shifted(record, down)
        table.moved_at = self.now()
        if down:
            await self.storage.save(table.record)
        self.tables[record.id] = table
        return None

    async def _revive(self, row: Loaded) -> Table:
        """A table in memory from its rows. Raises Unreadable."""
        record, saved = row.record, row.match
        game, scribe = self.games.get(record.game), self._scribes.get(record.game)
        if game is None or scribe is None:
            raise Unreadable(f"no game {record.game!r} in this version")
        match: AnyMatch | None = None
        if saved is not None:
            if (saved.rules_version, saved.edition) != (game.info.rules_version, game.edition):
                raise Unreadable("its cards or rules are another edition's")
            state = scribe.codec.load_state(saved.state)
            match = Match(game, saved.seed, saved.seats, saved.seq, state)
            if saved.seats != len(record.sitters):
                raise Unreadable("its seats do not fit its match")
        elif record.stage is Stage.PLAYING:
            raise Unreadable("its match is missing")
        table = Table(record, match)
        stored = await self.storage.events(record.id)
        table.feed.extend(scribe.read(row) for row in stored[-FEED:])
        return table

    async def unsettled(self) -> list[Table]:
        """Tables that ended without their last board being drawn: the process died in between."""
        found: list[Table] = []
        for row in await self._stored(self.storage.unsettled()):
            try:
                found.append(await self._revive(row))
            except Unreadable as error:
                log.warning("table %d: its end can't be shown (%s)", row.record.id, error)
        return found

    async def prune(self, before: float) -> None:
        """Forget tables that ended before a moment, so that the database stays small."""
        count = await self._stored(self.storage.prune(before))
        if count:
            log.info("%d old tables forgotten", count)

    async def heartbeat(self) -> None:
        """Write down that a bot runs now, so that the next start knows how long none did."""
        await self.storage.set_meta("alive_at", repr(self.now()))

    async def close(self) -> None:
        """Finish what runs; nothing is submitted afterwards."""
        thinking = list(self._thinking.values())
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, *self._running, return_exceptions=True)
        await self.heartbeat()

    # --- inside ------------------------------------------------------------------------------

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end even when whoever asked for it is cancelled."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _alter(
        self,
        table_id: int,
        user_id: int,
        change: Callable[[Record], Record],
        *,
        remind: bool = False,
    ) -> None:
        async def work() -> None:
            table = self.table(table_id)
            async with table.lock:
                self._require_live(table)
                now = self.now()
                record = replace(change(table.record), touched_at=now)
                table.touched[user_id] = now
                await self._commit(table, record, remind=remind)

        await self._finish(work())

    async def _commit(
        self,
        table: Table,
        record: Record,
        *,
        match: AnyMatch | None = None,
        entries: Sequence[Entry] = (),
        news: Sequence[News] = (),
        actor: int | None = None,
        remind: bool = False,
        fresh_board: bool = False,
    ) -> None:
        """Write, swap, tell. Called under the table's lock."""
        scribe = self._scribes[record.game]
        current = match or table.match
        seq = 0 if current is None else current.seq
        await self._stored(
            self.storage.save(
                record,
                match=None if match is None else _saved(match, scribe),
                entries=entries,
                events=[scribe.write(seq, item) for item in news],
            )
        )
        new_question = match is not None and (
            table.match is None or match.epoch != table.match.epoch
        )
        table.record = record
        if match is not None:
            table.match = match
        table.feed.extend(news)
        if new_question and (thinking := self._thinking.pop(table.id, None)) is not None:
            thinking.cancel()
        if not record.live:
            del self.tables[table.id]
        self._tell(Change(table, tuple(news), actor, new_question, remind, fresh_board))

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)

    def _require_live(self, table: Table) -> None:
        # Whoever waited for the lock may find that the table ended meanwhile.
        if not table.record.live:
            raise NoTable

    async def _stored(self, work: Awaitable[T]) -> T:
        try:
            return await work
        except StorageError as error:
            log.error("not saved: %s", error)
            raise NotSaved from error


def _saved(match: AnyMatch, scribe: Scribe) -> SavedMatch:
    info = match.game.info
    state = scribe.codec.dump_state(match.state)
    return SavedMatch(
        info.rules_version, match.game.edition, match.seed, match.seats, match.seq, state
    )


def _seat(record: Record, user_id: int) -> Seat:
    seat = record.seat_of(user_id)
    if seat is None:
        raise NotSeated
    return seat


def _require_playing(record: Record) -> None:
    if record.stage is not Stage.PLAYING:
        raise NotBegun


def _shifted(record: Record, seconds: float) -> Record:
    """The record with every running time moved by `seconds`."""

    def later(moment: float | None) -> float | None:
        return None if moment is None else moment + seconds

    return replace(
        record,
        touched_at=record.touched_at + seconds,
        asked_at=later(record.asked_at),
        deadline=later(record.deadline),
        paused_at=later(record.paused_at),
    )
