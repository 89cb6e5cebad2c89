### Merry Mischief, in our own words.

mischief-name = Merry Mischief
mischief-command = mischief
mischief-command-about = Merry Mischief: choose in secret, roll the die, save the most presents
mischief-play-about = Choose the cards that you play in this round
mischief-param-cards = cards
mischief-param-cards-about = One to three of your cards, all of one colour

mischief-option-totals = Show what is saved
mischief-option-totals-about = The board counts the presents that everybody has saved, not only the cards.
mischief-option-final-bonus = Bonus in the last round
mischief-option-final-bonus-about = Whoever runs out of cards in the last round gets a bonus card, too.

## The cards

# Keep these short: the longest play of three cards must fit into 100 characters.
mischief-present-hibiscus = Hibiscus
mischief-present-record = Record
mischief-present-ukulele = Ukulele
mischief-present-candycane = Candy cane
mischief-present-sunglasses = Sunglasses
mischief-present-pineapple = Pineapple

mischief-colour-red = Red
mischief-colour-yellow = Yellow
mischief-colour-green = Green

mischief-symbol-nice = nice
mischief-symbol-naughty = naughty

# Between the two presents of a card.
mischief-and = { " " }+{ " " }
mischief-card = { $presents } ({ $symbol })
mischief-cards = { $colour }: { $cards }
# The same in a move, where room is scarce. Commas must stand between its cards.
mischief-and-short = +
mischief-card-short = { $presents } { $symbol }

## The board

mischief-round = Round { $number }
mischief-round-final = The last round
mischief-seat =
    { $cards ->
        [0] { $name } · no cards left
       *[other] { $name } · { $cards } in hand
    }
mischief-seat-saved = { $count } saved
mischief-seat-presents =
    { $presents ->
        [one] { $count } saved ({ $presents } present)
       *[other] { $count } saved ({ $presents } presents)
    }
mischief-seat-bonus = 1 bonus card
mischief-seat-chosen = ✅ has chosen
mischief-seat-choosing = ⏳ still choosing
mischief-piles =
    { $deck ->
        [one] { $deck } card left in the deck, { $discard } discarded
       *[other] { $deck } cards left in the deck, { $discard } discarded
    }

# $saved is a list of mischief-last-saved, or mischief-last-nothing
mischief-last = Round { $number } · 🎲 { $faces } · { $saved }
mischief-last-saved =
    { $presents ->
        [one] { $name } saved { $presents } present
       *[other] { $name } saved { $presents } presents
    }
mischief-last-nothing = nothing was saved

mischief-question-all = Everybody chooses cards
mischief-question-some =
    { $count ->
        [one] { $names } still has to choose
       *[other] { $names } still have to choose
    }
mischief-question-over = The game is over

## The hand

mischief-hand-drawn = just drawn
mischief-hand-none = You have no cards left. What you have saved counts when the last round is over.
mischief-hand-chosen = You chose
# $one, $two and $three are numbers, or mischief-odds-hardly
mischief-hand-odds = Chance to save them: { $one }% with one roll, { $two }% with two, { $three }% with three.
mischief-hand-odds-none = They show all six presents, so the first roll takes them.
mischief-odds-hardly = less than 1
mischief-hand-chances = **Chance to save them** with one · two · three rolls
mischief-hand-chance =
    { $different ->
        [one] { $different } present: { $one }% · { $two }% · { $three }%
       *[other] { $different } different presents: { $one }% · { $two }% · { $three }%
    }
mischief-hand-saved =
    { $presents ->
        [one] 🎁 You have saved { $presents } present: { $cards }
       *[other] 🎁 You have saved { $presents } presents: { $cards }
    }
mischief-hand-bonus = and a bonus card that nobody has seen
mischief-hand-last = Round { $number } · 🎲 { $faces }
mischief-hand-last-saved =
    { $presents ->
        [one] you saved { $presents } present: { $cards }
       *[other] you saved { $presents } presents: { $cards }
    }
mischief-hand-last-lost = you lost { $cards }
mischief-hand-unseen =
    { $count ->
        [one] Not seen by you: 1 card, { $nice } nice and { $naughty } naughty
       *[other] Not seen by you: { $count } cards, { $nice } nice and { $naughty } naughty among them
    }

mischief-prompt-cards = Which cards do you play? One to three of one colour.
mischief-prompt-colour =
    { $most ->
        [1] { $colour }: this card
        [2] { $colour }: 1 or 2 cards
       *[other] { $colour }: 1 to 3 cards
    }
mischief-card-about = Alone: { $safe } of 6 rolls miss it
mischief-warning-hopeless = These cards show all six presents, so the first roll is sure to take them.

## What happened

mischief-news-dealt = You are dealt { $cards }.
mischief-news-chosen = You chose { $cards }.
mischief-news-drew = You draw { $cards }.
# $plays is a list of mischief-news-play
mischief-news-revealed = Round { $number }: { $plays }. { $why }
mischief-news-revealed-final = Last round: { $plays }. { $why }
mischief-news-play = { $name } { $cards }
mischief-news-rolled =
    { $count ->
        [0] { $roller } rolls **{ $face }** · hits nobody
       *[other] { $roller } rolls **{ $face }** · hits { $hit }
    }
mischief-news-discarded =
    { $count ->
        [one] { $name } discards { $count } card and draws a new one.
       *[other] { $name } discards { $count } cards and draws as many.
    }
mischief-news-reshuffled =
    { $count ->
        [one] The deck is empty: { $count } discarded card becomes the new one.
       *[other] The deck is empty: { $count } discarded cards are shuffled and become the new one.
    }
mischief-news-saved =
    { $presents ->
        [one] { $name } saves { $presents } present. Saved cards: { $stack }.
       *[other] { $name } saves { $presents } presents. Saved cards: { $stack }.
    }
mischief-news-went-out = { $name } has no cards left.
mischief-news-bonus-taken = { $name } gets a bonus card that nobody sees.
mischief-news-final-round =
    { $count ->
        [one] The last round: { $names } plays it alone.
       *[other] The last round: { $names } play it.
    }
# $counts is a list of mischief-news-tied
mischief-news-tie-roll = A tie for the most presents, and one roll for it: { $face }. { $counts }.
mischief-news-tied = { $name } has { $count }
mischief-news-match-ended =
    { $count ->
        [one] { $names } wins the game with { $presents } presents!
       *[other] { $names } win the game together with { $presents } presents!
    }

## A round's result and the end

mischief-notice-title = Round { $number }: cards up!
mischief-notice-title-final = The last round: cards up!
mischief-notice-play = { $name } · { $cards }
mischief-notice-symbols =
    { $rolls ->
        [1] { $nice } nice, { $naughty } naughty: Stitch behaves. One roll.
        [3] { $nice } nice, { $naughty } naughty: Stitch runs wild. Three rolls.
       *[other] { $nice } nice, { $naughty } naughty: even. Two rolls.
    }
mischief-notice-over = No cards are left on the table, so the rolling stops.
mischief-notice-saved =
    { $presents ->
        [one] 🎁 { $name } saves { $presents } present!
       *[other] 🎁 { $name } saves { $presents } presents!
    }
mischief-notice-nothing = Stitch got everything: nobody saves a present.
mischief-notice-lost =
    { $count ->
        [one] { $names } discards all cards played and draws as many.
       *[other] { $names } discard all cards they played and draw as many.
    }

mischief-most-presents = The most presents saved.
mischief-tie-roll = A tie for the most presents, decided by one roll.
mischief-shared = A tie for the most presents that one roll did not break.
mischief-ending =
    { $count ->
        [one] ⭐ { $names } wins the game!
       *[other] ⭐ { $names } win the game together!
    }
# A dot after the place would make Discord count by itself.
mischief-ending-row =
    { $presents ->
        [one] { $place } · { $name } 🎁 { $presents } present
       *[other] { $place } · { $name } 🎁 { $presents } presents
    }
mischief-ending-bonus = bonus card: { $card }
mischief-ending-empty = nothing saved

## What this game refuses

error-mischief-no-cards = You have to play at least one card. Choose one to three of one colour.
error-mischief-cards-not-in-hand = You don't hold a card like that. Open your hand to see which ones you do.
error-mischief-same-card-twice = You hold only one card like that. Name each of your cards once.
error-mischief-too-many = That's { $cards } cards, and { $most } is the most you can play in a round. Leave some out.
error-mischief-two-colours = All cards you play in a round must have one colour, and those have two. Choose cards of one colour.

## What can be wrong with an owner's deck file

# Also said of other files.
deck-problem-columns = This line hasn't got all the columns of such a file, with commas between them; docs/decks.md shows which.
deck-problem-id = The id must be a whole number of the kind that docs/decks.md shows.
deck-problem-id-twice = Another card above it has this id already.
deck-problem-colour = The colour must be red, yellow or green.
deck-problem-presents-unknown = The presents are hibiscus, record, ukulele, candycane, sunglasses and pineapple.
deck-problem-presents-count = A card has one present, or two with a + between them.
deck-problem-presents-twice = The two presents of a card must be different ones.
deck-problem-symbol = The symbol must be nice, naughty or none.
deck-problem-too-few = The file ends too soon: a deck has 51 cards.
deck-problem-too-many = This card is one too many: a deck has 51 cards.

## The rules

mischief-rules-1 =
    ### What you're after
    Stitch can't wait to tear the presents open. Bring as many as you can to safety: when the game ends, whoever saved the most wins.

    ### Your cards
    Everybody is dealt six secret cards. A card is red, yellow or green and shows one or two of the six presents. Some also carry a Stitch symbol, nice or naughty.

    ### A round
    {""}**Choose:** everybody picks in secret one to three cards of one colour. Until the last player has chosen, you may change your mind.
    {""}**Cards up:** all of them are shown at once, and the Stitch symbols on all of them together are counted.
    {""}**Roll:** more nice than naughty, and the present die is rolled once; more naughty, three times; as many of each, or none at all, twice. Each roll counts for everybody.
    {""}**Hit or saved:** if a roll shows a present that is on any of your cards, you discard all the cards you played and draw as many. If no roll hits you, your cards are saved: they go face down onto your pile, and you draw nothing for them.
mischief-rules-2 =
    ### How it ends
    When somebody has no cards left after a round, one last round follows. Whoever ran out doesn't play in it, but puts a card from the deck on their pile, unseen. All others play once more. If everybody ran out at the same time, there is no last round.

    ### Who wins
    All piles are turned over, and the most presents win. Cards left in your hand count nothing. If there is a tie, the die is rolled once: of those who tie, whoever has saved the most of the present it shows wins. Who is still level then shares the win.

    ### Good to know
    - A hit takes all the cards you played, also those without that present.
    - How often the die is rolled stays as it is, even if cards with symbols are lost on the way.
    - New cards you draw are in no danger in this round.
    - When the deck is empty, the discarded cards are shuffled and become the new one.
    - Of the piles only the number of cards is shown. A table's host can choose to show the presents, too.
    - Running out in the last round brings no bonus card, unless the host chooses that.
mischief-rules-3 =
    ### What are the chances?
    What counts is how many **different** presents are on the cards you play. Two cards with the same present are no riskier than one.
mischief-rules-row =
    { $different ->
        [one] **{ $different } present:** { $one }% with one roll, { $two }% with two, { $three }% with three
       *[other] **{ $different } different:** { $one }% with one roll, { $two }% with two, { $three }% with three
    }
mischief-rules-none = **All six:** every roll hits
mischief-rules-fan = This is a free version made by fans, not by the game's publisher, and its deck is our reconstruction. If you like it, get the real one.
