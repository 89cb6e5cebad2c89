"""The panels of every table, whatever is played on it: lobby, board, hand, rules, log, menus.

A Frame is one table for one reader at one moment. It says what all games share; what is particular
to one comes from its presenter. Nothing in the public panels depends on who reads them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.journal import News, Note, readable
from bot.lobby import CLOCKS
from bot.people import FREE, own_seat, reading_seat
from bot.records import Presence, Record, Sitter, Stage
from bot.refusals import MayNotReturn, NotBegun, NotSeated
from bot.tables import AnyMatch, Table
from bot.texts import Words
from bot.ui.names import COMPUTER_MARK, present
from bot.ui.options import carried_over, changed_options, option_id, option_name, value_name
from bot.ui.panel import (
    Accent,
    Block,
    Button,
    Buttons,
    Divider,
    Item,
    Link,
    Menu,
    Panel,
    Text,
    Tone,
)
from bot.ui.presenter import AnyPresenter, Guest, Scene
from bot.ui.verbs import Path, Verb, with_path, write_path
from engine.choosing import Pick, Question, ask
from engine.core import GameInfo, Seat

RECENT = 4
"""How many of the last news the board tells."""

LOG_PAGE = 20
MOST_BUTTONS = 6
LEVELS = ("easy", "normal", "hard")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a private panel, and what they may do at this table."""

    user_id: int
    name: str = ""
    moderator: bool = False
    manages_server: bool = False
    pings: bool = True


class Frame:
    """One table for one reader; `reader` None draws what everybody sees."""

    def __init__(
        self,
        table: Table,
        presenter: AnyPresenter,
        info: GameInfo,
        words: Words,
        reader: Reader | None = None,
    ) -> None:
        self.record: Record = table.record
        self.match: AnyMatch | None = table.match
        self.presenter = presenter
        self.info = info
        self.words = words
        self.reader = reader
        self.seat = None if reader is None else reading_seat(table.record, reader.user_id)
        self.removed = (
            reader is not None
            and self.seat is None
            and table.record.seat_of(reader.user_id) is not None
        )
        self._waiting = table.waiting_for()
        self._pending = table.pending()
        self._feed: Sequence[News] = tuple(table.feed)
        self.scene = Scene(words, guests(table.record), self.seat, dict(table.record.options))

    # --- what everybody sees -----------------------------------------------------------------

    def public(self, *, mention: Sequence[int] = ()) -> Panel:
        """The table's message in its channel; `mention` are users whose attention it asks for."""
        match self.record.stage:
            case Stage.LOBBY:
                return self._lobby()
            case Stage.PLAYING:
                return self._board(mention)
            case Stage.OVER:
                return self._ending()
            case Stage.CLOSED | Stage.BROKEN:
                return self._closed()

    def _lobby(self) -> Panel:
        w, info = self.words, self.info
        rows = [self._lobby_row(seat) for seat in range(len(self.record.sitters))]
        carried = carried_over(info, self.record.options, w)
        free = info.max_seats - len(self.record.sitters)
        if free:
            rows.append(w("lobby-free", count=free))
        buttons = (
            self._button("join", Verb.JOIN, Tone.MAIN, enabled=free > 0),
            self._button("leave", Verb.LEAVE),
            self._button("add-computer", Verb.ADD, enabled=free > 0),
            self._button("begin", Verb.BEGIN, Tone.GOOD),
            self._button("options", Verb.OPTIONS),
            self._button("rules", Verb.RULES),
        )
        return self._panel(
            w("lobby-title", game=self._game_name()),
            (
                Text(w("lobby-about", least=info.min_seats, most=info.max_seats)),
                Text("\n".join(rows)),
                Text("\n".join((self._settings_line(), *(f"-# {line}" for line in carried)))),
                Buttons(buttons),
            ),
            Accent.LOBBY,
        )

    def _lobby_row(self, seat: int) -> str:
        sitter = self.record.sitters[seat]
        marks = [self.words("mark-host")] if sitter.user_id == self.record.host_id else []
        if sitter.presence is Presence.COMPUTER:
            marks.append(self.words("mark-computer", level=self._level(sitter)))
        mark = f" · {', '.join(marks)}" if marks else ""
        return f"{seat + 1}. {self.scene.name(seat)}{mark}"

    def _settings_line(self) -> str:
        shown = [self.words("setting-clock", clock=self._clock_name(self.record.clock))]
        shown += changed_options(self.info, self.record.options, self.words)
        return "-# " + " · ".join(shown)

    def _board(self, mention: Sequence[int]) -> Panel:
        view = self._view(None)
        blocks: list[Block] = [*self.presenter.board(view, self.scene), Divider()]
        blocks.append(Text("\n".join(self._asking(view, mention))))
        if recent := self._recent(view):
            blocks.append(Text("\n".join(f"-# {line}" for line in recent)))
        blocks.append(
            Buttons(
                (
                    self._button("hand", Verb.HAND, Tone.MAIN),
                    self._button("rules", Verb.RULES),
                    self._button("log", Verb.LOG),
                    self._button("more", Verb.MORE),
                ),
                width=4,
            )
        )
        return self._panel(self._game_name(), tuple(blocks), Accent.PLAY)

    def _asking(self, view: Any, mention: Sequence[int]) -> list[str]:
        """Who is asked what until when, and whom the table does not wait for."""
        w, record = self.words, self.record
        lines = [f"### {self.presenter.question(view, self.scene, frozenset(self._pending))}"]
        if mention:
            lines.append(w("board-mention", people=" ".join(f"<@{user}>" for user in mention)))
        if record.paused_at is not None:
            return [*lines, w("board-paused")]
        if record.deadline is not None and self._waiting:
            lines.append(w("board-deadline", time=f"<t:{int(record.deadline)}:R>"))
        absent = [
            w(f"board-{sitter.presence}", name=self.scene.name(seat))
            for seat, sitter in enumerate(record.sitters)
            if not sitter.waits and sitter.presence is not Presence.COMPUTER
        ]
        machines = [
            f"{self.scene.name(seat)} {self._level(sitter)}"
            for seat, sitter in enumerate(record.sitters)
            if sitter.presence is Presence.COMPUTER
        ]
        if machines:
            absent.append(w("board-computers", names=w("list-joint").join(machines)))
        return lines + [f"-# {line}" for line in absent]

    def _recent(self, view: Any) -> list[str]:
        """The last lines of the log that everybody may read and the board does not tell itself."""
        told = [
            line
            for news in self._feed
            if readable(news, None) and not self._stands(news, view) and (line := self._line(news))
        ]
        return told[-RECENT:]

    def _stands(self, news: News, view: Any) -> bool:
        """Whether the game's part of the board, or the lines about who is absent, say the same."""
        if not isinstance(news, Note):
            return self.presenter.told(news, view)
        return any(
            news.code == f"note-{sitter.presence}" and news.params.get("name") == sitter.name
            for sitter in self.record.sitters
        )

    def _ending(self) -> Panel:
        w = self.words
        match = self._match()
        outcome = match.game.outcome(match.state)
        blocks: list[Block] = []
        if outcome is not None:
            view = match.game.view(match.state, None)
            blocks += self.presenter.ending(outcome, view, self.scene)
        blocks.append(Text("-# " + w("fair-after", seed=match.seed.hex())))
        blocks.append(
            Buttons(
                (
                    self._button("again", Verb.AGAIN, Tone.GOOD),
                    self._button("log", Verb.LOG),
                    self._button("rules", Verb.RULES),
                )
            )
        )
        return self._panel(w("end-title", game=self._game_name()), tuple(blocks), Accent.END)

    def _closed(self) -> Panel:
        reason = self.words(f"reason-{self.record.reason}")
        again = self.words("closed-again", game=self.words(f"{self.info.key}-command"))
        blocks: list[Block] = [Text(reason), Text(f"-# {again}")]
        if self.match is not None:
            blocks.append(Buttons((self._button("log", Verb.LOG),)))
        title = self.words("closed-title", game=self._game_name())
        return self._panel(title, tuple(blocks), Accent.TROUBLE)

    def beats(self, news: Sequence[News]) -> tuple[Panel, ...]:
        """The message of its own that this news deserves, as it unfolds; () if it deserves none."""
        events = [item for item in news if not isinstance(item, Note) and readable(item, None)]
        return tuple(
            self._panel(self._game_name(), blocks, Accent.END)
            for blocks in self.presenter.beats(events, self.scene)
        )

    # --- the private panel -------------------------------------------------------------------

    def hand(self, path: Path = (), *, remark: str = "") -> Panel:
        """What the reader holds and knows, and the question after the answers in `path`.

        Raises StaleAction when `path` does not fit what may be chosen now.
        """
        match, seat = self._match(), self._own_seat()
        view = self._view(seat)
        blocks: list[Block] = [Text(remark)] if remark else []
        blocks += self.presenter.hand(view, self.scene)
        choices = match.choices(seat)
        if choices and self.record.live:
            blocks.append(Divider())
            if seat not in self._pending:
                blocks.append(Text(self.words("hand-may-change")))
            if path:
                blocks.append(Text(f"-# {self._trail(choices, path, view)}"))
            blocks += self._choosing(ask(choices, path), path, view)
        elif self.record.live:
            asked = self.presenter.question(view, self.scene, frozenset(self._pending))
            blocks.append(Text(f"-# {asked}"))
        title = self.words("hand-title", game=self._game_name())
        panel = self._panel(title, tuple(blocks), Accent.YOURS, epoch=match.epoch)
        return replace(panel, live=True, asks=bool(choices) and self.record.live)

    def _trail(self, choices: Sequence[Any], path: Path, view: Any) -> str:
        """What was chosen so far, in words."""
        said: list[str] = []
        for step, answer in enumerate(path):
            question = ask(choices, path[:step])
            if isinstance(question, Question | Pick):
                values = question.values if isinstance(question, Question) else question.items
                labels = (
                    self.presenter.label(question.field, values[i], view, self.scene).text
                    for i in answer
                )
                said.append(self.words("list-joint").join(labels))
        return " › ".join(said)  # noqa: RUF001 - a mark between steps

    def warning(self, action: object) -> str | None:
        """What the reader should confirm before `action`, if anything."""
        return self.presenter.warning(action, self._view(self._own_seat()), self.scene)

    def _choosing(self, question: object, path: Path, view: Any) -> list[Block]:
        blocks: list[Block]
        if isinstance(question, Question):
            blocks = self._one_of(question, path, view)
        elif isinstance(question, Pick):
            blocks = self._some_of(question, path, view)
        else:
            label = self.presenter.action(question, view, self.scene)
            button = Button(_cut(label, 80), with_path(Verb.DO, path), Tone.MAIN)
            blocks = [Text(self.words("hand-only-one")), Buttons((button,))]
        if path:
            back = Button(self.words("button-back-a-step"), with_path(Verb.DO, path[:-1]))
            blocks.append(Buttons((back,)))
        return blocks

    def _one_of(self, question: Question, path: Path, view: Any) -> list[Block]:
        prompt = self.presenter.prompt(question.field, view, self.scene)
        labels = [
            self.presenter.label(question.field, value, view, self.scene)
            for value in question.values
        ]
        if len(labels) <= MOST_BUTTONS:
            buttons = tuple(
                Button(_cut(label.text, 80), with_path(Verb.DO, (*path, (i,))), Tone.MAIN)
                for i, label in enumerate(labels)
            )
            return [Text(f"**{prompt}**"), Buttons(buttons)]
        items = tuple(
            Item(_cut(label.text, 100), str(i), _cut(label.hint, 100))
            for i, label in enumerate(labels)
        )
        placeholder = self.words("choose")
        return [Text(f"**{prompt}**"), Menu(placeholder, with_path(Verb.PICK, path), items)]

    def _some_of(self, pick: Pick, path: Path, view: Any) -> list[Block]:
        prompt = self.presenter.prompt(pick.field, view, self.scene)
        blocks: list[Block] = [Text(f"**{prompt}**")]
        for group in self.presenter.groups(pick, view, self.scene):
            labels = [
                (i, self.presenter.label(pick.field, pick.items[i], view, self.scene))
                for i in group.items
            ]
            items = tuple(
                Item(_cut(label.text, 100), str(i), _cut(label.hint, 100)) for i, label in labels
            )
            most = min(pick.most, len(items))
            verb = with_path(Verb.PICK, path)
            blocks.append(Menu(_cut(group.prompt, 150), verb, items, pick.least, most))
        return blocks

    def confirm(self, path: Path, warning: str) -> Panel:
        """Ask once more before a move that can only hurt."""
        return self._panel(
            self.words("confirm-title"),
            (
                Text(warning),
                Buttons(
                    (
                        self._button("sure", Verb.SURE, Tone.RISK, rest=write_path(path)),
                        self._button("back-a-step", Verb.DO, rest=write_path(path[:-1])),
                    )
                ),
            ),
            Accent.YOURS,
            epoch=self._match().epoch,
        )

    # --- rules, log, menus -------------------------------------------------------------------

    def rules(self, page: int = 0) -> Panel:
        """One page of the rules."""
        pages = self.presenter.rules(self.words)
        page = max(0, min(page, len(pages) - 1))
        title = self.words("rules-title", game=self._game_name())
        turn = self._pages(Verb.RULES, page, len(pages), ("previous", "next"))
        return self._panel(title, (*pages[page], *turn))

    def log(self, news: Sequence[News], page: int | None = None) -> Panel:
        """What happened, as far as the reader may know; the last page unless another is asked."""
        lines = [line for item in news if readable(item, self.seat) and (line := self._line(item))]
        count = max(1, -(-len(lines) // LOG_PAGE))
        page = count - 1 if page is None else max(0, min(page, count - 1))
        shown = lines[page * LOG_PAGE : (page + 1) * LOG_PAGE] or [self.words("log-empty")]
        blocks: list[Block] = [Text("\n".join(shown))]
        if self.match is not None:
            blocks.append(Text("-# " + self._fairness(self.match)))
        blocks += self._pages(Verb.LOG, page, count, ("earlier", "later"))
        return self._panel(self.words("log-title", game=self._game_name()), tuple(blocks))

    def _fairness(self, match: AnyMatch) -> str:
        if self.record.live:
            return self.words("fair-before", hash=hashlib.sha256(match.seed).hexdigest())
        return self.words("fair-after", seed=match.seed.hex())

    def _pages(self, verb: Verb, page: int, count: int, keys: tuple[str, str]) -> tuple[Block, ...]:
        if count == 1:
            return ()
        back, on = keys
        return (
            Buttons(
                (
                    self._button(back, verb, rest=str(page - 1), enabled=page > 0),
                    self._button(on, verb, rest=str(page + 1), enabled=page < count - 1),
                )
            ),
            Text("-# " + self.words("page", page=page + 1, count=count)),
        )

    def options(self, *, remark: str = "") -> Panel:
        """The host's choices before the game."""
        w = self.words
        blocks: list[Block] = [*self._clock_menu()]
        for option in self.info.options:
            if option.carried:
                continue
            current = self.record.options.get(option.key, option.default)
            items = tuple(
                Item(_item(value_name(self.info, option, v, w)), str(i), chosen=v == current)
                for i, v in enumerate(option.values)
            )
            name = option_name(self.info, option, w)
            about = w(f"{option_id(self.info, option)}-about")
            blocks.append(Text(f"**{name}** · {about}"))
            blocks.append(Menu(name, f"{Verb.OPTION}:{option.key}", items))
        people = [s for s in range(len(self.record.sitters)) if self._is_other(s)]
        if people:
            blocks += self._seat_menu("menu-kick-lobby", Verb.KICK, people)
        blocks.append(Divider())
        if remark:  # below the menus, which then stay what they are for who edits in place
            blocks.append(Text(remark))
        buttons = [self._button("end", Verb.END, Tone.RISK)]
        if self.reader is not None and self.reader.manages_server:
            blocks.append(Text("-# " + w("keep-about")))
            buttons.insert(0, self._button("keep", Verb.KEEP))
        blocks.append(Buttons(tuple(buttons), width=1))
        return self._panel(w("options-title"), tuple(blocks), Accent.LOBBY)

    def levels(self, *, remark: str = "") -> Panel:
        """Which computer player to add, as long as there is a seat for one."""
        blocks: list[Block] = [Text(remark)] if remark else []
        if len(self.record.sitters) < self.info.max_seats:
            items = tuple(
                Item(_item(self.words(f"level-{v}")), str(i), self.words(f"level-{v}-about"))
                for i, v in enumerate(LEVELS)
            )
            # A menu whose id changes forgets what was chosen, so the same may be chosen again.
            verb = f"{Verb.ADD}:{len(self.record.sitters)}"
            blocks.append(Menu(self.words("menu-level"), verb, items))
        return self._panel(self.words("levels-title"), tuple(blocks), Accent.LOBBY)

    def more(self, *, remark: str = "") -> Panel:
        """What the reader may do beside playing."""
        blocks: list[Block] = [Text(remark)] if remark else []
        buttons: list[Button | Link] = []
        if self.removed:
            blocks.append(Text(self.words("more-removed")))
        elif self.seat is not None:
            blocks.append(Text(self.words("more-about")))
            buttons += self._own_buttons(self.record.sitters[self.seat].presence)
        blocks += [Buttons(tuple(buttons))] if buttons else []
        if self.seat is None and not self.removed and (free := self._free_seats()):
            blocks += self._seat_menu("menu-sit", Verb.SIT, free)
        if self._may_manage():
            blocks += self._managing()
        if not blocks:
            blocks.append(Text(self.words("more-nothing")))
        return self._panel(self.words("more-title"), tuple(blocks))

    def _own_buttons(self, presence: Presence) -> list[Button]:
        buttons: list[Button] = []
        if presence is Presence.HERE:
            buttons.append(self._button("auto", Verb.AUTO))
        else:
            buttons.append(self._button("back", Verb.BACK, Tone.GOOD))
        if any(seat != self.seat for seat in self._waiting):
            buttons.append(self._button("remind", Verb.REMIND))
        on = self.reader is not None and self.reader.pings
        buttons.append(self._button("pings-off" if on else "pings-on", Verb.PINGS))
        if presence is not Presence.LEFT:
            buttons.append(self._button("quit", Verb.QUIT, Tone.RISK))
        return buttons

    def _managing(self) -> list[Block]:
        others = [s for s in range(len(self.record.sitters)) if self._is_other(s)]
        present = [s for s in others if self.record.sitters[s].waits]
        out = (Presence.REMOVED, Presence.COMPUTER)
        removable = [s for s in others if self.record.sitters[s].presence not in out]
        blocks: list[Block] = [Divider(), Text(self.words("more-manage")), *self._clock_menu()]
        if removable:
            blocks += self._seat_menu("menu-kick", Verb.KICK, removable)
        if present:
            blocks += self._seat_menu("menu-host", Verb.HOST, present)
        blocks.append(Buttons((self._button("end", Verb.END, Tone.RISK),)))
        return blocks

    def ask_quit(self) -> Panel:
        """Leave a running game?"""
        return self._sure("quit", Verb.QUIT_SURE)

    def ask_kick(self, seat: int) -> Panel:
        """Remove somebody from a running game?"""
        about = self.words("kick-about", name=self.scene.name(seat))
        who = identity(self.record.sitters[seat])
        yes = self._button("kick-sure", Verb.KICK_SURE, Tone.RISK, rest=who)
        buttons = Buttons((yes, self._button("no", Verb.MORE)))
        return self._panel(self.words("confirm-title"), (Text(about), buttons))

    def ask_end(self) -> Panel:
        """End the table for everybody?"""
        return self._sure("end", Verb.END_SURE)

    def _sure(self, what: str, verb: Verb) -> Panel:
        buttons = (
            self._button(f"{what}-sure", verb, Tone.RISK),
            self._button("no", Verb.MORE),
        )
        return self._panel(
            self.words("confirm-title"), (Text(self.words(f"{what}-about")), Buttons(buttons))
        )

    # --- small things ------------------------------------------------------------------------

    def _panel(
        self,
        title: str,
        blocks: tuple[Block, ...],
        accent: Accent = Accent.PLAY,
        *,
        epoch: int = 0,
        live: bool = False,
    ) -> Panel:
        # Only what answers a question has its epoch: the ids of other buttons stay the same from
        # move to move, so that a press under way while the board is edited still finds its button.
        return Panel(title, blocks, accent, self.record.id, epoch, live)

    def _button(
        self, key: str, verb: Verb, tone: Tone = Tone.PLAIN, *, rest: str = "", enabled: bool = True
    ) -> Button:
        full = f"{verb}:{rest}" if rest else str(verb)
        return Button(self.words(f"button-{key}"), full, tone, enabled)

    def _seat_menu(self, key: str, verb: Verb, seats: Sequence[int]) -> tuple[Block, Block]:
        # By who sits there, not by where: a lobby's row closes up when somebody leaves.
        items = tuple(
            Item(_cut(self.scene.guests[s].label, 100), identity(self.record.sitters[s]))
            for s in seats
        )
        about = Text(f"**{self.words(key)}** · {self.words(f'{key}-about')}")
        return about, Menu(self.words("choose"), verb, items)

    def _clock_menu(self) -> tuple[Block, Block]:
        items = tuple(
            Item(_item(self._clock_name(s)), str(s), chosen=s == self.record.clock) for s in CLOCKS
        )
        prompt = self.words("menu-clock")
        about = self.words("menu-clock-about")
        return Text(f"**{prompt}** · {about}"), Menu(prompt, Verb.CLOCK, items)

    def _level(self, sitter: Sitter) -> str:
        return self.words(f"level-{sitter.level}")

    def _clock_name(self, seconds: int) -> str:
        return self.words(f"clock-{seconds}")

    def _game_name(self) -> str:
        return self.words(f"{self.info.key}-name")

    def _is_other(self, seat: int) -> bool:
        return self.reader is None or self.record.sitters[seat].user_id != self.reader.user_id

    def _free_seats(self) -> list[int]:
        return [s for s, sitter in enumerate(self.record.sitters) if sitter.presence in FREE]

    def _may_manage(self) -> bool:
        if self.reader is None:
            return False
        return self.reader.moderator or self.reader.user_id == self.record.host_id

    def _line(self, news: News) -> str | None:
        if isinstance(news, Note):
            return self.words(news.code, **{k: _safe(v) for k, v in news.params.items()})
        return self.presenter.line(news, self.scene)

    def _view(self, seat: Seat | None) -> Any:
        match = self._match()
        return match.game.view(match.state, seat)

    def _match(self) -> AnyMatch:
        if self.match is None:
            raise NotBegun
        return self.match

    def _own_seat(self) -> Seat:
        if self.removed:
            raise MayNotReturn
        if self.reader is None:
            raise NotSeated
        return own_seat(self.record, self.reader.user_id)


def link_to(table: Table) -> str:
    """The address of a table's board, or of its channel while the board is on its way."""
    record = table.record
    where = f"https://discord.com/channels/{record.guild_id}/{record.channel_id}"
    return where if record.board is None else f"{where}/{record.board.message_id}"


def identity(sitter: Sitter) -> str:
    """What a menu answers for somebody at a table, wherever they sit by then."""
    return sitter.name if sitter.user_id is None else str(sitter.user_id)


def guests(record: Record) -> tuple[Guest, ...]:
    """Who sits where, with names that are safe to show and can't be mistaken for each other.

    Computer players bear a mark that no person's name can have.
    """
    shown = present([sitter.name for sitter in record.sitters])
    found: list[Guest] = []
    for name, sitter in zip(shown, record.sitters, strict=True):
        mark = f" {COMPUTER_MARK}" if sitter.presence is Presence.COMPUTER else ""
        found.append(Guest(name.markdown + mark, name.plain + mark, sitter.presence, sitter.level))
    return tuple(found)


def _safe(name: str) -> str:
    return present([name])[0].markdown


def _item(text: str) -> str:
    """`text` as a line of a menu of its own, where it stands in no sentence."""
    return _cut(text[:1].upper() + text[1:], 100)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
