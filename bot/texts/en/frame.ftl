# The frame around every game: lobby, board, private panels, commands, refusals of the table.

## Lobby

lobby-title = { $game } · table open
lobby-about = { $least ->
    [one] For 1 to { $most } players.
   *[other] For { $least } to { $most } players.
  } Take a seat, or just watch.
lobby-free = { $count ->
    [one] -# 1 seat is free
   *[other] -# { $count } seats are free
  }
mark-host = host
mark-computer = computer player, { $level }
setting-clock = Time to answer: { $clock }

button-join = Join
button-leave = Leave
button-add-computer = Add computer
button-begin = Begin
button-options = Options
button-rules = Rules

options-title = Options
option-on = yes
option-off = no
levels-title = Add a computer player
menu-level = How well should it play?
level-easy = easy
level-easy-about = Plays casually and forgives mistakes
level-normal = normal
level-normal-about = Plays like a good club player
level-hard = hard
level-hard-about = Thinks ahead
computer-names = Cogwheel, Sprocket, Transistor, Flywheel, Camshaft, Dynamo, Gasket, Rivet

clock-0 = no limit
clock-60 = 1 minute
clock-300 = 5 minutes
clock-86400 = 24 hours
menu-clock = Time to answer
menu-clock-about = When it is over, the computer answers.

## Board

board-mention = { $people } · you are asked.
board-deadline = Otherwise the computer answers { $time }.
board-paused = Everybody is away, so the game waits. Press **My hand** to go on; after 24 hours the table closes.
board-away = { $name } is away; the computer plays for them.
board-left = { $name } left; the computer plays on.
board-computers = Computer players: { $names }
board-removed = { $name } was removed; the computer plays on.

button-hand = My hand
button-log = Log
button-more = More

end-title = { $game } · the end
button-again = Rematch
closed-title = { $game } · closed
closed-again = Start a new table with /{ $game } start.

reason-closed-empty = Everybody got up, so the table is closed.
reason-closed-idle = Nobody did anything here for half an hour, so the table is closed.
reason-closed-paused = Nobody came back for a day, so the game is closed without a result.
reason-closed-forgotten = Nobody did anything here for a week, so the game is closed without a result.
reason-closed-fault = Something went wrong on my side and the game can't go on, so it is closed without a result. Sorry!
reason-closed-everyone-left = Everybody left, so the game is closed without a result.
reason-closed-ended = The game was ended by the host or a moderator.
reason-closed-channel-gone = The channel is gone.
reason-closed-bot-removed = I was removed from the server.
reason-table-broken = This table can't be read by my version, so it is closed.

fair-before = Fair deal: SHA-256 of this game's seed is `{ $hash }`. The seed is shown at the end.
fair-after = Fair deal: the seed was `{ $seed }`. Its SHA-256 was in the log from the start.

## Private panels

hand-title = { $game } · your hand
hand-may-change = You may change your answer until the last player has answered.
hand-only-one = There is one thing you can do:
button-back-a-step = Back
confirm-title = Are you sure?
button-sure = Do it anyway
choose = Choose

rules-title = { $game } · rules
log-title = { $game } · what happened
log-empty = Nothing happened yet.
button-previous = Back
button-next = Next
button-earlier = Earlier
button-later = Later
page = Page { $page } of { $count }

more-title = More
more-about = What would you like to do?
more-removed = You were removed from this game. You may watch, and join the next one.
more-nothing = You are watching this table. There is nothing to set.
more-manage = For the host and moderators:
button-auto = Let the computer play for me
button-back = I'm back
button-remind = Remind
button-pings-on = Mention me again
button-pings-off = Stop mentioning me
button-quit = Leave the game
button-quit-sure = Leave
button-end = End the table
button-end-sure = End it for everybody
button-no = No, back
button-kick-sure = Remove
kick-about = The computer plays on for { $name }, who can't come back to this game but may join the next one.
quit-about = The computer will play on for you. You can come back while nobody else took your seat.
end-about = The game ends for everybody, without a result.
menu-kick = Remove somebody
menu-kick-about = The computer plays on for them.
menu-kick-lobby = Remove somebody from the table
menu-kick-lobby-about = They may join again.
menu-host = Make somebody else the host
menu-host-about = The host decides about clock, seats and end.
menu-sit = Take over a seat
menu-sit-about = You may play on for a seat that nobody has.
button-keep = Make these the server's defaults
keep-about = You manage this server: new tables of this game can begin with these choices. The time to answer then holds for every game.

done-added = { $name } sits down.
done-opened = Your table is open in { $channel }.
done-table = Here it comes: the board is at the bottom again.
done-left = You left the table.
done-left-game = You left the game; the computer plays on for you. To come back, press More on the board, then I'm back.
done-away = The computer plays for you. Any press brings you back.
done-away-last = Everybody is away now, so the game waits. Any press brings you back.
done-back = Welcome back: you play yourself again.
done-reminded = Reminded.
done-removed = Removed.
done-kept = Saved. New tables begin like this.
remark-gone = They are not there any more.
remark-stale = The table has moved on since that button was made. This is how things are now.
done-host = The host has changed.
done-ended = The table is closed.
done-settings = Saved.

## What happens to a table, in its log

note-left = { $name } left; the computer plays on.
note-removed = { $name } was removed; the computer plays on.
note-away = { $name } is away; the computer plays for them.
note-back = { $name } is back.
note-host = { $name } is the host now.
note-took = { $name } plays on for { $old }.
note-time = Time is up: the computer answered for { $name }.

## Refusals

refused-title = That didn't work
sorry = Something went wrong on my side. Nothing is lost: please press again, or open the panel anew with My hand.
error-no-table = This table has ended. Press Rematch on its last board, or start a new one.
error-no-table-here = There is no such table in this channel. Open one with /{ $command } start.
error-other-game-here = The table in this channel plays { $game }: its commands begin with /{ $command }.
error-channel-taken = There is a table in this channel already: { $link } Open yours in another channel, or with the option thread.
error-already-followed = The next table is open already: { $link }
error-followed-over = There was a rematch of this game already. Press Rematch below the newest one, or open a new table.
error-not-seated = You are not playing at this table.
error-seat-taken = Somebody else has taken your seat in this game. You can join the next one.
error-already-seated = You already have a seat here.
error-lobby-full = The table is full: { $most } players are the most. You can watch, or open a table in another channel.
error-too-few-seats = { $least ->
    [one] It takes at least 1 player.
   *[other] It takes at least { $least } players, and { $seats } { $seats ->
        [one] sits
       *[other] sit
    } here. Wait for somebody, or add a computer player.
  }
error-not-host = Only the host can do that: { $host }.
error-not-allowed = Only the host and moderators can do that.
error-not-begun = The game has not begun yet. The host presses Begin.
error-already-begun = The game has begun already.
error-not-over = This game is not over yet.
error-seat-not-free = Somebody sits there.
error-may-not-return = You can't come back to this game, but you can join the next one.
error-seat-away = You left this game. Press More, then I'm back.
error-nobody-asked = Nobody else is being waited for.
error-reminded-already = They were reminded already.
error-computers-only = A table needs at least one person.
error-channel-not-allowed = On this server games are played in { $channels }.
error-missing-permission = I need this in the channel to show the table: { $permissions }. Please ask somebody who manages the server.
error-thread-locked = This thread is locked, so I can't show the table. Ask a moderator to unlock it; nothing is lost.
error-guild-only = Games are played in a server's channels.
error-no-thread = I could not make a thread here. Try again, or open the table without one.
error-wrong-place = I can't put a table here. Try an ordinary text channel or a thread.
error-not-saved = I could not save that, so nothing has changed. Please try again in a moment.
error-table-broken = A table in this channel can't be read by my version, so it is closed. Nothing else is affected; you can start a new one.
error-typed-unknown = I don't know what “{ $typed }” means here. Pick one of the suggestions while you type.
error-typed-too-little = Something is missing: { $question }
error-old-command = That command has changed. Type it again, and pick it from the list.

permission-view-channel = View Channel
permission-read-message-history = Read Message History
permission-send-messages = Send Messages
permission-send-messages-in-threads = Send Messages in Threads
permission-create-public-threads = Create Public Threads

## What the operator reads

error-storage-failed = The database failed.
error-database-unwritable = The database can't be written: { $path } (check DATABASE, the folder and its permissions).
error-database-newer = The database was written by a newer version (format { $found }; this version knows { $known }): update the bot.
error-database-in-use = Another bot uses this database already: { $path }
error-database-damaged = This is not a database of Stitch Table, or it is damaged: { $path } (restore a backup).
error-storage-busy = The database is busy: { $cause }
error-storage-closed = The database is closed.
error-seq-taken = Another process wrote this table at the same time.
error-table-gone = The table is not in the database any more.
error-no-database = There is no database to copy yet: { $path } (check DATABASE; the bot makes it when it first runs).
error-backup-exists = { $path } exists already; a backup never overwrites anything.
error-backup-unwritable = The backup can't be written: { $path } (is there such a folder, and may it be written?).
operator-bad-setup = This game takes { $least } to { $most } players, not { $seats }.
operator-bad-option = This game has no option { $option }={ $value }. It has { $offered }.
operator-no-options = no options at all
operator-bad-seed = A seed is 64 hexadecimal digits: copy it again from the board or the log of the game.

## Commands

command-start = start
command-start-about = Open a table in this channel
command-hand = hand
command-hand-about = See your hand, and play
command-table = table
command-table-about = Show the board again, at the bottom of the channel
command-rules = rules
command-rules-about = How the game is played
command-log = log
command-log-about = What happened at this table
command-leave = leave
command-leave-about = Leave the table
command-play = play
param-clock = clock
param-clock-about = How long an answer may take
param-thread = thread
param-thread-about = Open the table in a thread of its own
param-computers = computers
param-computers-about = How many computer players to seat
param-level = level
param-level-about = How well the computer players play
thread-name = { $game } with { $host }

fix626-name = The Fix for 626
fix626-command = fix626
fix626-command-about = The Fix for 626: hidden cards, one Stitch, last one standing
fix626-play-about = Play a card of your hand
fix626-param-card = card
fix626-param-card-about = Which of your cards
fix626-param-target = target
fix626-param-target-about = Whom it is played on
fix626-param-guess = guess
fix626-param-guess-about = The number you guess

tables-command = tables
tables-command-about = For moderators: the tables of this server
command-list = list
command-list-about = All tables of this server
command-end = end
command-end-about = End the table in this channel
command-settings = settings
command-settings-about = Where games are played here, and how they begin
param-allow = allow
param-allow-about = Games are played in this channel (and others you allow)
param-forbid = forbid
param-forbid-about = Take this channel off the list
param-everywhere = everywhere
param-everywhere-about = Games are played in every channel again
param-standard = standard
param-standard-about = Games begin with their standard options again (the time to answer is set with clock)
param-default-clock-about = The time to answer that new tables begin with
param-default-thread-about = Whether new tables get a thread of their own
list-title = Tables of this server
list-line = { $game } · { $stage } · { $players ->
    [one] 1 seat
   *[other] { $players } seats
  } taken · last used { $touched } · { $link }
list-lobby = waiting to begin
list-playing = playing
list-none = No table is open.
list-more = { $count ->
    [one] and 1 more
   *[other] and { $count } more
  }
settings-title = Settings of this server
settings-clock = Time to answer, unless the host says otherwise: **{ $clock }**
settings-thread = A thread of its own for every table: **{ $value }**
settings-channels = Games are played in: { $channels }
settings-everywhere = every channel
settings-game = { $game } begins with: { $options }
settings-about = -# To change what a game begins with, open a table, press Options, choose, and press “Make these the server's defaults”.
error-last-channel = That is the only channel where games are allowed. Allow another one first, or use everywhere.
error-channel-not-listed = That channel is not on the list of allowed ones, so there is nothing to take off.
error-managers-only = Only people with Manage Server can change that.
error-no-table-in-channel = No table is open in this channel.
