-- Times are Unix seconds; ids of people, servers, channels and messages are Discord's.
PRAGMA application_id = 1398033492;  -- "STLT", so that another program's file is refused

-- AUTOINCREMENT: the id of a pruned table is never given again, for its buttons live on in Discord.
CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('lobby', 'playing', 'over', 'closed', 'broken')),
    host_id INTEGER NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    created_at REAL NOT NULL,
    touched_at REAL NOT NULL,
    clock INTEGER NOT NULL,
    own_thread INTEGER NOT NULL CHECK (own_thread IN (0, 1)),
    board_id INTEGER,
    board_at REAL,
    asked_at REAL,
    deadline REAL,
    reminded INTEGER NOT NULL CHECK (reminded IN (0, 1)),
    pinged INTEGER NOT NULL CHECK (pinged IN (0, 1)),
    paused_at REAL,
    ended_at REAL,
    reason TEXT NOT NULL,
    follows INTEGER,  -- no foreign key: the followed table may be pruned before this one
    former TEXT NOT NULL CHECK (json_valid(former)),
    settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
    CHECK ((board_id IS NULL) = (board_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel_id)
    WHERE stage IN ('lobby', 'playing');
-- A rematch that was closed before its end may be asked for again.
CREATE UNIQUE INDEX one_rematch ON tables (follows)
    WHERE follows IS NOT NULL AND stage IN ('lobby', 'playing', 'over');
CREATE INDEX tables_of_channel ON tables (channel_id);
CREATE INDEX tables_of_guild ON tables (guild_id);
CREATE INDEX ended_tables ON tables (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE seats (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    user_id INTEGER,
    name TEXT NOT NULL,
    presence TEXT NOT NULL CHECK (presence IN ('here', 'away', 'left', 'removed', 'computer')),
    level TEXT NOT NULL,
    missed INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat),
    UNIQUE (table_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    rules_version INTEGER NOT NULL,
    edition TEXT NOT NULL,
    seed BLOB NOT NULL,
    seats INTEGER NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    state TEXT NOT NULL CHECK (json_valid(state))
) STRICT;

-- The journal: with the seed, all that a match can be played again from.
CREATE TABLE entries (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    seat INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (json_valid(action)),
    at REAL NOT NULL,
    automatic INTEGER NOT NULL CHECK (automatic IN (0, 1)),
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;

-- `number` counts the news of a table: several may belong to one seq. No seat: anybody may read it.
CREATE TABLE events (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    seat INTEGER,
    event TEXT NOT NULL CHECK (json_valid(event)),
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE guild_settings (
    guild_id INTEGER PRIMARY KEY,
    channels TEXT NOT NULL CHECK (json_valid(channels)),
    clock INTEGER NOT NULL,
    own_thread INTEGER NOT NULL CHECK (own_thread IN (0, 1)),
    options TEXT NOT NULL CHECK (json_valid(options))
) STRICT;

CREATE TABLE user_settings (
    user_id INTEGER PRIMARY KEY,
    pings INTEGER NOT NULL CHECK (pings IN (0, 1))
) STRICT;

-- What the process itself remembers, such as when it last ran.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
