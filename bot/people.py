"""Who answers for which seat once the game has begun. Pure: from Record to Record and notes."""

from __future__ import annotations

from dataclasses import replace

from bot.clock import MISSED_BEFORE_AWAY
from bot.journal import Note
from bot.lobby import with_present_host
from bot.records import Presence, Record, Sitter, Stage
from bot.refusals import (
    AlreadySeated,
    MayNotReturn,
    NotAllowed,
    NotBegun,
    NotSeated,
    SeatAway,
    SeatNotFree,
    SeatTaken,
)
from engine.core import Seat

Changed = tuple[Record, tuple[Note, ...]]

FREE = frozenset({Presence.LEFT, Presence.REMOVED, Presence.COMPUTER})
"""Seats that somebody new may take."""


def require_host_or_moderator(record: Record, user_id: int, *, moderator: bool) -> None:
    """Whether `user_id` is the host or a moderator. Raises NotAllowed."""
    if not (moderator or record.host_id == user_id):
        raise NotAllowed


def require_playing(record: Record) -> None:
    """Raises NotBegun."""
    if record.stage is not Stage.PLAYING:
        raise NotBegun


def own_seat(record: Record, user_id: int) -> Seat:
    """The seat that a user owns, whoever answers for it now. Raises NotSeated, SeatTaken."""
    seat = record.seat_of(user_id)
    if seat is None:
        raise SeatTaken if user_id in record.former else NotSeated
    return seat


def reading_seat(record: Record, user_id: int) -> Seat | None:
    """The seat whose secrets a user may read; who was put out reads none until the end."""
    seat = record.seat_of(user_id)
    if seat is not None and record.live and record.sitters[seat].presence is Presence.REMOVED:
        return None
    return seat


def present_seat(record: Record, user_id: int) -> Seat:
    """The seat of somebody who is at the table. Raises NotSeated, SeatAway, MayNotReturn."""
    seat = own_seat(record, user_id)
    presence = record.sitters[seat].presence
    if presence is Presence.REMOVED:
        raise MayNotReturn
    if presence is Presence.LEFT:
        raise SeatAway
    return seat


def seat_now(record: Record, sitter: Sitter) -> Seat:
    """Where `sitter` sits by now: rows of a lobby move up. Raises NotSeated."""
    if sitter.user_id is not None:
        return own_seat(record, sitter.user_id)
    if sitter not in record.sitters:
        raise NotSeated
    return Seat(record.sitters.index(sitter))


def got_up(record: Record, seat: Seat, presence: Presence) -> Changed:
    """The person at `seat` left or was removed. Raises NotSeated if nobody is there to go."""
    old = record.sitters[seat].presence
    if old in (Presence.COMPUTER, Presence.REMOVED, presence):
        raise NotSeated
    return _as(record, seat, presence)


def stood_in(record: Record, user_id: int) -> Changed:
    """The computer plays for a person who stays. Raises like present_seat."""
    return _as(record, present_seat(record, user_id), Presence.AWAY)


def came_back(record: Record, user_id: int) -> Changed:
    """A person answers for the own seat again. Raises NotSeated, MayNotReturn."""
    if user_id in record.former:
        raise MayNotReturn
    seat = own_seat(record, user_id)
    if record.sitters[seat].presence is Presence.REMOVED:
        raise MayNotReturn
    return _as(record, seat, Presence.HERE)


def answers(record: Record, user_id: int) -> Changed:
    """Somebody makes a move, which shows that they are here. Raises like present_seat."""
    seat = present_seat(record, user_id)
    record, notes = _as(record, seat, Presence.HERE)
    return record.with_sitter(seat, replace(record.sitters[seat], missed=0)), notes


def missed(record: Record, seat: Seat) -> Changed:
    """A person let the time run out; for the second time in a row it means to be away."""
    sitter = record.sitters[seat]
    sitter = replace(sitter, missed=sitter.missed + 1)
    note = Note("note-time", {"name": sitter.name})
    record = record.with_sitter(seat, sitter)
    if sitter.missed < MISSED_BEFORE_AWAY:
        return record, (note,)
    record, notes = _as(record, seat, Presence.AWAY)
    return record, (note, *notes)


def took(record: Record, seat: int, user_id: int, name: str) -> Changed:
    """Somebody new plays on for a seat that nobody has.

    Nobody may who had a hand in this game. Raises AlreadySeated, MayNotReturn, SeatNotFree.
    """
    own = record.seat_of(user_id)
    gone = own is not None and record.sitters[own].presence is Presence.REMOVED
    if gone or user_id in record.former:
        raise MayNotReturn
    if own is not None:
        raise AlreadySeated
    if not 0 <= seat < len(record.sitters) or record.sitters[seat].presence not in FREE:
        raise SeatNotFree
    old = record.sitters[seat]
    former = record.former if old.user_id is None else record.former | {old.user_id}
    record = replace(record.with_sitter(seat, Sitter(user_id, name)), former=former)
    return record, (Note("note-took", {"name": name, "old": old.name}),)


def handed_over(record: Record, to: int) -> Changed:
    """Somebody else at the table hosts it. Raises NotSeated."""
    if not record.sitters[own_seat(record, to)].waits:
        raise NotSeated
    return _hosted(record, replace(record, host_id=to))


def followed(record: Record, now: float) -> Changed:
    """What follows from a change of who is here: another host, a pause or its end."""
    if any(sitter.waits for sitter in record.sitters):
        record = replace(record, paused_at=None)
    elif record.paused_at is None:
        record = replace(record, paused_at=now)
    return _hosted(record, with_present_host(record))


def reachable(record: Record) -> bool:
    """Whether anybody is here or only away; without one, nobody would ever come back."""
    return any(s.presence in (Presence.HERE, Presence.AWAY) for s in record.sitters)


def _hosted(before: Record, record: Record) -> Changed:
    if record.host_id == before.host_id:
        return record, ()
    name = record.sitters[own_seat(record, record.host_id)].name
    return record, (Note("note-host", {"name": name}),)


_NOTES = {
    Presence.HERE: "note-back",
    Presence.AWAY: "note-away",
    Presence.LEFT: "note-left",
    Presence.REMOVED: "note-removed",
}


def _as(record: Record, seat: Seat, presence: Presence) -> Changed:
    """The sitter at `seat` with another presence; the record itself if it is none."""
    sitter = record.sitters[seat]
    if sitter.presence is presence:
        return record, ()
    note = Note(_NOTES[presence], {"name": sitter.name})
    return record.with_sitter(seat, replace(sitter, presence=presence, missed=0)), (note,)
