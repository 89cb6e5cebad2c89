"""What a table refuses beside the rules of its game; each code has a sentence in bot/texts."""

from __future__ import annotations

from engine.errors import GameError


class NoTable(GameError):
    """The table has ended, or never was."""

    code = "no-table"


class NoTableHere(GameError):
    """No table of this game is open in the channel; params: command."""

    code = "no-table-here"


class ChannelTaken(GameError):
    """The channel already has a live table; params: table."""

    code = "channel-taken"


class AlreadyFollowed(GameError):
    """The table has a rematch; params: table, the rematch's id."""

    code = "already-followed"


class NotSeated(GameError):
    """Only people at the table may do this."""

    code = "not-seated"


class SeatTaken(GameError):
    """Somebody else has taken the seat that the person gave up."""

    code = "seat-taken"


class OtherGameHere(GameError):
    """The table in this channel plays another game; params: game, command."""

    code = "other-game-here"


class AlreadySeated(GameError):
    """The person already has a seat here."""

    code = "already-seated"


class LobbyFull(GameError):
    """Every seat is taken; params: most."""

    code = "lobby-full"


class TooFewSeats(GameError):
    """Not enough people to begin; params: least, seats."""

    code = "too-few-seats"


class NotHost(GameError):
    """Only the host may do this; params: host."""

    code = "not-host"


class NotAllowed(GameError):
    """Only the host and moderators may do this."""

    code = "not-allowed"


class NotBegun(GameError):
    """The game has not begun: there is no hand to show yet."""

    code = "not-begun"


class AlreadyBegun(GameError):
    """The game has begun; this was for the lobby."""

    code = "already-begun"


class NotOver(GameError):
    """A rematch comes after the end."""

    code = "not-over"


class SeatNotFree(GameError):
    """Somebody sits there."""

    code = "seat-not-free"


class MayNotReturn(GameError):
    """The person was put out of this game or gave the seat away; the next one is open to them."""

    code = "may-not-return"


class SeatAway(GameError):
    """The person left the table; coming back comes first."""

    code = "seat-away"


class NobodyAsked(GameError):
    """There is nobody to remind."""

    code = "nobody-asked"


class RemindedAlready(GameError):
    """One reminder a question is enough."""

    code = "reminded-already"


class ComputersOnly(GameError):
    """A table needs a person."""

    code = "computers-only"


class ChannelNotAllowed(GameError):
    """The server's managers keep games to other channels; params: channels."""

    code = "channel-not-allowed"


class MissingPermission(GameError):
    """The bot lacks a permission in this channel; params: permissions, as Discord names them."""

    code = "missing-permission"


class GuildOnly(GameError):
    """The bot plays in servers only."""

    code = "guild-only"


class WrongPlace(GameError):
    """No game can be shown in this kind of channel."""

    code = "wrong-place"


class NoThread(GameError):
    """Discord made no thread for the table."""

    code = "no-thread"


class LastChannel(GameError):
    """Taking the only allowed channel off the list would allow every channel."""

    code = "last-channel"


class ChannelNotListed(GameError):
    """A channel that is not on the list of allowed ones can't be taken off it."""

    code = "channel-not-listed"


class NotSaved(GameError):
    """The database refused the write; nothing was changed."""

    code = "not-saved"


class TableBroken(GameError):
    """The table's rows can't be read by this version."""

    code = "table-broken"


class TypedUnknown(GameError):
    """What was typed names nothing that could be meant here; params: typed."""

    code = "typed-unknown"


class TypedTooLittle(GameError):
    """Something more must be typed; params: question."""

    code = "typed-too-little"


class ManagersOnly(GameError):
    """Only those who manage the server may do this."""

    code = "managers-only"


class NoTableInChannel(GameError):
    """No table at all is open in the channel."""

    code = "no-table-in-channel"
