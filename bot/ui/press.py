"""From a press or a typed command to the manager, and back to what its person sees."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.lobby import require_host
from bot.manager import Manager
from bot.people import own_seat, require_host_or_moderator
from bot.records import Presence, Stage
from bot.refusals import AlreadyFollowed, ManagersOnly, NoTable, NotBegun, NotHost, NotSeated
from bot.tables import Table
from bot.texts import Texts, Words
from bot.ui.frame import LEVELS, Frame, Reader, identity, link_to
from bot.ui.layout import draw
from bot.ui.names import present
from bot.ui.panel import Accent, Panel, Text
from bot.ui.presenter import AnyPresenter
from bot.ui.replies import UNREACHABLE, Answer, in_private_panel, reply
from bot.ui.screen import Screen
from bot.ui.verbs import Path, Pressed, Verb
from engine.choosing import Pick, Question, ask
from engine.core import Seat
from engine.errors import BadOption, GameError, NotYourTurn, StaleAction

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]

# Verbs whose success shows on the board alone.
_SILENT = frozenset({Verb.JOIN, Verb.LEAVE, Verb.BEGIN, Verb.AGAIN})


@dataclass(frozen=True, slots=True)
class Call:
    """Who presses, in which language, and what they may do in this channel."""

    user_id: int
    name: str
    words: Words
    moderator: bool
    manages_server: bool = False
    guild_id: int | None = None
    home_id: int | None = None  # the channel, or the one that a thread belongs to

    def reader(self, *, pings: bool = True) -> Reader:
        return Reader(self.user_id, self.name, self.moderator, self.manages_server, pings)


class Desk:
    """Answers every press and command. Refusals become sentences, faults are logged here."""

    def __init__(
        self,
        manager: Manager,
        screen: Screen,
        texts: Texts,
        presenters: Mapping[str, AnyPresenter],
    ) -> None:
        self.manager = manager
        self.screen = screen
        self.texts = texts
        self._presenters = presenters
        self._handlers: dict[Verb, Callable[[Call, Pressed], Awaitable[Panel | None]]] = {
            Verb.JOIN: self._join,
            Verb.LEAVE: self._leave,
            Verb.ADD: self._add,
            Verb.BEGIN: self._begin,
            Verb.OPTIONS: self._options,
            Verb.OPTION: self._option,
            Verb.CLOCK: self._clock,
            Verb.HAND: self._hand,
            Verb.DO: self._do,
            Verb.PICK: self._do,
            Verb.SURE: self._do,
            Verb.RULES: self._rules,
            Verb.LOG: self._log,
            Verb.MORE: self._more,
            Verb.QUIT: self._ask_quit,
            Verb.QUIT_SURE: self._quit,
            Verb.AUTO: self._auto,
            Verb.BACK: self._back,
            Verb.REMIND: self._remind,
            Verb.PINGS: self._pings,
            Verb.KEEP: self._keep,
            Verb.KICK: self._kick,
            Verb.KICK_SURE: self._remove,
            Verb.HOST: self._host,
            Verb.SIT: self._sit,
            Verb.END: self._ask_end,
            Verb.END_SURE: self._end,
            Verb.AGAIN: self._again,
        }

    # --- coming in and going out -------------------------------------------------------------

    async def pressed(self, interaction: Interaction, pressed: Pressed) -> None:
        """Answer the press of a button or menu."""
        work = self._handle(self.call(interaction), pressed)
        silent = pressed.verb in _SILENT
        await self.answer(interaction, work, pressed=pressed, silent=silent)

    async def answer(
        self,
        interaction: Interaction,
        work: Awaitable[Panel | None],
        *,
        pressed: Pressed | None = None,
        silent: bool = False,
    ) -> None:
        """Show what `work` gives; a refusal as its sentence, a fault as an apology."""
        call = self.call(interaction)
        shown: list[Panel] = []
        where = "a command" if pressed is None else f"{pressed.verb} at {pressed.table}"

        async def guarded() -> Answer:
            beside = False
            try:
                panel = await work
            except GameError as error:
                panel = await self._refused(interaction, call, pressed, error)
                beside = pressed is None
            except (discord.HTTPException, *UNREACHABLE) as error:
                log.warning("%s failed: %s", where, error)
                panel = self.sorry(call.words)
            except Exception:
                log.exception("%s failed", where)
                panel = self.sorry(call.words)
            if panel is None:
                return Answer()
            shown.append(panel)
            return Answer(draw(panel), beside)

        async def always() -> Answer:
            try:
                return await guarded()
            except Exception:
                # Drawing failed, or explaining a refusal: nobody is left without an answer.
                log.exception("%s failed to be shown", where)
                return Answer(draw(self.sorry(call.words)))

        message_id = await reply(interaction, always(), silent=silent, sorry=call.words("sorry"))
        if message_id is not None:
            for panel in shown:
                self.screen.remember(interaction, panel, message_id, call.reader(), call.words)

    async def _handle(self, call: Call, pressed: Pressed) -> Panel | None:
        if (handler := self._handlers.get(pressed.verb)) is None:
            raise NoTable  # what an older version drew
        pressed_at = await self.manager.look_up(pressed.table)
        if pressed_at.record.guild_id != call.guild_id:
            raise NoTable  # an id made up on another server, where other rights are held
        woken = pressed.verb is not Verb.AUTO and await self.wake(call, pressed.table)
        try:
            panel = await handler(call, pressed)
        except NotHost:
            table = self.manager.table(pressed.table)
            if await self.screen.still_member(table, table.record.host_id):
                raise
            panel = await handler(call, pressed)  # somebody else is the host by now
        if woken and panel is not None:
            panel = replace(panel, blocks=(Text(call.words("done-back")), *panel.blocks))
        return panel

    async def wake(self, call: Call, table_id: int) -> bool:
        """Whatever a person who is away does brings them back to their seat; whether it did."""
        table = self.manager.tables.get(table_id)
        if table is None:
            return False
        self.manager.touch(table.id, call.user_id)
        seat = table.record.seat_of(call.user_id)
        if seat is None or table.record.sitters[seat].presence is not Presence.AWAY:
            return False
        await self.manager.come_back(table.id, call.user_id)
        return True

    async def _refused(
        self, interaction: Interaction, call: Call, pressed: Pressed | None, error: GameError
    ) -> Panel:
        """The refusal's sentence; in an outdated private panel on top of the right one."""
        sentence = self.sentence(error, call.words)
        outdated = isinstance(error, StaleAction | NotYourTurn | NotBegun)
        if pressed is not None and outdated and in_private_panel(interaction):
            table = self.manager.tables.get(pressed.table)
            if table is not None and table.match is not None:
                frame = self.frame(table, call)
                if frame.seat is not None:
                    stale = isinstance(error, StaleAction)
                    return frame.hand(remark=call.words("remark-stale") if stale else sentence)
        return Panel(call.words("refused-title"), (Text(sentence),), Accent.TROUBLE)

    def sentence(self, error: GameError, words: Words) -> str:
        """What a refusal says, in the reader's language."""
        params = dict(error.params)
        for key in ("host", "typed"):  # as somebody wrote it
            if key in params:
                params[key] = present([str(params[key])])[0].markdown
        if isinstance(table_id := params.get("table"), int):
            table = self.manager.tables.get(table_id)
            params["link"] = "" if table is None else link_to(table)
        over = isinstance(error, AlreadyFollowed) and not params["link"]
        return words("error-followed-over" if over else f"error-{error.code}", **params)

    def sorry(self, words: Words) -> Panel:
        """What a person reads when the bot has a fault."""
        return Panel(words("refused-title"), (Text(words("sorry")),), Accent.TROUBLE)

    # --- helping -----------------------------------------------------------------------------

    def call(self, interaction: Interaction) -> Call:
        """Who this interaction comes from."""
        may = interaction.permissions
        return Call(
            interaction.user.id,
            interaction.user.display_name,
            self.texts.words(str(interaction.locale)),
            may.manage_messages or may.manage_threads,
            may.manage_guild,
            interaction.guild_id,
            getattr(interaction.channel, "parent_id", None) or interaction.channel_id,
        )

    def frame(self, table: Table, call: Call, *, pings: bool = True) -> Frame:
        """The table as this person sees it."""
        game = table.record.game
        info = self.manager.games[game].info
        reader = call.reader(pings=pings)
        return Frame(table, self._presenters[game], info, call.words, reader)

    def seat(self, table: Table, call: Call) -> Seat:
        """The seat of the person who calls. Raises NotSeated, SeatTaken."""
        return own_seat(table.record, call.user_id)

    # --- the lobby ---------------------------------------------------------------------------

    async def _join(self, call: Call, pressed: Pressed) -> None:
        await self.manager.join(pressed.table, call.user_id, call.name)

    async def _leave(self, call: Call, pressed: Pressed) -> Panel | None:
        if self.manager.table(pressed.table).record.stage is Stage.PLAYING:
            return await self._ask_quit(call, pressed)
        await self.manager.leave(pressed.table, call.user_id)
        return None

    async def _add(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        require_host(table.record, call.user_id)
        if not pressed.values:
            return self.frame(table, call).levels()
        number = pressed.number()
        if number >= len(LEVELS):
            raise StaleAction
        name = self.computer_name(table, call.words)
        await self.manager.add_computer(table.id, call.user_id, name, LEVELS[number])
        return self.frame(table, call).levels(remark=call.words("done-added", name=name))

    def computer_name(self, table: Table, words: Words) -> str:
        """A computer player's name that nobody at this table has."""
        taken = {sitter.name for sitter in table.record.sitters}
        names = [name.strip() for name in words("computer-names").split(",")]
        return next((name for name in names if name not in taken), f"{names[0]} {len(taken)}")

    async def _begin(self, call: Call, pressed: Pressed) -> None:
        await self.manager.begin(pressed.table, call.user_id)

    async def _options(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        if table.record.stage is not Stage.LOBBY:
            return await self._menu(call, table)
        require_host(table.record, call.user_id)
        return self.frame(table, call).options()

    async def _option(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        info = self.manager.games[table.record.game].info
        option = next((o for o in info.options if o.key == pressed.rest), None)
        number = pressed.number()
        if option is None or number >= len(option.values):
            raise BadOption(option=pressed.rest, value=str(number))
        await self.manager.choose(table.id, call.user_id, option.key, option.values[number])
        return self.frame(table, call).options()

    async def _clock(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        await self.manager.set_clock(
            table.id, call.user_id, pressed.number(), moderator=call.moderator
        )
        frame = self.frame(table, call)
        return (
            frame.options() if table.record.stage is Stage.LOBBY else await self._menu(call, table)
        )

    # --- playing -----------------------------------------------------------------------------

    async def _hand(self, call: Call, pressed: Pressed) -> Panel:
        return self.hand(call, await self.manager.look_up(pressed.table))

    def hand(self, call: Call, table: Table, path: Path = (), remark: str = "") -> Panel:
        """A person's private panel. Raises NotBegun, NotSeated."""
        trouble = self.screen.trouble(table, call.words)
        return self.frame(table, call).hand(path, remark="\n".join(filter(None, (trouble, remark))))

    async def _do(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        match, seat = table.begun, self.seat(table, call)
        if pressed.epoch != match.epoch:
            raise StaleAction
        choices = match.choices(seat)
        if not choices:
            raise NotYourTurn
        path = pressed.path
        action = ask(choices, path)
        if isinstance(action, Question | Pick):
            return self.hand(call, table, path)
        frame = self.frame(table, call)
        if pressed.verb is not Verb.SURE and (warning := frame.warning(action)):
            return frame.confirm(path, warning)
        return await self.play(call, table, action, match.epoch)

    async def play(self, call: Call, table: Table, action: object, epoch: int) -> Panel:
        """Make the move and show what came of it."""
        await self.manager.submit(table.id, call.user_id, action, epoch=epoch)
        return self.hand(call, table)

    # --- reading -----------------------------------------------------------------------------

    async def _rules(self, call: Call, pressed: Pressed) -> Panel:
        table = await self.manager.look_up(pressed.table)
        return self.frame(table, call).rules(_page(pressed) or 0)

    def rules(self, call: Call, game: str) -> Panel:
        """The rules of a game of which no table need be open."""
        blocks = self._presenters[game].rules(call.words)
        title = call.words("rules-title", game=call.words(f"{game}-name"))
        return Panel(title, tuple(block for page in blocks for block in page))

    async def _log(self, call: Call, pressed: Pressed) -> Panel:
        return await self.log(call, await self.manager.look_up(pressed.table), _page(pressed))

    async def log(self, call: Call, table: Table, page: int | None = None) -> Panel:
        """What happened at a table, as far as this person may know."""
        return self.frame(table, call).log(await self.manager.log_of(table), page)

    # --- people ------------------------------------------------------------------------------

    async def _more(self, call: Call, pressed: Pressed) -> Panel:
        return await self._menu(call, self.manager.table(pressed.table))

    async def _menu(self, call: Call, table: Table, remark: str = "") -> Panel:
        settings = await self.manager.user_settings(call.user_id)
        return self.frame(table, call, pings=settings.pings).more(remark=remark)

    async def _ask_quit(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        self.seat(table, call)
        return self.frame(table, call).ask_quit()

    async def _quit(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        try:
            await self.manager.leave(table.id, call.user_id)
        except NotSeated:
            if table.record.sitters[self.seat(table, call)].presence is not Presence.LEFT:
                raise  # else another press of theirs was faster
        return said_so(call.words("done-left-game"))

    async def _auto(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        await self.manager.stand_in(table.id, call.user_id)
        alone = table.record.paused_at is not None
        return await self._menu(call, table, call.words("done-away-last" if alone else "done-away"))

    async def _back(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        if table.record.sitters[self.seat(table, call)].presence is Presence.LEFT:
            await self.manager.come_back(table.id, call.user_id)
        if table.match is None:
            return await self._menu(call, table, call.words("done-back"))
        return self.hand(call, table, remark=call.words("done-back"))

    async def _remind(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        await self.manager.remind(table.id, call.user_id)
        return await self._menu(call, table, call.words("done-reminded"))

    async def _pings(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        settings = await self.manager.user_settings(call.user_id)
        await self.manager.save_user_settings(replace(settings, pings=not settings.pings))
        return await self._menu(call, table)

    async def _kick(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        seat = _meant(table, pressed.values)
        if seat is None or table.record.stage is Stage.LOBBY:
            return await self._out(call, table, seat)
        require_host_or_moderator(table.record, call.user_id, moderator=call.moderator)
        return self.frame(table, call).ask_kick(seat)

    async def _remove(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        return await self._out(call, table, _meant(table, (pressed.rest,)))

    async def _out(self, call: Call, table: Table, seat: Seat | None) -> Panel:
        """Put out whoever was meant, if they are still there; then the menu that it came from."""
        remark = call.words("remark-gone")
        if seat is not None:
            with suppress(NotSeated):  # it is they who are gone, not who presses
                await self.manager.remove(table.id, seat, by=call.user_id, moderator=call.moderator)
                remark = call.words("done-removed")
        if table.record.stage is Stage.LOBBY and table.record.host_id == call.user_id:
            return self.frame(table, call).options(remark=remark)
        return await self._menu(call, table, remark)

    async def _host(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        seat = _meant(table, pressed.values)
        to = None if seat is None else table.record.sitters[seat].user_id
        remark = call.words("remark-gone")
        if to is not None:
            with suppress(NotSeated):
                await self.manager.hand_over(table.id, call.user_id, to, moderator=call.moderator)
                remark = call.words("done-host")
        return await self._menu(call, table, remark)

    async def _sit(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        seat = _meant(table, pressed.values)
        if seat is None:
            return await self._menu(call, table, call.words("remark-gone"))
        await self.manager.take_seat(table.id, seat, call.user_id, call.name)
        return self.hand(call, table)

    async def _keep(self, call: Call, pressed: Pressed) -> Panel:
        table = self.manager.table(pressed.table)
        if not call.manages_server:
            raise ManagersOnly
        await self.manager.keep_defaults(table.id)
        return self.frame(table, call).options(remark=call.words("done-kept"))

    async def _ask_end(self, call: Call, pressed: Pressed) -> Panel:
        return self.frame(self.manager.table(pressed.table), call).ask_end()

    async def _end(self, call: Call, pressed: Pressed) -> Panel:
        await self.manager.close_table(
            pressed.table, "closed-ended", user_id=call.user_id, moderator=call.moderator
        )
        return said_so(call.words("done-ended"))

    async def _again(self, call: Call, pressed: Pressed) -> None:
        await self.manager.rematch(pressed.table, call.user_id, call.name, home_id=call.home_id)


def _page(pressed: Pressed) -> int | None:
    return int(pressed.rest) if pressed.rest.isdigit() else None


def _meant(table: Table, answer: tuple[str, ...]) -> Seat | None:
    """Where the one sits whom a menu or button names; None when they are gone."""
    seats = (
        Seat(seat)
        for seat, sitter in enumerate(table.record.sitters)
        if answer == (identity(sitter),)
    )
    return next(seats, None)


def said_so(sentence: str) -> Panel:
    """An answer that is one sentence."""
    return Panel("", (Text(sentence),))
