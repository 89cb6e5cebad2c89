### Stitches, in our own words.

stitches-name = Stitches
stitches-command = stitches
stitches-command-about = Stitches: build a monster, and take the Abomination to pieces together
stitches-play-about = Make a move of yours
stitches-param-move = move
stitches-param-move-about = What to do; pick one of the suggestions, or type some of its words

## Options

stitches-option-abomination = Abomination
stitches-option-abomination-about = How strong its head and torso are.
stitches-option-abomination-normal = normal
stitches-option-abomination-hard = hard
stitches-option-whole-team-wins = The whole team wins
stitches-option-whole-team-wins-about = Those who retreated from the last fight win, too.
stitches-option-attach-captured = It keeps what it takes
stitches-option-attach-captured-about = After a fight the Abomination puts on what it tore off; otherwise that is discarded.
stitches-option-torso = Monster torsos
stitches-option-torso-about = Three parts of one monster bring its torso, which has a symbol more.
stitches-option-round-cap = Rounds at most
stitches-option-round-cap-about = If the Abomination still stands after so many rounds, everybody loses.
stitches-option-keep = Keep a part
stitches-option-keep-about = Winners take a part of their monster into a rematch.
stitches-option-grunts = Suggest grunts
stitches-option-grunts-about = Before you declare, your hand suggests what to call into the channel.
stitches-option-kept-carried = Winners begin with the part they kept, as long as the same players sit here.

## Parts and symbols

stitches-monster-human = Human
stitches-monster-abomination = Abomination
stitches-monster-robot = Robot
stitches-monster-polar-bear = Polar Bear
stitches-monster-mammoth = Mammoth
stitches-monster-cephalopod = Cephalopod
stitches-monster-gorilla = Gorilla
stitches-monster-python = Python
stitches-monster-lobster = Lobster
stitches-monster-tiger = Tiger
stitches-monster-mantis = Mantis

# The card that a part is: Tiger head.
stitches-part-head = { $monster } head
stitches-part-arm = { $monster } arm
stitches-part-legs = { $monster } legs
stitches-part-torso = { $monster } torso
# With its value: Tiger head 4. Human and Abomination parts are worth nothing.
stitches-part-value =
    { $value ->
        [0] { $part }
       *[other] { $part } { $value }
    }
stitches-part-full = { $part } ({ $symbols })

# Places on a body. They begin a line.
stitches-slot-head = Head
stitches-slot-right = Right arm
stitches-slot-legs = Legs
stitches-slot-left = Left arm
stitches-slot-torso = Torso

# R, P and S are short for the three symbols; the board explains them.
stitches-rock = R{ $count }
stitches-paper = P{ $count }
stitches-scissors = S{ $count }
stitches-no-symbols = no symbols
stitches-totals = R{ $rock } P{ $paper } S{ $scissors }
stitches-totals-words = Rock { $rock }, Paper { $paper }, Scissors { $scissors }
stitches-legend = R Rock beats Scissors, S Scissors beats Paper, P Paper beats Rock. A part's number is its price and value.

stitches-coins =
    { $count ->
        [one] 1 Stitch
       *[other] { $count } Stitches
    }

## Words

stitches-word-rock = Rock
stitches-word-kitty = Kitty
stitches-word-squishy = Squishy
stitches-word-mama = Mama
stitches-word-shiny = Shiny
stitches-word-tummy = Tummy
stitches-word-fire = Fire
stitches-word-food = Food
stitches-word-friend = Friend

## The Abomination Deck

stitches-card-grows = It Grows
stitches-card-attacks = It Attacks
stitches-card-rampages = It Rampages
stitches-card-behind = It's Behind You
stitches-card-count = { $card } ×{ $count }

## The board

stitches-round = Round { $number } · Pot: { $coins }
stitches-seat-first = First
stitches-seat-declared = has declared
stitches-seat-thinks = still thinks
stitches-seat-attacks = attacks
stitches-seat-scavenges = scavenges
stitches-seat-attacked = has attacked
stitches-seat-scavenged = has scavenged
stitches-seat-fights = fights
stitches-seat-retreated = retreated
# $words is a list of Words.
stitches-seat-body = { $body } · says { $words }
stitches-seat-mute = { $body } · knows no Word
stitches-body-human = all Human
stitches-body-rest = rest Human
stitches-body-no-head = no head
stitches-body-no-arm = no arm
stitches-body-no-legs = no legs
stitches-more = { $count } more

stitches-beast = The Abomination
stitches-beast-hidden = head and torso face down
stitches-beast-empty =
    { $count ->
        [one] 1 side empty
       *[other] { $count } sides empty
    }
stitches-beast-defeated = Defeated by { $names }!
stitches-fight = ⚔ { $name } leads the attack on the Abomination
stitches-fight-over = Latest fight
stitches-trophies = Won in the fight: { $name } has { $parts }
stitches-market = Market
stitches-market-empty = nothing left
stitches-decks = Parts deck: { $deck }, discarded: { $discard }. The Abomination's cards to come: { $cards }

## The hand. It should be short: on a phone the buttons are below it.

stitches-hand-title = Your monster
stitches-hand-body = { $slot }: { $part }
stitches-hand-empty = nothing
stitches-hand-strength =
    { $all ->
        [one] { $totals }: beats { $count } of the 1 part on the table.
       *[other] { $totals }: beats { $count } of { $all } parts on the table.
    }
stitches-hand-words = It can say { $words }.
stitches-hand-mute = It knows no Word, so nobody joins it against the Abomination.
# The totals, and how many parts would be beaten with them.
stitches-hand-gain = { $totals }, beats { $count } of { $all }

stitches-hand-grunt = 📣 Call it into the channel: **{ $shouts }**
stitches-grunt = { $word }!
stitches-hand-declared-attack = You have declared **Attack**, in secret.
stitches-hand-declared-scavenge = You have declared **Scavenge**, in secret.
stitches-hand-pot = **Scavenge:** share the Pot of { $pot } (two get { $pair } each, all { $seats } get { $each }).
stitches-hand-offers = What the Market would make of you:
stitches-hand-offer = { $part }: { $gain }
stitches-hand-attack = **Attack:** half the Stitches, or a part:
# What half of another's Stitches is.
stitches-hand-purse =
    { $count ->
        [0] no Stitches
       *[other] { $half } of { $coins }
    }
stitches-hand-any-part = any part
stitches-hand-no-part = no part you beat
stitches-hand-human-parts =
    { $count ->
        [one] 1 Human part
       *[other] { $count } Human parts
    }
stitches-hand-team = **The Abomination:** { $names } would join you.
stitches-hand-alone = **The Abomination:** you'd be alone, nobody shares a Word with you.
# $who is a list of names, or one of the three below.
stitches-hand-beats = { $parts }: beaten by { $who }
stitches-hand-you = you
stitches-hand-all-of-you = all of you
stitches-hand-nobody = nobody
stitches-hand-unseen = Its head and torso are face down, empty sides will be filled.
stitches-hand-refill =
    { $count ->
        [one] 1 empty side will be filled.
       *[other] { $count } empty sides will be filled.
    }

stitches-hand-shop = What a part would make you
stitches-hand-replaces = { $part } instead of { $old }: { $gain }
stitches-hand-adds = { $part }, where you have nothing: { $gain }
stitches-hand-too-dear = Too dear for you now: { $parts }

stitches-hand-fight = **The fight** · still in it: { $names }
stitches-hand-strike = Strike off { $part }, and it takes your { $lost }.
stitches-hand-strike-safe = Strike off { $part }, and it can't take anything from you.
stitches-hand-strike-any = Whatever you strike off, it takes your { $lost }.
stitches-hand-strike-any-safe = Whatever you strike off, it can't take anything from you.
stitches-hand-strike-last = Strike off { $part }, its last one, and the game is won!
stitches-hand-strike-none = You beat none of its parts.
stitches-hand-first-retreat = The first to retreat gives up a Word that joins the team. Yours: { $words }.
stitches-hand-retreat-free = Retreating costs nothing now.
stitches-hand-retreat-alone = You are alone, so retreating costs nothing.
stitches-hand-retreated = You are out of this fight.
stitches-hand-won = What you won, and would have

## Questions

stitches-question-declare-all = Everybody: attack or scavenge?
stitches-question-declare = Attack or scavenge? Waiting for { $names }
stitches-question-declare-many = Attack or scavenge? { $count } players still have to declare
stitches-question-market = { $name } goes shopping
stitches-question-attack = { $name } attacks. But whom?
stitches-question-fight = { $name }: strike or retreat?
stitches-question-strike = { $name } strikes first
stitches-question-word = { $name } retreats. Which Word is lost?
stitches-question-attach = { $name }: what to do with the parts you won?
stitches-question-keep = Which part do you keep? Waiting for { $names }
stitches-question-over = The game is over

stitches-prompt-declare-attack = What do you declare?
stitches-prompt-market-kind = Do you buy something?
stitches-prompt-market-part = Which part do you buy?
stitches-prompt-market-into = Which arm does it become?
stitches-prompt-attack-kind = What do you attack?
stitches-prompt-attack-target = Who is attacked?
stitches-prompt-attack-part = What do you take?
stitches-prompt-attack-into = Which arm does it become?
stitches-prompt-fight-kind = Strike or retreat?
stitches-prompt-fight-part = Which part do you strike off?
stitches-prompt-word-word = Which Word do you give up?
stitches-prompt-attach-kind = What do you do with what you won?
stitches-prompt-attach-part = Which of the parts first?
stitches-prompt-attach-into = Where does it go?
stitches-prompt-keep-kind = Do you keep a part for the next game?
stitches-prompt-keep-part = Which part do you keep for the next game?

stitches-kind-buy = Buy a part
stitches-kind-done = Buy no more
stitches-kind-rob = Take half of the Stitches
stitches-kind-tear = Tear off a part
stitches-kind-provoke = Attack the Abomination
stitches-kind-strike = Strike
stitches-kind-retreat = Retreat
stitches-kind-attach = Put it on
stitches-kind-discard = Throw it away
stitches-kind-keep = Keep a part
stitches-kind-keep-nothing = Keep nothing

stitches-attack = Attack
stitches-scavenge = Scavenge
# On a button: its place is short.
stitches-market-part = { $part } for { $coins }
stitches-target-about = { $coins }, you'd take { $half }; you beat { $parts } parts
stitches-team-about =
    { $count ->
        [0] you'd be alone
        [one] 1 player would join you
       *[other] { $count } players would join you
    }
stitches-part-instead = instead of { $old }
stitches-into = { $slot }, instead of { $old }
stitches-into-empty = { $slot }, now empty
stitches-strike-about = then it takes your { $lost }
stitches-strike-safe = then it can't take anything from you
stitches-strike-last = its last part: the game is won

stitches-action-buy = Buy { $part } for { $coins }
stitches-action-buy-into = Buy { $part } for { $coins }: { $slot }
stitches-action-rob = Take { $coins } from { $name }
stitches-action-tear = Tear { $part } off { $name }
stitches-action-tear-into = Tear { $part } off { $name }: { $slot }
stitches-action-strike = Strike off { $part }
stitches-action-word = Give up the Word { $word }
stitches-action-attach = Put on { $part }
stitches-action-attach-into = Put on { $part }: { $slot }
stitches-action-discard = Throw away { $part }
stitches-action-keep = Keep { $part }

stitches-warning-bought = That throws away { $part }, which you have just bought.
stitches-warning-no-gain = You'd pay { $coins } and be no stronger: { $before } before, { $after } after.
stitches-warning-weaker = A part you take has to be put on, and { $old } would go. You'd be weaker: { $before } before, { $after } after.
stitches-warning-attach = { $old } would go, and you'd be weaker: { $before } before, { $after } after.
stitches-warning-discard = You'd be stronger with it: { $before } now, { $after } with it.
stitches-warning-hopeless = Nobody in your team beats any of its parts. The attack would fail, and the Abomination would strike you.
stitches-warning-retreat = One part is left on it and you beat it: strike, and the game is won.

## What happened

stitches-began = The table is laid: { $first } is First, and the Market offers { $market }.
stitches-declared = Attack: { $attackers }. Scavenge: { $scavengers }.
stitches-declared-attack = All declared Attack.
stitches-declared-scavenge = All declared Scavenge.
stitches-shared =
    { $left ->
        [0] Every scavenger takes { $coins } from the Pot, which is empty now.
        [one] Every scavenger takes { $coins } from the Pot; 1 stays in it.
       *[other] Every scavenger takes { $coins } from the Pot; { $left } stay in it.
    }
stitches-shared-nothing = The Pot is too small to be shared and keeps { $left }.
stitches-shared-nobody = Nobody scavenges, so the Pot keeps { $left }.
stitches-market-drew = { $seat } turns up { $part } for the Market.
stitches-market-drew-nothing = { $seat } finds no part for the Market: all are in use.
stitches-bought = { $seat } buys { $part }.
stitches-bought-instead = { $seat } buys { $part } and throws { $replaced } away.
stitches-robbed =
    { $count ->
        [0] { $seat } searches { $target } for Stitches and finds none.
       *[other] { $seat } takes { $coins } from { $target }.
    }
stitches-torn = { $seat } tears { $part } off { $target }.
stitches-torn-instead = { $seat } tears { $part } off { $target } and throws { $replaced } away.
stitches-word-learned = { $seat } learns to say { $word }.
stitches-word-learned-nothing = { $seat } knows all Words that are to be learned.
stitches-torso-grown = Three of a kind: { $seat } grows { $torso } for good.
stitches-reshuffled-parts = The Parts deck is used up: discarded Monster parts become the new one.
stitches-reshuffled-words = The Word deck is used up: discarded Words become the new one.
stitches-reshuffled-abomination = The Abomination Deck is used up and shuffled anew.
stitches-provoked = { $seat } attacks the Abomination, together with { $others }.
stitches-provoked-alone = { $seat } attacks the Abomination alone.
stitches-revealed = The Abomination is turned up: { $head } and { $torso }.
stitches-filled = Its empty sides are filled with { $parts }.
stitches-struck =
    { $left ->
        [0] { $seat } strikes off { $part }, its last one.
       *[other] { $seat } strikes off { $part }.
    }
stitches-missed = { $seat } attacks first, but beats none of its parts.
stitches-countered = It strikes back: { $seat } loses { $part }.
stitches-countered-nothing = It strikes back, but can't take anything.
stitches-retreated = { $seat } retreats.
stitches-word-lost = { $seat } gives up the Word { $word }.
stitches-fight-ended = Everybody has retreated: the Abomination still stands.
stitches-fight-ended-stalemate = Nobody left in the fight beats any of its parts: the Abomination still stands.
stitches-placed = It puts on { $parts }.
stitches-placed-discarded = It has no room for { $discarded }.
stitches-placed-some = It puts on { $parts } and has no room for { $discarded }.
stitches-attached = { $seat } puts on { $part }.
stitches-attached-instead = { $seat } puts on { $part } and throws { $replaced } away.
stitches-discarded = { $seat } throws { $part } away.
stitches-card-drawn = The Abomination Deck says: **{ $card }**.
stitches-grew = It grows { $part }.
stitches-grew-instead = It grows { $part } and throws { $replaced } away.
stitches-snatched = It takes { $part } from { $seat } and puts it on.
stitches-snatched-discarded = It takes { $part } from { $seat } and throws it away.
stitches-spared = Nothing comes of it.
stitches-market-refreshed = A new Market: { $market }.
stitches-market-refreshed-nothing = No parts are left for a new Market.
stitches-first-moved = Round { $round } begins, and { $first } is First.
stitches-kept = { $seat } keeps { $part } for the next game.
stitches-kept-nothing = { $seat } keeps nothing for the next game.
stitches-match-ended =
    { $count ->
        [one] { $winners } defeats the Abomination!
       *[other] { $winners } defeat the Abomination!
    }
stitches-match-ended-lost = The Abomination has outlasted everybody.

## Messages and the end

stitches-notice-round = The end of the round: { $card }

stitches-abomination-defeated = All four parts were struck off it in one fight.
stitches-round-cap = The last round is over and the Abomination still stands, so everybody loses.
stitches-ending-won =
    { $count ->
        [one] ⭐ { $names } wins the game!
       *[other] ⭐ { $names } win the game together!
    }
stitches-ending-lost = The Abomination wins
stitches-ending-winner = ⭐ { $row }
stitches-ending-kept = keeps { $part } for a rematch

## What this game refuses

error-stitches-not-on-market = That part isn't in the Market. The board shows what is.
error-stitches-cannot-afford = That costs { $cost } Stitches and you have { $coins }. Choose something cheaper, or buy no more.
error-stitches-wrong-slot = That part doesn't fit there. Heads, arms and legs go where they belong.
error-stitches-not-yourself = You can't attack yourself. Choose somebody else on the board.
error-stitches-no-such-part = That part isn't there, or it is a torso, which can't be taken. Choose another one.
error-stitches-cannot-beat =
    { $symbol ->
        [rock] You can't beat that part: it takes { $need } Rock against its Scissors, and you have { $have }. Choose another one.
        [paper] You can't beat that part: it takes { $need } Paper against its Rock, and you have { $have }. Choose another one.
       *[scissors] You can't beat that part: it takes { $need } Scissors against its Paper, and you have { $have }. Choose another one.
    }
error-stitches-must-attack-first = You started this fight, so you have to strike once before you may retreat.
error-stitches-not-a-link = You can't give up that Word: it didn't bring you into this team. Choose one that did.
error-stitches-not-your-trophy = You didn't win that part in this fight. Choose one that you did.
error-stitches-cannot-keep = Only a Monster part of your own body can be kept. Choose one of yours.
error-stitches-you-scavenge = You declared Scavenge, so you can't attack in this round. Buy something, or buy no more.
error-stitches-you-attack = You declared Attack, so you can't buy in this round. Open your hand to see whom you can attack.
error-stitches-not-now = That isn't the question right now. Open your hand to see what you're asked.

## What can be wrong with an owner's files

deck-problem-empty = There are no cards in it.
deck-problem-header = The first line must name the columns; docs/decks.md shows which.
deck-problem-number = This must be a whole number of at most three digits.
deck-problem-name = A name has letters and digits, at most 20 of them, and is not Abomination.
deck-problem-slot = The slot must be head, arm, legs or torso.
deck-problem-cost = Heads, arms and legs of monsters cost 2 to 5; torsos and Human parts cost 0.
deck-problem-symbols = A part has 0 to 9 of each symbol, and a monster's part at least one in all.
deck-problem-monster = Each monster needs one head, two arms and one pair of legs; this one has others.
deck-problem-monsters = There must be nine monsters with four parts each.
deck-problem-torso = There is one torso for each monster of the file, and this is one too many.
deck-problem-torsos = Some monsters have a torso: then all nine need one.
deck-problem-humans = Human needs one head, two arms and one pair of legs, and a torso without symbols.
deck-problem-word-twice = Another line above it has this Word already.
deck-problem-copies = There are 1 to 36 cards of a Word.
deck-problem-words = There must be 36 Word cards with 7 to 25 different Words.
deck-problem-level = The level must be normal or hard.
deck-problem-piece = The piece must be head or torso.
deck-problem-abominations = A level needs four heads and four torsos, and normal can't be left out.

## The rules

stitches-rules-1 =
    ### What you're after
    Everybody starts as a Human and becomes a monster, part by part. You win by striking all four parts off the Abomination in one fight, alone or with others.
    {""}**Stitches** are the money: you begin with two, the **Pot** is the bank. You also begin with a **Word**: whoever shares one with an attacker fights along.

    ### Symbols
    Parts have symbols. **Rock** beats Scissors, **Scissors** beats Paper, **Paper** beats Rock. You beat a part when your whole body, all symbols together, answers every symbol on it: as many Paper as it has Rock, as many Scissors as it has Paper, as many Rock as it has Scissors. Nothing is used up by that.

    ### A round
    In secret, all declare **Attack** or **Scavenge**. Then the scavengers share the Pot evenly, what can't be shared stays, and from the First player on everybody has a turn.
    {""}**Scavenge:** a part is turned up for the Market. Buy what you like and can pay; the price goes into the Pot. A new part pushes the old one out.
    {""}**Attack a player:** take half of their Stitches, rounded up, or a part you beat. You have to put it on, and their place stays empty. Torsos can't be taken. Both of you learn a new Word.
    {""}**Attack the Abomination:** see the next page.
stitches-rules-2 =
    ### Fighting the Abomination
    At the first attack its head and torso are turned up. Its empty sides are filled from the shuffled discards. Whoever shares a Word with the attacker is in the team.
    From the attacker on, each in turn strikes off a part they beat, or retreats. The attacker has to strike first; if they beat nothing, that strike fails.
    After every strike the Abomination strikes back at whoever struck. With what is left of it and its torso it takes the dearest part it beats; the head first, then clockwise. Human parts go last.
    The first to retreat gives up a Word that joins the team; the others, and lone fighters, retreat free.
    When the last part comes off, the game is won by those who have not retreated. The fight also ends when all have retreated or nobody left in it beats a part. Then you may put on what you struck off, and the Abomination puts what it took on its empty sides.
stitches-rules-3 =
    ### The end of a round
    The Abomination Deck has two of each card:
    {""}**It Grows:** a part from the deck goes on an empty side, or replaces a Human part.
    {""}**It Attacks:** it takes the cheapest part it beats from the First player or the next one.
    {""}**It Rampages:** it takes the cheapest part it beats from everybody.
    {""}**It's Behind You:** First moves on by two.
    What it takes fills an empty side or is discarded. Then comes a new Market, and First moves on by one.

    ### Good to know
    - An arm may become your right or left one.
    - If someone has no Stitches you may still attack them, and both learn a Word.
    - Known Words are drawn over.
    - After the last round, 40 unless the host says otherwise, everybody loses.
stitches-rules-fan = This is a free version made by fans, not by the game's publisher, and its cards are our reconstruction. If you like it, get the real one.
