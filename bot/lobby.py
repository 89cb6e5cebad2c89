"""A table before its match: who sits, who hosts, which options. Pure, from Record to Record."""

from __future__ import annotations

from dataclasses import replace

from bot.records import Presence, Record, Sitter, Stage
from bot.refusals import (
    AlreadyBegun,
    AlreadySeated,
    ComputersOnly,
    LobbyFull,
    NotHost,
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
    return _seated(record, info, Sitter(user_id, name))


def add_computer(record: Record, info: GameInfo, user_id: int, name: str, level: str) -> Record:
    """The host adds a computer player. Raises NotHost and LobbyFull."""
    require_lobby(record)
    require_host(record, user_id)
    return _seated(record, info, Sitter(None, name, Presence.COMPUTER, level))


def _seated(record: Record, info: GameInfo, sitter: Sitter) -> Record:
    if len(record.sitters) >= info.max_seats:
        raise LobbyFull(most=info.max_seats)
    return replace(record, sitters=(*record.sitters, sitter))


def without(record: Record, seat: int) -> Record:
    """The lobby after whoever sits at `seat` got up; a host who goes passes the table on."""
    sitters = record.sitters[:seat] + record.sitters[seat + 1 :]
    return with_present_host(replace(record, sitters=sitters))


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
    if all(sitter.user_id is None for sitter in record.sitters):
        raise ComputersOnly
