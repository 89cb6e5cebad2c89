"""A table before its match: who sits, who hosts, which options. Pure, from Record to Record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.records import Presence, Record, Sitter, Stage
from bot.refusals import (
    AlreadyBegun,
    AlreadySeated,
    ComputersOnly,
    LobbyFull,
    MayNotReturn,
    NotHost,
    NotOver,
    NotSeated,
    TooFewSeats,
)
from engine.core import GameInfo, OptionValue
from engine.errors import BadOption

CLOCKS = (0, 60, 300, 86_400)
"""Seconds that an answer may take; 0 is no clock."""


def require_lobby(record: Record) -> None:
    """Raises AlreadyBegun."""
    if record.stage is not Stage.LOBBY:
        raise AlreadyBegun


def require_host(record: Record, user_id: int) -> None:
    """Raises NotHost, which names the host."""
    if record.host_id != user_id:
        seat = record.seat_of(record.host_id)
        raise NotHost(host="" if seat is None else record.sitters[seat].name)


def join(record: Record, info: GameInfo, user_id: int, name: str) -> Record:
    """One more person at the end of the row. Raises AlreadySeated and LobbyFull."""
    require_lobby(record)
    if record.seat_of(user_id) is not None:
        raise AlreadySeated
    return _and(record, info, Sitter(user_id, name))


def add_computer(record: Record, info: GameInfo, user_id: int, name: str, level: str) -> Record:
    """The host adds a computer player. Raises NotHost and LobbyFull."""
    require_lobby(record)
    require_host(record, user_id)
    # Two presses at one moment ask for one name, and menus tell computer players by their names.
    taken = {sitter.name for sitter in record.sitters}
    spellings = (name, *(f"{name} {number}" for number in range(2, info.max_seats + 2)))
    free = next(spelling for spelling in spellings if spelling not in taken)
    return _and(record, info, Sitter(None, free, Presence.COMPUTER, level))


def without(record: Record, info: GameInfo, seat: int) -> Record:
    """The lobby after whoever sits at `seat` got up; a host who goes passes the table on."""
    sitters = record.sitters[:seat] + record.sitters[seat + 1 :]
    return with_present_host(_reseated(record, info, sitters))


def deserted(record: Record) -> bool:
    """Whether no person sits here."""
    return all(sitter.user_id is None for sitter in record.sitters)


def with_present_host(record: Record) -> Record:
    """The record with a host who is at the table: the old one if possible, else who is there."""
    here = [s.user_id for s in record.sitters if s.user_id is not None and s.waits]
    away = [s.user_id for s in record.sitters if s.presence is Presence.AWAY]
    candidates = [user_id for user_id in (*here, *away) if user_id is not None]
    if not candidates or record.host_id in candidates:
        return record
    return replace(record, host_id=candidates[0])


def choose(record: Record, info: GameInfo, user_id: int, key: str, value: OptionValue) -> Record:
    """The host sets one of the game's options. Raises NotHost and BadOption."""
    require_lobby(record)
    require_host(record, user_id)
    if key in _carried(info):
        raise BadOption(option=key, value=str(value))
    return replace(record, options=info.settle({**record.options, key: value}))


def set_clock(record: Record, seconds: int) -> Record:
    """How long an answer may take from now on. Raises BadOption."""
    if seconds not in CLOCKS:
        raise BadOption(option="clock", value=str(seconds))
    return replace(record, clock=seconds)


def require_ready(record: Record, info: GameInfo, user_id: int) -> None:
    """Whether `user_id` may begin now. Raises NotSeated, NotHost, TooFewSeats, ComputersOnly."""
    require_lobby(record)
    if record.seat_of(user_id) is None:
        raise NotSeated
    require_host(record, user_id)
    if len(record.sitters) < info.min_seats:
        raise TooFewSeats(least=info.min_seats, seats=len(record.sitters))
    if deserted(record):
        raise ComputersOnly


def after(
    old: Record,
    info: GameInfo,
    carried: Mapping[str, OptionValue],
    user_id: int,
    name: str,
    now: float,
) -> Record:
    """The lobby of a rematch: whoever has not left sits again, and `user_id` hosts.

    `carried` is what the match hands on to the same row of seats. Raises NotOver, NotSeated,
    MayNotReturn.
    """
    if old.stage is not Stage.OVER:
        raise NotOver
    seat = old.seat_of(user_id)
    if seat is None:
        raise NotSeated
    if old.sitters[seat].presence is Presence.REMOVED:
        raise MayNotReturn
    old = old.with_sitter(seat, Sitter(user_id, name))
    gone = (Presence.LEFT, Presence.REMOVED)
    sitters = tuple(_rested(s) for s in old.sitters if s.presence not in gone)
    same = len(sitters) == len(old.sitters)
    return Record(
        id=0,
        game=old.game,
        guild_id=old.guild_id,
        channel_id=old.channel_id,
        stage=Stage.LOBBY,
        host_id=user_id,
        sitters=sitters,
        options=info.settle(
            {**info.still_offered(old.options), **_carried(info), **(carried if same else {})}
        ),
        created_at=now,
        touched_at=now,
        clock=old.clock,
        own_thread=old.own_thread,
        follows=old.id,
    )


def _rested(sitter: Sitter) -> Sitter:
    here = Presence.COMPUTER if sitter.user_id is None else Presence.HERE
    return replace(sitter, presence=here, missed=0)


def _and(record: Record, info: GameInfo, sitter: Sitter) -> Record:
    if len(record.sitters) >= info.max_seats:
        raise LobbyFull(most=info.max_seats)
    return _reseated(record, info, (*record.sitters, sitter))


def _reseated(record: Record, info: GameInfo, sitters: tuple[Sitter, ...]) -> Record:
    """What a finished match left to its seats is void when others sit in them."""
    return replace(record, sitters=sitters, options={**record.options, **_carried(info)})


def _carried(info: GameInfo) -> dict[str, OptionValue]:
    return {option.key: option.default for option in info.options if option.carried}
