"""What people may do at tables, and what happens there when nobody does anything.

Everything goes the same way: in the table's lane pure rules decide, then the ledger writes, swaps
and tells (see bot/ledger.py).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bot import lobby, people
from bot.clock import Due, Thing, asked, ended, next_due, shifted, timed
from bot.computers import Computers
from bot.journal import News, Note
from bot.ledger import Ledger
from bot.records import (
    Damaged,
    Entry,
    GuildSettings,
    Loaded,
    Presence,
    Record,
    Sitter,
    Stage,
    UserSettings,
)
from bot.refusals import (
    ChannelNotAllowed,
    NobodyAsked,
    NoTable,
    NotSaved,
    NotSeated,
    RemindedAlready,
    TableBroken,
)
from bot.restoring import revived
from bot.storage import Storage
from bot.tables import AnyGame, AnyMatch, Listener, Table
from bot.thinking import Thinker
from engine.codec import Unreadable
from engine.core import GameInfo, OptionValue, Seat
from engine.errors import GameError
from engine.match import start

log = logging.getLogger(__name__)

T = TypeVar("T")

FAULTS_BEFORE_CLOSING = 3
REST = 60
"""Seconds after which something that failed by a mistake of ours is tried again."""


class Manager:
    """All live tables of this process. Every public coroutine refuses with a GameError.

    Any of them may raise NoTable and NotSaved; the others are named.
    """

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
        self._ledger = Ledger(storage, games, now)
        self._changing_settings = asyncio.Lock()
        self._think_seconds = think_seconds
        self._computers = Computers(thinker, thinking_longest, self._decided)
        self._ledger.listen(self._computers.changed)

    # --- looking -----------------------------------------------------------------------------

    @property
    def tables(self) -> Mapping[int, Table]:
        """The live tables by id."""
        return self._ledger.tables

    def listen(self, listener: Listener) -> None:
        """`listener` is called after every change, in the order of the changes of its table."""
        self._ledger.listen(listener)

    def table(self, table_id: int) -> Table:
        """The live table with this id. Raises NoTable."""
        return self._ledger.table(table_id)

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
        """A table, live or ended, as it was last written. Raises TableBroken."""
        if (table := self.tables.get(table_id)) is not None:
            return table
        row = await self._ledger.read(self.storage.load(table_id))
        if row is None:
            raise NoTable
        try:
            return await self._ledger.read(self._revive(row))
        except Unreadable:
            raise TableBroken from None

    async def log_of(self, table: Table) -> list[News]:
        """All that happened at a table, oldest first, whoever may read it. Raises TableBroken."""
        scribe = self._ledger.scribes[table.record.game]
        stored = await self._ledger.read(self.storage.events(table.id))
        try:
            return [scribe.read(row) for row in stored]
        except Unreadable:
            raise TableBroken from None

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
        require_allowed(settings, home_id or channel_id)
        info = self.games[game].info
        defaults = info.still_offered(settings.options.get(game, {}))
        now = self.now()
        record = Record(
            id=0,
            game=game,
            guild_id=guild_id,
            channel_id=channel_id,
            stage=Stage.LOBBY,
            host_id=user_id,
            sitters=(Sitter(user_id, name),),
            options=info.settle({**defaults, **(options or {})}),
            created_at=now,
            touched_at=now,
            own_thread=own_thread,
        )
        record = lobby.set_clock(record, settings.clock if clock is None else clock)
        return await self._finish(self._ledger.create(record))

    async def rematch(
        self, table_id: int, user_id: int, name: str, *, home_id: int | None = None
    ) -> Table:
        """A lobby with the seats and options of a table that is over; one press opens it.

        `home_id` is as in `open`. Raises NotOver, NotSeated, MayNotReturn, ChannelNotAllowed,
        ChannelTaken, AlreadyFollowed.
        """
        old = await self.look_up(table_id)
        settings = await self.guild_settings(old.record.guild_id)
        require_allowed(settings, home_id or old.record.channel_id)
        carried: Mapping[str, OptionValue] = {}
        if old.match is not None and old.match.over:
            carried = old.match.game.carry(old.match.state)
        info = self._info(old)
        record = lobby.after(old.record, info, carried, user_id, name, self.now())
        return await self._finish(self._ledger.create(record))

    async def join(self, table_id: int, user_id: int, name: str) -> None:
        """Take a seat in the lobby. Raises AlreadyBegun, AlreadySeated, LobbyFull."""

        def change(table: Table) -> Record:
            return lobby.join(table.record, self._info(table), user_id, name)

        await self._alter(table_id, user_id, change)

    async def add_computer(self, table_id: int, user_id: int, name: str, level: str) -> None:
        """The host fills a seat. Raises NotHost, AlreadyBegun, LobbyFull."""

        def change(table: Table) -> Record:
            return lobby.add_computer(table.record, self._info(table), user_id, name, level)

        await self._alter(table_id, user_id, change)

    async def choose(self, table_id: int, user_id: int, key: str, value: OptionValue) -> None:
        """The host sets an option of the game. Raises NotHost, AlreadyBegun, BadOption."""

        def change(table: Table) -> Record:
            return lobby.choose(table.record, self._info(table), user_id, key, value)

        await self._alter(table_id, user_id, change)

    async def set_clock(
        self, table_id: int, user_id: int, seconds: int, *, moderator: bool = False
    ) -> None:
        """The time an answer may take, from now on also for the question now asked.

        Raises NotAllowed, BadOption.
        """

        def change(table: Table) -> Record:
            people.require_host_or_moderator(table.record, user_id, moderator=moderator)
            record = lobby.set_clock(table.record, seconds)
            if table.match is None:
                return record
            return timed(record, table.match, self.now(), anew=True)

        await self._alter(table_id, user_id, change)

    async def begin(self, table_id: int, user_id: int) -> None:
        """Deal. Raises NotSeated, NotHost, TooFewSeats, ComputersOnly, AlreadyBegun."""

        async def work() -> None:
            async with self._ledger.lane(table_id) as table:
                record, now = table.record, self.now()
                game = self.games[record.game]
                lobby.require_ready(record, game.info, user_id)
                seed = secrets.token_bytes(32)
                match, events = start(game, len(record.sitters), seed, record.options)
                table.touched[user_id] = now
                record = replace(record, stage=Stage.PLAYING, touched_at=now)
                record = asked(record, match, now)
                await self._ledger.commit(table, record, match=match, news=events, fresh_board=True)

        await self._finish(work())

    async def close_table(
        self, table_id: int, reason: str, *, user_id: int | None = None, moderator: bool = False
    ) -> None:
        """End a table for whatever cause; the one way that is not the rules' own.

        With a `user_id`, only the host and moderators may: raises NotAllowed.
        """

        async def work() -> None:
            async with self._ledger.lane(table_id) as table:
                if user_id is not None:
                    people.require_host_or_moderator(table.record, user_id, moderator=moderator)
                await self._close(table, reason)

        await self._finish(work())

    async def give_up(self, table_id: int, reason: str) -> None:
        """End a table that can't go on, which nobody asked for: whatever refuses it is logged."""
        try:
            await self.close_table(table_id, reason)
        except GameError as error:
            log.info("table %d: not closed (%s)", table_id, error.code)

    async def _close(self, table: Table, reason: str) -> None:
        record = ended(table.record, Stage.CLOSED, reason, self.now())
        await self._ledger.commit(table, record)

    # --- moves -------------------------------------------------------------------------------

    async def submit(self, table_id: int, user_id: int, action: object, *, epoch: int) -> None:
        """Make a move for a user, who is back by that.

        Raises NotSeated, SeatAway, MayNotReturn, NotBegun, and what Match.submit raises.
        """

        async def work() -> None:
            async with self._ledger.lane(table_id) as table:
                seat, now = people.own_seat(table.record, user_id), self.now()
                table.touched[user_id] = now
                record, notes = people.answers(table.record, user_id)
                record, more = people.followed(replace(record, touched_at=now), now)
                notes = (*notes, *more)
                await self._move(table, record, seat, action, epoch, notes, actor=user_id)

        await self._finish(work())

    async def _move(
        self,
        table: Table,
        record: Record,
        seat: Seat,
        action: object,
        epoch: int,
        notes: Sequence[Note] = (),
        *,
        actor: int | None = None,
    ) -> None:
        before, now = table.begun, self.now()
        match, events = before.submit(seat, action, epoch=epoch)
        outcome = match.game.outcome(match.state)
        if outcome is not None:
            record = ended(record, Stage.OVER, outcome.reason, now)
        elif match.epoch != before.epoch:
            record = asked(record, match, now)
        else:
            record = timed(record, match, now)
        written = self._ledger.scribes[record.game].codec.dump_action(action)
        await self._ledger.commit(
            table,
            record,
            match=match,
            entries=(Entry(match.seq, seat, written, now, automatic=actor is None),),
            news=(*notes, *events),
            actor=actor,
        )
        table.faults = 0

    # --- people ------------------------------------------------------------------------------

    async def leave(self, table_id: int, user_id: int) -> None:
        """Get up; in a game the computer plays on for the seat. Raises NotSeated."""

        def find(record: Record) -> Seat:
            return people.own_seat(record, user_id)

        await self._close_seat(table_id, user_id, find, Presence.LEFT)

    async def remove(self, table_id: int, seat: int, *, by: int, moderator: bool = False) -> None:
        """The host or a moderator puts somebody out of this game. Raises NotAllowed, NotSeated."""
        sitters = self.table(table_id).record.sitters
        if not 0 <= seat < len(sitters):
            raise NotSeated
        meant = sitters[seat]

        def find(record: Record) -> Seat:
            people.require_host_or_moderator(record, by, moderator=moderator)
            return people.seat_now(record, meant)

        await self._close_seat(table_id, by, find, Presence.REMOVED)

    async def _close_seat(
        self, table_id: int, by: int, find: Callable[[Record], Seat], presence: Presence
    ) -> None:
        """The one way in which a seat loses its person, whatever the cause."""

        async def work() -> None:
            async with self._ledger.lane(table_id) as table:
                record, now = table.record, self.now()
                seat = find(record)
                table.touched[by] = now
                if record.stage is not Stage.LOBBY:
                    await self._regroup(table, *people.got_up(record, seat, presence))
                    return
                record = lobby.without(replace(record, touched_at=now), self._info(table), seat)
                if lobby.deserted(record):
                    record = ended(record, Stage.CLOSED, "closed-empty", now)
                await self._ledger.commit(table, record)

        await self._finish(work())

    async def stand_in(self, table_id: int, user_id: int) -> None:
        """Let the computer play for me until I am back.

        Raises NotBegun, NotSeated, SeatAway, MayNotReturn; no harm if it does already.
        """

        def change(record: Record) -> people.Changed:
            people.require_playing(record)
            return people.stood_in(record, user_id)

        await self._change_people(table_id, user_id, change)

    async def come_back(self, table_id: int, user_id: int) -> None:
        """Answer for the own seat again. Raises NotSeated, MayNotReturn; no harm if never gone."""
        await self._change_people(
            table_id, user_id, lambda record: people.came_back(record, user_id)
        )

    async def take_seat(self, table_id: int, seat: int, user_id: int, name: str) -> None:
        """Somebody new plays on for a seat that its person gave up, or for a computer player.

        Nobody who has seen another hand of this game may: raises AlreadySeated, MayNotReturn,
        SeatNotFree, NotBegun.
        """

        def change(record: Record) -> people.Changed:
            people.require_playing(record)
            return people.took(record, seat, user_id, name)

        await self._change_people(table_id, user_id, change)

    async def hand_over(
        self, table_id: int, user_id: int, to: int, *, moderator: bool = False
    ) -> None:
        """Make somebody else at the table its host. Raises NotAllowed, NotSeated."""

        def change(record: Record) -> people.Changed:
            people.require_host_or_moderator(record, user_id, moderator=moderator)
            return people.handed_over(record, to)

        await self._change_people(table_id, user_id, change)

    async def remind(self, table_id: int, user_id: int) -> None:
        """Mention who is asked, once a question. Raises NobodyAsked, RemindedAlready.

        Only people at the table may: raises NotSeated, SeatAway, MayNotReturn.
        """

        def change(table: Table) -> Record:
            record = table.record
            seat = people.present_seat(record, user_id)
            if not set(table.waiting_for()) - {seat}:
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
        thinks = table.automatic() and not self._computers.busy(table)
        due = next_due(table.record, table.moved_at + self._think_seconds if thinks else None)
        return None if due is None else replace(due, at=max(due.at, table.rests_until))

    async def tick(self) -> None:
        """Do everything that is due; a table that fails disturbs no other."""
        now = self.now()
        dues = [(table, self._due(table)) for table in self.tables.values()]
        due_now = [table for table, due in dues if due is not None and due.at <= now]
        # Side by side: one table that waits for its lane, or the disk, must not hold up the others.
        await asyncio.gather(*(self._guarded(table, self._do_due) for table in due_now))

    async def _do_due(self, table: Table) -> None:
        async with self._ledger.lane(table.id):
            due = self._due(table)
            if due is None or due.at > self.now():
                return  # a person was faster
            match due.thing:
                case Thing.CLOSE_IDLE:
                    await self._close(table, "closed-idle")
                case Thing.CLOSE_PAUSED:
                    await self._close(table, "closed-paused")
                case Thing.CLOSE_FORGOTTEN:
                    await self._close(table, "closed-forgotten")
                case Thing.COMPUTER:
                    self._computers.think(table, table.automatic()[0])
                case Thing.REMIND:
                    record = replace(table.record, reminded=True)
                    await self._ledger.commit(table, record, remind=True)
                case Thing.TIME_OUT:
                    await self._time_out(table)

    async def _time_out(self, table: Table) -> None:
        """Answer for the first seat that let the time run out; the next tick sees to the others."""
        match, seat = table.begun, table.waiting_for()[0]
        record, notes = people.missed(table.record, seat)
        record, more = people.followed(record, self.now())
        action = match.game.fallback(match.state, seat)
        await self._move(table, record, seat, action, match.epoch, (*notes, *more))

    async def _decided(self, table: Table, match: AnyMatch, seat: Seat, action: object) -> None:
        """A computer player decided for `seat`: make its move if it still may."""

        async def work(table: Table) -> None:
            async with self._ledger.lane(table.id):
                current = table.begun
                if current.epoch != match.epoch or seat not in table.automatic():
                    return  # the table moved on, or somebody took the seat
                move = action
                if move not in current.choices(seat):
                    if move is not None:
                        log.error("table %d seq %d: an illegal move", table.id, table.seq)
                    move = current.game.fallback(current.state, seat)
                await self._move(table, table.record, seat, move, current.epoch)

        await self._guarded(table, work)

    async def _guarded(
        self, table: Table, work: Callable[[Table], Coroutine[Any, Any, None]]
    ) -> None:
        """An outer edge, of what nobody asked for: a fault harms its own table alone."""
        try:
            await self._finish(work(table))
        except (NoTable, NotSaved):
            return  # ended meanwhile; or not written, which is logged, and stays due
        except Exception:
            await self._failed(table)

    async def _failed(self, table: Table) -> None:
        """After a mistake of ours: try again later, but not for ever."""
        table.faults += 1
        table.rests_until = self.now() + REST
        log.exception("table %d seq %d: what was due failed", table.id, table.seq)
        if table.faults >= FAULTS_BEFORE_CLOSING:
            await self.give_up(table.id, "closed-fault")

    # --- the board ---------------------------------------------------------------------------

    async def note(self, table: Table, change: Callable[[Record], Record]) -> None:
        """Write down where the board is, or that people were mentioned. Nobody is told.

        Also for a table that has ended: its last board is drawn after that.
        """
        await self._finish(self._ledger.note(table, change))

    # --- settings ----------------------------------------------------------------------------

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        settings = await self._ledger.read(self.storage.guild_settings(guild_id))
        # What an older version offered and this one does not is no hindrance to saving the rest.
        offered = {
            key: self.games[key].info.still_offered(options)
            for key, options in settings.options.items()
            if key in self.games
        }
        return replace(settings, options=offered)

    async def save_guild_settings(self, settings: GuildSettings) -> None:
        """Raises BadOption for defaults that a game does not offer."""
        for key, options in settings.options.items():
            self.games[key].info.settle(options)
        work = self.storage.save_guild_settings(settings)
        await self._finish(self._ledger.write(f"server {settings.guild_id}", work))

    async def change_guild_settings(
        self, guild_id: int, change: Callable[[GuildSettings], GuildSettings]
    ) -> GuildSettings:
        """A server's settings after `change`; of two changes at one moment both hold.

        Raises BadOption, and what `change` raises.
        """

        async def work() -> GuildSettings:
            async with self._changing_settings:
                settings = await self.guild_settings(guild_id)
                changed = change(settings)
                if changed != settings:
                    await self.save_guild_settings(changed)
                return changed

        return await self._finish(work())

    async def keep_defaults(self, table_id: int) -> None:
        """What is chosen at a table becomes what its server's new tables begin with."""
        record = self.table(table_id).record
        carried = {option.key for option in self.games[record.game].info.options if option.carried}
        chosen = {key: value for key, value in record.options.items() if key not in carried}

        def change(settings: GuildSettings) -> GuildSettings:
            options = {**settings.options, record.game: chosen}
            return replace(settings, clock=record.clock, options=options)

        await self.change_guild_settings(record.guild_id, change)

    async def user_settings(self, user_id: int) -> UserSettings:
        return await self._ledger.read(self.storage.user_settings(user_id))

    async def save_user_settings(self, settings: UserSettings) -> None:
        work = self.storage.save_user_settings(settings)
        await self._finish(self._ledger.write("somebody's settings", work))

    # --- start and end of the process --------------------------------------------------------

    async def restore(self) -> list[Damaged]:
        """Take up every live table; those that can't be read are marked broken and returned.

        The time during which no bot ran counts for nobody: every deadline moves by it.
        Raises StorageError.
        """
        now = self.now()
        down = now - _moment(await self.storage.get_meta("alive_at"), now)
        broken: list[Damaged] = []
        taken_up: list[Table] = []
        for row in await self.storage.live():
            found = row if isinstance(row, Damaged) else await self._restore_one(row, down)
            if isinstance(found, Table):
                taken_up.append(found)
                continue
            log.error("table %d is broken: %s", found.id, found.why)
            await self.storage.mark_broken(found.id, "table-broken", now)
            broken.append(found)
        # In one transaction: a start that fails half-way must not move any time twice.
        await self.storage.take_up([table.record for table in taken_up], repr(now))
        self._ledger.tables.update((table.id, table) for table in taken_up)
        return broken

    async def _restore_one(self, row: Loaded, down: float) -> Table | Damaged:
        record = row.record
        try:
            table = await self._revive(row)
        except Unreadable as error:
            return Damaged(record.id, record.channel_id, record.guild_id, str(error))
        table.moved_at = self.now()
        table.record = shifted(record, down)
        return table

    async def skip(self, seconds: float) -> None:
        """Move every running time: for so long this process stood still, and nobody could press."""
        for table in list(self.tables.values()):
            await self.note(table, lambda record: shifted(record, seconds))

    async def _revive(self, row: Loaded) -> Table:
        stored = await self.storage.events(row.record.id)
        return revived(row, stored, self.games, self._ledger.scribes)

    async def unsettled(self) -> list[Table]:
        """Tables that ended without their last board being drawn: the process died in between."""
        found: list[Table] = []
        for row in await self._ledger.read(self.storage.unsettled()):
            try:
                found.append(await self._ledger.read(self._revive(row)))
            except Unreadable as error:
                log.warning("table %d: its end can't be shown (%s)", row.record.id, error)
                await self._ledger.write(
                    f"table {row.record.id}", self.storage.save(replace(row.record, settled=True))
                )
        return found

    async def prune(self, before: float) -> None:
        """Forget tables that ended before a moment, so that the database stays small.

        A database that refuses it is in the log, and harms nobody.
        """
        try:
            if count := await self._ledger.write("pruning", self.storage.prune(before)):
                log.info("%d old tables forgotten", count)
        except NotSaved:
            log.debug("nothing pruned")

    async def heartbeat(self) -> None:
        """Write down that a bot runs now, so that the next start knows how long none did.

        A database that refuses it is in the log, and harms nobody.
        """
        try:
            await self._ledger.write(
                "heartbeat", self.storage.set_meta("alive_at", repr(self.now()))
            )
        except NotSaved:
            log.debug("no heartbeat")

    async def close(self) -> None:
        """Finish what runs; no table changes afterwards, but for the place of its board."""
        await self._ledger.close()
        await self._computers.close()
        await self.heartbeat()

    # --- inside ------------------------------------------------------------------------------

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        return await self._ledger.finish(work)

    def _info(self, table: Table) -> GameInfo:
        return self.games[table.record.game].info

    async def _alter(
        self,
        table_id: int,
        user_id: int,
        change: Callable[[Table], Record],
        *,
        remind: bool = False,
    ) -> None:
        """A person changes something about a table other than who sits there in a game."""

        async def work() -> None:
            async with self._ledger.lane(table_id) as table:
                record = replace(change(table), touched_at=self.now())
                table.touched[user_id] = self.now()
                actor = user_id if remind else None
                await self._ledger.commit(table, record, remind=remind, actor=actor)

        await self._finish(work())

    async def _change_people(
        self, table_id: int, user_id: int, change: Callable[[Record], people.Changed]
    ) -> None:
        async def work() -> None:
            async with self._ledger.lane(table_id) as table:
                record, notes = change(table.record)
                table.touched[user_id] = self.now()
                if record is not table.record:
                    await self._regroup(table, record, notes)

        await self._finish(work())

    async def _regroup(self, table: Table, record: Record, notes: Sequence[Note]) -> None:
        """Write a change of who is there: host, clock, pause and end follow from it."""
        before, now = table.record, self.now()
        record, more = people.followed(replace(record, touched_at=now), now)
        if not people.reachable(record):
            record = ended(record, Stage.CLOSED, "closed-everyone-left", now)
        elif table.match is not None:
            # Whoever sits down at a question gets the whole time for it; so do all after a pause.
            anew = before.paused_at is not None or any(
                record.sitters[seat].user_id != before.sitters[seat].user_id
                for seat in table.pending()
            )
            record = timed(record, table.match, now, anew=anew)
        await self._ledger.commit(table, record, news=(*notes, *more))


def require_allowed(settings: GuildSettings, home_id: int) -> None:
    """Whether a server's managers allow games in a channel. Raises ChannelNotAllowed."""
    if settings.channels and home_id not in settings.channels:
        raise ChannelNotAllowed(channels=" ".join(f"<#{c}>" for c in sorted(settings.channels)))


def _moment(written: str | None, now: float) -> float:
    """When a bot was last known to run; `now` when that can't be read, and never later."""
    try:
        return now if written is None else min(now, float(written))
    except ValueError:
        return now
