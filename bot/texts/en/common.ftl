### Sentences that every game needs.

## Small pieces

# Between the items of a list: Ann, Bob, Cleo
list-joint = ,{" "}

# A number on a card and its name, where the card is named in a line of text or on a button.
card = { $number } { $name }

## What a game refuses: says what happened, then what to do next

error-refused = That doesn't work right now. Open your hand to see what you can do.
error-illegal-action = You can't make that move. Open your hand to see the ones you can make.
error-not-your-turn = It isn't your turn yet. The board shows who the table is waiting for.
error-stale-action = The table has moved on since that button was made. Open your hand again to see where things are now.
error-match-over = This game is over. Start another one if you like.
error-bad-setup = This game takes { $least } to { $most } players, and you have { $seats }. Let people join or leave, then begin again.
error-bad-option = “{ $value }” isn't one of the choices for { $option }. Pick one from the list.
# $problem is a sentence of its own.
error-bad-deck = The deck file { $file } can't be used. Line { $line }: { $problem }
