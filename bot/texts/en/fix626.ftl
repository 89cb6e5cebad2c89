### The Fix for 626, in our own words.

## The cards

fix626-card-gantu = Gantu
fix626-card-councilwoman = Grand Councilwoman
fix626-card-cobra = Cobra Bubbles
fix626-card-sparky = Sparky
fix626-card-jumba = Jumba
fix626-card-angel = Angel
fix626-card-leroy = Leroy
fix626-card-david = David
fix626-card-pleakley = Pleakley
fix626-card-nani = Nani
fix626-card-lilo = Lilo

# What each card does; at most 100 characters, so that a menu's line can show it.
fix626-effect-gantu = Stitch moves on to the next player in turn order.
fix626-effect-councilwoman = Name a number. If the player you pick holds it, they're out.
fix626-effect-cobra = Peek at somebody's card. If it's Lilo or Nani, they're out.
fix626-effect-sparky = You and somebody else compare cards in secret. The lower number is out; ties are safe.
fix626-effect-jumba = Stitch turns over: from good to Experiment 626, or back again.
fix626-effect-angel = Stitch comes to you. If it's Good Stitch, you go again.
fix626-effect-leroy = Whoever has Experiment 626 is out, even you. Then Stitch comes to you.
fix626-effect-david = Until your next turn begins, nobody can pick you.
fix626-effect-pleakley = Swap cards with somebody. If they have Stitch, they may give him up and keep their card.
fix626-effect-nani = Pick who gets Stitch. It can't be you.
fix626-effect-lilo = Stitch comes to you, and he comes as Good Stitch.

fix626-side-good = Good Stitch
fix626-side-experiment = Experiment 626

## The board

fix626-round = Round { $number } · { $goal } tokens win
fix626-seat = { $name } { $dots } { $have } of { $goal }
fix626-seat-good = ⭐ has Good Stitch
fix626-seat-experiment = ⚡ has Experiment 626
fix626-seat-protected = protected by David
fix626-seat-out = out of this round
fix626-pile = Played: { $cards }
fix626-pile-out = Played and shown: { $cards }
fix626-deck =
    { $count ->
        [0] The deck is empty
        [one] { $count } card left in the deck
       *[other] { $count } cards left in the deck
    }
fix626-aside = one lies aside, face down

# $how is one of fix626-sum-…
fix626-result-deck =
    { $count ->
        [one] Round { $number } went to { $winners } with { $how }.
       *[other] Round { $number } was a tie: { $winners } won together with { $how }.
    }
fix626-result-last = Round { $number } went to { $winners }, the last one standing.
fix626-sum-plain = { $card }
fix626-sum-good = { $card } + 2 for Good Stitch = { $sum }
fix626-sum-experiment = { $card } − 2 for Experiment 626 = { $sum }

## The hand

fix626-hand-drawn = just drawn
fix626-hand-useless = Nobody can be picked right now, so it would do nothing.
fix626-hand-out = { $by } put you out of this round, and you showed { $card }. You'll be dealt in again in the next one.
fix626-hand-out-self = Your own Leroy put you out of this round, and you showed { $card }. You'll be dealt in again in the next one.
fix626-hand-none = You hold no card.
fix626-hand-good = ⭐ You have Good Stitch: +2 when the deck runs out.
fix626-hand-experiment = ⚡ You have Experiment 626: −2 when the deck runs out, and a Leroy puts you out.
fix626-hand-protected = David protects you until your next turn begins.
fix626-hand-offer = { $name } played Pleakley and wants to swap cards with you. You have Stitch: give him up and you keep your card.
fix626-hand-waiting = You asked { $name } to swap cards. They have Stitch and may give him to you instead.
fix626-know-title = You know
fix626-know-saw = { $name } holds { $card }: you saw it.
fix626-know-gave = { $name } holds { $card }: you swapped it there.
fix626-know-moved = { $name } holds { $card }: it was swapped there.
fix626-news = What happened
fix626-news-before = At the end of the last round
fix626-unseen = Not seen by you: { $cards }
fix626-unseen-item = { $card } ×{ $count }

## Questions

fix626-question-turn = { $name }'s turn
fix626-question-offer = { $name }: give Stitch to { $other }, or swap cards?
fix626-question-over = The game is over

fix626-prompt-card = Which card do you play?
fix626-prompt-target = Who do you pick?
fix626-prompt-guess = Which number do you think they hold?
fix626-prompt-give = Give Stitch away, or swap cards?

# The number on a card and who has it: 5 · Angel, Leroy
fix626-guess = { $number } · { $cards }
fix626-guess-none = not in this deck
fix626-guess-seen = you have seen them all
fix626-guess-unseen =
    { $count ->
        [one] { $count } not seen by you
       *[other] { $count } not seen by you
    }
fix626-target-known = you know: { $card }
fix626-target-good = has Good Stitch
fix626-target-experiment = has Experiment 626
fix626-target-nobody = Nobody
fix626-give-yes = Give Stitch to { $name }
fix626-give-no = Keep Stitch, swap cards

fix626-action-target = { $card } on { $name }
fix626-action-guess = { $card } on { $name }: { $guess }?

fix626-warning-leroy = You have Experiment 626 yourself, so Leroy would put you out of the round.
fix626-warning-sparky = You'd compare with { $card }, which beats no card they can hold: you can only lose or tie.
fix626-warning-sparky-lost = You know that they hold { $theirs }. Against that your { $card } loses and you'd be out.

## What happened

fix626-round-started = Round { $number } begins. { $stitch } has Good Stitch, { $first } goes first.
fix626-played = { $seat } plays { $card }.
fix626-played-target = { $seat } plays { $card } on { $target }.
fix626-played-guess = { $seat } plays { $card }: does { $target } hold number { $guess }?
fix626-no-effect = Nothing happens: David protects everybody who could be picked.
fix626-stitch-moved =
    { $side ->
        [good] Good Stitch goes from { $seat } to { $target }.
       *[experiment] Experiment 626 goes from { $seat } to { $target }.
    }
fix626-flipped =
    { $side ->
        [good] Stitch turns over: { $seat } has Good Stitch now.
       *[experiment] Stitch turns over: { $seat } has Experiment 626 now.
    }
fix626-knocked-out = { $seat } is out of the round and shows { $card }.
fix626-knocked-out-self = { $seat } is out by their own Leroy and shows { $card }.
fix626-guess-missed = No, { $target } does not hold number { $guess }.
fix626-looked = { $seat } peeks at the card of { $target }.
fix626-compared = { $seat } and { $target } compare cards: { $loser } has the lower number.
fix626-compared-tie = { $seat } and { $target } compare cards: a tie, so nothing happens.
fix626-offer-made = { $seat } wants to swap cards. { $target } may give up Stitch instead.
fix626-offer-answered =
    { $gave ->
        [yes] { $seat } gives Stitch to { $target } and keeps the card.
       *[no] { $seat } would rather keep Stitch.
    }
fix626-hands-traded = { $seat } and { $target } swap cards.
fix626-protected = Nobody can pick { $seat } until their next turn begins.
fix626-protection-ended = David no longer protects { $seat }.
fix626-extra-turn = { $seat } brought Good Stitch home and goes again.
fix626-round-ended =
    { $count ->
        [one] Round { $number } goes to { $winners }, who gains a token.
       *[other] Round { $number } is a tie: { $winners } gain a token each.
    }
fix626-match-ended =
    { $count ->
        [one] { $winners } wins the game!
       *[other] { $winners } win the game together!
    }

fix626-dealt = You start the round with { $card }.
fix626-drew = You draw { $card }.
fix626-saw = You saw { $card } in the hand of { $seat }.
fix626-swapped = You gave { $gave } to { $seat } and got { $got }.

## A round's result and the end

fix626-notice-title =
    { $count ->
        [one] Round { $number }: { $winners } wins a token
       *[other] Round { $number }: { $winners } win a token each
    }
fix626-notice-deck = The deck ran out, so all hands are shown.
fix626-notice-last = Everybody else is out of the round.
fix626-notice-hand = { $name } · { $what }
fix626-notice-out = out
fix626-notice-aside = The card that lay aside was { $card }.
fix626-notice-tokens = Tokens now ({ $goal } win)
fix626-notice-next = Next round: { $stitch } has Good Stitch, { $first } goes first.

fix626-tokens = The first to { $goal } tokens.
fix626-ending =
    { $count ->
        [one] ⭐ { $winners } wins the game!
       *[other] ⭐ { $winners } win the game together!
    }
# A dot after the place would make Discord count by itself.
fix626-ending-row = { $place } · { $name } { $dots } { $have } of { $goal }

## What this game refuses

error-fix626-not-asked = That isn't the question right now. Open your hand to see what you're asked.
error-fix626-card-not-in-hand = You don't hold that card. Open your hand to see which ones you do.
error-fix626-target-missing = That card needs another player. Say who you pick.
error-fix626-target-unwanted = That card picks nobody right now. Play it without a player.
error-fix626-target-unknown = Nobody like that sits at this table. Pick one of the players on the board.
error-fix626-target-self = You can't pick yourself with that card. Pick somebody else.
error-fix626-target-out = They're out of this round. Pick somebody who is still in.
error-fix626-target-protected = David protects them until their next turn. Pick somebody else.
error-fix626-guess-missing = The Grand Councilwoman needs a number from { $least } to { $most }. Say which one you guess.
error-fix626-guess-unwanted = Only a Grand Councilwoman who picks somebody guesses a number. Play that card without one.
error-fix626-guess-out-of-range = The cards go from { $least } to { $most }, so it can't be { $guess }. Guess another number.

## The rules

fix626-rules-1 =
    ### What you're after
    Win rounds. Each round you win brings you a token, and enough tokens win the game: 5 with two players, 4 with three, 3 with four or five. Several players can get there at the same moment; then they share the win.

    ### A round
    Everybody is dealt one secret card, one card is put aside unseen, and the rest is the deck. In turn order, you draw a card, so that you have two. Play one of them, and do what it says. The other one stays your secret.
    Whatever has been played or shown lies open for all to see. Keep an eye on it: it tells you what the others can still have.

    ### Out
    A card can put you out of the round. You show your card (it does nothing), nobody can pick you any more, and you sit out until the next round. If you had Stitch, he goes to whoever put you out.
fix626-rules-2 =
    ### Stitch
    Stitch is always with one player who is still in, and he has two sides. **Good Stitch** helps whoever has him; **Experiment 626** is trouble. Cards send him around and turn him over. Going from one player to the next never turns him over by itself.

    ### How a round ends
    {""}**One player left:** that player wins the round at once.
    {""}**The deck is empty** after somebody's turn: all who are still in show their cards, and the highest wins.
    - With Good Stitch your card counts 2 more, and you win ties.
    - With Experiment 626 it counts 2 less, and you lose ties.
    - If the best cards tie and no Good Stitch is among them, those who tie all win, but not the one with Experiment 626.

    ### The next round
    Chance decides who has Good Stitch in the first round. After that the winner begins with him, and the player after them goes first. If several won, Stitch stays with whoever had him, as Good Stitch.
fix626-rules-3-title = The cards
fix626-rules-card = { $card } ×{ $count }
fix626-rules-notes =
    - A guess is a number, not a name: 5 is Angel or Leroy, 6 is David or Pleakley. You may guess 1.
    - With two or three players both Sparkys stay out of the game.
    - Sparky and the Grand Councilwoman go by the printed number; Stitch doesn't change it.
    - David stops only cards that pick a player. Gantu, Jumba, Angel, Leroy and Lilo work as always.
    - If David protects everybody you could pick, your card is played and does nothing.
    - If your own Leroy puts you out, Stitch goes to the next player.
    - Pleakley's swap has to be answered before any card is shown.
    - An empty deck ends the round before Angel's second turn.
fix626-rules-fan = This is a free version made by fans, not by the game's publisher. If you like it, get the real one.
